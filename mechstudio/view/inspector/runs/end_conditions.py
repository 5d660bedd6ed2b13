"""End conditions of a run in the inspector: for each the quantity, the direction in which it
passes, the value, and a button that removes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6 import QtWidgets

from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.element_fields.project import settings_fields
from mechstudio.model.end_conditions import DIRECTIONS
from mechstudio.model.project import EndCondition
from mechstudio.model.results.channels import channels
from mechstudio.translation import Words, tr
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.form import Form
from mechstudio.view.widgets.widgets import IconButton, label, row

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector

TITLE: Words = "Ends when"


def add_to(page: Inspector, column: QtWidgets.QVBoxLayout) -> None:
    """The list with its heading."""
    column.addWidget(label(tr(TITLE), "title"))
    shown = {
        f.path: f
        for f in settings_fields(
            page.studio.document.project.settings, page.studio.document.project.mechanism
        )
    }
    for k in range(len(_until(page))):
        column.addWidget(_condition(page, k, shown.get(("until", k, "value"))))
    add = QtWidgets.QPushButton(tr("Add condition"))
    add.setObjectName("value")
    add.setIcon(page.theme.icon("plus", "text2", 15))
    page.theme.fit(add, height=26)
    add.setToolTip(tr("The run ends at the instant at which a quantity passes a value"))
    add.clicked.connect(lambda: _add(page))
    column.addWidget(add)


def _until(page: Inspector) -> tuple[EndCondition, ...]:
    return page.studio.document.project.settings.until


def _commit(page: Inspector, what: str, until: tuple[EndCondition, ...]) -> None:
    document = page.studio.document
    document.commit(what, elements.set_attribute(document.project, fields.SETTINGS, until=until))


def _add(page: Inspector) -> None:
    # the first of a joint, which is what there mostly is to wait for
    first = next(iter(channels(page.studio.document.project.mechanism)))
    _commit(page, tr("Add condition that ends the run"), (*_until(page), EndCondition(first)))


def _change(page: Inspector, k: int, what: str, **changes) -> None:
    until = _until(page)
    _commit(page, what, (*until[:k], replace(until[k], **changes), *until[k + 1 :]))


def _condition(page: Inspector, k: int, field: fields.Field | None) -> QtWidgets.QWidget:
    known = lambda: channels(page.studio.document.project.mechanism)
    # an undo may take the condition away under the pointer
    now = lambda name: getattr(_until(page)[k], name) if k < len(_until(page)) else ""

    def channel_chosen(key: str) -> None:
        same = (
            known()[key].dimension == known()[now("channel")].dimension
            if now("channel") in known()
            else False
        )
        _change(
            page,
            k,
            tr("End the run by {known}", known=tr(known()[key].label)),
            channel=key,
            **({} if same else {"value": EndCondition("").value}),
        )

    quantity = Choice(
        page.theme,
        tr("Quantity that ends the run"),
        lambda: [(key, channel.label, "") for key, channel in known().items()],
        lambda: now("channel"),
        channel_chosen,
    )
    remove = IconButton(
        page.theme,
        "minus",
        tr("Take this condition away"),
        26,
        15,
        clicked=lambda: _commit(
            page,
            tr("Take away a condition that ends the run"),
            (*_until(page)[:k], *_until(page)[k + 1 :]),
        ),
    )
    way = Choice(
        page.theme,
        tr("How it passes"),
        lambda: [(key, tr(word), "") for key, word in DIRECTIONS.items()],
        lambda: now("direction"),
        lambda key: _change(
            page, k, tr("End the run when it {direction}", direction=DIRECTIONS[key]), direction=key
        ),
    )
    page.refreshers.extend((quantity.refresh, way.refresh))
    head = row(quantity, remove, gap=4)
    head.box.setStretch(0, 1)
    form = Form(page.theme, (0, 0, 0, 4))
    form.add(tr("Quantity"), head)
    form.add(tr("Passing"), way)
    if field is not None:
        page.add_number(form, fields.SETTINGS, field)
    return form
