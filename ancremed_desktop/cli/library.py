"""``library``: build an index, add to the user's own, list the sources, check the file."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ancremed_desktop.cli import library_embed
from ancremed_desktop.cli.output import say
from ancremed_desktop.domain.documents import Refusal, Source, Tally
from ancremed_desktop.domain.events import CancelToken, Progress
from ancremed_desktop.errors import BadFileError, IndexFileError
from ancremed_desktop.services.library import BuildReport
from ancremed_desktop.services.toolbox import Toolbox
from ancremed_desktop.settings import paths
from ancremed_desktop.text.french import count
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.visible import visible

_KINDS = ("bdpm", "has", "edn", "cards", "ansm", "rcp", "terminologies")
_IMPORT_HELP = "fichier, dossier ou archive (PDF, DOCX, Markdown, HTML, texte ; zip, tar.gz)"
_SHOWN_REFUSALS = 10
_EVERY_S = 0.5
"""Time between two lines of progress: enough to follow, short enough for a log."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its actions."""
    parser = subparsers.add_parser("library", help="construire et contrôler la bibliothèque")
    actions = parser.add_subparsers(dest="action", required=True, metavar="action")
    build = actions.add_parser("build", help="construire un index")
    for kind in _KINDS:
        build.add_argument(f"--{kind}", type=Path, metavar="DOSSIER")
    build.add_argument("--out", type=Path, required=True, metavar="FICHIER")
    _add_report_options(build)
    build.set_defaults(run=_build)
    add = actions.add_parser("import", help="ajouter des documents à votre bibliothèque")
    add.add_argument("paths", type=Path, nargs="+", metavar="chemin", help=_IMPORT_HELP)
    add.add_argument(
        "--type", default="local", metavar="TYPE", help="local (vos documents), bdpm, has, edn…"
    )
    _add_report_options(add)
    add.set_defaults(run=_import)
    remove = actions.add_parser("remove", help="retirer des documents de votre bibliothèque")
    remove.add_argument("names", nargs="+", metavar="document", help="titre, fichier ou dossier")
    remove.set_defaults(run=_remove)
    library_embed.add_parser(actions, _path, _Lines)
    for name, action, text in (
        ("list", _list, "lister les sources"),
        ("check", _check, "vérifier l’index et chaque passage"),
        ("report", _report, "relire le compte rendu de la construction d’un index"),
    ):
        sub = actions.add_parser(name, help=text)
        sub.add_argument("--json", action="store_true", help="sortie JSON")
        sub.add_argument("--index", type=Path, metavar="FICHIER", help="index à lire")
        sub.set_defaults(run=action)
        if name == "list":
            sub.add_argument("--silo", default="", metavar="SILO", help="une famille (local, has…)")


def _add_report_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--details", action="store_true", help="chaque fichier, chaque refus")
    parser.add_argument("--json", action="store_true", help="compte rendu complet en JSON")


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
    _print_report(report, args)
    return 0


def _import(args: argparse.Namespace, toolbox: Toolbox) -> int:
    _known(args.type, toolbox)
    report = toolbox.library.import_into(
        args.type,
        args.paths,
        paths.user_index(to_write=True),
        progress=_Lines(),
        cancel=CancelToken(),
    )
    _print_report(report, args)
    return 0


def _remove(args: argparse.Namespace, toolbox: Toolbox) -> int:
    user_index = paths.user_index(to_write=True)
    own: tuple[Source, ...] = ()
    if user_index.exists():
        index = toolbox.open_index(user_index)
        own = toolbox.library.list(index)
        index.close()
    chosen: dict[str, Source] = {}
    for name in args.names:
        found = _named(own, name)
        if not found:
            raise BadFileError(
                f"« {name} » n’est pas dans votre bibliothèque : « library list --silo local » "
                "donne les titres."
            )
        chosen.update({source.key: source for source in found})
    report = toolbox.library.remove(
        tuple(chosen), user_index, progress=_Lines(), cancel=CancelToken()
    )
    for source in chosen.values():
        say(f"Retiré : {source.title}")
    say(f"Il reste {count(report.sources, 'source')} dans votre bibliothèque.")
    return 0


def _named(sources: Iterable[Source], name: str) -> tuple[Source, ...]:
    """Sources a user means: by key, identifier, title, file name, or path (a folder: all)."""
    place = visible(str(Path(name).expanduser().absolute()))  # as it is stored
    wanted = fold(name.strip())
    found = []
    for source in sources:
        path = dict(source.details).get("chemin", "")
        called = {source.key, source.source_identifier, source.title, source.file_name}
        inside = path == place or path.startswith((f"{place}{os.sep}", f"{place}!"))
        if inside or wanted in map(fold, called):
            found.append(source)
    return tuple(found)


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
        say(line.rstrip(), error=True)


