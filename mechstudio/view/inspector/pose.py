"""A body's place in other words: cylindrical and spherical positions, Euler angles of any sequence,
the quaternion; drawn and now.
"""

from __future__ import annotations

from PySide6 import QtCore, QtWidgets

from mechstudio.application.studio import Studio
from mechstudio.model.edits import elements
from mechstudio.model.edits.elements import parameter_values
from mechstudio.model.edits.poses.closed_pose import renumbered
from mechstudio.model.formulas import expression
from mechstudio.model.geometry.pose import ATTITUDES, POSITIONS, Form, lock_sentence
from mechstudio.model.geometry.rotation import Pose, angles_near
from mechstudio.model.mechanism import Placement
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, values
from mechstudio.model.units import format_value
from mechstudio.translation import tr
from mechstudio.view.inspector.pages import Leaf
from mechstudio.view.theme import Theme
from mechstudio.view.widgets import form
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.fields.formula_field import FormulaField
from mechstudio.view.widgets.widgets import row, throw_away, wrapped


class PoseField(FormulaField):
    """One number of a body's place in the form that is chosen."""

    def __init__(
        self,
        section: PoseSection,
        theme: Theme,
        studio: Studio,
        part: str,
        k: int,
        name: str,
        dimension: str,
    ) -> None:
        super().__init__(theme, studio, name, dimension)
        self._section, self._part, self._k = section, part, k
        self.refresh()

    def quantity(self) -> Quantity | None:
        return Quantity(self._section.drawn_number(self._part, self._k))

    def stands(self) -> bool:
        return self._section.stands()

    def tried(self, project: Project) -> Quantity | None:
        if not self.typed.strip():
            raise expression.ExpressionError(
                tr("{name} needs a number.", name=self._edit.accessibleName())
            )
        return expression.quantity(
            self.typed, self.dimension, parameter_values(project), self._symbol()
        )

    def put(self, project: Project, label: str) -> None:
        q = self.tried(project)
        assert q is not None
        self._section.place(project, self._part, self._k, q.value, label)


