"""First stage: a raw question becomes a checked, corrected ``Question``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from rapidfuzz.distance import OSA

from ancremed_desktop.domain.plans import Correction, Question
from ancremed_desktop.errors import BadQuestionError
from ancremed_desktop.pipeline.exam_signs import signs_named
from ancremed_desktop.pipeline.french_words import is_french
from ancremed_desktop.pipeline.laboratory import named_value
from ancremed_desktop.pipeline.lexicon import Acronym, PlanningLexicon
from ancremed_desktop.pipeline.plain_values import plain_values
from ancremed_desktop.pipeline.shortened import completions
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.codes import read_codes
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import STOP_WORDS

MAX_CHARACTERS = 2000
"""A longer question is a document: it would hide what is asked and slow every stage."""

_LONG_WORD = 8
_CLINICAL_END = re.compile(r"(?:emie|urie|penie|pathie|tension|thermie|plasie|trophie|pnee)s?$")
_MIN_TYPO_LETTERS = 5
_EDITS = 2
"""Between a name of a drug and what is offered as it."""
_MISPRINTED = 2
"""Passages that may hold a word and yet all be misprints."""
_BY_CHANCE = 5
"""Passages that may hold a word in another language (« Aug »)."""
_FAR_MORE = 20
_MORE = 2
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_HEARD = tuple(
    (re.compile(pattern), heard)
    for pattern, heard in (
        ("ph", "f"), ("y", "i"), ("tion", "sion"), ("qu|k|ch(?=[lrn])", "c"), ("h", ""),
        ("eau|au", "o"), ("ain|ein", "in"), ("an|am|em(?=[bp])", "en"), ("z", "s"),
        (r"(.)\1+", r"\1"), ("e?[sx]?$", ""),
    )
)  # fmt: skip
_VERBS = {
    "bu": re.compile(r"\b(?:ai|as|a|ont|avait|aurait|avoir|ayant)(?: (?:deja|trop|tout))? $"),
    "ait": re.compile(r"\bqu(?:'|e )(?:il|elle|on|l[ea] \w+) $"),
    "ira": re.compile(r"\b(?:il|elle|on) $"),
}
"""Acronyms typed as words that are verbs, and what then stands before them."""


def understand(raw: str, index: PassageIndex, lexicon: PlanningLexicon) -> Question:
    """Check, normalise (NFC, control characters out) and correct a question.

    Raises:
        BadQuestionError: empty, over 2,000 characters, or without any letter or digit.

    """
    text, signs = signs_named(_checked(raw))
    text, named = named_value(plain_values(text))
    corrections = [*signs, *named]
    pieces: list[str] = []
    last = 0
    codes = [range(c.start, c.end) for c in read_codes(text)]
    words = [m for m in _WORD.finditer(text) if not any(m.start() in code for code in codes)]
    for match in words:  # of « CIS 60234100 » the word only announces the code
        read = _correct(text, match, index, lexicon)
        corrections += read
        if read and read[0].kind == "typo" and read[0].certain:
            pieces += [text[last : match.start()], read[0].replacement]
            last = match.end()
    pieces.append(text[last:])
    return Question(raw=raw, text="".join(pieces), corrections=tuple(corrections))


def _checked(raw: str) -> str:
    cleaned = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in raw)
    text = " ".join(unicodedata.normalize("NFC", cleaned).split())
    if not text:
        raise BadQuestionError("La question est vide : écrivez-la en français, puis validez.")
    if len(text) > MAX_CHARACTERS:
        raise BadQuestionError(
            f"La question compte {len(text)} caractères ; le maximum est de 2 000. "
            "Résumez-la, puis validez."
        )
    if not any(c.isalnum() for c in text):
        raise BadQuestionError("La question ne contient aucun mot : écrivez-la en français.")
    return text


def _correct(
    text: str, match: re.Match[str], index: PassageIndex, lexicon: PlanningLexicon
) -> tuple[Correction, ...]:
    word = match[0]
    key = fold(word)
    acronym = find_acronym(word, lexicon.acronyms)
    if acronym is not None and _is_verb(match, text):
        return ()
    if acronym is not None and text[match.start() - 1 : match.start()] != "/":  # « mL/min »
        meant = " / ".join(expansions_in_context(acronym, text))
        return (Correction(original=word, replacement=meant, kind="acronym"),)
    if key in lexicon.brands:
        return (Correction(original=word, replacement=lexicon.brands[key], kind="brand"),)
    typo = _typo(match, index, lexicon)
    found: tuple[Correction, ...] = (typo,) if typo else ()
    if (typo and fold(typo.replacement).startswith(key)) or not _is_unread(word, index, lexicon):
        return found
    # « bilat » is « bilatéral » cut short as well as « bilan » misspelt: both are asked.
    longer = completions(key, index, lexicon)
    drugs = () if typo and typo.certain else _near_drugs(key, lexicon)
    if not (longer or drugs):
        return found
    offered: dict[str, str] = {}
    for wording in (*longer, *drugs, *(c.replacement for c in found)):
        offered.setdefault(fold(wording), wording)
    return tuple(_offer(word, wording) for wording in offered.values())


def _is_verb(match: re.Match[str], text: str) -> bool:
    """Whether what is an acronym elsewhere is a verb here: « il a bu », « qu’il ait », « ira »."""
    before = _VERBS.get(match[0])
    return before is not None and bool(before.search(fold(text[: match.start()])))


def _is_unread(word: str, index: PassageIndex, lexicon: PlanningLexicon) -> bool:
    """Whether a word is neither of the corpus, nor of the lexicon, nor of everyday French."""
    key = fold(word)
    return not (
        key in STOP_WORDS
        or word.isupper()
        or index.document_frequency(word) > _BY_CHANCE
        or _in_lexicon(key, lexicon)
        or is_french(key)
    )


def _offer(word: str, replacement: str) -> Correction:
    return Correction(original=word, replacement=replacement, kind="typo", certain=False)


def _near_drugs(key: str, lexicon: PlanningLexicon) -> tuple[str, ...]:
    """Drugs the corpus may not name whose names a folded word misspells, the nearest alone."""
    if len(key) < _MIN_TYPO_LETTERS:
        return ()
    near = {
        name: distance
        for folded, name in lexicon.drug_labels.items()
        if folded[:1] == key[:1]
        and 0 < (distance := OSA.distance(key, folded, score_cutoff=_EDITS)) <= _EDITS
        and not _is_another_word(key, folded)
    }
    return tuple(n for n, d in near.items() if d == min(near.values()))


def find_acronym(word: str, acronyms: Mapping[str, Acronym]) -> Acronym | None:
    """The dictionary's entry for a word as typed; guarded ones only in capitals."""
    entry = acronyms.get(fold(word))
    if entry is None or (fold(word) in STOP_WORDS and not word.isupper()):
        return None
    if entry.guarded and not word.isupper() and word != entry.acronym:
        return None
    return entry


