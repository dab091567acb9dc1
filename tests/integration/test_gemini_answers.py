"""A question helped by Gemini, end to end: shown, agreed to, sent, verified, recorded; or not sent.

The client library is the real one, the server a local one; what is on the socket is what counts.
"""

from __future__ import annotations

import io
import json
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from fakes import clinic, fake_gemini, qualified
from fakes.command_line import error_of, run
from fakes.fake_gemini import KEY, MODEL, Behaviour, Caller, FakeGemini, event, saying, serving
from fakes.key_stores import WorkingStore
from fakes.scripted_model import role_of
from integration.test_gemini_faults import MATRIX
from integration.test_model_answers import FIRST, NARRATIVE, PARAPHRASE, YES, _spans

from ancremed_desktop import app
from ancremed_desktop.domain.answers import Answer, ModelWay
from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import Ability
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.errors import Cancelled
from ancremed_desktop.index.user_store import UserStore
from ancremed_desktop.providers.gemini import model as gemini
from ancremed_desktop.providers.registry import open_model
from ancremed_desktop.services.approval import NOT_SENT, NOTHING_SENT, Approval, Outgoing
from ancremed_desktop.services.ask import NO_NAME, AskService
from ancremed_desktop.services.assistants import AssistantSource
from ancremed_desktop.services.model_text import record_lines
from ancremed_desktop.services.online import ONLINE, OnlineModel
from ancremed_desktop.services.qualification import QualificationStore
from ancremed_desktop.services.roles import Roles, as_stored
from ancremed_desktop.settings import paths
from ancremed_desktop.settings.preferences import PreferenceStore
from ancremed_desktop.settings.secrets import KeyStore

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

NAME = "Vaucansonnet"
QUESTION = f"M. {NAME} : signes de la fibrillation atriale ?"
SEVERAL = "Fibrillation atriale"
"""A question of several sections, each of which would be asked for."""
WRITES = saying(write=_spans(), verify=YES)
WRITER: Roles = dict.fromkeys((Ability.NARRATE, Ability.WRITE, Ability.VERIFY), ONLINE)


@pytest.fixture(autouse=True)
def _local(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gemini, "_BACKOFF_S", 0.01)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@dataclass(slots=True)
class Desk:
    """A user at the made-up clinic; ``answers``: what is said to each text shown, then the last."""

    url: str
    answers: list[Approval] = field(default_factory=lambda: [Approval.ONCE])
    roles: Roles = field(default_factory=lambda: WRITER)
    shown: list[Outgoing] = field(default_factory=list)
    firsts: list[Answer] = field(default_factory=list)
    before: Callable[[], None] = lambda: None
    system: WorkingStore = field(default_factory=WorkingStore)
    online: OnlineModel = field(init=False)
    service: AskService = field(init=False)

    def __post_init__(self) -> None:
        keys = KeyStore(lambda: self.system)
        keys.write(KEY)
        self.online = OnlineModel(keys, PreferenceStore(), open_model, self.url)
        self.online.consent(True)
        qualified.earns(paths.qualifications(), MODEL)
        source = AssistantSource(
            clinic.prompts(),
            QualificationStore(paths.qualifications()),
            lambda: self.roles,
            lambda name: pytest.fail(f"{name} was opened"),
            self.online.for_question,
        )
        self.service = AskService(clinic.engine(), UserStore(paths.user_store()), assistants=source)

    def approve(self, outgoing: Outgoing) -> Approval:
        self.before()
        self.shown.append(outgoing)
        return self.answers[min(len(self.shown), len(self.answers)) - 1]

    def ask(self, question: str = QUESTION, cancel: CancelToken | None = None) -> Answer:
        return self.service.ask(
            question, approve=self.approve, on_answer=self.firsts.append, cancel=cancel
        )

    @property
    def meter(self) -> str:
        return self.online.meter.use.label


@pytest.fixture
def server() -> Iterator[FakeGemini]:
    with serving(WRITES) as made:
        yield made


@pytest.fixture
def desk(server: FakeGemini) -> Desk:
    return Desk(server.url)


def _said(answer: Answer) -> tuple[str, ...]:
    return tuple(line.replace("\u00a0", " ") for line in record_lines(answer))


def _texts(answer: Answer) -> list[str]:
    return [s.anchored.draft.text for s in answer.spans if isinstance(s, VerifiedAssertion)]


def _journal() -> bytes:
    return b"".join(path.read_bytes() for path in paths.data_dir().iterdir() if path.is_file())


