"""The command line: check, simulate, derive and render a project file without a window.

mechstudio/main.py hands in the function that draws, because this floor knows no Qt.  Exit status
everywhere: 0 done, 1 the mechanism is at fault, 2 the file or the command is.  Results go to
standard output, everything else to standard error.
"""

import argparse
import io
import json
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from mechstudio.cli.actions import add_commands as add_actions
from mechstudio.cli.actions import done as action_done
from mechstudio.cli.actions import table as action_table
from mechstudio.cli.analyse import add_command as add_analyse
from mechstudio.cli.analyse import output as analyse_output
from mechstudio.cli.arguments import file_command
from mechstudio.cli.assemble import add_command as add_assemble
from mechstudio.cli.assemble import output as assemble_output
from mechstudio.cli.check import add_command as add_check
from mechstudio.cli.check import check_lines, check_report
from mechstudio.cli.convert import add_command as add_convert
from mechstudio.cli.convert import converted
from mechstudio.cli.diff import add_command as add_diff
from mechstudio.cli.diff import output as diff_output
from mechstudio.cli.equations import add_command as add_equations
from mechstudio.cli.equations import choice_words, is_text, requested_format
from mechstudio.cli.equations import output as equations_output
from mechstudio.cli.mesh import add_command as add_mesh
from mechstudio.cli.mesh import output as mesh_output
from mechstudio.cli.new import add_command as add_new
from mechstudio.cli.new import beginning
from mechstudio.cli.pictures.diagram import add_command as add_diagram
from mechstudio.cli.pictures.diagram import output as diagram_output
from mechstudio.cli.pictures.drawing import add_command as add_drawing
from mechstudio.cli.pictures.drawing import remark as drawing_remark
from mechstudio.cli.pictures.film import FilmRequest, saved_run
from mechstudio.cli.pictures.film import add_command as add_film
from mechstudio.cli.pictures.film import request as film_request
from mechstudio.cli.pictures.film import wanted as wanted_film
from mechstudio.cli.plot import add_command as add_plot
from mechstudio.cli.plot import listed as listed_quantities
from mechstudio.cli.plot import names as plotted_names
from mechstudio.cli.plot import write as write_plot
from mechstudio.cli.simulate import (
    STATISTICS,
    against_lines,
    against_report,
    conservation_lines,
    contact_words,
    driven_lines,
    end_lines,
    end_report,
    save_table,
    statistics_lines,
    stop_report,
    stop_words,
)
from mechstudio.cli.simulate import add_command as add_simulate
from mechstudio.engine.errors import EngineError, RunStopped
from mechstudio.files.durable import WriteFailed
from mechstudio.files.durable import write as write_file
from mechstudio.files.project_file import Loaded, ProjectFileError
from mechstudio.files.project_file import load as load_file
from mechstudio.files.project_file import save as save_file
from mechstudio.model.project import Camera, Project
from mechstudio.model.version import VERSION
from mechstudio.translation import tr
from mechstudio.virtual_screen import NoScreenError, has_screen, virtual_screen

if TYPE_CHECKING:
    import numpy as np

DONE, AT_FAULT, UNREADABLE = 0, 1, 2
DEBUG = "MECHSTUDIO_DEBUG"
LARGEST_PICTURE = 16384  # [pixels] a side


class RenderRequest(NamedTuple):
    """A picture that is wanted.

    time [s]: of the run; None for the drawing.  poses (bodies, 7): the mechanism at that time, in
    file order without ground. width, height [pixels].  theme: "light", "dark" or "paper".
    window: the whole window instead of the viewport.  transparent: without sky and floor.
    """

    path: str
    project: Project
    camera: Camera | None
    time: float | None
    poses: "np.ndarray"
    width: int
    height: int
    theme: str
    window: bool
    out: str
    transparent: bool = False


Render = Callable[[RenderRequest | FilmRequest], None]


class CommandError(Exception):
    """One sentence for standard error, and the exit status."""

    def __init__(self, sentence: str, status: int = UNREADABLE) -> None:
        super().__init__(sentence)
        self.status = status


def is_command(arguments: Sequence[str]) -> bool:
    """True if the arguments are for this command line; otherwise they open the window."""
    return bool(arguments) and arguments[0] in (*COMMANDS, "-h", "--help", "--version")


