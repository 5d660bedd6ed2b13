"""Choice of what the equations panel shows: equations, derivations or another chapter, in which
coordinates, in symbols or numbers, and at which size.
"""

from collections.abc import Iterable

from PySide6 import QtCore, QtWidgets

from mechstudio.model.equations.lecture import (
    CHAPTER_TITLES,
    CONSTRAINTS,
    CONTACTS,
    EQUILIBRIA,
    KINEMATICS,
    LAGRANGE,
    METHODS,
    NEWTON_EULER,
    PARTITION,
    PROJECTED,
    RECURSIVE,
    TORSORS,
)
from mechstudio.translation import Words, tr
from mechstudio.view.equations.proofs import Pill
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.widgets import IconButton, Segment

Qt = QtCore.Qt
SIDE = "derivations"  # the three methods, and all of them at once
NOW = "now"  # the numbers at the time cursor
WIDE = 780  # px from which three columns can be read
METHODS_WIDE = 380  # px from which the choice of methods has room for all of them
LOW = 250  # px of height below which the second row is left to the equations
GAP = 8
EDGE = 12
SHORT: dict[str, Words] = {
    NEWTON_EULER: "Newton-Euler",
    PROJECTED: "Projected",
    LAGRANGE: "Lagrange",
}
VIEWS: tuple[tuple[str, Words], ...] = (
    ("", "Equations"),
    (SIDE, "Three derivations"),
    (NOW, "Numbers now"),
    *(
        (key, CHAPTER_TITLES[key])
        for key in (CONSTRAINTS, PARTITION, KINEMATICS, TORSORS, EQUILIBRIA, RECURSIVE, CONTACTS)
    ),
)
COORDINATES: tuple[tuple[str, Words, Words], ...] = (
    ("auto", "Angles that suit", "Suited angles"),
    ("joint", "Relative angles, of joints", "Relative angles"),
    ("link", "Absolute angles, of links", "Absolute angles"),
)


