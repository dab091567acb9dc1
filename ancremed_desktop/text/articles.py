"""Numbers of articles and sections: as headings, in questions, in references between articles.

A *label* is the canonical form under which a numbered text is stored and looked up: ``art-55``,
``art-55-1``, ``art-l1110-4``, ``sec-4.2``. It stands in the URN of each passage of that text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words

_LATIN = "bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies"
_DIGITS = rf"\d{{1,5}}(?:[.-]\d{{1,5}})*(?: ?(?:{_LATIN})\b)?"
_LETTER = r"(?:(?:lo|[lrd])(?: ?\. ?\*? ?| ?\*? ?(?=\d))|a\. ?)"
_NUMBER = rf"(?:{_LETTER}?{_DIGITS}|1er\b|premier\b|[ivx]{{1,6}}\b)"
_CODE = r"\b(?:lo|[lrd])\. ?\*? ?\d{2,5}(?:-\d{1,4})+"
"""« L. 1110-4 » needs no word before it; « L5 » is a vertebra, « L. 5 » too little to tell."""
_JOIN = r"(?: ?, ?(?:(?:et|ou) )?| (?:et|ou|a) )"
_ARTICLES = re.compile(
    rf"\b(?:articles (?P<list>{_NUMBER}(?:{_JOIN}{_NUMBER})*)"
    rf"|(?:article|art\.?) ?(?P<one>{_NUMBER}))|(?P<code>{_CODE})"
)
_SECTIONS = re.compile(
    r"(?:§§? ?|\b(?:sections?|chapitres?|rubriques?) (?:n° ?)?)(?P<any>\d{1,3}(?:\.\d{1,3})*)\b(?! ?%)"
    r"|\b(?:paragraphes?|points?) (?P<dotted>\d{1,3}(?:\.\d{1,3})+)\b"
)
_ONE = re.compile(_NUMBER)
_RANGE = " a "
_DOCUMENT = re.compile(
    r" ?(?:et suivants? )?(?:du|de la|de l'|des) ?"
    r"(?P<name>[^?!;:,.()]{3,80}?)"
    r"(?=$|[?!;:,.()]| (?:sur|dit|disent|prevoit|prevoient|concernant|relatifs?|relatives?|parle|qui"
    r"|que|a propos|en matiere|est|sont|peut|peuvent|doit|doivent|ne|n'|s'|ou|et|pour|dans|par)\b)"
)
_WITHIN = re.compile(
    r"\b(?:dans|selon|d'apres|du|de la|de l') ?(?P<name>[^?!;:,]{3,80}?)(?=$|[?!;:,])"
)
_OPENING = re.compile(
    rf"(?:(?:article|art\.?) ?(?P<number>{_NUMBER})|(?P<code>{_CODE}))(?P<after> ?[.:)]?(?: ?- )? ?)"
)
_SECTION = re.compile(
    r"(?:§ ?)?(?P<number>\d{1,2}(?:\.\d{1,3}){0,4})(?P<dot>[.)]?)(?: ?-)? (?=\S)|§ ?(?P<only>\d{1,2}(?:\.\d{1,3})*)$"
)
_BEGINS = '«“"(['
_URN = re.compile(r"#[0-9a-f]+-((?:art|sec)-[a-z0-9.-]+)-\d+$")
_SPLIT = re.compile(r"(?<=[.;:»!?]) +(?=Art(?:icle|\.) ?[\dLRD])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A text that is referred to by number.

    ``through``: label of the last of a range (« 98 à 98-2 »), else empty. ``document``: folded
    content words of the document it is said to belong to (« code civil »); empty: not said, or
    the same document.
    """

    label: str
    through: str = ""
    document: tuple[str, ...] = ()


def references(text: str) -> tuple[Reference, ...]:
    """Articles and sections a text refers to, in order, each once."""
    folded = " ".join(fold(text).split())
    found: dict[Reference, int] = {}
    for match in _ARTICLES.finditer(folded):
        for reference in _articles(match, _document(folded, match.end())):
            found.setdefault(reference, match.start())
    for match in _SECTIONS.finditer(folded):
        reference = Reference(
            label=f"sec-{match['any'] or match['dotted']}", document=_document(folded, match.end())
        )
        found.setdefault(reference, match.start())
    return tuple(sorted(found, key=lambda r: found[r]))


