"""Whether two values are bounded alike: « au plus 3 g » and « sans dépasser 3 g »."""

from __future__ import annotations

import re

from ancremed_desktop.pipeline.rules.model import Statement, Value, kind
from ancremed_desktop.pipeline.rules.turning import turned_round
from ancremed_desktop.text.normalise import fold

_THRESHOLD = re.compile(
    r"\b(?:seuils?|limites?|cibles?|bornes?|plafond|objectifs?|definie?s?|definition|stade|grade)\b"
)
# Within, after and before are about time; a plain value is compatible with the first two.
_ALIKE = {
    ("w", ""),
    ("w", "≤"),
    ("w", "<"),
    ("a", ""),
    ("a", ">"),
    ("a", "≥"),
    ("pa", ""),
    ("pa", "a"),
    ("pa", ">"),
    ("pb", "b"),
    ("pb", "<"),
    ("b", "<"),
    ("b", "≤"),
    ("b", "w"),
}
_NEEDS = re.compile(r"\b(?:il faut|exige\w*|demande\w*|necessite\w*)\b")
"""« il faut trois mois » asks for three months at least."""
_BEGINS = re.compile(r"\b(?:commence|debute)(?:nt)? (?:a|des)(?: partir de)?\s*$")
"""« l'hypertension commence à 140 »."""
_WINDOW = re.compile(r"\b(?:fenetre|delai (?:maximal|limite|maximum|d'action))\b")
"""« la fenêtre est de 4 h après le début »: within these 4 hours."""
_ALLOWED = re.compile(r"\b(?:est|sont|reste) (?:possibles?|permis\w*|autorisee?s?|toleree?s?)\b")
"""« 4 g sont possibles » of what may go up to 4 g."""
_COMPLEMENTS = {(">", "w"), (">", "≤"), ("<", "≥")}
"""« pas au-delà de 4 heures » is « dans les 4 heures »."""
_TURNED = (
    # « il n'est pas nécessaire de dépasser 3 g »: « 3 g suffisent »
    (
        "≤",
        re.compile(r"\bsuffi(?:t|sent|sant\w*)\b"),
        re.compile(r"\bpas (?:\w+ )?(?:necessaire|utile|besoin)\b"),
    ),
    # « non tant qu'elles sont < 150 »: « pas avant qu'elles ne soient à 150 »
    (
        "<",
        re.compile(r"\b(?:pas|jamais|aucun\w*)\b.*\bavant (?:qu[e']|d[e'])|\battendre qu[e']"),
        re.compile(r"\btant qu[e']"),
    ),
)
"""(bound of the source, how the assertion says it, how the source does)."""
_LASTS = re.compile(
    r"\b(?:poursui|maint|continu|dure|surveill|prolong|conserv|garde|proteg|couvr|necessair|interdi|evite|contre-?indi|deconseill)"
)


def same_bound(assertion: Statement, value: Value, cited: Statement, match: Value) -> bool:
    """Whether a value of the assertion has the bound of its match in the source."""
    ours = value.bound or _role_bound(assertion, value)
    theirs = match.bound or _role_bound(cited, match) or _inherited_bound(cited, match)
    if ours in {"a", ">"} and not theirs and _ends_range(cited, match):
        return False
    if ours in {"a", "pa"} and not theirs and _lasts(assertion, cited, match):
        return False
    if _ends_at(assertion, value, ours, cited, match, theirs):
        return True
    if {ours, theirs} <= {"pa", "pb", "≥"} and turned_round(assertion, value, cited, match):
        return "≥" not in {ours, theirs} or ours == theirs
    if ours == theirs or (ours, theirs) in _ALIKE or (theirs, ours) in _ALIKE:
        return True
    if ours in {"", "pa"} and theirs == "w" and _WINDOW.search(assertion.folded_text):
        return True
    if {ours, theirs} == {"w", "pa"}:
        # « poursuivie 3 mois après l'arrêt » lasts for the three months that follow
        return all(_LASTS.search(s.folded_text) for s in (assertion, cited))
    if ours in {"a", "pa"} and theirs in {"", "w"} and _ends_spell(cited, match):
        return True
    signs = [s.clauses[v.chunk].sign for s, v in ((assertion, value), (cited, match))]
    if signs[0] != signs[1] and {(ours, theirs), (theirs, ours)} & _COMPLEMENTS:
        return True
    for bound, said, told in _TURNED:
        if not ours and theirs == bound and told.search(cited.folded_text):
            if said.search(assertion.folded_text):
                return True
    if not ours and theirs == "≤" and _ALLOWED.search(assertion.folded_text):
        return True
    if _until(assertion, ours, cited, match):
        return True
    if not ours and theirs == "≥" and _BEGINS.search(_before(assertion, value)):
        return True
    if not ours and theirs == "≥" and _NEEDS.search(assertion.folded_text):
        return True
    if not ours:
        return bool(_THRESHOLD.search(assertion.folded_text))
    if not theirs:
        return bool(_THRESHOLD.search(cited.folded_text))
    return False


