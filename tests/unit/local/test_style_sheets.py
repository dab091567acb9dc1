"""What a style sheet of a page hides or writes is refused by name; what it does not is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from ancremed_desktop.corpus.local.document import read_file
from ancremed_desktop.corpus.local.model import LocalText

KEPT = "La glycémie est mesurée chaque matin avant le repas."


def read(path: Path, content: str) -> LocalText:
    path.write_text(content, "utf-8")
    return read_file(path)


def blocks(text: LocalText) -> list[str]:
    return [page.text[b.start : b.end] for page in text.pages for b in page.blocks]


HIDING = "Donner <i class='x a:b' data-h='1'>ne pas</i> 40 mg"


@pytest.mark.parametrize(
    ("sheet", "why"),
    [
        ("[data-h]{display:none}", "caché"),
        ('i[data-h="1"]{visibility:hidden}', "caché"),
        ("i:not(.y){display:none}", "caché"),
        ("p>i:nth-child(1){display:none}", "caché"),
        (":is(.x,.y){display:none}", "caché"),
        ("div.w *{display:none}", "caché"),
        (r".a\:b{display:none}", "caché"),
        (".p{color:#111; .x{display:none}}", "caché"),
        ("@media print{.q{color:red}} .x{display:none}", "caché"),
        (":root{--d:none} .x{display:var(--d)}", "caché"),
        (":root{--c:#fff} @media (prefers-color-scheme:dark){:root{--c:#111}} .x{color:var(--c)}",
         "caché"),
        (".x{color:hsl(0 0% 100%)}", "caché"),
        (".x{color:navy;background:#000080}", "caché"),
        (".x{-webkit-text-fill-color:transparent}", "caché"),
        (".x{font:0/0 a}", "caché"),
        (".x{zoom:0}", "caché"),
        (".x{scale:0}", "caché"),
        (".x{transform:scaleX(0)}", "caché"),
        (".x{transform:translateX(-9999px)}", "caché"),
        (".x{translate:-9999px}", "caché"),
        (".x{position:absolute;inset:-9999px}", "caché"),
        (".x{position:absolute;left:99999px}", "caché"),
        (".x{filter:opacity(0)}", "caché"),
        (".x{color:var(--c)} :root{--c:#222} p{--c:white}", "caché"),
        (".x{color:var(--c, rgb(255, 255, 255))}", "caché"),
        (".x{color:oklch(100% 0 0)}", "caché"),
        (".x{color:lab(99% 0 0)}", "caché"),
        (".x{color:hwb(0 100% 0%)}", "caché"),
        (".x{color:color(display-p3 1 1 1)}", "caché"),
        (".x{color:color-mix(in oklab, white 98%, black)}", "caché"),
        (".x{color:color-mix(in srgb, black 2%, transparent)}", "caché"),
        (".x{color:light-dark(white, black)}", "caché"),
        (".x{color:Canvas}", "caché"),
        (".x{color:rgb(0 0 0 / 5%)}", "caché"),
        (".x{color:#0000}", "caché"),
        (".x{color:lavender}", "caché"),
        (".x{font-size:calc(1px * 0)}", "caché"),
        (".x{position:absolute;left:calc(-9999px)}", "caché"),
        (".x{color:rgb(from white r g b)}", "ne permet pas de savoir"),
        (".x{color:color-mix(in srgb, rgb(from white r g b), black)}", "ne permet pas de savoir"),
        (".x{mask-image:linear-gradient(transparent, transparent)}", "ne permet pas de savoir"),
        (".x{-webkit-mask:url(x.svg)}", "ne permet pas de savoir"),
        (".x{mix-blend-mode:screen}", "ne permet pas de savoir"),
        (".x{filter:contrast(0)}", "ne permet pas de savoir"),
        (".x{filter:blur(8px)}", "ne permet pas de savoir"),
        (".x{clip-path:inset(calc(50%) 0)}", "ne permet pas de savoir"),
        (".x{content:url(a.png)}", "caché"),
        ('.x::before{content:"ne jamais "}', "la feuille de style y ajoute des mots"),
        (".x:after{content:' sauf si DFG ' attr(data-h)}", "la feuille de style y ajoute"),
        (r'.x::before{content:"\2265"}', "la feuille de style y ajoute"),
    ],
)  # fmt: skip
def test_what_a_style_sheet_hides_or_adds_is_refused_by_name(
    tmp_path: Path, sheet: str, why: str
) -> None:
    page = f"<style>{sheet}</style><div class=w><p>{HIDING}</p></div><p>{KEPT}</p>"
    text = read(tmp_path / "x.html", page)
    (refusal,) = text.refusals
    assert why in refusal.reason
    assert blocks(text)[1] == KEPT


@pytest.mark.parametrize(
    "sheet",
    [
        ".x:hover{display:none}",
        "a:hover ~ .x, .x:focus{opacity:0}",
        ".menu .x{display:none}",
        ".menu *{display:none}",
        ".y, b.x{display:none}",
        "[data-g]{display:none}",
        r'.x::before{content:"\f101"} .x::after{content:"» "}',
        ".x::before{content:''; display:none} .x::after{content:none}",
        ".x{font:700 12px/1.5 Arial; transform:translateX(-4px) scale(1.05); zoom:1}",
        ":root{--c:#333} @media (prefers-color-scheme:dark){:root{--c:#fff}} .x{color:var(--c)}",
        ".x{color:hsl(210 40% 30%)}",
        ".x{color:var(--c)} :root{--c:white} p{--c:#222}",
        ".x{color:var(--unset)}",
        ".x{color:oklch(30% 0.1 200)} p{background:oklch(98% 0 0)}",
        ".x{color:color-mix(in srgb, black 80%, white)}",
        ".x{color:CanvasText;background:Canvas}",
        ".x{color:light-dark(#222, #eee)}",
        ".x{color:rgb(0 0 0 / 80%)}",
        ".x{color:white;background:linear-gradient(navy, blue)}",
        ".x{mask-image:none;mix-blend-mode:multiply;filter:drop-shadow(0 0 1px #000) contrast(1.1)}",
        ".x{font-size:clamp(1rem, 2vw, 3rem)}",
    ],
)
def test_a_style_that_hides_nothing_here_costs_no_paragraph(tmp_path: Path, sheet: str) -> None:
    text = read(tmp_path / "x.html", f"<style>{sheet}</style><p>{HIDING}</p><p>{KEPT}</p>")
    assert (text.refusals, blocks(text)) == ((), ["Donner ne pas 40 mg", KEPT])


def test_small_letters_over_others_stand_apart(tmp_path: Path) -> None:
    text = read(tmp_path / "x.html", "<p>Donner <ruby>40<rp>(</rp><rt>50</rt></ruby> mg.</p>")
    assert blocks(text) == ["Donner 40 (50) mg."]


def test_a_folded_part_shows_its_first_line_alone(tmp_path: Path) -> None:
    folded = "<details><summary>Dose</summary>900 mg<p>par jour</p></details>"
    text = read(tmp_path / "x.html", f"{folded}<p>{KEPT}</p>")
    (refusal,) = text.refusals
    assert "repliée" in refusal.reason
    assert blocks(text)[0] == "Dose"
    assert blocks(text)[-1] == KEPT
    assert not any("900" in block for block in blocks(text))
    opened = read(tmp_path / "y.html", folded.replace("<details", "<details open"))
    assert opened.refusals == ()
    assert any("900 mg" in block for block in blocks(opened))


@pytest.mark.parametrize("tag", ["<div popover id=p>", "<dialog>"])
def test_what_a_button_opens_above_the_page_is_refused(tmp_path: Path, tag: str) -> None:
    text = read(tmp_path / "x.html", f"{tag}<p>Donner 900 mg.</p></div></dialog><p>{KEPT}</p>")
    (refusal,) = text.refusals
    assert "caché" in refusal.reason
    assert blocks(text)[1] == KEPT
