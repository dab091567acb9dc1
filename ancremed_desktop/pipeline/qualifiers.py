"""« Sans comorbidité », « avec aura »: what is said of the contrary case is no answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ancremed_desktop.domain.plans import Qualifier
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words, stem, stems

_ARTICLES = r"(?:(?:les?|la|une?|aucune?|d[eu]s?|autres?|ou) |[ld]['’])*"
_OF = (
    r"(?:(?:signes?|facteurs?|antecedents?|criteres?|risques?|troubles?|atteintes?)"
    r"(?: \w+)? (?:d[eu]s? |d['’])(?:la |les |l['’])?)?"
)
"""« Signe de gravité »: what matters is the gravity."""
_ASKED = re.compile(
    rf"\b(?P<how>sans|avec|(?:en l.)?absence d[eu]s?|(?:en l.)?absence d['’]|ni)\s*"
    rf"{_ARTICLES}{_OF}(?P<what>[a-z][\w-]{{3,}})"
)
_PLAIN = re.compile(
    r"(?<!sans )(?<!ni )(?<!\bpas de )(?<!\bpas d.)(?<!absence de )(?<!absence d.)(?<!\bnon )"
    r"(?<!risque de )(?<!risque d.)(?<!pas )(?<!moins )"
    r"\b(?:(?P<bleeds>hemorragi\w*|saignements?|saigne)|graves?|severes?)\b"
)
"""What a question says is there with no word that says so (« hémorragie grave »)."""
_BLEEDING = ("hemorragie", "hemorragique", "saignement")
_UNCONSCIOUS = re.compile(
    r"\binconscien\w+|\bcoma\b|\bcomateu\w+|\bsans connaissance|\bperte de connaissance"
    r"|\btroubles? de (?:la )?conscience|\bconscience (?:est )?alteree|\bne repond plus"
)
_AWAKE = "conscient"
_IS_AWAKE = re.compile(r"(?<!non )(?<!pas )\bconscient[es]*\b")
"""Whom sugar may be given by mouth, not who is « inconscient »."""
_ABSENT = r"(?:sans|ni|absence d\w?|hors|aucune?|pas (?:d\w?|eu)|indemnes? d\w?)"
_PRESENT = (
    r"(?:avec|en cas d\w?|si|ont|a|ayant|presentent?|presentant|associee?s? a|atteinte?s? d\w?"
    r"|porteu\w+ d\w?)"
)


def asked_qualifiers(text: str) -> tuple[Qualifier, ...]:
    """What a question says its case has (« avec ») or lacks (« sans »), in order."""
    found = (
        Qualifier(stem=stem(m["what"]), absent=m["how"] != "avec")
        for m in _ASKED.finditer(fold(text))
        if content_words(m["what"])
    )
    awake = [Qualifier(stem=_AWAKE, absent=True)] if _UNCONSCIOUS.search(fold(text)) else []
    return tuple(dict.fromkeys((*found, *_plainly_present(fold(text)), *awake)))


def _plainly_present(folded: str) -> Iterator[Qualifier]:
    for match in _PLAIN.finditer(folded):
        for word in _BLEEDING if match["bleeds"] else (match[0],):
            yield Qualifier(stem=stem(word), absent=False)


def is_of_the_contrary(text: str, heading: str, asked: tuple[Qualifier, ...]) -> bool:
    """Whether a sentence, or else the headings above it, is of the contrary of what is asked:
    « aux adultes qui ont une comorbidité » of « sans comorbidité ». A sentence of both cases
    (« avec ou sans ») is of either.
    """
    for qualifier in asked:
        if qualifier.stem == _AWAKE and qualifier.absent:
            if _IS_AWAKE.search(fold(text)):
                return True
            continue
        absent, present = _stands(text, qualifier.stem)
        if not (absent or present):
            absent, present = _stands(heading, qualifier.stem)
            # A heading speaks of what it names: « Comorbidités ».
            present = present or (not absent and qualifier.stem in stems((heading,)))
        if absent is not present and absent is not qualifier.absent:
            return True
    return False


def _stands(text: str, word: str) -> tuple[bool, bool]:
    """(whether a text says that something is not there, whether it says that it is)."""
    folded = fold(text)
    return (
        _says(word, absent=True).search(folded) is not None,
        _says(word, absent=False).search(folded) is not None,
    )


@lru_cache(maxsize=64)
def _says(word: str, *, absent: bool) -> re.Pattern[str]:
    """Up to three words may stand between: « sans signe de gravité », « ont une comorbidité »."""
    how, other = (_ABSENT, _PRESENT) if absent else (_PRESENT, _ABSENT)
    between = rf"['’]?\s*(?:(?!{other}\b)[\w-]+['’ ]+){{0,3}}"
    denied = rf"|\bnon[ -]{re.escape(word)}" if absent else ""  # « hémorragie non grave »
    return re.compile(rf"\b{how}{between}{re.escape(word)}{denied}")
