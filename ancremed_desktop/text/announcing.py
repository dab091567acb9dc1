"""What an announcement is, and one that forbids: « Ne pas donner : », « Doses toxiques »."""

from __future__ import annotations

import re

from ancremed_desktop.text.list_marks import is_item
from ancremed_desktop.text.normalise import fold

WITHHELD = "[Texte omis"
"""How a text begins that stands for one that could not be read."""

_LEADS = re.compile(r":\s*(?:[(\[][\w, *]{1,8}[)\]]|[*†¹²³⁴⁵⁶⁷⁸⁹]+)?\s*$")
_FOLLOWING = re.compile(
    r"\b(?:ce qui suit|qui suivent|(?:cas|gestes|doses|produits|medicaments|situations|patients"
    r"|malades|circonstances|associations|conditions|criteres|erreurs) suivante?s)\s*\.?\s*$"
)
"""What announces without a colon: « dans les cas suivants »."""
_ENDED = re.compile(r"[.!?…][»”\")\]]*\s*(?:[(\[][\d, -]+[)\]])?\s*$")
_PUNCTUATED = re.compile(r"[.,;:!?…]\s*$")
_TITLE_WORDS = 10
_GROUP_WORDS, _GROUP_LETTERS = 16, 3
_LIMITS = re.compile(
    r"(?:ne (?:pas|jamais|plus)|jamais|sans (?:jamais )?depasser"
    r"|(?:arreter|stopper|suspendre|interdite?|contre-indiquee?) (?:si|en cas|chez))\b"
)
_EXCEPTS = re.compile(
    r"(?:sauf|hormis|excepte|a l'exception|a moins|exceptions?\b|ou alors|ou bien"
    r"|attention\b|toutefois|cependant|neanmoins|pourtant|(?:seule|unique|exclusive)ment\b"
    r"|(?:mais|or)\b(?! (?:aussi|egalement)\b)"
    r"|[(\[]?(?:faux|non|vrai|inexact|incorrect|erreur|annule|perime|obsolete)e?\b(?:\s*[)\].,!]|\s*$)"
    r"|ce(?:ci|la) (?:ne|n'|vaut|concerne|s'applique)\b|(?:ne|n') ?(?:s'applique|concerne|vaut)\b"
    r"|ce(?:tte|t|s)? (?:phrase|dose|posologie|regle|indication|contre-indication|recommandation"
    r"|consigne|ligne|mention|valeur|restriction|limite|schema|seuil|precaution|interdiction"
    r"|affirmation|proposition|protocole|version|information|avis|rythme|duree)s?\b"
    r"|(?:il|elle)s? (?:ne |n')(?:\w+ ){1,2}(?:pas\b|plus\b|que\b|qu'))"
)
"""How a sentence begins that bounds or takes back the one before it."""
_FINITE = re.compile(
    r"\b(?:est|sont|était|étaient|sera|seront|soit|soient|serait|(?-i:a)|ont|aura|auront|avait|doit"
    r"|doivent|devra|devront|devrait|peut|peuvent|pourra|pourrait|faut|convient|suffit|existe"
    r"|ne(?!\s+(?:pas|jamais|plus)\b)|se|on|ils?|elles?|nous|vous|(?:repose|consiste|comporte|nécessite|débute|dure|associe"
    r"|augmente|diminue|entraîne|expose|impose|justifie|évoque|montre|reste|dépasse)(?:nt)?"
    r"|permet(?:tent)?|réduit|réduisent|comprend|comprennent|survien(?:t|nent)|dépend(?:ent)?)\b"
    r"|(?<!\w)[ns][’'](?=\w)",
    re.IGNORECASE,
)
"""A verb that rules a sentence; an infinitive may go on with what was announced."""
_FORBIDS = re.compile(
    r"\b(?:ne pas|ne jamais|ne plus|jamais|a ne|contre[- ]?indi\w+|non[- ](?:indiqu|recommand)\w+"
    r"|pas (?:indiqu|recommand)\w+|interdi\w+|proscri\w+|prohib\w+|evit\w+|deconseill\w+"
    r"|toxi(?:ques?|cites?)|surdos\w+|mortel\w*|letal\w*|maxim\w+|depass\w+|plafon\w+|erreurs?"
    r"|pieges?|dangers?|exclu(?:s|re|sions?)|abandon\w+|perime\w*|obsoletes?|abroge\w*|annule\w*"
    r"|ancien(?:ne)?s?|avant (?:19|20)\d\d|jusqu'en (?:19|20)\d\d|remplacee?s? par|archives?"
    r"|n'(?:est|a) (?:pas|plus)|ne (?:sont|doi\w+|peu\w+|faut) (?:pas|plus|jamais))\b"
)


def leads(text: str) -> bool:
    """Whether a text announces what follows it: it ends in a colon, note calls set aside, or in
    words that say so.
    """
    return bool(_LEADS.search(text) or _FOLLOWING.search(fold(text[-60:])))


def forbids(text: str) -> bool:
    """Whether a heading or lead-in makes what stands under it no advice, or a limit."""
    return bool(_FORBIDS.search(fold(text)))


def overrules(heading: str) -> bool:
    """Whether text may not be quoted without the heading above it: it forbids, or is unknown."""
    return forbids(heading) or WITHHELD in heading


def is_title(line: str) -> bool:
    """Whether a line reads as a heading: short, no verb, no stop."""
    return (
        line[:1].isupper()
        and len(line.split()) <= _TITLE_WORDS
        and not _PUNCTUATED.search(line)
        and not _FINITE.search(line)
    )


def is_group(text: str) -> bool:
    """Whether a cell across a whole table names the rows below it (« Si allergie », « Enfant »)
    rather than saying a sentence.
    """
    named = sum(map(str.isalpha, text)) >= _GROUP_LETTERS and not is_item(text)
    return named and len(text.split()) <= _GROUP_WORDS and not is_ended(text)


def excepts(text: str) -> bool:
    """Whether a sentence bounds or takes back what the one before says (« Sauf en cas de dialyse »,
    « (Faux) », « Cette dose ne concerne que l’adulte »).
    """
    return bool(_EXCEPTS.match(fold(text[:60]).lstrip(" -–•")))


def limits(text: str) -> bool:
    """Whether a sentence forbids without naming whom or what: it bounds the one before (« Ne pas
    faire de bolus si… » after a titration).
    """
    return bool(_LIMITS.match(fold(text[:60]).lstrip(" -–•")))


def rules(text: str) -> bool:
    """Whether a text holds the verb of a sentence."""
    return bool(_FINITE.search(text))


def is_ended(text: str) -> bool:
    """Whether a text ends as a sentence does."""
    return bool(_ENDED.search(text))
