"""Source text that must not be quoted as a rule: planted markup, orders to a reader, errors."""

from __future__ import annotations

import re
from functools import lru_cache

from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.sentences import sentence_spans

_MARKUP = re.compile(
    r"<!--|-->|</?\s*(?:source|system|assistant|user|instruction|prompt|document|context|passage"
    r"|tool|span"
    r"|json|answer|script)\b[^>]*>|<\|[^|]*\|>|\[/?inst\]|```|\{\s*\"(?:type|verdict|text)\""
    r"|urn:ancremed:\S*\">",
)
_BOUNDARY = re.compile(r"</\s*(?:source|document|context|passage)\s*>|<\s*source\b")
_ORDERS = re.compile(
    r"\b(?:ignor\w+|oubli\w+|neglig\w+) (?:\w+ ){0,3}(?:instruction|consigne|regle|directive"
    r"|source)s?\b"
    r"|\b(?:instructions?|consignes?|note|message|ordre) (?:prioritaires? )?(?:(?:a|pour) (?:l'"
    r"|le |la |les |tout )?)"
    r"(?:assistant|modele|generateur|verificateur|systeme|ia|llm|lecteur automatique|automate"
    r"|logiciel)\b"
    r"|^\s*(?:system|systeme|assistant|instruction|prompt)s?\s*:"
    r"|\b(?:ignore|disregard|forget) (?:all |the |any )*(?:previous|above|prior)\b"
    r"|\b(?:cher|chere) (?:assistant|modele|ia)\b|\btu (?:es|dois|devras) (?:desormais"
    r"|maintenant|un|une|repondre|ecrire|affirmer|accepter|valider)\b"
    r"|\b(?:repond\w*|affirm\w*|ecri\w*|ajout\w*|indiqu\w*|dis|dites) (?:toujours |desormais "
    r"|systematiquement |simplement )?que\b.{0,60}\b(?:verdict|utilisateur|supported)\b"
    r"|\b(?:reponds?|repondez|renvoie|renvoyez|retourne|retournez) (?:toujours |uniquement "
    r"|seulement )?[\":]?\s*\"?(?:supported|pass|valide|oui)\b"
    r"|\b(?:le |ce )?(?:verificateur|modele|assistant|generateur)(?: de langage)? (?:doit|devra"
    r"|peut)\b"
    r"|\bconsidere[rz]? (?:cette|toute|chaque|ces) (?:affirmation|phrase|assertion)s? comme\b",
    re.MULTILINE,
)
_ERRORS = re.compile(
    r"\b(?:exemple|cas|exercice)s? (?:d'erreurs?|errone\w*|a ne pas (?:suivre|reproduire|imiter))\b"
    r"|\berreurs? (?:frequentes?|classiques?|a eviter|a ne pas (?:commettre|faire|reproduire)"
    r"|courantes?|rapportees?|de (?:prescription|redaction|retranscription|transcription))\b"
    r"|\b(?:idees? recues?|idees? fausses?|fausses? croyances?|mythe|legende)\b|\bil est faux "
    r"(?:de|que)\b|\bfaux\s*:"
    r"|\b(?:on lit|on entend|on croit|certains (?:pensent|croient|affirment)) (?:\w+ )?(?:a tort"
    r"|parfois|souvent)\b|\b(?:considere\w*|croire|croit|pense\w*|affirm\w*|present\w*"
    r"|repute\w*) (?:\w+ )?a tort\b"
    r"|\b(?:proposition|reponse|affirmation|phrase|version|posologie|regle|dose|mention) "
    r"(?:fausse|erronee|inexacte|incorrecte|perimee|obsolete|caduque|abrogee|annulee"
    r"|retiree)\b"
    r"|\b(?:ancien(?:ne)?s? (?:regle|recommandation|posologie|schema|dose|seuil|version|texte"
    r"|protocole|mention|libelle|valeur)s?)\b"
    r"|\b(?:autrefois|jadis|anciennement (?!appele|denomme|nomme|dit)|historiquement,)"
    r"|\b(?:n'est plus|ne sont plus) (?:valables?|valides?|en vigueur|d'actualite|applicables?)\b"
    r"|\b(?:ne pas|ne jamais) (?:suivre|reproduire|appliquer) (?:cet? |cette |l'|les? "
    r")?(?:exemple|ordonnance|prescription|consigne|regle|phrase)\b"
    r"|\b(?:corrigendum|erratum)\b|\bordonnance (?:erronee|fautive|fictive)\b|\btexte (?:abroge"
    r"|annule|barre)\b",
)
_ANNULLED = re.compile(
    r"\b(?:annule|abroge|perime|errone)e?s?\b|\bobsoletes?\b|\bcadu(?:c|que)s?\b"
    r"|\bvrai (?:ou|/|et) faux\b|(?:^|> |: )faux(?: >|$)|\bnon valide\w*|\bbrouillons?\b|\bveterinaires?\b"
    r"|\bprojets? (?:non|de (?:texte|protocole|recommandation|mise a jour)s?)\b|^projets?(?= ?(?:[(:>]|$))"
    r"|\b(?:version|edition)s? (?:precedente|anterieure)s?\b|\barchives?\b"
    r"|\bne (?:plus|pas|jamais) (?:appliquer|suivre|utiliser)\b"
    r"|\b(?:chez|pour) (?:les? |la |l')?(?:chien|chat|cheval|chevaux|animal|animaux|rat|souris|lapin"
    r"|bovin|porc|veau|mouton)s?\b"
)
"""Headings under which nothing holds, or not for people; any level above a text counts."""
_FAULTS = re.compile(
    r"(?:^|> )(?:[\divx.)]+ )?(?:(?:les|des|quelques|principales|exemples? d)\W?)*(?:(?:erreurs?|fautes?)\b"
    r"(?! (?:innees?|refracti\w+|(?:de|du) (?:refraction|metabolisme|type|mesure|premiere|deuxieme)"
    r"|types?|standards?|statistiques?|aleatoires?|systematiques?|alpha|beta)\b)|contre-exemples?\b)"
)
"""Headings of what went wrong: neither half of what stands there is a rule."""
_OPENER = re.compile(r":\s*[«\"\"]?\s*$|[«\"]\s*$")


