"""A question as one ranked search, its words with all that they may mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ancremed_desktop.domain.evidence import MatchMode, Meaning, SearchHit, SearchRequest
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.plans import Question
from ancremed_desktop.pipeline.kin import same_root
from ancremed_desktop.pipeline.lexicon import PlanningLexicon
from ancremed_desktop.pipeline.meaning import DEPTH, MeaningSearch, fused
from ancremed_desktop.pipeline.understand import expansions_in_context, find_acronym
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.articles import references
from ancremed_desktop.text.codes import read_codes
from ancremed_desktop.text.normalise import fold

_AS_OFTEN = 0.2
"""Share of how often the word typed is written from which its kin is looked for too."""
_WORD = re.compile(r"[^\W_]+(?:[-+][^\W_]+)*")


def ranked_request(
    question: Question,
    index: PassageIndex,
    lexicon: PlanningLexicon,
    *,
    silos: tuple[Silo, ...] = (),
    limit: int = 6,
) -> SearchRequest:
    """The search for a question: acronyms, brands, lay words and near spellings as meanings, the
    sections it names preferred.
    """
    query = fold(question.text)
    sections = tuple(
        name
        for name, section in lexicon.sections.items()
        if any(p is not None and p.search(query) for p in (section.ask, section.find))
    )
    return SearchRequest(
        query=query,
        mode=MatchMode.RANKED,
        silos=silos,
        limit=limit,
        meanings=tuple(_meanings(question, query, index, lexicon)),
        sections=sections,
    )


def ranked_hits(
    question: Question, request: SearchRequest, index: PassageIndex, meaning: MeaningSearch
) -> tuple[SearchHit, ...]:
    """Hits of the search for a question, by words and by meaning.

    Something is always the nearest: a question of which no passage holds a word has no hit.
    """
    near = meaning(question.text, request.silos, DEPTH)
    if not near:
        return index.search(request)
    by_words = index.search(replace(request, limit=max(request.limit, DEPTH)))
    return fused(by_words, near, request.limit) if by_words else ()


def numbered_hits(
    question: Question, index: PassageIndex, silos: tuple[Silo, ...]
) -> tuple[SearchHit, ...]:
    """Passages a question names by their number (« article 34-1 »): nothing answers it better."""
    found = (p for r in references(question.text) for p in index.numbered(r.label))
    return tuple(
        SearchHit(passage=p, score=0.0, coverage=1.0)
        for p in found
        if not p.superseded and (not silos or p.silo in silos)
    )


def _meanings(
    question: Question, query: str, index: PassageIndex, lexicon: PlanningLexicon
) -> Iterator[Meaning]:
    for lay, medical in lexicon.synonyms.items():
        # Found as it stands first: hundreds of patterns are more than are kept compiled.
        if " " in lay and lay in query and re.search(rf"(?<!\w){re.escape(lay)}(?!\w)", query):
            narrower = (n for m in medical for n in lexicon.narrower.get(fold(m), ()))
            yield Meaning(words=lay, others=(*medical, *narrower))
    suggested = {fold(c.original): c.replacement for c in question.corrections if c.kind == "typo"}
    codes = [range(c.start, c.end) for c in read_codes(question.text)]
    words = (m for m in _WORD.finditer(question.text) if not any(m.start() in c for c in codes))
    for word in dict.fromkeys(m[0] for m in words):
        key = fold(word)
        others = [*lexicon.synonyms.get(key, ())]
        acronym = find_acronym(word, lexicon.acronyms)
        if acronym is not None:
            others += (acronym.acronym, *expansions_in_context(acronym, question.text))
        if key in lexicon.brands:
            others += [part.strip() for part in lexicon.brands[key].split("+")]
        if key in suggested:
            others.append(suggested[key])
        others += [n for o in (key, *others) for n in lexicon.narrower.get(fold(o), ())]
        others += _kin(key, index)
        if others:
            yield Meaning(words=key, others=tuple(dict.fromkeys(others)))


def _kin(word: str, index: PassageIndex) -> list[str]:
    """Words of one root (« dépister », « dépistage ») that the corpus writes about as often."""
    held = index.document_frequency(word)
    return [k for k in same_root(word) if index.document_frequency(k) >= _AS_OFTEN * max(held, 1)]
