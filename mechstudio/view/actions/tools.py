"""Actions of the Tools menu: the table of parameters and the panel of analyses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mechstudio.view.actions.window_action import window_action

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow


def shows_parameters(window: MainWindow) -> bool:
    return not window.docks.by_key["parameters"].isHidden()


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
    "Analyses",
    "Tools",
    words=(
        "reactions torsors virtual power momenta energy relative inverse dynamics "
        "equilibria modes linearise loads sensitivity drift"
    ),
)
def analyses(window: MainWindow) -> None:
    """Show the panel of analyses, in a workspace that has room for it."""
    if window.workspace == "build":
        window.set_workspace("analyse")
    window.docks.pages.chosen.emit("analyses")
