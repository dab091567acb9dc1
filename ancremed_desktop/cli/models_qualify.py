"""``models qualify`` and ``models use``: what a model has earned here, and which one is on."""

from __future__ import annotations

import argparse
from pathlib import Path

from ancremed_desktop.domain.events import CancelToken, ProgressCallback
from ancremed_desktop.errors import UserError
from ancremed_desktop.evaluation.gate import read_cases
from ancremed_desktop.evaluation.qualify import Material, qualify, read_gate_cases
from ancremed_desktop.evaluation.questions import read_questions
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.prompts import load_prompts
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.services.assistants import ONLINE, require_qualified
from ancremed_desktop.services.qualification import ABILITY_NAMES, QualificationStore, report
from ancremed_desktop.services.toolbox import Toolbox
from ancremed_desktop.settings import paths
from ancremed_desktop.settings.preferences import PreferenceStore

_MATERIAL = paths.RESOURCES / "qualification"
_NONE = "aucun"


def add_parsers(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], progress: ProgressCallback
) -> None:
    """Declare the two actions. ``progress`` shows long work."""
    parser = actions.add_parser("qualify", help="mesurer ce qu’un modèle sait faire ici")
    parser.add_argument("name", metavar="nom")
    parser.add_argument("--cases", type=Path, metavar="CAS.jsonl", help="autres cas d’épreuve")
    parser.add_argument(
        "--limit", type=int, default=0, metavar="N", help="N cas de chaque sorte (tous par défaut)"
    )
    parser.set_defaults(run=lambda args, toolbox: _qualify(args, toolbox, progress))
    use = actions.add_parser("use", help="employer un modèle qualifié pour répondre")
    use.add_argument("name", metavar="nom", help=f"« {_NONE} » : répondre sans modèle")
    use.add_argument("--verifier", metavar="nom", default="", help="autre modèle, pour vérifier")
    use.set_defaults(run=_use)


def _qualify(args: argparse.Namespace, toolbox: Toolbox, progress: ProgressCallback) -> int:
    """Raises: UserError, ModelError, BadFileError, MachineError."""
    if args.limit < 0:
        raise UserError("--limit attend un nombre positif, ou 0 pour tous les cas.")
    cases = read_cases(args.cases) if args.cases else read_gate_cases(_MATERIAL / "gate")
    index = toolbox.open_index(None)
    model = _opened(toolbox, args.name)
    try:
        material = Material(
            cases=cases,
            questions=read_questions(_MATERIAL / "questions.jsonl"),
            index=index,
            lexicon=load_lexicon(paths.RESOURCES / "lexicons"),
            prompts=load_prompts(paths.RESOURCES / "prompts"),
            limit=args.limit,
        )
        found = qualify(model, material, progress=progress, cancel=CancelToken())
    finally:
        model.close()
        index.close()
    QualificationStore(paths.qualifications()).keep(found)
    print(report(found))
    return 0


def _opened(toolbox: Toolbox, name: str) -> LanguageModel:
    if name == ONLINE:
        return toolbox.online(PreferenceStore()).open()
    return toolbox.models().open(name)


def _use(args: argparse.Namespace, toolbox: Toolbox) -> int:
    """Raises: UserError with its figures, when a model has earned nothing here."""
    preferences = PreferenceStore()
    if args.name == _NONE:
        preferences.update(local_model="", verifier_model="")
        print("Les réponses se font sans modèle.")
        return 0
    prompts = load_prompts(paths.RESOURCES / "prompts")
    store = QualificationStore(paths.qualifications())
    for name in dict.fromkeys((args.name, args.verifier or args.name)):
        model = _opened(toolbox, name)
        earned = require_qualified(name, model, prompts, store)
        print(f"« {name} » sert à : {', '.join(sorted(ABILITY_NAMES[a] for a in earned))}.")
    preferences.update(local_model=args.name, verifier_model=args.verifier)
    return 0
