"""The list of all that the scene shows beside the drawing: a button over the view, and the card
that it opens, which stays until Esc or a click elsewhere.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions import edit
from mechstudio.application.actions import marks as marking
from mechstudio.application.marks.arrows import KINDS
from mechstudio.application.studio import Studio
from mechstudio.model.edits import marks
from mechstudio.model.edits.bodies.stacking import slat_form
from mechstudio.model.edits.marks import Place
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Mark, Project
from mechstudio.model.types.marks import COLORS, FRAMES, GHOSTS, MARK_TYPES, MOTION, PAIR
from mechstudio.model.units import format_value
from mechstudio.translation import Words, comma, localised, tr, trn
from mechstudio.view.scene.marks.path_export import PathExporter
from mechstudio.view.scene.marks.rows import Choice, Line, choice_button, fill
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.slider import Slider
from mechstudio.view.widgets.widgets import label, throw_away

Qt = QtCore.Qt
WIDTH = 318  # of the card [px at the normal text size]
EDGE = 12  # px that stay free beside it
NARROW = 860  # px of the view below which the button says less
FIGURE_GROUPS = (GHOSTS, MOTION, FRAMES)
# steps to choose from [rad], [s]
CHOICES = {
    "ghost_angle": tuple(math.radians(n) for n in (10, 15, 30, 45, 60, 90)),
    "ghost_time": (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0),
}
MOST_CLASHES = 24  # overlaps that the menu offers
LASTS = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0)  # lengths of trails to choose from [s], 0 for all
STEPS = 12  # of the slider to either side of the automatic length
FACTOR = 8.0  # times the automatic length at its ends
EXPORT: dict[str, object] = {}  # data of the entry that changes nothing
STACK = "stack"  # data of the entry that cures clashes
PREFERENCES: tuple[tuple[str, Words], ...] = (
    ("glyphs", "Joint marks"),
    ("labels", "Labels"),
    ("contact_marks", "Contact points and forces"),
    ("axes", "Principal axes of what is selected"),
)


class ShownCard(QtWidgets.QFrame):
    """Card with all that can be shown, in groups.  closed(): it went away.  export(mark): a path
    is to be written into a file.
    """

    closed = QtCore.Signal()
    export = QtCore.Signal(object)

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        measured: Callable[[str], str],
        host: QtWidgets.QWidget,
        button: QtWidgets.QWidget,
    ) -> None:
        """measured(dimension): length of the legend's arrow in words, "" for none."""
        super().__init__(host)
        self.setObjectName("sheet")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._studio, self._measured, self._button = theme, studio, measured, button
        # a trail that was taken away keeps its row until the card closes, so that it can come back
        self._trails: dict[tuple[Place, float | None, str], Line] = {}
        self._steps: dict[str, QtWidgets.QToolButton] = {}
        self._frames: dict[str, QtWidgets.QToolButton] = {}
        outer = QtWidgets.QVBoxLayout(self)
        outer.setContentsMargins(1, 1, 1, 1)
        self._scroller = QtWidgets.QScrollArea()
        self._scroller.setWidgetResizable(True)
        self._scroller.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self._scroller.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroller.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        outer.addWidget(self._scroller)
        inner = QtWidgets.QWidget()
        self._box = QtWidgets.QVBoxLayout(inner)
        self._box.setContentsMargins(*(theme.dp(n) for n in (14, 10, 14, 10)))
        self._box.setSpacing(0)
        self._scroller.setWidget(inner)
        self._fill()
        self.hide()
        studio.document.changed.connect(lambda old, new: self.refresh())
        studio.marks.changed.connect(self.refresh)
        studio.preferences.changed.connect(self.refresh)
        studio.runs.playback.changed.connect(self._show_values)
        studio.runs.kept.changed.connect(self.refresh)

    # rows

    def _head(self, text: str, hint: str = "") -> None:
        head = QtWidgets.QHBoxLayout()
        head.setContentsMargins(0, 0, 0, self._theme.dp(3))
        head.addWidget(label(text, "title"))
        head.addStretch(1)
        head.addWidget(label(hint, "three"))
        self._box.addLayout(head)

    def _line(self) -> None:
        rule = QtWidgets.QFrame()
        rule.setFixedHeight(1)
        # by the style sheet: the rule may be gone when the theme changes
        rule.setObjectName("rule")
        rule.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._box.addSpacing(self._theme.dp(7))
        self._box.addWidget(rule)
        self._box.addSpacing(self._theme.dp(8))

    def _fill(self) -> None:
        theme, studio = self._theme, self._studio
        self._head(tr("Trails"), tr("T on a point"))
        self._paths = QtWidgets.QVBoxLayout()
        self._paths.setSpacing(0)
        self._none = label(tr("Select a body or a joint, or point at one, and press T."), "three")
        self._none.setWordWrap(True)
        self._paths.addWidget(self._none)
        self._box.addLayout(self._paths)
        self.whole = Line(theme, tr("Curve of a whole turn"), partial(self._switch, "whole_turn"))
        self._box.addWidget(self.whole)
        self._line()
        self._head(tr("Vectors"), tr("V on a selection"))
        self.kinds: dict[str, Line] = {}
        for type in KINDS:
            switch, words = partial(self._switch, type), tr(MARK_TYPES[type].label)
            button = None
            if PAIR in MARK_TYPES[type].on:
                name = tr("Frame of {kind}", kind=words.lower())
                button = choice_button(theme, "", name, (), partial(self._set_frame, type))
                self._frames[type] = button
            self.kinds[type] = Line(theme, words, switch, button)
            self._box.addWidget(self.kinds[type])
        self.components = Line(theme, tr("Components"), partial(self._switch, "components"))
        self._box.addWidget(self.components)
        self.length, self._length = Slider(), label("", "two")
        self.length.setRange(-STEPS, STEPS)
        self.length.setAccessibleName(tr("Length of vectors"))
        self.length.valueChanged.connect(self._set_length)
        row = QtWidgets.QHBoxLayout()
        row.setContentsMargins(theme.dp(24), 0, 0, 0)
        row.setSpacing(theme.dp(8))
        row.addWidget(label(tr("Length"), "two"))
        row.addWidget(self.length, 1)
        row.addWidget(self._length)
        self._box.addLayout(row)
        self.figures: dict[str, Line] = {}
        for group in FIGURE_GROUPS:
            self._line()
            self._head(tr(group))
            for type, kind in MARK_TYPES.items():
                if kind.group == group:
                    self._box.addWidget(self._figure_line(type))
        self.plain = {
            key: Line(theme, tr(text), lambda on, key=key: studio.preferences.set(**{key: on}))
            for key, text in PREFERENCES
        }
        for each in self.plain.values():
            self._box.addWidget(each)
        self._line()
        foot = QtWidgets.QHBoxLayout()
        self.hidden = label("", "two")
        self.show_all = QtWidgets.QPushButton(tr("Show all"))
        self.show_all.setObjectName("line")
        self.show_all.clicked.connect(lambda: edit.show_all(studio))
        foot.addWidget(self.hidden)
        foot.addStretch(1)
        foot.addWidget(self.show_all)
        self._box.addLayout(foot)
        self._box.addStretch(1)

    # what is shown

    def refresh(self) -> None:
        """Show the marks as they are now."""
        if self.isHidden():
            return
        studio, trails = (
            self._studio,
            {self._key(m): m for m in self._studio.marks.of_type("trail")},
        )
        for key, mark in trails.items():
            if key not in self._trails:
                self._trails[key] = self._trail_line(mark)
                self._paths.addWidget(self._trails[key])
        for key, line in list(self._trails.items()):
            mark = trails.get(key)
            again = mark is None and any(k[0] == key[0] for k in trails)
            if again or not marks.is_there(studio.document.project.mechanism, key[0]):
                self._paths.removeWidget(self._trails.pop(key))
                throw_away(line)
            else:
                line.show_state(mark is not None, self._owner(key[0]), self._fastest(mark))
        self._none.setVisible(not self._trails)
        self.components.show_state(studio.marks.components)
        with QtCore.QSignalBlocker(self.length):
            self.length.setValue(_step_of(studio.marks.length))
        factor = studio.marks.length
        words = (
            tr("automatic")
            if factor == 1.0
            else tr("× {factor}", factor=localised(f"{factor:.2g}"))
        )
        self._length.setText(words)
        for key, line in self.plain.items():
            line.show_state(bool(getattr(studio.preferences.stored, key)))
        bodies = studio.document.project.mechanism.bodies.values()
        count = sum(not b.visible for b in bodies)
        hidden = len(edit.hidden(studio))
        self.hidden.setText(
            tr("1 hidden body") if count == 1 else tr("{count} hidden bodies", count=count)
        )
        self.show_all.setEnabled(hidden > 0)
        self._show_figures()
        self._show_frames()
        self._show_clashes()
        self._show_values()
        self.fit()

    def _show_values(self) -> None:
        """Show what the arrows hold, and the length of the legend's arrow of each kind."""
        if self.isHidden():
            return
        shown, known = self._studio.marks, self._studio.runs.recording is not None
        whole, turns = shown.of_type("whole_turn"), shown.whole_turns
        words = ""
        if whole and turns.progress is not None:
            words = tr("{percent} %", percent=round(100 * turns.progress))
        elif whole and turns.problem:
            words = tr("not available")
        elif whole and turns.uncounted:
            words = tr("without stops")
        names = comma().join(dict.fromkeys(shown.title(mark) for mark in whole))
        self.whole.show_state(bool(whole), names, words)
        said = turns.problem or turns.uncounted
        self.whole.value.setToolTip(said if whole else "")
        self.whole.setToolTip(said if whole else tr("Shift+T on a point, without playing"))
        for type, line in self.kinds.items():
            there = shown.of_type(type)
            names = comma().join(dict.fromkeys(shown.title(mark) for mark in there))
            if not there:
                words = ""
            elif not known:
                words = "–"
            elif shown.arrows.is_refused(type):
                words = tr("not available")
            elif not shown.arrows.is_known(type):
                words = tr("being found")
            else:
                words = self._measured(KINDS[type].dimension) or "–"
            line.show_state(bool(there), names, words)
            line.value.setToolTip(shown.arrows.sentence if words == tr("not available") else "")

    def _key(self, mark: Mark) -> tuple[Place, float | None, str]:
        return marks.place(mark), mark.value, mark.color

    def _owner(self, at: Place) -> str:
        m = self._studio.document.project.mechanism
        if at.joint or not at.point:
            return tr("joint") if at.joint else tr("centre of mass")
        return tr("of {body}", body=m.body(at.body).name)

    def _fastest(self, mark: Mark | None) -> str:
        speed = None if mark is None else self._studio.marks.fastest(mark)
        units = self._studio.preferences.units
        if not speed:
            return ""
        return tr("to {speed}", speed=format_value(speed, "velocity", units, 3))

    def _figure_line(self, type: str) -> Line:
        """The row of a kind of figure; where it has a step, with a menu of steps."""
        words, button = tr(MARK_TYPES[type].label), None
        if type in CHOICES:
            name = tr("Step of {kind}", kind=words)
            button = choice_button(self._theme, "", name, (), partial(self._set_step, type))
            self._steps[type] = button
        elif type == "interference":
            name = tr("Places where bodies lie in each other")
            button = self._clashes = choice_button(self._theme, "", name, (), self._go_to)
        self.figures[type] = Line(self._theme, words, partial(self._switch, type), button)
        return self.figures[type]

    def _show_figures(self) -> None:
        """Show the present figures and their elements."""
        shown, units = self._studio.marks, self._studio.preferences.units
        for type, line in self.figures.items():
            there, kind = shown.of_type(type), MARK_TYPES[type]
            known = self._studio.runs.recording is not None or kind.group == FRAMES
            value = "" if known or not there or type == "interference" else "–"
            line.show_state(bool(there), shown.figure_holds(type, units), value)
            if type in self._steps:
                step = (there[0].value if there else None) or kind.default
                steps = [
                    Choice(format_value(v, kind.dimension, units, 3), v, math.isclose(v, step))
                    for v in CHOICES[type]
                ]
                button = self._steps[type]
                button.setText(format_value(step, kind.dimension, units, 3))
                fill(button.menu(), (steps,))

    def _show_frames(self) -> None:
        """Show from which body parts of motions are seen, with the others to choose from."""
        m = self._studio.document.project.mechanism
        for type, button in self._frames.items():
            there = self._studio.marks.of_type(type)
            frames = {mark.other or GROUND for mark in there}
            button.setVisible(bool(there))
            button.setText(m.body(next(iter(frames))).name if len(frames) == 1 else tr("several"))
            ids = (GROUND, *m.bodies)
            fill(button.menu(), ([Choice(m.body(id).name, id, frames == {id}) for id in ids],))

    def _set_frame(self, type: str, frame: Any) -> None:
        """See the parts of motions of a type from another body."""

        def put(project: Project) -> Project:
            for mark in self._studio.marks.of_type(type):
                project = marks.with_attributes(project, mark.id, other=frame)
            return project

        marking.show(self._studio, put, tr(MARK_TYPES[type].label))

    def _show_clashes(self) -> None:
        """Offer the overlaps that were found, each a way to its time."""
        units, studio = self._studio.preferences.units, self._studio
        there = bool(studio.marks.of_type("interference"))
        overlaps = studio.marks.interference.overlaps if there else ()
        self._clashes.setVisible(bool(overlaps))
        count = len(overlaps)
        self._clashes.setText(trn("1 place", "{count} places", count))
        if overlaps:
            # the button says how many; at how many instants stands in the tooltip of the word
            self.figures["interference"].holds.set_text("")
        words = studio.marks.interference.words
        entries = [Choice(words(each, units), each.deepest) for each in overlaps[:MOST_CLASHES]]
        bodies = studio.document.project.mechanism.bodies
        flat = {id for id, body in bodies.items() if slat_form(body) is not None}
        cured = any(set(each.bodies) <= flat for each in overlaps)
        cure = [Choice(tr(edit.stack_links.text), STACK)] if cured else []
        fill(self._clashes.menu(), (entries, cure))

    def _go_to(self, time: Any) -> None:
        if time == STACK:
            edit.stack_links(self._studio)
            return
        self._studio.runs.playback.pause()
        self._studio.runs.playback.seek(float(time))

    def _set_step(self, type: str, step: Any) -> None:
        """Show figures of a type at another step."""

        def put(project: Project) -> Project:
            mark = marks.found(project, type)
            without = marks.without_marks(project, {mark.id} if mark else ())
            return marks.with_marks(without, type, [Place()], value=float(step))

        marking.show(self._studio, put, tr(MARK_TYPES[type].label))

    def _trail_line(self, mark: Mark) -> Line:
        """The row of a trail, with a menu of its length and colour."""
        at, key = marks.place(mark), self._key(mark)
        name = at.point or self._studio.document.name(at.joint or at.body)
        last = mark.value or 0.0
        lasts = [Choice(_last_words(t), {"value": t or None}, t == last) for t in LASTS]
        colors = [Choice(tr(w), {"color": c}, c == mark.color) for c, w in COLORS.items()]
        button = choice_button(
            self._theme,
            _last_words(last),
            tr("Length and colour of the trail of {name}", name=name),
            (lasts, colors, [Choice(tr("Export…"), EXPORT)]),
            lambda values: self._change(key, values),
        )
        return Line(self._theme, name, partial(self._toggle_trail, key), button)

    # changes

    def _change(self, key: tuple, values: Any) -> None:
        mark = next((m for m in self._studio.marks.of_type("trail") if self._key(m) == key), None)
        if mark is None:
            return
        if values == EXPORT:
            self.export.emit(mark)
            return
        text = tr("Trail of {marks}", marks=self._studio.marks.title(mark))
        marking.show(self._studio, lambda p: marks.with_attributes(p, mark.id, **values), text)

    def _toggle_trail(self, key: tuple, on: bool) -> None:
        place, value, color = key
        mark = marks.found(self._studio.document.project, "trail", place)
        if on and mark is None:
            put = lambda p: marks.with_marks(p, "trail", [place], value=value, color=color)
            marking.show(self._studio, put, "Trail")
        elif not on and mark is not None:
            marking.show(
                self._studio, lambda p: marks.without_marks(p, {mark.id}), tr("Hide trail")
            )

    def _switch(self, type: str, on: bool) -> None:
        marking.switch(self._studio, type, on)

    def _set_length(self, step: int) -> None:
        factor = FACTOR ** (step / STEPS)

        def put(project):
            mark = marks.found(project, "arrow_length")
            without = marks.without_marks(project, {mark.id} if mark else ())
            if not step:
                return without
            return marks.with_marks(without, "arrow_length", [Place()], value=round(factor, 6))

        document = self._studio.document
        document.commit(tr("Length of vectors"), put(document.project), tr("arrow length"))

    # the card

    def open(self) -> None:
        """Show it below its button, with the keys in its first row."""
        self.show()
        self.raise_()
        self.refresh()
        QtWidgets.QApplication.instance().installEventFilter(self)  # pyright: ignore
        first = next(iter(self._trails.values()), self.kinds["velocity"])
        first.check.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_card(self) -> None:
        """Hide it; the keys go back to the button where it had them."""
        if self.isHidden():
            return
        QtWidgets.QApplication.instance().removeEventFilter(self)  # pyright: ignore
        focus = QtWidgets.QApplication.focusWidget()
        inside = focus is not None and self.isAncestorOf(focus)
        self.hide()
        for line in self._trails.values():
            self._paths.removeWidget(line)
            throw_away(line)
        self._trails.clear()
        if inside:
            self._button.setFocus(Qt.FocusReason.PopupFocusReason)
        self.closed.emit()

    def fit(self) -> None:
        """Take the room that the rows need, as far as the host has it."""
        host, inner = self.parentWidget(), self._scroller.widget()
        if host is None or inner is None:
            return
        bar = self._scroller.verticalScrollBar().sizeHint().width()
        wide, room = self._theme.dp(WIDTH), host.width() - 2 * EDGE
        narrow = wide > room - bar
        for line in self.findChildren(Line):
            line.set_narrow(narrow)
        wide = min(wide, room - bar)
        tall = inner.layout().totalHeightForWidth(wide - 2)  # pyright: ignore
        tall = max(tall, inner.sizeHint().height()) + 4
        most = host.height() - self.y() - 12
        self.resize(wide + (bar if tall > most else 0), max(80, min(tall, most)))

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        """Close the card at a press outside, and pass the press on."""
        if event.type() == QtCore.QEvent.Type.MouseButtonPress and isinstance(
            watched, QtWidgets.QWidget
        ):
            mine = watched is self or self.isAncestorOf(watched)
            menu = QtWidgets.QApplication.activePopupWidget() is not None
            button = watched is self._button
            if not mine and not menu and not button:
                self.close_card()
        return False

    def event(self, event: QtCore.QEvent) -> bool:
        """Esc closes it before any other widget receives the key."""
        if (
            event.type() == QtCore.QEvent.Type.ShortcutOverride
            and isinstance(event, QtGui.QKeyEvent)
            and event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Space)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_card()
            return
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Down)
            return
        super().keyPressEvent(event)


