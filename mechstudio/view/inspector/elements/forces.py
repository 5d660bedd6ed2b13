"""Inspector lines of a force: its coordinate and axes, and numbers that follow a law."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6 import QtWidgets

from mechstudio.application.actions.edits import laws as laws_actions
from mechstudio.model import fields
from mechstudio.model.mechanism import (
    Force,
)
from mechstudio.model.types.forces import BODY, FORCE_TYPES, TWO_POINTS
from mechstudio.translation import tr
from mechstudio.view.inspector.elements.choices import (
    switch,
)
from mechstudio.view.inspector.elements.springs import spring_lines
from mechstudio.view.inspector.laws.editor import LawEditor
from mechstudio.view.widgets.form import Form
from mechstudio.view.widgets.widgets import IconButton, label, row

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector


def first_force_lines(page: Inspector, form: Form, id: str, force: Force) -> None:
    """Its coordinate, axes or length, as its attachment has them."""
    attachment = FORCE_TYPES[force.type].attachment
    if attachment == BODY:
        form.add(tr("Axes"), switch(page, id, "axes", tr("World"), tr("Body"), ("world", "body")))
    elif attachment == TWO_POINTS:
        spring_lines(page, form, id)


def force_lines(
    page: Inspector, form: Form, id: str, force: Force, shown: tuple[fields.Field, ...]
) -> None:
    """A force's numbers in their order; one that follows a law has the law in its place.  shown:
    all fields of the force.
    """
    for kind in FORCE_TYPES[force.type].parameters:
        if kind.name in force.laws and not kind.group:
            form.add(
                tr(kind.label),
                row(label(tr("follows a law"), "three"), None, follow(page, id, kind.name, True)),
            )
            form.wide(
                LawEditor(
                    page,
                    id,
                    ("laws", kind.name),
                    [f for f in shown if f.path[:2] == ("laws", kind.name)],
                )
            )
        else:
            for field in shown:
                if field.path == ("parameters", kind.name) and not field.group:
                    page.add_number(form, id, field)


def beside_number(page: Inspector, id: str, field: fields.Field) -> QtWidgets.QWidget | None:
    """A button beside a force's number that lets it follow a law."""
    element = fields.find(page.studio.document.project, id)
    if not isinstance(element, Force) or field.path[0] != "parameters":
        return None
    return follow(page, id, str(field.path[1]), False)


def follow(page: Inspector, id: str, parameter: str, on: bool) -> IconButton:
    """Button that lets a number follow a law, or takes that back."""
    tip = tr("Back to a constant number") if on else tr("Let it follow a law of time or motion")
    button = IconButton(
        page.theme,
        "function",
        tip,
        24,
        15,
        checkable=True,
        clicked=lambda: laws_actions.follow(page.studio, id, parameter),
    )
    button.setChecked(on)
    button.setObjectName(f"follow_{parameter}")
    return button
