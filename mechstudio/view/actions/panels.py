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

    def keep_run(self) -> None:
        self._studio.keep_run()

    def forget_runs(self) -> None:
        self._studio.kept_runs.forget()

    def analyses(self) -> None:
        """Show the panel of analyses, in a workspace that has room for it."""
        if self._window.workspace == "build":
            self._window.set_workspace("analyse")
        self._window.docks.pages.chosen.emit("analyses")

    def frame_selection(self) -> None:
        self._window.viewport.frame(self._studio.selection.selected)
