"""Actions of the File menu: files are opened, saved and exported through dialogs, and nothing is
lost unasked.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from mechstudio.application.actions import conditions
from mechstudio.application.actions import marks as marking
from mechstudio.application.files.exchange import PACK, SURFACES, Opened, body_surface, readable
from mechstudio.application.files.python_text import drawing_text
from mechstudio.application.resources import sample_folder
from mechstudio.application.studio import Studio
from mechstudio.model.types.exports import EQUATIONS, EXPORTS
from mechstudio.translation import tr
from mechstudio.view.actions.window_action import window_action
from mechstudio.view.bars.top_bar import file_name
from mechstudio.view.dialogs.comparison import ComparisonSheet
from mechstudio.view.dialogs.drawing import DrawingExporter
from mechstudio.view.dialogs.files.background_file import FileMaking
from mechstudio.view.dialogs.files.chooser import ask_source, ask_target
from mechstudio.view.dialogs.files.export import save_export
from mechstudio.view.dialogs.sheet import question
from mechstudio.view.dialogs.versions import VersionsSheet
from mechstudio.view.exports.sheet import ExportSheet
from mechstudio.view.start.page import Doing, StartPage

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

SUFFIX = ".mech"
# text, tooltip and what a click does, of each line of a submenu
Lines = list[tuple[str, str, Callable[[], object]]]


@window_action("New", "File", "Ctrl+N", words="empty project")
def new(window: MainWindow) -> None:
    """Begin an empty drawing."""
    when_safe(window, window.studio.files.new)


@window_action("Open…", "File", "Ctrl+O", words="load file")
def open(window: MainWindow) -> None:
    """Ask for a file and open it."""
    when_safe(window, lambda: _ask_open(window))


def _ask_open(window: MainWindow) -> None:
    files = tr("Mechanisms and packs (*{suffix} *{pack})", suffix=SUFFIX, pack=PACK)
    ask_source(
        window,
        window.studio.preferences.stored.folder,
        tr("Open"),
        (files, tr("All files (*)")),
        window.studio.files.opening.start,
    )


@window_action(
    "Import…",
    "File",
    "Ctrl+Shift+I",
    icon="open",
    words="import mujoco mjcf xml urdf robot ros open other program convert",
)
def import_model(window: MainWindow) -> None:
    """Ask for a model of another program and open it as a drawing without a name."""
    when_safe(window, lambda: _ask_import(window))


def _ask_import(window: MainWindow) -> None:
    kinds = readable().values()
    of = lambda *kinds: " ".join(f"*{s}" for f in kinds for s in f.suffixes)
    ask_source(
        window,
        window.studio.preferences.stored.folder,
        tr("Import"),
        (
            tr("Models of other programs ({endings})", endings=of(*kinds)),
            *(tr("{kind} ({endings})", kind=tr(f.kind), endings=of(f)) for f in kinds),
        ),
        window.studio.files.opening.start,
        "import",
    )


def open_path(window: MainWindow, path: Path, sample: bool = False) -> None:
    """Open a file, or a copy of a sample, and play a sample at once."""
    studio = window.studio
    when_safe(
        window,
        lambda: studio.files.opening.start(
            path, sample, studio.runs.play if sample else lambda: None
        ),
    )


@window_action(
    "Samples and lessons…",
    "File",
    "Ctrl+Shift+O",
    icon="open",
    words="start page welcome gallery examples open sample lesson recent",
)
def start_page(window: MainWindow) -> None:
    """Show the start page: recent files, and all samples with moving pictures."""
    if window.start is not None:
        window.start.close_page()
        return
    studio = window.studio
    stored = studio.preferences.stored

    def leave(go: Callable[[], object]) -> None:
        if window.start is not None:
            window.start.close_page()
        go()

    def begin() -> None:
        if studio.document.path is not None or studio.document.has_bodies:
            when_safe(window, studio.files.new)

    window.start = StartPage(
        window.theme,
        window,
        studio.preferences.recent,
        Doing(
            lambda: leave(begin),
            lambda: open(window),
            lambda path: leave(lambda: open_path(window, path)),
            lambda sample: leave(lambda: open_path(window, sample.path, sample=True)),
            studio.files.recovery.recovers,
        ),
        stored.start_page,
        lambda on: studio.preferences.set(start_page=on),
        studio.preferences.still,
    )
    window.start.closed.connect(window.forget_start)


def samples(window: MainWindow) -> Lines:
    """Title, file name and opening of every sample."""
    found = sorted(sample_folder().glob(f"*{SUFFIX}"))
    return [
        (
            p.stem.replace("_", " ").capitalize(),
            p.name,
            lambda p=p: open_path(window, p, sample=True),
        )
        for p in found
    ]


def recent(window: MainWindow) -> Lines:
    """Name, path and opening of every recent file."""
    return [
        (p.name, str(p), lambda p=p: open_path(window, p)) for p in window.studio.preferences.recent
    ]


@window_action("Save", "File", "Ctrl+S", words="write file", section=True)
def save(window: MainWindow) -> None:
    """Save the drawing, asking for a name if there is none."""
    _save_then(window, None)


@window_action("Save as…", "File", "Ctrl+Shift+S", words="write copy under another name")
def save_as(window: MainWindow) -> None:
    """Ask for a name and save the drawing there."""
    _ask_save(window, None)


def _needs_file(studio: Studio) -> str:
    """Refusal for a drawing that has no file, "" for one that has."""
    return "" if studio.document.path is not None else tr("The drawing has no file yet")


@window_action(
    "Versions…", "File", words="history earlier saves restore backup back", unless=_needs_file
)
def show_versions(window: MainWindow) -> None:
    """Show the last ten saves of the file, to bring one back."""
    window.sheet = VersionsSheet(window.theme, window, window.studio)


@window_action(
    "Compare with file…",
    "File",
    words="diff difference changes other version motions ghosts",
    unless=conditions.needs_bodies,
)
def compare_file(window: MainWindow) -> None:
    """Ask for a file, report its differences from the drawing, and overlay its motion."""

    def taken(path: Path, found: Opened) -> None:
        window.sheet = ComparisonSheet(
            window.theme, window, window.studio, path.name, found.loaded.project
        )

    ask_source(
        window,
        window.studio.preferences.stored.folder,
        tr("Compare with file"),
        (tr("Mechanisms (*{suffix})", suffix=SUFFIX), tr("All files (*)")),
        lambda path: window.studio.files.opening.read(path, lambda found: taken(path, found)),
        "compare_file",
    )


def _save_then(window: MainWindow, after: Callable[[], object] | None) -> None:
    """Save, asking for a name if there is none; `after` follows a success."""
    path = window.studio.document.path
    if path is None:
        _ask_save(window, after)
    elif window.studio.files.save(path) and after is not None:
        after()


def _ask_save(window: MainWindow, after: Callable[[], object] | None) -> None:
    studio = window.studio
    name = file_name(studio)

    def chosen(path: Path) -> None:
        if studio.files.save(path) and after is not None:
            after()

    ask_target(
        window,
        studio.preferences.stored.folder,
        tr("Save as"),
        {tr("Mechanisms (*{suffix})", suffix=SUFFIX): SUFFIX},
        name if name.endswith(SUFFIX) else name.lower().replace(" ", "_") + SUFFIX,
        chosen,
    )


def _method(window: MainWindow) -> str:
    """Method of the equations on show."""
    derivations = window.docks.equations.derivations
    return derivations.method if derivations is not None else "lagrange"


@window_action(
    "Export…",
    "File",
    "Ctrl+Shift+E",
    icon="movie",
    words="export film movie video gif mp4 webm picture png svg pdf table csv report share present",
    section=True,
    unless=conditions.needs_bodies,
)
def export(window: MainWindow) -> None:
    """Open the sheet of all that can leave the window: films, pictures, tables, reports."""
    if window.exports is not None:
        return
    sheet = window.sheet = window.exports = ExportSheet(window, window.export_kind)

    def closed() -> None:
        window.export_kind, window.exports = sheet.key, None

    sheet.closed.connect(closed)
    sheet.open()


@window_action(
    "Equations…",
    "File/Export as",
    icon="equation",
    words="save equations latex mathml pdf typst python sympy c jupyter notebook",
    unless=conditions.needs_bodies,
)
def export_equations(window: MainWindow) -> None:
    """Ask for a file and write the equations."""
    formats = tuple(f for f in EXPORTS if f.page == EQUATIONS)
    save_export(window, window.studio, formats, _method(window))


@window_action(
    "Report…",
    "File/Export as",
    icon="file",
    words="save report pdf html typst latex print drawing mobility parameters plots page",
    unless=conditions.needs_bodies,
)
def export_report(window: MainWindow) -> None:
    """Open the sheet of exports at the report."""
    window.export_kind = "report"
    export(window)


@window_action(
    "Model of another program…",
    "File/Export as",
    icon="code",
    words="save fmu fmi modelica simulation cosimulation mujoco mjcf urdf gltf obj ply stl dxf",
    unless=conditions.needs_bodies,
)
def export_model(window: MainWindow) -> None:
    """Open the sheet of exports at the model: FMU, Modelica, MuJoCo, URDF, surfaces."""
    window.export_kind = "model"
    export(window)


@window_action(
    "Front view with dimensions…",
    "File/Export as",
    icon="tool_measure",
    words="save drawing svg pdf sheet scale technical drafting iso print dimensioned",
    unless=conditions.needs_bodies,
)
def export_drawing(window: MainWindow) -> None:
    """Ask for a file and write the front view with dimensions, true to scale."""
    window.drawing = DrawingExporter(window.studio, window)
    window.drawing.ask(file_name(window.studio))


@window_action(
    "Body as surface…",
    "File/Export as",
    icon="cube",
    words="save body part mesh stl obj ply print cad triangles",
    unless=conditions.needs_body,
)
def export_body(window: MainWindow) -> None:
    """Ask for a file and write the surface of the selected body, in its own axes and mm."""
    studio = window.studio
    id = studio.selection.current
    project = studio.document.project

    def chosen(path: Path) -> None:
        files = FileMaking(studio.notifications, window)
        files.finished.connect(files.deleteLater)
        files.make(path, lambda: body_surface(project, id, path))

    ask_target(
        window,
        studio.preferences.stored.folder,
        tr("Save the surface of a body"),
        {f"{s[1:].upper()} (*{s})": s for s in SURFACES},
        f"{id}{SURFACES[0]}",
        chosen,
        "body surface",
    )


@window_action(
    "Save trails and curves…",
    "File/Export as",
    icon="trail",
    words="save export csv dxf svg cad table path coupler curve locus write",
    unless=marking.needs_paths,
    context=57,
)
def export_paths(window: MainWindow) -> None:
    """Ask for a file and write the trails and curves of the selection, or all of them."""
    window.shown_button.exporter.ask(marking.meant_paths(window.studio))


@window_action(
    "Python script…",
    "File/Export as",
    icon="function",
    words="save code builder program rebuild source",
    unless=conditions.needs_bodies,
)
def export_python(window: MainWindow) -> None:
    """Ask for a file and write a script that builds the drawing again and runs it."""
    document = window.studio.document
    _ask_made(
        window,
        tr("Export as Python"),
        tr("Python scripts (*{suffix})", suffix=".py"),
        ".py",
        lambda making, path: making.make(path, lambda: drawing_text(document).encode()),
    )


@window_action(
    "Pack…",
    "File/Export as",
    icon="file",
    words="zip send share archive pictures runs whole one file",
    unless=conditions.needs_bodies,
)
def export_pack(window: MainWindow) -> None:
    """Ask for a file and put the drawing, its pictures and its kept runs into it."""
    files = window.studio.files
    _ask_made(
        window,
        tr("Pack"),
        tr("Packs (*{suffix})", suffix=PACK),
        PACK,
        lambda making, path: making.let_write(path, files.packing(path)),
    )


def _ask_made(
    window: MainWindow,
    title: str,
    kind: str,
    suffix: str,
    chosen: Callable[[FileMaking, Path], object],
) -> None:
    """Ask for a file named as the drawing, and have it made.  kind: filter of the dialog."""
    studio = window.studio
    making = FileMaking(studio.notifications, window)
    making.finished.connect(making.deleteLater)
    ask_target(
        window,
        studio.preferences.stored.folder,
        title,
        {kind: suffix},
        f"{Path(file_name(studio)).stem.lower().replace(' ', '_')}{suffix}",
        lambda path: chosen(making, path),
        f"export_{suffix.lstrip('.')}",
    )


@window_action("Quit", "File", "Ctrl+Q", words="exit close", section=True)
def quit(window: MainWindow) -> None:
    """Close the window."""
    window.close()


def when_safe(window: MainWindow, go: Callable[[], object]) -> None:
    """Run an action that leaves the document, after asking whether to keep its changes."""
    if not window.studio.document.is_modified:
        go()
        return
    window.sheet = question(
        window.theme,
        window,
        tr("Save the changes to {name}?", name=file_name(window.studio)),
        tr("Without saving they are lost."),
        (
            (tr("Save"), "strong", lambda: _save_then(window, go)),
            (tr("Cancel"), "", None),
            (tr("Don't save"), "flat", go),
        ),
    )