@lru_cache(maxsize=1024)
def unquotable_spans(text: str, heading: str = "") -> tuple[tuple[int, int, str], ...]:
    """(start, end, French reason) of the sentences of ``text`` that are not to be quoted.

    All of it under a heading (levels from the top, joined) that takes back what it stands above.

    A sentence is excluded when it holds markup or an order addressed to a program, when it is
    marked as an error, an example not to follow or a rule no longer in force, or when the
    sentence before marks it so and ends in a colon. Everything after planted markup is suspect
    and excluded too.
    """
    if heading_mark(heading):
        return ((0, len(text), heading_mark(heading)),)
    found: list[tuple[int, int, str]] = []
    planted = False
    announced = ""
    for start, end in sentence_spans(text):
        sentence = fold(text[start:end])
        reason = _mark(sentence) or announced
        planted = planted or bool(_BOUNDARY.search(sentence))
        if planted:
            reason = reason or "texte inséré dans la source"
        announced = reason if reason and _OPENER.search(sentence) else ""
        if reason:
            found.append((start, end, reason))
    return tuple(found)


def heading_mark(heading: str) -> str:
    """Why nothing under a heading may be quoted as a rule, in French; empty: it may."""
    folded = fold(heading)
    if _ANNULLED.search(folded):
        return "sous un titre qui l’annule ou l’écarte"
    return _mark(folded) or (
        "sous un titre qui annonce des erreurs" if _FAULTS.search(folded) else ""
    )


def _mark(sentence: str) -> str:
    if _MARKUP.search(sentence):
        return "balises étrangères au document"
    if _ORDERS.search(sentence):
        return "consigne adressée à un programme"
    if _ERRORS.search(sentence):
        return "présentée comme erreur, contre-exemple ou règle ancienne"
    return ""
