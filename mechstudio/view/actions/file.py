"""Commands behind the rows of the ACTIONS table: a method named by the row's id, and the bool
properties of its tick.
"""

from collections.abc import Callable
from pathlib import Path

from PySide6 import QtCore, QtWidgets

from mechstudio.application.preferences import TEXT_SIZES
from mechstudio.application.resources import sample_folder
from mechstudio.application.studio import Studio
from mechstudio.model.version import VERSION
from mechstudio.view.actions.display import PlaneCommands
from mechstudio.view.actions.edit import ArrangeCommands
from mechstudio.view.actions.export import ExportCommands
from mechstudio.view.actions.free_body import FreeBodyCommands
from mechstudio.view.actions.handles import HandleCommands
from mechstudio.view.actions.help import FindCommands
from mechstudio.view.actions.insert import InsertCommands
from mechstudio.view.actions.panels import PanelCommands
from mechstudio.view.actions.pictures import PictureCommands
from mechstudio.view.actions.shapes import ShapeCommands
from mechstudio.view.actions.simulate import AssembleCommands
from mechstudio.view.dialogs.palette import Palette
from mechstudio.view.dialogs.preferences import PreferencesSheet
from mechstudio.view.dialogs.sheet import Sheet, question
from mechstudio.view.panels.top_bar import file_name
from mechstudio.view.theme import Theme
from mechstudio.view.translation import tr

SUFFIX = ".mech"


