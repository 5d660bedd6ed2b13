"""Laws read inside the kernel: polynomial pieces, sines, and typed expressions run as bytecode.
Nothing is compiled when a law is edited.

Each instruction keeps its result in its own row of code_const (value, slope, curvature), so that
there is no stack, repeated terms are computed once, and nothing is allocated.  Constants are in
their rows from the beginning; a law's variables are written into theirs before the rest runs.  A
result outside the domain is NaN, which a run reports (engine/system/law_tables.py, `unfit_laws`).
The chain rules are those of model/laws/evaluation.py, with which tests compare them.
"""

import math

from numba import njit

from mechstudio.engine.kernels.columns import (
    C_A,
    C_B,
    C_CURVE,
    C_OP,
    C_RATE,
    C_SLOPE,
    C_VALUE,
    CALLED,
    EXPRESSION,
    F_LAW0,
    F_LAW1,
    GENEVA,
    INLINE,
    L_BEGIN,
    L_COEFFICIENT,
    L_COUNT,
    L_FIRST,
    L_INVERSE,
    L_ORIGIN,
    L_PARAMETER,
    L_RATE,
    L_TYPE,
    LAW_CONSTS,
    OPTIONS,
    SINE,
    TURNING,
    V_CLOCK,
    V_COORDINATE,
    V_POINT,
    V_RATE,
    V_V,
    V_X,
    XRATE,
)
from mechstudio.engine.kernels.compilation.smooth_kernels import kernel
from mechstudio.engine.kernels.kernel_table import (
    INDEX,
    LAWS,
    NOTHING,
    NUMBER,
    TABLES,
    VECTOR,
    alone,
)

# operations; the first two are not executed: their rows are filled before
(
    CONSTANT,
    VARIABLE,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    NEGATE,
    POWER,
    FIXED_POWER,
    MIN,
    MAX,
    HYPOT,
    ATAN2,
    SIN,
    COS,
    TAN,
    ASIN,
    ACOS,
    ATAN,
    SQRT,
    EXP,
    LOG,
    ABS,
) = range(23)


@njit(**INLINE)
def power_of(u, c):
    """u^c; NaN outside its domain, also for nan^0 and 1^nan, which are 1 in C."""
    return math.nan if (u == 0.0 and c < 0.0) or u != u or c != c else math.pow(u, c)


@njit(**INLINE)
def unary(op, u):
    """F, F' and F'' of a function of one number."""
    if op == SIN or op == COS:
        s, c = math.sin(u), math.cos(u)
        if op == SIN:
            return s, c, -s
        return c, -s, -c
    if op == TAN:
        f = math.tan(u)
        return f, 1.0 + f * f, 2.0 * f * (1.0 + f * f)
    if op == ASIN or op == ACOS:
        d = 1.0 / math.sqrt(1.0 - u * u)
        if op == ASIN:
            return math.asin(u), d, u * d * d * d
        return math.acos(u), -d, -u * d * d * d
    if op == ATAN:
        d = 1.0 / (1.0 + u * u)
        return math.atan(u), d, -2.0 * u * d * d
    if op == SQRT:
        f = math.sqrt(u)
        return f, 0.5 / f, -0.25 / (f * u)
    if op == EXP:
        f = math.exp(u)
        return f, f, f
    if op == LOG:
        return math.log(u) if u > 0.0 else math.nan, 1.0 / u, -1.0 / (u * u)
    return abs(u), 1.0 if u > 0.0 else (-1.0 if u < 0.0 else 0.0), 0.0


