"""Force laws as plain scalar arithmetic: the kernel compiles these functions, the symbolic derivation reads the same ones.

x is the elongation or joint coordinate [m or rad], v its rate; the result acts so as to increase x.  Each potential is
the law's energy [J]; a law without one does work that the energy account books as supplied or dissipated.
"""


def spring(x, v, stiffness, free_length):
    """-k (x - x0)."""
    return -stiffness * (x - free_length)


def spring_potential(x, stiffness, free_length):
    """k (x - x0)^2 / 2."""
    return 0.5 * stiffness * (x - free_length) * (x - free_length)


def damper(x, v, damping):
    """-c v."""
    return -damping * v


def constant(x, v, value):
    """A constant effort along the coordinate."""
    return value
