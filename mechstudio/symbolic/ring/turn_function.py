"""The one function that finite turns need: F(u) = phi / (2 sin phi) of the trace u = 1 + 2 cos phi
of a rotation matrix R.

With it the rotation vector of R is F (R_zy - R_yz, R_xz - R_zx, R_yx - R_xy) and an angle from its
sine and cosine is 2 F(1 + 2 cos) sin; both up to half a turn.  F is analytic at u = 3, where
nothing is turned.
"""

import math

ATTITUDE = "attitude"  # kind of the function among those of the drawing
_NEAR = 0.05  # 3 - u below which the series takes the place of the closed form


def _series() -> tuple[float, ...]:
    """Coefficients of F in w = 3 - u, from its equation w (4 - w) dF/dw + (2 - w) F = 1: 2 c_0 = 1,
    (4 n + 2) c_n = n c_(n-1).
    """
    out = [0.5]
    for n in range(1, 18):
        out.append(out[-1] * n / (4 * n + 2))
    return tuple(out)


_COEFFICIENTS = _series()


def turn_function(u: float) -> tuple[float, float, float, float]:
    """F and its derivatives by u up to the third.  At half a turn (u = -1) F is infinite; below it
    the value at half a turn is returned.
    """
    w = min(max(3.0 - u, 0.0), 4.0 - 1e-12)
    if w < _NEAR:
        f = [0.0] * 4
        for k, c in enumerate(_COEFFICIENTS):
            for d in range(min(k, 3) + 1):
                f[d] += c * math.perm(k, d) * w ** (k - d)
    else:
        c = 1.0 - w / 2.0
        sine = math.sqrt(w * (1.0 - w / 4.0))
        # sine = sin phi, as w = 2 - 2 cos phi
        f = [math.atan2(sine, c) / (2.0 * sine), 0.0, 0.0, 0.0]
        p, slope = w * (4.0 - w), 4.0 - 2.0 * w
        f[1] = (1.0 - (2.0 - w) * f[0]) / p
        f[2] = (f[0] - (2.0 - w) * f[1] - slope * f[1]) / p
        f[3] = (2.0 * f[1] - (2.0 - w) * f[2] - 2.0 * slope * f[2] + 2.0 * f[1]) / p
    return f[0], -f[1], f[2], -f[3]


__all__ = ["ATTITUDE", "turn_function"]
