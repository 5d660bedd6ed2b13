"""Inspector lines of a gauge: its elements, its present reading, and its number where that can be
typed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6 import QtWidgets

from mechstudio.application.actions.gauges import gauge_parameter, value_shown
from mechstudio.model.edits.gauges.driving import driver, reason
from mechstudio.model.project import Feature, Gauge, Project
from mechstudio.model.results.clearance import bound_note
from mechstudio.model.types.gauges import BODY, FEATURES, GAUGE_TYPES
from mechstudio.model.units import format_value
from mechstudio.translation import tr
from mechstudio.view.inspector.elements.choices import switch
from mechstudio.view.widgets.fields.gauge_field import GaugeField
from mechstudio.view.widgets.form import Form, Reading
from mechstudio.view.widgets.widgets import label, row, wrapped

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector


def gauge_lines(page: Inspector, form: Form, id: str, gauge: Gauge) -> None:
    """The lines under the name."""
    studio, theme = page.studio, page.theme
    project = studio.document.project
    form.add(tr("Type"), label(tr(GAUGE_TYPES[gauge.type].label)))
    between = " – ".join(_words(project, end) for end in gauge.ends)
    form.add(tr("Between") if len(gauge.ends) > 1 else tr("Of"), label(between))
    drives = driver(project, gauge) is not None
    if drives:
        field = GaugeField(theme, studio, id)
        page.refreshers.append(field.refresh)
        form.add(tr("Drives"), field)
    now = Reading(theme)
    form.add(tr("Now"), now)

    def show() -> None:
        there = studio.document.project.gauges.get(page.leaf.id)
        value = None if there is None else value_shown(studio, page.leaf.id)
        dimension = GAUGE_TYPES[gauge.type].dimension
        units = studio.preferences.units
        least = "≥ " if bound_note(studio.document.project.mechanism, gauge) else ""
        now.show_text(
            "–" if value is None else f"{least}{format_value(value, dimension, units, 5)}"
        )

    page.on_time.append(show)
    show()
    if note := bound_note(project.mechanism, gauge):
        form.wide(wrapped(note, "three"))
    if not drives:
        form.wide(wrapped(reason(project, gauge), "three"))
    steps = ("Show", "Hide")
    form.add(tr("Visible"), switch(page, id, "visible", tr("On"), tr("Off"), steps=steps))
    button = QtWidgets.QPushButton(tr("Make a parameter"))
    button.setObjectName("value")
    theme.fit(button, height=26)
    button.setToolTip(tr("Name this number, with a slider, so that formulas can read it"))
    button.clicked.connect(lambda: gauge_parameter(studio))
    form.wide(row(button, None))


def _words(project: Project, end: Feature) -> str:
    """A feature in words."""
    m = project.mechanism
    kind = tr(FEATURES[end.kind])
    if end.joint:
        return tr("{kind} {name}", kind=kind, name=m.joints[end.joint].name)
    assert end.frame is not None, "a feature has a frame or a joint"
    body = m.body(end.frame.body).name
    if end.kind == BODY:
        return body
    return tr("{kind} of {body}", kind=end.frame.point or kind, body=body)