@kernel(**CALLED)
def run_code(laws, code, X, row, slopes):
    """Run a law's instructions.  Returns (f, f', f''); without `slopes` the last two are zero and
    not computed.  Its variables' rows of X are filled.

    It takes its own tables only: passing all of them would cost more than a short law.
    """
    first = laws[row, L_FIRST]
    last = first + laws[row, L_COUNT]
    for i in range(first, last):
        op = code[i, C_OP]
        if op <= VARIABLE:
            continue
        a, b = first + code[i, C_A], first + code[i, C_B]
        u, w = X[a, C_VALUE], X[b, C_VALUE]
        u1, w1, u2, w2 = X[a, C_SLOPE], X[b, C_SLOPE], X[a, C_CURVE], X[b, C_CURVE]
        f = g = h = 0.0
        if op == ADD:
            f, g, h = u + w, u1 + w1, u2 + w2
        elif op == SUBTRACT:
            f, g, h = u - w, u1 - w1, u2 - w2
        elif op == MULTIPLY:
            f, g, h = u * w, u1 * w + u * w1, u2 * w + 2.0 * u1 * w1 + u * w2
        elif op == DIVIDE:
            f = u / w if w != 0.0 else math.nan
            g = (u1 - f * w1) / w
            h = (u2 - 2.0 * g * w1 - f * w2) / w
        elif op == NEGATE:
            f, g, h = -u, -u1, -u2
        elif op == FIXED_POWER:
            f = power_of(u, w)
            if slopes and (u1 != 0.0 or u2 != 0.0):
                d1 = w * power_of(u, w - 1.0) if w != 0.0 else 0.0
                d2 = w * (w - 1.0) * power_of(u, w - 2.0) if w != 0.0 and w != 1.0 else 0.0
                g, h = d1 * u1, d2 * u1 * u1 + d1 * u2
        elif op == POWER:
            f = power_of(u, w)
            if slopes and (w1 != 0.0 or w2 != 0.0):
                # u^w (w log u)'
                e, e1, e2 = unary(LOG, u)
                e1, e2 = e1 * u1, e2 * u1 * u1 + e1 * u2
                g, h = w1 * e + w * e1, w2 * e + 2.0 * w1 * e1 + w * e2
                g, h = f * g, f * (h + g * g)
            elif slopes and (u1 != 0.0 or u2 != 0.0):
                d1 = w * power_of(u, w - 1.0) if w != 0.0 else 0.0
                d2 = w * (w - 1.0) * power_of(u, w - 2.0) if w != 0.0 and w != 1.0 else 0.0
                g, h = d1 * u1, d2 * u1 * u1 + d1 * u2
        elif op == MIN or op == MAX:
            below = u <= w if op == MIN else u >= w
            if below:
                f, g, h = u, u1, u2
            elif u == u and w == w:
                f, g, h = w, w1, w2
            else:
                f = math.nan
        elif op == HYPOT or op == ATAN2:
            f = math.hypot(u, w) if op == HYPOT else math.atan2(u, w)
            if slopes and (u1 != 0.0 or u2 != 0.0 or w1 != 0.0 or w2 != 0.0):
                if op == HYPOT:
                    g = (u * u1 + w * w1) / f
                    h = (u1 * u1 + u * u2 + w1 * w1 + w * w2 - g * g) / f
                else:
                    r2 = u * u + w * w
                    g = (w * u1 - u * w1) / r2
                    h = (w * u2 - u * w2 - 2.0 * g * (w * w1 + u * u1)) / r2
        else:
            f, d1, d2 = unary(op, u)
            # a constant has no slope, whatever F' is
            if u1 != 0.0 or u2 != 0.0:
                g, h = d1 * u1, d2 * u1 * u1 + d1 * u2
        X[i, C_VALUE] = f
        if slopes:
            X[i, C_SLOPE], X[i, C_CURVE] = g, h
    if slopes:
        return X[last - 1, C_VALUE], X[last - 1, C_SLOPE], X[last - 1, C_CURVE]
    return X[last - 1, C_VALUE], 0.0, 0.0


@njit(**INLINE)
def geneva_jet(P, row, s):
    """model/laws/geneva.py, `geneva_jet`."""
    begin, end, step, sense, m = P[row, 0], P[row, 1], P[row, 2], P[row, 3], P[row, 4]
    turns = math.floor((s - begin) / (2.0 * math.pi))
    s -= 2.0 * math.pi * turns
    if s >= end:
        return step * (turns + 1.0), 0.0, 0.0
    phi = s - 0.5 * (begin + end)
    sine, cosine = math.sin(phi), math.cos(phi)
    apart = 1.0 + m * (m - 2.0 * cosine)
    f = step * (turns + 0.5) - sense * math.atan2(m * sine, 1.0 - m * cosine)
    g = -sense * m * (cosine - m) / apart
    return f, g, sense * m * sine * (1.0 - m * m) / (apart * apart)


@njit(**INLINE)
def law_jet(T, row, s):
    """(f, f', f'') of a law of one variable s; at a corner those of the piece beginning there."""
    return jet_of(T.laws, T.law_const, T.code, T.code_const, row, s)


