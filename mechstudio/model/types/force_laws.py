"""Force laws as plain scalar arithmetic: the kernel compiles these functions, the symbolic
derivation reads the same ones.

x is the elongation or joint coordinate [m or rad], v its rate; the result acts so as to increase x.
Each potential is the law's energy [J]; a law without one does work that the energy account books as
supplied or dissipated.
"""

from math import sqrt


def spring(x, v, stiffness, free_length):
    """-k (x - x0)."""
    return -stiffness * (x - free_length)


def spring_potential(x, stiffness, free_length):
    """k (x - x0)^2 / 2."""
    return 0.5 * stiffness * (x - free_length) * (x - free_length)


def damper(x, v, damping):
    """-c v."""
    return -damping * v


def friction(x, v, level, speed, damping):
    """-level v / sqrt(v^2 + speed^2) - c v: Coulomb friction smoothed over `speed`."""
    return -level * v / sqrt(v * v + speed * speed) - damping * v


def sliding(x, v, level, way, damping):
    """-level way - c v: Coulomb friction of what slides along its coordinate (way 1) or against it
    (-1); what sticks is held by a row (way 0).
    """
    return -level * way - damping * v


def servo(x, v, stiffness, damping, target, target_rate):
    """k_p (target - x) + k_d (target' - v)."""
    return stiffness * (target - x) + damping * (target_rate - v)


def constant(x, v, value):
    """A constant effort along the coordinate."""
    return value


def soft_stop(x, v, lower, upper, stiffness, damping):
    """-k e - c v beyond a stop, e = x - upper or x - lower, and never back towards the stop;
    nothing between them.
    """
    if x > upper:
        return min(-stiffness * (x - upper) - damping * v, 0.0)
    if x < lower:
        return max(-stiffness * (x - lower) - damping * v, 0.0)
    return 0.0


def soft_stop_potential(x, lower, upper, stiffness, damping):
    """k e^2 / 2 beyond a stop; what the damping takes is booked as work."""
    e = x - upper if x > upper else (x - lower if x < lower else 0.0)
    return 0.5 * stiffness * e * e
