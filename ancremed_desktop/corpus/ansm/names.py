"""Names by which a question may call an entry of the thesaurus."""

from __future__ import annotations

import re

from ancremed_desktop.text.normalise import fold

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


def entry_names(entry: str) -> tuple[str, ...]:
    """The entry as written, without its restriction, and the usual names; each once.

    « autres AINS » is the class met with itself, no name of it.
    """
    plain = _EXTRAPOLATED.sub("", _PARENTHESIS.sub("", entry)).split(", y compris ")[0].strip()
    acid = _LAST_ACID.match(entry)
    if acid:
        plain = f"acide {acid[1]}"
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
