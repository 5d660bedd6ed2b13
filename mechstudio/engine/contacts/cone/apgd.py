"""The cone complementarity problem by accelerated projected gradient descent, one product with N
per iteration.

    minimise 1/2 gamma^T N gamma + gamma^T r over the cone
        (Mazhar, Heyn, Negrut & Tasora 2015, algorithm 1)

Differences: steps are measured in the metric of one number per contact (its mean diagonal of N), so
that L has no unit; the quadratic bound is tested as (dx)^T N dx <= L |dx|^2, without cancellation;
L is kept from step to step.  Gradient restart after O'Donoghue & Candes 2015.  The best iterate is
returned.

One loop serves two operators N: in the axes of the contacts (contact_operator.py) and, of piles, in
those of W (pile_operator.py).  In a pile De Saxce's correction is included: mu |u_t| is updated
during the iteration and where the residual has fallen, and the iteration continues without a
further product.  That costs a tenth of the time, where solving to the end in each pass costs two
thirds.
"""

import math

from numba import types

from mechstudio.engine.contacts.cone.contact_operator import (
    LARGEST,
    begin_contacts,
    end_contacts,
    step_contacts,
)
from mechstudio.engine.contacts.cone.pile_operator import (
    FREELY,
    ONE,
    OTHER,
    UNCHANGED,
    begin_pile,
    end_pile,
    shift_pile,
    step_pile,
)
from mechstudio.engine.contacts.cone.problem import I_FIRST, I_LAST, PROBLEM, copy_impulses
from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.kernel_table import EVERY, FLAG, INDEX, NUMBER, VECTOR, alone

# of L, in the axes of contacts and in a pile: factor after every iteration, once so many have
# passed without a failed bound; least factor where the bound fails, and factor to L that meets it
SHRINK, CALM, GROWTH, MARGIN = (0.9, 0.95), (0, 12), (2.0, 1.2), (1.0, 1.05)
TRIALS = 40  # of raising L in one iteration
BETTER = (1.0, 0.7)  # residual over the least so far from which an iterate is stored as the best
# De Saxce's shifts are updated every so many iterations, among the first so many; afterwards when a
# solve has ended
UPDATE, EARLY = 5, 100


@kernel
def keep_best(P, island, pile, now):
    """Store the impulses of an iterate, of a pile the one at column `now`, as the best."""
    if not pile:
        copy_impulses(P, island, P.trial, P.best)
        return
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        for c in range(3):
            P.best[i, c] = P.moving[i, now + c]


ARGUMENTS = PROBLEM, INDEX, FLAG, NUMBER, INDEX, INDEX, NUMBER, VECTOR


@alone(EVERY, types.Tuple((INDEX, INDEX, NUMBER, NUMBER)), *ARGUMENTS)
def solve_apgd(P, island, pile, tolerance, most, passes, L, curve):
    """Solve for the impulses of one island, from those that stand in P.gamma.

    pile: whether N is applied in the axes of W, for islands of three numbers per contact without
    their matrix.
    tolerance [m/s] and most: limits of residual and iterations.  L: of the last solve, 0 for none.
    Of a pile alone, passes: largest number of updates of De Saxce's shifts, 0 for none.
    curve: (iterations,) or (0,), filled with residuals.
    Returns (iterations, products, residual [m/s], of the law if there are passes, L).  P.gamma
    holds the best iterate, P.product_gamma its product with N, except of a pile.
    """
    kind, now, other = (1 if pile else 0), ONE, OTHER
    products = 1 if pile or L > 0.0 else 2  # with one for the first guess of L
    if pile:
        left, L = begin_pile(P, island, L)
        if passes > 0:
            left = shift_pile(P, island, now, FREELY)
    else:
        left, L = begin_contacts(P, island, L)
    keep_best(P, island, pile, now)
    least = lowest = left
    beta, theta, forward = 0.0, 1.0, 0.0
    calm = done = reported = turn = 0
    while done < most and least >= tolerance:
        if passes > 0 and (left < tolerance or (done % UPDATE == UPDATE - 1 and done < EARLY)):
            solved = left < tolerance
            far = shift_pile(P, island, now, turn if solved else FREELY)
            if far < least:
                least = far
                keep_best(P, island, pile, now)
            if far < tolerance or reported >= passes:
                break
            reported, turn = (reported + 1, turn + 1) if solved else (reported, 0)
        done += 1
        calm += 1
        for trial in range(TRIALS + 1):
            if pile:
                bend, square, forward, left = step_pile(P, island, now, other, beta, L)
            else:
                bend, square, forward, left = step_contacts(P, island, beta, L)
            products += 1
            if bend <= L * square or L >= LARGEST or trial == TRIALS:
                break
            L = min(max(GROWTH[kind] * L, MARGIN[kind] * bend / square), LARGEST)
            calm, beta = 0, -1.0
        lowest = min(lowest, left)
        if passes == 0 and (left < BETTER[kind] * least or left < tolerance):
            least = left
            keep_best(P, island, pile, other)
        if done <= curve.shape[0]:
            curve[done - 1] = lowest
        following = 0.5 * theta * (math.sqrt(theta * theta + 4.0) - theta)
        beta = theta * (1.0 - theta) / (theta * theta + following)
        theta = following
        if forward > 0.0:
            beta, theta = 0.0, 1.0
        now, other = other, now
        if calm >= CALM[kind]:
            L *= SHRINK[kind]
    if done > 0 and least >= tolerance:
        # result of the last iteration allowed
        far = shift_pile(P, island, now, UNCHANGED) if passes > 0 else left
        if far < least:
            least = far
            keep_best(P, island, pile, now)
    if pile:
        end_pile(P, island)
    elif done > 0:
        end_contacts(P, island)
        products += 1
    return done, products, least, L
