"""Whether a sentence only connects: it announces what stands beside it and says nothing of medicine.

What a model writes between quotes has no source. No list of what it may not say is long enough
(« ce traitement est sans danger »), so this lists what it may: words of a text that speaks of its
parts, the section and the subject it is about. Negations, modal verbs and digits are none of them.
"""

from __future__ import annotations

import re

from ancremed_desktop.text.normalise import fold

_WORD = re.compile(r"[^\W_]+")
_PARTS = frozenset(
    """a l la le les un une des d de du au aux ce cet cette ces son sa ses leur leurs et ou en dans par pour
    selon apres sur entre plusieurs differents differentes autre autres principal principale principaux
    principales premier premiere premiers premieres second seconde dernier derniere ensuite puis enfin abord
    lieu temps tous toutes chaque ici ci dessous dessus voici voila suit suivent suivant suivante suivants
    suivantes qui que dont ainsi elle elles il ils on y
    source sources passage passages document documents texte textes phrase phrases extrait extraits element
    elements point points section sections rubrique rubriques partie parties question reponse aspect aspects
    situation situations cas liste listes titre titres sujet sujets information informations donnees
    ordre present presente presentent presentes decrit decrite decrits decrites decrivent expose exposent
    exposes exposees rappelle rappellent rappele rappelee rappeles rappelees cite citent cites citees
    listent listes listees resume resument resumes resumees regroupe regroupent regroupes regroupees
    enumere enumerent enumeres enumerees detaille detaillent detailles detaillees details figure figurent
    trouve trouvent rassemble rassemblent rassembles rassemblees concerne concernent concernant reprend
    reprennent reprises distingue distinguent porte portent vient viennent
    est sont""".split()
)
_IS = frozenset({"est", "sont"})
_TOLD = frozenset(
    """presente presentee presentes presentees decrit decrite decrits decrites expose exposee exposes exposees
    rappele rappelee rappeles rappelees cite citee cites citees liste listee listes listees resume resumee
    resumes resumees regroupe regroupee regroupes regroupees enumere enumeree enumeres enumerees detaille
    detaillee detailles detaillees rassemble rassemblee rassembles rassemblees suivant suivante suivants
    suivantes ci ainsi dans""".split()
)
"""What may follow « est »: anything else is said of the subject."""


def connects(text: str, about: str) -> bool:
    """Whether ``text`` holds nothing but connecting words and words of ``about`` (subject, section).

    « est » and « sont » only make a passive of them: « sont décrits ci-dessous ».
    """
    words = _WORD.findall(fold(text))
    allowed = frozenset(_WORD.findall(fold(about)))
    for word, following in zip(words, (*words[1:], ""), strict=False):
        if word in _IS and following not in _TOLD:
            return False
        if word not in _PARTS | _TOLD and (word not in allowed or not word.isalpha()):
            return False
    return bool(words)