@kernel(**CALLED)
def jet_of(laws, P, code, X, row, s):
    """`law_jet` from its own tables."""
    kind, first, count = laws[row, L_TYPE], laws[row, L_FIRST], laws[row, L_COUNT]
    if kind == EXPRESSION:
        for i in range(first, first + count):
            if code[i, C_OP] == VARIABLE:
                X[i, C_VALUE], X[i, C_SLOPE], X[i, C_CURVE] = s, 1.0, 0.0
        return run_code(laws, code, X, row, True)
    if kind == SINE:
        offset, amplitude, omega, x = (
            P[first, 0],
            P[first, 1],
            P[first, 2],
            P[first, 2] * s + P[first, 3],
        )
        f = amplitude * math.sin(x)
        return offset + f, amplitude * omega * math.cos(x), -omega * omega * f
    if kind == GENEVA:
        return geneva_jet(P, first, s)
    if kind == TURNING:
        s -= 2.0 * math.pi * math.floor((s - P[first, L_BEGIN]) / (2.0 * math.pi))
    # the last piece that begins at or before s
    low, high = first, first + count
    while high - low > 1:
        middle = (low + high) // 2
        if P[middle, L_BEGIN] <= s:
            low = middle
        else:
            high = middle
    inverse = P[low, L_INVERSE]
    u = (s - P[low, L_ORIGIN]) * inverse
    f = g = h = 0.0
    for k in range(LAW_CONSTS - 1, L_COEFFICIENT - 1, -1):
        h = h * u + 2.0 * g
        g = g * u + f
        f = f * u + P[low, k]
    return f, g * inverse, h * inverse * inverse


@njit(**INLINE)
def law_value(T, row, y, nq, x, v, px, py, pz, vx, vy, vz, slopes):
    """(f, df/dt) of a law of a force's parameter.  df/dt includes the rates of the time and of
    coordinates, and is 0 without `slopes`.

    y: state, whose last entry is the time.  x, v: the force's own coordinate and rate.  px ... vz:
    of a BODY force, place [m] and velocity
    [m/s] in W of its point.   The readings' rates stand in T.read.
    """
    laws, code, X = T.laws, T.code, T.code_const
    t = y[y.shape[0] - 1]
    if laws[row, L_TYPE] != EXPRESSION:
        f, g, _h = law_jet(T, row, t)
        return f, g
    for i in range(laws[row, L_FIRST], laws[row, L_FIRST] + laws[row, L_COUNT]):
        if code[i, C_OP] != VARIABLE:
            continue
        which, place, at = code[i, C_A], code[i, C_B], code[i, C_RATE]
        value, slope = 0.0, 0.0
        if which == V_CLOCK:
            value, slope = t, 1.0
        elif which == V_X:
            value, slope = x, v
        elif which == V_V:
            value = v
        elif which == V_POINT:
            if place < 3:
                value = px if place == 0 else (py if place == 1 else pz)
                slope = vx if place == 0 else (vy if place == 1 else vz)
            else:
                value = vx if place == 3 else (vy if place == 4 else vz)
        else:
            rate = y[nq + at] if at >= 0 else T.read[-1 - at, XRATE]
            if which == V_COORDINATE:
                value, slope = y[place], rate
            elif which == V_RATE:
                value = rate
        X[i, C_VALUE], X[i, C_SLOPE], X[i, C_CURVE] = value, slope, 0.0
    f, g, _h = run_code(laws, code, X, row, slopes)
    return f, g


@alone(LAWS, NOTHING, TABLES, INDEX, VECTOR, INDEX, *[NUMBER] * 8)
def follow_laws(T, s, y, nq, x, v, px, py, pz, vx, vy, vz):
    """Write the parameters of force s that follow laws, and the rates that it needs, into its row
    of force_const.
    """
    laws, const = T.laws, T.force_const
    for row in range(T.forces[s, F_LAW0], T.forces[s, F_LAW1]):
        rate = laws[row, L_RATE]
        f, g = law_value(T, row, y, nq, x, v, px, py, pz, vx, vy, vz, rate >= 0)
        const[s, laws[row, L_PARAMETER]] = f
        if rate >= 0:
            const[s, rate] = g


@kernel(**OPTIONS)
def law_jets(T, row, s, out):
    """The jets of a law at s (n,) into out (n, 3)."""
    for i in range(s.shape[0]):
        out[i, 0], out[i, 1], out[i, 2] = law_jet(T, row, s[i])
