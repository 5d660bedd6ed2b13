"""Base of tools of two steps: the first click sets a place, which Escape undoes, then numbers can
be typed until the second click or Enter.
"""

from abc import ABC, abstractmethod

from mechstudio.application.tools.tool import Tool, ToolContext
from mechstudio.application.tools.typed_numbers import Numbers


class TwoSteps(Tool, ABC):
    """A kind of tool defines the data kept of the first step and the result at the end."""

    def __init__(self, context: ToolContext, *fields: tuple[str, str]) -> None:
        super().__init__(context)
        self.numbers = Numbers(context, *fields)

    @property
    @abstractmethod
    def _begun(self) -> bool:
        """True if the first step is done."""

    @abstractmethod
    def _back(self) -> None:
        """Forget the first step."""

    @abstractmethod
    def _end(self) -> None:
        """Do the second step as it is shown, or say why it cannot be."""

    @abstractmethod
    def _show(self) -> None:
        """Fill preview and hint."""

    def _own_key(self, key: str) -> bool:
        """A key that is the tool's own after the first step, while nothing is typed.  Returns
        whether it was used.
        """
        return False

    def wants(self, key: str) -> bool:
        return key == "escape" or (self._begun and (key == "enter" or self.numbers.wants(key)))

    def key(self, key: str) -> bool:
        if key == "escape" and self.numbers.typed:
            self.numbers.clear()
        elif key == "escape" and self._begun:
            self._back()
            self.context.message = ""
        elif key == "escape":
            self.cancel()
        elif not self._begun:
            return False
        elif key == "enter":
            self._end()
        elif not ((not self.numbers.typed and self._own_key(key)) or self.numbers.key(key)):
            return False
        self._show()
        return True
