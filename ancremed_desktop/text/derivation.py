"""Noun, verb and adjective of one root: « surveillance » and « surveiller », by rule."""

from __future__ import annotations

import re
from functools import lru_cache

from ancremed_desktop.text.lexicon import stem

_MIN_BASE = 4
"""Letters a base keeps: below it unrelated words meet."""

# Each rule brings one derivation pattern to a base that the other members of its family reach
# by their own rule or by the stem. Names of diseases in « -ite » have no rule: « hépatite » is
# not « hépatique ».
_RULES = tuple(
    (re.compile(pattern), ending)
    for pattern, ending in (
        # réduction, réduire, réduit, réduisent
        (r"(?:uction|uctions|uire|uit|uits|uite|uites|uisent|uisant|uira|uiront)$", "ui"),
        # prescription, prescrire, prescrit
        (r"scri(?:ption|ptions|re|t|ts|te|tes|vent|vant|ra)$", "scri"),
        # admission, admettre, admis, admise
        (r"(?<=ad|ns|ou)m(?:ission|issions|ettre|et|ettent|is|ise|ises)$", "mett"),
        # suspension, suspendre, suspendu
        (r"(?<=sp)en(?:sion|sions|dre|d|dent|du|due|dus|dues|dra)$", "end"),
        # absorption, absorber
        (r"(?<=sor)(?:ption|b|be|ber|bent|be|bee|bes|bees)$", "b"),
        # protection, protéger; correction, corriger
        (r"(?<=prot)e(?:ction|ctions|ge|ger|gent|gee|ges|gees|cteur)$", "eg"),
        (r"(?<=corr)(?:ection|ections|ige|iger|igent|igee|iges|igees)$", "ig"),
        # hémolyse, hémolytique; cholestase, cholestatique
        (r"lys(?:e|es)$|lytiques?$", "lys"),
        (r"stas(?:e|es)$|statiques?$", "stas"),
        # antigène, antigénique; pathogène, pathogénicité
        (r"gen(?:e|es|ique|iques|icite|icites)$", "gen"),
        # dyspepsie, dyspeptique; cirrhose, cirrhotique
        (r"p(?:sie|sies|tique|tiques)$", "ps"),
        (r"o(?:se|ses|tique|tiques)$", "os"),
        # toxicité, toxique; anémie, anémique
        (r"(?:icite|icites|ique|iques|ie|ies)$", "i"),
        # nulliparité, nullipare; nulligestité, nulligeste
        (r"(?<=ipar|gest)(?:e|es|ite|ites)$", ""),
        # agressivité, agressif; « gingivite », « conjonctivite » are diseases, « position » is
        # no « positivité »
        (r"(?<!conjonct)(?<!ging)(?<!posit)(?:ivite|ivites)$", ""),
        # normalité, normal; « encéphalite » is a disease
        (r"(?<=norm|caus|sexu|inat|ater)(?:alite|alites)$", ""),
        # contractilité, contractile; « stérilité » is no « stérile »
        (r"(?<!ster)(?<!b)(?:ilite|ilites)$", "il"),
        # viscosité, infectiosité, infectieux
        (r"(?:osite|osites|eux|euse|euses)$", "eu"),
        # reconstitution, reconstituer; substitution, substituer
        (r"(?:ution|utions)$", "u"),
        # comparaison, comparer
        (r"(?<=mpar|mbin|clin)(?:aison|aisons)$", ""),
        # récemment, récent; suffisamment, suffisant
        (r"(?:amment|emment)$", ""),
        # circulatoire, circulation; « ambulatoire » is no « ambulance »
        (r"(?<!ambul)(?:atoire|atoires)$", ""),
        # obtention, obtenir; abstention, s’abstenir
        (r"(?<=ob)tentions?$|(?<=abs)tentions?$", "ten"),
        # stabilité, stable
        (r"(?:bilite|bilites|ble|bles)$", "bl"),
        # persistance, persister; fréquence, fréquent
        (r"(?:ance|ances|ence|ences)$", ""),
        # dépistage, dépister
        (r"(?:age|ages)$", ""),
        # indication, indiquer; application, appliquer
        (r"(?:cation|cations|quer|quee|quees|quant)$", "c"),
    )
)


@lru_cache(maxsize=65536)
def root(word: str) -> str:
    """Base that a folded word shares with the words derived from it; its stem without a rule."""
    for pattern, ending in _RULES:
        found = pattern.search(word)
        if found and found.start() + len(ending) >= _MIN_BASE:
            return word[: found.start()] + ending
    return stem(word)
