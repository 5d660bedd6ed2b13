"""Inspector lines of a joint: its type, its coordinates, limits and curve."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6 import QtWidgets

from mechstudio.model import fields
from mechstudio.model.edits import elements, insertion
from mechstudio.model.edits.links import set_joint_type
from mechstudio.model.geometry.curve_forms import CURVE_FORMS, DRAWN_FORMS
from mechstudio.model.mechanism import (
    Curve,
    Joint,
)
from mechstudio.model.types.joints import JOINT_TYPES, icon_of
from mechstudio.translation import comma, tr
from mechstudio.view.inspector.elements.choices import (
    change,
    choice,
    current,
)
from mechstudio.view.inspector.elements.coordinate import CoordinateLine
from mechstudio.view.inspector.runs.events import EventList
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.form import Form
from mechstudio.view.widgets.widgets import IconButton, Segment, label, row, wrapped

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector


def joint_lines(page: Inspector, form: Form) -> None:
    """Its type."""
    leaf = page.leaf

    def chosen(type: str) -> None:
        name = page.studio.document.name(leaf.id)
        change(
            page,
            tr("Type of {name} {type}", name=name, type=tr(JOINT_TYPES[type].label).lower()),
            lambda p: set_joint_type(p, leaf.id, type),
        )

    types = choice(
        page,
        tr("Type"),
        lambda: [(k, tr(kind.label), icon_of(k)) for k, kind in JOINT_TYPES.items()],
        lambda: current(page, leaf.id).type,
        chosen,
    )
    types.setToolTip(
        tr(
            "While placing a joint: {keys}",
            keys=comma().join(
                f"{kind.key.upper()} {tr(kind.label).lower()}"
                for kind in JOINT_TYPES.values()
                if kind.key
            ),
        )
    )
    form.add(tr("Type"), types)


def coordinate_lines(page: Inspector, form: Form, joint: Joint) -> Iterator[None]:
    """A line per coordinate that can be typed and dragged, one at every step."""
    for k, coordinate in enumerate(JOINT_TYPES[joint.type].coordinates):
        line = CoordinateLine(page, k)
        page.on_time.append(line.refresh)
        page.leaf.arrivals.append(line.arrive)
        form.add(tr(coordinate.name).capitalize(), line)
        yield


def limits(page: Inspector) -> QtWidgets.QWidget:
    """Stops of each coordinate: two numbers, how it rebounds or gives, and a button that takes them
    away or adds them.
    """
    leaf = page.leaf
    joint = current(page, leaf.id)
    kind, studio = JOINT_TYPES[joint.type], page.studio
    body = QtWidgets.QWidget()
    box = QtWidgets.QVBoxLayout(body)
    box.setContentsMargins(14, 0, 0, 4)
    box.setSpacing(6)
    shown = fields.fields(joint, leaf.id, studio.document.project.mechanism)
    for c, coordinate in enumerate(kind.coordinates):
        at = next((k for k, limit in enumerate(joint.limits) if limit.coordinate == c), None)
        name = tr(coordinate.name).capitalize()
        if at is None:
            button = QtWidgets.QPushButton(tr("Add stops of {name}", name=tr(coordinate.name)))
            button.setObjectName("line")
            button.setIcon(page.theme.icon("plus", "text2", 14))
            button.clicked.connect(
                lambda _=False, c=c, name=name: change(
                    page,
                    tr("Add stops to {id}", id=studio.document.name(leaf.id)),
                    lambda p: insertion.add_limit(p, leaf.id, c),
                )
            )
            box.addWidget(button)
            continue
        remove = IconButton(
            page.theme,
            "minus",
            tr("Remove these stops"),
            24,
            15,
            clicked=lambda c=c: change(
                page,
                tr("Remove stops of {id}", id=studio.document.name(leaf.id)),
                lambda p: insertion.remove_limit(p, leaf.id, c),
            ),
        )
        box.addWidget(row(label(name, "two"), None, remove))
        form = Form(page.theme)
        for field in shown:
            # a soft stop has no rebound of its own: the spring gives it back; a hard one damps
            # nothing
            if field.path[:2] == ("limits", at) and field.path[2] not in (
                ("restitution",) if joint.limits[at].stiffness is not None else ("damping",)
            ):
                page.add_number(form, leaf.id, field)
        box.addWidget(form)
    if joint.limits:
        impacted = EventList(page, leaf.id)
        impacted.box.setContentsMargins(0, 0, 0, 0)
        page.on_time.append(impacted.refresh)
        box.addWidget(label(tr("Struck in the run"), "two"))
        box.addWidget(impacted)
    return body


def curve(page: Inspector, id: str) -> QtWidgets.QWidget:
    """Form, ends and points of a joint's curve."""
    joint, studio = current(page, id), page.studio
    body = QtWidgets.QWidget()
    box = QtWidgets.QVBoxLayout(body)
    box.setContentsMargins(8, 0, 0, 4)
    box.setSpacing(6)
    form = Form(page.theme)
    form.add(tr("Form"), _curve_form(page, id))
    kind = CURVE_FORMS[joint.curve.form]
    if kind.closed is None:
        form.add(tr("Ends"), _curve_ends(page, id))
    shown = [
        f
        for f in fields.fields(joint, id, studio.document.project.mechanism)
        if f.path[0] == "curve"
    ]
    for _ in range(1 + kind.fillets):
        page.add_number(form, id, shown.pop(0))
    box.addWidget(form)
    note = wrapped(
        tr(
            "In the axes of the frame on {body}",
            body=studio.document.project.mechanism.body(joint.frame_a.body).name,
        ),
        "three",
    )
    box.addWidget(note)
    grid = QtWidgets.QGridLayout()
    grid.setHorizontalSpacing(2)
    grid.setVerticalSpacing(4)
    for k in range(len(shown) // 3):
        for c in range(3):
            page.add_to_grid(grid, id, shown[3 * k + c], k, c)
        for c, icon, tip, edit_ in (
            ()
            if kind.count
            else (
                (3, "plus", tr("Add a point after this one"), insertion.add_curve_point),
                (4, "minus", tr("Remove this point"), insertion.remove_curve_point),
            )
        ):
            button = IconButton(
                page.theme,
                icon,
                tip,
                16,
                11,
                clicked=lambda edit_=edit_, k=k, icon=icon: change(
                    page,
                    tr(
                        "{word} the curve of {id}",
                        word=tr("Add a point to") if icon == "plus" else tr("Remove a point of"),
                        id=studio.document.name(id),
                    ),
                    lambda p: edit_(p, id, k),
                ),
            )
            grid.addWidget(button, k, c)
    box.addLayout(grid)
    return body


def _curve_form(page: Inspector, id: str) -> Choice:
    return choice(
        page,
        tr("Form"),
        lambda: [(key, tr(kind.label), "") for key, kind in DRAWN_FORMS.items()],
        lambda: _curve_of(page, id).form,
        lambda key: change(
            page,
            tr(
                "Curve of {id}: {form}",
                id=page.studio.document.name(id),
                form=tr(CURVE_FORMS[key].words),
            ),
            lambda p: insertion.set_curve_form(p, id, key),
        ),
    )


def _curve_ends(page: Inspector, id: str) -> Segment:
    words = {"closed": tr("Closed"), "open": tr("Open")}
    segment = Segment(page.theme, tuple(words.items()), "tight", 26)
    refresh = lambda: segment.choose("closed" if _curve_of(page, id).closed else "open")

    def chosen(key: str) -> None:
        drawn = elements.replace(_curve_of(page, id), closed=key == "closed")
        change(
            page,
            tr("Curve of {id} {yes}", id=page.studio.document.name(id), yes=words[key].lower()),
            lambda p: elements.set_attribute(p, id, curve=drawn),
        )

    segment.chosen.connect(chosen)
    page.refreshers.append(refresh)
    refresh()
    return segment


def _curve_of(page: Inspector, id: str) -> Curve:
    return current(page, id).curve or Curve(())
