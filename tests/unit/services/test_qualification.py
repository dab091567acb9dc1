"""What is measured, what it earns, what is kept, and which models an answer is given."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakes import clinic
from fakes.scripted_model import Scripted

from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.models import Ability, CompletionRequest
from ancremed_desktop.errors import ModelUnavailableError
from ancremed_desktop.evaluation.gate import Case, clopper_pearson
from ancremed_desktop.evaluation.qualify import Material, qualify, read_gate_cases
from ancremed_desktop.evaluation.questions import LabelledQuestion, read_questions
from ancremed_desktop.services.assistants import AssistantSource
from ancremed_desktop.services.qualification import (
    CRITERIA,
    Measure,
    Qualification,
    QualificationStore,
    report,
)
from ancremed_desktop.settings.paths import RESOURCES

MATERIAL = RESOURCES / "qualification"


def _measure(key: str, right: int, total: int) -> Measure:
    low, high = clopper_pearson(right, total)
    return Measure(key=key, right=right, total=total, low=low, high=high)


def _qualification(rights: dict[str, tuple[int, int]]) -> Qualification:
    return Qualification(
        model="essai:scripté",
        identity="scripté-1",
        prompts=clinic.prompts().identity,
        date="2026-11-30T10:00:00+00:00",
        measures=tuple(_measure(key, *counts) for key, counts in rights.items()),
    )


ALL_RIGHT = {c.key: (60, 60) for c in CRITERIA}


def test_all_right_earns_all_and_nothing_measured_earns_nothing() -> None:
    assert _qualification(ALL_RIGHT).abilities == frozenset(Ability)
    assert _qualification({}).abilities == frozenset()


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda c: c.key)
def test_one_criterion_missed_costs_its_ability_alone(criterion: Any) -> None:
    for counts in ((0, 0), (0, 60), (3, 3)):  # not measured, all wrong, too few cases
        found = _qualification({**ALL_RIGHT, criterion.key: counts})
        assert found.abilities == frozenset(Ability) - {criterion.ability}


def test_the_floor_is_on_the_lower_bound() -> None:
    floor = next(c.floor for c in CRITERIA if c.key == "verify_block")
    right = next(n for n in range(90, 101) if clopper_pearson(n, 100)[0] >= floor)
    enough = _qualification({**ALL_RIGHT, "verify_block": (right, 100)})
    short = _qualification({**ALL_RIGHT, "verify_block": (right - 1, 100)})
    assert Ability.VERIFY in enough.abilities
    assert Ability.VERIFY not in short.abilities
    assert right / 100 > floor


def test_a_run_is_kept_for_one_model_and_one_wording(tmp_path: Path) -> None:
    store = QualificationStore(tmp_path / "q.json")
    kept = _qualification(ALL_RIGHT)
    store.keep(kept)
    assert QualificationStore(tmp_path / "q.json").find(kept.identity, kept.prompts) == kept
    assert store.find("scripté-2", kept.prompts) is None
    assert store.find(kept.identity, "autres mots") is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda e: e["measures"][0].update(low=2),
        lambda e: e["measures"][0].update(right=300),
        lambda e: e["measures"][0].pop("key"),
        lambda e: e.update(measures=7),
        lambda e: e.update(identity="autre"),
        lambda e: e.pop("date"),
    ],
)
def test_a_damaged_run_earns_nothing(damage: Any, tmp_path: Path) -> None:
    path = tmp_path / "q.json"
    store = QualificationStore(path)
    kept = _qualification(ALL_RIGHT)
    store.keep(kept)
    data = json.loads(path.read_text("utf-8"))
    damage(next(iter(data.values())))
    path.write_text(json.dumps(data), "utf-8")
    assert store.find(kept.identity, kept.prompts) is None


def test_two_windows_that_qualify_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "q.json"
    begin = threading.Barrier(8)

    def keep(number: int) -> None:
        begin.wait()
        for turn in range(5):
            kept = replace(_qualification(ALL_RIGHT), identity=f"modèle-{number}-{turn}")
            QualificationStore(path).keep(kept)

    windows = [threading.Thread(target=keep, args=(number,)) for number in range(8)]
    for window in windows:
        window.start()
    for window in windows:
        window.join()
    store, prompts = QualificationStore(path), _qualification(ALL_RIGHT).prompts
    assert all(store.find(f"modèle-{n}-{t}", prompts) for n in range(8) for t in range(5))


def test_the_report_gives_figures_bounds_and_floors() -> None:
    text = report(_qualification({"verify_block": (30, 40), "verify_pass": (40, 40)}))
    assert "vérifier des affirmations : refusé" in text
    assert "affirmations fausses bloquées : 30/40, 75,0 % [58,8 % ; 87,3 %]" in text
    assert "borne basse exigée : 90,0 %" in text
    assert "classe juste : non mesuré" in text


def _material(limit: int, cases: Sequence[Case] | None = None) -> Material:
    return Material(
        cases=tuple(cases or read_gate_cases(MATERIAL / "gate")),
        questions=read_questions(MATERIAL / "questions.jsonl"),
        index=clinic.index(),
        lexicon=clinic.lexicon(),
        prompts=clinic.prompts(),
        limit=limit,
    )


def _run(model: Scripted, ability: Ability, limit: int = 24) -> dict[str, Measure]:
    found = qualify(
        model,
        _material(limit),
        abilities=frozenset({ability}),
        progress=ignore_progress,
        cancel=CancelToken(),
    )
    return {m.key: m for m in found.measures}


def _all_say(verdict: str, why: str) -> Any:
    def say(request: CompletionRequest) -> object:
        schema: Any = request.schema
        count = schema["properties"]["verdicts"]["minItems"]
        return {
            "verdicts": [
                {"numero": n, "motif": why, "verdict": verdict} for n in range(1, count + 1)
            ]
        }

    return say


def test_a_verifier_that_says_yes_to_all_is_refused_by_its_figures() -> None:
    found = _run(Scripted(verify=[_all_say("soutenue", "aucun")]), Ability.VERIFY, limit=40)
    assert (found["verify_block"].right, found["verify_pass"].right) == (0, 40)
    assert found["verify_block"].total == 8  # given up: the floor is out of reach


def test_a_verifier_that_says_no_to_all_is_refused_by_its_figures() -> None:
    found = _run(Scripted(verify=[_all_say("non_soutenue", "ajout")]), Ability.VERIFY, limit=40)
    assert (found["verify_pass"].right, found["verify_pass"].total) == (0, 8)
    # The role is lost: eight false ones say what it does with them.
    assert (found["verify_block"].right, found["verify_block"].total) == (8, 8)


def test_a_model_that_faults_is_wrong_everywhere() -> None:
    fault = ModelUnavailableError("absent")
    model = Scripted(planner=[fault], select=[fault], write=[fault], verify=[fault])
    found = qualify(model, _material(6), progress=ignore_progress, cancel=CancelToken())
    assert found.abilities == frozenset()
    right = {m.key: m.right for m in found.measures}
    assert right["select_first"] == right["write_supported"] == right["plan_class"] == 0
    assert right["verify_pass"] == 0
    assert {m.key for m in found.measures} == {c.key for c in CRITERIA}
    assert [end for end, _count in found.calls] == ["unavailable"]
    assert "impossibles : " in report(found)


def test_a_writer_that_copies_is_supported_and_one_that_invents_is_not() -> None:
    def copy(request: CompletionRequest, text: str = "") -> object:
        schema: Any = request.schema
        assertion = schema["properties"]["spans"]["items"]["anyOf"][1]["properties"]
        shown = request.messages[-1].content.split("~~~~~")[1].strip()
        return {
            "spans": [
                {
                    "type": "clinical_assertion", "exact_source_quote": shown,
                    "text": text or shown, "source_urn": assertion["source_urn"]["enum"][0],
                    "subject_entity_id": assertion["subject_entity_id"]["enum"][0],
                    "confidence_score": 0.9,
                },
                {"type": "narrative", "text": "Voici ce passage de la source."},
            ]
        }  # fmt: skip

    good = _run(Scripted(write=[copy]), Ability.WRITE, limit=12)
    assert good["write_supported"].total >= 10
    assert good["write_supported"].right >= good["write_supported"].total - 1
    assert good["narrative_clean"].right == good["narrative_clean"].total > 0
    invented = "Le traitement guérit toujours la migraine par 40 mg de ficticine."
    bad = _run(Scripted(write=[lambda r: copy(r, invented)]), Ability.WRITE, limit=12)
    assert bad["write_supported"].right == bad["write_useful"].right == 0


def test_a_planner_is_held_against_the_labels() -> None:
    by_text = {q.text: q for q in read_questions(MATERIAL / "questions.jsonl")}

    def label(request: CompletionRequest) -> LabelledQuestion | None:
        body = request.messages[-1].content
        return next((q for text, q in by_text.items() if text[:20] in body), None)

    def right(request: CompletionRequest) -> object:
        found = label(request)
        topic = found.primary_class if found else "definition_item_edn"
        return {
            "classe": topic, "classe_secondaire": "aucune", "sections": [], "recherches": []
        }  # fmt: skip

    found = _run(Scripted(planner=[right]), Ability.PLAN)
    assert found["plan_class"].right > 0.6 * found["plan_class"].total > 0
    assert found["plan_no_loss"].right >= found["plan_class"].right


def test_always_the_first_sentence_does_not_pass_for_a_choice() -> None:
    found = _run(Scripted(select=[{"phrases": [1]}]), Ability.SELECT, limit=40)
    assert found["select_first"].right < 0.5 * found["select_first"].total


class _Closing(Scripted):
    closed = False

    def close(self) -> None:
        self.closed = True


def _source(
    tmp_path: Path, earned: dict[str, tuple[int, int]] | None, chosen: dict[Ability, str]
) -> tuple[AssistantSource, dict[str, _Closing]]:
    store = QualificationStore(tmp_path / "q.json")
    if earned is not None:
        store.keep(_qualification(earned))
    opened: dict[str, _Closing] = {}

    def open_model(name: str) -> _Closing:
        if name == "absent":
            raise ModelUnavailableError("absent")
        return opened.setdefault(name, _Closing())

    source = AssistantSource(
        clinic.prompts(), store, lambda: chosen, open_model, lambda _approve: open_model("gemini")
    )
    return source, opened


def _all(name: str) -> dict[Ability, str]:
    return dict.fromkeys(Ability, name)


def test_each_model_is_given_only_the_roles_it_earned(tmp_path: Path) -> None:
    only = {"select_first": (60, 60), "verify_block": (60, 60), "verify_pass": (60, 60)}
    source, opened = _source(tmp_path, only, _all("essai"))
    given = source.current()
    assert given is not None
    assert given.selector is given.verifier is opened["essai"]
    assert given.planner is given.writer is None
    assert not given.paraphrases
    assert not given.narrates


@pytest.mark.parametrize(
    ("earned", "chosen", "said"),
    [
        (ALL_RIGHT, {}, ""),
        (None, _all("essai"), "n’est pas qualifié ici pour vérifier"),
        ({}, _all("essai"), "n’est pas qualifié ici pour vérifier"),
        (ALL_RIGHT, _all("absent"), "n’aide pas à répondre. absent"),
        (ALL_RIGHT, _all("gemini"), ""),
    ],
    ids=["none on", "never qualified", "earned nothing", "absent", "online and nobody to ask"],
)
def test_no_model_helps_without_being_on_and_qualified(
    earned: dict[str, tuple[int, int]] | None, chosen: dict[Ability, str], said: str, tmp_path: Path
) -> None:
    source, opened = _source(tmp_path, earned, chosen)
    assert source.current() is None
    assert said in source.problem
    assert bool(source.problem) is bool(said)
    assert "gemini" not in opened


def test_a_model_stays_open_until_another_is_chosen(tmp_path: Path) -> None:
    chosen = _all("essai")
    source, opened = _source(tmp_path, ALL_RIGHT, chosen)
    source.current()
    source.current()
    assert [m.closed for m in opened.values()] == [False]
    chosen.update(_all("autre"))
    source.current()
    assert [m.closed for m in opened.values()] == [True, False]
    source.close()
    assert [m.closed for m in opened.values()] == [True, True]
