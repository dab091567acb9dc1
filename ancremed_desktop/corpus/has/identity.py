"""Reads what a HAS document says of itself: title, kind, publisher, number, dates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ancremed_desktop.corpus.has.pdf_text import Identity
from ancremed_desktop.corpus.pdf.layout import Line, PageLayout, PdfLayout
from ancremed_desktop.corpus.pdf.line_text import join_lines, line_text
from ancremed_desktop.corpus.pdf.trust import distrust, is_spaced_out
from ancremed_desktop.text.normalise import fold

_MONTH_NAMES = (
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre"
)
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES.split(), 1)}
_MONTH = "|".join(_MONTHS)
_DATE = re.compile(
    rf"(?:(?P<day>\d{{1,2}})(?:er)?\s+)?(?P<month>{_MONTH})\s+(?P<year>(?:19|20)\d\d)\b"
    r"|\b(?P<d>\d{1,2})[/.](?P<m>\d{1,2})[/.](?P<y>(?:19|20)\d\d)\b"
)
_YEAR = re.compile(r"\b((?:19|20)\d\d)\b")
_UPDATE = re.compile(
    r"\b(?:mise? a jour|maj|actualis\w+|revis\w+|version (?:de|du|actualisee))\b(?!.{0,3}»)"
)
_VALIDATED = re.compile(r"\b(?:valid\w+|adopt\w+|avis du|seance du|date de)\b")
_UPDATE_REACH = 45
"""Letters between « mise à jour » and its date: further away the date is another thing's."""

_KINDS: tuple[tuple[str, str], ...] = (
    (r"fiche memo", "fiche mémo"),
    (r"fiche pertinence|^pertinence$", "fiche pertinence"),
    (r"bon usage du medicament", "fiche de bon usage du médicament"),
    (r"bon usage des technologies", "fiche de bon usage des technologies"),
    (r"protocole national de diagnostic", "protocole national de diagnostic et de soins"),
    (r"guide (?:du )?parcours de soins", "guide du parcours de soins"),
    (r"points cles.*parcours|organisation des parcours", "points clés du parcours de soins"),
    (
        r"commission de la transparence|avis sur les medicaments",
        "avis de la Commission de la transparence",
    ),
    (r"cnedimts|commission nationale d ?evaluation", "avis de la CNEDiMTS"),
    (r"evaluation des produits et prestations|avis de la commission", "avis de la CEPP"),
    (
        r"^synthese|(?:fiche|rapport) de synthese|synthese des? (?:la )?recommandation",
        "synthèse de recommandation",
    ),
    (r"^fiche$", "fiche"),
    (r"^recommand|bonne pratique|texte des recommandations", "recommandation"),
)
_GENERIC = re.compile(
    r"(?:la )?haute autorite de sante|has|agence nationale.*|anaes|fiche|fiche memo|memo"
    r"|pertinence|fiche pertinence|synthese|avis.*|conclusions?|essentiel|l essentiel|points cles"
    r"|texte.*recommandations|recommand(?:er|ations?)(?: (?:vaccinale|professionnelles?"
    r"|pour la pratique clinique|de bonne pratique|de la has|en sante publique).*)?"
    r"|synthese des? (?:la )?recommandations?.*|fiche de synthese|rapport de synthese sur"
    r"|consensus formalise|argumentaire|guide.{0,4}(?:du )?parcours de soins|guide|guide medecin"
    r"|fascicule|bon usage.*|inscription|(?:de la )?commission.*|medicaments|ald.{0,6}"
    r"|(?:des )?dispositifs medicaux et des technologies de sante|et des technologies de sante"
    r"|(?:premiere |deuxieme )?(?:inscription|reevaluation|renouvellement).*|preambule|objectifs?"
    r"|sommaire|ce qu il faut faire|service .*|direction .*|www.*|[\d .,/-]*|nom|liste des.*"
    r"|protocole national de diagnostic et de soins.*|annexes?"
)
"""Words of a cover that name the kind of document or the body, not its subject."""
_PRODUCT = re.compile(r"(?:[A-ZÀ-Ý][A-ZÀ-Ý0-9®™-]{3,})(?:\s[A-Z0-9®™-]+)*\s?®?\s*,\s*[a-zà-ÿ]")
_METADATA_JUNK = re.compile(
    r"microsoft|\.docx?|\.pdf|\.qxd|\.indd|untitled|sans titre|_|mod[eè]le\d|^\W*\d", re.IGNORECASE
)
_REFERENCE = re.compile(r"\b(CT|CNEDI?MTS)[\s_-]{0,2}(?:n°\s?)?(\d{4,6})\b", re.IGNORECASE)
_APART = re.compile(r"[^a-z0-9]+")
_HAS = re.compile(
    r"haute autorite (?:de|en) sante|\bhas (?:sante )?fr\b|^has\b|\bhas$|accreditation et d evaluation"
    r"|\banaes\b|commission de la transparence|cnedimts|commission (?:nationale )?d evaluation des"
)
"""How a document of the HAS, of the ANAES before it or of their commissions names its author."""
_BODY = re.compile(
    r"(?:(?:societe|association|college|federation|academie|agence|institut) "
    r"(?:francais|national|europeen|international|de )|ministere |haut conseil |organisation mondiale "
    r"|european society|world health|american (?:college|heart|society)).+"
)
_SHORT_LINE = 90
UNKNOWN_PUBLISHER = "éditeur non identifié"
_MAX_TITLE = 220


