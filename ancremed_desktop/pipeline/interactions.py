"""« X avec Y ? »: the pairs of the interactions thesaurus a question asks about.

Brands lead to their substances, substances and acronyms to the entries (substances and classes)
of the thesaurus, and the pairs of two parties are looked up by their entries.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import itemgetter

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import THESAURUS, THESAURUS_PREFIX, Code, Silo
from ancremed_desktop.domain.plans import Concept, PairLookup, Party, Subject
from ancremed_desktop.pipeline.withdrawal import is_withdrawn
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.dates import figures
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import stem

MAX_SHOWN = 12
"""Pairs shown of one look-up; a class against a class may have more."""
_MAX_PARTIES = 6
_MAX_CODES = 200
_SAME_BRAND = 12
"""Records of one brand that are asked what it contains."""
_TOGETHER = re.compile(
    r"\b(?:avec|sous|associ\w*|ensemble|en meme temps|interactions?|interag\w*|compatibles?|"
    r"co-?administr\w*|melang\w*|cumul\w*)\b|\+"
)
_GRAVITY = (
    "contre-indication",
    "association deconseillee",
    "precaution d'emploi",
    "a prendre en compte",
)
_LEVEL_LINE = "niveau"
_SUBSTANCE = f"{THESAURUS_PREFIX}substance"
_CLASS = f"{THESAURUS_PREFIX}classe"
_ENTRY = f"{THESAURUS_PREFIX}entree"
_CARRIER = r"(?:inhibiteur|antagoniste|dérivé)s?"
_CARRIED = re.compile(_CARRIER.replace("é", "e"))
"""« inhibiteurs » of « inhibiteurs calciques »: no party by itself."""
_NAMED = re.compile(rf"(?:{_CARRIER} )?[\w-]+", re.IGNORECASE)
_ROUTE = re.compile(r"\bvoies?\b|\b(?:locale?s?|topiques?|cutane\w*|externes?|systemiques?)\b")
_SKIN_ALONE = re.compile(r"\bvoie d.administration\s?: cutanee(?= \(|\.|$)", re.MULTILINE)
_FORM = re.compile(r"\b(?:gels?|cremes?|pommades?|lotions?|comprimes?|gelules?|shampo\w+)\b")


def asked_pairs(subject: Subject, text: str, index: PassageIndex) -> tuple[PairLookup, ...]:
    """Look-ups for each two drugs of a question, or for its only one; none without thesaurus.

    None either where two drugs are only named beside something else (« AINS ou corticoïdes dans
    l’érysipèle ») and nothing is listed under the very entries of their names. A word unknown to
    the corpus counts as a drug when the question sets it beside one.
    """
    edition = max((p.regulatory_date for p in _current(THESAURUS, index)), default="")
    if not edition:
        return ()
    together = _TOGETHER.search(fold(text)) is not None
    parties = _parties(subject, text, index, by_head=True)
    named = (c for c in subject.concepts if not c.exact)
    words = [c for c in named if not _CARRIED.fullmatch(c.phrases[0])]
    if together or 1 < len(words) == len(parties):
        return _pairs(subject, parties, edition, index, widened=True)
    parties = _parties(subject, text, index, by_head=False)
    pairs = _pairs(subject, parties, edition, index, widened=False)
    if any(pair.identifiers for pair in pairs):
        return _pairs(subject, parties, edition, index, widened=True)
    beside = [c for c in subject.concepts if not c.mandatory]
    return () if beside else pairs


def _parties(
    subject: Subject, text: str, index: PassageIndex, *, by_head: bool
) -> tuple[Party, ...]:
    beside = _TOGETHER.search(fold(text)) is not None
    unknown = {fold(w) for w in subject.unknown_words}
    parties: list[Party] = []
    for concept in subject.concepts:
        if is_withdrawn(concept, text):
            continue
        party = _party(concept, text, index, by_head=by_head)
        is_drug = concept.mandatory and not concept.exact
        if party.entries or is_drug or (beside and concept.phrases[0] in unknown):
            parties.append(party)
    return tuple(parties[:_MAX_PARTIES])


def _pairs(
    subject: Subject,
    parties: Sequence[Party],
    edition: str,
    index: PassageIndex,
    *,
    widened: bool,
) -> tuple[PairLookup, ...]:
    if not any(p.entries for p in parties):
        return ()
    if len(parties) == 1 and len(subject.concepts) == 1:
        return (_all_of(parties[0], edition, index),)
    return tuple(
        _between(a, b, edition, index, widened=widened)
        for a, b in itertools.combinations(parties, 2)
    )


def filed_substances(concept: Concept, text: str, index: PassageIndex) -> tuple[str, ...]:
    """Sources of the thesaurus that say of which classes the substances of a name are."""
    party = _party(concept, text, index, by_head=False)
    return tuple(i for i in party.identifiers if i.startswith(_SUBSTANCE))


def _party(concept: Concept, text: str, index: PassageIndex, *, by_head: bool) -> Party:
    named = [i for phrase in concept.phrases for m in index.mentions(phrase) for i in m.identifiers]
    identifiers = dict.fromkeys((*concept.identifiers, *named))
    own = [i for i in identifiers if i.startswith(THESAURUS_PREFIX)]
    substances: tuple[str, ...] = ()
    whole = True
    if not own:
        substances = _contents(concept, identifiers, index)
        filed = [_filed_under(s, index) for s in substances]
        own = [i for found in filed for i in found]
        whole = all(filed)
    written = (n for n in _NAMED.findall(text) if fold(n).split(" ")[-1] == concept.phrases[0])
    label = next(written, "")
    exact = whole and _is_exact(own, index)
    own += _headed_by(concept.phrases[0], index) if by_head else ()
    return Party(
        label=label or concept.phrases[0],
        substances=tuple(s for s in substances if s != concept.phrases[0]),
        entries=tuple(dict.fromkeys(e for i in own for e in index.codes_of(i, Code.ENTRY))),
        identifiers=tuple(dict.fromkeys(own)),
        on_skin=_is_for_skin(identifiers, text, index),
        exact=exact,
    )


def _headed_by(word: str, index: PassageIndex) -> tuple[str, ...]:
    """Entries whose head a word is; a name of several words is as narrow as it was meant."""
    return () if " " in word else index.by_code(Code.HEAD, [stem(word.replace("-", ""))])


def _filed_under(substance: str, index: PassageIndex) -> list[str]:
    """Identifiers of the thesaurus by which it knows a substance of a brand."""
    mentions = [m for m in index.mentions(substance) if len(m.label) >= len(substance)]
    return [i for m in mentions for i in m.identifiers if i.startswith(THESAURUS_PREFIX)]


def _is_exact(identifiers: Sequence[str], index: PassageIndex) -> bool:
    """Whether sources of the thesaurus are substances alone, or the one entry of something else."""
    if len(set(identifiers)) == 1 and identifiers[0].startswith(_ENTRY):
        return True
    others = [i for i in identifiers if not i.startswith((_SUBSTANCE, _CLASS))]
    return bool(identifiers) and not others and not _classes(identifiers, index)


def _classes(identifiers: Sequence[str], index: PassageIndex) -> tuple[str, ...]:
    """Classes meant as such: « phénobarbital » means the substance, not the entry that holds it."""
    substances = [i for i in identifiers if i.startswith(_SUBSTANCE)]
    held = {e for i in substances for e in index.codes_of(i, Code.ENTRY)}
    classes = [i for i in identifiers if i.startswith(_CLASS)]
    return tuple(i for i in classes if held.isdisjoint(index.codes_of(i, Code.ENTRY)))


def _is_for_skin(identifiers: Iterable[str], text: str, index: PassageIndex) -> bool:
    """Whether the products meant, of the form the question names if any, go on the skin alone."""
    records = itertools.islice((i for i in identifiers if i.isdecimal()), _SAME_BRAND)
    read = [[p for p in _current(i, index) if p.silo is Silo.BDPM] for i in records]
    asked = set(_FORM.findall(fold(text)))
    meant = [r for r in read if r and (not asked or asked & set(_words(r[0].origin_title)))]
    return bool(meant) and all(
        any(_SKIN_ALONE.search(fold(passage.text)) for passage in record) for record in meant
    )


def _words(title: str) -> Sequence[str]:
    return re.findall(r"\w+", fold(title))


def _contents(concept: Concept, identifiers: Iterable[str], index: PassageIndex) -> tuple[str, ...]:
    """Substances of a brand: those that half of its records name; of a DCI, itself."""
    records = list(itertools.islice((i for i in identifiers if i.isdecimal()), _SAME_BRAND))
    counts = Counter(s for i in records for s in index.codes_of(i, Code.SUBSTANCE))
    if concept.phrases[0] in counts:
        return (concept.phrases[0],)
    return tuple(s for s, n in counts.items() if 2 * n >= len(records))


def _between(
    first: Party, second: Party, edition: str, index: PassageIndex, *, widened: bool
) -> PairLookup:
    """What is listed under the names of two parties and their members; ``widened``: and under
    the other classes of these members.
    """
    if not first.entries or not second.entries:
        return _lookup(first, second, edition, (), index)
    members = [_members(party, index) for party in (first, second)]
    sides = [
        {*party.entries, *(n for i in found for n in index.codes_of(i, Code.SUBSTANCE))}
        for party, found in zip((first, second), members, strict=True)
    ]
    near = _across(sides, index)
    wide = near
    if widened:
        for side, found in zip(sides, members, strict=True):
            side.update(e for i in found for e in index.codes_of(i, Code.ENTRY))
        wide = _across(sides, index)
    pair = _lookup(first, second, edition, dict.fromkeys((*near, *wide)), index)
    shown = {side for i in pair.identifiers for side in index.codes_of(i, Code.SIDE)}
    through = tuple(
        (party.label, *held)
        for party, own in zip((first, second), members, strict=True)
        for held in _through(own, shown - set(party.entries), index)
    )
    return replace(pair, through=through)


def _through(
    members: Sequence[str], entries: Iterable[str], index: PassageIndex
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(entry, the members of a class it holds), where it does not hold them all."""
    for entry in sorted(entries):
        held = [i for i in members if entry in index.codes_of(i, Code.ENTRY)]
        names = sorted({n for i in held for n in index.codes_of(i, Code.SUBSTANCE)})
        if 0 < len(held) < len(members) and entry not in names:
            yield entry, tuple(names)


