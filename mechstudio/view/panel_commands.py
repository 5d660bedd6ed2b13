"""Commands that open panels and find things: the table of parameters, framing what is selected."""

from typing import Any


class PanelCommands:
    """Part of Commands; a method per action id."""

    _studio: Any
    _window: Any

    @property
    def shows_parameters(self) -> bool:
        # asked before the docks are there
        docks = getattr(self._window, "docks", None)
        return docks is not None and not docks.by_key["parameters"].isHidden()

    def parameters(self) -> None:
        self._window.docks.show_parameters(not self.shows_parameters)

    def new_parameter(self) -> None:
        if not self.shows_parameters:
            self.parameters()
        self._window.docks.parameters.add()

    def frame_selection(self) -> None:
        self._window.viewport.frame(self._studio.selection.selected)
