"""Words of a question that are never what it is about."""

from __future__ import annotations

from ancremed_desktop.text.words import STOP_WORDS

_GENERIC = frozenset(
    """
    adulte adultes enfant enfants nourrisson nourrissons bebe femme femmes homme hommes
    patient patients patiente sujet sujets personne personnes age agee ages agees ans mois
    jours semaines heures risque cas quels prise charge conduite tenir cat pec faire urgence
    enceinte recommandation recommandations reco recos recommande actuelle strategie
    medicament medicaments molecule molecules devant difference differences cours role score
    calcul calcule combien quelle frequence premieres immediate immediat signe signes question
    item edn chapitre resume savoir connaitre possible france clairance mode bio plan
    conditions condition secours lien type types stade nouveau nouvelle donner prescrire
    besoin avis dose doses mal ca bien utile recherche general generale generaux generales
    quotidien quotidienne quotidiens maximal maximale maximaux maximales minimal minimale initial
    initiale initiales horaire horaires minutes persiste malgre jusqu delai delais office bout
    pendant selon lors depuis durant contre grace vieux vieille vieilles formule formules seuil
    seuils utile utiles terme conclusion conclusions depart debut demarrer point important
    interdit interdite interdits interdites dangereux dangereuse dangereuses danger jeune jeunes
    autre autres certain certains certaines chaque plusieurs quelque quelques rien truc trucs chose
    choses dedans dehors encore deja juste assez trop tres vraiment surtout plutot souvent parfois
    vite maintenant ensuite alors enfin environ meme memes zero ok okay oui fiable fiables valable
    correct suffisant rentable veut veux voulez voulait fais font va vais vont sais savent dire dit
    disent mets mettent prend prends prennent viens vient reste restent arrive arrivent sert servent
    donne donnent dure durent existe existent correspond correspondent signifie signifient trouve
    trouvent evoque evoquent oublie commence commencent max maxi maximum min mini minimum temps mot
    mots attention possibles effet effets annee annees gramme grammes pourcent pourcentage dispo
    jour semaine heure minute particularite particularites caracteristique caracteristiques
    protocole protocoles atcd antecedent antecedents mg kg ml nouveau-ne nouveau-nes nes
    stoppe stopper redonner rang trimestre trimestres hopital hosto domicile cabinet
    prevu prevue prevus prevues taux jsp qqn qqun ptet
    kel kelle kels kelles koi kan kand pk pkoi pourkoi ya yatil tps bcp
    qd pb pbs modif modifs svp pls tjrs tjs jms dsl mtn pdt cmt cmb pcq psk qlq qq nb ss asap
    deux bon bonne bons bonnes
    largeur valeur valeurs montant montants nombre medoc medocs
    hier demain matin matins soir soirs avant-hier suspecte suspectee suspectes suspectees suspecter
    propriete proprietes disponible papy papi mamie pepe meme lequel laquelle lesquels lesquelles
    """.split()
)


def says_nothing(word: str) -> bool:
    """Whether a folded word is never what a question is about."""
    return word in STOP_WORDS or word in _GENERIC
