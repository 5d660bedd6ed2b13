"""mechstudio equations FILE: the equations of motion on standard output, or in a file of any export
format.
"""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mechstudio.cli.arguments import file_command
from mechstudio.cli.outcome import AT_FAULT, CommandError, Render, check_place, load, status_of
from mechstudio.cli.runs import run
from mechstudio.cli.terminal import json_text, progress_line
from mechstudio.files.durable import WriteFailed
from mechstudio.files.durable import write as write_file
from mechstudio.model.equations.lecture import CHAPTER_TITLES, CONTACTS, METHODS, PARTITION, TORSORS
from mechstudio.model.project import Project
from mechstudio.model.types.exports import BY_ID, EXPORTS, by_suffix
from mechstudio.model.units import DEFAULT_SYSTEM, SYSTEMS
from mechstudio.translation import comma, tr

JSON = "json"
LECTURE_FORMATS = ("text", "latex", "typst", "pdf")  # of chapters and proofs by themselves
MOVING = "report-html"  # in which the mechanism moves
REPORTS = (MOVING, "report-pdf")  # to which they are added
FORMATS = (*(f.id for f in EXPORTS), JSON)


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "equations",
        tr("the equations of motion in symbols"),
        tr(
            "Derive the equations of motion in the drawing's own names and print them: M(q) a + "
            "b(q, v) + g(q) = tau, with C(q) = 0 and multipliers where loops close. Exit status: "
            "0 done, 1 the drawing cannot be derived, 2 the file cannot be read or written."
        ),
    )
    command.add_argument("--method", choices=METHODS, default="lagrange")
    command.add_argument(
        "--format",
        choices=FORMATS,
        help=tr(
            "text, latex (amsmath), mathml, typst, pdf, sympy (a script), python (a NumPy "
            "module), c (C99), modelica, notebook (Jupyter), report-html and report-pdf (one page "
            "with drawing, mobility and curves), report-typst and report-latex (its source, a zip "
            "with the pictures), json (strings); default: what the ending of --out stands for, "
            "else text"
        ),
    )
    command.add_argument(
        "--chapter",
        choices=tuple(CHAPTER_TITLES),
        action="append",
        default=[],
        help=tr(
            "print a chapter of the lecture instead: a method step by step, or one of the others; "
            "as text, latex, typst or pdf, or added to a report; may be given several times"
        ),
    )
    command.add_argument(
        "--independent",
        metavar="NAMES",
        help=tr("for --chapter partition: the coordinates to keep, by name with commas between"),
    )
    command.add_argument("--body", metavar="NAME", help=tr("for --chapter torsors: one body alone"))
    command.add_argument(
        "--point",
        metavar="NAME",
        help=tr("for --chapter torsors with --body: also at this named point of it"),
    )
    command.add_argument(
        "--time",
        metavar="TIME",
        help=tr(
            "for --chapter contacts: simulate until then, and write the numbers of that instant, "
            "with the contact that presses hardest"
        ),
    )
    command.add_argument(
        "--proofs",
        action="store_true",
        help=tr(
            "print what is proven: the three methods against each other, M, C, and the "
            "simulator's verdict"
        ),
    )
    command.add_argument(
        "--out", metavar="OUT", help=tr("file to write (default: standard output)")
    )
    command.add_argument(
        "--coordinates",
        choices=("joint", "link", "auto"),
        default="auto",
        help=tr(
            "joint angles, the angles of links in their plane, or link angles only where loops "
            "close and for long open planar chains (default: that, as in the window)"
        ),
    )
    command.add_argument(
        "--units",
        choices=tuple(SYSTEMS),
        default=DEFAULT_SYSTEM,
        help=tr("of the numbers in documents and reports (code is in SI always)"),
    )


def requested_format(options: argparse.Namespace) -> str:
    """The requested format.  Raises ValueError with a sentence where none can be chosen,
    or one that needs a file has none.
    """
    if options.chapter or options.proofs:
        known = (*LECTURE_FORMATS, *REPORTS)
        found = (
            by_suffix(os.path.splitext(options.out)[1])
            if options.out and options.format is None
            else None
        )
        format = options.format or (found.id if found is not None else "text")
        if format not in known:
            raise ValueError(
                tr(
                    "--chapter and --proofs go with --format {known}, not with {format}.",
                    known=comma().join(known),
                    format=format,
                )
            )
        return str(format)
    if options.format is not None:
        return str(options.format)
    suffix = os.path.splitext(options.out)[1] if options.out else ""
    found = by_suffix(suffix)
    if options.out and found is None and suffix != ".json":
        raise ValueError(
            tr("The ending {suffix} stands for no format; choose one by --format.", suffix=suffix)
            if suffix
            else tr(
                "{out} has no ending that stands for a format; choose one by --format.",
                out=options.out,
            )
        )
    return JSON if suffix == ".json" else found.id if found is not None else "text"


def choice_words(options: argparse.Namespace, format: str) -> str:
    """The format that was written and the others, where the file's ending stood for several and
    none was requested; else empty.
    """
    suffix = os.path.splitext(options.out or "")[1].lower()
    others = [f for f in EXPORTS if f.suffix == suffix and f.id != format and not f.report]
    if options.format is not None or not others:
        return ""
    rest = " or ".join(tr("{field} (--format {id})", field=tr(f.label), id=f.id) for f in others)
    return tr(
        "{out} is written as {format} (--format {format_2}); {suffix} stands for {rest} too.",
        out=options.out,
        format=tr(BY_ID[format].label),
        format_2=format,
        suffix=suffix,
        rest=rest,
    )


