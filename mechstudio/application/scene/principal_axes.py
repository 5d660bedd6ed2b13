"""Principal axes of bodies, as the crosses that a viewport draws through their centres of mass."""

import math
from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from mechstudio.model.mass_properties import mass_properties, principal_axes
from mechstudio.model.mechanism import Mechanism

ARM = 1.1  # half a line, as a share of a joint's glyph


class PrincipalCross(NamedTuple):
    """center (3,), arms (3, 3): half lines of the smallest moment first in body axes [m].  free:
    which could as well lie otherwise.
    """

    center: np.ndarray
    arms: np.ndarray
    free: tuple[bool, bool, bool]


def principal_crosses(
    mechanism: Mechanism, ids: Collection[str], glyph: float
) -> dict[str, PrincipalCross]:
    """The crosses of bodies by id, in the order of the mechanism, in which they are painted; none
    for what has no mass, or an inertia that is no number.  glyph: radius of a joint's glyph [m].
    """
    out = {}
    for id, body in mechanism.bodies.items():
        if id not in ids:
            continue
        known = mass_properties(body)
        if known.mass > 0 and all(
            math.isfinite(c) for c in (*known.center, *(c for line in known.inertia for c in line))
        ):
            principal = principal_axes(known.inertia)
            out[id] = PrincipalCross(
                np.array(known.center), ARM * glyph * np.array(principal.axes), principal.free
            )
    return out