@dataclass(frozen=True, slots=True)
class _Title:
    text: str
    size: float
    y0: float


def read_identity(
    layout: PdfLayout, furniture: Sequence[frozenset[int]], file_stem: str
) -> Identity:
    """Identity of a document from its first pages, its running footers and its file's metadata.

    ``furniture``: for each page the indices of its running lines. The file name serves for the
    number of an opinion, and for a title only when nothing else does (``title_is_own`` false).
    """
    first = _cover(layout)
    title, own = _title(layout, first, file_stem)
    words = " ".join(line_text(line) for page in layout.pages[:3] for line in page.lines)
    date, first_date = _dates(layout, furniture, first)
    return Identity(
        title=title,
        title_is_own=own,
        kind=_kind(first, words),
        publisher=_publisher(_own_lines(layout, furniture, first), words, first_date or date),
        reference=_reference(" ".join(line_text(line) for line in first.lines), file_stem),
        date=date,
        first_date=first_date if first_date != date else "",
    )


def _cover(layout: PdfLayout) -> PageLayout:
    """The first page that says something."""
    for page in layout.pages:
        if sum(len(line.raw.split()) for line in page.lines) > 3:
            return page
    return layout.pages[0]


def _title(layout: PdfLayout, cover: PageLayout, file_stem: str) -> tuple[str, bool]:
    body = _usual_size(layout)
    readable = cover.number == 1 and not distrust(cover, [line_text(li) for li in cover.lines])
    candidates = [t for t in _candidates(cover) if not _is_generic(t.text)] if readable else []
    if candidates:
        largest = max(t.size for t in candidates)
        best = next(t for t in candidates if t.size == largest)
        if largest > 1.2 * body:
            return _tidy(best.text), True
    product = next((t for t in candidates if _PRODUCT.match(t.text)), None)
    if product is not None:
        return _tidy(product.text), True
    metadata = " ".join(layout.metadata_title.split())
    if len(metadata.split()) > 2 and not _METADATA_JUNK.search(metadata):
        return _tidy(metadata), True
    bold = next((t for t in candidates if len(t.text.split()) > 2 and t.size >= body), None)
    if bold is not None:
        return _tidy(bold.text), True
    return _tidy(re.sub(r"[_\s]+", " ", file_stem)), False


def _usual_size(layout: PdfLayout) -> float:
    sizes: dict[float, int] = {}
    for page in layout.pages:
        for line in page.lines:
            size = round(line.size * 2) / 2
            sizes[size] = sizes.get(size, 0) + len(line.raw)
    return max(sizes, key=lambda size: sizes[size]) if sizes else 10.0


def _candidates(page: PageLayout) -> list[_Title]:
    """Lines of one size that stand under one another, joined, from the top of the page."""
    groups: list[list[Line]] = []
    for line in sorted(page.lines, key=lambda line: (line.y0, line.x0)):
        text = line_text(line)
        if not text or is_spaced_out(text):
            continue
        above = next((g for g in reversed(groups[-4:]) if _goes_under(line, g[-1])), None)
        if above is None:
            groups.append([line])
        else:
            above.append(line)
    return [_joined(group) for group in groups]


def _goes_under(line: Line, above: Line) -> bool:
    size = _tallest(line)
    return (
        abs(size - _tallest(above)) < 1.0
        and 0.5 * size < line.baseline - above.baseline < 1.5 * size
        and min(line.x1, above.x1) > max(line.x0, above.x0)
        and not _is_generic(line_text(line))
        and not _is_generic(line_text(above))
    )


def _tallest(line: Line) -> float:
    """Largest size of a line: that of the capitals where small capitals are used."""
    return max(run.size for run in line.runs if run.text.strip())


def _joined(group: Sequence[Line]) -> _Title:
    text = ""
    for line in group:
        text = join_lines(text, line_text(line), frozenset())
    return _Title(text, round(max(_tallest(line) for line in group)), group[0].y0)


def _words(text: str) -> str:
    return _APART.sub(" ", fold(text)).strip()


def _is_generic(text: str) -> bool:
    words = _words(text)
    bare = _DATE.sub("", words).strip()
    return not bare or len(bare) < 4 or bool(_GENERIC.fullmatch(bare))


def _tidy(text: str) -> str:
    text = re.sub(r"\s+", " ", text).strip(" -–—:•,")
    letters = [c for c in text if c.isalpha()]
    if letters and all(c.isupper() for c in letters) and len(text.split()) > 3:
        text = text[0] + text[1:].lower()
    return text[:1].upper() + text[1:_MAX_TITLE]


