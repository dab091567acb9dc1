"""Names by which a question may call an entry of the thesaurus."""

from __future__ import annotations

import re

from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import stem

_PARENTHESIS = re.compile(r"\s*\([^()]*\)")
_OTHER_NAME = re.compile(r"\(([a-zéèêàïëô]{5,})\)")
_NOT_NAMES = frozenset("autres sels reaction".split())
_EXTRAPOLATED = re.compile(
    r"\s*,?\s*\(?\s*et, par extrapolation, ([^()]+?)\)?$|,? et, par.*$", re.I
)
_ACID = re.compile(r"acide (\w+)ique$")
_LAST_ACID = re.compile(r"^(\w+) \(acide\)")
_GROUPED = re.compile(r"\s+et apparentés$", re.I)
_ALIASES = {
    "antisecretoires inhibiteurs de la pompe a protons": ("inhibiteurs de la pompe à protons",),
    "antisecretoires antihistaminiques h2": ("antihistaminiques H2",),
    "imao irreversibles": ("IMAO", "inhibiteurs de la monoamine oxydase"),
    "imao-a reversibles": ("IMAO", "inhibiteurs de la monoamine oxydase"),
    "imao-b": ("IMAO", "inhibiteurs de la monoamine oxydase"),
    "medicaments mixtes adrenergiques-serotoninergiques": (
        "inhibiteurs de la recapture de la sérotonine et de la noradrénaline",
    ),
    "heparines": ("héparines non fractionnées", "héparines de bas poids moléculaire"),
    "anticoagulants oraux": ("anticoagulants oraux directs",),
    "estroprogestatifs contraceptifs": ("pilule", "contraception orale"),
    "pamplemousse": ("jus de pamplemousse",),
    "inhibiteurs de la phosphodiesterase de type 5": ("IPDE5",),
}
"""Names in use that the thesaurus does not write, each of something inside the entry."""
_NO_HEADS = frozenset(
    "agents alcaloides analogues antagonistes autres derives hormones huiles inducteurs "
    "inhibiteurs produits resines substances substrats traitements vaccins vitamine".split()
)
"""First words that tell nothing alone: « inhibiteurs », « hormones »."""
_BEFORE_HEAD = re.compile(
    r"^(?:sels de |acide |medicaments (?!a |de |d'|du |par |utilises|administres))"
)
_USUAL = {
    "antibiotiques": (
        "aminosides", "cyclines", "fluoroquinolones", "lincosanides", "macrolides", "penems",
        "penicillines", "penicillines a", "sulfamides antibacteriens",
    ),
    "anticoagulants": (
        "antivitamines k", "heparines", "inhibiteurs directs de la thrombine a indication specifique",
    ),
    "antidepresseurs": (
        "imao irreversibles", "imao-a reversibles", "inhibiteurs selectifs de la recapture de la "
        "serotonine", "medicaments mixtes adrenergiques-serotoninergiques",
    ),
    "antidiabetiques": ("sulfamides hypoglycemiants", "glinides", "gliptines"),
    "hypoglycemiants": ("sulfamides hypoglycemiants", "glinides", "gliptines"),
    "antiepileptiques": (
        "anticonvulsivants inducteurs enzymatiques", "anticonvulsivants metabolises",
    ),
    "antipsychotiques": ("neuroleptiques", "neuroleptiques antipsychotiques"),
    "calciques": ("antagonistes des canaux calciques", "dihydropyridines"),
    "anticalciques": ("antagonistes des canaux calciques", "dihydropyridines"),
    "anticholinergiques": ("medicaments atropiniques", "antiparkinsoniens anticholinergiques"),
    "antiacides": ("topiques gastro-intestinaux, antiacides et adsorbants",),
    "antiplaquettaires": ("antiagregants plaquettaires",),
    "aminoglycosides": ("aminosides",),
    "anticancereux": ("cytotoxiques",),
    "anxiolytiques": ("benzodiazepines",),
    "contraceptifs": ("estroprogestatifs contraceptifs", "progestatifs contraceptifs"),
    "corticoides": ("glucocorticoides",),
    "corticosteroides": ("corticoides", "glucocorticoides"),
    "opiaces": ("morphiniques", "analgesiques morphiniques agonistes"),
    "opioides": ("morphiniques", "analgesiques morphiniques agonistes"),
    "morphiniques": (
        "analgesiques morphiniques agonistes", "analgesiques morphiniques de palier ii",
        "analgesiques morphiniques de palier iii",
    ),
    "nitres": ("derives nitres",),
    "quinolones": ("fluoroquinolones",),
    "sartans": ("antagonistes des recepteurs de l'angiotensine ii",),
    "somniferes": ("hypnotiques",),
    "tetracyclines": ("cyclines",),
    "thiazidiques": ("diuretiques thiazidiques",),
}  # fmt: skip
"""Usual words for a class, with the entries (folded, shortened) that hold drugs of it.

No names of the entries: as a name « inhibiteurs calciques » would make a drug of every « IC ».
"""


def entry_names(entry: str) -> tuple[str, ...]:
    """The entry as written, without its restriction, and the usual names; each once.

    « autres AINS » is the class met with itself, no name of it.
    """
    plain = _plain(entry)
    short = _GROUPED.sub("", plain)
    found = [entry, plain, short]
    found += [n for n in _OTHER_NAME.findall(entry) if fold(n) not in _NOT_NAMES]
    if salt := _ACID.search(fold(plain)):
        found.append(f"{salt[1]}ate")  # « valproate de sodium » is known as « valproate »
    if "bêta-bloquants" in short.lower():
        found.append(re.sub("bêta-bloquants", "bêtabloquants", short, flags=re.I))
    found += _ALIASES.get(fold(short), ())
    unique = {fold(n): n for n in reversed(found) if not fold(n).startswith("autres ")}
    return tuple(n for n in dict.fromkeys(found) if unique.get(fold(n)) == n)


def entry_heads(entry: str) -> tuple[str, ...]:
    """Stems, without hyphen, of the word that heads an entry and of the usual words for it.

    « diurétiques de l’anse » is headed by « diurétiques »; « inhibiteurs de… » by no word.
    """
    short = fold(_GROUPED.sub("", _plain(entry)))
    first = _BEFORE_HEAD.sub("", short).split(" ")[0].rstrip(",")
    words = [] if first in _NO_HEADS or first == "medicaments" else [first]
    words += [usual for usual, entries in _USUAL.items() if short in entries]
    return tuple(dict.fromkeys(stem(word.replace("-", "")) for word in words))


def _plain(entry: str) -> str:
    """An entry without its restriction and what it is extrapolated to."""
    acid = _LAST_ACID.match(entry)
    if acid:
        return f"acide {acid[1]}"
    return _EXTRAPOLATED.sub("", _PARENTHESIS.sub("", entry)).split(", y compris ")[0].strip()
