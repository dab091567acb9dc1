"""Each rule on pairs of a source sentence and what is, or is not, the same statement."""

from __future__ import annotations

import pytest

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.spans import DropReason, Verdict
from ancremed_desktop.pipeline.rules.rule_verifier import RuleVerifier
from ancremed_desktop.ports import VerifierView


def judge(source: str, text: str, title: str = "Fictivine") -> DropReason | None:
    view = VerifierView(
        assertion=text,
        subject="x",
        section="",
        sentences=source,
        passage=source,
        passage_section="",
        heading="",
        title=title,
    )
    verdict = RuleVerifier().judge(view, CancelToken())
    assert (verdict.verdict is Verdict.SUPPORTED) == (verdict.reason is None)
    return verdict.reason


RENAL = "Ce traitement est contre-indiqué en cas d'insuffisance rénale sévère."
ABSENCE = "La ventilation est proposée en cas de détresse, en l'absence de coma."
TWO = "Chez l'adulte, la dose est de 10 mg par jour ; chez l'enfant, la dose est de 5 mg par jour."


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (RENAL, "L'insuffisance rénale sévère contre-indique ce traitement."),
        (RENAL, "On ne donne pas ce traitement en cas d'insuffisance rénale sévère."),
        (TWO, "La dose de l'enfant est de 5 mg par jour."),
        ("Les gélules ne doivent pas être ouvertes.", "Les gélules s'avalent sans être ouvertes."),
        ("La surveillance est systématique.", "Une surveillance est toujours nécessaire."),
        (
            "La dose est augmentée, sans dépasser 80 mg par jour.",
            "La dose maximale est de 80 mg par jour.",
        ),
        (
            "Un ECBU est indispensable avant l'antibiothérapie.",
            "Il faut faire un ECBU avant l'antibiotique.",
        ),
        (
            "Il est contre-indiqué en cas de fièvre, d'épilepsie ou de toux.",
            "L'épilepsie le contre-indique.",
        ),
        ("La dose est réduite de moitié.", "On divise la dose par deux."),
        ("Un examen au moins annuel est fait.", "L'examen est fait au moins une fois par an."),
        ("L'IRM est demandée en cas d'AVC.", "L'accident vasculaire cérébral impose une IRM."),
        (
            "Le traitement est donné 3 semaines avant la chirurgie et 4 semaines après.",
            "Après la chirurgie, le traitement est donné 4 semaines.",
        ),
    ],
)
def test_a_faithful_paraphrase_passes(source: str, text: str) -> None:
    assert judge(source, text) is None


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (RENAL, "Ce traitement est indiqué en cas d'insuffisance rénale sévère."),
        (RENAL, "Ce traitement n'est pas contre-indiqué en cas d'insuffisance rénale sévère."),
        (RENAL, "Ce traitement est contre-indiqué en cas d'insuffisance rénale modérée."),
        (RENAL, "Ce traitement est contre-indiqué en cas d'insuffisance hépatique sévère."),
        (RENAL, "Ce traitement est à éviter en cas d'insuffisance rénale sévère."),
        (ABSENCE, "La ventilation est proposée même en cas de coma."),
        (ABSENCE, "La ventilation est proposée en cas de coma."),
        (TWO, "Chez l'enfant, la dose est de 10 mg par jour."),
        ("La dose est réduite de moitié.", "La dose est augmentée de moitié."),
        ("La toux est fréquente.", "La toux est rare."),
        ("L'injection est intramusculaire.", "L'injection est intraveineuse."),
        ("Une prise avant le repas est possible.", "Une prise est obligatoire avant le repas."),
        (
            "L'aspirine est débutée après la thrombolyse.",
            "L'aspirine est débutée avant la thrombolyse.",
        ),
        ("Le valproate augmente la lamotrigine.", "La lamotrigine augmente le valproate."),
        ("Il faut une fièvre ou une toux.", "Il faut une fièvre et une toux."),
        ("Le produit est interdit, sauf urgence vitale.", "Le produit est interdit."),
        (
            "La dose est de 5 mg si la clairance est < 30 mL/min.",
            "La dose est de 5 mg si la clairance est > 30 mL/min.",
        ),
        ("La dose est de 5 mg.", "La dose est de 5 mg dans la polyarthrite rhumatoïde."),
        ("La dose est de 5 mg.", "La dose d'hydroxyzine est de 5 mg."),
        ("Le dosage est proposé.", "Le dosage est impératif."),
        (
            "Le risque est plus élevé chez l'enfant que chez l'adulte.",
            "Le risque est plus élevé chez l'adulte que chez l'enfant.",
        ),
        (
            "La première réunion discute l'indication, la seconde la valide.",
            "La première réunion valide l'indication, la seconde la discute.",
        ),
        (
            "On donne l'amoxicilline ; en cas d'allergie, la quinolone et le métronidazole.",
            "En cas d'allergie, on donne la quinolone et l'amoxicilline.",
        ),
        (
            "L'arrêt est proposé en cas de fièvre, d'asthénie ou de toux.",
            "L'arrêt est proposé en cas de fièvre associée à une asthénie.",
        ),
        ("Il n'est utilisé qu'en deuxième intention.", "Il est utilisé."),
        ("Une échographie sans thrombus l'autorise.", "Une échographie l'autorise."),
        (
            "Un contrôle suffit chez le patient non traité par insuline.",
            "Un contrôle suffit chez le patient traité par insuline.",
        ),
        (
            "Elle est poursuivie 6 semaines après l'arrêt.",
            "Elle est poursuivie 6 semaines après le début.",
        ),
        (
            "La coloscopie est faite à distance de la poussée.",
            "La coloscopie est faite pendant la poussée.",
        ),
        ("Elle est peu fiable lorsqu'elle est seule.", "Elle est peu fiable, même associée."),
    ],
)
def test_a_changed_statement_is_refused(source: str, text: str) -> None:
    assert judge(source, text) is not None


@pytest.mark.parametrize(
    ("source", "text", "reason"),
    [
        (
            RENAL,
            "Ce traitement est indiqué en cas d'insuffisance rénale sévère.",
            DropReason.POLARITY,
        ),
        ("L'injection est intramusculaire.", "L'injection est intraveineuse.", DropReason.ROUTE),
        ("La dose est de 5 mg.", "La dose d'hydroxyzine est de 5 mg.", DropReason.ADDED_FACT),
        ("Le dosage est proposé.", "Le dosage est impératif.", DropReason.MODALITY),
        ("Il faut une fièvre ou une toux.", "Il faut une fièvre et une toux.", DropReason.LOGIC),
        (
            "L'aspirine est débutée après la thrombolyse.",
            "L'aspirine est débutée avant la thrombolyse.",
            DropReason.ORDER,
        ),
    ],
)
def test_the_reason_names_the_rule(source: str, text: str, reason: DropReason) -> None:
    assert judge(source, text) is reason


def test_the_same_verdict_whatever_was_judged_before() -> None:
    pairs = [
        (RENAL, "Ce traitement est indiqué."),
        (TWO, "La dose de l'enfant est de 5 mg par jour."),
    ]
    first = [judge(*p) for p in pairs]
    assert all([judge(*p) for p in reversed(pairs)] == first[::-1] for _ in range(100))
