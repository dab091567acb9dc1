"""Verbs of a question: what is done to the subject, not the subject."""

from __future__ import annotations

import re

from ancremed_desktop.pipeline.french_words import is_french
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import INVERTED

_INFINITIVE = re.compile(
    r"(?!cancer|ulcer|cathet|scann|holter|doppler|alzheimer|sphinct|dossier|danger|foyer)"
    r"[a-z]{4}(?:er|ir)$|(?!laser|foyer|hiver|hyper|super|tuber)[a-z]{3}er$"
    r"|(?!hypochon)[a-z]{2}(?:[aeiou]n|[eo]r|ou)dre$|[a-z](?:ai|[ae]t)tre$|[a-z]{2}[^ao]ire$"
    r"|(?:sui|survi|vi)vre$|(?<!af)faire$"
)
"""« respiratoire », « goitre » and « conservatoire » are no verbs."""
_BEFORE = re.compile(
    r"(?:\b(?:se|ne|on|ils?|elles?|je|tu|nous|vous|ca|cela|[ad]e? quoi|(?<!ce )que|"
    r"(?<!pour )(?<!chez )(?<!avec )(?<!\ba )qui)\s|(?<!\w)[snj]['’])$"
)
"""What only a verb follows."""
_PARTICIPLE = re.compile(r"é(?:e|s|es)?$", re.IGNORECASE)
_AUXILIARY = re.compile(r"\b(?:etre|(?:qui|il|elle|on) (?:a|ont)|ils ont|elles ont)\s$")
_IRREGULAR = re.compile(r"(?:(?:re|ap|com|sur)?pris|(?:re|ad|per|pro)?mis|recu|vu|bu|eu|fait)e?s?$")
_HAS = re.compile(r"\b(?:a|ont|avait|avaient)\s$")
_GERUND = re.compile(r"\ben\s$")
_PLURAL = re.compile(r"[sx]\s$")


def is_verb(word: str, before: str) -> bool:
    """Whether an everyday word is used as a verb, by its form and the text ``before`` it."""
    folded = fold(word)
    if INVERTED.search(word):
        return True
    plain = fold(before)
    formed = (
        _INFINITIVE.search(folded)
        or _BEFORE.search(plain)
        or (folded.endswith("ant") and _GERUND.search(plain))
        or (_PARTICIPLE.search(word) and _AUXILIARY.search(plain))
        or (_IRREGULAR.match(folded) and _HAS.search(plain))
    )
    if formed:
        return is_french(folded)
    # « lipoprotéines protègent »: a plural, then the third person of a known infinitive.
    ends = folded.endswith("ent") and _PLURAL.search(plain)
    return bool(ends) and any(is_french(f"{folded[:-3]}{end}") for end in ("er", "ir", "re"))
