"""A list is quoted with what introduces it, however short that is."""

from __future__ import annotations

from fakes.memory_index import passage

from ancremed_desktop.domain.identifiers import ANSWER
from ancremed_desktop.domain.plans import Concept, Subject
from ancremed_desktop.pipeline.lexicon import NO_CUES, load_lexicon
from ancremed_desktop.pipeline.relevance import quotable
from ancremed_desktop.settings.paths import RESOURCES


def test_a_short_introduction_does_not_lose_its_list() -> None:
    text = "• vous êtes allergique à :\n• la zolixine ou à un excipient\n• un autre calmant connu"
    leaflet = passage("Notice-1", "ZOLIBRA – notice", "contre-indications", text)
    subject = Subject(
        label="zolixine",
        words=("zolixine",),
        concepts=(Concept(phrases=("zolixine",), identifiers=("Notice-1",), mandatory=True),),
    )
    cues = load_lexicon(RESOURCES / "lexicons").sections["contre-indications"]
    (found,) = quotable(leaflet, "contre-indications", cues, subject, widened=False)
    assert text[found.start : found.end] == text


def _quotes(text: str, section: str) -> list[str]:
    card = passage("HAS-1", "Fibrose testique", section, text)
    subject = Subject(
        label="fibrose testique",
        words=("fibrose testique",),
        concepts=(Concept(phrases=("fibrose testique",), identifiers=("HAS-1",)),),
    )
    cues = load_lexicon(RESOURCES / "lexicons").sections[section]
    found = quotable(card, section, cues, subject, widened=False)
    return [text[q.start : q.end] for q in found]


def test_a_list_that_breaks_off_is_shown_up_to_its_last_finished_item() -> None:
    begun = "Dans la fibrose testique, deux traitements :\n• le testamol.\n• l’autrimol."
    assert _quotes(f"{begun}\n• en cas d’échec du testamol, un", "traitement") == [begun]


def test_a_list_of_dangers_is_shown_whole_or_not_at_all() -> None:
    cut = "Ne pas donner :\n• le testamol avec l’autrimol.\n• sauf avis du spécialiste, un"
    assert _quotes(cut, "contre-indications") in ([], [cut])


def test_one_item_does_not_make_a_list_an_answer() -> None:
    subject = Subject(
        label="fibrose testique",
        words=("fibrose testique",),
        concepts=(Concept(phrases=("fibrose testique",)),),
    )
    items = "\n• la fibrose testique non contrôlée ;\n• un ulcère évolutif."
    for lead, taken in (
        ("Les contre-indications du testamol sont :", False),
        ("Les causes de fibrose testique sont :", True),
    ):
        found = passage("HAS-2", "Prescrire le testamol", "", f"{lead}{items}")
        assert bool(quotable(found, ANSWER, NO_CUES, subject, widened=True)) is taken


def test_a_sentence_that_leans_on_another_is_quoted_with_it() -> None:
    first = "Deux testamols sont commercialisés. "
    leaning = "Ils sont autorisés en cas de fibrose testique contrôlée."
    assert _quotes(f"{first}{leaning}", "traitement") == [f"{first}{leaning}"]
    assert _quotes(f"{first}\n\n{leaning}", "traitement") == [first.strip(), leaning]
    alone = "La fibrose testique est traitée par testamol."
    assert _quotes(f"{first}{alone}", "traitement") == [first.strip(), alone]