class ViewBar(QtWidgets.QWidget):
    """One row where there is room, else two; what finds no room stands in the menu of the button
    with the sliders.

    lecture: "" for the equations themselves, SIDE, NOW, or the key of a chapter.  method: one of
    METHODS, or SIDE for all.  stacked: all of them stand one below the other, for lack of width.
    coordinates, numbers, with_numbers: as chosen.  changed(): another view or method.
    coordinates_chosen(key).  set_otherwise(): numbers or with_numbers is another.
    find_requested().  zoomed(steps): 0 for the normal size.
    """

    changed = QtCore.Signal()
    coordinates_chosen = QtCore.Signal(str)
    set_otherwise = QtCore.Signal()
    find_requested = QtCore.Signal()
    zoomed = QtCore.Signal(float)

    def __init__(self, theme: Theme, pill: Pill) -> None:
        """pill: the mark of the proof, at the end of the first row."""
        super().__init__()
        self._theme, self.pill = theme, pill
        self.lecture, self.method, self.coordinates, self.numbers, self.with_numbers = (
            "",
            SIDE,
            "auto",
            False,
            False,
        )
        self.stacked = False
        self.view = Choice(
            theme,
            tr("View"),
            lambda: [(key, tr(words), "") for key, words in VIEWS],
            lambda: self.lecture,
            self.show_view,
        )
        self.view.setToolTip(
            tr("What is shown: the equations, how they are derived, or what follows from them")
        )
        self.methods = Segment(
            theme,
            (*((key, tr(SHORT[key])) for key in METHODS), (SIDE, tr("Side by side"))),
            "tight",
            26,
        )
        self.methods.chosen.connect(self.show_method)
        self.angles = Choice(
            theme,
            tr("Coordinates"),
            lambda: [(key, tr(words), "") for key, words, _ in COORDINATES],
            lambda: self.coordinates,
            self._choose_coordinates,
            lambda key: next(tr(short) for k, _, short in COORDINATES if k == key),
        )
        self.angles.setToolTip(tr("Which coordinates the equations are written in"))
        self.figures = Segment(
            theme, (("symbols", tr("Symbols")), ("numbers", tr("Numbers"))), "tight", 26
        )
        self.figures.setToolTip(tr("Parameters as symbols, or as their numbers in SI units"))
        self.figures.choose("symbols")
        self.figures.chosen.connect(lambda key: self.set_numbers(key == "numbers"))
        self.numbers_button = IconButton(
            theme,
            "run",
            tr("Numbers at the time cursor under the symbols"),
            26,
            16,
            checkable=True,
            clicked=lambda: self.set_with_numbers(not self.with_numbers),
        )
        self.find_button = IconButton(
            theme,
            "search",
            tr("Find in the equations (Ctrl+F)"),
            26,
            16,
            clicked=self.find_requested.emit,
        )
        self.smaller = IconButton(
            theme,
            "minus",
            tr("Smaller (Ctrl and the wheel)"),
            26,
            14,
            clicked=lambda: self.zoomed.emit(-1.0),
        )
        self.larger = IconButton(
            theme,
            "plus",
            tr("Larger (Ctrl and the wheel)"),
            26,
            14,
            clicked=lambda: self.zoomed.emit(1.0),
        )
        self.more = IconButton(
            theme, "settings", tr("How the equations are shown"), 26, 16, clicked=self.show_menu
        )
        # what there is no room for is hidden, and goes with this one
        self._tools = (
            self.methods,
            self.angles,
            self.figures,
            self.numbers_button,
            self.find_button,
            self.smaller,
            self.larger,
        )
        for each in (*self._tools, self.more):
            each.setParent(self)
        self._rows = QtWidgets.QHBoxLayout(), QtWidgets.QHBoxLayout()
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(EDGE, 2, EDGE, 6)
        box.setSpacing(6)
        for each in self._rows:
            each.setSpacing(GAP)
            box.addLayout(each)
        # what is placed follows the width, not the other way round
        box.setSizeConstraint(QtWidgets.QLayout.SizeConstraint.SetNoConstraint)
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Fixed)
        self._width, self._height, self._placed = 0.0, 0.0, ((), (), False)
        self._short = False
        theme.resized.connect(self.fit)

    # what is chosen

    def show_view(self, lecture: str) -> None:
        """Show the equations (""), the derivations or a chapter."""
        self.lecture = lecture
        self.view.refresh()
        self.fit()
        self.changed.emit()

    def show_method(self, method: str) -> None:
        """Show one derivation, or all of them."""
        self.method = method
        self.fit()
        self.changed.emit()

    def _choose_coordinates(self, key: str) -> None:
        self.coordinates = key
        self.angles.refresh()
        self.fit()
        self.coordinates_chosen.emit(key)

    def set_numbers(self, numbers: bool) -> None:
        """Numbers in place of parameters, or their symbols."""
        self.numbers = numbers
        self.figures.choose("numbers" if numbers else "symbols")
        self.set_otherwise.emit()

    def set_with_numbers(self, with_numbers: bool) -> None:
        """Show or hide the numbers at the time cursor below the symbols."""
        self.with_numbers = with_numbers
        self.numbers_button.setChecked(with_numbers)
        self.set_otherwise.emit()

    def show_menu(self) -> None:
        """All that the rows offer, as a menu."""
        menu = QtWidgets.QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for key, words, _ in COORDINATES:
            self._tick(
                menu.addAction(tr(words), lambda key=key: self._choose_coordinates(key)),
                key == self.coordinates,
            )
        menu.addSeparator()
        self._tick(
            menu.addAction(
                tr("Numbers for parameters"), lambda: self.set_numbers(not self.numbers)
            ),
            self.numbers,
        )
        self._tick(
            menu.addAction(
                tr("Numbers at the time cursor"),
                lambda: self.set_with_numbers(not self.with_numbers),
            ),
            self.with_numbers,
        )
        if self.lecture == SIDE:
            menu.addSeparator()
            for key in (*METHODS, SIDE):
                words = tr(SHORT[key]) if key in SHORT else tr("All three")
                self._tick(
                    menu.addAction(words, lambda key=key: self.show_method(key)),
                    key == self.method,
                )
        menu.addSeparator()
        menu.addAction(tr("Find …"), self.find_requested.emit)
        menu.addAction(tr("Larger"), lambda: self.zoomed.emit(1.0))
        menu.addAction(tr("Smaller"), lambda: self.zoomed.emit(-1.0))
        menu.addAction(tr("Normal size"), lambda: self.zoomed.emit(0.0))
        menu.popup(
            self.more.mapToGlobal(
                QtCore.QPoint(self.more.width() - menu.sizeHint().width(), self.more.height())
            )
        )

    @staticmethod
    def _tick(action, ticked: bool) -> None:
        action.setCheckable(True)
        action.setChecked(ticked)

    # room

    def show_size(self, width: float, height: float) -> None:
        """Fit the bar to the size of the panel [px]."""
        self._width, self._height = width, height
        before = self.stacked
        self.fit()
        if self.lecture == SIDE and self.method == SIDE and self.stacked != before:
            self.changed.emit()

    def fit(self) -> None:
        """Place what there is room for."""
        self.stacked = self._width < self._theme.dp(WIDE)
        side = self.methods.button(SIDE)
        side.setToolTip(
            tr("One below the other here: three columns need a wider panel") if self.stacked else ""
        )
        side.setVisible(not self.stacked or self._width >= self._theme.dp(METHODS_WIDE))
        self.methods.choose(self.method)
        tools = [t for t in self._tools if t is not self.methods or self.lecture == SIDE]
        if self.lecture == NOW:
            tools.remove(self.figures)
            tools.remove(self.numbers_button)
        width = self._width - 2 * EDGE
        self.pill.show_short(False)
        first: list[QtWidgets.QWidget] = [self.view, *tools]
        if self._wide([*first, self.pill]) <= width:
            self._place(first, [], False)
            return
        second: list[QtWidgets.QWidget] = list(tools)
        if self._height < self._theme.dp(LOW):
            second = [t for t in tools if t is self.methods]
        while second and self._wide(second) > width and second[-1] is not self.methods:
            if second.pop() is self.larger:
                second.remove(self.smaller)
        more = len(second) < len(tools)
        self.pill.show_short(
            self._wide([self.view, *([self.more] if more else []), self.pill]) > width
        )
        self._place([self.view], second, more)

    def minimumSizeHint(self) -> QtCore.QSize:
        return QtCore.QSize(0, super().minimumSizeHint().height())

    @staticmethod
    def _wide(widgets: Iterable[QtWidgets.QWidget]) -> int:
        return sum(
            (w.minimumWidth() if isinstance(w, IconButton) else w.sizeHint().width()) + GAP
            for w in widgets
            if w.objectName() != "mark" or not w.isHidden()
        )

    def _place(
        self, first: list[QtWidgets.QWidget], second: list[QtWidgets.QWidget], more: bool
    ) -> None:
        placed = (tuple(first), tuple(second), more)
        if placed == self._placed:
            return
        self._placed = placed
        for each in self._rows:
            while each.count():
                each.takeAt(0)
        for each, widgets in zip(self._rows, (first, second)):
            words = [w for w in widgets if not isinstance(w, IconButton)]
            for w in words:
                each.addWidget(w)
            each.addStretch(1)
            for w in widgets:
                if w not in words:
                    each.addWidget(w)
        self._rows[0].addWidget(self.more)
        self._rows[0].addWidget(self.pill)
        for w in self._tools:
            w.setVisible(w in first or w in second)
        self.more.setVisible(more)
