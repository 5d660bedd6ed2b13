"""De Saxce's shifts: mu |u_t|, which added to the normal row makes Coulomb's law of the cone
problem, so that what slides does not lift off.

Solved with shifts s, the cone problem gives sliding speeds and with them other shifts g(s); wanted
is g(s) = s.  How far impulses are from the law is told by the residual of the cone problem with the
shifts that they ask for themselves.  Taking g(s) as the next s is enough for most piles; a patch
that spins fast answers with almost the shift that it was given, and would need hundreds of turns,
and feet that strike while others slide let two values take turns.
"""

import math

from mechstudio.engine.contacts.cone.apgd import residual
from mechstudio.engine.contacts.cone.problem import I_FIRST, I_LAST, MU, ROLL, SPIN, WIDTH
from mechstudio.engine.contacts.contact_kernels import kernel

# in P.moving: shift that holds, shift that its solution asks for; of the turn before by how much
# the two differed and what was asked for
X_SHIFT, X_ASKED, X_MISSED, X_BEFORE = 18, 19, 20, 21
FARTHEST = 50.0  # turns that one may stand for
LATE = 6  # turns after which one goes half the way


@kernel
def requested_shift(P, i, width):
    """mu |u_t| of contact i, with what spins and rolls, for the product of its impulses."""
    u, r, cone = P.product_gamma, P.r, P.cone
    shift = max(cone[i, MU], 0.0) * math.hypot(u[i, 1] + r[i, 1], u[i, 2] + r[i, 2])
    if width == 6:
        shift += cone[i, SPIN] * abs(u[i, 3] + r[i, 3]) + cone[i, ROLL] * math.hypot(
            u[i, 4] + r[i, 4], u[i, 5] + r[i, 5]
        )
    return shift


@kernel
def retell_shifts(P, island, n):
    """P.shift for the turn after the turn n, from the product of the impulses.  Returns how far
    these are from the law [m/s].
    """
    X, first, last = P.moving, P.islands[island, I_FIRST], P.islands[island, I_LAST]
    for i in range(first, last):
        X[i, X_SHIFT], X[i, X_ASKED] = P.shift[i], requested_shift(P, i, P.size[WIDTH])
        P.shift[i] = X[i, X_ASKED]
    left = residual(P, island, P.gamma, P.product_gamma)
    mix_shifts(X, first, last, n)
    for i in range(first, last):
        P.shift[i] = X[i, X_SHIFT]
    return left


@kernel
def compare_turns(X, first, last):
    """Of how much g(s) - s differs in this turn from the turn before: (part of the way back to that
    turn where it is least along both, its square in this turn, and in the turn before).
    """
    along, square, here, before = 0.0, 0.0, 0.0, 0.0
    for i in range(first, last):
        miss = X[i, X_ASKED] - X[i, X_SHIFT]
        turn = miss - X[i, X_MISSED]
        along += turn * miss
        square += turn * turn
        here += miss * miss
        before += X[i, X_MISSED] * X[i, X_MISSED]
    part = min(max(along / square, -FARTHEST), FARTHEST) if square > 0.0 else 0.0
    return part, here, before


@kernel
def turn_shifts(X, first, last, part, back):
    """The shifts of the next turn from those asked for: the part of the way to what the turn before
    asked for, and the share `back` of all that to where this turn began.
    """
    for i in range(first, last):
        asked = X[i, X_ASKED]
        miss = asked - X[i, X_SHIFT]
        X[i, X_SHIFT] = max(
            asked
            - part * (asked - X[i, X_BEFORE])
            - back * (miss - part * (miss - X[i, X_MISSED])),
            0.0,
        )
        X[i, X_MISSED], X[i, X_BEFORE] = miss, asked


@kernel
def mix_shifts(X, first, last, n):
    """The shifts of the next turn from those that hold and those asked for: where one turn is
    behind, along both to where g(s) - s is least (Anderson 1965, of depth one).

    n: turns behind.
    """
    part, here, before = compare_turns(X, first, last)
    closer = here < before
    turn_shifts(
        X,
        first,
        last,
        part if n > 0 and closer else 0.0,
        # half the way where the last turn led away, and late, should values take turns
        0.5 if n >= LATE or (n > 0 and not closer) else 0.0,
    )
