"""Commands of the free-body view."""

from typing import Any


class FreeBodyCommands:
    """Part of Commands; a method per action id."""

    _studio: Any
    _window: Any

    @property
    def shows_free_body(self) -> bool:
        return self._studio.free_body.is_open

    def free_body(self) -> None:
        self._studio.cut_free()

    def free_body_equations(self) -> None:
        """The six equations of the body that is cut free, beside it."""
        self._window.set_workspace("explain")
        self._window.docks.equations.open_balance(self._studio.free_body.body)