def expansions_in_context(acronym: Acronym, text: str) -> tuple[str, ...]:
    """The expansions whose context words stand most often in the text; all of them on a tie."""
    folded = fold(text)
    counts = {e: sum(fold(c) in folded for c in clues) for e, clues in acronym.contexts}
    best = max(counts.values(), default=0)
    if best == 0:
        return acronym.expansions
    return tuple(e for e in acronym.expansions if counts.get(e, 0) == best)


def spelt_both_ways(folded: str, question: Question, lexicon: PlanningLexicon) -> str:
    """The question with its acronyms written out and its long names abbreviated.

    « AVC » and « accident vasculaire cérébral », « STEMI » and « infarctus » are planned alike.
    """
    padded = " " + re.sub(r"[^\w+-]", " ", folded) + " "
    held = ((name, key) for name, key in lexicon.abbreviations if name in padded)
    short = [key for name, key in held if f" {name} " in padded]
    long = [fold(c.replacement) for c in question.corrections if c.kind == "acronym"]
    return " ".join((folded, *dict.fromkeys((*short, *long))))


def _typo(match: re.Match[str], index: PassageIndex, lexicon: PlanningLexicon) -> Correction | None:
    word, key = match[0], fold(match[0])
    if len(key) < _MIN_TYPO_LETTERS or key in STOP_WORDS or "-" in key:
        return None
    held = index.document_frequency(word)
    if held > _MISPRINTED or _in_lexicon(key, lexicon) or word.isupper():
        return None
    near = _nearest(key, held, index)
    if not near or _is_another_word(key, fold(near[0])):
        return None
    if is_french(key):  # asked last: the dictionary takes longer to read than the index
        return None  # a word the corpus lacks, not a mistake
    if held:
        # The corpus may hold the mistake itself: what it nearly always writes is only offered.
        return Correction(original=word, replacement=near[0], kind="typo", certain=False)
    # A capital inside the sentence is a name: an invented drug must not become a real one.
    is_name = word[0].isupper() and match.start() > 0
    is_drug = any(m.is_drug_or_class for m in index.mentions(near[0]))
    # Two edits make « autonomie » of « astronomie »: only when both sound alike is it a typo.
    is_close = OSA.distance(key, fold(near[0])) == 1 or _sound(key) == _sound(fold(near[0]))
    # A letter too many is no slip of a short word, it is another one (« stemi », « stem »).
    is_less = len(key) <= _MIN_TYPO_LETTERS and len(near[0]) < len(key)
    return Correction(
        original=word,
        replacement=near[0],
        kind="typo",
        certain=is_close and not is_name and not is_drug and not is_less,
    )


def _is_another_word(key: str, near: str) -> bool:
    """Two edits that change the sound make another word of a short one (« sédation », « station »)
    or of a measure, a disease or its contrary (« hyperkaliémie », « hypercalcémie »).
    """
    if OSA.distance(key, near) < 2 or _sound(key) == _sound(near):
        return False
    return min(len(key), len(near)) < _LONG_WORD or bool(_CLINICAL_END.search(key))


def _nearest(key: str, held: int, index: PassageIndex) -> tuple[str, ...]:
    """Vocabulary words near a folded word that ``held`` passages hold, the likeliest first.

    One that sounds alike and stands in more passages goes before a nearer, rarer one, which may
    be a misprint of the corpus.
    """
    near = [w for w in index.vocabulary_matches(key, 4) if fold(w) != key]
    if not near:
        return ()
    heard = [w for w in near if _sound(fold(w)) == _sound(key)] or near[:1]
    counts = {w: index.document_frequency(w) for w in (near[0], *heard)}
    common = max(heard, key=lambda w: counts[w])
    likeliest = common if counts[common] >= _MORE * counts[near[0]] else near[0]
    if held and counts.get(likeliest, 0) < _FAR_MORE * held:
        return ()
    return (likeliest, *(w for w in near if w != likeliest))


def _sound(folded: str) -> str:
    """Rough French sound of a folded word: spellings that are heard alike become one."""
    for pattern, sound in _HEARD:
        folded = pattern.sub(sound, folded)
    return folded


def _in_lexicon(key: str, lexicon: PlanningLexicon) -> bool:
    if key in lexicon.drug_words or key in lexicon.synonyms:
        return True
    return any(s.ask is not None and s.ask.fullmatch(key) for s in lexicon.sections.values())
