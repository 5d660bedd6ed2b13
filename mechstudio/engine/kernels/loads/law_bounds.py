"""Bounds of typed laws over intervals of their variables, and the check that the stages of a step
resolve a law between them.

Each instruction of a law keeps the enclosures of its Taylor coefficients over a box in a row of
`W`, as in interval_series.py.  A step of order p resolves a law whose coefficient c_p, in units of
the step, is small.
"""

import math

from numba import njit

from mechstudio.engine.kernels.columns import (
    C_A,
    C_B,
    C_OP,
    C_VALUE,
    CALLED,
    INLINE,
    L_COUNT,
    L_FIRST,
    OPTIONS,
)
from mechstudio.engine.kernels.compilation.smooth_kernels import kernel
from mechstudio.engine.kernels.kernel_table import FEATURES, INDEX, NOTHING, NUMBER, TABLES, alone
from mechstudio.engine.kernels.loads.interval_series import (
    BIGGEST,
    add_rows,
    arc,
    copy_row,
    divide_rows,
    down,
    exponential,
    fork_row,
    logarithm,
    multiply_rows,
    power_row,
    root,
    turn_row,
    up,
    waves,
)
from mechstudio.engine.kernels.loads.law_interpreter import (
    ABS,
    ADD,
    ATAN2,
    CONSTANT,
    COS,
    DIVIDE,
    EXP,
    FIXED_POWER,
    HYPOT,
    LOG,
    MAX,
    MIN,
    MULTIPLY,
    NEGATE,
    POWER,
    SIN,
    SQRT,
    SUBTRACT,
    TAN,
    VARIABLE,
)
from mechstudio.engine.kernels.run_tables import (
    CORNER,
    CURVED,
    FIRST,
    LAST,
    LOWER,
    ORDER,
    SHARE,
    SHORTEN,
    UPPER,
    WATCHED,
    Watch,
)

WATCH = Watch.compiled_type
DEPTH = 8  # most halvings of a step in search of bounds
MOST_LOOKS = 96  # enclosures of one law in one step


@alone(FEATURES, NOTHING, TABLES, WATCH, INDEX)
def enclose(T, watch, row):
    """watch.found <- bounds of a law over the box of its variables, given in their rows of
    watch.box.
    """
    code, X, W, order = T.code, T.code_const, watch.box, watch.size[ORDER]
    first, count = T.laws[row, L_FIRST], T.laws[row, L_COUNT]
    spare, corner = count, False
    for n in range(count):
        op = code[first + n, C_OP]
        if op == VARIABLE:
            continue
        if op == CONSTANT:
            for k in range(1, order + 1):
                W[n, 2 * k] = W[n, 2 * k + 1] = 0.0
            W[n, 0] = W[n, 1] = X[first + n, C_VALUE]
            continue
        a, b = code[first + n, C_A], code[first + n, C_B]
        if op == ADD or op == SUBTRACT:
            add_rows(W, a, b, n, order, 1.0 if op == ADD else -1.0)
        elif op == MULTIPLY:
            multiply_rows(W, a, b, n, order)
        elif op == DIVIDE:
            divide_rows(W, a, b, n, order)
        elif op == NEGATE:
            copy_row(W, a, n, order, -1.0)
        elif op == FIXED_POWER:
            power_row(W, a, n, spare, order, X[first + b, C_VALUE])
        elif op == POWER:
            logarithm(W, a, spare, order)
            multiply_rows(W, spare, b, spare + 1, order)
            exponential(W, spare + 1, n, order)
        elif op == ABS or op == MIN or op == MAX:
            corner = fork_row(W, a, b, n, order, op) or corner
        elif op == HYPOT:
            multiply_rows(W, a, a, spare, order)
            multiply_rows(W, b, b, spare + 1, order)
            add_rows(W, spare, spare + 1, spare, order, 1.0)
            root(W, spare, n, order)
        elif op == ATAN2:
            turn_row(W, a, b, n, spare, order)
        elif op == SIN:
            waves(W, a, n, spare, order)
        elif op == COS:
            waves(W, a, spare, n, order)
        elif op == TAN:
            waves(W, a, spare, spare + 1, order)
            divide_rows(W, spare, spare + 1, n, order)
        elif op == EXP:
            exponential(W, a, n, order)
        elif op == LOG:
            logarithm(W, a, n, order)
        elif op == SQRT:
            root(W, a, n, order)
        else:
            arc(W, a, n, spare, order, op)
    last, found = count - 1, watch.found
    found[LOWER], found[UPPER] = W[last, 0], W[last, 1]
    found[CURVED] = max(-W[last, 2 * order], W[last, 2 * order + 1])
    found[CORNER] = 1.0 if corner else 0.0


@njit(**INLINE)
def set_variable(W, n, order, low, high, slowest, fastest):
    """Row n <- a variable between two ends, with a slope between two others."""
    for k in range(order + 1):
        W[n, 2 * k] = W[n, 2 * k + 1] = 0.0
    W[n, 0], W[n, 1], W[n, 2], W[n, 3] = low, high, slowest, fastest


@kernel(**OPTIONS)
def enclose_over_time(T, watch, row, start, end):
    """watch.found <- bounds of a law of the time alone over [start, end] [s], c_p in units of its
    length.
    """
    first = T.laws[row, L_FIRST]
    for n in range(T.laws[row, L_COUNT]):
        if T.code[first + n, C_OP] == VARIABLE:
            set_variable(watch.box, n, watch.size[ORDER], start, end, end - start, end - start)
    enclose(T, watch, row)


