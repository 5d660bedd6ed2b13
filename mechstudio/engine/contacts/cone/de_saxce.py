"""De Saxce's shifts mu |u_t|: added to the normal row, they turn the cone problem into Coulomb's
law, so that sliding bodies do not lift off.

Solved with shifts s, the cone problem gives sliding speeds, and these give other shifts g(s); the
solution is the fixed point g(s) = s.  The distance of impulses from the law is the residual of the
cone problem with the shifts g that follow from them.  The iteration s <- g(s) converges for most
piles.  A patch that spins fast returns almost the shift that it was given and would need hundreds
of iterations; for feet that strike while others slide two values alternate.
"""

import math

from mechstudio.engine.contacts.cone.contact_operator import residual
from mechstudio.engine.contacts.cone.problem import I_FIRST, I_LAST, MU, ROLL, SPIN, WIDTH
from mechstudio.engine.contacts.contact_kernels import kernel

# in P.moving: present shift, shift that follows from its solution; of the previous iteration their
# difference and the shift that followed
X_SHIFT, X_REQUESTED, X_DIFFERENCE, X_BEFORE = 18, 19, 20, 21
FARTHEST = 50.0  # largest step of the extrapolation, in iterations
LATE = 6  # iterations after which steps are halved


@kernel
def shift_of(P, i, u, width):
    """mu |u_t + r_t| of contact i for velocities u (contacts, WIDTH), with the shifts of spinning
    and rolling [m/s].
    """
    r, cone = P.r, P.cone
    shift = max(cone[i, MU], 0.0) * math.hypot(u[i, 1] + r[i, 1], u[i, 2] + r[i, 2])
    if width == 6:
        shift += cone[i, SPIN] * abs(u[i, 3] + r[i, 3]) + cone[i, ROLL] * math.hypot(
            u[i, 4] + r[i, 4], u[i, 5] + r[i, 5]
        )
    return shift


@kernel
def requested_shift(P, i, width):
    """mu |u_t| of contact i, with spinning and rolling, for the product of its impulses."""
    return shift_of(P, i, P.product_gamma, width)


@kernel
def request_shifts(P, island):
    """Write the shifts that follow from the impulses beside the present ones, from the product of
    the impulses.  Returns the residual of the law [m/s].
    """
    X, first, last = P.moving, P.islands[island, I_FIRST], P.islands[island, I_LAST]
    for i in range(first, last):
        X[i, X_SHIFT], X[i, X_REQUESTED] = P.shift[i], requested_shift(P, i, P.size[WIDTH])
        P.shift[i] = X[i, X_REQUESTED]
    left = residual(P, island, P.gamma, P.product_gamma)
    for i in range(first, last):
        P.shift[i] = X[i, X_SHIFT]
    return left


@kernel
def update_shifts(P, island, n):
    """Set P.shift for the iteration after iteration n, from the product of the impulses.  Returns
    the residual of the law for these [m/s].
    """
    X, first, last = P.moving, P.islands[island, I_FIRST], P.islands[island, I_LAST]
    left = request_shifts(P, island)
    mix_shifts(X, first, last, n)
    for i in range(first, last):
        P.shift[i] = X[i, X_SHIFT]
    return left


@kernel
def compare_turns(X, first, last):
    """Comparison of g(s) - s in this iteration and the one before: (share of the step back at which
    it is least along both, its square in this iteration, and in the one before).
    """
    along, square, here, before = 0.0, 0.0, 0.0, 0.0
    for i in range(first, last):
        difference = X[i, X_REQUESTED] - X[i, X_SHIFT]
        turn = difference - X[i, X_DIFFERENCE]
        along += turn * difference
        square += turn * turn
        here += difference * difference
        before += X[i, X_DIFFERENCE] * X[i, X_DIFFERENCE]
    part = min(max(along / square, -FARTHEST), FARTHEST) if square > 0.0 else 0.0
    return part, here, before


@kernel
def turn_shifts(X, first, last, part, back):
    """Set the shifts of the next iteration from g(s): the share `part` of the step to the previous
    g(s), and of the result the share `back` of the step to the present shifts.
    """
    for i in range(first, last):
        requested = X[i, X_REQUESTED]
        difference = requested - X[i, X_SHIFT]
        X[i, X_SHIFT] = max(
            requested
            - part * (requested - X[i, X_BEFORE])
            - back * (difference - part * (difference - X[i, X_DIFFERENCE])),
            0.0,
        )
        X[i, X_DIFFERENCE], X[i, X_BEFORE] = difference, requested


@kernel
def mix_shifts(X, first, last, n):
    """Set the shifts of the next iteration from s and g(s): after at least one iteration, where
    g(s) - s is least along both (Anderson 1965, of depth one).

    n: number of previous iterations.
    """
    part, here, before = compare_turns(X, first, last)
    closer = here < before
    turn_shifts(
        X,
        first,
        last,
        part if n > 0 and closer else 0.0,
        # half the step where the last iteration diverged, and late, in case values alternate
        0.5 if n >= LATE or (n > 0 and not closer) else 0.0,
    )
