"""Inspector lines of one element beside its plain numbers, by its class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6 import QtWidgets

from mechstudio.model import fields
from mechstudio.model.mechanism import (
    Coupling,
    Drive,
    Force,
    Joint,
)
from mechstudio.model.project import Gauge, Picture
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import tr
from mechstudio.view.inspector.elements.couplings import coupling_lines
from mechstudio.view.inspector.elements.drives import drive_lines
from mechstudio.view.inspector.elements.forces import first_force_lines, follow
from mechstudio.view.inspector.elements.gauges import gauge_lines
from mechstudio.view.inspector.elements.joints import curve, joint_lines, limits
from mechstudio.view.inspector.elements.pictures import picture_lines
from mechstudio.view.inspector.laws.editor import LawEditor
from mechstudio.view.widgets.form import Form, Section
from mechstudio.view.widgets.widgets import label, row

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector


# the first key of paths whose fields have an editor of their own
OWN = ("law", "laws", "limits", "curve", "points", "until", "surface", "contacts")


def structure(element: object) -> tuple:
    """Features of an element that change the lines of its page, beside its fields."""
    laws = (
        tuple((name, law.type) for name, law in element.laws.items())
        if isinstance(element, Force)
        else ()
    )
    law = getattr(element, "law", None)
    return (
        laws,
        law.type if law is not None else "",
        tuple(x.coordinate for x in getattr(element, "limits", ())),
        element.curve.form if isinstance(element, Joint) and element.curve is not None else "",
    )


def first_lines(page: Inspector, form: Form, id: str, element: object) -> None:
    """The lines under the name."""
    if isinstance(element, Joint):
        joint_lines(page, form)
    elif isinstance(element, Coupling):
        coupling_lines(page, form, id, element)
    elif isinstance(element, Drive):
        drive_lines(page, form, id)
    elif isinstance(element, Picture):
        picture_lines(page, form, id)
    elif isinstance(element, Gauge):
        gauge_lines(page, form, id, element)
    elif isinstance(element, Force):
        first_force_lines(page, form, id, element)


def further(
    page: Inspector,
    column: QtWidgets.QVBoxLayout,
    form: Form,
    id: str,
    element: object,
    shown: tuple[fields.Field, ...],
) -> None:
    """Add what stands below the first lines, which are in `form`."""
    of = lambda *head: [f for f in shown if f.path[: len(head)] == head]
    if isinstance(element, Drive) or (isinstance(element, Coupling) and element.law is not None):
        column.addWidget(LawEditor(page, id, ("law",), of("law"), form))
    elif isinstance(element, Force):
        for kind in FORCE_TYPES[element.type].parameters:
            # of the others the law stands where the number stood
            if kind.name in element.laws and kind.group:
                column.addWidget(
                    row(label(tr(kind.label), "two"), None, follow(page, id, kind.name, True))
                )
                column.addWidget(LawEditor(page, id, ("laws", kind.name), of("laws", kind.name)))
    elif isinstance(element, Joint):
        if JOINT_TYPES[element.type].coordinates:
            column.addWidget(Section(page.theme, tr("Limits"), lambda: limits(page), page.opened))
        if element.curve is not None:
            column.addWidget(Section(page.theme, tr("Curve"), lambda: curve(page, id), page.opened))