def _across(sides: Sequence[set[str]], index: PassageIndex) -> tuple[str, ...]:
    keys = {" + ".join(sorted((a, b))) for a in sides[0] for b in sides[1]}
    return _by_code(Code.PAIR, sorted(keys), index)


def _all_of(party: Party, edition: str, index: PassageIndex) -> PairLookup:
    found = _by_code(Code.SIDE, party.entries, index)
    return _lookup(party, None, edition, found, index)


def _members(party: Party, index: PassageIndex) -> tuple[str, ...]:
    """Substances of a class: some have pairs of their own, or of another class, that are graver."""
    classes = _classes(party.identifiers, index)
    return _by_code(Code.MEMBER, [e for i in classes for e in index.codes_of(i, Code.ENTRY)], index)


def _by_code(code: Code, values: Sequence[str], index: PassageIndex) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for start in range(0, len(values), _MAX_CODES):
        found.update(dict.fromkeys(index.by_code(code, values[start : start + _MAX_CODES])))
    return tuple(found)


def _lookup(
    first: Party, second: Party | None, edition: str, found: Iterable[str], index: PassageIndex
) -> PairLookup:
    """The pairs ``found``, nearest first, ordered by gravity."""
    ranked = []
    for identifier in found:
        texts = [p.text for p in _current(identifier, index) if p.regulatory_date == edition]
        if texts:
            routed = any(_ROUTE.search(fold(text)) for text in texts)
            ranked.append((min(map(_gravity, texts)), identifier, routed))
    ranked.sort(key=itemgetter(0))
    shown = tuple(i for _rank, i, _routed in ranked[:MAX_SHOWN])
    sides = {side for i in shown for side in index.codes_of(i, Code.SIDE)}
    parties = (first,) if second is None else (first, second)
    return PairLookup(
        first=first,
        second=second,
        edition=edition,
        identifiers=shown,
        unshown=len(ranked) - len(shown),
        filed=tuple(i for party in parties for i in _filed(party, sides, index)),
        names_route=any(routed for _rank, _i, routed in ranked[:MAX_SHOWN]),
    )


