"""Conditions that no linkage can keep, reported before a search."""

import math

from mechstudio.model.units import format_value
from mechstudio.translation import tr


def check(
    seed: int,
    transmission: float,
    lengths: tuple[float, float] | None = None,
    region: tuple[float, float, float, float] | None = None,
    base: float = 1.0,
) -> None:
    """Raises ValueError with one sentence for a condition that no linkage can keep.

    transmission [rad]: least angle between links that push each other.  lengths [m]: least and
    greatest of links.  region [m]: least x and z and greatest x and z of pivots on ground.  base
    [m]: between the pivots of crank and rocker.
    """
    if seed < 0:
        raise ValueError(tr("A seed is 0 or a greater whole number, not {n}.", n=seed))
    if not 0.0 <= transmission < math.pi / 2:
        raise ValueError(
            tr(
                "The least transmission angle lies between 0 and 90 deg, not at {angle}.",
                angle=format_value(transmission, "angle"),
            )
        )
    if lengths is not None and not 0.0 <= lengths[0] < lengths[1]:
        raise ValueError(tr("The least length of links is not below the greatest."))
    if region is not None and not (region[0] < region[2] and region[1] < region[3]):
        raise ValueError(tr("The region of the pivots has no area: give its least corner first."))
    if not (base > 0.0 and math.isfinite(base)):
        raise ValueError(tr("The base is a length above zero."))
