"""Arithmetic of intervals and of truncated power series at once (Moore, Kearfott & Cloud,
Introduction to Interval Analysis, 2009, chapter 9).

A row of `W` holds the enclosures of the Taylor coefficients c_0 ... c_p of one quantity over a box,
(lower, upper) side by side.  Ends are widened by rounding.  An unbounded quantity lies between -inf
and inf, and 0 times it is 0, since the values themselves are finite.
"""

import math

from numba import njit

from mechstudio.engine.kernels.columns import CALLED, INLINE
from mechstudio.engine.kernels.compilation.smooth_kernels import kernel
from mechstudio.engine.kernels.loads.law_interpreter import ABS, ACOS, ATAN, MIN

ULP = 2.3e-16
BIGGEST = 1.7e308


@njit(**INLINE)
def down(x):
    """A lower end, widened by rounding."""
    return -math.inf if x != x else min(x - ULP * abs(x), BIGGEST)


@njit(**INLINE)
def up(x):
    """An upper end, widened by rounding."""
    return math.inf if x != x else max(x + ULP * abs(x), -BIGGEST)


@njit(**INLINE)
def part(a, b):
    """a b, where 0 times infinity is 0."""
    return 0.0 if a == 0.0 or b == 0.0 else a * b


@njit(**INLINE)
def times(a, b, c, d):
    """[a, b] [c, d]."""
    if (a == 0.0 and b == 0.0) or (c == 0.0 and d == 0.0):
        return 0.0, 0.0
    w, x, y, z = part(a, c), part(a, d), part(b, c), part(b, d)
    return down(min(min(w, x), min(y, z))), up(max(max(w, x), max(y, z)))


@kernel(**CALLED)
def over(a, b, c, d):
    """[a, b] / [c, d], unbounded if 0 lies in the latter."""
    if c <= 0.0 <= d:
        return (0.0, 0.0) if a == 0.0 and b == 0.0 else (-math.inf, math.inf)
    return times(a, b, down(1.0 / d), up(1.0 / c))


@kernel(**CALLED)
def unbounded(W, i, first, order):
    """Set the coefficients of row i from `first` on to unbounded."""
    for k in range(first, order + 1):
        W[i, 2 * k], W[i, 2 * k + 1] = -math.inf, math.inf


@kernel(**CALLED)
def copy_row(W, a, i, order, sign):
    """Row i <- row a, or its negative."""
    for k in range(order + 1):
        lo, hi = W[a, 2 * k], W[a, 2 * k + 1]
        W[i, 2 * k], W[i, 2 * k + 1] = (lo, hi) if sign > 0.0 else (-hi, -lo)


@kernel(**CALLED)
def add_rows(W, a, b, i, order, sign):
    """Row i <- a + sign b."""
    for k in range(order + 1):
        lo, hi = (W[b, 2 * k], W[b, 2 * k + 1]) if sign > 0.0 else (-W[b, 2 * k + 1], -W[b, 2 * k])
        W[i, 2 * k], W[i, 2 * k + 1] = down(W[a, 2 * k] + lo), up(W[a, 2 * k + 1] + hi)


@kernel(**CALLED)
def multiply_rows(W, a, b, i, order):
    """Row i <- a b, i being neither a nor b.  A square is not negative."""
    for k in range(order + 1):
        lo = hi = 0.0
        for j in range(k + 1):
            x, y = times(W[a, 2 * j], W[a, 2 * j + 1], W[b, 2 * (k - j)], W[b, 2 * (k - j) + 1])
            lo, hi = down(lo + x), up(hi + y)
        W[i, 2 * k], W[i, 2 * k + 1] = lo, hi
    if a == b:
        lo, hi = W[a, 0], W[a, 1]
        least = 0.0 if lo <= 0.0 <= hi else down(min(lo * lo, hi * hi))
        W[i, 0], W[i, 1] = max(least, 0.0), up(max(lo * lo, hi * hi))


