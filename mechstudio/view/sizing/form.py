"""Fields of a helper: one row for each, empty where the helper finds the value itself."""

from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6 import QtCore, QtWidgets

from mechstudio.application.studio import Studio
from mechstudio.model.formulas.decimal_comma import with_commas, with_points
from mechstudio.model.sizing import helpers
from mechstudio.model.sizing.helpers import HELPERS, Field
from mechstudio.model.types.forces import is_motor
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import comma, tr
from mechstudio.view.dialogs.files.chooser import ask_source
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.form import Form
from mechstudio.view.widgets.widgets import row

Qt = QtCore.Qt


class Value(QtWidgets.QPushButton):
    """A button that looks like a field; a text that is too long for it ends in dots."""

    def __init__(self, theme: Theme, text: str, name: str) -> None:
        super().__init__(text)
        self.setObjectName("value")
        self.setAccessibleName(name)
        theme.fit(self, height=26)

    def initStyleOption(self, option: QtWidgets.QStyleOptionButton) -> None:
        super().initStyleOption(option)
        room = self.width() - 24
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
        # a button with a menu leaves no room before its text
        option.text = f"  {text}" if self.menu() is not None else text

    def minimumSizeHint(self) -> QtCore.QSize:
        return QtCore.QSize(40, super().minimumSizeHint().height())