def _lasts(assertion: Statement, cited: Statement, match: Value) -> bool:
    """« donné après 5 jours » of what « dure 5 jours »; « arrêté après 5 jours » is right."""
    told = fold(cited.text[max(0, match.quantity.start - 24) : match.quantity.start])
    return bool(_FOR.search(told)) and not _FINISHES.search(assertion.folded_text)


def _ends_at(
    assertion: Statement, value: Value, ours: str, cited: Statement, match: Value, theirs: str
) -> bool:
    """« jusqu'à 74 ans » of what « s'arrête à 74 ans »."""
    sides = {ours: (assertion, value), theirs: (cited, match)}
    if set(sides) != {"", "≤"}:
        return False
    return bool(_FINISH_AT.search(_before(*sides[""]))) and "jusqu" in (
        _before(*sides["≤"]) + fold(sides["≤"][1].quantity.text)
    )


_FOR = re.compile(r"\b(?:dur(?:e|ent|ee)|pendant|durant)(?: est)?(?: de| d')? ?$")
_FINISHES = re.compile(
    r"\b(?:arret|cess|termin|fin\b|suspen|interromp|stop|relai|relay|puis|reevalu|reprend|repri|control)\w*"
)
_FINISH_AT = re.compile(r"\b(?:s'arrete|cesse|prend fin|se termine|finit)(?:nt)? (?:a|vers) ?$")


def _until(assertion: Statement, ours: str, cited: Statement, match: Value) -> bool:
    """« surveillé pendant 4 semaines » of a watch « jusqu'à 4 semaines »."""
    before = _before(cited, match) + fold(match.quantity.text)
    until = "jusqu" in before
    if match.bound == "pa":  # « 1 mois après l'arrêt » of what goes on, told as « jusqu'à 1 mois »
        until = ours == "≤" and "jusqu" in assertion.folded_text
    return (
        (ours in {"", "w", "pa"} or match.bound == "pa")
        and match.quantity.dimension in {"time", "calendar"}
        and until
        and all(_LASTS.search(s.folded_text) for s in (assertion, cited))
    )


def _before(statement: Statement, value: Value) -> str:
    return fold(statement.text[max(0, value.quantity.start - 30) : value.quantity.start])


def _ends_range(cited: Statement, match: Value) -> bool:
    """« entre J5 et J10 »: nothing is said of what comes after the tenth day."""
    first = match.first
    return cited.keys[first - 1 : first] == ("et",) and "entre" in cited.keys[first - 4 : first - 1]


def _ends_spell(cited: Statement, match: Value) -> bool:
    """« 10 mg pendant 7 jours, puis 5 mg »: the second comes after the seven days."""
    return bool({"puis", "ensuite"} & set(cited.keys[match.last + 1 : match.last + 4]))


def _inherited_bound(statement: Statement, value: Value) -> str:
    """« la dose maximale est de 1 g ; entre 45 et 59, de 2 g »: the second is a maximum too.

    So is the second of « doit dépasser 35 avec une comorbidité, ou 40 sans elle ».
    """
    sentence = statement.clauses[value.chunk].sentence
    host = _spelt_out(statement, value)
    if host is not None:
        return host.bound or _role_bound(statement, host)
    before = statement.keys[value.first - 1 : value.first]
    listed = before == ("de",) and (
        "," in statement.gaps[value.first - 1]
        or ";" in statement.gaps[value.first - 1]
        or statement.keys[value.first - 2 : value.first - 1] in (("ou",), ("et",))
    )
    if not listed and before != ("ou",):
        return ""
    for other in statement.values:
        same_sentence = statement.clauses[other.chunk].sentence == sentence
        if other.first < value.first and same_sentence and kind(other) == kind(value):
            if _SUFFIXED.search(other.quantity.text):
                return ""  # « 10 g ou plus, ou 150 mg/kg »
            return other.bound or _role_bound(statement, other)
    return ""


def _spelt_out(statement: Statement, value: Value) -> Value | None:
    """The value that one in brackets right after it puts in another unit: « < 0,7 g/L (3,9) »."""
    if "(" not in statement.gaps[value.first]:
        return None
    after = statement.gaps[value.last + 1] if value.last + 1 < len(statement.gaps) else ")"
    host = [v for v in statement.values if v.last + 1 == value.first]
    if not host or not (")" in after or "," in after):
        return None
    units = {s.quantity.dimension.partition("/")[0] for s in (host[-1], value)}
    return host[-1] if kind(host[-1]) == kind(value) or units == {"mass", "amount"} else None


_SUFFIXED = re.compile(r"\b(?:ou|et) (?:plus|moins)\b")


def _role_bound(statement: Statement, value: Value) -> str:
    """« La dose maximale est de 3 g » bounds as « sans dépasser 3 g » does."""
    if value.quantity.low != value.quantity.high:
        return ""  # « la dose minimale efficace, de 100 à 400 mg »
    clause = statement.clauses[value.chunk]
    for mention in clause.mentions:
        if mention.first < value.first and value.first - mention.first < 8:
            for axis, member in mention.axes:
                if axis == "dose" and member in {"maximum", "minimum"}:
                    return "≤" if member == "maximum" else "≥"
    return ""