@kernel(**CALLED)
def divide_rows(W, a, b, i, order):
    """Row i <- a / b, i being neither a nor b: f b = a."""
    if W[b, 0] <= 0.0 <= W[b, 1]:
        unbounded(W, i, 0, order)
        return
    for k in range(order + 1):
        lo, hi = W[a, 2 * k], W[a, 2 * k + 1]
        for j in range(1, k + 1):
            x, y = times(W[b, 2 * j], W[b, 2 * j + 1], W[i, 2 * (k - j)], W[i, 2 * (k - j) + 1])
            lo, hi = down(lo - y), up(hi - x)
        W[i, 2 * k], W[i, 2 * k + 1] = over(lo, hi, W[b, 0], W[b, 1])


@kernel(**CALLED)
def divide_coefficient(W, q, i, k, lo, hi):
    """c_k of row i from the earlier coefficients:  k c_k q_0 = [lo, hi] - sum_(0 < j < k) j c_j
    q_(k-j).
    """
    for j in range(1, k):
        x, y = times(j * W[i, 2 * j], j * W[i, 2 * j + 1], W[q, 2 * (k - j)], W[q, 2 * (k - j) + 1])
        lo, hi = down(lo - y), up(hi - x)
    lo, hi = over(lo, hi, W[q, 0], W[q, 1])
    W[i, 2 * k], W[i, 2 * k + 1] = down(lo / k), up(hi / k)


@kernel(**CALLED)
def integrate_rows(W, a, q, i, order):
    """Row i from its c_0 on:  f' q = a', so that k c_k q_0 = k a_k - sum_(0 < j < k) j c_j
    q_(k-j).
    """
    for k in range(1, order + 1):
        divide_coefficient(W, q, i, k, k * W[a, 2 * k], k * W[a, 2 * k + 1])


@kernel(**CALLED)
def follow_rows(W, a, q, i, k, sign):
    """c_k of row i:  f' = sign q a', so that k c_k = sign sum_(0 < j <= k) j a_j q_(k-j)."""
    lo = hi = 0.0
    for j in range(1, k + 1):
        x, y = times(j * W[a, 2 * j], j * W[a, 2 * j + 1], W[q, 2 * (k - j)], W[q, 2 * (k - j) + 1])
        lo, hi = down(lo + x), up(hi + y)
    lo, hi = down(lo / k), up(hi / k)
    W[i, 2 * k], W[i, 2 * k + 1] = (lo, hi) if sign > 0.0 else (-hi, -lo)


@kernel(**CALLED)
def sine_range(a, b):
    """Least and largest sine over [a, b]."""
    if not b - a < 6.283185307179586 or abs(a) > 1e15:
        return -1.0, 1.0
    lo, hi = min(math.sin(a), math.sin(b)), max(math.sin(a), math.sin(b))
    # a crest at pi/2 + 2 pi n, a trough at -pi/2 + 2 pi n
    turn, slack = 6.283185307179586, 1e-15 * (1.0 + max(abs(a), abs(b)))
    if math.floor((b + slack - 1.5707963267948966) / turn) > math.floor(
        (a - slack - 1.5707963267948966) / turn
    ):
        hi = 1.0
    if math.floor((b + slack + 1.5707963267948966) / turn) > math.floor(
        (a - slack + 1.5707963267948966) / turn
    ):
        lo = -1.0
    return max(lo - slack, -1.0), min(hi + slack, 1.0)


@kernel(**CALLED)
def waves(W, a, s, c, order):
    """Rows s and c <- sine and cosine of row a."""
    W[s, 0], W[s, 1] = sine_range(W[a, 0], W[a, 1])
    W[c, 0], W[c, 1] = sine_range(
        down(W[a, 0] + 1.5707963267948966), up(W[a, 1] + 1.5707963267948966)
    )
    for k in range(1, order + 1):
        follow_rows(W, a, c, s, k, 1.0)
        follow_rows(W, a, s, c, k, -1.0)


@kernel(**CALLED)
def exponential(W, a, i, order):
    """Row i <- exp a."""
    W[i, 0], W[i, 1] = (
        min(math.exp(W[a, 0]) * (1.0 - 4.0 * ULP), BIGGEST),
        math.exp(W[a, 1]) * (1.0 + 4.0 * ULP),
    )
    for k in range(1, order + 1):
        follow_rows(W, a, i, i, k, 1.0)