def _filed(party: Party, sides: set[str], index: PassageIndex) -> tuple[str, ...]:
    """Where the index of the thesaurus files a party that pairs name by its class alone."""
    substances = [i for i in party.identifiers if index.codes_of(i, Code.SUBSTANCE)]
    names = {n for i in substances for n in index.codes_of(i, Code.SUBSTANCE)}
    classes = sides.intersection(party.entries) - names
    return tuple(substances) if classes else ()


def _gravity(text: str) -> int:
    """Rank of the gravest level of a pair's text."""
    lines = (fold(line) for line in text.splitlines())
    levels = next((line for line in lines if line.startswith(_LEVEL_LINE)), "")
    return next((n for n, level in enumerate(_GRAVITY) if level in levels), len(_GRAVITY))


def unlisted(pairs: Sequence[PairLookup]) -> tuple[str, ...]:
    """What must be said, in French, of look-ups that found nothing or too much.

    The absence of a pair is never worded as the absence of an interaction.
    """
    found = [reason for pair in pairs for say in _SAID if (reason := say(pair))]
    return tuple(found)


def _twice(pair: PairLookup) -> str:
    """Two names of one substance are a danger that no pair lists."""
    second = set(pair.second.identifiers) if pair.second else set()
    if not any(i in second and "substance" in i for i in pair.first.identifiers):
        return ""
    return (
        f"{_quoted(pair.first)} et {_quoted(pair.second)} mènent à la même substance du thésaurus"
        f"{NBSP}: vérifiez qu’elle n’est pas donnée deux fois."
    )


