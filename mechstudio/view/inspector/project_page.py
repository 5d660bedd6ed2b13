"""The inspector's page while nothing is selected: the project's lesson, its run and gravity, and
what has struck its stops.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtWidgets

from mechstudio.model import fields
from mechstudio.model.project import Lesson
from mechstudio.translation import tr, trn
from mechstudio.view.inspector.contacts import contacts_page
from mechstudio.view.inspector.runs import end_conditions
from mechstudio.view.inspector.runs import settings as run_settings
from mechstudio.view.inspector.runs.events import EventList
from mechstudio.view.widgets.form import Form
from mechstudio.view.widgets.widgets import label, row, wrapped

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector

Qt = QtCore.Qt


def lines(page: Inspector, column: QtWidgets.QVBoxLayout) -> Iterator[None]:
    """Lesson, run settings and gravity, some lines at every step."""
    lesson, steps = page.studio.document.project.lesson, page.studio.lecture.steps
    if lesson != Lesson() or steps:
        column.addWidget(_lesson(page, lesson, len(steps)))
        column.addSpacing(8)
    for title, id in ((tr("Run"), fields.SETTINGS), (tr("Gravity"), fields.GRAVITY)):
        column.addWidget(label(title, "title"))
        form = Form(page.theme)
        for field in fields.fields(fields.find(page.studio.document.project, id), id):
            if field.path[0] != "contacts" and (
                id != fields.SETTINGS
                or run_settings.applies(page.studio.document.project.settings, field)
            ):
                page.add_number(form, id, field)
                yield
        if id == fields.SETTINGS:
            (begin,) = fields.fields(None, fields.START)
            page.add_number(form, fields.START, begin)
            yield from run_settings.choices(page, form)
        column.addWidget(form)
        column.addSpacing(8)
        if id == fields.SETTINGS:
            if page.studio.contact.is_on:
                column.addWidget(contacts_page.settings_section(page))
            end_conditions.add_to(page, column)
            column.addSpacing(8)
            yield
    m = page.studio.document.project.mechanism
    if m.contacts.enabled or any(joint.limits for joint in m.joints.values()):
        column.addWidget(
            label(tr("Impacts") if m.contacts.enabled else tr("Stops struck"), "title")
        )
        impacted = EventList(page)
        impacted.box.setContentsMargins(0, 0, 0, 0)
        page.on_time.append(impacted.refresh)
        column.addWidget(impacted)


def _lesson(page: Inspector, lesson: Lesson, steps: int) -> QtWidgets.QWidget:
    """Card of the lesson, with a button that begins it where it has steps."""
    parts: list[QtWidgets.QWidget] = [wrapped(lesson.title, "title")] if lesson.title else []
    if lesson.text:
        parts.append(wrapped(lesson.text, "two"))
    for k, question in enumerate(lesson.questions, 1):
        number = label(f"{k}", "three")
        number.setAlignment(Qt.AlignmentFlag.AlignTop)
        line = row(number, wrapped(question), gap=8)
        line.box.setStretch(1, 1)
        parts.append(line)
    if steps:
        begin = QtWidgets.QPushButton(
            trn("Begin the lesson, 1 step", "Begin the lesson, {count} steps", steps)
        )
        begin.setObjectName("decide")
        begin.setToolTip(tr("Page Down goes on, F5 shows it to a class"))
        begin.clicked.connect(lambda _=False: page.studio.lecture.go(0))
        parts.append(row(begin, None))
    return row(*parts, vertical=True, margins=(12, 10, 12, 12), name="card", gap=8)
