"""The meter says what was done on the network, and nothing before it was."""

from __future__ import annotations

import threading

import pytest

from ancremed_desktop.services.network import NetworkMeter, NetworkUse


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (NetworkUse(), "Aucune connexion"),
        (NetworkUse(questions=1), "Envoyé à Gemini : 1 question"),
        (NetworkUse(questions=2, trials=1), "Envoyé à Gemini : 2 questions, 1 essai"),
        (NetworkUse(trials=12), "Envoyé à Gemini : 12 essais"),
        (NetworkUse(downloads=1), "1 téléchargement"),
        (
            NetworkUse(questions=1, downloads=2),
            "Envoyé à Gemini : 1 question ; 2 téléchargements",
        ),
    ],
)
def test_it_says_what_was_done(use: NetworkUse, said: str) -> None:
    assert use.label == said


def test_it_counts_from_any_thread_and_tells_who_listens() -> None:
    meter = NetworkMeter()
    told: list[str] = []
    meter.listen(lambda: told.append(meter.use.label))
    threads = [threading.Thread(target=meter.trial_sent) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    meter.question_sent()
    meter.download_begun()
    assert meter.use == NetworkUse(questions=1, trials=50, downloads=1)
    assert len(told) == 52
    assert told[-1] == "Envoyé à Gemini : 1 question, 50 essais ; 1 téléchargement"
