"""Commands that close a drawing."""

from typing import Any


class AssembleCommands:
    """Part of Commands; a method per action id."""

    _studio: Any

    def assemble(self) -> None:
        self._studio.assemble()

    def assemble_kept(self) -> None:
        self._studio.assemble_kept()

    def accept_assembly(self) -> None:
        self._studio.accept_assembly()