def test_a_section_is_rewritten_verified_and_recorded(desk: Desk, server: FakeGemini) -> None:
    answer = desk.ask()
    (first,) = desk.firsts
    assert _texts(first)[0] == FIRST, "the extracts come first"
    assert _texts(answer) == [PARAPHRASE]
    (changed,) = answer.model_sections
    assert (changed.section, changed.way) == ("signes", ModelWay.WRITE)
    (span,) = [s for s in answer.spans if isinstance(s, VerifiedAssertion)]
    assert (span.anchored.quote, span.verifier) == (FIRST, f"règles + gemini:{MODEL}")
    assert NARRATIVE in {getattr(s, "text", "") for s in answer.spans}
    assert len(server.requests) == 2
    assert _said(answer)[0].startswith("Envoyé à Gemini : 2 demandes, ")
    assert desk.meter == "Envoyé à Gemini : 1 question"
    desk.ask()
    assert desk.meter == "Envoyé à Gemini : 2 questions"


def test_what_is_shown_is_what_left_and_names_nobody(desk: Desk, server: FakeGemini) -> None:
    def nothing_yet() -> None:
        assert len(server.requests) == len(desk.shown), "shown before it leaves"

    desk.before = nothing_yet
    answer = desk.ask()
    assert [o.number for o in desk.shown] == [1, 2]
    for outgoing, heard, use in zip(desk.shown, server.requests, answer.models, strict=True):
        instructions, request = heard.texts()
        assert outgoing.text == f"[Consigne]\n{instructions}\n\n[Demande]\n{request}"
        assert use.sent == outgoing.text
        assert NAME not in outgoing.text
    assert "signes de la fibrillation atriale ?" in desk.shown[0].text
    assert NO_NAME in answer.message
    assert desk.online.left == tuple(reversed([o.text for o in desk.shown]))


def test_the_journal_has_the_cost_and_no_word_of_the_patient(desk: Desk) -> None:
    answer = desk.ask()
    (row,) = UserStore(paths.user_store()).rows()
    # Twelve tokens read and five written a request, as the server counts them.
    assert row.estimated_cost_usd == pytest.approx(2 * (12 * 0.30 + 5 * 2.50) / 1e6)
    assert row.estimated_cost_usd == sum(use.cost_usd for use in answer.models)
    assert row.question_text is None
    for word in (NAME, "fibrillation", KEY):
        assert word.encode() not in _journal()


def test_refused_nothing_leaves_and_the_extracts_stay(desk: Desk, server: FakeGemini) -> None:
    desk.answers = [Approval.REFUSED]
    answer = desk.ask(SEVERAL)
    assert server.connections == 0
    assert len(desk.shown) == 1, "asked once a question"
    assert answer.spans == desk.firsts[0].spans
    assert _said(answer) == (NOTHING_SENT,)
    assert desk.meter == "Aucune connexion"
    assert desk.online.left == ()


def test_refused_half_way_the_rest_stays_here(desk: Desk, server: FakeGemini) -> None:
    desk.answers = [Approval.ONCE, Approval.REFUSED]
    answer = desk.ask()
    assert len(server.requests) == 1
    assert answer.spans == desk.firsts[0].spans, "written, and nobody verified it"
    assert _said(answer)[1:] == (NOT_SENT,)


def test_the_user_may_stop_being_asked_for_a_question_or_the_session(desk: Desk) -> None:
    desk.answers = [Approval.QUESTION]
    desk.ask()
    assert len(desk.shown) == 1
    desk.answers = [Approval.QUESTION, Approval.SESSION]
    desk.ask()
    assert len(desk.shown) == 2, "another question asks again"
    desk.ask()
    assert len(desk.shown) == 2, "the session does not"
    assert desk.meter == "Envoyé à Gemini : 3 questions"
    again = Desk(desk.url)
    again.ask()
    assert again.shown, "the next start does"


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda desk: desk.online.consent(False), "Vous n’avez pas autorisé"),
        (lambda desk: desk.system.kept.clear(), "Aucune clé"),
        (lambda desk: paths.qualifications().unlink(), "n’est pas qualifié ici pour"),
        (
            lambda desk: qualified.earns(paths.qualifications(), MODEL, frozenset({Ability.PLAN})),
            "n’est pas qualifié ici pour",
        ),
        (lambda desk: setattr(desk, "roles", {}), ""),
    ],
    ids=["no consent", "no key", "never measured", "not earned", "not on"],
)
def test_nothing_leaves_and_nothing_is_asked(
    desk: Desk, server: FakeGemini, spoil: Callable[[Desk], object], said: str
) -> None:
    spoil(desk)
    answer = desk.ask()
    assert server.connections == 0
    assert desk.shown == []
    assert _texts(answer)[0] == FIRST
    assert said in answer.warning
    assert bool(answer.warning) is bool(said)
    assert desk.meter == "Aucune connexion"


def test_consent_taken_back_while_the_text_is_shown_holds(desk: Desk, server: FakeGemini) -> None:
    desk.before = lambda: desk.online.consent(False)
    answer = desk.ask()
    assert server.connections == 0
    assert "pas autorisé" in _said(answer)[0]