def _kind(cover: PageLayout, words: str) -> str:
    """By the cover's own lines first, then by the words of the first pages."""
    lines = [_words(line_text(line)) for line in cover.lines]
    for pattern, kind in _KINDS:
        if any(len(line) < 90 and re.search(pattern, line) for line in lines):
            return kind
    folded = _words(words)
    return next((k for p, k in _KINDS if k.startswith("avis") and re.search(p, folded)), "")


def _own_lines(
    layout: PdfLayout, furniture: Sequence[frozenset[int]], cover: PageLayout
) -> list[str]:
    """Short lines where a document says whose it is: cover, running lines, margins, last page."""
    lines = [line_text(line) for page in (cover, layout.pages[-1]) for line in page.lines]
    for page, dropped in zip(layout.pages, furniture, strict=True):
        lines += [line_text(page.lines[index]) for index in dropped]
    lines += [*layout.margin_texts, layout.metadata_title]
    return [line for line in lines if len(line) < _SHORT_LINE]


def _publisher(own: Sequence[str], words: str, date: str) -> str:
    """Who publishes a document, as it says itself: a mention of the HAS in its text is no proof."""
    if not any(_HAS.search(_words(line)) for line in own):
        return next((_tidy(line) for line in own if _BODY.match(_words(line))), UNKNOWN_PUBLISHER)
    folded = _words(words)
    if "commission de la transparence" in folded:
        return "HAS – Commission de la transparence"
    if "cnedimts" in folded or "commission nationale d evaluation" in folded:
        return "HAS – CNEDiMTS"
    if "produits et prestations" in folded and "avis de la commission" in folded:
        return "CEPP" if date < "2005" else "HAS – CEPP"
    # The ANAES became part of the HAS on 1 January 2005 (loi n° 2004-810, 13 août 2004).
    if date and date < "2005" and ("anaes" in folded or "accreditation" in folded):
        return "ANAES"
    return "HAS"


def _reference(cover_words: str, file_stem: str) -> str:
    found = _REFERENCE.search(cover_words) or _REFERENCE.search(file_stem.replace("_", " "))
    return f"{found.group(1).upper()}-{found.group(2)}" if found else ""


def _dates(
    layout: PdfLayout, furniture: Sequence[frozenset[int]], cover: PageLayout
) -> tuple[str, str]:
    """(date of the edition, date of the first edition): the update wins when later."""
    update = max((d for page in layout.pages[:2] for d in _update_dates(page)), default="")
    first = (
        _alone(cover)
        or _validated(layout.pages[:3])
        or _running(layout, furniture)
        or _alone(layout.pages[-1])
        or _copyright(layout)
    )
    return max(update, first), first or update


def _update_dates(page: PageLayout) -> Iterator[str]:
    for line in page.lines:
        folded = fold(line_text(line))
        found = _UPDATE.search(folded)
        # A mention inside a sentence about another text (« (HAS, mise à jour 2017) ») is not ours.
        if not found or (found.start() > 12 and not re.match(r"(?:ce|cette) ", folded)):
            continue
        date = _DATE.search(folded, found.end(), found.end() + _UPDATE_REACH)
        if date:
            yield _iso(date)


def _alone(cover: PageLayout) -> str:
    """A date that stands alone on the cover, or the day an opinion was adopted."""
    folded = [fold(line_text(line)).strip() for line in cover.lines]
    for text in folded:
        date = _DATE.search(text)
        if date and len(text) - len(date.group(0)) <= 4:
            return _iso(date)
    for text in folded:
        validated = _VALIDATED.search(text)
        date = _DATE.search(text, validated.start()) if validated else None
        if date and validated and date.start() - validated.end() < 60:
            return _iso(date)
    return ""


def _validated(pages: Sequence[PageLayout]) -> str:
    for page in pages:
        text = fold(" ".join(line_text(line) for line in page.lines))
        for validated in _VALIDATED.finditer(text):
            date = _DATE.search(text, validated.end(), validated.end() + 90)
            if date:
                return _iso(date)
    return ""


def _running(layout: PdfLayout, furniture: Sequence[frozenset[int]]) -> str:
    """The date most running heads and footers bear."""
    counts: dict[str, int] = {}
    for page, dropped in zip(layout.pages, furniture, strict=True):
        for index in dropped:
            date = _DATE.search(fold(line_text(page.lines[index])))
            if date:
                counts[_iso(date)] = counts.get(_iso(date), 0) + 1
    return max(counts, key=lambda date: counts[date]) if counts else ""


def _copyright(layout: PdfLayout) -> str:
    """The year of the copyright line, often printed upright in the margin."""
    for text in layout.margin_texts:
        year = _YEAR.search(text)
        if year and ("©" in text or "has" in fold(text)):
            return year.group(1)
    return ""


def _iso(date: re.Match[str]) -> str:
    if date.group("month"):
        iso = f"{date.group('year')}-{_MONTHS[date.group('month')]:02d}"
        return f"{iso}-{int(date.group('day')):02d}" if date.group("day") else iso
    return f"{date.group('y')}-{int(date.group('m')):02d}-{int(date.group('d')):02d}"
