"""Numbers typed in mid-drag: characters collect here until Enter applies them exactly."""

from mechstudio.model import expression
from mechstudio.model.edit import parameter_values
from mechstudio.model.units import unit

from .base import ToolContext


class Entry:
    """The text typed so far.  Empty means that the mouse decides.

    names: whether a letter may begin it, as of a parameter; `reserved` letters never do, since they mean something else in a drag.
    """

    def __init__(self, context: ToolContext, dimension: str = "length", names: bool = False, reserved: str = "xyzXYZ") -> None:
        self.context, self.dimension, self.text = context, dimension, ""
        self.names, self.reserved = names, reserved

    def key(self, key: str) -> bool:
        """Take a character or a backspace; returns whether it was used."""
        if key == "backspace" and self.text:
            self.text = self.text[:-1]
            return True
        if len(key) == 1 and key.isprintable() and (self.text or self.begins(key)):
            self.text += key
            return True
        return False

    def wants(self, key: str) -> bool:
        """Whether a key is part of a number that is being typed, or begins one."""
        return bool(self.text) and (key in ("enter", "escape", "backspace") or len(key) == 1) or self.begins(key)

    def begins(self, key: str) -> bool:
        """Whether a key begins a number, a formula or a name."""
        return key in tuple("0123456789.(-") or self.names and len(key) == 1 and (key.isalpha() or key == "_") and key not in self.reserved

    def value(self) -> tuple[float, str]:
        """The typed number [SI] and its text with a unit.  Raises expression.ExpressionError in words."""
        symbol = unit(self.dimension, self.context.units).symbol
        project = self.context.document.project
        value = expression.evaluate(self.text, self.dimension, parameter_values(project), default_unit=symbol)
        text = self.text.strip()
        try:
            float(text)
        except ValueError:
            return value, text
        return value, f"{text} {symbol}"
