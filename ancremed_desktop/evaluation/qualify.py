"""Measures what a model can do, on cases whose right answer is known; ``services.qualification``
says what the measures earn.

The functions measured are those that make answers, with the same prompts, budgets and times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.domain.models import Ability
from ancremed_desktop.domain.plans import PlanMode, Question
from ancremed_desktop.domain.spans import (
    AnchoredAssertion,
    DraftAssertion,
    Narrative,
    Verdict,
)
from ancremed_desktop.evaluation.gate import Case, clopper_pearson, names_of, read_cases
from ancremed_desktop.evaluation.questions import LabelledQuestion, read_questions
from ancremed_desktop.pipeline.attribute import GateContext, attribute
from ancremed_desktop.pipeline.lexicon import PlanningLexicon, load_lexicon
from ancremed_desktop.pipeline.model_call import ModelWork
from ancremed_desktop.pipeline.model_generate import select, write
from ancremed_desktop.pipeline.model_plan import model_plan
from ancremed_desktop.pipeline.model_verify import ModelVerifier
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.prompts import Prompts, load_prompts
from ancremed_desktop.pipeline.rules.rule_verifier import RuleVerifier
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.pipeline.verify import verifier_view, verify
from ancremed_desktop.ports import LanguageModel, PassageIndex
from ancremed_desktop.services.qualification import CRITERIA, Measure, Qualification
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.connecting import connects
from ancremed_desktop.text.sentences import sentence_spans

_FLOORS = {c.key: c.floor for c in CRITERIA}
_LEAST = 8
"""Cases run before a criterion that can no longer be met is given up."""
_TOGETHER = 4
_RULES_S = 20.0
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What a model is measured on. ``limit``: cases of each kind, spread over all; 0: all."""

    cases: tuple[Case, ...]
    questions: tuple[LabelledQuestion, ...]
    index: PassageIndex
    lexicon: PlanningLexicon
    prompts: Prompts
    limit: int = 0


def shipped_material(
    index: PassageIndex, *, cases: tuple[Case, ...] = (), limit: int = 0
) -> Material:
    """The questions and cases that come with the application; ``cases`` in place of its own.

    Raises: BadFileError.
    """
    folder = RESOURCES / "qualification"
    return Material(
        cases=cases or read_gate_cases(folder / "gate"),
        questions=read_questions(folder / "questions.jsonl"),
        index=index,
        lexicon=load_lexicon(RESOURCES / "lexicons"),
        prompts=load_prompts(RESOURCES / "prompts"),
        limit=limit,
    )