def _unlisted(pair: PairLookup) -> str:
    book = f"le thésaurus de l’ANSM du {figures(pair.edition)}"
    parties = [pair.first, *([pair.second] if pair.second else [])]
    strangers = [_quoted(p) for p in parties if not p.entries]
    names = " et ".join(_quoted(p) for p in parties)
    if strangers:
        are = "sont inconnus" if len(strangers) > 1 else "est inconnu"
        return (
            f"{' et '.join(strangers)} {are} de l’index de ce thésaurus{NBSP}: {book} ne dit rien "
            f"de l’association {names}, ni pour ni contre. Nommez la substance."
        )
    vague = [_quoted(p) for p in parties if not p.exact]
    if not pair.identifiers and vague:
        are = "ne se ramènent" if len(vague) > 1 else "ne se ramène"
        return (
            f"{' et '.join(vague)} {are} pas à une substance de l’index{NBSP}: {book} peut lister "
            f"l’interaction demandée ({names}) sous une autre entrée. Nommez la substance."
        )
    if not pair.identifiers:
        between = "entre " if pair.second else "pour "
        return (
            f"Absence d’interaction listée dans {book} {between}{names}. Cela ne permet pas de "
            f"conclure{NBSP}: vérifiez le RCP et l’édition en vigueur."
        )
    if pair.unshown:
        return (
            f"{pair.unshown} autres paires listées dans {book} pour {names} ne sont pas montrées"
            f"{NBSP}: nommez l’autre substance."
        )
    return ""


def _on_skin(pair: PairLookup) -> str:
    """A pair that names no route was not written for a product put on the skin."""
    parties = [p for p in (pair.first, pair.second) if p and p.on_skin]
    if not parties or not pair.identifiers or pair.names_route:
        return ""
    return (
        f"{_quoted(parties[0])}{NBSP}: la base publique des médicaments ne donne que la voie "
        "cutanée, et le thésaurus ne précise pas la voie. Cela n’écarte pas l’interaction"
        f"{NBSP}: vérifiez le RCP du produit."
    )


_SAID = (_twice, _unlisted, _on_skin)


def readings(pairs: Sequence[PairLookup]) -> tuple[str, ...]:
    """How the names of the parties were read (« Previscan » contains fluindione)."""
    parties = dict.fromkeys(p for pair in pairs for p in (pair.first, pair.second) if p)
    read = tuple(
        f"{_quoted(party)} est cherché comme{NBSP}: {', '.join(party.substances)}."
        for party in parties
        if party.substances
    )
    classes = [_quoted(p) for p in parties if any(i.startswith(_CLASS) for i in p.identifiers)]
    if not classes:
        return read
    only = tuple(
        f"De {_named(label)}, l’entrée {_named(entry.upper())} ne réunit que{NBSP}: "
        f"{', '.join(names)}."
        for label, entry, names in dict.fromkeys(held for pair in pairs for held in pair.through)
    )
    return (
        *read,
        f"Cherché aussi sous les entrées qui réunissent des substances de{NBSP}: "
        f"{', '.join(classes)}. Chaque paire ne vaut que pour les entrées qu’elle nomme.",
        *only,
    )


def _quoted(party: Party | None) -> str:
    return _named(party.label) if party else ""


def _named(label: str) -> str:
    return f"«{NBSP}{label}{NBSP}»"


def _current(identifier: str, index: PassageIndex) -> Iterable[Passage]:
    return (p for p in index.passages_of(identifier) if not p.superseded)