class Commands(
    ArrangeCommands,
    AssembleCommands,
    ExportCommands,
    FindCommands,
    FreeBodyCommands,
    HandleCommands,
    InsertCommands,
    PanelCommands,
    PictureCommands,
    PlaneCommands,
    ShapeCommands,
):
    """Acts on the studio, the viewport and the window's layout; asks before anything is lost."""

    def __init__(self, window: QtWidgets.QMainWindow, theme: Theme, studio: Studio) -> None:
        self._window, self._theme, self._studio = window, theme, studio
        self.sheet: Sheet | None = None
        self._palette: Palette | None = None
        self.shortcut_text: Callable = lambda row: ""
        self.trigger: Callable[[str], None] = lambda id: None

    # ticks

    @property
    def is_looping(self) -> bool:
        return self._studio.playback.loop

    @property
    def is_build(self) -> bool:
        return self._window.workspace == "build"

    @property
    def is_analyse(self) -> bool:
        return self._window.workspace == "analyse"

    @property
    def is_explain(self) -> bool:
        return self._window.workspace == "explain"

    @property
    def is_perspective(self) -> bool:
        return self._window.viewport.camera.perspective

    @property
    def shows_labels(self) -> bool:
        return self._studio.preferences.stored.labels

    @property
    def shows_glyphs(self) -> bool:
        return self._studio.preferences.stored.glyphs

    @property
    def shows_contact_marks(self) -> bool:
        return self._studio.preferences.stored.contact_marks

    @property
    def is_light(self) -> bool:
        return self._theme.choice == "light"

    @property
    def is_dark(self) -> bool:
        return self._theme.choice == "dark"

    @property
    def is_system(self) -> bool:
        return self._theme.choice == "system"

    # file

    def new(self) -> None:
        self.when_safe(self._studio.new)

    def open(self) -> None:
        self.when_safe(self._ask_open)

    def _ask_open(self) -> None:
        dialog = QtWidgets.QFileDialog(
            self._window, tr("Open"), self._studio.preferences.stored.folder
        )
        dialog.setNameFilters([tr("Mechanisms (*{suffix})", suffix=SUFFIX), tr("All files (*)")])
        dialog.setFileMode(QtWidgets.QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._studio.opening.start)
        dialog.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def open_path(self, path: Path, sample: bool = False) -> None:
        """Open a file, or a copy of a sample, and play a sample at once."""
        self.when_safe(
            lambda: self._studio.opening.start(
                path, sample, self._studio.play if sample else lambda: None
            )
        )

    def samples(self) -> list[tuple[str, str, Callable[[], object]]]:
        """(title, file name, open it) of every sample."""
        found = sorted(sample_folder().glob(f"*{SUFFIX}"))
        return [
            (p.stem.replace("_", " ").capitalize(), p.name, lambda p=p: self.open_path(p, True))
            for p in found
        ]

    def recent(self) -> list[tuple[str, str, Callable[[], object]]]:
        return [
            (p.name, str(p), lambda p=p: self.open_path(p)) for p in self._studio.preferences.recent
        ]

    def save(self) -> None:
        self.save_then(None)

    def save_then(self, after: Callable[[], object] | None) -> None:
        """Save, asking for a name if there is none; `after` follows a success."""
        path = self._studio.document.path
        if path is None:
            self._ask_save(after)
        elif self._studio.save(path) and after is not None:
            after()

    def save_as(self) -> None:
        self._ask_save(None)

    def _ask_save(self, after: Callable[[], object] | None) -> None:
        dialog = QtWidgets.QFileDialog(
            self._window, tr("Save as"), self._studio.preferences.stored.folder
        )
        dialog.setAcceptMode(QtWidgets.QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([tr("Mechanisms (*{suffix})", suffix=SUFFIX)])
        dialog.setDefaultSuffix(SUFFIX.lstrip("."))
        name = file_name(self._studio)
        dialog.selectFile(
            name if name.endswith(SUFFIX) else name.lower().replace(" ", "_") + SUFFIX
        )

        def chosen(path: str) -> None:
            if self._studio.save(path) and after is not None:
                after()

        dialog.fileSelected.connect(chosen)
        dialog.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def quit(self) -> None:
        self._window.close()

    def when_safe(self, go: Callable[[], object]) -> None:
        """Do something that leaves the document, after asking what shall become of its changes."""
        if not self._studio.document.is_modified:
            go()
            return
        self.sheet = question(
            self._theme,
            self._window,
            tr("Save the changes to {name}?", name=file_name(self._studio)),
            tr("Without saving they are lost."),
            (
                (tr("Save"), "strong", lambda: self.save_then(go)),
                (tr("Cancel"), "", None),
                (tr("Don't save"), "flat", go),
            ),
        )

    # edit

    def undo(self) -> None:
        self._studio.undo()

    def redo(self) -> None:
        self._studio.redo()

    def delete(self) -> None:
        self._studio.delete()

    def select_none(self) -> None:
        if self._studio.proposal is not None:
            self._studio.leave_assembly()
        elif self._studio.free_body.is_open:
            self._studio.put_back()
        else:
            self._studio.selection.select()

    def preferences(self) -> None:
        self.sheet = PreferencesSheet(self._theme, self._window, self._studio.preferences)
        self.sheet.open()

    def hide(self) -> None:
        self._studio.hide()

    def show_all(self) -> None:
        self._studio.show_all()

    # simulate

    def play(self) -> None:
        self._studio.play()

    def step_forward(self) -> None:
        self._studio.playback.step(1)

    def step_back(self) -> None:
        self._studio.playback.step(-1)

    def to_design(self) -> None:
        self._studio.playback.to_design()

    def to_end(self) -> None:
        self._studio.playback.to_end()

    def loop(self) -> None:
        self._studio.playback.set_loop(not self._studio.playback.loop)

    def slower(self) -> None:
        self._studio.playback.faster(-1)

    def faster(self) -> None:
        self._studio.playback.faster(1)

    def real_time(self) -> None:
        self._studio.playback.set_speed(1.0)

    def simulate(self) -> None:
        self._studio.simulate()
        self._studio.playback.play()

    def stop(self) -> None:
        self._studio.stop()

    # view

    def workspace_build(self) -> None:
        self._window.set_workspace("build")

    def workspace_analyse(self) -> None:
        self._window.set_workspace("analyse")

    def workspace_explain(self) -> None:
        self._window.set_workspace("explain")

    def fit(self) -> None:
        self._window.viewport.fit()

    def view_front(self) -> None:
        self._window.viewport.view_from("front")

    def view_right(self) -> None:
        self._window.viewport.view_from("right")

    def view_top(self) -> None:
        self._window.viewport.view_from("top")

    def view_corner(self) -> None:
        self._window.viewport.view_from("corner")

    def perspective(self) -> None:
        self._window.viewport.toggle_perspective()

    def labels(self) -> None:
        self._studio.preferences.set(labels=not self.shows_labels)

    def glyphs(self) -> None:
        self._studio.preferences.set(glyphs=not self.shows_glyphs)

    def contact_marks(self) -> None:
        self._studio.preferences.set(contact_marks=not self.shows_contact_marks)

    def _choose_theme(self, choice: str) -> None:
        self._studio.preferences.set(theme=choice)
        self._theme.set_choice(choice)

    def theme_light(self) -> None:
        self._choose_theme("light")

    def theme_dark(self) -> None:
        self._choose_theme("dark")

    def theme_system(self) -> None:
        self._choose_theme("system")

    def _turn_text(self, by: int) -> None:
        now = TEXT_SIZES.index(self._studio.preferences.stored.text_size)
        self._studio.preferences.set(
            text_size=TEXT_SIZES[min(max(now + by, 0), len(TEXT_SIZES) - 1)]
        )

    def text_larger(self) -> None:
        self._turn_text(1)

    def text_smaller(self) -> None:
        self._turn_text(-1)

    def text_normal(self) -> None:
        self._studio.preferences.set(text_size=100)

    # help

    def about(self) -> None:
        self.sheet = question(
            self._theme,
            self._window,
            "mechstudio " + VERSION,
            tr(
                "Draw a 3D mechanism, see it move exactly, hear why it is hyperstatic, and "
                "read its equations. Free under the MIT licence."
            ),
            ((tr("Close"), "", None),),
        )
