"""mechstudio film FILE: a film of a run, without a window."""

import argparse
import os
from pathlib import Path
from typing import Any, NamedTuple

from mechstudio.application.films.film import (
    LEAST,
    MOST,
    RUN,
    STRETCH,
    TURN,
    Film,
    FilmRefused,
    Plan,
    checked,
    plan,
)
from mechstudio.application.runs.recording import Recording
from mechstudio.cli.arguments import file_command, size
from mechstudio.cli.outcome import (
    AT_FAULT,
    DONE,
    CommandError,
    Render,
    check_place,
    load,
    on_screen,
    say,
    status_of,
)
from mechstudio.cli.runs import run
from mechstudio.cli.simulate import add_run_options
from mechstudio.curves.picture import Panel
from mechstudio.curves.quantities import find, quantity
from mechstudio.engine.errors import EngineError, RunStopped
from mechstudio.files import runs as run_files
from mechstudio.files.durable import WriteFailed
from mechstudio.files.films.writing import missing
from mechstudio.model.formulas.expression import ExpressionError, evaluate
from mechstudio.model.project import Camera, Project
from mechstudio.model.results.sample import sample_layout
from mechstudio.model.types.films import FILM_BY_ID, FILM_FORMATS, film_by_suffix
from mechstudio.model.units import DEFAULT_SYSTEM, SYSTEM_NAMES
from mechstudio.translation import comma, localised, tr

FITTED = "fitted"


class FilmRequest(NamedTuple):
    """A requested film.  plan: its frames.  recording: the run.  cameras: points of view
    that the camera goes through, None for one that shows everything.  panels: plots under it.
    """

    project: Project
    recording: Recording
    film: Film
    plan: Plan
    cameras: tuple[Camera | None, ...]
    panels: list[Panel]
    units: str
    out: str


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "film",
        tr("a film as GIF, MP4, WebM, WebP or animated PNG"),
        tr(
            "Simulate a mechanism and film it: one cycle that loops without a seam where the "
            "motion has one, or a stretch of the run. Where there is no screen a private virtual "
            "one is started (Linux, with Xvfb). Exit status: 0 done, 1 the mechanism stopped early "
            "(the film shows what there is), cannot be simulated, or has no such stretch, 2 no "
            "file, no encoder, no screen, or nothing could be written."
        ),
    )
    command.add_argument(
        "--out",
        metavar="FILM",
        required=True,
        help=tr("file to write: .gif, .mp4, .webm, .webp or .apng, or a new folder of PNG files"),
    )
    command.add_argument(
        "--format",
        choices=[f.id for f in FILM_FORMATS],
        help=tr("format (default: that of the ending)"),
    )
    command.add_argument("--from", dest="first", metavar="T", help=tr("first instant [s]"))
    command.add_argument("--to", dest="last", metavar="T", help=tr("end of the film [s]"))
    command.add_argument(
        "--whole", action="store_true", help=tr("the whole run, also where it has a cycle")
    )
    command.add_argument("--turns", metavar="N", type=int, default=1, help=tr("cycles (default 1)"))
    command.add_argument(
        "--fps", metavar="N", type=float, default=30.0, help=tr("frames a second (default 30)")
    )
    command.add_argument(
        "--speed", metavar="X", type=float, default=1.0, help=tr("of the motion (default 1)")
    )
    command.add_argument(
        "--size",
        metavar="WxH",
        type=size(LEAST, MOST, "960x540"),
        default=(960, 540),
        help=tr("pixels (default 960x540)"),
    )
    command.add_argument("--theme", choices=("light", "dark", "paper"), default="light")
    command.add_argument(
        "--transparent", action="store_true", help=tr("without sky and floor (not MP4)")
    )
    command.add_argument(
        "--plots",
        metavar="NAME",
        nargs="*",
        help=tr("curves under the view, named as in the window (default: the project's plots)"),
    )
    command.add_argument(
        "--views",
        metavar="NAME",
        nargs="+",
        default=[],
        help=tr(
            "kept views that the camera goes through ('{fitted}': everything; default: the "
            "file's own point of view)",
            fitted=FITTED,
        ),
    )
    command.add_argument("--clock", action="store_true", help=tr("show the time"))
    command.add_argument("--cube", action="store_true", help=tr("show the view cube"))
    command.add_argument("--no-scale", action="store_true", help=tr("without the ruler"))
    command.add_argument("--no-labels", action="store_true", help=tr("without names of joints"))
    command.add_argument(
        "--no-marks", action="store_true", help=tr("without trails and vectors of the project")
    )
    command.add_argument("--units", choices=SYSTEM_NAMES, default=DEFAULT_SYSTEM)
    command.add_argument("--run-of", metavar="FOLDER", help=argparse.SUPPRESS)
    add_run_options(command)


def film_of(options: argparse.Namespace, project: Project) -> Film:
    """The film that the options mean.  Raises ValueError with a sentence."""
    ending = Path(options.out).suffix
    kind = FILM_BY_ID.get(options.format) if options.format else film_by_suffix(ending)
    if kind is None and not ending:
        kind = FILM_BY_ID["png"]
    if kind is None:
        known = comma().join(f.suffix for f in FILM_FORMATS if f.suffix)
        raise ValueError(
            tr(
                "A film is written as {known} or into a folder, not as {ending}.",
                known=known,
                ending=ending or "–",
            )
        )
    first, last = (_time(project, text) for text in (options.first, options.last))
    start = project.mechanism.start.value
    stretch = first is not None or last is not None
    width, height = options.size
    film = checked(
        Film(
            format=kind.id,
            range=STRETCH if stretch else RUN if options.whole else TURN,
            first=start if first is None else first,
            last=start + project.settings.duration.value if last is None else last,
            width=width,
            height=height,
            fps=options.fps,
            speed=options.speed,
            turns=options.turns,
            theme=options.theme,
            transparent=options.transparent,
            plots=options.plots is not None,
            marks=not options.no_marks,
            scale=not options.no_scale,
            clock=options.clock,
            cube=options.cube,
            labels=not options.no_labels,
        )
    )
    if words := missing(kind):
        raise ValueError(words)
    return film