@kernel(**CALLED)
def logarithm(W, a, i, order):
    """Row i <- log a."""
    if W[a, 0] <= 0.0:
        unbounded(W, i, 0, order)
        W[i, 1] = up(math.log(W[a, 1])) if W[a, 1] > 0.0 else math.inf
        return
    W[i, 0], W[i, 1] = down(math.log(W[a, 0])) - ULP, up(math.log(W[a, 1])) + ULP
    integrate_rows(W, a, a, i, order)


@kernel(**CALLED)
def root(W, a, i, order):
    """Row i <- sqrt a:  f f = a."""
    W[i, 0], W[i, 1] = down(math.sqrt(max(W[a, 0], 0.0))), up(math.sqrt(max(W[a, 1], 0.0)))
    if W[a, 0] <= 0.0:
        unbounded(W, i, 1, order)
        return
    for k in range(1, order + 1):
        lo, hi = W[a, 2 * k], W[a, 2 * k + 1]
        for j in range(1, k):
            x, y = times(W[i, 2 * j], W[i, 2 * j + 1], W[i, 2 * (k - j)], W[i, 2 * (k - j) + 1])
            lo, hi = down(lo - y), up(hi - x)
        W[i, 2 * k], W[i, 2 * k + 1] = over(lo, hi, 2.0 * W[i, 0], 2.0 * W[i, 1])


@kernel(**CALLED)
def arc(W, a, i, spare, order, op):
    """Row i <- asin, acos or atan of row a."""
    lo, hi, q, r = W[a, 0], W[a, 1], spare, spare + 1
    multiply_rows(W, a, a, q, order)
    if op == ATAN:
        W[q, 0], W[q, 1] = down(1.0 + W[q, 0]), up(1.0 + W[q, 1])
        W[i, 0], W[i, 1] = down(math.atan(lo)), up(math.atan(hi))
        integrate_rows(W, a, q, i, order)
        return
    copy_row(W, q, r, order, -1.0)
    W[r, 0], W[r, 1] = down(1.0 + W[r, 0]), up(1.0 + W[r, 1])
    W[i, 0], W[i, 1] = (
        down(math.asin(max(min(lo, 1.0), -1.0))),
        up(math.asin(min(max(hi, -1.0), 1.0))),
    )
    if lo <= -1.0 or hi >= 1.0:
        unbounded(W, i, 1, order)
    else:
        root(W, r, q, order)
        integrate_rows(W, a, q, i, order)
    if op == ACOS:
        copy_row(W, i, i, order, -1.0)
        W[i, 0], W[i, 1] = down(1.5707963267948966 + W[i, 0]), up(1.5707963267948966 + W[i, 1])


@kernel(**CALLED)
def raise_row(W, a, i, spare, order, n):
    """Row i <- a^n for a whole n > 0, by squares: an even power is not negative."""
    now, other, result, started = spare, spare + 1, spare + 2, False
    copy_row(W, a, now, order, 1.0)
    lo, hi = W[a, 0], W[a, 1]
    left = n
    while left > 0:
        if left % 2 == 1:
            if started:
                multiply_rows(W, result, now, other, order)
                copy_row(W, other, result, order, 1.0)
            else:
                copy_row(W, now, result, order, 1.0)
                started = True
        left //= 2
        if left > 0:
            multiply_rows(W, now, now, other, order)
            copy_row(W, other, now, order, 1.0)
    copy_row(W, result, i, order, 1.0)
    if n % 2 == 0:
        most, least = max(-lo, hi), 0.0 if lo <= 0.0 <= hi else min(abs(lo), abs(hi))
        W[i, 0], W[i, 1] = (
            math.pow(least, n) * (1.0 - 4.0 * ULP),
            math.pow(most, n) * (1.0 + 4.0 * ULP),
        )


