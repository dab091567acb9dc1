"""A document that a later one replaces on the subject comes after it, and the answer says so."""

from __future__ import annotations

from dataclasses import replace

from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.documents import Passage, Source
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.plans import Concept
from ancremed_desktop.pipeline.deep_search import is_outdated
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.succession import age_notice, outdated_sources, succession_notice
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.settings.paths import RESOURCES

LEXICON = load_lexicon(RESOURCES / "lexicons")
OLD = passage("HAS-1", "Infections testiques", "", "La fibrose testique dure 10 jours.", Silo.HAS)
CARD = passage("RECO-1", "Fibrose testique", "posologie", "La fibrose testique dure 7 jours.")
BEFORE = replace(CARD, urn="urn:ancremed:fiches:RECO-1#avant", source_key="fiches:avant",
                 superseded=True)  # fmt: skip
CITED = "phrase 1 : HAS, Infections testiques, synthèse, 2019-02, https://has.test (vérifié)"


class _Index(MemoryIndex):
    """Sources with dates: the card of before was made from the document of 2019-02."""

    def source(self, key: str) -> Source:
        found = super().source(key)
        if key == BEFORE.source_key:
            return replace(
                found, superseded=True, superseded_by=CARD.source_key,
                details=(("posologie", CITED),),
            )  # fmt: skip
        date = {OLD.source_key: "2019-02", CARD.source_key: "2024"}[key]
        return replace(found, regulatory_date=date)


def _index(*passages: Passage) -> _Index:
    return _Index(passages, names={"fibrose testique": ("RECO-1",)})


CONCEPT = Concept(phrases=("fibrose testique",), identifiers=("RECO-1",))


def test_what_a_replaced_card_was_made_from_is_out_of_date_on_its_subject() -> None:
    pairs = outdated_sources([CONCEPT], _index(OLD, CARD, BEFORE))
    assert pairs == ((OLD.source_key, CARD.source_key),)
    assert outdated_sources([Concept(phrases=("autre",))], _index(OLD, CARD, BEFORE)) == ()


def test_a_card_that_nothing_replaces_dates_no_document() -> None:
    assert outdated_sources([CONCEPT], _index(OLD, CARD)) == ()


def test_the_plan_knows_it_and_the_notice_names_both() -> None:
    index = _index(OLD, CARD, BEFORE)
    plan = make_plan(understand("durée de la fibrose testique", index, LEXICON), index, LEXICON)
    assert is_outdated(OLD, plan.subject)
    assert not is_outdated(CARD, plan.subject)
    cited = [index.source(OLD.source_key), index.source(CARD.source_key)]
    notice = succession_notice(plan.subject.outdated, cited, index)
    assert "« Infections testiques » (02/2019)" in notice.replace("\u00a0", " ")
    assert "« Fibrose testique » (2024)" in notice.replace("\u00a0", " ")
    assert succession_notice(plan.subject.outdated, cited[1:], index) == ""


def test_recommendations_of_ten_years_are_said_to_be_old() -> None:
    source = _index(OLD, CARD).source(OLD.source_key)
    of = {y: replace(source, regulatory_date=y) for y in ("2004-05", "2016-09", "2017", "")}
    assert "(2004)" in age_notice([of["2004-05"]], 2026)
    assert "(2016)" in age_notice([of["2016-09"]], 2026)
    assert age_notice([of["2017"], of[""]], 2026) == ""
    assert age_notice([replace(of["2004-05"], silo=Silo.BDPM)], 2026) == ""
