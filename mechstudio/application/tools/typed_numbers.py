"""Several numbers typed at one stage of a drawing: "120, 80 Enter"; Tab, a comma or a semicolon
goes to the next one.
"""

import re

from mechstudio.application.tools import entry
from mechstudio.application.tools.entry import typed_quantity
from mechstudio.application.tools.tool import ToolContext
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.decimal_comma import with_commas
from mechstudio.model.quantity import Quantity
from mechstudio.translation import has_decimal_comma

BEGUN = re.compile(r"(?<![\w.])\d+$")  # a whole number, which a decimal comma may follow
BEGINS = f"{entry.BEGINS}−"


class Numbers:
    """The texts typed so far, one per field; an empty one means that the mouse decides.

    fields: (name as shown, dimension) in the order of Tab.  now: what the mouse says of each [SI],
    which a new parameter gets.
    """

    def __init__(self, context: ToolContext, *fields: tuple[str, str]) -> None:
        self.context, self.fields = context, fields
        self.texts = [""] * len(fields)
        self.at = 0
        self.now: tuple[float, ...] = ()

    @property
    def typed(self) -> bool:
        return any(self.texts)

    def clear(self) -> None:
        self.texts, self.at = [""] * len(self.fields), 0

    def key(self, key: str) -> bool:
        """Take a character, a backspace or Tab; returns whether it was used."""
        if not self.fields:
            return False
        text = self.texts[self.at]
        if key == "tab":
            self.at = (self.at + 1) % len(self.fields)
        elif key == "backspace" and (text or (self.at and self.typed)):
            self.texts[self.at] = text[:-1]
            self.at -= not text
        elif key == "," and has_decimal_comma() and BEGUN.search(text):
            self.texts[self.at] = text + "."
        elif (
            key in (",", ";")
            and text
            and text.count("(") <= text.count(")")
            and self.at + 1 < len(self.fields)
        ):
            self.at += 1
        elif len(key) == 1 and key.isprintable() and (self.typed or key in BEGINS):
            self.texts[self.at] = (text + key).lstrip()
        else:
            return False
        if key != "tab":
            self.context.message = ""  # it was about what was typed before
        return True

    def wants(self, key: str) -> bool:
        """True if a key belongs to a number that is being typed, or begins one."""
        if not self.fields:
            return False
        return (
            key == "tab"
            or (len(key) == 1 and key in BEGINS)
            or (self.typed and (key in ("enter", "escape", "backspace") or len(key) == 1))
        )

    def value(self, k: int) -> Quantity | None:
        """Quantity typed into a field; None if nothing was typed.  Raises ExpressionError with the
        reason.
        """
        text, dimension = self.texts[k].strip(), self.fields[k][1]
        if not text:
            return None
        return typed_quantity(
            self.context, text, dimension, self.now[k] if k < len(self.now) else None
        )

    def check(self) -> str:
        """Error in the first wrong number that was typed; empty if all of them mean something."""
        try:
            for k in range(len(self.fields)):
                self.value(k)
        except expression.ExpressionError as error:
            return str(error)
        return ""

    def sofar(self, k: int) -> Quantity | None:
        """As `value`, and None where what was typed means nothing yet."""
        try:
            return self.value(k)
        except expression.ExpressionError:
            return None

    def label(self, shown: list[str]) -> str:
        """All numbers for the cursor: those typed as they were typed, the others as the drawing
        shows them.
        """
        parts = []
        for k, (name, _) in enumerate(self.fields):
            caret = "▏" if self.typed and k == self.at else ""
            typed = with_commas(self.texts[k]) + caret
            parts.append(f"{name} {typed or shown[k]}")
        return "   ".join(parts)