@pytest.mark.parametrize("name", MATRIX)
def test_a_fault_leaves_the_extracts_and_says_why(name: str) -> None:
    behaviour, _kind, words, _tries = MATRIX[name]
    with serving(behaviour) as server:
        desk = Desk(server.url, roles={**WRITER, Ability.PLAN: ONLINE})
        answer = desk.ask(f"M. {NAME} : fibrillation atriale")
        assert 1 <= len(server.requests) <= 3, "of all sections together"
    assert answer.spans == desk.firsts[0].spans
    said = _said(answer)
    assert said[0].startswith("Envoyé à Gemini : "), "it left, whatever came back"
    assert f"{MODEL} n’a pas aidé : " in said[1]
    assert words in said[1]
    assert not [part for part in said if NAME in part or KEY in part]
    assert {bool(use.sent) for use in answer.models} == {True}
    assert UserStore(paths.user_store()).rows()[0].estimated_cost_usd > 0


def test_without_a_network_nothing_left_and_it_is_said() -> None:
    desk = Desk(fake_gemini.nobody())
    answer = desk.ask()
    assert answer.spans == desk.firsts[0].spans
    assert "injoignable" in _said(answer)[0]
    assert desk.meter == "Aucune connexion"


def _stalls(cancel: CancelToken) -> Behaviour:
    def stall(caller: Caller) -> None:
        caller.stream()
        cancel.cancel()
        time.sleep(3)

    return stall


def test_a_stop_while_the_service_is_silent_is_obeyed_and_recorded(desk: Desk) -> None:
    desk.ask()  # the client library is imported
    cancel = CancelToken()
    with serving(_stalls(cancel)) as server:
        stopped = Desk(server.url)
        start = time.monotonic()
        with pytest.raises(Cancelled):
            stopped.ask(cancel=cancel)
        assert time.monotonic() - start < 2
    assert _texts(stopped.firsts[0])[0] == FIRST
    row = UserStore(paths.user_store()).rows()[0]
    assert row.estimated_cost_usd > 0, "it had left"
    assert stopped.meter == "Envoyé à Gemini : 1 question"


def _drips(caller: Caller) -> None:
    """A right reply, letter by letter."""
    roles = {"write": _spans(), "verify": YES}
    text = json.dumps(roles[role_of(caller.server.requests[-1].texts()[0])], ensure_ascii=False)
    caller.stream()
    for start in range(0, len(text), 8):
        last = start + 8 >= len(text)
        caller.piece(event(text[start : start + 8], "STOP" if last else ""))
        time.sleep(0.002)


@pytest.mark.slow
def test_a_hundred_stops_at_any_moment_are_obeyed_within_a_second() -> None:
    moments = random.Random(6)
    with serving(_drips) as server:
        desk = Desk(server.url, answers=[Approval.SESSION])
        assert _texts(desk.ask()) == [PARAPHRASE]  # the client library is imported
        start = time.monotonic()
        desk.ask()
        whole_s = time.monotonic() - start
        late: list[float] = []
        for _ in range(100):
            cancel = CancelToken()
            told: list[float] = []

            def stop(cancel: CancelToken = cancel, told: list[float] = told) -> None:
                told.append(time.monotonic())
                cancel.cancel()

            timer = threading.Timer(moments.uniform(0, whole_s), stop)
            timer.start()
            try:
                desk.ask(cancel=cancel)
            except Cancelled:
                late.append(time.monotonic() - told[0])
            timer.cancel()
            timer.join()
        assert len(late) > 50, "the moments were those of the work"
        assert max(late) < 1
        assert _texts(desk.ask()) == [PARAPHRASE]


def test_the_time_the_user_reads_is_not_the_answers(desk: Desk) -> None:
    desk.before = lambda: time.sleep(0.6)
    start = time.perf_counter()
    answer = desk.ask()
    left_ms = 1000 * (time.perf_counter() - start) - 1200
    assert len(desk.shown) == 2
    assert sum(ms for _stage, ms in answer.timings_ms) <= left_ms
    assert sum(use.elapsed_ms for use in answer.models) <= left_ms


