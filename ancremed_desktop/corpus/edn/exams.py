"""Exam questions in the formats of their authors, and what of them may be said as true.

Fields relied on:

- FrenchMedMCQA (github.com/qanastek/FrenchMedMCQA): ``id``, ``question``, ``answers`` (letter →
  text), ``correct_answers`` (letters).
- CareMedEval (github.com/bonzid/CareMedEval): the same, ``justification``, ``article_link``,
  ``date_exam``.
- MediQAl (hub ANR-MALADES/MediQAl, dataset card: files mcqu/, mcqm/, oeq/ *.json): ``id``,
  ``clinical_case``, ``question``, ``answer_a`` … ``answer_e``, ``correct_answers`` (one string of
  letters); open questions (oeq): ``question`` and ``answer``.

Only the right options are kept. A negative stem (« laquelle est fausse », « sauf ») makes the
expected option a false statement, and a stem that may be negative is treated as one: such
questions are left out altogether, because no label around a false sentence makes it safe to
quote. So is an option that only makes sense beside the others (« toutes les réponses »).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ancremed_desktop.corpus.edn.wording import one_sentence
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.sentences import sentence_spans

NEGATIVE = "énoncés négatifs ou peut-être négatifs (la réponse attendue est une affirmation fausse)"
DEPENDENT = "réponses qui renvoient à d’autres propositions"
TOO_LONG = "énoncés trop longs pour une phrase citable"
NOT_ONE_SENTENCE = "énoncés qui ne tiennent pas en une phrase citable"

_MAX_WORDS = 200
_LETTERS = "abcde"
_NEGATIVE_STEM = re.compile(
    r"\bfau(?:x|sses?)\b|\bsauf\b|\binexact|\bincorrect|\berron|\bexcept|\bhormis\b|\bnon[ -]?"
    r"(?:exact|vrai|valable|conform|correct|indiqu|attribu|li[ée]|concern|observ)|\bmoins "
    r"(?:vrai|exact|juste|correct|adapt)|\bintrus|\baberrant|\bcontraire|\bautres? que\b|"
    r"\bà tort\b|\bexclu|\bimpropre|\bpas\b|\bjamais\b|\baucune?s?\b|\bni\b|\bn['’]|\bne\b|"
    r"\binvraisemblable|\bdéfavorable à\b|\bà éliminer|\bà rejeter|\bà écarter|\bmensong",
    re.IGNORECASE,
)
_DEPENDENT_ANSWER = re.compile(
    r"\b(?:toutes?|tous|aucune?)\b.*\b(?:réponses?|propositions?|affirmations?|précédent|"
    r"ci-dessus|exact|vrai|just)|\b(?:réponses?|propositions?|items?) +[a-eA-E]\b|"
    r"^\W*[A-E](?: ?(?:,|et|\+|/) ?[A-E])+\W*$|\bci-dessus\b|\bprécédente?s?\W*$|^\W*aucune?\W*$",
    re.IGNORECASE,
)
_WRONG_IN_JUSTIFICATION = re.compile(
    r"\bfau(?:x|sse)|\binexact|\bincorrect|\berron|\bà tort\b|\bnon\b|(?:^|[\s(.])[a-e] ?[):.]|"
    r"\b(?:réponses?|propositions?|items?) +[a-e]\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamSet:
    """A published set of questions. ``label`` stands in every sentence made of it."""

    slug: str
    title: str
    label: str
    publisher: str
    licence: str
    url: str


FRENCHMEDMCQA = ExamSet(
    slug="FRENCHMEDMCQA",
    title="FrenchMedMCQA – annales de pharmacie",
    label="FrenchMedMCQA, annales de pharmacie",
    publisher="FrenchMedMCQA (Labrak et coll.)",
    licence="Apache-2.0",
    url="https://github.com/qanastek/FrenchMedMCQA",
)
CAREMEDEVAL = ExamSet(
    slug="CAREMEDEVAL",
    title="CareMedEval – lecture critique d’article",
    label="CareMedEval, lecture critique d’article",
    publisher="CareMedEval (bonzid)",
    licence="Apache-2.0",
    url="https://github.com/bonzid/CareMedEval",
)
MEDIQAL = ExamSet(
    slug="MEDIQAL",
    title="MediQAl – annales de médecine",
    label="MediQAl, annales de médecine",
    publisher="MediQAl (ANR MALADES, A. Bazoge)",
    licence="CC-BY-4.0",
    url="https://huggingface.co/datasets/ANR-MALADES/MediQAl",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamQuestion:
    """A question with its right answers only. ``origin``: further words on where it comes from."""

    identifier: str
    stem: str
    right_answers: tuple[str, ...]
    justification: str = ""
    origin: str = ""


def exam_set_of(record: object) -> ExamSet | None:
    """Which set a record belongs to, by its fields; ``None`` when it is none of them."""
    if not isinstance(record, Mapping) or "question" not in record:
        return None
    if "answers" in record and "correct_answers" in record:
        return CAREMEDEVAL if "justification" in record else FRENCHMEDMCQA
    if ("answer_a" in record and "correct_answers" in record) or "answer" in record:
        return MEDIQAL
    return None


def read_question(record: object, exam_set: ExamSet) -> ExamQuestion | str:
    """The question of a record, or why it is refused (French)."""
    if exam_set_of(record) is not exam_set or not isinstance(record, Mapping):
        return "les champs ne sont pas ceux des autres questions du fichier"
    stem = _words(record.get("question"))
    case = _words(record.get("clinical_case"))
    right = _right_answers(record)
    if not stem or not right:
        return "question sans énoncé ou sans réponse juste lisible"
    link, year = _words(record.get("article_link")), _words(record.get("date_exam"))
    origins = (f"examen de {year}" if year else "", f"article {link}" if link else "")
    return ExamQuestion(
        identifier=_words(record.get("id")),
        stem=f"{case} {stem}".strip(),
        right_answers=right,
        justification=_words(record.get("justification")),
        origin=", ".join(part for part in origins if part),
    )


def _words(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _right_answers(record: Mapping[object, object]) -> tuple[str, ...]:
    """Texts of the right options; empty as soon as one of them cannot be found."""
    if "answer" in record:
        answer = _words(record["answer"])
        return (answer,) if answer else ()
    letters = record.get("correct_answers")
    if isinstance(letters, str):
        letters = re.findall(r"\b[a-e]\b", letters.lower())
    if not isinstance(letters, list) or not letters:
        return ()
    options = record.get("answers")
    found: list[str] = []
    for letter in letters:
        if not isinstance(letter, str) or letter not in _LETTERS:
            return ()
        if isinstance(options, Mapping):
            found.append(_words(options.get(letter)))
        else:
            found.append(_words(record.get(f"answer_{letter}")))
    return tuple(found) if all(found) else ()


def unfit(question: ExamQuestion, exam_set: ExamSet) -> str:
    """Why a question must not be said, one of the labels above; empty when it may."""
    if _NEGATIVE_STEM.search(question.stem):
        return NEGATIVE
    if any(_DEPENDENT_ANSWER.search(answer) for answer in question.right_answers):
        return DEPENDENT
    words = sum(len(text.split()) for text in (question.stem, *question.right_answers))
    if words > _MAX_WORDS:
        return TOO_LONG
    # Half a sentence would lose the words that say it is an exam answer.
    return "" if len(sentence_spans(exam_sentence(question, exam_set))) == 1 else NOT_ONE_SENTENCE


def exam_sentence(question: ExamQuestion, exam_set: ExamSet) -> str:
    """One sentence that says it is the expected answer of an exam, never a bare fact.

    The expert's justification follows in the same sentence, unless it speaks of wrong options or
    is too long.
    """
    origin = f", {question.origin}" if question.origin else ""
    stem = one_sentence(question.stem, closed=False)
    answers = f"{NBSP}; ".join(one_sentence(a, closed=False) for a in question.right_answers)
    single = len(question.right_answers) == 1
    label = "la réponse attendue est" if single else "les réponses attendues sont"
    text = (
        f"Question d’examen ({exam_set.label}{origin}){NBSP}: à «{NBSP}{stem}{NBSP}», "
        f"{label}{NBSP}: {answers}"
    )
    reason = question.justification
    if reason and not _WRONG_IN_JUSTIFICATION.search(reason):
        said = one_sentence(reason, closed=False)
        longer = f"{text}{NBSP}; justification de l’expert{NBSP}: {said}"
        if len(longer.split()) <= _MAX_WORDS:
            text = longer
    return one_sentence(text)