class PoseSection(QtWidgets.QWidget):
    """Fields for the drawn pose of the body of a page, readings of the pose at the time cursor, and
    what a gimbal lock means.

    chosen: the forms in use, {"position": key, "attitude": key}, kept by the caller from one
    selection to the next.
    """

    def __init__(self, theme: Theme, studio: Studio, leaf: Leaf, chosen: dict[str, str]) -> None:
        super().__init__()
        self._theme, self._studio, self._leaf, self._chosen = theme, studio, leaf, chosen
        self.numbers: list[PoseField] = []
        self._page: QtWidgets.QWidget | None = None
        self._box = QtWidgets.QVBoxLayout(self)
        self._box.setContentsMargins(14, 0, 0, 4)
        self._lock = wrapped("", "two")
        self._rebuild()

    @property
    def _body(self) -> str:
        return self._leaf.id

    def _form(self, part: str) -> Form:
        # those that the fields stand for: a choice made just now may not have fields yet
        return (
            POSITIONS[self._built_for["position"]]
            if part == "position"
            else ATTITUDES[self._built_for["attitude"]]
        )

    def _rebuild(self) -> None:
        if self._page is not None:
            throw_away(self._page)
        self.numbers, self._readings, self._built_for = [], [], dict(self._chosen)
        self._page = page = form.Form(self._theme)
        for part, title, known in (
            ("position", tr("Position as"), POSITIONS),
            ("attitude", tr("Attitude as"), ATTITUDES),
        ):
            page.add(
                title,
                Choice(
                    self._theme,
                    title,
                    lambda known=known: [(key, tr(way.label), "") for key, way in known.items()],
                    lambda part=part: self._chosen[part],
                    lambda key, part=part: self._choose(part, key),
                ),
            )
            for k, name in enumerate(map(tr, self._form(part).names)):
                number = PoseField(
                    self, self._theme, self._studio, part, k, name, self._form(part).dimensions[k]
                )
                self.numbers.append(number)
                now = form.Reading(self._theme)
                now.setSizePolicy(
                    QtWidgets.QSizePolicy.Policy.Preferred, QtWidgets.QSizePolicy.Policy.Fixed
                )
                now.setToolTip(tr("As it is shown now"))
                self._readings.append((now, part, k))
                both = row(number, now, gap=8)
                both.box.setStretch(0, 1)
                page.add(tr(name), both)
        page.wide(self._lock)
        self._box.addWidget(page)
        self.refresh()

    def _choose(self, part: str, key: str) -> None:
        self._chosen[part] = key
        # not while the button that was clicked is still at work
        QtCore.QTimer.singleShot(0, self, self._rebuild)

    def _drawn(self) -> Pose:
        return self._studio.document.project.mechanism.bodies[self._body].placement.pose

    def _drawn_numbers(self, part: str) -> list[float]:
        position, quaternion = self._drawn()
        return [*self._form(part).read(position if part == "position" else quaternion)]

    def drawn_number(self, part: str, k: int) -> float:
        """A number of the drawn pose [SI] in the chosen form."""
        return self._drawn_numbers(part)[k]

    def stands(self) -> bool:
        """True if the body still exists."""
        return self._body in self._studio.document.project.mechanism.bodies

    def arrive(self) -> None:
        """The page of another body: what was typed for the one before is forgotten, and the forms
        may have been chosen on another page.
        """
        for number in self.numbers:
            number.suspend()
        if self._built_for != self._chosen:
            self._rebuild()

    def place(self, project: Project, part: str, k: int, value: float, label: str) -> None:
        """Give one number of the chosen form another value [SI]."""
        way, body = self._form(part), project.mechanism.bodies[self._body]
        numbers = self._drawn_numbers(part)
        numbers[k] = value
        if part == "position":
            placement = Placement(
                renumbered(body.placement.position, way.write(tuple(numbers))),
                body.placement.orientation,
            )
        else:
            angles = angles_near(way.write(tuple(numbers)), values(body.placement.orientation))
            placement = Placement(
                body.placement.position, renumbered(body.placement.orientation, angles)
            )
        number = format_value(value, way.dimensions[k], self._studio.preferences.units)
        shown = tr(
            "{number} of {body} {number_2}",
            number=tr(way.names[k]),
            body=body.name,
            number_2=number,
        )
        self._studio.document.commit(
            label or shown, elements.set_attribute(project, body.id, placement=placement)
        )

    def refresh(self) -> None:
        """Show the drawing, and the recording at the time cursor."""
        if not self.stands():
            return
        for number in self.numbers:
            number.refresh()
        now = self._now()
        for reading, part, k in self._readings:
            reading.setVisible(now is not None)
            if now is not None:
                way = self._form(part)
                value = way.read(now[0] if part == "position" else now[1])[k]
                reading.show_text(
                    format_value(value, way.dimensions[k], self._studio.preferences.units, 4)
                )
        _, quaternion = self._drawn() if now is None else now
        sentence = lock_sentence(self._built_for["attitude"], quaternion)
        self._lock.setText(tr(sentence) if sentence else "")
        self._lock.setVisible(bool(sentence))

    def _now(self) -> Pose | None:
        """(position, quaternion) at the time cursor; without a recording where the joints hold the
        body, None where that is as drawn.
        """
        sample, recording, studio = (
            self._studio.runs.sample,
            self._studio.runs.recording,
            self._studio,
        )
        if sample is None:
            body = studio.display.project.mechanism.bodies[self._body]
            return (
                None
                if body is studio.document.project.mechanism.bodies[self._body]
                else body.placement.pose
            )
        if recording is None or self._body not in recording.layout.bodies:
            return None
        x, y, z, a, b, c, d = sample[recording.layout.pose(self._body)].tolist()
        return (x, y, z), (a, b, c, d)


def default_forms() -> dict[str, str]:
    """The forms that a new inspector starts with."""
    return {"position": "cylindrical", "attitude": "ZYX"}
