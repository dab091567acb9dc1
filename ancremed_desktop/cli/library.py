"""``library``: build an index, list its sources, check it."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from ancremed_desktop.domain.events import CancelToken, Progress
from ancremed_desktop.errors import BadFileError, IndexFileError
from ancremed_desktop.services.library import BuildReport
from ancremed_desktop.services.toolbox import Toolbox


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its three actions."""
    parser = subparsers.add_parser("library", help="construire et contrôler la bibliothèque")
    actions = parser.add_subparsers(dest="action", required=True, metavar="action")
    build = actions.add_parser("build", help="construire un index")
    for kind in ("bdpm", "has", "edn", "cards"):
        build.add_argument(f"--{kind}", type=Path, metavar="DOSSIER")
    build.add_argument("--out", type=Path, required=True, metavar="FICHIER")
    build.set_defaults(run=_build)
    for name, action, text in (
        ("list", _list, "lister les sources"),
        ("check", _check, "vérifier chaque passage"),
    ):
        sub = actions.add_parser(name, help=text)
        sub.add_argument("--json", action="store_true")
        sub.add_argument("--index", type=Path, metavar="FICHIER")
        sub.set_defaults(run=action)


def _build(args: argparse.Namespace, toolbox: Toolbox) -> int:
    folders = {"cards": args.cards or toolbox.starter_folder}
    for kind in ("bdpm", "has", "edn"):
        folder = getattr(args, kind)
        if folder is None:
            continue
        if kind not in toolbox.library.kinds:
            raise BadFileError(f"Cette version ne lit pas encore les dossiers « {kind} ».")
        folders[kind] = folder
    for kind, folder in folders.items():
        if not folder.exists():
            raise BadFileError(f"Dossier introuvable pour --{kind} : {folder}.")
    report = toolbox.library.build(folders, args.out, progress=_show, cancel=CancelToken())
    _print_report(report)
    return 0


def _show(progress: Progress) -> None:
    total = f"/{progress.total}" if progress.total else ""
    print(f"{progress.stage} {progress.done}{total} {progress.detail}", file=sys.stderr)


def _print_report(report: BuildReport) -> None:
    print(f"{report.sources} sources, {report.passages} passages.")
    for tally in report.tallies:
        print(
            f"  {tally.file_name} : {tally.read} {tally.unit} lus, {tally.kept} gardés, "
            f"{tally.refused} refusés, {tally.ignored} ignorés"
        )
    for refusal in report.refusals:
        print(f"  Refusé : {refusal.file_name}, {refusal.where} – {refusal.reason}")
    for part, seconds in report.seconds:
        print(f"  {part} : {seconds:.1f} s".replace(".", ","))


def _list(args: argparse.Namespace, toolbox: Toolbox) -> int:
    sources = toolbox.open_index(args.index).sources()
    if args.json:
        rows = [
            {"key": s.key, "silo": s.silo.value, "title": s.title, "date": s.regulatory_date,
             "publisher": s.publisher, "status": s.status.value, "superseded": s.superseded}
            for s in sources
        ]  # fmt: skip
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return 0
    for s in sources:
        print(f"[{s.silo}] {s.title} – {s.publisher}, {s.regulatory_date or 'sans date'}")
    return 0


def _check(args: argparse.Namespace, toolbox: Toolbox) -> int:
    report = toolbox.library.check(toolbox.open_index(args.index))
    if args.json:
        print(json.dumps({"sources": report.sources, "passages": report.passages,
                          "altered": report.altered}))  # fmt: skip
    else:
        print(f"{report.sources} sources, {report.passages} passages, {report.altered} altérés.")
    if report.altered:
        raise IndexFileError(f"{report.altered} passages ont été altérés : reconstruisez l’index.")
    return 0
