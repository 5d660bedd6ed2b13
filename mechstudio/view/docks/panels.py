"""All panels, one function each.  What stands in them is imported when it is made, after the first
frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6 import QtWidgets

from mechstudio.application.help import topics
from mechstudio.application.help.pages import Topic
from mechstudio.application.plots.choice import usual
from mechstudio.model.types.analyses import ANALYSES
from mechstudio.translation import tr
from mechstudio.view.docks.registry import (
    BOTTOM,
    LEFT,
    PAGE,
    RIGHT,
    Content,
    Room,
    panel,
)
from mechstudio.view.widgets.channel_drag import Carrier
from mechstudio.view.widgets.scroll import Scroll
from mechstudio.view.widgets.widgets import Elided, IconButton, dot, label, row

if TYPE_CHECKING:
    from mechstudio.view.docks.dock import Dock
    from mechstudio.view.docks.docks import Docks


@panel(
    "Model",
    LEFT,
    when=lambda room: room.workspace != "explain",
    share=0.4,
    topic=Topic("drawing", "handles-selection-and-copies"),
)
def model(docks: Docks, dock: Dock) -> Content:
    """Tree of everything that was drawn."""
    from mechstudio.view.panels.hidden_note import HiddenNote
    from mechstudio.view.panels.model_tree import ModelTree

    docks.tree = ModelTree(docks.theme, docks.studio)
    note = HiddenNote(docks.theme, docks.studio)
    plus = IconButton(docks.theme, "plus", tr("Add to the model"), 26, 16)
    plus.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
    docks.additions = QtWidgets.QMenu(plus)
    plus.setMenu(docks.additions)
    return Content(row(docks.tree, note, vertical=True, margins=(6, 0, 4, 6)), (plus,))


@panel(
    "Runs",
    LEFT,
    lambda room: room.workspace == "analyse",
    0.6,
    "compare kept earlier",
    Topic("plots", "runs"),
)
def runs(docks: Docks, dock: Dock) -> Content:
    """Runs that are kept, to compare them."""
    from mechstudio.view.panels.runs import RunsPanel

    docks.runs, count = RunsPanel(docks.theme, docks.studio), label("", "three")
    docks.runs.counted.connect(count.setText)
    docks.runs.refresh()
    return Content(docks.runs, (count,))


@panel("Lesson", LEFT, lambda room: room.lesson, 0.6, topic=Topic("in-class", "lessons-by-steps"))
def lesson(docks: Docks, dock: Dock) -> Content:
    """Steps of the lesson, gone through or written."""
    from mechstudio.view.panels.lesson import LessonPanel

    body = docks.lesson = LessonPanel(
        docks.theme,
        docks.studio,
        lambda text, report: docks.equations.compare(text, report),
        lambda: docks.add_step(),
        lambda: docks.record_step(),
    )
    count = label("", "three")
    body.counted.connect(count.setText)
    write = IconButton(docks.theme, "label", tr("Write the lesson"), 26, 16, checkable=True)
    write.clicked.connect(body.write)
    docks.write_lesson = write
    body.refresh()
    return Content(body, (count, write))


@panel(
    "Your first mechanism",
    RIGHT,
    when=lambda room: room.first,
    topic=Topic("drawing", "a-four-bar-in-six-steps"),
)
def first(docks: Docks, dock: Dock) -> Content:
    """Tasks of the first drawing."""
    from mechstudio.view.start.first_card import FirstCard

    docks.first, count = FirstCard(docks.theme), label("", "three")
    docks.first.counted.connect(count.setText)
    return Content(Scroll(docks.first), (count,))


@panel("", RIGHT, when=lambda room: not room.beside, share=0.68, topic=Topic("elements"))
def inspector(docks: Docks, dock: Dock) -> Content:
    """Every number of the selection, whose name is its title."""
    from mechstudio.view.inspector.inspector import Inspector

    docks.inspector, kind, mark = Inspector(docks.theme, docks.studio), label("", "three"), label()
    mark.hide()
    dock.head.insertWidget(0, mark)

    def head(title: str, sort: str, color: str) -> None:
        dock.title.set_text(title)
        kind.setText(sort)
        mark.setVisible(bool(color))
        if color:
            mark.setPixmap(dot(color, docks.theme.dp(10), docks.theme.dp(16)))

    def carried(place: object) -> tuple[tuple[str, ...], str]:
        """Channels of the element whose name the head shows, and that name."""
        id, document = docks.studio.selection.current, docks.studio.document
        return (usual(document.project, id), document.name(id)) if id else ((), "")

    docks.head_carrier = Carrier(dock.title, carried)
    docks.inspector.title_changed.connect(head)
    docks.inspector.analysis_requested.connect(docks.ask_analysis)
    docks.inspector.refresh()

    def topic() -> Topic:
        """That of the selection."""
        return topics.of_element(docks.studio.document.project, docks.studio.selection.current)

    return Content(Scroll(docks.inspector), (kind,), topic)


@panel("Controls", RIGHT, when=lambda room: not room.first, topic=Topic("numbers", "sliders"))
def controls(docks: Docks, dock: Dock) -> Content:
    """Sliders of parameters."""
    from mechstudio.view.panels.controls import Controls

    docks.controls = Controls(docks.theme, docks.studio)
    docks.controls.counted.connect(docks.show_controls)

    plus = IconButton(docks.theme, "plus", tr("New slider…"), 26, 16)
    plus.clicked.connect(lambda _=False: docks.controls.offer_sliders(plus))
    return Content(Scroll(docks.controls), (plus,))


@panel(
    "Doctor",
    RIGHT,
    when=lambda room: not (room.first or room.beside),
    share=0.32,
    topic=Topic("theory", "4-structure-and-mobility"),
)
def doctor(docks: Docks, dock: Dock) -> Content:
    """Findings of the check of the drawing."""
    from mechstudio.view.panels.doctor import Doctor

    docks.doctor, count = Doctor(docks.theme, docks.studio), label("", "three")
    docks.doctor.counted.connect(count.setText)
    docks.doctor.refresh()
    return Content(Scroll(docks.doctor), (count,))


def _has_plots(room: Room) -> bool:
    return not (room.table and room.crowded)


@panel("Plots", BOTTOM, when=_has_plots, topic=Topic("plots"))
def plots(docks: Docks, dock: Dock) -> Content:
    """Panes of curves over time."""
    from mechstudio.view.plots.panel import PlotsPanel

    docks.plots_panel = PlotsPanel(docks.theme, docks.studio)
    dock.title.hide()
    dock.note.hide()
    return Content(docks.plots_panel, (docks.plots_panel.bar,))


@panel("Parameters", BOTTOM, when=lambda room: room.table, topic=Topic("numbers"))
def parameters(docks: Docks, dock: Dock) -> Content:
    """Table of parameters."""
    from mechstudio.view.panels.parameters import ParameterTable

    theme = docks.theme
    table, count = ParameterTable(theme, docks.studio), label("", "three")
    docks.parameters = table
    table.counted.connect(count.setText)
    table.use_chosen.connect(docks.show_field)
    close = lambda: docks.show_parameters(False)
    add = IconButton(theme, "plus", tr("New parameter"), 26, 16, clicked=table.add)
    shut = IconButton(theme, "close", tr("Close"), 26, 14, clicked=close)
    return Content(table, (count, add, shut))


@panel("Equations", PAGE, topic=Topic("equations"))
def equations(docks: Docks, dock: Dock) -> Content:
    """Equations of motion and lecture."""
    from mechstudio.view.equations.panel import EquationsPanel

    docks.equations = EquationsPanel(docks.theme, docks.studio)
    body = docks.equations
    body.help_requested.connect(lambda topic: docks.open_help(topic))
    return Content(body, (body.copy_button, body.export_button), body.help_topic)


@panel("Structure", PAGE, topic=Topic("theory", "4-structure-and-mobility"))
def structure(docks: Docks, dock: Dock) -> Content:
    """Balance of freedoms and constraints."""
    from mechstudio.view.panels.structure import StructurePanel

    docks.structure, chain = StructurePanel(docks.theme, docks.studio), Elided("", "small")
    docks.structure.noted.connect(chain.set_text)
    docks.structure.refresh()
    return Content(Scroll(docks.structure), (chain,))


@panel(
    "Analyses",
    PAGE,
    words=(
        "reactions torsors virtual power momenta energy relative inverse dynamics "
        "equilibria modes linearise loads sensitivity drift"
    ),
    topic=Topic("analyses"),
)
def analyses(docks: Docks, dock: Dock) -> Content:
    """Tables about the motion."""
    from mechstudio.view.panels.analyses import AnalysesPanel

    docks.analyses = AnalysesPanel(docks.theme, docks.studio)
    return Content(docks.analyses, topic=lambda: topics.of_row(ANALYSES, docks.analyses.what))


@panel("Sizing", PAGE, topic=Topic("balancing"), seated=False)
def sizing(docks: Docks, dock: Dock) -> Content:
    """Counterweights, gravity springs, motors and flywheels."""
    from mechstudio.view.sizing.panel import SizingPanel

    docks.sizing = SizingPanel(docks.theme, docks.studio)
    return Content(docks.sizing)
