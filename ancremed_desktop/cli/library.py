"""``library``: build an index, add to the user's own, list the sources, check the file."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.events import CancelToken, Progress
from ancremed_desktop.errors import BadFileError, IndexFileError
from ancremed_desktop.services.library import BuildReport
from ancremed_desktop.services.toolbox import Toolbox
from ancremed_desktop.settings import paths

_KINDS = ("bdpm", "has", "edn", "cards")
_EVERY_S = 0.5
"""Time between two lines of progress: enough to follow, short enough for a log."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its four actions."""
    parser = subparsers.add_parser("library", help="construire et contrôler la bibliothèque")
    actions = parser.add_subparsers(dest="action", required=True, metavar="action")
    build = actions.add_parser("build", help="construire un index")
    for kind in _KINDS:
        build.add_argument(f"--{kind}", type=Path, metavar="DOSSIER")
    build.add_argument("--out", type=Path, required=True, metavar="FICHIER")
    build.set_defaults(run=_build)
    add = actions.add_parser("import", help="ajouter un dossier à votre bibliothèque")
    add.add_argument("kind", metavar="type", help="bdpm, has, edn ou cards")
    add.add_argument("folder", type=Path, metavar="dossier")
    add.set_defaults(run=_import)
    for name, action, text in (
        ("list", _list, "lister les sources"),
        ("check", _check, "vérifier l’index et chaque passage"),
    ):
        sub = actions.add_parser(name, help=text)
        sub.add_argument("--json", action="store_true", help="sortie JSON")
        sub.add_argument("--index", type=Path, metavar="FICHIER", help="index à lire")
        sub.set_defaults(run=action)


def run(args: argparse.Namespace, toolbox: Toolbox) -> int:
    """Execute the chosen action; returns the exit code."""
    action: Callable[[argparse.Namespace, Toolbox], int] = args.run
    return action(args, toolbox)


def _build(args: argparse.Namespace, toolbox: Toolbox) -> int:
    folders = {"cards": args.cards or toolbox.starter_folder}
    for kind in _KINDS:
        folder = getattr(args, kind)
        if folder is not None:
            _known(kind, toolbox)
            folders[kind] = folder
    report = toolbox.library.build(folders, args.out, progress=_Lines(), cancel=CancelToken())
    _print_report(report)
    return 0


def _import(args: argparse.Namespace, toolbox: Toolbox) -> int:
    _known(args.kind, toolbox)
    report = toolbox.library.import_into(
        args.kind, args.folder, paths.user_index(), progress=_Lines(), cancel=CancelToken()
    )
    _print_report(report)
    return 0


def _known(kind: str, toolbox: Toolbox) -> None:
    if kind not in toolbox.library.kinds:
        known = ", ".join(toolbox.library.kinds)
        raise BadFileError(f"Cette version ne lit pas les dossiers « {kind} » ({known}).")


class _Lines:
    """Progress as lines on the error output, a few a second at most."""

    def __init__(self) -> None:
        self._last = ("", 0.0)

    def __call__(self, progress: Progress) -> None:
        stage, when = self._last
        now = time.monotonic()
        ended = progress.total and progress.done >= progress.total
        if progress.stage == stage and now - when < _EVERY_S and not ended:
            return
        self._last = (progress.stage, now)
        total = f"/{progress.total}" if progress.total else ""
        left = "" if progress.seconds_left is None else f" – reste {_duration(progress)}"
        line = f"{progress.stage} {progress.done}{total}{left} {progress.detail}"
        print(line.rstrip(), file=sys.stderr)


def _duration(progress: Progress) -> str:
    minutes, seconds = divmod(round(progress.seconds_left or 0), 60)
    return f"{minutes} min {seconds:02d} s" if minutes else f"{seconds} s"


def _print_report(report: BuildReport) -> None:
    print(f"{report.sources} sources, {report.passages} passages.")
    for part in report.resumed:
        print(f"  {part} : repris d’une construction interrompue")
    for tally in report.tallies:
        print(
            f"  {tally.file_name} ({tally.unit}) : {tally.read} lus, {tally.kept} gardés, "
            f"{tally.refused} refusés, {tally.ignored} ignorés"
        )
        for label, count in tally.notes:
            print(f"    {label} : {count}")
    for refusal in report.refusals:
        print(f"  Refusé : {refusal.file_name}, {refusal.where} – {refusal.reason}")
    for part, seconds in report.seconds:
        print(f"  {part} : {seconds:.1f} s".replace(".", ","))


def _list(args: argparse.Namespace, toolbox: Toolbox) -> int:
    sources = toolbox.library.list(toolbox.open_index(args.index))
    if args.json:
        print(json.dumps([_source_json(s) for s in sources], ensure_ascii=False, indent=2))
        return 0
    for s in sources:
        replaced = f" – remplacé par {s.superseded_by or '?'}" if s.superseded else ""
        date = s.regulatory_date or "sans date"
        print(f"[{s.silo}] {s.title} – {s.publisher}, {date} ({s.status}){replaced}")
    return 0


def _source_json(source: Source) -> dict[str, str | bool]:
    return {
        "key": source.key,
        "silo": source.silo.value,
        "title": source.title,
        "source_identifier": source.source_identifier,
        "date": source.regulatory_date,
        "publisher": source.publisher,
        "licence": source.licence,
        "status": source.status.value,
        "superseded": source.superseded,
        "superseded_by": source.superseded_by,
    }


def _check(args: argparse.Namespace, toolbox: Toolbox) -> int:
    index = toolbox.open_index(args.index)
    identity = index.identity()
    index.close()
    report = toolbox.library.check(Path(identity.path), progress=_Lines(), cancel=CancelToken())
    if args.json:
        facts = {
            "path": identity.path,
            "build_id": identity.build_id,
            "built_at": identity.built_at,
            "sources": identity.sources,
            "passages": identity.passages,
            "problems": list(report.problems),
        }
        print(json.dumps(facts, ensure_ascii=False, indent=2))
    else:
        print(f"{identity.path} : {identity.sources} sources, {identity.passages} passages.")
        for problem in report.problems:
            print(f"  {problem}")
    if report.problems:
        raise IndexFileError(
            f"L’index « {identity.path} » n’est plus intact ({len(report.problems)} anomalies) : "
            "reconstruisez-le avec « library build »."
        )
    return 0