class BodiesChoice(Value):
    """Bodies that are ticked in a menu; none stands for what the helper finds."""

    def __init__(
        self, theme: Theme, studio: Studio, name: str, found: str, changed: Callable[[str], None]
    ) -> None:
        super().__init__(theme, found, name)
        self._studio, self._found, self._changed = studio, found, changed
        self.ids: tuple[str, ...] = ()
        self.setMenu(QtWidgets.QMenu(self))
        self.menu().aboutToShow.connect(self._fill)
        self.refresh()

    def refresh(self) -> None:
        """Show what is ticked."""
        bodies = self._studio.document.project.mechanism.bodies
        self.ids = tuple(id for id in self.ids if id in bodies)
        words = comma().join(bodies[id].name for id in self.ids)
        self.setText(words or self._found)

    def _fill(self) -> None:
        menu = self.menu()
        menu.clear()
        for id, body in self._studio.document.project.mechanism.bodies.items():
            action = menu.addAction(body.name.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(id in self.ids)
            action.toggled.connect(lambda on, id=id: self._tick(id, on))

    def _tick(self, id: str, on: bool) -> None:
        self.ids = (*self.ids, id) if on else tuple(each for each in self.ids if each != id)
        self.refresh()
        self._changed(",".join(self.ids))


class HelperForm(QtWidgets.QWidget):
    """Fields of one helper in two columns, one below the other where there is little room.  given:
    what is typed or chosen, by name.  requested(): Enter was pressed, or a motor was taken.
    """

    requested = QtCore.Signal()

    def __init__(self, theme: Theme, studio: Studio, what: str) -> None:
        super().__init__()
        self._studio, self._theme_, self._what = studio, theme, what
        self.given: dict[str, str] = {}
        self.motors: tuple[str, ...] = ()  # of the table that was read last
        self.widgets: dict[str, QtWidgets.QWidget] = {}
        fields = HELPERS[what].fields
        first = Form(theme)
        columns = first, Form(theme, above=first)
        self._box = QtWidgets.QBoxLayout(QtWidgets.QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        for each in columns:
            self._box.addWidget(each, 1, Qt.AlignmentFlag.AlignTop)
        for k, field in enumerate(fields):
            widget = self._widget(field)
            widget.setToolTip(tr(field.help)[:1].upper() + tr(field.help)[1:])
            self.widgets[field.name] = widget
            columns[2 * k >= len(fields)].add(tr(field.label), widget)

    def arrange(self, beside: bool) -> None:
        """Put the columns beside each other, or one below the other."""
        way = QtWidgets.QBoxLayout.Direction
        self._box.setDirection(way.LeftToRight if beside else way.TopToBottom)
        self._box.setSpacing(18 if beside else 6)

    def refresh(self) -> None:
        """Show the choices of the drawing as it is now."""
        for name, widget in self.widgets.items():
            if isinstance(widget, Choice):
                if self.given.get(name, "") not in widget.keys():
                    self.given.pop(name, None)
                widget.refresh()
            elif isinstance(widget, BodiesChoice):
                widget.refresh()

    def _widget(self, field: Field) -> QtWidgets.QWidget:
        label, found = tr(field.label), tr(field.found) if field.found else ""
        if field.kind == helpers.BODIES:
            change = lambda ids, name=field.name: self._put(name, ids)
            return BodiesChoice(self._theme_, self._studio, label, found, change)
        if field.kind == helpers.FILE:
            return self._file(field, found)
        entries = self._entries(field)
        if entries is not None:
            return Choice(
                self._theme_,
                label,
                entries,
                lambda: self.given.get(field.name, field.usual),
                lambda key: self._choose(field, key),
            )
        edit = QtWidgets.QLineEdit(with_commas(field.usual))
        edit.setAccessibleName(label)
        edit.setPlaceholderText(found)
        edit.setCursorPosition(0)
        edit.textEdited.connect(lambda text: self._put(field.name, with_points(text.strip())))
        edit.returnPressed.connect(self.requested)
        frame = row(edit, margins=(7, 0, 5, 0), name="field")
        self._theme_.fit(frame, height=26)
        frame.setFocusProxy(edit)
        return frame

    def _file(self, field: Field, found: str) -> QtWidgets.QWidget:
        button = Value(self._theme_, found, tr(field.label))

        def take(path: Path) -> None:
            self._put(field.name, str(path))
            button.setText(path.name)
            self.requested.emit()

        button.clicked.connect(
            lambda: ask_source(
                self,
                self._studio.preferences.stored.folder,
                tr("Table of motors"),
                [tr("{label} (*{suffix})", label=tr("CSV table"), suffix=".csv")],
                take,
                "motors",
            )
        )
        return button

    def _entries(self, field: Field) -> Callable[[], Iterator[tuple[str, str, str]]] | None:
        """Entries of a field that offers some: (key, word, "") each."""

        def choices() -> Iterator[tuple[str, str, str]]:
            yield from ((key, tr(word), "") for key, word in field.choices.items())

        def found() -> Iterator[tuple[str, str, str]]:
            m = self._studio.document.project.mechanism
            yield "", tr(field.found), ""
            if field.kind == helpers.NAME:
                yield from ((name, name, "") for name in self.motors)
            if field.kind == helpers.JOINT:
                yield from (
                    (id, j.name, "") for id, j in m.joints.items() if JOINT_TYPES[j.type].is_pin
                )
            if field.kind == helpers.DRIVE:
                movers = [d for d in m.drives.values() if d.enabled]
                if self._what == "motor":
                    movers += [f for f in m.forces.values() if is_motor(f.type)]
                can = {id for id, j in m.joints.items() if JOINT_TYPES[j.type].is_pin}
                if self._what == "motor":
                    can |= {id for id, j in m.joints.items() if JOINT_TYPES[j.type].is_slide}
                yield from ((x.id, x.name, "") for x in movers if x.joint in can)
            if field.kind == helpers.POINT:
                yield from (
                    (f"{id}.{point}", tr("at {name}", name=f"{m.body(id).name}.{point}"), "")
                    for id in (m.ground.id, *m.bodies)
                    for point in m.body(id).named_points()
                )

        if field.kind == helpers.CHOICE:
            return choices
        kinds = (helpers.NAME, helpers.JOINT, helpers.DRIVE, helpers.POINT)
        return found if field.kind in kinds else None

    def _choose(self, field: Field, key: str) -> None:
        self._put(field.name, key)
        if field.kind == helpers.NAME:
            self.requested.emit()

    def _put(self, name: str, text: str) -> None:
        self.given[name] = text