@kernel(**OPTIONS)
def enclose_everywhere(T, watch, row):
    """watch.found <- bounds of a law for all values of its variables that change by at most 1 in a
    step: c_p of a polynomial is 0.
    """
    first = T.laws[row, L_FIRST]
    for n in range(T.laws[row, L_COUNT]):
        if T.code[first + n, C_OP] == VARIABLE:
            set_variable(watch.box, n, watch.size[ORDER], -math.inf, math.inf, -1.0, 1.0)
    enclose(T, watch, row)


# features of a law within a step, from the values of its variables at the step's stages


@alone(FEATURES, NOTHING, TABLES, WATCH, INDEX)
def note_stage(T, watch, s):
    """watch.seen[s] <- values of the variables of the watched laws, and of the laws, after a
    right-hand side.
    """
    laws, X, place = T.laws, T.code_const, 0
    for w in range(watch.laws.shape[0]):
        first = laws[watch.laws[w, WATCHED], L_FIRST]
        for x in range(watch.laws[w, FIRST], watch.laws[w, LAST]):
            watch.seen[s, place] = X[first + watch.variables[x], C_VALUE]
            place += 1
        watch.seen[s, place] = X[first + laws[watch.laws[w, WATCHED], L_COUNT] - 1, C_VALUE]
        place += 1


@kernel(**CALLED)
def bound_variable(T, watch, n, place, stages, low, high):
    """Fill the row of a variable between two positions of the step, 0 to 1: the range of its values
    at the stages around, with a margin for its curvature.
    """
    seen, nodes, order_of = watch.seen, watch.nodes, watch.order_of
    least, most, slowest, fastest, bend, before = math.inf, -math.inf, math.inf, -math.inf, 0.0, 0.0
    known = False
    for i in range(stages - 1):
        a, b = order_of[i], order_of[i + 1]
        x, y, step = seen[a, place], seen[b, place], nodes[b] - nodes[a]
        if step <= 1e-9:
            continue
        slope = (y - x) / step
        slowest, fastest = min(slowest, slope), max(fastest, slope)
        if known:
            bend = max(bend, abs(slope - before) * step)
        before, known = slope, True
        if nodes[b] < low or nodes[a] > high:
            continue
        u, v = (
            x + slope * (max(low, nodes[a]) - nodes[a]),
            x + slope * (min(high, nodes[b]) - nodes[a]),
        )
        least, most = min(least, min(u, v)), max(most, max(u, v))
    spread = 0.5 * (fastest - slowest)
    set_variable(
        watch.box,
        n,
        watch.size[ORDER],
        down(least - 0.5 * bend),
        up(most + 0.5 * bend),
        slowest - spread,
        fastest + spread,
    )


@kernel(**CALLED)
def look(T, watch, w, place, stages, low, high):
    """watch.found of watched law w between two positions of the step, 0 to 1; c_p in units of the
    whole step. place: of its first variable in `seen`.
    """
    for x in range(watch.laws[w, FIRST], watch.laws[w, LAST]):
        bound_variable(
            T, watch, watch.variables[x], place + x - watch.laws[w, FIRST], stages, low, high
        )
    enclose(T, watch, watch.laws[w, WATCHED])


@kernel(**CALLED)
def hidden_from(T, watch, w, place, stages):
    """Position in the step, 0 to 1, from which watched law w may have a feature that the stages
    miss, 2 if there is none. watch.found[SHORTEN]: part of the step that would be short enough.
    """
    found, share, order = watch.found, watch.settings[SHARE], watch.size[ORDER]
    result = place + watch.laws[w, LAST] - watch.laws[w, FIRST]
    least, most, size = math.inf, -math.inf, watch.scale[w]
    for s in range(stages):
        least, most = min(least, watch.seen[s, result]), max(most, watch.seen[s, result])
    size = watch.scale[w] = max(size, max(abs(least), abs(most)))
    # intervals of the step from its beginning on, each halved until it is bounded; number and depth
    # give its position
    number, depth, looks = 0, 0, 0
    while True:
        width = 1.0 / (1 << depth)
        low = number * width
        look(T, watch, w, place, stages, low, low + width)
        looks += 1
        slack = 0.25 * (most - least) + share * size
        plain = found[CORNER] == 0.0 or (
            found[LOWER] >= least - slack and found[UPPER] <= most + slack
        )
        if plain and found[CURVED] <= share * size:
            number += 1
            while depth > 0 and number % 2 == 0:
                number //= 2
                depth -= 1
            if depth == 0:
                return 2.0
            continue
        if depth < DEPTH and looks < MOST_LOOKS:
            depth += 1
            number *= 2
            continue
        reach = max(abs(found[LOWER]), abs(found[UPPER]))
        if reach < BIGGEST:
            watch.scale[w] = max(size, reach)
        enough = (
            (share * watch.scale[w] / found[CURVED]) ** (1.0 / order)
            if plain and 0.0 < found[CURVED] < BIGGEST
            else 0.0
        )
        found[SHORTEN] = min(max(0.9 * enough, 0.1), 0.7)
        return low


@alone(FEATURES, NUMBER, TABLES, WATCH, INDEX)
def hides(T, watch, stages):
    """Part of a step to repeat if a watched law may have a feature between its stages; 1 if none
    has.
    """
    place, part_of_step = 0, 1.0
    for w in range(watch.laws.shape[0]):
        start = hidden_from(T, watch, w, place, stages)
        if start < 2.0:
            part_of_step = min(part_of_step, max(0.98 * start, watch.found[SHORTEN]))
        place += watch.laws[w, LAST] - watch.laws[w, FIRST] + 1
    return part_of_step


@kernel(**OPTIONS)
def unseen_part(T, watch, stages):
    """`hides` for callers in Python."""
    return hides(T, watch, stages)


@kernel(**OPTIONS)
def note(T, watch, s):
    """`note_stage` for callers in Python."""
    note_stage(T, watch, s)
