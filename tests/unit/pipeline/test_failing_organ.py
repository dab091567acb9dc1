"""What is blanked of a question about a drug, and what is not."""

from __future__ import annotations

import pytest

from ancremed_desktop.pipeline.population import without_failing_organ


@pytest.mark.parametrize(
    ("folded", "kept"),
    [
        ("allopurinol en insuffisance renale", "allopurinol en"),
        ("apixaban clairance 20", "apixaban 20"),
        ("paracetamol et insuffisance hepatique", "paracetamol et"),
        ("entecavir hepatite b", "entecavir hepatite b"),
        ("spironolactone insuffisance cardiaque", "spironolactone insuffisance cardiaque"),
    ],
)
def test_only_a_failing_kidney_or_liver_is_blanked(folded: str, kept: str) -> None:
    blanked = without_failing_organ(folded)
    assert len(blanked) == len(folded)
    assert " ".join(blanked.split()) == kept