def asked_document(text: str) -> tuple[str, ...]:
    """Content words of the document a question names apart (« dans le code civil, … »)."""
    folded = " ".join(fold(text).split())
    for match in _WITHIN.finditer(folded):
        if not _ARTICLES.search(match["name"]) and not _SECTIONS.search(match["name"]):
            return content_words(match["name"])
    return ()


def opening_label(text: str) -> str:
    """Label of the article a paragraph or heading opens (« Art. 55-1. – … »), else empty.

    « Article 55 du code civil » opens nothing: it goes on as a sentence.
    """
    words = " ".join(text[:300].split())
    match = _OPENING.match(fold(words))
    if match is None:
        return ""
    following = words[match.end() : match.end() + 1]
    begins = not following or following.isupper() or following in _BEGINS
    if not begins and not match["after"].strip():
        return ""
    return f"art-{canonical(match['number'] or match['code'])}"


def section_label(heading: str) -> str:
    """Label of a numbered heading (« 4.2 Posologie », « §3.2 », « Article 5 »), else empty."""
    label = opening_label(heading)
    if label:
        return label
    match = _SECTION.match(" ".join(fold(heading).split()))
    return f"sec-{match['number'] or match['only']}" if match else ""


def is_section_line(line: str) -> bool:
    """Whether a line of plain text reads as a numbered heading (« 4.2 Posologie »)."""
    match = _SECTION.match(" ".join(fold(line).split()))
    if match is None or len(line) > 100 or line.rstrip().endswith((".", ";", ",", ":")):
        return False
    title = line.strip()[match.end() :].strip()
    return bool(match["only"]) or ("." in match["number"] and title[:1].isupper())


def is_article_line(line: str) -> bool:
    """Whether a line holds the number of an article and nothing else."""
    words = " ".join(fold(line).split())
    match = _OPENING.match(words)
    return match is not None and match.end() == len(words)


def at_articles(paragraph: str) -> tuple[str, ...]:
    """A paragraph cut before each article it opens in its middle; whitespace there is lost."""
    pieces: list[str] = []
    for piece in _SPLIT.split(paragraph):
        if pieces and not opening_label(piece):
            pieces[-1] = f"{pieces[-1]} {piece}"
        else:
            pieces.append(piece)
    return tuple(pieces)


def canonical(number: str) -> str:
    """« L. 1110-4 » → ``l1110-4``, « 1er » and « premier » → ``1``, « 55 bis » → ``55-bis``."""
    folded = fold(number).strip()
    if folded in {"1er", "premier"}:
        return "1"
    folded = re.sub(rf" ?({_LATIN})$", r"-\1", folded)
    return re.sub(r"[ *]", "", re.sub(r"^(lo|[lrda]) ?\.", r"\1", folded))


def label_of(urn: str) -> str:
    """Label of the numbered text a passage belongs to, read in its URN; empty: none."""
    match = _URN.search(urn)
    return match[1] if match else ""


def spoken(label: str) -> str:
    """A label as one says it: ``art-l1110-4`` → « article L1110-4 »."""
    kind, _, number = label.partition("-")
    shown = re.sub(r"^(lo|[lrda])(?=\d)", lambda m: m[1].upper(), number)
    return f"{'article' if kind == 'art' else 'section'} {shown}"


def _articles(match: re.Match[str], document: tuple[str, ...]) -> Iterator[Reference]:
    listed = match["list"]
    if listed is None:
        yield Reference(label=f"art-{canonical(match['one'] or match['code'])}", document=document)
        return
    numbers = list(_ONE.finditer(listed))
    skip = False
    for number, following in zip(numbers, [*numbers[1:], None], strict=True):
        if skip:
            skip = False
            continue
        between = listed[number.end() : following.start()] if following else ""
        skip = between == _RANGE
        through = f"art-{canonical(following[0])}" if following and skip else ""
        yield Reference(label=f"art-{canonical(number[0])}", through=through, document=document)


def _document(folded: str, end: int) -> tuple[str, ...]:
    match = _DOCUMENT.match(folded, end)
    if match is None or match["name"].startswith(("present", "meme ")):
        return ()
    return content_words(match["name"])
