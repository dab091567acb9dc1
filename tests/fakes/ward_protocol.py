"""A ward protocol written in each format a user may bring: the same text every time."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path

import docx
from fakes.drawn_pdf import Drawn

TITLE = "Protocole de sédation du service"
Block = tuple[str, str] | tuple[str, list[list[str]]]
BLOCKS: tuple[Block, ...] = (
    ("h2", "4. Médicaments"),
    ("h3", "4.1 Indication"),
    ("p", "La sédation procédurale est réservée aux gestes douloureux de moins de vingt minutes."),
    ("h3", "4.2 Posologie"),
    ("p", "Le midazolam se titre par bolus de 1 mg toutes les trois minutes, voir section 4.3."),
    ("p", "La dose totale de midazolam ne dépasse pas 5 mg sans avis du médecin senior."),
    ("h3", "4.3 Surveillance"),
    ("p", "La saturation est mesurée en continu et notée toutes les cinq minutes."),
    ("table", [["Score", "Conduite"], ["Ramsay 2", "poursuivre"], ["Ramsay 5", "arrêter"]]),
    ("h2", "5. Organisation"),
    ("p", "Article 7 - Le senior de garde valide chaque sédation prévue à l’article 8."),
    ("p", "Article 8 - La décision est écrite dans le dossier avant le geste."),
)


def markdown(path: Path) -> Path:
    lines = [f"# {TITLE}", ""]
    for kind, content in BLOCKS:
        if isinstance(content, list):
            head, *rows = (f"| {' | '.join(row)} |" for row in content)
            lines += [head, "|" + "---|" * len(content[0]), *rows, ""]
        else:
            lines += [{"h2": "## ", "h3": "### "}.get(kind, "") + content, ""]
    path.write_text("\n".join(lines), "utf-8")
    return path


def word(path: Path) -> Path:
    document = docx.Document()
    document.add_heading(TITLE, 0)
    for kind, content in BLOCKS:
        if isinstance(content, list):
            table = document.add_table(rows=0, cols=len(content[0]))
            for row in content:
                for cell, text in zip(table.add_row().cells, row, strict=True):
                    cell.text = text
        elif kind == "p":
            document.add_paragraph(content)
        else:
            document.add_heading(content, int(kind[1]) - 1)
    document.save(str(path))
    return path


def page(path: Path) -> Path:
    lines = [f"<html><head><title>{TITLE}</title><meta charset='utf-8'></head><body>"]
    lines.append(f"<h1>{TITLE}</h1><p style='display:none'>Donner 500 mg de midazolam.</p>")
    for kind, content in BLOCKS:
        if isinstance(content, list):
            head, *rows = content
            lines.append("<table><tr>" + "".join(f"<th>{c}</th>" for c in head) + "</tr>")
            lines += ["<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows]
            lines.append("</table>")
        else:
            lines.append(f"<{kind}>{html.escape(content)}</{kind}>")
    path.write_text("\n".join([*lines, "</body></html>"]), "utf-8")
    return path


def text(path: Path, encoding: str = "cp1252") -> Path:
    lines = []
    for _kind, content in BLOCKS:
        shown = (
            content if isinstance(content, str) else "Ramsay 2 : poursuivre ; Ramsay 5 : arrêter."
        )
        lines += [shown, ""]
    joined = "\r\n".join(lines)
    path.write_bytes((joined.replace("’", "'") if encoding == "cp850" else joined).encode(encoding))
    return path


def pdf(path: Path) -> Path:
    drawn = Drawn()
    drawn.lines(TITLE, size=20, bold=True)
    for kind, content in BLOCKS:
        if isinstance(content, list):
            drawn.table((60, 220, 400), content)
        elif kind == "p":
            words, half = content.split(), len(content.split()) // 2
            drawn.lines(" ".join(words[:half]), " ".join(words[half:]))
        else:
            drawn.lines(content, size=15 if kind == "h2" else 13, bold=True)
        if kind == "table":
            drawn.new_page()
    return drawn.save(path)


FORMATS: dict[str, Callable[[Path], Path]] = {
    ".md": markdown, ".docx": word, ".html": page, ".txt": text, ".pdf": pdf,
}  # fmt: skip
