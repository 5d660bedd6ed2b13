"""Edits a law: its type, numbers, table or text, with the text checked in words while it is typed,
and a preview beneath.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions.edits import laws, parameters
from mechstudio.application.help import topics
from mechstudio.application.help.pages import Topic
from mechstudio.model import fields
from mechstudio.model.edits import laws as law_edits
from mechstudio.model.edits.parameters import Requested, added
from mechstudio.model.element_fields.laws import dimension_of
from mechstudio.model.formulas.decimal_comma import with_commas, with_points
from mechstudio.model.laws import evaluation
from mechstudio.model.laws.interpolation import TABLE_KINDS
from mechstudio.model.laws.texts import is_position
from mechstudio.model.laws.texts import reason as reason_against
from mechstudio.model.mechanism import ACCELERATION, POSITION, VELOCITY, Coupling, Drive, Force, Law
from mechstudio.model.types.laws import LAW_TYPES
from mechstudio.model.units import format_value
from mechstudio.translation import comma, tr
from mechstudio.view.inspector.laws.law_preview import (
    LawPreview,
    Shown,
    motion_curves,
    places,
    sampled,
)
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.fields.field_error import FieldError
from mechstudio.view.widgets.fields.field_keys import FieldKeys
from mechstudio.view.widgets.fields.formula_field import error_sentence
from mechstudio.view.widgets.fields.number_field import NumberField
from mechstudio.view.widgets.form import Form
from mechstudio.view.widgets.widgets import IconButton, column, set_property, wrapped

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector

Qt = QtCore.Qt


class LawText(QtWidgets.QWidget):
    """The text of an expression: black while it is sound, red with the reason while it is not;
    Enter or leaving commits, Esc restores.
    """

    def __init__(self, page: Inspector, id: str, path: law_edits.Path) -> None:
        super().__init__()
        self._studio, self._id, self._path, self._keys = page.studio, id, path, FieldKeys()
        self._requested: Requested | None = None
        self.edit = QtWidgets.QLineEdit()
        self.edit.setAccessibleName(tr("Expression"))
        self.edit.installEventFilter(self)
        self.edit.textEdited.connect(self._check)
        self._entered = ""  # the text on which Enter was pressed last
        self.edit.editingFinished.connect(self._leave)
        self.edit.returnPressed.connect(self._keys.entered)
        self._frame = QtWidgets.QFrame()
        self._frame.setObjectName("field")
        page.theme.fit(self._frame, height=26)
        line = QtWidgets.QHBoxLayout(self._frame)
        line.setContentsMargins(8, 0, 8, 0)
        line.addWidget(self.edit)
        self._wrong, self._offer = FieldError(page.theme), wrapped("", "three")
        box = column(self, 3)
        for widget in (self._frame, self._wrong, self._offer):
            box.addWidget(widget)
        self.setFocusProxy(self.edit)
        self.refresh()

    @property
    def typed(self) -> str:
        """Text of the field, as laws read it."""
        return with_points(self.edit.text())

    @property
    def reason(self) -> str:
        """Reason why the text is refused; empty if it is sound."""
        return self._wrong.text()

    def refresh(self) -> None:
        if self.edit.isModified():
            return
        text = law_edits.law_at(self._studio.document.project, self._id, self._path).text
        self.edit.setText(with_commas(text))
        self.edit.setCursorPosition(0)
        _, _, known = laws.law_context(self._studio, self._id, self._path)
        named = [
            v.name
            for v in sorted(
                known.values(), key=lambda v: v.kind in (evaluation.COORDINATE, evaluation.RATE)
            )
        ]
        shown = comma().join(named[:7]) + (", …" if len(named) > 7 else "")
        self._offer.setText(
            tr(
                "May name {names} and parameters, as in {example}",
                names=shown,
                example="sin(2 rad/s*t)" if "t" in known else "10 mm*sin(a)",
            )
        )
        self._offer.setToolTip("\n".join(f"{v.name}: {v.meaning}" for v in known.values()))
        self._show_reason(laws.law_problem(self._studio, self._id, self._path, text))

    def _check(self, _text: str = "") -> bool:
        reason = laws.law_problem(self._studio, self._id, self._path, self.typed)
        self._show_reason(reason)
        return not reason

    def _show_reason(self, reason: str) -> None:
        set_property(self._frame, "wrong", bool(reason))
        self._requested = (
            laws.requested_by_law(self._studio, self._id, self._path, self.typed)
            if reason
            else None
        )
        if reason:
            words = tr("Create {words}", words=self._requested.words) if self._requested else ""
            said = error_sentence(
                reason, self.edit.text(), self._requested, self._entered == self.typed
            )
            self._wrong.say(self, said, words, self.take_offer)
        else:
            self._wrong.clear(self)

    @property
    def requested(self) -> Requested | None:
        """The parameter that is offered because the text names it."""
        return self._requested

    def take_offer(self) -> None:
        """Create the parameter that the text names; one undo step together with the text, where
        nothing else is missing.
        """
        requested, text = self._requested, self.typed
        if requested is None:
            return
        label = tr("Create {words}", words=requested.words)
        self.edit.setModified(False)
        if self._studio.document.change(
            label, lambda p: law_edits.set_text(added(p, requested), self._id, self._path, text)
        ):
            self.edit.setModified(True)
            parameters.create_parameter(self._studio, requested)
            self._check()

    def suspend(self) -> tuple[str, int, bool] | None:
        """Drop the text being typed, because the field is about to be made again."""
        state = (
            (self.edit.text(), self.edit.cursorPosition(), self.edit.hasFocus())
            if self.edit.isModified()
            else None
        )
        self.edit.setModified(False)
        return state

    def resume(self, state: tuple[str, int, bool]) -> None:
        """Go on with what was being typed in the field that this one replaces."""
        text, place, focus = state
        if focus:
            self.edit.setFocus()
        self.edit.setText(text)
        self.edit.setCursorPosition(place)
        self.edit.setModified(True)
        self._check()

    def commit(self) -> bool:
        """Take the text if it is sound; otherwise it stays, red, with the reason."""
        if not self.edit.isModified():
            return True
        text = self.typed
        if not self._check():
            return False
        self.edit.setModified(False)
        laws.set_law_text(self._studio, self._id, self._path, text)
        return True

    def restore(self) -> None:
        self.edit.setModified(False)
        self.refresh()

    def _leave(self) -> None:
        # unreadable text is not kept in a hidden field
        if not self.commit() and not self.edit.hasFocus():
            self.restore()

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        if self._keys.takes(event, self.edit.isModified()):
            return True
        if isinstance(event, QtGui.QKeyEvent) and event.type() == QtCore.QEvent.Type.KeyPress:
            with_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and with_control:
                self.take_offer()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if self._requested is not None and self._entered == self.typed:
                    self.take_offer()
                    return True
                self._entered = self.typed
            if event.key() == Qt.Key.Key_Escape:
                self.restore()
                return True
        if event.type() == QtCore.QEvent.Type.FocusOut:
            self._entered = ""
            QtCore.QTimer.singleShot(0, self, self._leave)
        return super().eventFilter(watched, event)


class LawEditor(QtWidgets.QWidget):
    """The lines of one law; the inspector rebuilds it when the law's type or the number of its
    points changes.
    """

    def __init__(
        self,
        page: Inspector,
        id: str,
        path: law_edits.Path,
        shown: list[fields.Field],
        form: Form | None = None,
    ) -> None:
        """shown: the law's fields.  form: where type and numbers stand; in a form of its own where
        none is given.
        """
        super().__init__()
        self._page, self._id, self._path = page, id, path
        self._parameter = path[1] if path[0] == "laws" else ""
        studio, theme = page.studio, page.theme
        law, (_, variable, _) = (
            law_edits.law_at(studio.document.project, id, path),
            laws.law_context(studio, id, path),
        )
        box = column(self, 6)
        if form is None:
            form = Form(theme)
            box.addWidget(form)
        self.type = Choice(
            theme,
            tr("Law"),
            lambda: [
                (k, tr(LAW_TYPES[k].label), "")
                for k in law_edits.types_for(fields.find(studio.document.project, id))
            ],
            lambda: law_edits.law_at(studio.document.project, id, path).type,
            lambda key: laws.set_law_type(studio, id, path, key),
        )
        form.add(tr("Law"), self.type)
        self.between: Choice | None = None
        if LAW_TYPES[law.type].points:
            place = is_position(fields.find(studio.document.project, id), self._parameter)
            self.between = Choice(
                theme,
                tr("Between points"),
                lambda: [
                    (k, tr(t.label), "") for k, t in TABLE_KINDS.items() if not (place and t.jumps)
                ],
                lambda: evaluation.table_kind(law_edits.law_at(studio.document.project, id, path)),
                lambda key: laws.set_table_kind(studio, id, path, key),
            )
            form.add(tr("Between points"), self.between)
            page.refreshers.append(self.between.refresh)
        for field in shown:
            if "points" not in field.path:
                page.add_number(form, id, field)
        self.text: LawText | None = None
        if LAW_TYPES[law.type].text:
            self.text = LawText(page, id, path)
            page.refreshers.append(self.text.refresh)
            page.texts[id, path] = self.text
            box.addWidget(self.text)
        if LAW_TYPES[law.type].points:
            box.addWidget(self._table([f for f in shown if "points" in f.path], variable))
        self.problem = wrapped("", "wrong")
        box.addWidget(self.problem)
        self.preview = LawPreview(theme, self._shown, lambda: studio.preferences.units)
        page.refreshers.append(self.refresh)
        box.addWidget(self.preview)
        self.refresh()

    def help_topic(self) -> Topic:
        """The topic of the law's type."""
        found = self._found()
        return topics.of_row(LAW_TYPES, "" if found is None else found[1].type)

    def refresh(self) -> None:
        studio = self._page.studio
        project = studio.document.project
        if (found := self._found()) is None:
            return
        element, law = found
        # the text has its own place for what is wrong with it
        reason = (
            ""
            if self.text is not None
            else reason_against(project.mechanism, element, self._parameter, law, {})
        )
        self.problem.setText(reason)
        self.problem.setVisible(bool(reason))
        self.preview.refresh()

    def _table(self, shown: list[fields.Field], variable: str) -> QtWidgets.QWidget:
        """One line per point: where, value, and buttons that add one after it or take it out."""
        page, theme = self._page, self._page.theme
        table = QtWidgets.QWidget()
        grid = QtWidgets.QGridLayout(table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(4)
        for c, word in enumerate((tr("Angle") if variable == "angle" else tr("Time"), tr("Value"))):
            head = QtWidgets.QLabel(word)
            head.setObjectName("three")
            grid.addWidget(head, 0, c)
            grid.setColumnStretch(c, 1)
        for k in range(0, len(shown), 2):
            line, at = 1 + k // 2, k // 2
            for c in (0, 1):
                number = NumberField(theme, page.studio, self._id, shown[k + c])
                page.numbers.append(number)
                grid.addWidget(number, line, c, Qt.AlignmentFlag.AlignTop)
            for c, icon, tip, edit in (
                (2, "plus", tr("Add a point after this one"), law_edits.add_row),
                (3, "minus", tr("Remove this point"), law_edits.remove_row),
            ):
                button = IconButton(
                    theme,
                    icon,
                    tip,
                    22,
                    14,
                    clicked=lambda edit=edit, at=at: self._change_table(edit, at),
                )
                button.setEnabled(icon == "plus" or len(shown) > 4)
                grid.addWidget(button, line, c, Qt.AlignmentFlag.AlignVCenter)
        return table

    def _change_table(self, edit, at: int) -> None:
        studio, word = (
            self._page.studio,
            tr("Add a point to") if edit is law_edits.add_row else tr("Remove a point from"),
        )
        reason = studio.document.change(
            f"{word} {studio.document.name(self._id)}", lambda p: edit(p, self._id, self._path, at)
        )
        if reason:
            self._page.refuse(reason)

    def _found(self) -> tuple[Drive | Force | Coupling, Law] | None:
        """The element and its law; None where they are gone: the page stands for a moment longer,
        and may be put away and kept.
        """
        project = self._page.studio.document.project
        try:
            return fields.find(project, self._id), law_edits.law_at(project, self._id, self._path)
        except KeyError:
            return None

    def _shown(self) -> Shown | None:
        studio = self._page.studio
        project = studio.document.project
        if (found := self._found()) is None:
            return None
        element, law = found
        own, variable, known = laws.law_context(studio, self._id, self._path)
        until = (
            2 * math.pi
            if variable == "angle"
            else project.mechanism.start.value + project.settings.duration.value
        )
        others = {name: 0.0 for name, v in known.items() if v.kind != evaluation.CLOCK}
        if (
            isinstance(element, Force)
            and element.frame_a is not None
            and element.frame_b is not None
            and "x" in others
        ):
            others["x"] = math.dist(
                *(
                    studio.display.project.mechanism.frame_in_world(f)[0]
                    for f in (element.frame_a, element.frame_b)
                )
            )
        over = places(law, until)
        jets = sampled(law, over, others)
        if jets is None:
            return None
        beyond = tuple(o for o in evaluation.overshoots(law) if o.peak <= until)
        if isinstance(element, Drive):
            sort = dimension_of(project.mechanism, element.joint, element.coordinate, "angle")
            return Shown(
                over,
                variable,
                motion_curves(jets, over, element.quantity, sort),
                (POSITION, VELOCITY, ACCELERATION).index(element.quantity),
                beyond,
            )
        if isinstance(element, Force):
            # what depends on the motion is unknown before a run: shown for one state, which is
            # named
            units = studio.preferences.units
            at = [
                f"{name} = {format_value(others[name], known[name].dimension, units, 3)}"
                for name in others
                if name in evaluation.names(law.text)
            ]
            return Shown(
                over,
                variable,
                (
                    (
                        tr(
                            "at {state}",
                            state=comma().join(at[:2]) + (", …" if len(at) > 2 else ""),
                        )
                        if at
                        else tr("value"),
                        own,
                        jets[:, 0],
                    ),
                ),
                0,
                beyond,
            )
        # a cam's slopes are per radian
        return Shown(
            over,
            variable,
            (
                (tr("angle") if own == "angle" else tr("lift"), own, jets[:, 0]),
                (tr("per radian"), own, jets[:, 1]),
                (tr("per radian²"), own, jets[:, 2]),
            ),
            0,
            beyond,
        )