def most_calls(limit: int) -> int:
    """Requests that a whole qualification makes at most, on what comes with the application.

    Raises: BadFileError.
    """
    folder = RESOURCES / "qualification"
    questions, cases = (
        min(count, limit or count)
        for count in (
            len(read_questions(folder / "questions.jsonl")),
            len(read_gate_cases(folder / "gate")),
        )
    )
    # A choice and a text may be asked twice; verdicts come several a request, of two kinds.
    return questions + 2 * cases + 2 * cases + 2 * -(-cases // _TOGETHER)


def read_gate_cases(folder: Path) -> tuple[Case, ...]:
    """The challenge cases of a folder. Raises: BadFileError."""
    return tuple(case for path in sorted(folder.glob("*.jsonl")) for case in read_cases(path))


@dataclass(slots=True)
class _Count:
    """Right and wrong so far for one criterion, of ``planned`` cases."""

    key: str
    planned: int
    right: int = 0
    total: int = 0

    def add(self, right: bool) -> None:
        self.right += right
        self.total += 1

    @property
    def hopeless(self) -> bool:
        """Whether the floor is out of reach even with all the rest right."""
        if self.total < _LEAST:
            return False
        best = self.right + max(0, self.planned - self.total)
        low, _high = clopper_pearson(best, max(self.planned, self.total))
        return low < _FLOORS[self.key]

    def measure(self) -> Measure:
        low, high = clopper_pearson(self.right, self.total)
        return Measure(key=self.key, right=self.right, total=self.total, low=low, high=high)


def _spread(items: Sequence[_Item], most: int) -> Sequence[_Item]:
    """``most`` of the items, at even distances; all when there are no more."""
    if len(items) <= most:
        return items
    return [items[i * len(items) // most] for i in range(most)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    model: LanguageModel
    material: Material
    progress: ProgressCallback
    cancel: CancelToken
    calls: ModelWork

    def spread(self, items: Sequence[_Item]) -> Sequence[_Item]:
        return _spread(items, self.material.limit or len(items))

    def say(self, stage: str, done: int, total: int) -> None:
        self.cancel.raise_if_cancelled()
        self.progress(Progress(stage=stage, done=done, total=total))


def qualify(
    model: LanguageModel,
    material: Material,
    *,
    abilities: frozenset[Ability] = frozenset(Ability),
    patience: float = 1.0,
    progress: ProgressCallback,
    cancel: CancelToken,
) -> Qualification:
    """Measure ``abilities``; a reply that is late, unreadable or absent counts as wrong.

    ``patience``: times the time allowed when answering. A criterion that can no longer be met
    is given up after eight cases.
    Raises: Cancelled; ModelUnavailableError, when a service elsewhere cannot be reached.
    """
    calls = ModelWork(measuring=True, patience=patience)
    run = _Run(model=model, material=material, progress=progress, cancel=cancel, calls=calls)
    steps: tuple[tuple[frozenset[Ability], Callable[[_Run], tuple[_Count, ...]]], ...] = (
        (frozenset({Ability.PLAN}), _plans),
        (frozenset({Ability.SELECT}), _selections),
        (frozenset({Ability.NARRATE, Ability.WRITE}), _writings),
        (frozenset({Ability.VERIFY}), _verdicts),
    )
    counts = [count for own, step in steps if own & abilities for count in step(run)]
    return Qualification(
        model=model.name,
        identity=model.identity,
        prompts=material.prompts.identity,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        measures=tuple(count.measure() for count in counts),
        calls=tuple(sorted(Counter(use.outcome for use in calls.uses).items())),
    )


def _plans(run: _Run) -> tuple[_Count, ...]:
    material = run.material
    asked = run.spread(material.questions)
    right = _Count("plan_class", len(asked))
    no_loss = _Count("plan_no_loss", len(asked))
    for number, labelled in enumerate(asked):
        run.say("Plans", number, len(asked))
        question = understand(labelled.text, material.index, material.lexicon)
        rules = make_plan(question, material.index, material.lexicon)
        if rules.mode is PlanMode.SHORT_CIRCUIT or rules.subject.pairs:
            continue  # no model is asked there
        plan, _queries = model_plan(
            question, rules, run.model, material.prompts.planner, run.calls, run.cancel
        )
        good = plan is not rules and plan.primary_class == labelled.primary_class
        right.add(good)
        no_loss.add(good or rules.primary_class != labelled.primary_class)
        if right.hopeless:
            break
    return right, no_loss


def _selections(run: _Run) -> tuple[_Count, ...]:
    """Which sentence of a passage says what a sound assertion says in other words."""
    sound = [a for case, a in _anchored(run.material.cases) if case.expected == "pass"]
    asked = [a for a in run.spread(sound) if len(_sentences(a.passage)) > 2]
    first = _Count("select_first", len(asked))
    for number, anchored in enumerate(asked):
        run.say("Choix de phrases", number, len(asked))
        sentences = _sentences(anchored.passage)
        # Turned case by case: « always the first » must not pass for knowledge.
        turn = number % len(sentences)
        shown = select(
            _question(anchored.draft.text),
            _section(anchored.passage),
            [*sentences[turn:], *sentences[:turn]],
            run.model,
            run.material.prompts.select,
            run.calls,
            run.cancel,
        )
        chosen = next((d for d in shown or () if isinstance(d, DraftAssertion)), None)
        first.add(chosen is not None and chosen.exact_source_quote in anchored.quote)
        if first.hopeless:
            break
    return (first,)


def _writings(run: _Run) -> tuple[_Count, ...]:
    """What a writer makes of a passage, held against gate and rules."""
    cases = run.material.cases
    names = names_of(p for c in cases for p in c.passages)
    distinct = {a.passage.urn: a for _case, a in _anchored(cases)}
    asked = run.spread(list(distinct.values()))
    clean = _Count("narrative_clean", 0)
    supported = _Count("write_supported", 0)
    useful = _Count("write_useful", len(asked))
    for number, anchored in enumerate(asked):
        run.say("Rédaction", number, len(asked))
        passage = anchored.passage
        drafts = write(
            _question(passage.origin_title),
            _section(anchored.passage),
            _sentences(passage),
            run.model,
            run.material.prompts.write,
            run.calls,
            run.cancel,
        )
        context = GateContext(passages={passage.urn: passage}, known_names=names)
        held = 0
        for draft in drafts or ():
            spans, _dropped = attribute((draft,), context)
            kept, _dropped = verify(
                spans, RuleVerifier(), cancel=run.cancel, paraphrase_allowed=True,
                timeout_s=_RULES_S,
            )  # fmt: skip
            if isinstance(draft, Narrative):
                about = f"{passage.origin_title} {draft.section}"
                clean.add(bool(kept) and connects(draft.text, about))
            elif isinstance(draft, DraftAssertion):
                supported.add(bool(kept))
                held += bool(kept)
        useful.add(held > 0)
        if useful.hopeless:
            break
    return clean, supported, useful


def _verdicts(run: _Run) -> tuple[_Count, ...]:
    """The model alone, on what the gate lets through: the rules would hide its faults.

    One that refuses what is sound has lost the role: a few false ones then tell what it does.
    """
    known = [(c.expected, a) for c, a in _anchored(run.material.cases)]
    passed = _judged(run, "verify_pass", [a for expected, a in known if expected == "pass"], True)
    block = [a for expected, a in known if expected == "block"]
    few = _spread(block, _LEAST) if passed.hopeless else block
    blocked = _judged(run, "verify_block", few, False)
    return blocked, passed


def _judged(
    run: _Run, key: str, assertions: Sequence[AnchoredAssertion], supported: bool
) -> _Count:
    """Verdicts on assertions that all are, or all are not, supported."""
    asked = run.spread(assertions)
    count = _Count(key, len(asked))
    verifier = ModelVerifier(run.model, run.material.prompts.verify, run.calls)
    for start in range(0, len(asked), _TOGETHER):
        run.say("Vérification", start, len(asked))
        views = [verifier_view(a) for a in asked[start : start + _TOGETHER]]
        verifier.read_ahead(views, run.cancel)
        for view in views:
            judgement = verifier.judge(view, run.cancel)
            count.add((judgement.verdict is Verdict.SUPPORTED) is supported)
        if count.hopeless:
            break
    return count


def _anchored(cases: Sequence[Case]) -> list[tuple[Case, AnchoredAssertion]]:
    """Assertions that pass the gate, with their case; those a policy decides are left out."""
    names = names_of(p for c in cases for p in c.passages)
    found = []
    for case in cases:
        if not isinstance(case.draft, DraftAssertion) or case.policy_dependent:
            continue
        passages = {p.urn: p for p in case.passages if p.urn in case.retrieved}
        spans, _dropped = attribute(
            (case.draft,), GateContext(passages=passages, known_names=names)
        )
        found += [(case, s) for s in spans if isinstance(s, AnchoredAssertion)]
    return found


def _sentences(passage: Passage) -> list[DraftAssertion]:
    return [
        DraftAssertion(
            section=_section(passage),
            text=passage.text[start:end],
            exact_source_quote=passage.text[start:end],
            source_urn=passage.urn,
            subject_entity_id=passage.source_identifier,
            confidence_score=1.0,
        )
        for start, end in sentence_spans(passage.text)
    ]


def _section(passage: Passage) -> str:
    """The part of the source, as its address names it (« posologie »)."""
    return passage.urn.partition("#")[2]


def _question(text: str) -> Question:
    return Question(raw=text, text=text)
