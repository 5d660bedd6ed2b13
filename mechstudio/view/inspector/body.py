"""The inspector's part for a body: its shapes, and its mass in principal axes, with the reason
where its inertia is impossible.
"""

import math

from PySide6 import QtCore, QtWidgets

from mechstudio.application.actions.edits import body as shapes
from mechstudio.application.help import topics
from mechstudio.application.help.pages import Topic
from mechstudio.application.studio import Studio
from mechstudio.model.edits import elements
from mechstudio.model.mass_properties import (
    AXIS_NAMES,
    MassProperties,
    impossible_inertia,
    mass_properties,
    principal_axes,
)
from mechstudio.model.mechanism import GROUND, Body, Shape
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.model.units import format_number, format_value, unit
from mechstudio.translation import Words, series, tr
from mechstudio.view.dialogs.mesh_import import choose_mesh
from mechstudio.view.inspector.pages import Leaf
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.form import Form, Reading, Section
from mechstudio.view.widgets.widgets import Elided, IconButton, RowFrame, column, row, wrapped

Qt = QtCore.Qt
MATERIALS: tuple[tuple[str, Words], ...] = (
    ("paint", "Painted"),
    ("steel", "Steel"),
    ("cast", "Cast iron"),
)
UNKNOWN = "–"


def _material(key: str) -> str:
    """Shown name of a material; its key where it is unknown."""
    known = dict(MATERIALS)
    return tr(known[key]) if key in known else key


class ShapeLine(RowFrame):
    """The line of one shape; it knows what the manual says about its type."""

    def __init__(self, type: str, *parts: QtWidgets.QWidget) -> None:
        super().__init__(QtWidgets.QHBoxLayout())
        self.setObjectName("row")
        self._type = type
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.setSpacing(4)
        for k, part in enumerate(parts):
            self.box.addWidget(part, 0 if k else 1)

    def help_topic(self) -> Topic:
        """The topic of the shape's type."""
        return topics.of_row(SHAPE_TYPES, self._type)


class BodyPart(QtWidgets.QWidget):
    """`refresh` follows the edits of the body whose page it stands on."""

    def __init__(self, theme: Theme, studio: Studio, leaf: Leaf, opened: set[str]) -> None:
        """opened: folds that are open, see Fold."""
        super().__init__()
        self._theme, self._studio, self._leaf = theme, studio, leaf
        self._materials: list[QtWidgets.QPushButton] = []
        self._readings: dict[str, Reading] = {}
        box = column(self, 6)
        self.reason = wrapped("", "wrong")
        box.addWidget(self.reason)
        self.shapes = Section(theme, tr("Shapes"), self._shape_rows, opened)
        box.addWidget(self.shapes)
        if leaf.id != GROUND:
            self.principal = Section(theme, tr("Principal axes"), self._principal_rows, opened)
            box.addWidget(self.principal)
        self.refresh()

    @property
    def _id(self) -> str:
        return self._leaf.id

    def _body(self) -> Body:
        return self._studio.document.project.mechanism.body(self._id)

    def refresh(self) -> None:
        """Show the body as it is now."""
        body = self._body()
        for button, shape in zip(self._materials, body.shapes):
            button.setText(_material(shape.material))
        known = mass_properties(body) if body.id != GROUND else None
        reason = impossible_inertia(known.inertia) if known is not None and _finite(known) else ""
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))
        if known is not None and self._readings:
            for key, text in principal_words(known, self._studio.preferences.units).items():
                self._readings[key].show_text(text)
                self._readings[key].setToolTip(text)

    # shapes of the body

    def _shape_rows(self) -> QtWidgets.QWidget:
        page = row(vertical=True, margins=(14, 0, 0, 4), gap=4)
        for k, shape in enumerate(self._body().shapes):
            page.box.addWidget(self._shape_row(k, shape))
        add = QtWidgets.QPushButton(tr("Add shape"))
        add.setObjectName("value")
        add.setIcon(self._theme.icon("plus", "text2", 15))
        self._theme.fit(add, height=26)
        menu = QtWidgets.QMenu(add)
        for type, kind in SHAPE_TYPES.items():
            action = menu.addAction(tr(kind.label) + ("…" if kind.mesh else ""))
            action.setObjectName(type)
            action.triggered.connect(lambda _=False, type=type: self._add(type))
        add.setMenu(menu)
        page.box.addWidget(add)
        self.add = add
        return page

    def _shape_row(self, index: int, shape: Shape) -> QtWidgets.QWidget:
        name = Elided(
            f"{index + 1}  {tr(SHAPE_TYPES[shape.type].label)}"
            + (f" {shape.mesh.source}" if shape.mesh is not None else ""),
            "two",
        )
        material = QtWidgets.QPushButton()
        material.setObjectName("value")
        material.setAccessibleName(tr("Material"))
        self._theme.fit(material, height=26)
        menu = QtWidgets.QMenu(material)
        for key, word in MATERIALS:
            menu.addAction(tr(word)).triggered.connect(
                lambda _=False, key=key: self._paint(index, key)
            )
        material.setMenu(menu)
        self._materials.append(material)
        material.setText(_material(shape.material))
        remove = IconButton(
            self._theme,
            "minus",
            tr("Remove this shape"),
            26,
            15,
            clicked=lambda: shapes.take_shape(self._studio, self._id, index),
        )
        line = ShapeLine(shape.type, name, material, remove)
        return line

    def _add(self, type: str) -> None:
        if SHAPE_TYPES[type].mesh:
            choose_mesh(
                self._theme,
                self.window(),
                self._studio,
                lambda file: shapes.join_mesh(self._studio, self._id, file),
            )
        else:
            self._studio.tools.take("solid", type=type, onto=self._id)

    def _paint(self, index: int, material: str) -> None:
        body = self._body()
        row_ = tuple(
            elements.replace(s, material=material) if k == index else s
            for k, s in enumerate(body.shapes)
        )
        project = elements.put_element(
            self._studio.document.project, self._id, elements.replace(body, shapes=row_)
        )
        self._studio.document.commit(
            tr("Material of {body} {dict}", body=body.name, dict=dict(MATERIALS)[material].lower()),
            project,
        )

    # principal axes

    def _principal_rows(self) -> QtWidgets.QWidget:
        form = Form(self._theme, (14, 0, 0, 4))
        form.grid.setVerticalSpacing(3)
        self._readings = {}
        for key, name in (
            ("mass", tr("Mass")),
            ("center", tr("Centre")),
            *((f"moment {k}", tr("Moment {axis}", axis=k)) for k in AXIS_NAMES),
            *((f"axis {k}", tr("Axis {axis}", axis=k)) for k in AXIS_NAMES),
            ("angles", tr("Angles Z, Y, X")),
        ):
            self._readings[key] = reading = Reading(self._theme)
            form.add(name, reading)
        self.refresh()
        return form


