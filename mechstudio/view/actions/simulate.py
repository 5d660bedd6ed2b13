"""Commands that close a drawing, and the panel of what was done."""

from typing import Any

from mechstudio.view.panels.history import HistoryPanel


class AssembleCommands:
    """Part of Commands; a method per action id."""

    _studio: Any
    _theme: Any
    _window: Any
    trigger: Any
    history_panel: HistoryPanel | None = None

    def assemble(self) -> None:
        self._studio.assemble()

    def assemble_kept(self) -> None:
        self._studio.assemble_kept()

    def accept_assembly(self) -> None:
        self._studio.accept_assembly()

    @property
    def shows_history(self) -> bool:
        return self.history_panel is not None and self.history_panel.isVisible()

    def history(self) -> None:
        """Show or hide the list of all steps."""
        if self.history_panel is None:
            self.history_panel = HistoryPanel(
                self._theme,
                self._studio,
                self._window.host,
                lambda id: self.trigger(id),
                lambda: self._window.strip.geometry().right(),
            )
            self.history_panel.closed.connect(self._window.actions_.refresh)
        if self.shows_history:
            self.history_panel.hide()
        else:
            self.history_panel.show_panel()
