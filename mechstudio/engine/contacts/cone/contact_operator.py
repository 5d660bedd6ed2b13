"""N in the axes of the contacts, for the accelerated gradient: islands with their matrix N, and
those whose contacts resist spinning or rolling.

N gamma and N trial are kept, so that N y costs nothing.  Residual [m/s] of impulses gamma, for all
methods:

    max_i d_i |gamma_i - P(gamma_i - (N gamma + r)_i / d_i)|,  d_i = mean of the diagonal of N_ii
"""

import math

from numba import types

from mechstudio.engine.contacts.cone.cone import project, project_all, project_bounded
from mechstudio.engine.contacts.cone.problem import (
    I_FIRST,
    I_LAST,
    MU,
    PROBLEM,
    ROLL,
    SPIN,
    WIDTH,
    copy_impulses,
    multiply,
)
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.kernel_table import EVERY, INDEX, NOTHING, NUMBER, ROWS, alone

LARGEST = 1e12  # of L: beyond it the bound fails by rounding, not by curvature


@kernel(options=INLINED)
def project_contact(P, i, x, out, product, k, width):
    """out_i <- P(x_i - k (product + r)_i), the shift of De Saxce in the first row."""
    r, cone = P.r, P.cone
    a, b, c = (
        x[i, 0] - k * (product[i, 0] + r[i, 0] + P.shift[i]),
        x[i, 1] - k * (product[i, 1] + r[i, 1]),
        x[i, 2] - k * (product[i, 2] + r[i, 2]),
    )
    if cone[i, MU] < 0.0:
        # friction inside a patch (cone/patches)
        out[i, 0] = 0.0
        out[i, 1], out[i, 2] = project_bounded(b, c, -cone[i, MU])
        for e in range(3, width):
            out[i, e] = 0.0
    elif width == 3:
        a, b, c = project(a, b, c, cone[i, MU])
        out[i, 0], out[i, 1], out[i, 2] = a, b, c
    else:
        d, e, f = (
            x[i, 3] - k * (product[i, 3] + r[i, 3]),
            x[i, 4] - k * (product[i, 4] + r[i, 4]),
            x[i, 5] - k * (product[i, 5] + r[i, 5]),
        )
        a, b, c, d, e, f = project_all(a, b, c, d, e, f, cone[i, MU], cone[i, SPIN], cone[i, ROLL])
        out[i, 0], out[i, 1], out[i, 2], out[i, 3], out[i, 4], out[i, 5] = a, b, c, d, e, f


@alone(EVERY, NUMBER, PROBLEM, INDEX, ROWS, ROWS)
def residual(P, island, x, product):
    """The residual of the head of this module, of impulses x with product = N x; infinite where a
    number is.  Overwrites gradient.
    """
    I, width, worst = P.islands, P.size[WIDTH], 0.0
    for i in range(I[island, I_FIRST], I[island, I_LAST]):
        d, square = P.scale[i], 0.0
        project_contact(P, i, x, P.gradient, product, 1.0 / d, width)
        for c in range(width):
            e = P.gradient[i, c] - x[i, c]
            square += e * e
        if not math.isfinite(square):
            return math.inf
        worst = max(worst, d * d * square)
    return math.sqrt(worst)


@alone(EVERY, NUMBER, PROBLEM, INDEX)
def guess_curvature(P, island):
    """L from one product: |D^-1/2 N x| / |D^1/2 x| with x = gamma - 1 (1 / d).  Overwrites trial
    and its product.
    """
    I, width = P.islands, P.size[WIDTH]
    first, last = I[island, I_FIRST], I[island, I_LAST]
    for i in range(first, last):
        for c in range(width):
            # alternating signs keep the contacts of a chain from cancelling
            P.trial[i, c] = (1.0 if (i + c) % 3 else -1.0) / P.scale[i]
    multiply(P, island, P.trial, P.product_trial)
    top = bottom = 0.0
    for i in range(first, last):
        for c in range(width):
            top += P.product_trial[i, c] ** 2 / P.scale[i]
            bottom += P.trial[i, c] ** 2 * P.scale[i]
    return math.sqrt(top / bottom)


@alone(EVERY, types.UniTuple(NUMBER, 2), PROBLEM, INDEX, NUMBER)
def begin_contacts(P, island, L):
    """Make the impulses in gamma the first iterate, with its product.  L: of the last solve, 0 for
    none.  Returns (residual [m/s], L).
    """
    if not L > 0.0:
        L = guess_curvature(P, island)
    multiply(P, island, P.gamma, P.product_gamma)
    copy_impulses(P, island, P.gamma, P.trial)
    copy_impulses(P, island, P.product_gamma, P.product_trial)
    left = residual(P, island, P.gamma, P.product_gamma)
    return left, min(max(L, 1e-3), LARGEST)


@alone(EVERY, types.UniTuple(NUMBER, 4), PROBLEM, INDEX, NUMBER, NUMBER)
def step_contacts(P, island, beta, L):
    """y <- trial + beta (trial - gamma) and gamma <- trial, unless beta = -1;
    trial <- P(y - (N y + r) / (L d)), and its product.

    With dx = trial - y: (dx N dx, |dx|^2 in the metric of d, (N y + r) (trial - gamma),
    residual [m/s] of trial).  Where the first exceeds L times the second, the last two are not
    needed, and are 0 and infinite.
    """
    I, width = P.islands, P.size[WIDTH]
    first, last = I[island, I_FIRST], I[island, I_LAST]
    gamma, y, trial = P.gamma, P.y, P.trial
    product_gamma, product_y, product = P.product_gamma, P.product_y, P.product_trial
    if beta >= 0.0:
        for i in range(first, last):
            for c in range(width):
                g, p = trial[i, c], product[i, c]
                y[i, c] = g + beta * (g - gamma[i, c])
                product_y[i, c] = p + beta * (p - product_gamma[i, c])
                gamma[i, c], product_gamma[i, c] = g, p
    for i in range(first, last):
        project_contact(P, i, y, trial, product_y, 1.0 / (L * P.scale[i]), width)
    multiply(P, island, trial, product)
    bend, square, forward = 0.0, 0.0, 0.0
    for i in range(first, last):
        bent, far = 0.0, 0.0
        for c in range(width):
            e = trial[i, c] - y[i, c]
            bent += e * (product[i, c] - product_y[i, c])
            far += e * e
        bend += bent
        square += far * P.scale[i]
    if bend > L * square and L < LARGEST:
        return bend, square, 0.0, math.inf
    for i in range(first, last):
        forward += (product_y[i, 0] + P.r[i, 0] + P.shift[i]) * (trial[i, 0] - gamma[i, 0])
        for c in range(1, width):
            forward += (product_y[i, c] + P.r[i, c]) * (trial[i, c] - gamma[i, c])
    return bend, square, forward, residual(P, island, trial, product)


@alone(EVERY, NOTHING, PROBLEM, INDEX)
def end_contacts(P, island):
    """Write the best impulses to gamma, with their product."""
    copy_impulses(P, island, P.best, P.gamma)
    multiply(P, island, P.gamma, P.product_gamma)