def main(arguments: Sequence[str], render: Render | None = None) -> int:
    """Run one command; returns the exit status and never raises for what a user may do.

    render: draws a picture and writes it; raises OSError if it cannot be written, CommandError if
    nothing can be drawn here.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # a terminal that knows no "·" shows a question mark instead
            stream.reconfigure(errors="replace")
    try:
        options = _parser().parse_args(arguments)
        return COMMANDS[options.command](options, render)
    except SystemExit as end:  # argparse: 0 after --help, 2 after a wrong option
        return int(end.code or 0)
    except CommandError as problem:
        return _say(str(problem), problem.status)
    except BrokenPipeError:  # the reader of our output went away, as head does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        return _say(
            tr("The output cannot be written ({strerror}).", strerror=error.strerror or error),
            UNREADABLE,
        )
    except KeyboardInterrupt:
        return _say(tr("Stopped by the keyboard."), 130)
    except MemoryError:
        return _say(tr("There is not enough memory for this."), AT_FAULT)
    except Exception as error:
        # a fault of this program: one sentence for the user, the whole story for whoever asks for
        # it
        if os.environ.get(DEBUG):
            raise
        return _say(
            tr(
                "This is a fault of mechstudio itself, please report it: {type}: {error} "
                "({debug}=1 shows where).",
                type=type(error).__name__,
                error=error,
                debug=DEBUG,
            ),
            UNREADABLE,
        )


# arguments


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mechstudio",
        description=tr("Draw a 3D mechanism and see it move. Without a command the window opens."),
        usage=(
            "mechstudio [FILE]\n       mechstudio "
            "{check,assemble,analyse,simulate,plot,equations,mesh,render,film,diagram,drawing} "
            "FILE [options]\n       "
            "mechstudio convert IN OUT\n       mechstudio diff BEFORE AFTER\n       "
            "mechstudio new FILE [--from SAMPLE]\n       "
            "mechstudio do ACTION FILE [options]\n       mechstudio actions"
        ),
    )
    parser.add_argument(
        "--version", action="version", version=tr("mechstudio {version}", version=VERSION)
    )
    commands = parser.add_subparsers(
        dest="command",
        required=True,
        metavar="check | assemble | analyse | simulate | plot | equations | mesh | render | "
        "film | diagram | drawing | convert | diff | new | do | actions",
    )
    add_check(commands)
    add_assemble(commands)
    add_analyse(commands)
    add_simulate(commands)
    add_plot(commands)
    add_equations(commands)
    add_mesh(commands)
    _add_render(commands)
    add_film(commands)
    add_diagram(commands)
    add_drawing(commands)
    add_convert(commands)
    add_diff(commands)
    add_new(commands)
    add_actions(commands)
    return parser


def _add_render(commands: Any) -> None:
    command = file_command(
        commands,
        "render",
        tr("a picture as PNG"),
        tr(
            "Draw the mechanism, or the whole window, into a PNG file. Where there is no screen a "
            "private virtual one is started (Linux, with Xvfb). Exit status: 0 done, 1 the "
            "mechanism cannot be simulated to that time, 2 no file, no screen or no picture."
        ),
    )
    command.add_argument(
        "--time", metavar="T", help=tr("instant of the run [s] (default: as drawn)")
    )
    command.add_argument(
        "--size", metavar="WxH", default="1600x1000", type=_size, help="pixels (default 1600x1000)"
    )
    command.add_argument("--theme", choices=("light", "dark", "paper"), default="light")
    command.add_argument(
        "--transparent", action="store_true", help=tr("without sky and floor (not with --window)")
    )
    command.add_argument(
        "--window", action="store_true", help=tr("the whole window instead of the viewport")
    )
    command.add_argument("--out", metavar="PICTURE.png", required=True, help=tr("file to write"))


def _size(text: str) -> tuple[int, int]:
    """Width and height of 1600x1000."""
    parts = text.lower().replace("×", "x").split("x")
    if (
        len(parts) != 2
        or not all(p.isascii() and p.isdigit() for p in parts)
        or not all(16 <= int(p) <= LARGEST_PICTURE for p in parts)
    ):
        raise argparse.ArgumentTypeError(
            tr(
                "{text} is no size; write width and height in pixels such as 1600x1000 (16 to "
                "{largest_picture} each).",
                text=text,
                largest_picture=LARGEST_PICTURE,
            )
        )
    return int(parts[0]), int(parts[1])


# check


def check(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio check FILE [--json]."""
    from mechstudio.api.projects import check

    try:
        loaded = load_file(options.file)  # what was not understood stands among the findings
    except ProjectFileError as error:
        raise CommandError(str(error)) from None
    analysis = check(loaded.project)
    findings = (*loaded.findings, *analysis.findings)
    report = check_report(loaded.project, analysis.structure, findings)
    if options.json:
        print(json.dumps(report, indent=1))
    else:
        print("\n".join(check_lines(loaded.project, analysis.structure, report, findings)))
    return AT_FAULT if any(f.severity == "error" for f in findings) else DONE