def _finite(known: MassProperties) -> bool:
    return all(
        math.isfinite(c)
        for c in (known.mass, *known.center, *(c for line in known.inertia for c in line))
    )


def principal_words(known: MassProperties, units: str) -> dict[str, str]:
    """Texts of the section: mass, centre, moments I1 <= I2 <= I3, their axes as directions in body
    axes and as angles about Z, Y, X.

    Unknown is a dash; "any" stands where all directions, or all across another axis, are principal.
    """
    out = dict.fromkeys(
        (
            "mass",
            "center",
            *(f"{word} {k}" for word in ("moment", "axis") for k in AXIS_NAMES),
            "angles",
        ),
        UNKNOWN,
    )
    if not _finite(known) or known.mass <= 0:
        return out
    out["mass"] = format_value(known.mass, "mass", units, 4)
    length = unit("length", units)
    extent = max(map(abs, known.center))
    out["center"] = f"{_row(known.center, length.factor, 1e-9 * extent, 4)} {length.symbol}"
    principal = principal_axes(known.inertia)
    for k, name in enumerate(AXIS_NAMES):
        # a rounding below zero is a zero
        value = (
            principal.moments[k]
            if abs(principal.moments[k]) > 1e-12 * principal.moments[2]
            else 0.0
        )
        out[f"moment {name}"] = format_value(value, "inertia", units, 4)
        others = [n for n, free in zip(AXIS_NAMES, principal.free) if not free]
        out[f"axis {name}"] = (
            _row(principal.axes[k], 1.0, 1e-6, 3)
            if not principal.free[k]
            else tr("any across {axis}", axis=others[0])
            if others
            else tr("any")
        )
    if not any(principal.free):
        out["angles"] = (
            f"{_row(principal.angles, unit('angle', units).factor, 1e-9, 4)} "
            f"{unit('angle', units).symbol}"
        )
    return out


def _row(values: tuple[float, ...], factor: float, nothing: float, digits: int) -> str:
    """Three numbers; what is not above `nothing` is a zero."""
    return series(format_number(c / factor, digits) if abs(c) > nothing else "0" for c in values)
