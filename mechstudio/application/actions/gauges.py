"""Actions on gauges: measure, and make a parameter of the measured value."""

from mechstudio.application.actions.insert import holds, take_tool
from mechstudio.application.actions.registry import action
from mechstudio.application.marks.gauges import shown_poses
from mechstudio.application.notifications import Message
from mechstudio.application.studio import Studio
from mechstudio.curves.gauges.reading import reading
from mechstudio.model.edits.gauges import gauges
from mechstudio.model.edits.gauges.driving import driver, reason
from mechstudio.model.edits.gauges.driving import with_value as with_typed
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.project import Project
from mechstudio.model.types.gauges import GAUGE_TYPES
from mechstudio.model.units import unit
from mechstudio.translation import tr

KEY = "gauge"  # of messages


@action(
    "Measure",
    "Tools",
    "R",
    icon="tool_measure",
    words="gauge dimension distance angle radius diameter length gap clearance between ruler",
    checked=holds("measure"),
)
def measure(studio: Studio) -> None:
    """Measure between two things in the scene: click both."""
    take_tool(studio, "measure")


def needs_gauge(studio: Studio) -> str:
    """Refusal of an action without a gauge selected, "" where there is one."""
    there = studio.selection.current in studio.document.project.gauges
    return "" if there else tr("Select a gauge first")


@action(
    "Make a parameter of the gauge",
    "Tools",
    words="measure name slider formula driving dimension",
    unless=needs_gauge,
    context=24,
)
def gauge_parameter(studio: Studio) -> None:
    """Name the number of the selected gauge as a parameter, with a slider."""
    id = studio.selection.current
    gauge = studio.document.project.gauges[id]
    value = value_shown(studio, id)
    if value is None:
        text = tr("{name} reads nothing: its body has no solid to measure.", name=gauge.name)
        studio.notifications.say(Message("info", text, KEY))
        return
    drives = driver(studio.document.project, gauge)
    label = tr("Parameter {name} of the gauge", name=gauge.name)
    if not _change(studio, label, lambda p: gauges.with_parameter(p, id, value)):
        return
    if drives is None or not drives.path:
        text = tr(
            "{name} is a parameter with the value as shown now. It does not follow the gauge, "
            "since the gauge follows the motion.",
            name=gauge.name,
        )
        studio.notifications.say(Message("info", text, KEY))


def value_shown(studio: Studio, id: str) -> float | None:
    """Reading of a gauge at the poses that are shown [SI]; None while it is not known."""
    display = studio.display
    gauge = studio.document.project.gauges[id]
    found = reading(display.project.mechanism, gauge, shown_poses(display))
    return None if found is None else float(found.values[0])


def type_value(
    studio: Studio, id: str, text: str, project: Project | None = None, label: str = ""
) -> str:
    """Type another number for a gauge that drives it, as one undo step; the reason in words where
    it cannot be, "" if it was.  project: that it is typed into, None for the document's; label: of
    the step, "" for the usual one.
    """
    project = project or studio.document.project
    gauge = project.gauges[id]
    symbol = unit(GAUGE_TYPES[gauge.type].dimension, studio.preferences.units).symbol
    label = label or tr("{name} = {text}", name=gauge.name, text=text)
    try:
        studio.document.commit(label, with_typed(project, id, text, symbol))
    except ExpressionError as error:
        return str(error)
    return ""


def explain(studio: Studio, id: str) -> None:
    """Say why the number of a gauge cannot be typed."""
    project = studio.document.project
    why = reason(project, project.gauges[id])
    studio.notifications.say(Message("info", why, KEY))


def _change(studio: Studio, label: str, edit) -> bool:
    """Commit an edit, or say in words why it cannot be."""
    try:
        project: Project = edit(studio.document.project)
    except ExpressionError as error:
        studio.notifications.say(Message("warning", str(error), KEY))
        return False
    studio.notifications.withdraw(KEY)
    studio.document.commit(label, project)
    return True
