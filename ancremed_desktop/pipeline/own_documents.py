"""The user's own documents: an article asked by number with those it refers to, or an extract.

A direct look-up comes before any ranking: « article 55 » is answered by article 55 or not at all.
Numbered texts are quoted whole, since half an article reads as the whole of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

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
from ancremed_desktop.pipeline.succession import older_editions
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.articles import (
    Reference,
    asked_document,
    label_of,
    references,
    spoken,
)
from ancremed_desktop.text.derivation import root
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.sentences import sentence_spans
from ancremed_desktop.text.words import INVERTED, content_words, stem, words

ASKED, CITED, EXTRACT = OWN_SECTIONS
MAX_PASSAGES = 40
_EXTRACTS = 3
_CANDIDATES = 50
_FEW = 3
_AT_LEAST = 2
"""Words a passage must hold of a question that has several, verbs included."""
_ASKING = frozenset(
    "prevoit prevoient prevu prevue dit disent lois loi texte textes article articles document "
    "documents regle regles faut combien temps duree soit moment reste lorsque "
    "cat conduite tenir protocole prise charge pec".split()
)
"""Words of a question about a text that the text itself need not hold; « CAT » is its kind."""
_OTHER_NAMES = {
    "posologie": frozenset("dose doses dosage posologie posologies".split()),
    "surveillance": frozenset("suivi surveillance controle".split()),
    "contre-indications": frozenset("ci contre-indication contre-indications".split()),
}
"""Words of a question for what a section is called: « dose » asks for what stands under
« Posologie »."""
_INFINITIVE = re.compile(r"(?:[a-z]{3}(?:er|ir|oir)|[a-z]{2}(?:dre|tre|ire))$")
_OF_VERB = re.compile(r"([a-z]{4,}?)(?:er|e|es|ee|ees|ent|era|eront|ant|ations?|ements?)$")
"""« déclarer », « déclare », « déclarée » and « déclaration »: a closed list of endings."""
_ITEM = re.compile(r"\s*(?:[-–—•·*▪●]|\d{1,2}[.)°]|[a-z]\))\s")


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
    question: Question, index: PassageIndex, *, every_word: bool = False
) -> DirectAnswer | None:
    """Passages of the user's documents that speak of what a question names, else ``None``.

    ``every_word``: none may be missing, whatever their number: a word of a medical question may
    be the patient (« enfant ») whom the passage is not about.
    """
    plain = INVERTED.sub("", fold(question.text))
    asked = [w for w in content_words(plain) if w not in _ASKING]
    if not asked or len(asked) > _CANDIDATES:
        return None
    request = SearchRequest(
        query=" ".join(asked), mode=MatchMode.ANY, silos=(Silo.LOCAL,), limit=_CANDIDATES
    )
    hits = index.search(request)
    if not hits:  # most often; listing the sources takes longer than to see it
        return None
    documents = index.sources(Silo.LOCAL.value)
    older = {old for old, _new in older_editions(documents)}
    ranked = []
    for hit in hits:
        share = _share(hit.passage, asked, every_word=every_word)
        if share:
            behind = hit.passage.source_key in older
            ranked.append((-share, behind, -hit.score, hit.passage))
    if not ranked:
        return None
    best: dict[str, Passage] = {}
    for *_rank, passage in sorted(ranked, key=lambda r: r[:3])[:_EXTRACTS]:
        label = label_of(passage.urn)
        reference = Reference(label=label)
        own = members(index, passage.source_identifier, reference) if label else {}
        whole = own.get((passage.source_identifier, label), (passage,))
        best.update((p.urn, p) for p in whole)
    traces = [trace(EXTRACT, request.query, tuple(best.values()))]
    return _answer(question, EXTRACT, list(best.values()), documents, traces, index, [])


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


def _share(passage: Passage, asked: Sequence[str], *, every_word: bool) -> float:
    """Best share of the words asked that one sentence holds; 0 when the passage lacks too many.

    All of up to three words must stand in the passage or above it, three quarters of more; a
    verb (« mettre », « déclarer ») says what is done and may be missing.
    """
    above = _keys(f"{passage.origin_title} {passage.heading}")
    above |= _OTHER_NAMES.get(passage.section, frozenset())
    held = _held(asked, above | _keys(passage.text))
    if len(held) < min(_AT_LEAST, len(asked)):
        return 0.0
    owed = {w for w in asked if not _INFINITIVE.search(w)} or set(asked)
    few = len(owed) <= _FEW
    if not owed <= held and (every_word or few or 4 * len(owed & held) < 3 * len(owed)):
        return 0.0
    best = max(
        len(_held(asked, above | _keys(passage.text[start:end])))
        for start, end in sentence_spans(passage.text)
    )
    near = 3 * best >= 2 * len(owed) if few else 5 * best >= 3 * len(owed)
    return best / len(asked) if near else 0.0


def _keys(text: str) -> frozenset[str]:
    return frozenset(part for word in words(text) for part in (word, *word.split("-")))


def _held(asked: Sequence[str], found: frozenset[str]) -> set[str]:
    """Words asked of which a text holds one of the family (« déclarer », « déclaration »)."""
    return {w for w in asked if w in found or any(map(_family(w), found))}


@lru_cache(maxsize=256)
def _family(word: str) -> Callable[[str], bool]:
    """Whether a word is the same one, inflected or derived by rule.

    Never by a shared beginning: quinine is not quinidine.
    """
    kin = _bases(word)
    return lambda other: not kin.isdisjoint(_bases(other))


@lru_cache(maxsize=65_536)
def _bases(word: str) -> frozenset[str]:
    """Stem and root of a word; marked apart, what a verb in « -er » and its noun share."""
    verb = _OF_VERB.match(word)
    return frozenset((stem(word), root(word), *((f"{verb[1]}-er",) if verb else ())))