@pytest.fixture
def command(server: FakeGemini, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The application itself, over the starter cards, with this key and this server."""
    monkeypatch.setattr(app, "online_model", lambda: desk.online)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    server.behaviours = (lambda caller: caller.send(503, b"{}", Retry_After="0"),)
    PreferenceStore().update(model_roles=as_stored({Ability.SELECT: ONLINE}))
    return desk


ASKED = f"Mme {NAME} : que faire devant un choc anaphylactique ?"


@pytest.mark.usefixtures("command")
def test_a_command_sends_nothing_unless_told(server: FakeGemini) -> None:
    outcome = run("ask", ASKED)
    assert outcome.code == 0
    assert server.connections == 0
    assert "adrénaline" in outcome.out
    assert outcome.err == ""


@pytest.mark.usefixtures("command")
def test_a_command_told_to_prints_what_it_sends(server: FakeGemini, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    outcome = run("ask", ASKED, "--online", "--send-without-asking", "--html", page)
    assert outcome.code == 0
    heard = server.requests[0].texts()
    for text in heard:
        assert text in outcome.err
    assert NAME not in outcome.err
    assert "adrénaline" in outcome.out, "the extracts stay"
    assert "Envoyé à Gemini\u00a0: 1\u00a0demande" in outcome.out
    assert "panne" in outcome.out
    assert "Envoyé à Gemini\u00a0: 1\u00a0demande" in page.read_text("utf-8")


@pytest.mark.parametrize("stdin", [io.StringIO(), io.StringIO("o\n"), None])
def test_without_a_terminal_nothing_is_sent(
    command: Desk, server: FakeGemini, monkeypatch: pytest.MonkeyPatch, stdin: io.StringIO | None
) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)
    said = error_of(run("ask", ASKED, "--online"))
    assert "Rien n’a été envoyé à Gemini" in said
    assert "--send-without-asking" in said
    assert server.connections == 0
    assert command.meter == "Aucune connexion"


@pytest.mark.usefixtures("command")
def test_sending_without_asking_is_for_gemini_alone(server: FakeGemini) -> None:
    assert "« --online »" in error_of(run("ask", ASKED, "--send-without-asking"))
    assert server.connections == 0


@pytest.mark.parametrize(("typed", "sent"), [("n\n", 0), ("", 0), ("o\n", 3)])
def test_at_a_terminal_the_user_is_asked(
    command: Desk, server: FakeGemini, monkeypatch: pytest.MonkeyPatch, typed: str, sent: int
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    outcome = run("ask", ASKED, "--online")
    assert "Envoyer ?" in outcome.err
    assert len(server.requests) == sent
    assert command.meter == ("Envoyé à Gemini : 1 question" if sent else "Aucune connexion")


@pytest.mark.usefixtures("command")
def test_online_without_a_role_is_an_error_that_says_what_to_do(server: FakeGemini) -> None:
    PreferenceStore().update(model_roles=())
    assert "models use gemini" in error_of(run("ask", ASKED, "--online"))
    assert server.connections == 0


def test_a_name_that_helps_to_find_an_answer_is_masked_all_the_same(desk: Desk) -> None:
    answer = desk.ask("Mme Fibrillation Atriale : signes de la fibrillation atriale ?")
    assert NO_NAME not in answer.message
    assert "Mme [NOM]" in desk.shown[0].text
    assert "Fibrillation Atriale" not in desk.shown[0].text


def _said_by(role: str) -> object:
    plan = {
        "classe": "semiologie_cas_clinique", "classe_secondaire": "aucune", "sections": ["signes"],
        "recherches": [],
    }  # fmt: skip
    return {"planner": plan, "gap": {"recherches": []}, "write": _spans(), "verify": YES}[role]


def _well_or_not(caller: Caller, draw: random.Random, vain: list[str]) -> None:
    """A right reply three times of five; otherwise one of the ways in which none can serve."""
    role = role_of(caller.server.requests[-1].texts()[0])
    said = _said_by(role)
    fault = draw.choice(("", "", "", "503", "cut", "page", "schema", "quote"))
    if fault == "quote" and role != "write":
        fault = "schema"
    if fault:
        vain.append(fault)
    if fault == "503":
        caller.send(503, b"{}", Retry_After="0")
    elif fault == "cut":
        caller.close_connection = True
    elif fault == "page":
        caller.send(200, b"<html>Portail</html>", Content_Type="text/event-stream")
    else:
        if fault:
            said = {"autre": 1} if fault == "schema" else _spans(quote="Nulle part écrit.")
        caller.stream()
        caller.piece(event(json.dumps(said, ensure_ascii=False), "STOP"))


@pytest.mark.parametrize("seed", range(14))
def test_a_question_is_tried_in_vain_three_times_at_most_whatever_it_asks_for(seed: int) -> None:
    draw, vain = random.Random(seed), list[str]()
    with serving(lambda caller: _well_or_not(caller, draw, vain)) as server:
        desk = Desk(server.url, [Approval.SESSION], {**WRITER, Ability.PLAN: ONLINE})
        answer = desk.ask(SEVERAL)
    assert len(vain) <= 3, vain
    assert _covered(desk.firsts[0]) <= _covered(answer)


def _covered(answer: Answer) -> set[str]:
    return {s.anchored.draft.section for s in answer.spans if isinstance(s, VerifiedAssertion)}