class ShownButton(QtWidgets.QFrame):
    """Button over the view that opens the card.  sized(): it needs other room."""

    sized = QtCore.Signal()

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        measured: Callable[[str], str],
        host: QtWidgets.QWidget,
    ) -> None:
        super().__init__(host)
        self.setObjectName("float")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._studio, self._short = theme, studio, False
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(2, 2, 2, 2)
        self.button = QtWidgets.QToolButton()
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.setCheckable(True)
        self.button.setAccessibleName(tr("Trails, vectors, ghosts"))
        self.button.setToolTip(tr("Trails, vectors, ghosts and marks of the scene"))
        self.exporter = PathExporter(studio, host)
        theme.fit(self.button, height=26, icon=16)
        box.addWidget(self.button)
        self.card = ShownCard(theme, studio, measured, host, self.button)
        self.card.export.connect(self._export)
        self.card.closed.connect(lambda: self.button.setChecked(False))
        self.card.closed.connect(self._show)
        self.button.clicked.connect(self._clicked)
        studio.document.changed.connect(lambda old, new: self._show())
        theme.follow(self._show)
        self._show()

    def _clicked(self, on: bool) -> None:
        if on:
            self.card.open()
        else:
            self.card.close_card()
        self._show()

    def _export(self, mark: Mark) -> None:
        self.card.close_card()
        self.exporter.ask((mark,))

    def fit(self, room: int) -> None:
        """Say less where the view is narrow.  room: its width [px]."""
        short = room < self._theme.dp(NARROW)
        if short != self._short:
            self._short = short
            self._show()

    def _show(self) -> None:
        any_ = bool(self._studio.document.project.marks) or self.button.isChecked()
        self.button.setIcon(self._theme.icon("eye", "accent_text" if any_ else "text2", 16))
        text = tr("Shown") if self._short else tr("Trails, vectors, ghosts")
        self.button.setText(f" {text} ")
        self.adjustSize()
        self.sized.emit()


def _last_words(seconds: float) -> str:
    return tr("all") if not seconds else tr("last {seconds} s", seconds=localised(f"{seconds:g}"))


def _step_of(factor: float) -> int:
    return round(STEPS * math.log(factor) / math.log(FACTOR)) if factor > 0 else 0
