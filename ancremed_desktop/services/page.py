"""An answer as one self-contained HTML page, as a person would read and print it."""

from __future__ import annotations

from html import escape

from ancremed_desktop.domain.answers import Answer, AnswerSpan
from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.identifiers import PassageKind, SourceStatus
from ancremed_desktop.domain.spans import Abstention, VerifiedAssertion
from ancremed_desktop.services.answer_blocks import blocks
from ancremed_desktop.services.calculation_text import NOTICE, calculation_lines
from ancremed_desktop.services.export import (
    leads_to_card,
    near_words,
    nested_list,
    place_line,
    places,
    quote_lines,
    readings,
    source_words,
)
from ancremed_desktop.services.model_text import marks, record_lines
from ancremed_desktop.text.french import french_date

_STYLE = """
body{font:17px/1.6 system-ui,sans-serif;max-width:44em;margin:2.5em auto;padding:0 1em;
 color:#1c2733;background:#fff;overflow-wrap:anywhere}
h1{font-size:1.5em;line-height:1.3}h2{font-size:1.1em;margin:1.8em 0 .4em}
blockquote{margin:10px 0 0 14px}
blockquote p{margin:0 0 3px}ul{margin:0 0 3px}
.cite{font-size:.85em}
.none,.notice,.reading,.model,.quoted,.cite{color:#566573}
h2 .model{font-size:.75em;font-weight:normal}
.draft{color:#805000}
@media screen{
 blockquote{margin-left:0;padding:.5em 1em;border-left:3px solid #0f6b78;background:#f4f8f9}
 .calculation{padding:1em;background:#f4f8f9}}
@media print{body{font-size:15px;margin:0}a{color:#566573;text-decoration:none}
 h2{break-after:avoid}blockquote{break-inside:avoid}}
"""


def answer_to_html(answer: Answer) -> str:
    """The page; every text of a source or of the question is escaped."""
    title = escape(answer.question.raw.strip())
    parts = [f"<h1>{title}</h1>"]
    parts += [f'<p class="reading">{escape(line.strip())}</p>' for line in readings(answer)]
    for text in (answer.warning, answer.message):
        if text:
            parts.append(f"<p>{escape(text)}</p>")
    for request in answer.calculations:
        name, *lines = calculation_lines(request)
        listed = "<br>".join(escape(line.strip()) for line in lines)
        parts.append(f'<h2>{escape(name)}</h2><p class="calculation">{listed}</p>')
    numbers = {s.key: n for n, s in enumerate(answer.sources, 1)}
    marked = marks(answer)
    shown = {id(span): answer.parts_after(n) for n, span in enumerate(answer.spans)}
    first = leads_to_card(answer)
    parts += _near(answer) if first else []
    for block in blocks(answer.spans):
        section = ", ".join(block.sections)
        mark = f' <span class="model">{escape(marked[section])}</span>' if section in marked else ""
        parts.append(f"<h2>{escape(section[:1].upper() + section[1:])}{mark}</h2>")
        parts += [_span(span, numbers, shown[id(span)]) for span in block.spans]
        if block.reason:
            parts.append(f'<p class="none">{escape(block.reason)}</p>')
    parts += _near(answer) if answer.near and not first else []
    parts += [f'<p class="model">{escape(line)}</p>' for line in record_lines(answer)]
    if answer.sources:
        parts.append("<h2>Sources</h2><ol>")
        parts += [_source(number, source) for number, source in enumerate(answer.sources, 1)]
        parts.append("</ol>")
    parts.append(f'<p class="notice">{escape(NOTICE)}</p>')
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="fr"><head><meta charset="utf-8">'
        f"<title>{title} – AncreMed</title><style>{_STYLE}</style></head>"
        f"<body>\n{body}\n</body></html>\n"
    )


def _near(answer: Answer) -> list[str]:
    """What is named to be read."""
    heading, notice = near_words(answer)
    listed = [f"<li>{escape(place_line(passage))}</li>" for passage in answer.near]
    return [f'<h2>{heading}</h2><p class="none">{escape(notice)}</p><ul>', *listed, "</ul>"]


def _span(span: AnswerSpan, numbers: dict[str, int], shown: tuple[str, ...]) -> str:
    if not isinstance(span, VerifiedAssertion):
        text = span.reason if isinstance(span, Abstention) else span.text
        return f'<p class="none">{escape(text)}</p>'
    passage = span.anchored.passage
    number = numbers[passage.source_key]
    place = "".join(f", {part}" for part in places(passage))
    link = f'<a href="#source-{number}">[{number}]</a>'
    first, *items = quote_lines(span)
    said = _row(first) if passage.kind is PassageKind.TABLE else escape(first)
    quoted = "" if span.verbatim else f'<p class="quoted">{escape(source_words(span))}</p>'
    counted = "".join(f"<br>{escape(part)}" for part in shown)
    return (
        f"<blockquote><p>{said}</p>{nested_list(items, escape)}{quoted}"
        f'<p class="cite">{link} {escape(passage.origin_title)}{escape(place)}{counted}</p>'
        "</blockquote>"
    )


def _row(text: str) -> str:
    """A row of a table: each cell on its line behind the heading of its column."""
    cells = []
    for cell in text.split(" ; "):
        heading, colon, value = cell.partition(" : ")
        cells.append(f"<b>{escape(heading)}</b> : {escape(value)}" if colon else escape(cell))
    return "<br>".join(cells)


def _source(number: int, source: Source) -> str:
    date = french_date(source.regulatory_date) or "sans date"
    text = f"{source.title} – {source.publisher}, {date}"
    draft = source.status is SourceStatus.DRAFT
    mark = f' <span class="draft">({escape(source.status.value)})</span>' if draft else ""
    return f'<li id="source-{number}">{escape(text)}{mark}</li>'
