"""The user's own documents: an article asked by number with those it refers to, or an extract.

A direct look-up comes before any ranking: « article 55 » is answered by article 55 or not at all.
Numbered texts are quoted whole, since half an article reads as the whole of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ancremed_desktop.domain.documents import Passage, Source
from ancremed_desktop.domain.evidence import (
    Evidence,
    MatchMode,
    QueryTrace,
    Round,
    SearchHit,
    SearchRequest,
    SectionEvidence,
)
from ancremed_desktop.domain.identifiers import OWN_SECTIONS, Silo, TopicClass
from ancremed_desktop.domain.plans import PlanMode, Question, RetrievalPlan, Subject, SubQuery
from ancremed_desktop.pipeline.cited_articles import (
    Chain,
    asked_texts,
    called,
    members,
    trace,
)
from ancremed_desktop.pipeline.direct_answer import DirectAnswer
from ancremed_desktop.pipeline.own_words import (
    figures_in,
    holding,
    is_titled,
    may_lack,
    rows_beside,
    tells,
    wanted_words,
)
from ancremed_desktop.pipeline.succession import older_editions
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.articles import (
    Reference,
    asked_document,
    label_of,
    references,
    spoken,
)
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words

ASKED, CITED, EXTRACT = OWN_SECTIONS
MAX_PASSAGES = 40
_EXTRACTS = 3
_CANDIDATES = 50
_WORDINGS = 4
"""Of what a word stands for, looked for beside it."""
_MANY = 3
"""Words that tell of the subject from which one may be missing."""
_MOST_OF_ONE = 12
"""Passages shown of a document whose title is what is asked."""
_NOBODY = Subject(label="", words=())


def look_up(question: Question, index: PassageIndex) -> DirectAnswer | None:
    """The articles or sections a question names by number; ``None`` when it names none.

    An article that no document holds is said to be absent; a section number alone, which may be
    anything, is then left to the search.
    """
    asked = references(question.text)
    documents = index.sources(Silo.LOCAL.value) if asked else ()
    if not documents:
        return None
    hits: dict[str, Passage] = {}
    traces, absent = [], []
    for reference in asked:
        name = reference.document or asked_document(question.text)
        found = asked_texts(index, documents, reference, name)
        traces.append(trace(ASKED, spoken(reference.label), found))
        hits.update((p.urn, p) for p in found)
        if not found and reference.label.startswith("art-"):
            said = [w for w in re.findall(r"\w+", question.text) if fold(w) in name]
            absent.append(
                _absence(spoken(reference.label), " ".join(said), called(documents, name))
            )
    if not hits and not absent:
        return None
    passages = list(hits.values())[:MAX_PASSAGES]
    said = absent
    if len({p.source_identifier for p in passages}) > 1:
        said = [*said, "Plusieurs de vos documents répondent : chacun est montré avec son titre."]
    return _answer(question, ASKED, passages, documents, traces, index, said)


def extracts(
    question: Question,
    index: PassageIndex,
    subject: Subject = _NOBODY,
    *,
    every_word: bool = False,
    but_one: bool = False,
) -> DirectAnswer | None:
    """Passages of the user's documents that speak of what a question names, else ``None``; the
    whole of a document of which that is the title.

    ``every_word``: none may be missing, whatever their number: a word of a medical question may
    be the patient (« enfant ») whom the passage is not about. ``but_one``: of three words or more
    one may be, which is said.
    """
    asked = wanted_words(question, subject, index)
    if not asked or len(asked) > _CANDIDATES:
        return None
    phrases = (p for w in asked for c in w.concepts for p in c.phrases[:_WORDINGS])
    figures = figures_in(question.raw)
    request = SearchRequest(
        query=" ".join(dict.fromkeys((*(w.word for w in asked), *phrases, *sorted(figures)))),
        mode=MatchMode.RANKED,
        silos=(Silo.LOCAL,),
        limit=_CANDIDATES,
    )
    hits = index.search(request)
    if not hits:  # most often; listing the sources takes longer than to see it
        return None
    documents = index.sources(Silo.LOCAL.value)
    older = {old for old, _new in older_editions(documents)}
    most = 1 if but_one and sum(map(tells, asked)) >= _MANY else 0
    owed = {w.word for w in asked if not may_lack(w, subject)}
    ranked = []
    for hit in hits:
        passage = hit.passage
        held = holding(passage, asked, subject, every=every_word)
        if held.share and len(held.lacked) <= most and held.lacked.isdisjoint(owed):
            told = len(figures & figures_in(f"{passage.heading} {passage.text}"))
            behind = passage.source_key in older
            order = (len(held.lacked), -held.share, -told, behind, -hit.score)
            ranked.append((order, passage, held.lacked))
    if not ranked:
        return None
    ranked.sort(key=lambda r: r[0])
    lacked = ranked[0][2]
    best = [p for _order, p, less in ranked if less == lacked]
    titled = [p for p in best if is_titled(p.origin_title, asked)]
    whole = [p for p in titled if figures <= figures_in(p.origin_title)]
    found, said = _wholes(whole, index) if whole else (_first(best, index), [])
    said += [f"Vos documents ne parlent pas de «\u00a0{word}\u00a0» à ce sujet." for word in lacked]
    traces = [trace(EXTRACT, request.query, found)]
    beside = frozenset().union(*(rows_beside(p, asked) for p in found))
    answer = _answer(question, EXTRACT, found, documents, traces, index, said)
    return replace(answer, shows=lambda text: text not in beside)


def _wholes(
    titled: Sequence[Passage], index: PassageIndex
) -> tuple[tuple[Passage, ...], list[str]]:
    """(passages of the documents whose title is what is asked, what to say of them)."""
    found: list[Passage] = []
    said = []
    for key in list(dict.fromkeys(p.source_key for p in titled))[:_EXTRACTS]:
        identifier = next(p.source_identifier for p in titled if p.source_key == key)
        whole = [p for p in index.passages_of(identifier) if p.source_key == key]
        found += whole[:_MOST_OF_ONE]
        if whole[_MOST_OF_ONE:]:
            said.append(f"Seul le début de «\u00a0{whole[0].origin_title}\u00a0» est montré.")
    return tuple(found), said


def _first(ranked: Sequence[Passage], index: PassageIndex) -> tuple[Passage, ...]:
    """The first of the passages found, numbered texts whole."""
    best: dict[str, Passage] = {}
    for passage in ranked[:_EXTRACTS]:
        label = label_of(passage.urn)
        reference = Reference(label=label)
        own = members(index, passage.source_identifier, reference) if label else {}
        found = own.get((passage.source_identifier, label), (passage,))
        best.update((p.urn, p) for p in found)
    return tuple(best.values())


def _answer(
    question: Question,
    section: str,
    passages: Sequence[Passage],
    documents: Sequence[Source],
    traces: Sequence[QueryTrace],
    index: PassageIndex,
    said: Sequence[str],
) -> DirectAnswer:
    chain = Chain(index=index, documents=documents)
    chain.follow(passages)
    sections = [(section, passages)] + ([(CITED, chain.cited)] if chain.cited else [])
    rounds = [Round(number=1, queries=tuple(traces), uncovered=() if passages else (section,))]
    if chain.traces:
        rounds.append(Round(number=2, queries=tuple(chain.traces), uncovered=()))
    messages = list(said)
    if chain.absent:
        messages.append(f"Cité, mais absent de vos documents : {', '.join(chain.absent)}.")
    if chain.more:
        messages.append("D’autres renvois existent et ne sont pas suivis ici.")
    names = tuple(name for name, _ in sections)
    label = " ".join(content_words(question.text))
    return DirectAnswer(
        plan=RetrievalPlan(
            primary_class=TopicClass.DEFINITION,
            mode=PlanMode.TARGETED,
            sections=names,
            subject=Subject(label=label, words=content_words(question.text)),
            sub_queries=tuple(SubQuery(section=n, query=label, silo=Silo.LOCAL) for n in names),
            silos=(Silo.LOCAL,),
        ),
        evidence=Evidence(
            sections=tuple(
                SectionEvidence(
                    section=name,
                    hits=tuple(SearchHit(passage=p, score=1.0) for p in found),
                    covered=bool(found),
                )
                for name, found in sections
            ),
            rounds=tuple(rounds),
            stop_reason="Recherche dans vos documents.",
        ),
        message=" ".join(messages),
    )


def _absence(what: str, name: str, documents: Sequence[Source]) -> str:
    """What to say of an article that was not found; ``name``: of the document asked, if any."""
    if not name:
        return f"Aucun de vos documents ne contient d’{what}."
    if not documents:
        return f"Aucun de vos documents ne s’appelle « {name} »."
    titles = ", ".join(f"« {source.title} »" for source in documents)
    return f"L’{what} n’est pas dans {titles}."