def _duration(progress: Progress) -> str:
    minutes, seconds = divmod(round(progress.seconds_left or 0), 60)
    return f"{minutes} min {seconds:02d} s" if minutes else f"{seconds} s"


def _print_report(report: BuildReport, args: argparse.Namespace) -> None:
    if args.json:
        print(json.dumps(_report_json(report), ensure_ascii=False, indent=2))
        return
    say(f"{count(report.sources, 'source')}, {count(report.passages, 'passage')}.")
    for name in report.resumed:
        say(f"  {name} : repris d’une construction interrompue")
    for part in report.parts:
        refused = count(part.refused_files, "refusé")
        say(f"  {part.part} : {count(part.files, 'fichier')}, dont {refused}")
        for tally in part.counts:
            say(f"    {_counts(tally)}")
    if args.details:
        _print_tallies(report.tallies)
    _print_refusals(report.refusals, args.details)
    for name, seconds in report.seconds:
        say(f"  {name} : {seconds:.1f} s".replace(".", ","))


def _counts(tally: Tally) -> str:
    ends = ((tally.kept, "gardé"), (tally.refused, "refusé"), (tally.ignored, "ignoré"))
    return f"{count(tally.read, tally.unit)} : {', '.join(count(n, word) for n, word in ends)}"


def _print_tallies(tallies: Sequence[Tally]) -> None:
    for tally in tallies:
        say(f"  {tally.file_name} – {_counts(tally)}")
        for label, number in tally.notes:
            say(f"    {label} : {number}")


def _print_refusals(refusals: Sequence[Refusal], details: bool) -> None:
    shown = refusals if details else refusals[:_SHOWN_REFUSALS]
    for refusal in shown:
        where = f", {refusal.where}" if refusal.where else ""
        say(f"  Refusé : {refusal.file_name}{where} – {refusal.reason}")
    if len(shown) < len(refusals):
        say(f"  … et {len(refusals) - len(shown)} autres refus : « library report »")


def _report_json(report: BuildReport) -> dict[str, object]:
    return {
        "sources": report.sources,
        "passages": report.passages,
        "resumed": list(report.resumed),
        "parts": [
            {
                "part": part.part,
                "files": part.files,
                "refused_files": part.refused_files,
                "counts": [_tally_json(count) for count in part.counts],
                "refusals": part.refusals,
            }
            for part in report.parts
        ],
        **_noted_json(report.tallies, report.refusals),
        "seconds": dict(report.seconds),
    }


def _noted_json(tallies: Sequence[Tally], refusals: Sequence[Refusal]) -> dict[str, object]:
    return {
        "tallies": [{"file": t.file_name} | _tally_json(t) for t in tallies],
        "refusals": [
            {"file": r.file_name, "where": r.where, "reason": r.reason, "lines": r.lines}
            for r in refusals
        ],
    }


def _tally_json(tally: Tally) -> dict[str, object]:
    return {
        "unit": tally.unit,
        "read": tally.read,
        "kept": tally.kept,
        "refused": tally.refused,
        "ignored": tally.ignored,
        "notes": dict(tally.notes),
    }


def _report(args: argparse.Namespace, toolbox: Toolbox) -> int:
    tallies, refusals = toolbox.library.report(_path(args, toolbox))
    if args.json:
        print(json.dumps(_noted_json(tallies, refusals), ensure_ascii=False, indent=2))
        return 0
    _print_tallies(tallies)
    _print_refusals(refusals, details=True)
    return 0


def _path(args: argparse.Namespace, toolbox: Toolbox) -> Path:
    """The index file of ``--index``, or the one that is used without it."""
    index = toolbox.open_index(args.index)
    path = Path(index.identity().path)
    index.close()
    return path


def _list(args: argparse.Namespace, toolbox: Toolbox) -> int:
    sources = toolbox.library.list(toolbox.open_index(args.index), args.silo)
    if args.json:
        print(json.dumps([_source_json(s) for s in sources], ensure_ascii=False, indent=2))
        return 0
    for s in sources:
        replaced = f" – remplacé par {s.superseded_by or '?'}" if s.superseded else ""
        date = s.regulatory_date or "sans date"
        status = "" if s.publisher == s.status else f" ({s.status})"
        say(f"[{s.silo}] {s.title} – {s.publisher}, {date}{status}{replaced}")
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
        held = f"{count(identity.sources, 'source')}, {count(identity.passages, 'passage')}"
        say(f"{identity.path} : {held}.")
        for problem in report.problems:
            say(f"  {problem}")
    if report.problems:
        raise IndexFileError(
            f"L’index « {identity.path} » n’est plus intact ({len(report.problems)} anomalies) : "
            "reconstruisez-le avec « library build »."
        )
    return 0
