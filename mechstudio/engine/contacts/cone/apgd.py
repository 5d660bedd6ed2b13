"""The cone complementarity problem by accelerated projected gradient descent, one product with N
per iteration.

    minimise 1/2 gamma^T N gamma + gamma^T r over the cone
        (Mazhar, Heyn, Negrut & Tasora 2015, algorithm 1)

Differences: N gamma and N trial are kept, so that N y costs nothing; steps are measured in the
metric of one number per contact (its mean diagonal of N), so that L has no unit; the quadratic
bound is tested as (dx)^T N dx <= L |dx|^2, without cancellation; L is kept from step to step.
Gradient restart after O'Donoghue & Candes 2015.  The best iterate is returned.  Residual [m/s], at
the iterate itself:

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
    multiply,
)
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.standing import EVERY, INDEX, NUMBER, ROWS, VECTOR, alone

SHRINK = 0.9  # of L after every iteration
TRIALS = 40  # of doubling L in one iteration
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
    """The residual of the head of this module, of impulses x with product = N x.  Overwrites
    gradient.
    """
    I, width, worst = P.islands, P.size[WIDTH], 0.0
    for i in range(I[island, I_FIRST], I[island, I_LAST]):
        d, square = P.scale[i], 0.0
        project_contact(P, i, x, P.gradient, product, 1.0 / d, width)
        for c in range(width):
            e = P.gradient[i, c] - x[i, c]
            square += e * e
        worst = max(worst, d * d * square)
    return math.sqrt(worst)


@kernel
def trial_step(P, island, L):
    """trial <- P(y - (N y + r) / (L d)), and its product.  Returns (dx^T N dx, |dx|^2) in the
    metric of d, dx = trial - y.
    """
    I, width = P.islands, P.size[WIDTH]
    first, last = I[island, I_FIRST], I[island, I_LAST]
    for i in range(first, last):
        project_contact(P, i, P.y, P.trial, P.product_y, 1.0 / (L * P.scale[i]), width)
    multiply(P, island, P.trial, P.product_trial)
    bend, square = 0.0, 0.0
    y, trial, product_y, product = P.y, P.trial, P.product_y, P.product_trial
    for i in range(first, last):
        bent, far = 0.0, 0.0
        for c in range(width):
            e = trial[i, c] - y[i, c]
            bent += e * (product[i, c] - product_y[i, c])
            far += e * e
        bend += bent
        square += far * P.scale[i]
    return bend, square


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


@alone(
    EVERY,
    types.Tuple((INDEX, INDEX, NUMBER, NUMBER)),
    PROBLEM,
    INDEX,
    NUMBER,
    INDEX,
    NUMBER,
    VECTOR,
)
def solve_apgd(P, island, tolerance, most, L, curve):
    """Solve for the impulses of one island, from those that stand in P.gamma.

    tolerance [m/s] and most: limits of residual and iterations.  L: of the last solve, 0 for none.
    curve: (iterations,) or (0,), filled with residuals.
    Returns (iterations, products, residual [m/s], L).  P.gamma holds the best iterate,
    P.product_gamma its product with N.
    """
    I, width = P.islands, P.size[WIDTH]
    first, last = I[island, I_FIRST], I[island, I_LAST]
    gamma, y, trial, best = P.gamma, P.y, P.trial, P.best
    product_gamma, product_y, product = P.product_gamma, P.product_y, P.product_trial
    products = 1
    if not L > 0.0:
        L = guess_curvature(P, island)
        products += 1
    L = min(max(L, 1e-3), LARGEST)
    multiply(P, island, gamma, product_gamma)
    least = residual(P, island, gamma, product_gamma)
    for i in range(first, last):
        for c in range(width):
            best[i, c] = y[i, c] = gamma[i, c]
            product_y[i, c] = product_gamma[i, c]
    theta, done = 1.0, 0
    while done < most and not least < tolerance:
        done += 1
        bend, square = trial_step(P, island, L)
        products += 1
        for _ in range(TRIALS):
            if bend <= L * square or L >= LARGEST:
                break
            L = min(max(2.0 * L, bend / square), LARGEST)
            bend, square = trial_step(P, island, L)
            products += 1
        now = residual(P, island, trial, product)
        if now < least:
            least = now
            for i in range(first, last):
                for c in range(width):
                    best[i, c] = trial[i, c]
        if done <= curve.shape[0]:
            curve[done - 1] = least
        forward = 0.0
        for i in range(first, last):
            forward += (product_y[i, 0] + P.r[i, 0] + P.shift[i]) * (trial[i, 0] - gamma[i, 0])
            for c in range(1, width):
                forward += (product_y[i, c] + P.r[i, c]) * (trial[i, c] - gamma[i, c])
        following = 0.5 * theta * (math.sqrt(theta * theta + 4.0) - theta)
        beta = theta * (1.0 - theta) / (theta * theta + following)
        theta = following
        if forward > 0.0:
            beta, theta = 0.0, 1.0
        for i in range(first, last):
            for c in range(width):
                g, p = trial[i, c], product[i, c]
                y[i, c] = g + beta * (g - gamma[i, c])
                product_y[i, c] = p + beta * (p - product_gamma[i, c])
                gamma[i, c], product_gamma[i, c] = g, p
        L *= SHRINK
    if done > 0:
        for i in range(first, last):
            for c in range(width):
                gamma[i, c] = best[i, c]
        multiply(P, island, gamma, product_gamma)
        products += 1
    return done, products, least, L
