"""Sentences for a run's statistics on how far its numbers can be trusted: joints that drift, motions below what the tolerance resolves."""

import math
from typing import TYPE_CHECKING

from .run_options import LEAST_TOLERANCE, RunOptions

if TYPE_CHECKING:
    from .system import System

RESOLVED = 1e3          # tolerances that a motion has to be for its steps to follow it to a thousandth
EXACT = 1e-4            # part of a motion that the tolerance should be
GUESSED = " A drawing without extent, as this one, counts as 1 m large: shapes, or joints apart from each other, give it a size."
ROUNDING = 1e-15        # sizes or radians of what is no motion


def drift_notes(options: RunOptions, system: "System", gap: float) -> tuple[str, ...]:
    """What is to be said of joints that nothing holds closed.   gap: by which they were open [m]."""
    if options.drift == "projection" or not system.rows:
        return ()
    how = "Nothing closes joints that have opened" if options.drift == "none" else "Baumgarte's terms draw open joints together without closing them"
    return (f"{how}: the joints of loops drift, here by up to {gap:.3g} m. Choose projection as drift control for joints that stay closed.",)


def small_notes(options: RunOptions, adaptive: bool, motion: float, system: "System") -> tuple[str, ...]:
    """What is to be said of a motion that is hardly more than the tolerance.   motion: largest way of a coordinate, in sizes or radians."""
    if not adaptive or not ROUNDING < motion < RESOLVED * options.tolerance:
        return ()
    wanted = 10.0 ** math.floor(math.log10(EXACT * motion))
    cure = f"Choose a tolerance of {wanted:.0e}" if wanted >= LEAST_TOLERANCE else f"Choose the least tolerance, {LEAST_TOLERANCE:.0e}, and a fixed step beside it to compare with"
    return (f"The motion lies at the limit of the tolerance: nothing goes further than {motion:.1e} radians or mechanism sizes, and the tolerance {options.tolerance:.0e} "
            f"counts in these. {cure}.{'' if system.mechanism.has_extent else GUESSED}",)
