"""Inspector lines of a body's named points and frames: names, places, axes, and buttons that add
and remove them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6 import QtCore, QtWidgets

from mechstudio.application.plots.choice import usual_of_point
from mechstudio.model import fields
from mechstudio.model.edits.bodies import points
from mechstudio.model.mechanism import Body, NamedPoint
from mechstudio.translation import tr
from mechstudio.view.widgets.channel_drag import Carrier
from mechstudio.view.widgets.form import Form, Section, Text
from mechstudio.view.widgets.widgets import IconButton, Picture, row

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector


def point_section(page: Inspector, shown: tuple[fields.Field, ...]) -> Section:
    """The named points of a body, open as long as it has one."""
    section, has = (
        Section(page.theme, tr("Points and frames"), lambda: _rows(page, shown), page.opened),
        bool(_body(page, page.leaf.id).points),
    )

    def arrive() -> None:
        if has and not section.is_open:
            section.set_open(True)

    page.leaf.arrivals.append(arrive)
    arrive()
    return section


def _body(page: Inspector, id: str) -> Body:
    return page.studio.document.project.mechanism.body(id)


def _rows(page: Inspector, shown: tuple[fields.Field, ...]) -> QtWidgets.QWidget:
    box = row(vertical=True, margins=(14, 0, 0, 4), gap=6)
    for k, point in enumerate(_body(page, page.leaf.id).points):
        box.box.addWidget(_head(page, k, point))
        form = Form(page.theme)
        for field in shown:
            if field.path[:2] == ("points", k):
                page.add_number(form, page.leaf.id, field)
        box.box.addWidget(form)
    add = QtWidgets.QPushButton(tr("Add point"))
    add.setObjectName("value")
    add.setIcon(page.theme.icon("plus", "text2", 15))
    page.theme.fit(add, height=26)
    add.setToolTip(tr("Click its place in the view (P)"))
    add.clicked.connect(lambda: page.studio.tools.take("point"))
    box.box.addWidget(add)
    return box


def _plotted(page: Inspector, point: NamedPoint) -> tuple[QtWidgets.QWidget, ...]:
    """A sign that is dragged to a pane of the plots; none where nothing of the point is plotted."""
    project, id = page.studio.document.project, page.leaf.id
    if not usual_of_point(project, id, point.name):
        return ()
    sign = Picture(page.theme, "function", "text3", 15)
    sign.setToolTip(tr("Drag to a pane: plots the speed of {point}", point=point.name))
    sign.setCursor(QtCore.Qt.CursorShape.OpenHandCursor)

    def carried(place: object) -> tuple[tuple[str, ...], str]:
        # the page serves other bodies of its kind
        project, id = page.studio.document.project, page.leaf.id
        keys = usual_of_point(project, id, point.name) if id in project.mechanism.bodies else ()
        return keys, f"{page.studio.document.name(id)}.{point.name}"

    Carrier(sign, carried)  # a child of the sign
    return (sign,)


def _head(page: Inspector, k: int, point: NamedPoint) -> QtWidgets.QWidget:
    """Name, whether it has axes, and a button that takes it away."""
    studio, leaf = page.studio, page.leaf

    def read() -> str:
        known = _body(page, leaf.id).points if leaf.id in studio.document.known() else ()
        return known[k].name if k < len(known) else ""

    def change(label: str, edit) -> None:
        if reason := studio.document.change(label, edit):
            page.refuse(reason)

    name = Text(
        page.theme,
        read,
        lambda text: change(
            tr("Rename {point} to {text}", point=point.name, text=text),
            lambda p: points.rename_point(p, leaf.id, point.name, text),
        ),
    )
    name.edit.setAccessibleName(tr("Name of point"))
    page.refreshers.append(name.refresh)
    framed = point.orientation is not None
    turn = (
        (lambda p: points.set_frame(p, leaf.id, point.name, None))
        if framed
        else (lambda p: points.set_frame(p, leaf.id, point.name, (1.0, 0.0, 0.0, 0.0)))
    )
    axes = IconButton(
        page.theme,
        "tool_point",
        tr("Without axes") if framed else tr("With axes: a frame"),
        26,
        15,
        checkable=True,
        clicked=lambda: change(
            f"{point.name} {tr('without axes') if framed else tr('with axes')}", turn
        ),
    )
    axes.setChecked(framed)
    remove = IconButton(
        page.theme,
        "minus",
        tr("Remove this point; what stands on it stays in place"),
        26,
        15,
        clicked=lambda: change(
            tr("Remove {point} of {id}", point=point.name, id=studio.document.name(leaf.id)),
            lambda p: points.remove_point(p, leaf.id, point.name),
        ),
    )
    line = row(*_plotted(page, point), name, axes, remove, gap=4)
    line.box.setStretchFactor(name, 1)
    return line
