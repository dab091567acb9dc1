"""A calculation as text to paste and as a page to print: values, steps, result, source, notice."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from html import escape

from ancremed_desktop.domain.formulas import CalculationRequest, CalculationResult
from ancremed_desktop.formulas.render import date_text
from ancremed_desktop.formulas.words import input_words, output_words
from ancremed_desktop.text.french import NBSP

NOTICE = (
    f"Outil pédagogique{NBSP}: ne remplace ni la source, ni un avis médical. Les fiches de "
    "démarrage sont des brouillons qu’aucun clinicien n’a relus."
)


def calculation_lines(request: CalculationRequest) -> list[str]:
    """A calculation of an answer, its name first: values, what is missing, steps, result."""
    lines = [request.name]
    if request.result is None:
        lines += [f"  {i.label}{NBSP}: {input_words(i)} ({i.origin})" for i in request.inputs]
    lines += [f"  Valeur à préciser – {m.label}{NBSP}: {m.problem}" for m in request.missing]
    if request.result is not None:
        lines += _result_lines(request.result)
    return lines


def result_to_text(result: CalculationResult, on: date) -> str:
    """A result to paste elsewhere, with the day it was computed (``on``)."""
    done = f"Calculé le {on:%d/%m/%Y} avec AncreMed"
    return "\n".join([result.name, *_result_lines(result), done, NOTICE])


def _result_lines(result: CalculationResult) -> list[str]:
    lines = [f"  {i.label}{NBSP}: {input_words(i)} ({i.origin})" for i in result.inputs]
    lines += [f"  {s.label}{NBSP}: {s.expression} → {s.result}" for s in result.steps]
    traced = {step.label for step in result.steps}
    lines += [
        f"  {o.label}{NBSP}: {output_words(o)}" for o in result.outputs if o.label not in traced
    ]
    remarks = (result.provisional, result.band, *result.divergences, *result.caveats)
    lines += [f"  {text}" for text in remarks if text]
    return [*lines, f"  Source{NBSP}: {result.source}"]


def result_to_html(result: CalculationResult, on: date) -> str:
    """One printable page in the subset of HTML that Qt's rich text understands."""
    values = ((i.label, input_words(i), i.origin) for i in result.inputs)
    steps = ((s.label, s.expression, s.result) for s in result.steps)
    outcomes = [f"<p><b>{_e(o.label)}{NBSP}: {_e(output_words(o))}</b></p>" for o in result.outputs]
    remarks = (result.provisional, result.band, *result.divergences)
    checked = f"Formule vérifiée le {date_text(result.verified_date)}{NBSP}: {result.verified_by}"
    return "\n".join([
        f"<h2>{_e(result.name)}</h2>",
        *outcomes,
        *(f"<p>{_e(text)}</p>" for text in remarks if text),
        "<h3>Valeurs</h3>", _table(values),
        f"<h3>Détail du calcul</h3><p>{_e(result.formula_text)}</p>", _table(steps),
        *(["<h3>Limites</h3>"] if result.caveats else []),
        *(f"<p>•{NBSP}{_e(text)}</p>" for text in result.caveats),
        f"<h3>Source</h3><p>{_e(result.source)}</p>",
        f"<p>{_e(checked)}</p>",
        f"<p>Calculé le {on:%d/%m/%Y} avec AncreMed. {_e(NOTICE)}</p>",
    ])  # fmt: skip


def _table(rows: Iterable[tuple[str, str, str]]) -> str:
    cells = ("".join(f"<td>{_e(text)}</td>" for text in row) for row in rows)
    lines = "".join(f"<tr>{line}</tr>" for line in cells)
    return f'<table width="100%" cellpadding="4">{lines}</table>'


def _e(text: str) -> str:
    return escape(text)
