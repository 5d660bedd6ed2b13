"""The page of pictures."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtGui, QtWidgets

from mechstudio.application.films.film import SIZES, THEMES, Film, with_choices
from mechstudio.application.marks.gauges import shown_poses
from mechstudio.application.plots.export import write
from mechstudio.curves.drawings.diagram import VIEWS, Look, content, diagram
from mechstudio.model.project import Camera
from mechstudio.translation import Words, tr
from mechstudio.view.dialogs.drawing import DrawingExporter
from mechstudio.view.dialogs.files.background_file import FileMaking
from mechstudio.view.exports.movie_preview import Screen
from mechstudio.view.exports.page import NumberEdit, Page, State, png_of
from mechstudio.view.films.still import shown_still
from mechstudio.view.idle_tasks import turns
from mechstudio.view.scene.rendering.gl import GraphicsUnavailable
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.svg import drawn_svg
from mechstudio.view.widgets.widgets import Segment, label, row

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

AS_SHOWN, FITTED = "", "fitted"
MOST = 8192  # pixels a side
# what is drawn: its key, its words, and the endings of its files
KINDS: tuple[tuple[str, Words, tuple[str, ...]], ...] = (
    ("view", "View", (".png",)),
    ("diagram", "Diagram", (".svg", ".pdf", ".png")),
    ("sheet", "Dimensions", (".pdf", ".svg")),
)
# name of a choice, its words, whether it is chosen at first, and of which pictures it is one
TICKS: tuple[tuple[str, Words, bool, tuple[str, ...]], ...] = (
    ("marks", "Trails and vectors", True, ("view",)),
    ("scale", "Scale and legend arrows", True, ("view",)),
    ("labels", "Names of joints", True, ("view", "diagram")),
    ("cube", "View cube", False, ("view",)),
    ("bodies", "Names of bodies", False, ("diagram",)),
    ("coloured", "Colours of bodies", False, ("diagram",)),
    ("loads", "Springs, forces and motors", True, ("diagram",)),
    ("dimensions", "Dimensions, from the front", False, ("diagram",)),
    ("transparent", "Transparent ground", False, ("view", "diagram")),
)
DIRECTIONS: tuple[tuple[str, Words], ...] = (
    ("front", "Front"),
    ("back", "Back"),
    ("left", "Left"),
    ("right", "Right"),
    ("top", "Top"),
    ("bottom", "Bottom"),
    ("corner", "From a corner"),
)


class PicturePage(Page):
    """The mechanism as it stands: as the window shows it, or as a drawing with dimensions."""

    @property
    def verb(self) -> str:
        return tr("Save picture")

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.kind, self.ending = "view", ".png"
        self.film = Film(width=1920, height=1080, format="apng")
        self._camera, self._direction, self._working = AS_SHOWN, "front", False
        self._is_shown = False
        self._shows = {name: first for name, _, first, _ in TICKS}
        self._files = FileMaking(self.studio.notifications, self)
        self._files.saved.connect(self.saved)
        self._files.finished.connect(self._finished)
        self._drawing = DrawingExporter(self.studio, window)
        self._drawing.saved.connect(self.saved)
        self._drawing.finished.connect(self._finished)
        self._fill()
        box = QtWidgets.QVBoxLayout(self.preview)
        box.setContentsMargins(24, 20, 24, 12)
        box.setSpacing(8)
        self.facts = label("", "three")
        box.addWidget(row(label(tr("Preview"), "title"), None, self.facts))
        self.screen = Screen(self.theme)
        box.addWidget(self.screen, 1)
        self.hear(self.studio.document.changed, self._changed)

    def _fill(self) -> None:
        theme, film = self.theme, self.film
        self.head(tr("Picture"))
        self.what = Segment(theme, tuple((k, tr(w)) for k, w, _ in KINDS), "segment", 26)
        self.what.choose(self.kind)
        self.what.chosen.connect(self._choose_kind)
        self.line(tr("Shows"), self.what)
        self.formats = row(gap=0)
        self.format: Segment | None = None
        self.line(tr("Format"), self.formats)
        self.wide = NumberEdit(theme, tr("Width"), film.width, 54, whole=True)
        self.tall = NumberEdit(theme, tr("Height"), film.height, 54, whole=True)
        self.wide.chosen.connect(lambda value: self._resize(int(value), self.film.height))
        self.tall.chosen.connect(lambda value: self._resize(self.film.width, int(value)))
        self.sizes = Choice(
            theme,
            tr("Usual sizes"),
            lambda: [(key, tr(words), "") for key, words, _ in SIZES],
            self._size_now,
            self._choose_size,
        )
        theme.fit(self.sizes, width=108)
        self.size_line = self.line(
            tr("Size"), self.wide, label("×", "three"), self.tall, self.sizes
        )
        self.themes = Segment(theme, tuple((k, tr(w)) for k, w in THEMES), "segment", 26)
        self.themes.choose(film.theme)
        self.themes.chosen.connect(lambda key: self._choose(theme=key))
        self.theme_line = self.line(tr("Theme"), self.themes)
        self.camera = Choice(
            theme, tr("Camera"), self._cameras, self._camera_now, self._choose_camera
        )
        theme.fit(self.camera, width=226)
        self.camera_line = self.line(tr("Camera"), self.camera)
        self.rule()
        self.ticks_head = self.head(tr("In the picture"))
        self.ticks: dict[str, QtWidgets.QCheckBox] = {}
        self.tick_lines: dict[str, QtWidgets.QWidget] = {}
        for name, words, first, _ in TICKS:
            take = partial(self._tick, name)
            self.ticks[name], _note = self.tick(tr(words), first, take)
            item = self.lines.itemAt(self.lines.count() - 1)
            line = item.widget() if item is not None else None
            assert line is not None, "the tick was just added"
            self.tick_lines[name] = line
        self.rule()
        self.copy = QtWidgets.QPushButton(tr("Copy to clipboard"))
        self.copy.clicked.connect(self._copy)
        self.lines.addWidget(row(self.copy, None))
        self.lines.addStretch(1)
        self._show_formats()

    # choices

    def _tick(self, name: str, on: bool) -> None:
        self._shows[name] = on
        self.refresh()

    def _choose(self, **choices) -> None:
        self.film = with_choices(self.film, **choices)
        self.refresh()

    def _resize(self, width: int, height: int) -> None:
        width, height = (min(max(side, 16), MOST) for side in (width, height))
        self.wide.show_value(width)
        self.tall.show_value(height)
        self._choose(width=width, height=height)

    def _size_now(self) -> str:
        size = (self.film.width, self.film.height)
        return next((key for key, _, known in SIZES if known == size), "")

    def _choose_size(self, key: str) -> None:
        self._resize(*next(size for name, _, size in SIZES if name == key))

    def _choose_kind(self, key: str) -> None:
        self.kind = key
        self.ending = self._endings[0]
        self._show_formats()
        self.refresh()

    @property
    def _endings(self) -> tuple[str, ...]:
        return next(endings for key, _, endings in KINDS if key == self.kind)

    def _show_formats(self) -> None:
        if self.format is not None:
            self.format.hide()
            self.format.setParent(None)
            self.format.deleteLater()
        words = tuple((e, e.lstrip(".").upper()) for e in self._endings)
        self.format = Segment(self.theme, words, "segment", 26)
        self.format.choose(self.ending)
        self.format.chosen.connect(self._choose_ending)
        self.formats.box.addWidget(self.format)
        for line in (self.size_line, self.theme_line, self.camera_line):
            line.setVisible(self.kind != "sheet")
        self.ticks_head.setVisible(self.kind != "sheet")
        for name, _, _, kinds in TICKS:
            self.tick_lines[name].setVisible(self.kind in kinds)
        self.copy.setEnabled(self.kind != "sheet")

    def _choose_ending(self, ending: str) -> None:
        self.ending = ending
        self.changed.emit()

    def _cameras(self) -> list[tuple[str, str, str]]:
        views = self.studio.document.project.views
        if self.kind == "diagram":
            named = [(key, tr(words), "") for key, words in DIRECTIONS]
            return [*named, (AS_SHOWN, tr("As in the window"), "")]
        return [
            (AS_SHOWN, tr("As in the window"), ""),
            (FITTED, tr("All of the mechanism"), ""),
            *((v.id, v.name, "") for v in views),
        ]

    def _camera_now(self) -> str:
        return self._direction if self.kind == "diagram" else self._camera

    def _choose_camera(self, key: str) -> None:
        if self.kind == "diagram":
            self._direction = key
        else:
            self._camera = key
        self.refresh()

    def _way(self) -> Camera | None:
        if self._camera == AS_SHOWN:
            return self.window.viewport.framing.kept
        kept = {v.id: v.camera for v in self.studio.document.project.views}
        return kept.get(self._camera)

    # the file

    @property
    def suffix(self) -> str:
        return self.ending

    @property
    def kinds(self) -> dict[str, str]:
        endings = dict.fromkeys((self.ending, *self._endings))
        return {tr("Pictures (*{suffix})", suffix=ending): ending for ending in endings}

    def choose_suffix(self, suffix: str) -> None:
        if self.format is not None:
            self.format.choose(suffix)
        self._choose_ending(suffix)

    @property
    def state(self) -> State:
        if self._working:
            return State(0.5, tr("Writing the file…"))
        empty = not self.studio.document.has_bodies
        return State(problem=tr("There is nothing drawn yet.") if empty else "")

    def _changed(self, old: object, new: object) -> None:
        if self._is_shown:
            self.refresh()

    def refresh(self) -> None:
        """Show the picture as it will be, in a turn of its own."""
        self.sizes.refresh()
        self.camera.refresh()
        turns().soon(self, self._draw_preview)
        self.changed.emit()

    def _still(self, size: tuple[int, int] | None = None) -> QtGui.QImage:
        """The view as a picture.  Raises GraphicsUnavailable."""
        names = ("marks", "scale", "labels", "cube", "transparent")
        film = with_choices(self.film, **{name: self._shows[name] for name in names})
        return shown_still(self.studio, self.window.viewport, film, self._way(), size)

    def _diagram(self, size: tuple[int, int]) -> str:
        """The kinematic diagram as SVG.  Raises ValueError."""
        display, shows = self.studio.display, self._shows
        camera = self.window.viewport.framing.current
        seen = VIEWS.get(self._direction, (camera.azimuth, camera.elevation))
        look = Look(
            (float(size[0]), float(size[1])),
            "dark" if self.film.theme == "dark" else self.film.theme,  # type: ignore[arg-type]
            shows["labels"],
            shows["bodies"],
            shows["coloured"],
            shows["loads"],
            shows["transparent"],
            shows["dimensions"],
        )
        project = display.project
        return diagram(project.mechanism, shown_poses(display), seen, look, project)

    def _drawn(self, size: tuple[int, int]) -> QtGui.QImage:
        """The diagram as pixels.  Raises ValueError."""
        image = drawn_svg(self._diagram(size), size)
        opaque = QtGui.QImage.Format.Format_RGB32
        return image if self._shows["transparent"] else image.convertToFormat(opaque)

    def _draw_preview(self) -> None:
        if self.kind == "sheet":
            self.screen.ratio = 297 / 210
            picture = self._drawing.picture(self.stem)
            if isinstance(picture, str):
                self.screen.show_words(picture)
            else:
                self.screen.show_image(picture)
            self.facts.setText(tr("true to scale, on A4"))
            return
        film = self.film
        self.screen.ratio = film.width / film.height
        room = self.screen.place
        try:
            if self.kind == "diagram":
                size = (film.width, film.height)
                self.screen.show_image(self._drawn(size))
            else:
                size = (max(32, round(room.width())), max(32, round(room.height())))
                self.screen.show_image(self._still(size))
        except (GraphicsUnavailable, ValueError) as error:
            self.screen.show_words(str(error))
        self.facts.setText(tr("{w} × {h} pixels", w=film.width, h=film.height))

    def save(self, path: Path) -> None:
        if self.kind == "sheet":
            self._working = True
            self._drawing.save(path, self.stem)
            return
        if self.kind == "diagram":
            self._save_diagram(path)
            return
        try:
            made = png_of(self._still())
        except GraphicsUnavailable as error:
            self.screen.show_words(str(error))
            return
        if write(path, made, self.studio.notifications):
            self.saved.emit(path)

    def _save_diagram(self, path: Path) -> None:
        try:
            picture = self._diagram((self.film.width, self.film.height))
        except ValueError as error:
            self.screen.show_words(str(error))
            return
        self._working, ending = True, self.ending
        self._files.make(path, lambda: content(picture, ending))

    def _copy(self) -> None:
        size = (self.film.width, self.film.height)
        try:
            image = self._drawn(size) if self.kind == "diagram" else self._still()
            QtGui.QGuiApplication.clipboard().setImage(image)
        except (GraphicsUnavailable, ValueError) as error:
            self.screen.show_words(str(error))
            return
        self.facts.setText(tr("The picture is in the clipboard."))

    def _finished(self) -> None:
        self._working = False
        self.changed.emit()

    def show(self) -> None:
        self._is_shown = True
        self.refresh()

    def hide(self) -> None:
        self._is_shown = False
        turns().drop(self)
