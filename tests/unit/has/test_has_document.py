"""What the HAS reader makes of one PDF: text, figures, tables, headings, refusals."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from fakes.drawn_pdf import LEFT, Drawn

from ancremed_desktop.corpus.has.document import read_pdf
from ancremed_desktop.corpus.has.pdf_text import PdfText
from ancremed_desktop.domain.identifiers import PassageKind
from ancremed_desktop.errors import BadFileError

BODY = (
    "Le traitement de référence repose sur une adaptation des posologies",
    "avec une surveillance clinique et biologique régulière du patient.",
)


def text_of(pdf: PdfText) -> str:
    return "\n".join(page.text for page in pdf.pages)


def test_note_call_is_never_glued_to_a_figure(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines(*BODY)
    drawn.call("La dose est de 5", "1", " mg par jour chez l'adulte.")
    drawn.call("Les plaquettes sont à 150 x 10", "9", "/L au moins.")
    drawn.call("Une surface de 1,73 m", "2", " est retenue.")
    drawn.call("Au cours du 1", "er", " trimestre de la grossesse.")
    text = text_of(read_pdf(drawn.save(tmp_path / "a.pdf")))
    assert "La dose est de 5 mg par jour" in text
    assert "150 x 10⁹/L" in text
    assert "1,73 m² est" in text
    assert "1er trimestre" in text
    assert "51" not in text


def test_hyphenation_is_undone_and_numbers_never_joined(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines("Une surveillance de la créati-", "ninémie est recommandée en cas de contre-")
    drawn.y -= 14
    drawn.lines("indication, entre 11-", "13 ans et après un rappel de la dose.")
    text = text_of(read_pdf(drawn.save(tmp_path / "a.pdf")))
    assert "la créatininémie est" in text
    assert "contre-indication" in text
    assert "11-13 ans" in text
    assert "1113" not in text


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    drawn = Drawn()
    left = [f"La colonne gauche tient ligne {word}" for word in ("alpha", "bravo", "charlie")]
    right = [f"puis la droite dit ligne {word}" for word in ("delta", "écho", "foxtrot")]
    for x, texts in ((LEFT, left), (320, right)):
        for number, line in enumerate(texts):
            drawn.at(x, 200 + 14 * number, line, 10)
    text = text_of(read_pdf(drawn.save(tmp_path / "a.pdf")))
    words = [text.index(w) for w in ("alpha", "bravo", "charlie", "delta", "écho", "foxtrot")]
    assert words == sorted(words)


def test_running_heads_are_dropped_and_the_printed_page_number_kept(tmp_path: Path) -> None:
    drawn = Drawn()
    for number in range(4):
        if number:
            drawn.new_page()
        drawn.at(LEFT, 40, "HAS / Service des bonnes pratiques")
        drawn.at(280, 815, f"- {number + 11} -", 9)
        drawn.lines(*BODY)
        drawn.lines(f"Le contenu propre de la page {'abcd'[number] * 3} est ici.")
    pdf = read_pdf(drawn.save(tmp_path / "a.pdf"))
    assert [page.label for page in pdf.pages] == ["11", "12", "13", "14"]
    assert "Service des bonnes pratiques" not in text_of(pdf)
    assert "- 12 -" not in text_of(pdf)
    assert "propre de la page ccc" in pdf.pages[2].text


def test_cells_at_the_same_edge_are_no_running_heads(tmp_path: Path) -> None:
    drawn = Drawn()
    for value in ("2 mois", "6 mois"):
        drawn.y = 60
        drawn.table([60, 200, 350], [["Vaccin", "Intervalle"], ["Hépatite B", value]])
        drawn.y = 300
        drawn.lines(*BODY)
        drawn.new_page()
    drawn.lines(*BODY)
    pdf = read_pdf(drawn.save(tmp_path / "a.pdf"))
    assert "Intervalle : 2 mois" in pdf.pages[0].text


def test_sentence_cut_by_the_page_break_is_made_whole(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines(*BODY)
    drawn.lines("Ce médicament est contre-indiqué et ne doit pas être")
    drawn.new_page()
    drawn.lines("utilisé chez la femme enceinte. Une autre phrase suit ici.")
    first, second = read_pdf(drawn.save(tmp_path / "a.pdf")).pages
    assert first.text.endswith("ne doit pas être utilisé chez la femme enceinte.")
    assert second.text == "Une autre phrase suit ici."


def test_headings_make_the_path_and_the_section(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines("Prise en charge de l'asthme", size=24)
    drawn.lines("Traitement de fond", size=16, bold=True)
    drawn.lines("Contre-indications", size=13, bold=True)
    drawn.lines(*BODY)
    drawn.lines("Suivi", size=16, bold=True)
    drawn.lines("Une consultation est prévue tous les six mois.")
    pdf = read_pdf(drawn.save(tmp_path / "a.pdf"))
    blocks = pdf.pages[0].blocks
    assert pdf.identity.title == "Prise en charge de l'asthme"
    assert (blocks[0].heading, blocks[0].section) == (
        "Traitement de fond > Contre-indications",
        "contre-indications",
    )
    assert (blocks[-1].heading, blocks[-1].section) == ("Suivi", "suivi")


def test_table_rows_keep_their_column_headings_and_their_group(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines(*BODY)
    drawn.table(
        [60, 180, 320, 480],
        [
            ["Âge", "Vaccin", "Doses"],
            ["1 à 5 ans", "DTCaP", "3"],
            ["", "ROR", "2"],
            ["6 à 13 ans", "ROR", "1"],
        ],
    )
    page = read_pdf(drawn.save(tmp_path / "a.pdf")).pages[0]
    rows = [page.text[b.start : b.end] for b in page.blocks if b.kind is PassageKind.TABLE]
    assert rows == [
        "Âge : 1 à 5 ans ; Vaccin : DTCaP ; Doses : 3",
        "Âge : 1 à 5 ans ; Vaccin : ROR ; Doses : 2",
        "Âge : 6 à 13 ans ; Vaccin : ROR ; Doses : 1",
    ]


def test_a_label_of_two_cases_over_two_rows_is_refused(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines(*BODY)
    drawn.table(
        [60, 260, 420],
        [
            ["Acte", "Produit"],
            ["Acte digestif Si allergie", "Testamol 2 g"],
            ["", "Autrimol 1 g"],
            ["Acte dentaire si douleur", "Testamol 3 g"],
            ["", "Autrimol 4 g"],
        ],
    )
    pdf = read_pdf(drawn.save(tmp_path / "a.pdf"))
    assert "2 g" not in text_of(pdf)
    assert "1 g" not in text_of(pdf)
    assert "Acte : Acte dentaire si douleur ; Produit : Testamol 3 g" in text_of(pdf)
    assert "4 g" not in text_of(pdf)  # an empty cell is of no act
    assert "deux cas" in pdf.refusals[0].reason


def test_table_of_figures_without_headings_is_refused(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines(*BODY)
    drawn.table(
        [60, 180, 320, 480],
        [["Aspirine", "75 mg", "3 jours"], ["Clopidogrel", "600 mg", "5 jours"]],
        header_bold=False,
    )
    pdf = read_pdf(drawn.save(tmp_path / "a.pdf"))
    assert "600 mg" not in text_of(pdf)
    assert [(r.number, r.whole) for r in pdf.refusals] == [(1, False)]
    assert "intitulé" in pdf.refusals[0].reason


def test_table_without_rulings_is_refused(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines(*BODY)
    for row in (
        ("Produit", "Dose", "Durée"),
        ("Alpha", "20 mg", "7 jours"),
        ("Bêta", "40 mg", "9 jours"),
    ):
        for x, cell in zip((60, 220, 400), row, strict=True):
            drawn.at(x, drawn.y, cell)
        drawn.y += 14
    pdf = read_pdf(drawn.save(tmp_path / "a.pdf"))
    assert "40 mg" not in text_of(pdf)
    assert "adaptation des posologies" in text_of(pdf)
    assert "sans filets" in pdf.refusals[0].reason


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("LLaa ddoossee eesstt ddee 2200 mmgg ppaarr jjoouurr ppeennddaanntt", "doublés"),
        ("l a d o s e e s t d e 2 0 m g p a r j o u r", "espacées"),
    ],
)
def test_page_whose_figures_cannot_be_trusted_is_refused(
    tmp_path: Path, line: str, words: str
) -> None:
    drawn = Drawn()
    drawn.lines(*BODY)
    drawn.new_page()
    drawn.lines(line)
    pdf = read_pdf(drawn.save(tmp_path / "a.pdf"))
    assert [page.number for page in pdf.pages] == [1]
    assert [(r.number, r.whole) for r in pdf.refusals] == [(2, True)]
    assert words in pdf.refusals[0].reason


def test_text_laid_over_text_is_refused(tmp_path: Path) -> None:
    drawn = Drawn()
    for number in range(5):
        drawn.at(60, 200 + 30 * number, f"La dose est de {number}0 mg par jour")
        drawn.at(75, 200 + 30 * number, f"La dose est de {number}5 mg par jour")
    pdf = read_pdf(drawn.save(tmp_path / "a.pdf"))
    assert pdf.pages == ()
    assert "superposés" in pdf.refusals[0].reason


def test_image_page_is_reported(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines(*BODY)
    drawn.new_page()
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 60, 60))
    pixels.clear_with(120)
    drawn.page.insert_image(pymupdf.Rect(50, 50, 500, 700), pixmap=pixels)
    drawn.new_page()
    pdf = read_pdf(drawn.save(tmp_path / "a.pdf"))
    assert pdf.page_count == 3
    assert [(r.number, "sans texte" in r.reason) for r in pdf.refusals] == [(2, True)]


def test_update_date_wins_over_the_first_date(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines("Fiche mémo", size=20)
    drawn.lines("Valproate chez la femme", size=24)
    drawn.lines("Novembre 2015", size=14)
    drawn.lines("Mise à jour octobre 2018", size=12)
    drawn.lines(*BODY)
    drawn.lines("Voir la fiche (HAS, mise à jour mars 2022) pour la suite.")
    identity = read_pdf(drawn.save(tmp_path / "a.pdf")).identity
    assert (identity.date, identity.first_date) == ("2018-10", "2015-11")
    assert (identity.title, identity.kind) == ("Valproate chez la femme", "fiche mémo")


def test_opinion_has_its_number_and_day(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines("COMMISSION DE LA TRANSPARENCE", size=18)
    drawn.lines("Alphamine 20 mg, comprimé", size=26)
    drawn.lines("Adopté par la Commission le 18 décembre 2024 (CT-20974)", size=9)
    drawn.lines(*BODY)
    identity = read_pdf(drawn.save(tmp_path / "x.pdf")).identity
    assert identity.reference == "CT-20974"
    assert identity.date == "2024-12-18"
    assert identity.publisher == "HAS – Commission de la transparence"
    assert identity.title == "Alphamine 20 mg, comprimé"


def test_unreadable_files_are_refused_in_french(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines(*BODY)
    whole = drawn.save(tmp_path / "whole.pdf").read_bytes()
    locked = Drawn()
    locked.lines(*BODY)
    locked.save(
        tmp_path / "locked.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="x", owner_pw="y"
    )
    (tmp_path / "empty.pdf").write_bytes(b"")
    (tmp_path / "text.pdf").write_text("bonjour", encoding="utf-8")
    cases = {
        "empty.pdf": "0 octet",
        "text.pdf": "pas un PDF",
        "locked.pdf": "mot de passe",
        "absent.pdf": "introuvable",
    }
    for name, words in cases.items():
        with pytest.raises(BadFileError, match=words):
            read_pdf(tmp_path / name)
    for share in (0.05, 0.3, 0.6, 0.9):
        cut = tmp_path / "cut.pdf"
        cut.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(BadFileError, match="PDF"):
            read_pdf(cut)


def test_a_row_across_the_table_names_the_rows_below(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines(*BODY)
    drawn.table(
        [60, 260, 420],
        [
            ["Alphamols", "Dose"],
            ["Testamol", "25 mg"],
            ["Bêtamols", ""],
            ["Autrimol", "60 mg"],
            ["Si allergie", ""],
            ["Dernimol", "5 mg"],
        ],
        across=(2, 4),
    )
    page = read_pdf(drawn.save(tmp_path / "a.pdf")).pages[0]
    rows = [page.text[b.start : b.end] for b in page.blocks if b.kind is PassageKind.TABLE]
    assert rows == [
        "Alphamols : Testamol ; Dose : 25 mg",
        "Bêtamols : Autrimol ; Dose : 60 mg",
        "Si allergie : Dernimol ; Dose : 5 mg",
    ]


def test_a_heading_behind_a_mark_names_its_drug(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines("1. Médicaments du rythme", size=18)
    drawn.lines(*BODY)
    drawn.lines("• Traitement par testamol", bold=True)
    drawn.lines("Ses indications sont très restreintes.")
    drawn.lines("Posologies recommandées", size=12, bold=True)
    drawn.lines("La dose usuelle est de 5 mg par jour.")
    for item in ("• Premier critère", "• Deuxième critère"):
        drawn.lines(item, bold=True)
    drawn.lines("2. Suivi", size=18)
    drawn.lines("Le suivi est mensuel.")
    page = read_pdf(drawn.save(tmp_path / "a.pdf")).pages[0]
    headings = {page.text[b.start : b.end]: b.heading for b in page.blocks}
    assert headings["La dose usuelle est de 5 mg par jour."].endswith(
        "Traitement par testamol > Posologies recommandées"
    )
    assert headings["Le suivi est mensuel."].endswith("2. Suivi")
    assert {"· Premier critère", "· Deuxième critère"} <= set(headings)


def test_a_table_of_contents_is_no_text_and_no_heading(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines("Sommaire", size=18)
    for entry in ("Introduction ______ 3", "Traitement ______ 5", "Suivi des malades de la"):
        drawn.lines(entry, size=13)
    for entry in ("consultation ......... 7", "Étape 1 : penser au diagnostic", "Annexe ______ 9"):
        drawn.lines(entry, size=13)
    drawn.y += 60
    drawn.lines(*BODY)
    page = read_pdf(drawn.save(tmp_path / "a.pdf")).pages[0]
    assert "Étape" not in page.text
    assert "malades de la" not in page.text
    assert BODY[0] in page.text
    assert not any("____" in b.heading or "Suivi" in b.heading for b in page.blocks)
