"""Actions of the Tools menu: the table of parameters, and pages that have words to find them by."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mechstudio.application.actions.conditions import needs_bodies, needs_finished_run, needs_joints
from mechstudio.application.actions.registry import Action, register
from mechstudio.view.actions.window_action import window_action
from mechstudio.view.docks.registry import Panel, pages
from mechstudio.view.panels.joint_errors import JointErrorsCard
from mechstudio.view.study.page import StudyPage
from mechstudio.view.synthesis.page import SynthesisPage

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow


def shows_parameters(window: MainWindow) -> bool:
    """True if the table of parameters is open."""
    return window.docks.shows_parameters


@window_action(
    "Parameters",
    "Tools",
    icon="parameter",
    words="table names units slider where used formula variables dimensions",
    checked=shows_parameters,
)
def parameters(window: MainWindow) -> None:
    """Show or hide the table of parameters."""
    window.docks.show_parameters(not shows_parameters(window))


@window_action("New parameter", "Tools", words="create add variable name length")
def new_parameter(window: MainWindow) -> None:
    """Add a parameter in the table, which is shown."""
    if not shows_parameters(window):
        parameters(window)
    window.docks.parameters.add()


@window_action(
    "New slider…",
    "Tools",
    words="control drag parameter speed stiffness gravity live tune",
)
def new_slider(window: MainWindow) -> None:
    """Offer the numbers that can get a slider: parameters, speeds of drives, numbers of forces,
    gravity, sizes and masses of bodies.
    """
    window.docks.controls.offer_sliders(window.docks.by_key["controls"].title)


@window_action(
    "Study…",
    "Simulate",
    words=(
        "parameter sweep vary many runs heat map optimise best monte carlo tolerance sensitivity "
        "grid latin hypercube sobol design of experiments"
    ),
    unless=needs_bodies,
    checked=lambda window: window.shows_study,
    section=True,
)
def study(window: MainWindow) -> None:
    """Run the mechanism many times with other numbers, and choose among the runs; the same action
    gives the window back.
    """
    if window.study is None:
        window.study = StudyPage(window)
    if window.study.is_on:
        window.study.leave()
    else:
        window.study.enter()


@window_action(
    "Linkage from a drawn curve…",
    "Simulate",
    words=(
        "synthesis synthesise path generation function motion coupler curve burmester freudenstein "
        "precision points four-bar slider-crank six-bar draw trace inverse design"
    ),
    checked=lambda window: window.synthesis is not None and window.synthesis.is_on,
)
def synthesis(window: MainWindow) -> None:
    """Draw a path, set poses or type a function, and choose among the linkages that answer; the
    same action gives the window back.
    """
    if window.synthesis is None:
        window.synthesis = SynthesisPage(window)
    if window.synthesis.is_on:
        window.room.restore()
    else:
        window.synthesis.enter()


@window_action(
    "Balance and size…",
    "Simulate",
    words=(
        "counterweight shaking force balancing gravity spring static motor gear ratio gearbox "
        "torque selection flywheel ripple smooth"
    ),
    unless=needs_bodies,
)
def balance(window: MainWindow) -> None:
    """Find counterweights, a spring against gravity, a motor with its gear or a flywheel."""
    window.docks.show_page(next(page for page in pages() if page.key == "sizing"))


@window_action(
    "Compare methods",
    "Simulate",
    words="formulation integrator drift control baumgarte accuracy error cost benchmark overlay",
    unless=needs_bodies,
)
def compare_methods(window: MainWindow) -> None:
    """Run the drawing by every method, show errors and cost in one table, and tick the runs."""
    window.docks.ask_analysis("methods", "")


@window_action(
    "Find rest",
    "Simulate",
    words="equilibrium equilibria stable unstable balance statics settle",
    unless=needs_bodies,
)
def find_rest(window: MainWindow) -> None:
    """Search the poses at which the mechanism can rest, each with its stability."""
    window.docks.ask_analysis("equilibria", "")


@window_action(
    "Lay measured data over the curves…",
    "Tools",
    words="measurement experiment sensor test csv import compare residual rms validate against",
    unless=needs_finished_run,
)
def measured_data(window: MainWindow) -> None:
    """Ask for a table of measured data, and show its columns over their curves."""
    window.docks.plots_panel.lay_data()


def shows_joint_errors(window: MainWindow) -> bool:
    """True if the card of constraint errors is open."""
    return window.joint_errors is not None


@window_action(
    "Constraint error of joints",
    "Tools",
    words="gap residual drift closure loop worst joint open C accuracy",
    unless=needs_joints,
    checked=shows_joint_errors,
)
def joint_errors(window: MainWindow) -> None:
    """List the joints by their constraint error over the run, the worst one first and selected."""
    if window.joint_errors is not None:
        window.joint_errors.leave()
        return
    card = JointErrorsCard(window.theme, window.studio, window, lambda id: _go_to(window, id))
    window.joint_errors = card
    card.closed.connect(window.forget_joint_errors)


def _go_to(window: MainWindow, id: str) -> None:
    """Select a joint and bring it into sight."""
    window.studio.selection.select(id)
    window.viewport.framing.frame((id,))


def _show_page(window: MainWindow, page: Panel) -> None:
    """Show a page of the panel at the bottom right, in a workspace that has room for it."""
    window.docks.show_page(page)


for _page in pages():
    if _page.words:
        _show = partial(_show_page, page=_page)
        register(Action(_page.key, _show, _page.title, "Tools", words=_page.words, window=True))
