"""A workbench with realistic French answers, and questions that make it slow, hostile or broken."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from fakes.model_desk import Shop

from ancremed_desktop.domain.answers import (
    Answer,
    AnswerSpan,
    AnswerStatus,
    ModelSection,
    ModelUse,
    ModelWay,
)
from ancremed_desktop.domain.documents import Passage, Refusal, Source, Tally, passage_urn
from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.domain.evidence import IndexIdentity
from ancremed_desktop.domain.formulas import CalculationRequest, InputValue, MissingInput
from ancremed_desktop.domain.identifiers import PassageKind, Silo, SourceStatus, TopicClass
from ancremed_desktop.domain.plans import (
    Correction,
    PlanMode,
    Question,
    RetrievalPlan,
    Subject,
)
from ancremed_desktop.domain.spans import (
    Abstention,
    AnchoredAssertion,
    DraftAssertion,
    DroppedSpan,
    DropReason,
    Narrative,
    VerifiedAssertion,
)
from ancremed_desktop.errors import BadQuestionError
from ancremed_desktop.formulas.bank import load_bank
from ancremed_desktop.gui.workbench import SourceRow
from ancremed_desktop.providers.registry import open_model
from ancremed_desktop.services.approval import NOTHING_SENT, Approval, Approve, Outgoing
from ancremed_desktop.services.ask import SourceView
from ancremed_desktop.services.calculator import CalculatorService
from ancremed_desktop.services.library import BuildReport, CheckReport
from ancremed_desktop.services.model_desk import ModelDesk
from ancremed_desktop.services.online import OnlineModel
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.settings.preferences import PreferenceStore
from ancremed_desktop.settings.secrets import KeyStore

STAGES = ("Analyse", "Recherche", "Rédaction", "Attribution", "Vérification")
HOSTILE = (
    "<b>gras</b> <img src='file:///etc/passwd'> &lt; <script>alert(1)</script> "
    "\u202e05 gm\u202c {{x}} %s"
)

CARD = Source(
    key="fiche-ep",
    silo=Silo.FICHES,
    title="Embolie pulmonaire",
    source_identifier="EDN-226",
    publisher="AncreMed, d’après ESC et SPLF",
    licence="CC BY-SA 4.0",
    regulatory_date="2019",
    status=SourceStatus.DRAFT,
    details=(("niveau de preuve", "recommandation européenne"), ("consulté le", "2026-11-30")),
)
GUIDELINE = Source(
    key="has-tvp",
    silo=Silo.HAS,
    title="Maladie veineuse thromboembolique : prise en charge",
    source_identifier="HAS-2018-07",
    publisher="Haute Autorité de santé",
    licence="Licence ouverte 2.0",
    regulatory_date="2018-07-15",
    url="https://www.has-sante.fr",
    page_count=48,
)
EXAM = Source(
    key="edn-qcm",
    silo=Silo.EDN,
    title="Item 226 : question d’entraînement n° 14",
    source_identifier="EDN-226",
    publisher="FrenchMedMCQA",
    licence="CC BY-NC 4.0",
    regulatory_date="2022",
)
OLD = Source(
    key="has-ancien",
    silo=Silo.HAS,
    title="Recommandation sur l’embolie pulmonaire",
    source_identifier="HAS-2009-02",
    publisher="Haute Autorité de santé",
    licence="Licence ouverte 2.0",
    regulatory_date="2009-02",
    superseded=True,
    superseded_by="l’édition de 2018",
)

SENTENCES = {
    "définition": (
        "L’embolie pulmonaire est l’obstruction d’une artère pulmonaire ou de ses branches par un "
        "thrombus, venu le plus souvent d’une veine profonde des membres inférieurs."
    ),
    "physiopathologie": (
        "L’obstruction artérielle augmente la postcharge du ventricule droit, ce qui peut conduire "
        "à une défaillance ventriculaire droite aiguë et au choc."
    ),
    "épidémiologie": (
        "L’incidence annuelle de l’embolie pulmonaire se situe entre 39 et 115 cas pour 100 000 "
        "habitants et augmente avec l’âge."
    ),
    "gravité": (
        "Un choc ou une hypotension artérielle persistante définissent l’embolie pulmonaire à haut "
        "risque."
    ),
}
BEFORE = "Généralités. Cette fiche est un résumé. "
AFTER = " Une douleur ou un œdème unilatéral du mollet orientent vers une thrombose veineuse."


def _passages(source: Source, page: int | None = None) -> tuple[Passage, ...]:
    return tuple(
        Passage(
            urn=passage_urn(source.silo, source.source_identifier, f"{source.key}-{number}"),
            source_key=source.key,
            silo=source.silo,
            origin_title=source.title,
            source_identifier=source.source_identifier,
            text=BEFORE + sentence + AFTER,
            regulatory_date=source.regulatory_date,
            superseded=source.superseded,
            page_number=page + number if page else None,
            section=section,
            heading=f"Embolie pulmonaire > {section}",
            kind=PassageKind.EXAM_ANSWER if source is EXAM else PassageKind.PROSE,
        )
        for number, (section, sentence) in enumerate(SENTENCES.items())
    )


def _assertion(passage: Passage, quote: str, section: str, text: str = "") -> VerifiedAssertion:
    start = passage.text.index(quote)
    draft = DraftAssertion(
        section=section,
        text=text or quote,
        exact_source_quote=quote,
        source_urn=passage.urn,
        subject_entity_id=passage.source_identifier,
        confidence_score=0.97,
    )
    anchored = AnchoredAssertion(
        draft=draft, passage=passage, char_start=start, char_end=start + len(quote)
    )
    return VerifiedAssertion(anchored=anchored, verifier="règles", verbatim=not text)


WRITER = "gemini:gemini-essai"
OUTGOING = "[Consigne]\nRéponds en JSON.\n\n[Demande]\nM. [NOM], né le [DATE DE NAISSANCE], tousse."
REWORDED = (
    "Un thrombus, venu le plus souvent d’une veine profonde des membres inférieurs, obstrue une "
    "artère pulmonaire ou ses branches."
)


class FakeWorkbench:
    """``gate``: while set to an event, a question waits for it (or for the stop) at each stage;
    ``model_gate``: the same for the stages of a model.
    """

    def __init__(self, guideline: Source = GUIDELINE) -> None:
        self.forgotten = 0
        self.keys = KeyStore(lambda: None)
        self.online_url = "http://127.0.0.1:9/"
        self._online: OnlineModel | None = None
        self.shop = Shop(self.online)
        self.card = CARD
        self.guideline = guideline
        self.views: dict[str, SourceView] = {}
        self.gate: threading.Event | None = None
        self.model_gate: threading.Event | None = None
        self.approvals: list[Approval] = []
        self.pause_s = 0.0
        self.open_error: Exception | None = None
        self.prepared = 0
        self.changed_elsewhere = False
        self.problems: tuple[str, ...] = ()
        self.imported: list[tuple[str, tuple[Path, ...]]] = []
        self.own: tuple[Source, ...] = ()
        self.asked: list[str] = []
        for one, page in ((CARD, None), (guideline, 12), (EXAM, None), (OLD, 4)):
            passages = _passages(one, page)
            for passage in passages:
                view = SourceView(source=one, passage=passage, siblings=passages)
                self.views[passage.urn] = view

    def open(self) -> IndexIdentity:
        if self.open_error is not None:
            raise self.open_error
        return IDENTITY

    def refreshed(self) -> IndexIdentity | None:
        renewed, self.changed_elsewhere = self.changed_elsewhere, False
        return self.open() if renewed else None

    def prepare(self) -> None:
        self.prepared += 1

    def ask(
        self,
        raw: str,
        *,
        progress: ProgressCallback,
        cancel: CancelToken,
        on_answer: Callable[[Answer], None],
        approve: Approve,
    ) -> Answer:
        self.asked.append(raw)
        if not raw.strip():
            raise BadQuestionError("La question est vide : écrivez au moins un mot.")
        for number, stage in enumerate(STAGES):
            progress(Progress(stage=stage, done=number, total=len(STAGES)))
            self._wait(cancel)
        if "panne" in raw:
            raise KeyError("une clef")
        if "modèle" in raw:
            return self._with_model(raw, progress, cancel, on_answer, approve)
        return self._answer(raw)

    def _with_model(
        self,
        raw: str,
        progress: ProgressCallback,
        cancel: CancelToken,
        on_answer: Callable[[Answer], None],
        approve: Approve,
    ) -> Answer:
        """Extracts, then a model: « inutile » adds nothing, « casse » fails, « en ligne » sends."""
        first = self._definition(raw)
        on_answer(first)
        sent = ""
        for stage in ("Plan du modèle", "Rédaction du modèle", "Vérification du modèle"):
            progress(Progress(stage=stage, done=5, total=5, detail=WRITER))
            if "en ligne" in raw and stage.startswith("Plan"):
                self.approvals.append(approve(Outgoing(text=OUTGOING, number=1)))
                sent = "" if self.approvals[-1] is Approval.REFUSED else OUTGOING
            self._model_wait(cancel)
        if "casse" in raw:
            raise KeyError("un modèle")
        use = ModelUse(
            role="write", prompt="write:1:0", model=WRITER, identity="essai", outcome="ok",
            elapsed_ms=12.0, cost_usd=0.0004 if sent else 0.0, sent=sent,
        )  # fmt: skip
        if "en ligne" in raw and not sent:
            use = replace(use, outcome="refused", problem=NOTHING_SENT)
        if "inutile" in raw or use.problem:
            return replace(first, models=(use,))
        passage = next(s for s in first.spans if isinstance(s, VerifiedAssertion)).anchored.passage
        written = _assertion(passage, SENTENCES["définition"], "définition", REWORDED)
        way = ModelSection(section="définition", way=ModelWay.WRITE, model=WRITER)
        return replace(
            first, spans=(written, *first.spans[1:]), models=(use,), model_sections=(way,)
        )

    def _model_wait(self, cancel: CancelToken) -> None:
        while self.model_gate is not None and not self.model_gate.wait(0.02):
            cancel.raise_if_cancelled()

    def source_view(self, urn: str) -> SourceView:
        return self.views[urn]

    def document_view(self, key: str) -> SourceView:
        return next(view for view in self.views.values() if view.source.key == key)

    def sources(self) -> tuple[SourceRow, ...]:
        extra = tuple(
            SourceRow(
                source=Source(
                    key=f"bdpm-{n}",
                    silo=Silo.BDPM,
                    title=title,
                    source_identifier=f"6{n:07d}",
                    publisher="ANSM, HAS, UNCAM",
                    licence="Licence ouverte 2.0",
                    regulatory_date="2026-10-02",
                ),
                passages=3 + n % 4,
            )
            for n, title in enumerate(DRUGS)
        )
        own = tuple(
            SourceRow(source=s, passages=4)
            for s in (self.card, self.guideline, EXAM, OLD, *self.own)
        )
        return own + extra

    def kinds(self) -> tuple[str, ...]:
        return ("bdpm", "has", "edn", "cards", "local")

    def remove(
        self, keys: Sequence[str], *, progress: ProgressCallback, cancel: CancelToken
    ) -> BuildReport:
        self._wait(cancel)
        self.own = tuple(source for source in self.own if source.key not in keys)
        return BuildReport(sources=0, passages=0, tallies=(), refusals=(), seconds=())

    def import_paths(
        self, kind: str, paths: Sequence[Path], *, progress: ProgressCallback, cancel: CancelToken
    ) -> BuildReport:
        self.imported.append((kind, tuple(paths)))
        for done in range(1, 41):
            progress(
                Progress(
                    stage="Lecture des PDF",
                    done=done,
                    total=40,
                    detail=f"reco-{done:03d}.pdf",
                    seconds_left=(40 - done) * 2.0,
                )
            )
            self._wait(cancel)
        return BuildReport(
            sources=39,
            passages=1_234,
            tallies=(Tally(file_name="reco-001.pdf", unit="page", read=48, kept=46, refused=2),),
            refusals=(
                Refusal(
                    file_name="reco-017.pdf",
                    where="",
                    reason="le fichier est protégé par un mot de passe.",
                ),
                Refusal(
                    file_name="reco-001.pdf",
                    where="pages 3 et 4",
                    reason="pages sans texte (images) ; à reconnaître avant l’import.",
                ),
            ),
            seconds=(("lecture", 81.0), ("index", 2.0)),
        )

    def check(self, *, progress: ProgressCallback, cancel: CancelToken) -> tuple[CheckReport, ...]:
        progress(Progress(stage="Vérification", done=1, total=2))
        self._wait(cancel)
        path = Path("clinical_ground_truth.db")
        return (CheckReport(path=path, problems=self.problems),)

    def kept_questions(self) -> tuple[str, ...]:
        return ("ancienne", "récente")

    def forget_questions(self) -> None:
        self.forgotten += 1

    def online(self) -> OnlineModel:
        if self._online is None:
            self._online = OnlineModel(self.keys, PreferenceStore(), open_model, self.online_url)
        return self._online

    def models(self) -> ModelDesk:
        return self.shop.desk

    def calculators(self) -> CalculatorService:
        return CalculatorService(load_bank(RESOURCES / "formulas"))

    def _wait(self, cancel: CancelToken) -> None:
        if self.pause_s:
            time.sleep(self.pause_s)
        while self.gate is not None and not self.gate.wait(0.02):
            cancel.raise_if_cancelled()
        cancel.raise_if_cancelled()

    def _answer(self, raw: str) -> Answer:
        if "bonjour" in raw.lower():
            return _answer(
                raw,
                AnswerStatus.CONVERSATION,
                TopicClass.CONVERSATION,
                message="Bonjour. Posez votre question clinique en français.",
            )
        if "ciel" in raw:
            return _answer(
                raw,
                AnswerStatus.REFUSED,
                TopicClass.CONVERSATION,
                message="Cette question sort de mon domaine : je ne réponds qu’à des questions "
                "médicales, à partir de mes sources.",
            )
        if "clairance" in raw.lower():
            return self._calculation(raw)
        if "inconnu" in raw:
            reason = "Terme inconnu du corpus : « zorvatine ». Rien n’est inventé à la place."
            sections = ("indication", "posologie", "contre-indications")
            card = [v.passage for v in self.views.values() if v.source is self.card]
            made = _answer(
                raw,
                AnswerStatus.ABSTENTION,
                TopicClass.PHARMACOLOGY,
                spans=tuple(Abstention(section=s, reason=reason) for s in sections),
            )
            if "vital" in raw:
                own = (card[0].source_identifier,)
                subject = replace(made.plan.subject, entity_ids=own, vital=True)
                made = replace(made, plan=replace(made.plan, subject=subject))
            return replace(made, near=tuple(card[:1]) if "voisin" in raw else ())
        if "hostile" in raw:
            return self._hostile(raw)
        return self._definition(raw)

    def _definition(self, raw: str) -> Answer:
        card = [v.passage for v in self.views.values() if v.source is self.card]
        has = [v.passage for v in self.views.values() if v.source is self.guideline]
        exam = [v.passage for v in self.views.values() if v.source is EXAM]
        spans: tuple[AnswerSpan, ...] = (
            _assertion(card[0], SENTENCES["définition"], "définition"),
            Narrative(
                text="Le mécanisme et ses conséquences sont décrits ci-après.",
                section="physiopathologie",
            ),
            _assertion(has[1], SENTENCES["physiopathologie"], "physiopathologie"),
            _assertion(card[2], SENTENCES["épidémiologie"], "épidémiologie"),
            _assertion(exam[3], SENTENCES["gravité"], "gravité"),
            Abstention(
                section="classification",
                reason="Non trouvé : le corpus indexé ne contient aucun passage sur ce sujet.",
            ),
        )
        return _answer(
            raw,
            AnswerStatus.ANSWER,
            TopicClass.DEFINITION,
            spans=spans,
            sources=(self.card, self.guideline, EXAM),
            dropped=DROPPED,
            corrections=(
                Correction(original="oedeme", replacement="œdème", kind="typo"),
                Correction(original="EP", replacement="embolie pulmonaire", kind="acronym"),
                Correction(
                    original="trombose", replacement="thrombose", kind="typo", certain=False
                ),
            ),
        )

    def _calculation(self, raw: str) -> Answer:
        inputs = {"age": "72 ans", "poids": "68 kg", "creatinine": "130 µmol/L", "sexe": "H"}
        result = self.calculators().run("cockcroft_gault", inputs)
        missing = CalculationRequest(
            formula_id="ckd_epi_2021",
            name="Débit de filtration glomérulaire estimé (CKD-EPI 2021)",
            inputs=(
                InputValue(
                    id="age",
                    label="Âge",
                    value=Decimal(72),
                    unit="ans",
                    origin="lu dans la question",
                ),
            ),
            missing=(
                MissingInput(
                    id="creatinine",
                    label="Créatininémie",
                    problem="valeur à préciser",
                    units=("µmol/L", "mg/dL"),
                ),
            ),
        )
        done = CalculationRequest(
            formula_id="cockcroft_gault",
            name=result.name,
            inputs=result.inputs,
            missing=(),
            result=result,
        )
        return _answer(
            raw, AnswerStatus.ANSWER, TopicClass.CALCULATION, calculations=(done, missing)
        )

    def _hostile(self, raw: str) -> Answer:
        long = "é" * 50_000 + HOSTILE + "x" * 50_000
        spans: list[AnswerSpan] = [Narrative(text=HOSTILE, section="définition")]
        source = Source(
            key="hostile",
            silo=Silo.LOCAL,
            title=HOSTILE,
            source_identifier="LOCAL-1",
            publisher="<i>éditeur</i>",
            licence="",
            status=SourceStatus.USER,
        )
        for number, text in enumerate((f"Avant. {HOSTILE} Après.", f"🫁 {long} fin.")):
            passage = Passage(
                urn=passage_urn(Silo.LOCAL, "LOCAL-1", str(number)),
                source_key=source.key,
                silo=Silo.LOCAL,
                origin_title=HOSTILE,
                source_identifier="LOCAL-1",
                text=text,
                heading="<h1>titre</h1>",
                page_number=1,
            )
            quote = HOSTILE if number == 0 else long
            spans.append(_assertion(passage, quote, "définition"))
            view = SourceView(source=source, passage=passage, siblings=(passage,))
            self.views[passage.urn] = view
        return _answer(
            raw,
            AnswerStatus.ANSWER,
            TopicClass.DEFINITION,
            spans=tuple(spans),
            sources=(source,),
        )


def _answer(
    raw: str,
    status: AnswerStatus,
    topic: TopicClass,
    *,
    message: str = "",
    spans: tuple[AnswerSpan, ...] = (),
    sources: tuple[Source, ...] = (),
    dropped: tuple[DroppedSpan, ...] = (),
    calculations: tuple[CalculationRequest, ...] = (),
    corrections: tuple[Correction, ...] = (),
) -> Answer:
    return Answer(
        status=status,
        question=Question(raw=raw, text=raw, corrections=corrections),
        plan=RetrievalPlan(
            primary_class=topic,
            mode=PlanMode.COMPLETE,
            sections=tuple(dict.fromkeys(getattr(s, "section", "") for s in spans)),
            subject=Subject(label="sujet", words=()),
            sub_queries=(),
            silos=(),
        ),
        spans=spans,
        dropped=dropped,
        sources=sources,
        calculations=calculations,
        rounds=(),
        timings_ms=(("Analyse", 4.2), ("Recherche", 61.0), ("Vérification", 22.0)),
        index=IDENTITY,
        message=message,
    )


IDENTITY = IndexIdentity(
    path="clinical_ground_truth.db",
    schema_version=1,
    build_id="essai-1",
    built_at="2026-11-30T06:00:00Z",
    passages=76_303,
    sources=18_240,
    counts=(("bdpm", 39_601), ("edn", 24_122), ("fiches", 1_201), ("has", 12_580)),
)
DROPPED = (
    DroppedSpan(
        span_text="L’alteplase s’administre à la dose de 10 mg en bolus chez tout patient.",
        section="gravité",
        stage="quantities",
        reason=DropReason.QUANTITY,
        detail="« 10 mg » n’est pas dans la source citée.",
        nearest="L’embolie pulmonaire à haut risque justifie une reperfusion en urgence.",
        differing=((38, 43),),
    ),
    DroppedSpan(
        span_text="Les D-dimères sont dosés quelle que soit la probabilité clinique.",
        section="gravité",
        stage="verifier",
        reason=DropReason.CONDITION,
        detail="La source pose une condition que le segment ne reprend pas.",
        nearest="Si la probabilité clinique n’est pas forte, des D-dimères négatifs éliminent "
        "l’embolie pulmonaire.",
        differing=((25, 64),),
    ),
)
DRUGS = (
    "DOLIPRANE 1000 mg, comprimé",
    "AMOXICILLINE ARROW 500 mg, gélule",
    "ELIQUIS 5 mg, comprimé pelliculé",
    "METFORMINE BIOGARAN 850 mg, comprimé pelliculé",
    "BISOPROLOL EG 2,5 mg, comprimé",
    "LEVOTHYROX 75 microgrammes, comprimé sécable",
    "VENTOLINE 100 microgrammes/dose, suspension pour inhalation",
    "CORDARONE 200 mg, comprimé sécable",
    "KARDEGIC 75 mg, poudre pour solution buvable en sachet-dose",
    "ANAPEN 300 microgrammes/0,3 ml, solution injectable en seringue préremplie",
    "IMETH 10 mg, comprimé sécable",
    "IBUPROFÈNE MYLAN 400 mg, comprimé pelliculé",
)