def output(
    project: Project,
    options: argparse.Namespace,
    format: str,
    progress: Callable[[float], None] | None = None,
) -> str | bytes:
    """Text or bytes that the command prints or writes.  progress(fraction): called while it works.
    Raises symbolic.DerivationError.
    """
    if options.chapter or options.proofs:
        return lecture(project, options, format, progress)
    from mechstudio.symbolic import derive

    advance = progress or (lambda fraction: None)
    derivation = derive(
        project,
        options.method,
        coordinates=options.coordinates,
        progress=lambda fraction, _: advance(0.3 * fraction),
    )
    if format == JSON:
        return json_text(derivation.json())
    return derivation.export(
        format,
        title=project.lesson.title or Path(options.file).stem,
        units=options.units,
        progress=lambda fraction, _: advance(0.3 + 0.7 * fraction),
        moving=_moving(project) if format == MOVING else "",
    )


def lecture(
    project: Project,
    options: argparse.Namespace,
    format: str,
    progress: Callable[[float], None] | None = None,
) -> str | bytes:
    """Chapters and proofs, by themselves or in a report.  Raises symbolic.DerivationError."""
    from mechstudio.api.derivations import agreement, derive
    from mechstudio.symbolic.exports.pages.lecture import write
    from mechstudio.symbolic.exports.pages.style import term_colors

    advance = progress or (lambda fraction: None)
    derivation = derive(
        project,
        options.method,
        coordinates=options.coordinates,
        progress=lambda fraction, _: advance(0.2 * fraction),
    )
    chapters = []
    for k, key in enumerate(options.chapter):
        chapters.append(derivation.chapter(key, **_choices(options, key, project)))
        advance(0.2 + 0.4 * (k + 1) / len(options.chapter))
    proofs = (*derivation.proofs, agreement(derivation)) if options.proofs else ()
    advance(0.7)
    title = project.lesson.title or Path(options.file).stem
    if format in REPORTS:
        return derivation.export(
            format,
            title=title,
            units=options.units,
            progress=lambda fraction, _: advance(0.7 + 0.3 * fraction),
            chapters=chapters,
            proofs=proofs,
            moving=_moving(project) if format == MOVING else "",
        )
    return write(format, chapters, proofs, title, term_colors(derivation.plan.mechanism))


def _moving(project: Project) -> str:
    """The mechanism that moves in a report; as drawn where it cannot be run."""
    from mechstudio.api.reports import moving

    result, _ = run(project, argparse.Namespace())
    return moving(project, result)


def _instant(project: Project, time: str) -> dict[str, Any]:
    """The last sample of a run until then, and its contacts.  Raises symbolic.DerivationError for a
    time that cannot be read or reached.
    """
    from mechstudio.api.runs import contacts_at
    from mechstudio.engine.errors import EngineError, RunStopped
    from mechstudio.symbolic import DerivationError

    try:
        row, sample = contacts_at(project, time)
    except (ValueError, EngineError, RunStopped) as error:
        raise DerivationError(
            tr(
                "There is no instant {time} to show the contacts of: {error}",
                time=time,
                error=error,
            )
        ) from error
    return {"row": row, "sample": sample}


def _choices(options: argparse.Namespace, key: str, project: Project) -> dict[str, Any]:
    """Options of a chapter.  Raises symbolic.DerivationError for a body or point that is not in the
    drawing, and for a time that cannot be read or reached.
    """
    from mechstudio.symbolic import DerivationError

    mechanism = project.mechanism
    if key == PARTITION and options.independent:
        return {"independent": tuple(x.strip() for x in options.independent.split(","))}
    if key == CONTACTS and options.time:
        return _instant(project, options.time)
    if key != TORSORS or not options.body:
        return {}
    body = next((b for b in mechanism.bodies.values() if options.body in (b.name, b.id)), None)
    if body is None:
        raise DerivationError(
            tr(
                "There is no body {body}; there are {body_name}.",
                body=options.body,
                body_name=comma().join(b.name for b in mechanism.bodies.values()),
            )
        )
    known = [p.name for p in body.points] + [name for s in body.shapes for name in s.points()]
    if options.point and options.point not in known:
        raise DerivationError(
            tr(
                "{body} has no point {point}; it has {known}.",
                body=body.name,
                point=options.point,
                known=comma().join(known) or tr("none"),
            )
        )
    return {"body": body.id, "point": options.point}


def is_text(format: str) -> bool:
    """True if a format can be printed on a terminal."""
    return format == JSON or not BY_ID[format].suffix.endswith("pdf")


def command(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio equations FILE [--format F] [--out OUT] …"""
    from mechstudio.symbolic import DerivationError

    if options.out is not None:
        check_place(options.out, "--out", tr("the equations"))
    try:
        format = requested_format(options)
    except ValueError as error:
        raise CommandError(str(error)) from None
    if options.out is None and not is_text(format) and sys.stdout.isatty():
        raise CommandError(tr("{format} is no text: name a file for it by --out.", format=format))
    loaded = load(options.file)
    try:
        with progress_line(tr("Deriving")) as progress:
            content = output(loaded.project, options, format, progress)
    except DerivationError as error:
        raise CommandError(str(error), AT_FAULT) from None
    if options.out is not None:
        try:
            write_file(options.out, content if isinstance(content, bytes) else content.encode())
        except WriteFailed as error:
            raise CommandError(str(error)) from None
        if reported := choice_words(options, format):
            print(reported, file=sys.stderr)
    elif isinstance(content, bytes):
        sys.stdout.buffer.write(content)
    else:
        print(content, end="")
    return status_of(loaded)
