"""Fixed skew attitudes split so that as little of them as possible stays: the first and last turn
join the joints' own turns.
"""

import math

from mechstudio.model.geometry.rotation import Triple

Matrix = tuple[Triple, Triple, Triple]


def split(R: Matrix, first: int, last: int) -> list[tuple[int, float]]:
    """R as three turns [(axis, angle [rad])] of which the first and the last are about given axes.

    first == last: R = R_p(a) R_m(b) R_p(c), m the axis after p.  Else R = R_p(a) R_m(b) R_c(c) with
    the third axis m.
    Where the outer turns cannot be distinguished the last one is zero.
    """
    if first == last:
        return _proper(R, first)
    p, c = first, last
    m = 3 - p - c
    sign = 1.0 if (p + 1) % 3 == m else -1.0
    b = math.atan2(sign * R[p][c], math.hypot(R[p][p], R[p][m]))
    if math.hypot(R[p][p], R[p][m]) < 1e-12:
        return [(p, math.atan2(sign * R[c][m], R[m][m])), (m, b), (c, 0.0)]
    return [
        (p, math.atan2(-sign * R[m][c], R[c][c])),
        (m, b),
        (c, math.atan2(-sign * R[p][m], R[p][p])),
    ]


def _proper(R: Matrix, p: int) -> list[tuple[int, float]]:
    m, n = (p + 1) % 3, (p + 2) % 3
    sine = math.hypot(R[m][p], R[n][p])
    b = math.atan2(sine, R[p][p])
    if sine < 1e-12:
        # b = 0 or 180 deg: R = R_p(a) or R_p(a) R_m(180 deg)
        return [(p, math.atan2(R[n][m], R[m][m])), (m, 0.0 if R[p][p] > 0 else math.pi), (p, 0.0)]
    return [(p, math.atan2(R[m][p], -R[n][p])), (m, b), (p, math.atan2(R[p][m], R[p][n]))]