@kernel(**CALLED)
def power_row(W, a, i, spare, order, w):
    """Row i <- a^w for a constant w:  f' a = w a' f."""
    if w == 0.0 or (w == math.floor(w) and 0.0 < w <= 64.0):
        if w == 0.0:
            for k in range(1, order + 1):
                W[i, 2 * k] = W[i, 2 * k + 1] = 0.0
            W[i, 0] = W[i, 1] = 1.0
        else:
            raise_row(W, a, i, spare, order, int(w))
        return
    lo, hi = W[a, 0], W[a, 1]
    whole = w == math.floor(w)
    if lo <= 0.0 and not (hi < 0.0 and whole):
        unbounded(W, i, 0, order)
        if w > 0.0:
            W[i, 0], W[i, 1] = 0.0, math.pow(max(hi, 0.0), w) * (1.0 + 4.0 * ULP)
        return
    x, y = math.pow(lo, w), math.pow(hi, w)
    W[i, 0], W[i, 1] = min(x, y), min(max(x, y), BIGGEST)
    W[i, 0], W[i, 1] = down(down(W[i, 0])), up(up(W[i, 1]))
    for k in range(1, order + 1):
        x = y = 0.0
        for j in range(1, k + 1):
            lo, hi = times(W[a, 2 * j], W[a, 2 * j + 1], W[i, 2 * (k - j)], W[i, 2 * (k - j) + 1])
            share = (j * w - (k - j)) / k
            lo, hi = (share * lo, share * hi) if share >= 0.0 else (share * hi, share * lo)
            # 0 times infinity
            x, y = down(x + (0.0 if share == 0.0 else lo)), up(y + (0.0 if share == 0.0 else hi))
        W[i, 2 * k], W[i, 2 * k + 1] = over(x, y, W[a, 0], W[a, 1])


@kernel(**CALLED)
def turn_row(W, a, b, i, spare, order):
    """Row i <- atan2(a, b):  f' (a^2 + b^2) = b a' - a b'."""
    q, r, lo, hi = spare, spare + 1, 0.0, 0.0
    multiply_rows(W, a, a, q, order)
    multiply_rows(W, b, b, r, order)
    add_rows(W, q, r, q, order, 1.0)
    if W[b, 0] <= 0.0 and W[a, 0] <= 0.0 <= W[a, 1]:
        # the jump may lie within
        unbounded(W, i, 1, order)
        W[i, 0], W[i, 1] = -3.141592653589794, 3.141592653589794
        return
    lo, hi = 4.0, -4.0
    for m in range(2):
        for n in range(2):
            angle = math.atan2(W[a, m], W[b, n])
            lo, hi = min(lo, angle), max(hi, angle)
    W[i, 0], W[i, 1] = down(lo), up(hi)
    for k in range(1, order + 1):
        # k times the k-th coefficient of the right side's integral
        lo = hi = 0.0
        for j in range(k):
            m = k - j
            x, y = times(m * W[a, 2 * m], m * W[a, 2 * m + 1], W[b, 2 * j], W[b, 2 * j + 1])
            lo, hi = down(lo + x), up(hi + y)
            x, y = times(m * W[b, 2 * m], m * W[b, 2 * m + 1], W[a, 2 * j], W[a, 2 * j + 1])
            lo, hi = down(lo - y), up(hi - x)
        divide_coefficient(W, q, i, k, lo, hi)


@kernel(**CALLED)
def fork_row(W, a, b, i, order, op):
    """Row i <- abs a, or min or max of a and b.  Returns whether it may have a corner there; the
    bounds enclose both sides.
    """
    if op == ABS:
        if W[a, 0] >= 0.0 or W[a, 1] <= 0.0:
            copy_row(W, a, i, order, 1.0 if W[a, 0] >= 0.0 else -1.0)
            return False
        for k in range(order + 1):
            most = max(-W[a, 2 * k], W[a, 2 * k + 1])
            W[i, 2 * k], W[i, 2 * k + 1] = 0.0 if k == 0 else -most, most
        return True
    first, second = (a, b) if op == MIN else (b, a)
    if W[first, 1] <= W[second, 0]:
        copy_row(W, a, i, order, 1.0)
        return False
    if W[second, 1] <= W[first, 0]:
        copy_row(W, b, i, order, 1.0)
        return False
    same = True
    for k in range(order + 1):
        lo, hi, x, y = W[a, 2 * k], W[a, 2 * k + 1], W[b, 2 * k], W[b, 2 * k + 1]
        same = same and lo == hi and x == y and lo == x
        W[i, 2 * k], W[i, 2 * k + 1] = min(lo, x), max(hi, y)
    lo, hi, x, y = W[a, 0], W[a, 1], W[b, 0], W[b, 1]
    W[i, 0], W[i, 1] = (min(lo, x), min(hi, y)) if op == MIN else (max(lo, x), max(hi, y))
    return not same
