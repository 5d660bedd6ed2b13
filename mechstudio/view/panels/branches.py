"""Dead points and assembly branches in the Structure tab: chosen by an input, searched on request,
viewed and adopted.
"""

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions import simulate
from mechstudio.application.studio import Studio
from mechstudio.model.results.branches import Branch, Branches, DeadPoint
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.units import format_value
from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Bar, Elided, column, label, row, throw_away, wrapped

Qt = QtCore.Qt


class BranchesBody(QtWidgets.QWidget):
    """The input with a button, then what was found; the pointer on a line shows its pose, a click
    adopts it.
    """

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self._joint, self._shown, self._found = "", object(), QtWidgets.QWidget()
        self.input = QtWidgets.QPushButton()
        self.input.setObjectName("value")
        self.input.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._menu = QtWidgets.QMenu(self.input)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.input.setMenu(self._menu)
        theme.fit(self.input, height=26, least_width=96)
        self.button = QtWidgets.QPushButton()
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(self._press)
        self.progress = Bar(theme)
        self._box = column(self, 6)
        self._box.addWidget(row(label(tr("Input"), "two"), self.input, self.button, None))
        self._box.addWidget(self.progress)
        self._box.addWidget(self._found)
        studio.questions.branches.changed.connect(self.refresh)
        studio.preferences.units_changed.connect(self._units_changed)
        self.destroyed.connect(lambda: studio.questions.branches.changed.disconnect(self.refresh))
        self.refresh()

    def _fill_menu(self) -> None:
        self._menu.clear()
        choices = [("", tr("by itself"))] + [
            (id, j.name)
            for id, j in self._studio.document.project.mechanism.joints.items()
            if JOINT_TYPES[j.type].dof == 1
        ]
        for id, name in choices:
            self._menu.addAction(name).triggered.connect(lambda _=False, id=id: self._choose(id))

    def _choose(self, joint: str) -> None:
        self._joint = joint
        self._studio.questions.branches.request(joint)

    def _press(self) -> None:
        search = self._studio.questions.branches
        if search.state == "searching":
            search.cancel()
        else:
            search.request(
                self._joint if self._joint in self._studio.document.project.mechanism.joints else ""
            )

    def _units_changed(self) -> None:
        self._shown = object()
        self.refresh()

    def refresh(self) -> None:
        """Show the progress of the search and its results."""
        search, joints = (
            self._studio.questions.branches,
            self._studio.document.project.mechanism.joints,
        )
        found = search.result
        chosen = (
            self._joint
            if self._joint in joints
            else found.joint
            if found is not None and found.joint in joints
            else ""
        )
        self.input.setText(joints[chosen].name if chosen else tr("by itself"))
        searching = search.state == "searching"
        self.button.setText(tr("Cancel") if searching else tr("Search"))
        self.progress.setVisible(searching)
        self.progress.set_value(round(100 * search.progress))
        shown = (found, search.sentence)
        if shown != self._shown:
            self._shown = shown
            throw_away(self._found)
            self._found = (
                self._made(found)
                if found is not None
                else wrapped(search.sentence, "three")
                if search.sentence
                else QtWidgets.QWidget()
            )
            self._box.addWidget(self._found)

    def _made(self, b: Branches) -> QtWidgets.QWidget:
        name = lambda: self._studio.document.project.mechanism.joints[b.joint].name
        value = lambda x: format_value(x, b.dimension, self._studio.preferences.units, digits=5)
        items: list[QtWidgets.QWidget] = (
            [wrapped(f"{tr(b.problem)} {tr(b.cure)}".strip(), "three")] if b.problem else []
        )
        if b.branches:
            items.append(wrapped(range_words(b, name(), value), "two"))
            items += [wrapped(note, "three") for note in b.notes]
            for d in b.dead_points:
                way = tr("no further up") if d.greatest else tr("no further down")
                items.append(
                    PoseLine(
                        self._theme,
                        self._studio,
                        d,
                        tr("Dead point at {value}", value=value(d.input)),
                        way,
                        tr("Move {joint} to its dead point", joint=name()),
                    )
                )
            for k, branch in enumerate(b.branches):
                words = (
                    tr("the input does not hold it")
                    if branch.loose
                    else tr("as drawn")
                    if branch.drawn
                    else tr("reached by moving")
                    if branch.same_circuit
                    else tr("by taking a joint apart")
                )
                items.append(
                    PoseLine(
                        self._theme,
                        self._studio,
                        branch,
                        tr("Way {number} of putting it together", number=k + 1),
                        words,
                        tr("Put together another way"),
                    )
                )
        if b.four_bar is not None:
            f = b.four_bar
            angles = [
                format_value(a, "angle", self._studio.preferences.units, digits=4)
                for a in (f.least_transmission, f.greatest_transmission)
            ]
            items.append(
                wrapped(
                    f"{f.kind[:1].upper() + f.kind[1:]}. "
                    + tr(
                        "Transmission angle {least} to {greatest}.",
                        least=angles[0],
                        greatest=angles[1],
                    ),
                    "two",
                )
            )
        return row(*items, vertical=True, gap=2)


def range_words(b: Branches, name: str, value) -> str:
    """Range of the input as a sentence."""
    if b.least is not None and b.greatest is not None:
        return tr(
            "{joint} swings from {least} to {greatest}.",
            joint=name,
            least=value(b.least),
            greatest=value(b.greatest),
        )
    if b.turns:
        return (
            tr("{joint} turns all the way.", joint=name)
            if b.turns == 1
            else tr("All is as it was after {count} turns of {joint}.", count=b.turns, joint=name)
        )
    return tr("No end of the motion of {joint} was found.", joint=name)


class PoseLine(QtWidgets.QPushButton):
    """One pose that was found."""

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        way: Branch | DeadPoint,
        words: str,
        remark: str,
        step: str,
    ) -> None:
        super().__init__()
        self._studio, self._way, self._step = studio, way, step
        self.setObjectName("line")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.fit(self, least_height=24)
        self.setToolTip(tr("Rest here to see it; a click places the bodies so"))
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(6, 3, 6, 3)
        shown = (Elided(words, "two"), label(remark, "three"))
        box.addWidget(shown[0], 1)
        box.addWidget(shown[1])
        for widget in shown:
            widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.clicked.connect(self._adopt)

    def _adopt(self) -> None:
        self._studio.free_motion.stop()
        if not (isinstance(self._way, Branch) and self._way.drawn):
            simulate.put_together(self._studio, self._way, self._step)

    def enterEvent(self, event: QtGui.QEnterEvent) -> None:
        super().enterEvent(event)
        self._studio.free_motion.look_at(self._way.poses)

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        super().leaveEvent(event)
        self._studio.free_motion.stop()