def _time(project: Project, text: str | None) -> float | None:
    from mechstudio.model.edits.elements import parameter_values

    if text is None:
        return None
    try:
        return evaluate(text, "time", parameter_values(project), "s")
    except ExpressionError as error:
        raise ValueError(str(error)) from None


def curves(project: Project, options: argparse.Namespace) -> list[str]:
    """Keys of the curves under the film.  Raises QuantityNotFound (a ValueError)."""
    if options.plots is None:
        return []
    quantities = options.plots or [
        key for plot in project.plots for key in plot.channels if quantity(project, key)
    ]
    return list(dict.fromkeys(find(project, name).key for name in quantities))


def cameras(
    project: Project, options: argparse.Namespace, camera: Camera | None
) -> tuple[Camera | None, ...]:
    """Points of view of the film.  Raises ValueError for a name that no kept view has."""
    kept = {view.name.casefold(): view.camera for view in project.views}
    out: list[Camera | None] = []
    for name in options.views:
        if name.casefold() == FITTED:
            out.append(None)
        elif name.casefold() in kept:
            out.append(kept[name.casefold()])
        else:
            known = comma().join([view.name for view in project.views] + [FITTED])
            raise ValueError(
                tr("There is no view {name}; there are {known}.", name=name, known=known)
            )
    return tuple(out) or (camera,)


def saved_run(project: Project, folder: str) -> Any:
    """The result of a run that a script has saved for its film.  Raises RunUnreadable."""
    from mechstudio.api.result import Result

    place = Path(folder)
    run, _ = run_files.read(place, 1)
    rows = run_files.samples(place, 1)
    return Result(project, sample_layout(project.mechanism), rows, {}, run.events)


def request(
    project: Project,
    camera: Camera | None,
    result: Any,
    options: argparse.Namespace,
    film: Film,
) -> tuple[FilmRequest, str]:
    """The film of a result, and a remark or "".  Raises FilmRefused where the run has no such
    stretch, ValueError, EngineError.
    """
    recording = Recording(project)
    recording.append(result.rows)
    recording.events = list(result.events)
    recording.finish(True)
    remark = ""
    try:
        frames = plan(film, recording)
    except FilmRefused as reason:
        if film.range != TURN or recording.count < 3:
            raise
        import msgspec

        film = msgspec.structs.replace(film, range=RUN)
        frames = plan(film, recording)
        remark = tr("{reason} The film shows the whole run.", reason=reason)
    panels = _panels(result, curves(project, options), frames, options.units)
    views = cameras(project, options, camera)
    out = os.fspath(options.out)
    return (
        FilmRequest(project, recording, film, frames, views, panels, options.units, out),
        remark,
    )


def _panels(result: Any, keys: list[str], frames: Plan, units: str) -> list[Panel]:
    """Plots over the stretch that the film shows."""
    from mechstudio.curves import composition

    if not keys:
        return []
    first, last = min(frames.times), max(frames.times)
    if frames.cycle is not None:
        last = first + frames.cycle.period
    shown = [
        composition.Shown(q.name, q.dimension, found.between(first, last))
        for q, found in zip([find(result.project, key) for key in keys], result.courses(*keys))
    ]
    return [panel for each in shown for panel in composition.panels([each], units)]


def command(options: argparse.Namespace, draw: Render | None = None) -> int:
    """mechstudio film FILE --out FILM …"""
    from mechstudio.application.films.film import FilmRefused
    from mechstudio.files.films.writing import EncoderMissing, FilmFailed
    from mechstudio.files.runs import RunUnreadable

    if draw is None:
        raise CommandError(tr("This installation has no window, so it cannot draw."))
    loaded = load(options.file)
    try:
        chosen = film_of(options, loaded.project)
    except ValueError as error:
        raise CommandError(str(error)) from None
    check_place(options.out, "--out", tr("the film"))
    reason = ""
    try:
        if options.run_of:
            result = saved_run(loaded.project, options.run_of)
        else:
            result, reason = run(loaded.project, options)
    except RunUnreadable as error:
        raise CommandError(str(error)) from None
    if result is None or not len(result):
        return say(tr("It cannot be simulated: {reason}", reason=reason), AT_FAULT)
    try:
        film, remark = request(loaded.project, loaded.camera, result, options, chosen)
    except FilmRefused as error:
        raise CommandError(str(error), AT_FAULT) from None
    except (EngineError, RunStopped, ValueError) as error:
        raise CommandError(str(error)) from None
    if remark:
        say(remark, DONE)
    try:
        on_screen(lambda: draw(film))
    except (EncoderMissing, FilmFailed, WriteFailed) as error:
        raise CommandError(str(error)) from None
    frames = film.plan
    print(
        tr(
            "Film of {count} frames, {seconds} s, written to {out}",
            count=len(frames.times),
            seconds=localised(f"{frames.length:.4g}"),
            out=options.out,
        )
    )
    if reason:
        return say(tr("Stopped early: {reason}", reason=reason), AT_FAULT)
    return status_of(loaded)
