"""The body of a Markdown card: sections of the taxonomy, one tagged sentence after another.

## posologie
Première phrase entière. [s1]
Deuxième phrase, prouvée par deux sources. [s1, s2]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ancremed_desktop.corpus.cards.problems import CardProblem
from ancremed_desktop.domain.identifiers import SECTIONS
from ancremed_desktop.text.sentences import sentence_spans

_HEADING = re.compile(r"#+\s*(.*?)\s*")
_TAG = re.compile(r"\[(s\d{1,2}(?:,\s*s\d{1,2})*)\]")
_BRACKET = re.compile(r"[\[\]]")
_ENDED = re.compile(r"[.!?…](?:\s?[»)])?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedSentence:
    """A sentence without its tag, the keys of its sources, and its line in the file (from 1)."""

    text: str
    source_keys: tuple[str, ...]
    line: int
    bullet: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSection:
    """A section in file order; ``name`` is one of ``identifiers.SECTIONS``."""

    name: str
    sentences: tuple[TaggedSentence, ...]

    @property
    def text(self) -> str:
        """Sentences after one another on a line, each bullet on a line of its own."""
        parts: list[str] = []
        for sentence in self.sentences:
            if sentence.bullet:
                parts.append(f"\n- {sentence.text}" if parts else f"- {sentence.text}")
            else:
                parts.append(f" {sentence.text}" if parts else sentence.text)
        return "".join(parts)


def parse_body(lines: tuple[str, ...], first_line: int, keys: frozenset[str]) -> list[CardSection]:
    """Sections of the lines below the header, the first of which is line ``first_line``.

    Raises: CardProblem on an unknown or repeated section, text outside a section, a sentence
    without tag, a tag whose key is not in ``keys``, an empty section, no section at all.
    """
    found: list[CardSection] = []
    for heading_line, name, block in _blocks(lines, first_line):
        if name not in SECTIONS:
            raise CardProblem(
                f"ligne {heading_line}", f"« {name} » n’est pas une section de la taxonomie."
            )
        if any(section.name == name for section in found):
            raise CardProblem(f"ligne {heading_line}", f"la section « {name} » est répétée.")
        sentences = tuple(
            sentence for number, line in block for sentence in _sentences(line, number, keys)
        )
        if not sentences:
            raise CardProblem(f"ligne {heading_line}", f"la section « {name} » est vide.")
        section = CardSection(name=name, sentences=sentences)
        _check_cut(section)
        found.append(section)
    if not found:
        raise CardProblem(f"ligne {first_line}", "aucune section « ## … » sous l’en-tête.")
    return found


def _blocks(
    lines: tuple[str, ...], first_line: int
) -> Iterator[tuple[int, str, list[tuple[int, str]]]]:
    current: tuple[int, str, list[tuple[int, str]]] | None = None
    for number, line in enumerate(lines, start=first_line):
        if not line.strip():
            continue
        heading = _HEADING.fullmatch(line) if line.startswith("#") else None
        if heading is not None:
            if not line.startswith("## "):
                raise CardProblem(f"ligne {number}", "une section s’écrit « ## nom ».")
            if current is not None:
                yield current
            current = (number, heading[1], [])
        elif current is None:
            raise CardProblem(f"ligne {number}", "du texte précède la première section.")
        else:
            current[2].append((number, line.strip()))
    if current is not None:
        yield current


def _sentences(line: str, number: int, keys: frozenset[str]) -> Iterator[TaggedSentence]:
    where = f"ligne {number}"
    bullet = line.startswith("- ")
    rest = line.removeprefix("- ")
    start = 0
    for tag in _TAG.finditer(rest):
        text = rest[start : tag.start()].strip()
        start = tag.end()
        _check_sentence(text, where)
        used = tuple(key.strip() for key in tag[1].split(","))
        for key in used:
            if key not in keys:
                raise CardProblem(where, f"la source « {key} » n’est pas dans l’en-tête.")
        yield TaggedSentence(text=text, source_keys=used, line=number, bullet=bullet)
        bullet = False
    if rest[start:].strip():
        raise CardProblem(where, f"affirmation sans source : « {rest[start:].strip()} ».")


def _check_sentence(text: str, where: str) -> None:
    if _BRACKET.search(text):
        raise CardProblem(where, "crochet ou étiquette de source illisible ; écrivez [s1, s2].")
    if _ENDED.search(text) is None:
        raise CardProblem(
            where, f"« {text} » n’est pas une phrase entière terminée avant son étiquette."
        )


def _check_cut(section: CardSection) -> None:
    """Quotes are whole sentences as the application cuts them: each must be one tagged sentence.

    Otherwise a quote would hold a sentence that has no source, or that of its neighbour.
    """
    cut = [
        section.text[start:end].removeprefix("- ") for start, end in sentence_spans(section.text)
    ]
    for index, sentence in enumerate(section.sentences):
        if index < len(cut) and cut[index] == sentence.text:
            continue
        where = f"ligne {sentence.line}"
        if index < len(cut) and sentence.text.startswith(cut[index]):
            raise CardProblem(where, f"affirmation sans source : « {cut[index]} ».")
        raise CardProblem(
            where, f"la fin de « {sentence.text} » se lit comme une abréviation : reformulez-la."
        )
