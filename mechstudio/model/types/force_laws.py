"""Force laws as plain scalar arithmetic: the kernel compiles these functions, the symbolic
derivation reads the same ones.

x is the elongation or joint coordinate [m or rad], v its rate; the result acts so as to increase x.
Each potential is the law's energy [J]; a law without one does work that the energy account books as
supplied or dissipated.
"""

from math import sqrt
from typing import Any

# a number in kernels, an array in checks, a polynomial in derivations
Amount = Any


def spring(x: Amount, v: Amount, stiffness: Amount, free_length: Amount) -> Amount:
    """-k (x - x0)."""
    return -stiffness * (x - free_length)


def spring_potential(x: Amount, stiffness: Amount, free_length: Amount) -> Amount:
    """k (x - x0)^2 / 2."""
    return 0.5 * stiffness * (x - free_length) * (x - free_length)


def damper(x: Amount, v: Amount, damping: Amount) -> Amount:
    """-c v."""
    return -damping * v


def friction(x: Amount, v: Amount, level: Amount, speed: Amount, damping: Amount) -> Amount:
    """-level v / sqrt(v^2 + speed^2) - c v: Coulomb friction smoothed over `speed`."""
    return -level * v / sqrt(v * v + speed * speed) - damping * v


def sliding(x: Amount, v: Amount, level: Amount, way: Amount, damping: Amount) -> Amount:
    """-level way - c v: Coulomb friction of a joint that slides along its coordinate (way 1) or
    against it (-1); what sticks is held by a row (way 0).
    """
    return -level * way - damping * v


def servo(
    x: Amount, v: Amount, stiffness: Amount, damping: Amount, target: Amount, target_rate: Amount
) -> Amount:
    """k_p (target - x) + k_d (target' - v)."""
    return stiffness * (target - x) + damping * (target_rate - v)


def constant(x: Amount, v: Amount, value: Amount) -> Amount:
    """A constant effort along the coordinate."""
    return value


def soft_stop(
    x: Amount, v: Amount, lower: Amount, upper: Amount, stiffness: Amount, damping: Amount
) -> Amount:
    """-k e - c v beyond a stop, e = x - upper or x - lower, and never back towards the stop;
    nothing between them.
    """
    if x > upper:
        return min(-stiffness * (x - upper) - damping * v, 0.0)
    if x < lower:
        return max(-stiffness * (x - lower) - damping * v, 0.0)
    return 0.0


def soft_stop_potential(
    x: Amount, lower: Amount, upper: Amount, stiffness: Amount, damping: Amount
) -> Amount:
    """k e^2 / 2 beyond a stop; what the damping takes is accounted as work."""
    e = x - upper if x > upper else (x - lower if x < lower else 0.0)
    return 0.5 * stiffness * e * e
