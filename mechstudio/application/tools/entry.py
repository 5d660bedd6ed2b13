"""Numbers typed in mid-drag: characters collect here until Enter applies them exactly."""

from mechstudio.application.tools.tool import ToolContext
from mechstudio.model.edits.elements import parameter_values
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.decimal_comma import with_points
from mechstudio.model.quantity import Quantity
from mechstudio.model.units import unit

BEGINS = (
    "0123456789.(-="  # "=" begins a name where letters mean something else while nothing is typed
)


class Entry:
    """The text typed so far.  Empty means that the mouse decides.  now: what the mouse says [SI],
    which a new parameter gets; None where that is not known.

    names: whether a letter may begin it, as of a parameter; `reserved` letters never do, since they
    mean something else in a drag.
    """

    def __init__(
        self,
        context: ToolContext,
        dimension: str = "length",
        names: bool = False,
        reserved: str = "xyzXYZ",
    ) -> None:
        self.context, self.dimension, self.text = context, dimension, ""
        self.names, self.reserved = names, reserved
        self.now: float | None = None

    def key(self, key: str) -> bool:
        """Take a character or a backspace; returns whether it was used."""
        if key == "backspace" and self.text:
            self.text = self.text[:-1]
            self.context.message = ""  # it was about what was typed before
            return True
        if len(key) == 1 and key.isprintable() and (self.text or self.begins(key)):
            self.text += key
            self.context.message = ""
            return True
        return False

    def wants(self, key: str) -> bool:
        """True if a key is part of a number that is being typed, or begins one."""
        return (
            bool(self.text) and (key in ("enter", "escape", "backspace") or len(key) == 1)
        ) or self.begins(key)

    def begins(self, key: str) -> bool:
        """True if a key begins a number, a formula or a name."""
        return key in tuple(BEGINS) or (
            self.names
            and len(key) == 1
            and (key.isalpha() or key == "_")
            and key not in self.reserved
        )

    def value(self) -> tuple[float, str]:
        """The typed number [SI] and its text with a unit.  Raises expression.ExpressionError in
        words.
        """
        q = typed_quantity(self.context, self.text, self.dimension, self.now)
        return q.value, q.text


def typed_quantity(context: ToolContext, text: str, dimension: str, now: float | None) -> Quantity:
    """Quantity that a typed text stands for.  Raises ExpressionError; where a name is missing, the
    context keeps the request, so that the name can be offered.
    """
    context.missing = None
    text = with_points(text.strip().lstrip("=").strip())
    try:
        return expression.quantity(
            text,
            dimension,
            parameter_values(context.document.project),
            unit(dimension, context.units).symbol,
        )
    except expression.ExpressionError as error:
        if error.unknown:
            context.missing = (text, dimension, now)
        raise