# assemble


def assemble(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio assemble FILE [--keep BODY] [--out OUT.mech]."""
    loaded = _load(options.file)
    try:
        text, closed = assemble_output(loaded.project, options)
    except KeyError as error:
        raise CommandError(str(error.args[0])) from None
    if closed is None:
        print(text, end="")
        return AT_FAULT
    if options.out is not None:
        try:
            _write(options.out, lambda: save_file(options.out, closed, loaded.camera))
        except ProjectFileError as error:
            raise CommandError(str(error)) from None
    print(text, end="")
    return _status(loaded)


# analyse


def analyse(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio analyse FILE …"""
    loaded = _load(options.file)
    terminal = sys.stderr.isatty()
    try:
        text, good = analyse_output(
            loaded.project, options, _progress("Working") if terminal else None
        )
    except (KeyError, ValueError) as error:
        raise CommandError(str(error.args[0])) from None
    except (EngineError, RunStopped) as error:
        raise CommandError(str(error), AT_FAULT) from None
    finally:
        if terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
    print(text, end="")
    return _status(loaded) if good else AT_FAULT


# simulate


def simulate(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio simulate FILE …"""
    loaded = _load(options.file)
    if options.csv is not None:
        _check_place(options.csv)
    result, reason = _run(loaded.project, options)
    if options.csv and result is not None:
        _write(
            options.csv,
            lambda: save_table(options.csv, loaded.project.mechanism, result.layout, result.rows),
        )
    statistics: dict[str, Any] = (
        result.statistics if result is not None else dict.fromkeys(STATISTICS)
    )
    try:
        compared = [] if result is None or not options.against else result.against(options.against)
    except (ValueError, EngineError) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(
            tr(
                "{file} cannot be read: {why}.",
                file=options.against,
                why=error.strerror or type(error).__name__,
            )
        ) from None
    if options.json:
        print(
            json.dumps(
                {k: statistics[k] for k in STATISTICS}
                | {"digest": None if result is None else result.digest}
                | stop_report(loaded.project.mechanism, result)
                | end_report(loaded.project.mechanism, result)
                | against_report(compared),
                indent=1,
            )
        )
    elif result is not None:
        lines = statistics_lines(
            statistics,
            options.csv,
            stop_words(loaded.project.mechanism, result.events),
            contact_words(loaded.project, statistics),
        )
        print(
            "\n".join(
                [
                    *lines,
                    *end_lines(loaded.project.mechanism, result),
                    *driven_lines(loaded.project.mechanism),
                    *conservation_lines(result),
                    *against_lines(compared),
                ]
            )
        )
    return (
        _say(
            f"{tr('Stopped early') if result is not None else tr('It cannot be simulated')}: "
            f"{reason}",
            AT_FAULT,
        )
        if reason
        else _status(loaded)
    )


def plot(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio plot FILE --quantity NAME … --out PICTURE"""
    from mechstudio.curves.tables import MissingLibrary

    loaded = _load(options.file)
    if options.list:
        print("\n".join(listed_quantities(loaded.project, options.units)))
        return _status(loaded)
    try:
        keys = plotted_names(loaded.project, options)
    except ValueError as error:
        raise CommandError(str(error)) from None
    for path, option, what in (
        (options.out, "--out", tr("the picture")),
        (options.csv, "--csv", tr("the table")),
    ):
        if path is not None:
            _check_place(path, option, what)
    result, reason = _run(loaded.project, options)
    if result is None or not len(result):
        return _say(tr("It cannot be simulated: {reason}", reason=reason), AT_FAULT)
    save = lambda path, content: _write(path, lambda: write_file(path, content))
    try:
        for reported in write_plot(result, keys, options, save):
            print(reported)
    except MissingLibrary as error:
        raise CommandError(str(error)) from None
    except (EngineError, RunStopped, ValueError) as error:
        raise CommandError(str(error), AT_FAULT) from None
    return (
        _say(tr("Stopped early: {reason}", reason=reason), AT_FAULT) if reason else _status(loaded)
    )


def _run(project: Project, options: argparse.Namespace) -> tuple[Any, str]:
    """The result of a run and why it ended early ("" if it did not); no result if it could not
    start.
    """
    from mechstudio.api.runs import SimulationStopped, simulate
    from mechstudio.engine.integration.options import options_of

    given = {
        name: getattr(options, name, None)
        for name in ("duration", "sample_step", "integrator", "tolerance", "step", "until")
    }
    try:
        options_of(project, **given)
    except ValueError as error:
        raise CommandError(str(error)) from None
    terminal = sys.stderr.isatty()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            # at once: what a slow run says is news while it runs, and what an early end leaves
            # unsaid nobody reads
            warnings.showwarning = lambda message, *_, **__: print(
                f"{chr(13)}{chr(27)}[K" * terminal + f"mechstudio: {message}",
                file=sys.stderr,
                flush=True,
            )
            return simulate(
                project, progress=_progress("Simulating") if terminal else None, **given
            ), ""
    except SimulationStopped as stop:
        return stop.result, str(stop)
    except EngineError as error:
        return None, str(error)
    finally:
        if terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _progress(words: str) -> Callable[[float], None]:
    """Shows "WORDS 40 %" on the terminal's last line, written only when it changes."""
    last = -1

    def show(fraction: float) -> None:
        nonlocal last
        percent = int(100 * fraction)
        if percent != last:
            last = percent
            print(f"\r\033[K{words} {percent} %", end="", file=sys.stderr, flush=True)

    return show


def _check_place(path: str, option: str = "--csv", what: str = "the table") -> None:
    """Tell before long work that its result could not be written."""
    if not path.strip():
        raise CommandError(
            tr("{option} needs the name of a file for {what}.", option=option, what=what)
        )
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.isdir(path):
        raise CommandError(tr("{path} is a folder, not a file for {what}.", path=path, what=what))
    if not os.path.isdir(folder):
        raise CommandError(
            tr("{path} cannot be written: there is no folder {folder}.", path=path, folder=folder)
        )
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise CommandError(tr("{path} cannot be written: you may not write there.", path=path))


# equations


def equations(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio equations FILE [--format F] [--out OUT] …"""
    from mechstudio.symbolic import DerivationError

    if options.out is not None:
        _check_place(options.out, "--out", tr("the equations"))
    try:
        format = requested_format(options)
    except ValueError as error:
        raise CommandError(str(error)) from None
    if options.out is None and not is_text(format) and sys.stdout.isatty():
        raise CommandError(tr("{format} is no text: name a file for it by --out.", format=format))
    loaded = _load(options.file)
    terminal = sys.stderr.isatty()
    try:
        content = equations_output(
            loaded.project, options, format, _progress("Deriving") if terminal else None
        )
    except DerivationError as error:
        raise CommandError(str(error), AT_FAULT) from None
    finally:
        if terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
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
    return _status(loaded)


# render


def mesh(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio mesh FILE [--unit U] [--density RHO] [--json]."""
    from mechstudio.files.meshes import MeshFileError

    try:
        print(mesh_output(options), end="")
    except MeshFileError as error:
        raise CommandError(str(error)) from None
    return DONE


def render(options: argparse.Namespace, draw: Render | None = None) -> int:
    """mechstudio render FILE …"""
    if draw is None:
        raise CommandError(tr("This installation has no window, so it cannot draw."))
    loaded = _load(options.file)
    if options.window and (options.transparent or options.theme == "paper"):
        raise CommandError(
            tr("The whole window is light or dark, and has a ground: leave --window out.")
        )
    time, poses = _instant(loaded.project, options)
    width, height = options.size
    request = RenderRequest(
        options.file,
        loaded.project,
        loaded.camera,
        time,
        poses,
        width,
        height,
        options.theme,
        options.window,
        options.out,
        options.transparent,
    )
    screen = (max(width, 640), max(height, 480)) if options.window else ()
    _on_screen(lambda: _write(options.out, lambda: draw(request)), *screen)
    return DONE


def _on_screen(action: Callable[[], object], *size: int) -> None:
    """Do something that needs a screen, on a private virtual one of a size where there is none."""
    if has_screen():
        action()
        return
    try:
        with virtual_screen(*size) as variables:
            os.environ.update(variables)
            action()
    except NoScreenError as error:
        raise CommandError(str(error)) from None


def film(options: argparse.Namespace, draw: Render | None = None) -> int:
    """mechstudio film FILE --out FILM …"""
    from mechstudio.application.films.film import FilmRefused
    from mechstudio.files.films.writing import EncoderMissing, FilmFailed
    from mechstudio.files.runs import RunUnreadable

    if draw is None:
        raise CommandError(tr("This installation has no window, so it cannot draw."))
    loaded = _load(options.file)
    try:
        chosen = wanted_film(options, loaded.project)
    except ValueError as error:
        raise CommandError(str(error)) from None
    _check_place(options.out, "--out", tr("the film"))
    reason = ""
    try:
        if options.run_of:
            result = saved_run(loaded.project, options.run_of)
        else:
            result, reason = _run(loaded.project, options)
    except RunUnreadable as error:
        raise CommandError(str(error)) from None
    if result is None or not len(result):
        return _say(tr("It cannot be simulated: {reason}", reason=reason), AT_FAULT)
    try:
        request, remark = film_request(loaded.project, loaded.camera, result, options, chosen)
    except FilmRefused as error:
        raise CommandError(str(error), AT_FAULT) from None
    except (EngineError, RunStopped, ValueError) as error:
        raise CommandError(str(error)) from None
    if remark:
        _say(remark, DONE)
    try:
        _on_screen(lambda: draw(request))
    except (EncoderMissing, FilmFailed, WriteFailed) as error:
        raise CommandError(str(error)) from None
    frames = request.plan
    print(
        tr(
            "Film of {count} frames, {seconds} s, written to {out}",
            count=len(frames.times),
            seconds=f"{frames.length:.4g}",
            out=options.out,
        )
    )
    if reason:
        return _say(tr("Stopped early: {reason}", reason=reason), AT_FAULT)
    return _status(loaded)


def _instant(project: Project, options: argparse.Namespace) -> tuple[float | None, "np.ndarray"]:
    """The time that is wanted and the poses then; without a time those of the assembled drawing."""
    import numpy as np

    from mechstudio.api.projects import check
    from mechstudio.engine.constraints.attitude import drawn_poses
    from mechstudio.model.edits.elements import parameter_values
    from mechstudio.model.formulas.expression import ExpressionError, evaluate

    start = project.mechanism.start.value
    try:
        time = options.time
        at = start if time is None else evaluate(time, "time", parameter_values(project), "s")
    except ExpressionError as error:
        raise CommandError(str(error)) from None
    if at < start:
        raise CommandError(
            tr(
                "The motion begins at {start:g} s: there is no picture of {time}.",
                start=start,
                time=options.time,
            )
        )
    if at == start:  # the start of every run is the assembled drawing
        poses = np.array(check(project).poses)
        return None, poses if len(poses) else drawn_poses(project.mechanism)
    after = at - start
    # samples at multiples of that time alone: the last one is at exactly that time
    result, reason = _run(project, argparse.Namespace(duration=after, sample_step=after))
    if reason:
        raise CommandError(
            tr("There is no picture of t = {time}: {reason}", time=options.time, reason=reason),
            AT_FAULT,
        )
    return float(result.time[-1]), result.poses[-1]


def diagram(options: argparse.Namespace, draw: Render | None = None) -> int:
    """mechstudio diagram FILE --out DIAGRAM.svg …"""
    loaded = _load(options.file)
    _check_place(options.out, "--out", tr("the diagram"))
    _, poses = _instant(loaded.project, options)
    try:
        write_file(options.out, diagram_output(loaded.project, options, poses))
    except (ValueError, WriteFailed) as error:
        raise CommandError(str(error)) from None
    return _status(loaded)


def drawing(options: argparse.Namespace, draw: Render | None = None) -> int:
    """mechstudio drawing FILE --out DRAWING.svg …"""
    from mechstudio.api.drawings import drawing as draw_sheet

    loaded = _load(options.file)
    _, poses = _instant(loaded.project, options)
    try:
        sheet = draw_sheet(
            loaded.project,
            options.out,
            poses=poses,
            sheet=options.sheet,
            scale=options.scale,
            title=loaded.project.lesson.title
            or os.path.splitext(os.path.basename(options.file))[0],
        )
    except (ValueError, WriteFailed) as error:
        raise CommandError(str(error)) from None
    if remark := drawing_remark(sheet):
        _say(remark, DONE)
    return _status(loaded)


def convert(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio convert IN OUT."""
    from mechstudio.files.exchange.xml_text import ExchangeError

    _check_place(options.out, "OUT", tr("the result"))
    try:
        notes = converted(options)
    except ExchangeError as error:
        raise CommandError(str(error)) from None
    if notes:
        print("\n".join(notes))
    return DONE


def diff(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio diff BEFORE AFTER [--json]."""
    before, after = _load(options.file), _load(options.after)
    text, same = diff_output(before.project, after.project, options.json)
    print(text, end="")
    return DONE if same else AT_FAULT


def new(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio new FILE [--from SAMPLE]."""
    try:
        data = beginning(options.file, options.sample)
    except ValueError as error:
        raise CommandError(str(error)) from None
    _write(options.file, lambda: write_file(options.file, data))
    return DONE


# actions


def list_actions(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio actions"""
    print(action_table(), end="")
    return DONE


def do_action(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio do ACTION FILE [--select ELEMENT …] [--out OUT.mech]."""
    loaded = _load(options.file)
    try:
        result = action_done(loaded, options.action, options.select)
    except KeyError as error:
        raise CommandError(str(error.args[0])) from None
    except ValueError as error:
        raise CommandError(str(error), AT_FAULT) from None
    for remark in result.remarks:
        _say(remark, DONE)
    if result.label:
        print(result.label)
    if result.selected:
        print(tr("Selected: {selected}", selected=", ".join(result.selected)))
    if not result.label:
        return _say(tr("The drawing is as it was."), AT_FAULT)
    if options.out is not None:
        try:
            _write(options.out, lambda: save_file(options.out, result.project, loaded.camera))
        except ProjectFileError as error:
            raise CommandError(str(error)) from None
    return _status(loaded)


# parts


def _load(path: str) -> Loaded:
    """Contents of a project file; whatever could not be read as it stands goes to the error output,
    so that no result stands for more than it is.  Raises CommandError if the file cannot be read.
    """
    try:
        loaded = load_file(path)
    except ProjectFileError as error:
        raise CommandError(str(error)) from None
    for f in loaded.findings:
        if f.severity != "info":
            _say(f"{f.message} {f.cure}".rstrip(), DONE)
    return loaded


def _status(loaded: Loaded) -> int:
    """The exit status of a command that could do its work: at fault if an element of the file had
    to be left out.
    """
    return AT_FAULT if any(f.severity == "error" for f in loaded.findings) else DONE


def _write(path: str, action: Callable[[], object]) -> None:
    try:
        action()
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise CommandError(
            tr(
                "{path} cannot be written ({strerror}).",
                path=path,
                strerror=error.strerror or error,
            )
        ) from None


def _say(sentence: str, status: int) -> int:
    print(f"mechstudio: {sentence}", file=sys.stderr)
    return status


COMMANDS: dict[str, Callable[[argparse.Namespace, Render | None], int]] = {
    "check": check,
    "assemble": assemble,
    "analyse": analyse,
    "simulate": simulate,
    "plot": plot,
    "equations": equations,
    "mesh": mesh,
    "render": render,
    "film": film,
    "diagram": diagram,
    "drawing": drawing,
    "convert": convert,
    "diff": diff,
    "new": new,
    "do": do_action,
    "actions": list_actions,
}
