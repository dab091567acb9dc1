"""Text of a PDF that is struck or not drawn is refused by name; lists keep their levels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest
from fakes.drawn_pdf import LEADING, LEFT, Drawn

from ancremed_desktop.corpus.local.document import read_file
from ancremed_desktop.corpus.local.model import LocalText

KEPT = "Le bilan du malade est fait chaque matin."
SAID = "Donner 500 mg de digoxine par jour."


def blocks(text: LocalText) -> list[str]:
    return [page.text[b.start : b.end] for page in text.pages for b in page.blocks]


def _stroke(drawn: Drawn) -> None:
    end = drawn.at(LEFT, drawn.y, SAID)
    drawn.page.draw_line((LEFT, drawn.y - 3.5), (end, drawn.y - 3.5))


def _one_word(drawn: Drawn) -> None:
    start = drawn.at(LEFT, drawn.y, "Donner ")
    end = drawn.at(start, drawn.y, "500 mg")
    drawn.at(end, drawn.y, " de digoxine par jour.")
    drawn.page.draw_rect((start, drawn.y - 4, end, drawn.y - 3), fill=(0, 0, 0))


def _slanted(drawn: Drawn) -> None:
    end = drawn.at(LEFT, drawn.y, SAID)
    drawn.page.draw_line((LEFT, drawn.y - 1), (end, drawn.y - 6))


def _wavy(drawn: Drawn) -> None:
    end = drawn.at(LEFT, drawn.y, SAID)
    drawn.page.draw_squiggle((LEFT, drawn.y - 3.5), (end, drawn.y - 3.5))


def _pen(drawn: Drawn) -> None:
    end = drawn.at(LEFT, drawn.y, SAID)
    drawn.page.add_ink_annot([[(LEFT, drawn.y - 3), (LEFT + 50, drawn.y - 5), (end, drawn.y - 3)]])


def _annotation(drawn: Drawn) -> None:
    end = drawn.at(LEFT, drawn.y, SAID)
    drawn.page.add_strikeout_annot((LEFT, drawn.y - 9, end, drawn.y + 2))


def _unseen(drawn: Drawn) -> None:
    drawn.page.insert_text((LEFT, drawn.y), SAID, fontsize=11, render_mode=3)


def _coloured(
    ink: tuple[float, float, float], behind: tuple[float, float, float] | None = None
) -> Callable[[Drawn], None]:
    def write(drawn: Drawn) -> None:
        if behind:
            box = (LEFT - 9, drawn.y - 12, LEFT + 300, drawn.y + 6)
            drawn.page.draw_rect(box, color=None, fill=behind)
        drawn.at(LEFT, drawn.y, SAID, color=ink)

    return write


def _covered(drawn: Drawn) -> None:
    drawn.at(LEFT, drawn.y, SAID)
    box = (LEFT - 9, drawn.y - 12, LEFT + 300, drawn.y + 6)
    drawn.page.draw_rect(box, color=None, fill=(1, 1, 1))


def _faint(drawn: Drawn) -> None:
    drawn.page.insert_text((LEFT, drawn.y), SAID, fontsize=11, fill_opacity=0.03)


def _tiny(drawn: Drawn) -> None:
    drawn.at(LEFT, drawn.y, SAID, 1)


def _over_the_edge(drawn: Drawn) -> None:
    drawn.at(480, drawn.y, SAID)


WHITE, PALE, BLUE, RED = (1, 1, 1), (0.97, 0.97, 0.97), (0, 0, 0.6), (0.8, 0, 0)
HIDDEN = [_coloured(WHITE), _coloured(PALE), _coloured(BLUE, BLUE), _covered, _faint, _tiny]


@pytest.mark.parametrize(
    "write",
    [_stroke, _one_word, _slanted, _wavy, _pen, _annotation, _unseen, *HIDDEN, _over_the_edge],
)
def test_struck_and_unseen_text_is_refused_by_name(tmp_path: Path, write: object) -> None:
    drawn = Drawn()
    assert callable(write)
    write(drawn)
    drawn.y += 3 * LEADING
    drawn.lines(KEPT)
    drawn.page.draw_line((LEFT, drawn.y), (LEFT + 300, drawn.y))
    text = read_file(drawn.save(tmp_path / "x.pdf"))
    (refusal,) = text.refusals
    assert (refusal.number, refusal.whole) == (1, False)
    assert refusal.part.startswith("paragraphe «\u00a0Donner 500")
    omitted, kept = blocks(text)
    assert omitted.startswith("[Texte omis")
    assert kept == KEPT


Hide = Callable[[pymupdf.Page, tuple[float, float, float, float]], None]
BLACK = (0, 0, 0)


def _box(page: pymupdf.Page, box: tuple[float, float, float, float]) -> None:
    page.draw_rect(box, color=None, fill=BLACK)


def _paper(page: pymupdf.Page, box: tuple[float, float, float, float]) -> None:
    page.draw_rect(box, color=(0.8, 0, 0), fill=WHITE, width=2)


def _picture(page: pymupdf.Page, box: tuple[float, float, float, float]) -> None:
    pixels = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 9, 9), False)
    pixels.clear_with(255)
    page.insert_image(box, pixmap=pixels, keep_proportion=False)


def _redaction(page: pymupdf.Page, box: tuple[float, float, float, float]) -> None:
    page.add_redact_annot(box, fill=BLACK)


def _square(page: pymupdf.Page, box: tuple[float, float, float, float]) -> None:
    note = page.add_rect_annot(box)
    note.set_colors(stroke=BLACK, fill=BLACK)
    note.update()


def _free_text(page: pymupdf.Page, box: tuple[float, float, float, float]) -> None:
    page.add_freetext_annot(box, "40", fill_color=WHITE)


def _overwritten(page: pymupdf.Page, box: tuple[float, float, float, float]) -> None:
    page.draw_rect(box, color=None, fill=WHITE)
    page.insert_text((box[0] + 3, box[3] - 3), "40", fontsize=11)


@pytest.mark.parametrize("hidden", ["500", "0"])
@pytest.mark.parametrize(
    "hide", [_box, _paper, _picture, _redaction, _square, _free_text, _overwritten]
)
def test_a_figure_under_something_is_refused_with_its_line(
    tmp_path: Path, hide: Hide, hidden: str
) -> None:
    """The line is one run, most of which is seen; what lies under the box must not be quoted."""
    drawn = Drawn()
    drawn.at(LEFT, drawn.y, SAID)
    before = SAID[: SAID.index(hidden)]
    left = LEFT + pymupdf.get_text_length(before, "helv", 11)
    right = left + pymupdf.get_text_length(hidden, "helv", 11)
    hide(drawn.page, (left, drawn.y - 10, right, drawn.y + 3))
    drawn.y = 600
    drawn.lines(KEPT)
    text = read_file(drawn.save(tmp_path / "x.pdf"))
    assert text.refusals
    assert all("500" not in block and "50" not in block for block in blocks(text))
    assert blocks(text)[-1] == KEPT


def test_what_is_drawn_after_words_and_hides_none_costs_no_line(tmp_path: Path) -> None:
    """A frame around a line, a stroke of a marker, a box behind the next words."""
    drawn = Drawn()
    end = drawn.at(LEFT, drawn.y, SAID)
    place = (LEFT - 4, drawn.y - 12, end + 4, drawn.y + 5)
    drawn.page.draw_rect(place, color=(1, 0, 0))
    drawn.page.add_highlight_annot(place)
    frame = drawn.page.add_rect_annot(place)
    frame.update()
    drawn.page.draw_rect(place, color=None, fill=(1, 1, 0), fill_opacity=0.4)
    drawn.y += 3 * LEADING
    place = (LEFT - 4, drawn.y - 12, LEFT + 300, drawn.y + 5)
    drawn.page.draw_rect(place, color=None, fill=(0.8, 0.9, 1))
    drawn.lines(KEPT)
    text = read_file(drawn.save(tmp_path / "x.pdf"))
    assert (text.refusals, blocks(text)) == ((), [SAID, KEPT])


def test_a_field_filled_in_is_no_gap_in_its_sentence(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.at(LEFT, drawn.y, "Donner        mg de digoxine par jour.")
    field = pymupdf.Widget()
    field.field_type, field.field_name = pymupdf.PDF_WIDGET_TYPE_TEXT, "dose"
    field.rect = pymupdf.Rect(LEFT + 40, drawn.y - 10, LEFT + 60, drawn.y + 2)
    field.field_value = "500"
    drawn.page.add_widget(field)
    drawn.y = 600
    drawn.lines(KEPT)
    text = read_file(drawn.save(tmp_path / "x.pdf"))
    assert "tient lieu de texte" in text.refusals[0].reason
    assert blocks(text)[-1] == KEPT
    assert not any("digoxine" in block for block in blocks(text))


@pytest.mark.parametrize(("before", "sign", "after"), [("1", ",", "5 mg"), ("DFG ", "<", " 30")])
def test_a_sign_that_is_not_seen_is_missed(
    tmp_path: Path, before: str, sign: str, after: str
) -> None:
    drawn = Drawn()
    x = drawn.at(LEFT, drawn.y, f"Donner {before}")
    x = drawn.at(x, drawn.y, sign, color=WHITE)
    drawn.at(x, drawn.y, f"{after} de digoxine.")
    text = read_file(drawn.save(tmp_path / "x.pdf"))
    assert "caché" in text.refusals[0].reason


def test_words_that_nothing_shows_are_no_scan(tmp_path: Path) -> None:
    drawn = Drawn()
    for _ in range(12):
        drawn.page.insert_text((LEFT, drawn.y), SAID, fontsize=11, render_mode=3)
        drawn.y += 2 * LEADING
    drawn.lines(KEPT)
    text = read_file(drawn.save(tmp_path / "x.pdf"))
    assert {refusal.reason.rpartition("\u00a0: ")[2] for refusal in text.refusals} == {
        "du texte y est caché"
    }
    assert not any(SAID in block for block in blocks(text))


def test_underlines_and_scans_are_read(tmp_path: Path) -> None:
    drawn = Drawn()
    end = drawn.at(LEFT, drawn.y, SAID)
    drawn.page.draw_line((LEFT, drawn.y + 1.5), (end, drawn.y + 1.5))
    scanned = Drawn()
    scanned.at(LEFT, 200, KEPT)
    picture = scanned.page.get_pixmap(dpi=150)
    drawn.new_page()
    drawn.page.insert_image(drawn.page.rect, pixmap=picture)
    drawn.page.insert_text((LEFT, 200), KEPT, fontsize=11, render_mode=3)
    text = read_file(drawn.save(tmp_path / "x.pdf"))
    assert (text.refusals, blocks(text)) == ((), [SAID, KEPT])


def test_a_squiggle_under_words_and_an_arrow_beside_them_strike_nothing(tmp_path: Path) -> None:
    drawn = Drawn()
    end = drawn.at(LEFT, drawn.y, SAID)
    drawn.page.draw_squiggle((LEFT, drawn.y + 3), (end, drawn.y + 3))
    drawn.page.draw_line((end + 4, drawn.y - 2), (end + 40, drawn.y - 6))
    text = read_file(drawn.save(tmp_path / "x.pdf"))
    assert (text.refusals, blocks(text)) == ((), [SAID])


def test_text_in_colours_is_read(tmp_path: Path) -> None:
    drawn = Drawn()
    for write in (_coloured(WHITE, BLUE), _coloured(RED), _coloured((0.6, 0.6, 0.6))):
        write(drawn)
        drawn.y += 3 * LEADING
    text = read_file(drawn.save(tmp_path / "x.pdf"))
    assert (text.refusals, blocks(text)) == ((), 3 * [SAID])


def test_what_stands_off_the_page_is_not_read(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines(KEPT)
    drawn.at(700, drawn.y, SAID)
    drawn.at(LEFT, 900, SAID)
    text = read_file(drawn.save(tmp_path / "x.pdf"))
    assert (text.refusals, blocks(text)) == ((), [KEPT])


WRAPPED = (
    "La digoxine est donnée chaque matin pendant toute la semaine au malade",
    "dont le rythme est rapide. Elle n'est pas donnée au malade sous traitement",
)
GOES_ON = "IRM faite, puis bilan fait. La digoxine est ensuite donnée une fois par jour."


def test_a_sentence_whose_line_is_full_goes_on_overleaf(tmp_path: Path) -> None:
    """« … au malade sous traitement / IRM faite » : a capital does not begin a sentence."""
    drawn = Drawn()
    drawn.lines(*WRAPPED, *WRAPPED)
    drawn.new_page()
    drawn.lines(GOES_ON)
    first, second = read_file(drawn.save(tmp_path / "x.pdf")).pages
    assert first.text.endswith("sous traitement IRM faite, puis bilan fait.")
    assert second.text == "La digoxine est ensuite donnée une fois par jour."


def test_a_sentence_that_goes_on_over_a_page_not_read_is_not_quoted(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines(*WRAPPED, *WRAPPED)
    drawn.new_page()
    drawn.page.insert_image((0, 0, 595, 842), pixmap=pymupdf.Pixmap(pymupdf.csGRAY, (0, 0, 9, 9)))
    drawn.new_page()
    drawn.lines(f"dont le rythme est lent. {KEPT}")
    text = read_file(drawn.save(tmp_path / "x.pdf"))
    first, third = text.pages
    assert first.text.endswith("dont le rythme est rapide. " + said_instead("continue"))
    assert third.text == f"{said_instead('commence')} {KEPT}"
    assert [refusal.number for refusal in text.refusals] == [2, 1, 3]


def said_instead(what: str) -> str:
    return f"[Texte omis\u00a0: la phrase {what} sur une page qui n’a pas pu être lue, voir l’original.]"


def test_a_power_stays_raised(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.call("Donner 5 × 10", "4", " UI de digoxine par jour.")
    assert blocks(read_file(drawn.save(tmp_path / "x.pdf"))) == [
        "Donner 5 × 10⁴ UI de digoxine par jour."
    ]


def test_an_item_within_an_item_is_indented_whatever_its_mark(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines("Le traitement du malade est le suivant :")
    for depth, item in ((0, "Forme légère :"), (1, "digoxine 1 mg"), (0, "Forme grave :"),
                        (1, "digoxine 2 mg"), (2, "digoxine 3 mg")):  # fmt: skip
        drawn.lines(f"- {item}", x=LEFT + 12 + 18 * depth)
    (page,) = read_file(drawn.save(tmp_path / "x.pdf")).pages
    assert page.text.split("\n\n")[1:] == [
        "- Forme légère :", "  - digoxine 1 mg", "- Forme grave :", "  - digoxine 2 mg",
        "    - digoxine 3 mg",
    ]  # fmt: skip


def test_where_a_level_is_not_known_what_follows_is_not_quoted(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines("Le traitement du malade est le suivant :")
    drawn.lines("- Forme interdite :", x=LEFT)
    drawn.lines("- digoxine 1 mg", x=LEFT + 18)
    drawn.y = 130
    drawn.lines("- digoxine 2 mg", "que l'on donne lentement", x=LEFT + 260)
    found = blocks(read_file(drawn.save(tmp_path / "x.pdf")))
    at = next(n for n, block in enumerate(found) if "2 mg" in block)
    assert found[at - 1].startswith("[Texte omis")


def test_the_heading_of_a_list_and_a_list_overleaf_are_kept(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines("Doses toxiques", size=15, bold=True)
    drawn.lines("- digoxine 1 mg")
    drawn.new_page()
    drawn.lines("- digoxine 2 mg")
    drawn.lines(KEPT)
    first, second = read_file(drawn.save(tmp_path / "x.pdf")).pages
    assert first.text == "Doses toxiques\n\n- digoxine 1 mg\n\n- digoxine 2 mg"
    assert second.text == KEPT
