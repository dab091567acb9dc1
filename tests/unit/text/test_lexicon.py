"""The lexicon: what its files must hold, which words meet and which must never meet."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ancremed_desktop.errors import BugError
from ancremed_desktop.pipeline.rules.align import same
from ancremed_desktop.pipeline.rules.parse import parse
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.conjugations import infinitive
from ancremed_desktop.text.lexicon import inflected
from ancremed_desktop.text.lexicon_files import load_lexicon

OPPOSED = (
    "préférable/obligatoire hypokaliémie/hyperkaliémie hypotension/hypertension "
    "hypothyroïdie/hyperthyroïdie hypoglycémie/hyperglycémie aigu/chronique suspecté/confirmé "
    "réduire/arrêter réduction/suspension augmenter/diminuer hausse/baisse majoration/réduction "
    "agoniste/antagoniste systolique/diastolique artériel/veineux ischémique/hémorragique "
    "bénin/malin bactérien/viral gauche/droit inspiration/expiration bradycardie/tachycardie "
    "constipation/diarrhée polyurie/oligurie leucopénie/hyperleucocytose anémie/polyglobulie "
    "thrombopénie/thrombocytose mydriase/myosis ouvrir/fermer débuter/arrêter "
    "poursuivre/interrompre positif/négatif normal/anormal interne/externe proximal/distal "
    "primaire/secondaire central/périphérique précoce/tardif lent/rapide matin/soir "
    "enfant/adulte homme/femme nourrisson/vieillard initial/final premier/dernier "
    "minimum/maximum rare/fréquent sévère/léger grave/bénin fort/faible efficace/inefficace "
    "utile/inutile possible/impossible autorisé/interdit recommandé/déconseillé "
    "curatif/préventif oral/intraveineux sous-cutané/intramusculaire activer/inhiber "
    "stimuler/inhiber provoquer/prévenir aggraver/améliorer alcalose/acidose "
    "unilatéral/bilatéral total/partiel définitif/temporaire froid/chaud sec/humide mou/dur "
    "maigrir/grossir naissance/décès anticorps/antigène anticoagulant/antiagrégant AVK/AOD "
    "corticoïde/AINS insuline/metformine sodium/potassium calcium/magnésium fer/cuivre "
    "rein/foie cœur/poumon asthme/BPCO angine/otite migraine/épilepsie cystite/pyélonéphrite "
    "pneumonie/bronchite hépatite/cirrhose scanner/IRM échographie/radiographie ECG/EEG "
    "fièvre/hypothermie toux/dyspnée nausée/vertige prurit/éruption grossesse/allaitement "
    "ménopause/puberté conscient/inconscient debout/couché assis/allongé sensible/résistant "
    "acquis/congénital actif/inactif stable/instable complet/incomplet suffisant/insuffisant "
    "obligatoire/facultatif monothérapie/bithérapie"
).split()
MET = (
    "rein/rénal foie/hépatique cœur/cardiaque saignement/hémorragie fièvre/fébrile "
    "fièvre/hyperthermie fièvre/pyrexie majoration/augmentation hausse/augmentation "
    "baisse/diminution HTA/hypertension mort/décès décès/létal règles/menstruation "
    "jaunisse/ictère prescrit/prescription obtient/obtenu décrit/décrire avaler/déglutition "
    "transpiration/sueurs démangeaisons/prurit grossesse/enceinte écoles/scolaire "
    "travail/professionnel hiver/hivernal viande/carné chien/canin"
).split()


@pytest.mark.parametrize("pair", OPPOSED)
def test_opposed_words_are_no_counterparts(pair: str) -> None:
    for one, other in (pair.split("/"), reversed(pair.split("/"))):
        said, source = parse(one), parse(other)
        apart = {a for a, _ in said.axes} & {a for a, _ in source.axes}
        exclusive = bool(apart) and not said.axes & source.axes
        met = any(same(m, s) for m in said.mentions for s in source.every)
        assert exclusive or not met


@pytest.mark.parametrize("pair", MET)
def test_words_of_one_meaning_meet(pair: str) -> None:
    one, other = pair.split("/")
    assert any(same(m, s) for m in parse(one).mentions for s in parse(other).every)


@pytest.mark.parametrize(
    ("form", "verb"),
    [
        ("obtiendra", "obtenir"),
        ("prescrite", "prescrire"),
        ("percoit", "percevoir"),
        ("reconnus", "reconnaitre"),
        ("decrue", "decroitre"),
        ("lit", "lit"),
        ("part", "part"),
        ("voie", "voie"),
        ("nuit", "nuit"),
    ],
)
def test_irregular_verbs_are_known_and_nouns_left_alone(form: str, verb: str) -> None:
    assert infinitive(form) == verb


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        ("elevee", "elever", True),
        ("renale", "renaux", True),
        ("attente", "attention", False),
        ("patiente", "patience", False),
        ("remis", "remettent", True),
    ],
)
def test_inflections_meet_and_derived_words_do_not(one: str, other: str, meet: bool) -> None:
    assert (inflected(one) == inflected(other)) is meet


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(RESOURCES / "lexicons", tmp_path / "lexicons"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('[odd]\nleg = "jambe"\n', "without a reason"),
        ('[odd]\nreason = "x"\nleg_twice = "a"\n[odder]\nreason = "x"\nleg_twice = "b"\n', "twice"),
        ('[odd]\nreason = "x"\nnothing = " , "\n', "empty"),
        ('[odd]\nreason = "x"\nlegs = "jambe > no_such_family"\n', "unknown families"),
    ],
)
def test_a_faulty_file_is_refused(folder: Path, line: str, message: str) -> None:
    (folder / "families" / "odd.toml").write_text(line, encoding="utf-8")
    with pytest.raises(BugError, match=message):
        load_lexicon(folder)


def test_learned_words_hold_their_pieces() -> None:
    said, source = parse("onychomycose"), parse("une mycose des ongles")
    mention = said.mentions[0]
    assert all(p & source.concepts for p in mention.parts)


def test_a_phrase_that_denies_is_no_set_of_words() -> None:
    denied = [m for m in parse("sans avis médical").mentions if m.denies]
    assert denied
    assert not any(m.denies for m in parse("sur avis médical").mentions)
