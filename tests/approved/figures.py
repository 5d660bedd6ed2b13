"""Numbers of a test as text, to so many digits of the largest among those that belong together."""

import math
from collections.abc import Iterable
from typing import NamedTuple


class Shown(NamedTuple):
    """Digits with which numbers are held.  digits: of the largest of them.  least: power of ten
    below which they have no more digits than that one has.
    """

    digits: int
    least: int

    def together(self, values: Iterable[float]) -> str:
        """Components of one thing with one power of ten: "(1.20 -0.35) e-2"."""
        shown = [float(v) for v in values]
        largest = max((abs(v) for v in shown if math.isfinite(v)), default=0.0)
        power = max(math.floor(math.log10(largest or 1e-300)), self.least)
        return f"({' '.join(f'{v / 10**power:.{self.digits - 1}f}' for v in shown)}) e{power}"


EXACT, USUAL = Shown(9, -2), Shown(6, -2)
# what touches is solved to a tolerance, with iterations that rounding ends earlier or later
TOUCHING = Shown(3, 0)
