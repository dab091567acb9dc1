"""Only « supported », in time and readable, lets an assertion through."""

from __future__ import annotations

import random
import threading
import time
import unicodedata
from collections.abc import Callable
from dataclasses import replace

import pytest
from fakes.gate_drafts import DRAFT, PASSAGE, URN, changed

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.spans import (
    AnchoredAssertion,
    DropReason,
    Judgement,
    Narrative,
    Verdict,
    VerifiedAssertion,
)
from ancremed_desktop.errors import Cancelled
from ancremed_desktop.pipeline.attribute import GateContext, attribute
from ancremed_desktop.pipeline.rules.rule_verifier import RuleVerifier
from ancremed_desktop.pipeline.verify import verify
from ancremed_desktop.ports import VerifierView

SUPPORTED = Judgement(verdict=Verdict.SUPPORTED)


class Fake:
    name = "faux"

    def __init__(self, behave: Callable[[], object]) -> None:
        self.behave = behave

    def judge(self, view: VerifierView, cancel: CancelToken) -> Judgement:
        return self.behave()  # type: ignore[return-value]  # faulty on purpose


def raises(error: Exception) -> Callable[[], object]:
    def fail() -> object:
        raise error

    return fail


def slow() -> object:
    time.sleep(0.012)
    return SUPPORTED


def hangs() -> object:
    threading.Event().wait(1.0)  # longer than any time allowed here
    return SUPPORTED


FAULTS: tuple[Callable[[], object], ...] = (
    raises(RuntimeError("panne")),
    raises(TimeoutError()),
    raises(ValueError("JSON")),
    raises(MemoryError()),
    raises(KeyError("verdict")),
    raises(Cancelled("arrêt")),
    slow,
    hangs,
    lambda: None,
    lambda: "supported",
    lambda: True,
    lambda: {"verdict": "supported"},
    lambda: "",
    lambda: "x" * 1_000_000,
    lambda: Judgement(verdict=Verdict.UNSURE),
    lambda: Judgement(verdict=Verdict.NOT_SUPPORTED),
    lambda: Judgement(verdict="supported"),  # type: ignore[arg-type]
)


def anchored(text: str = DRAFT.text) -> AnchoredAssertion:
    context = GateContext(passages={URN: PASSAGE}, known_names=lambda _t: ())
    kept, _ = attribute((changed(text=text),), context)
    assert isinstance(kept[0], AnchoredAssertion)
    return kept[0]


def test_two_hundred_faults_show_nothing() -> None:
    rng = random.Random(3)
    span = anchored()
    for _ in range(200):
        kept, dropped = verify(
            (span,),
            Fake(rng.choice(FAULTS)),
            cancel=CancelToken(),
            paraphrase_allowed=True,
            timeout_s=0.01,
        )
        assert not kept
        assert dropped[0].stage == "verifier"
        assert dropped[0].reason in {DropReason.VERIFIER_FAULT, DropReason.UNSURE}


def test_supported_is_shown_and_order_is_kept() -> None:
    story = Narrative(text="Voyons la suite.")
    kept, dropped = verify(
        (story, anchored(), story),
        Fake(lambda: SUPPORTED),
        cancel=CancelToken(),
        paraphrase_allowed=False,
        timeout_s=5,
    )
    assert not dropped
    assert [type(s) for s in kept] == [Narrative, VerifiedAssertion, Narrative]
    assert isinstance(kept[1], VerifiedAssertion)
    assert kept[1].verbatim


def test_decomposed_accents_of_a_source_are_its_words() -> None:
    whole = anchored()
    passage = replace(whole.passage, text=unicodedata.normalize("NFD", "Le médicament est donné."))
    text = unicodedata.normalize("NFC", passage.text)
    span = replace(
        whole,
        draft=replace(whole.draft, text=text),
        passage=passage,
        char_start=0,
        char_end=len(passage.text),
    )
    assert span.quote != text
    kept, dropped = verify(
        (span,),
        Fake(lambda: SUPPORTED),
        cancel=CancelToken(),
        paraphrase_allowed=False,
        timeout_s=5,
    )
    assert not dropped
    assert isinstance(kept[0], VerifiedAssertion)
    assert kept[0].verbatim


def test_a_paraphrase_waits_for_a_qualified_verifier() -> None:
    span = anchored("On donne 0,25 mg par jour.")
    asked: list[bool] = []

    def support() -> object:
        asked.append(True)
        return SUPPORTED

    fake = Fake(support)
    kept, _ = verify((span,), fake, cancel=CancelToken(), paraphrase_allowed=False, timeout_s=5)
    assert (kept, asked) == ((), [])
    kept, _ = verify((span,), fake, cancel=CancelToken(), paraphrase_allowed=True, timeout_s=5)
    assert isinstance(kept[0], VerifiedAssertion)
    assert not kept[0].verbatim


def test_a_stop_is_not_a_refusal() -> None:
    cancel = CancelToken()

    def stopped() -> object:
        cancel.cancel()
        raise Cancelled("arrêt")

    fake = Fake(stopped)
    with pytest.raises(Cancelled):
        verify((anchored(),), fake, cancel=cancel, paraphrase_allowed=True, timeout_s=5)


def test_a_stored_sentence_passes_the_rules() -> None:
    kept, dropped = verify(
        (anchored(),), RuleVerifier(), cancel=CancelToken(), paraphrase_allowed=False, timeout_s=5
    )
    assert len(kept) == 1, dropped


def test_a_verifier_that_never_returns_is_a_refusal() -> None:
    release = threading.Event()

    def never() -> object:
        release.wait()
        return SUPPORTED

    started = time.monotonic()
    try:
        kept, dropped = verify(
            (anchored(), anchored()),
            Fake(never),
            cancel=CancelToken(),
            paraphrase_allowed=True,
            timeout_s=0.05,
        )
    finally:
        release.set()
    assert not kept
    assert [d.reason for d in dropped] == [DropReason.VERIFIER_FAULT] * 2
    assert "temps accordé" in dropped[0].detail
    assert time.monotonic() - started < 5


def test_assertions_share_a_thread_until_one_does_not_return() -> None:
    release, threads = threading.Event(), []

    def second_hangs() -> object:
        threads.append(threading.current_thread())
        if len(threads) == 2:
            release.wait()
        return SUPPORTED

    try:
        kept, dropped = verify(
            tuple(anchored() for _ in range(4)),
            Fake(second_hangs),
            cancel=CancelToken(),
            paraphrase_allowed=True,
            timeout_s=1,
        )
    finally:
        release.set()
    assert (len(kept), len(dropped)) == (3, 1)
    assert threads[0] is threads[1]
    assert threads[2] is threads[3]
    assert threads[0] is not threads[2]


def test_a_stop_does_not_wait_for_a_verifier_that_never_returns() -> None:
    release, cancel = threading.Event(), CancelToken()

    def never() -> object:
        cancel.cancel()
        release.wait()
        return SUPPORTED

    started = time.monotonic()
    try:
        with pytest.raises(Cancelled):
            verify(
                (anchored(),),
                Fake(never),
                cancel=cancel,
                paraphrase_allowed=True,
                timeout_s=600,
            )
    finally:
        release.set()
    assert time.monotonic() - started < 5


def test_a_verifier_that_ends_its_thread_is_a_refusal() -> None:
    def leaves() -> object:
        raise SystemExit

    kept, _ = verify(
        (anchored(),), Fake(leaves), cancel=CancelToken(), paraphrase_allowed=True, timeout_s=0.05
    )
    assert not kept
