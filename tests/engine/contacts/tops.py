"""Tops on a plane by other means than contacts: differential equations of a body that rolls or
slides at one point, in body axes, integrated by DOP853.

n: the upward vertical in body axes.  r(n): from the centre of mass to the foot.  Both are unknown
to the engine, which knows shapes and impulses.
"""

import numpy as np
from scipy.integrate import solve_ivp

from tests.engine.contacts.cases import G


def ellipsoid_foot(a, b, c, above):
    """r(n) of an ellipsoid whose middle stands `above` the centre of mass [m], and dr for a change
    of n.
    """
    D = np.diag([a * a, b * b, c * c])

    def foot(n):
        return np.array([0.0, 0.0, above]) - D @ n / np.sqrt(n @ D @ n)

    def change(n, dn):
        s = np.sqrt(n @ D @ n)
        return -D @ dn / s + D @ n * (n @ D @ dn) / s**3

    return foot, change


def rolling(I, m, foot, change, n0, w0, times):
    """Angular velocities (times, 3) in body axes and verticals (times, 3) of a body that rolls
    without slipping (Kane & Levinson 1982).

    v = r x w;   I w' + w x I w = r x F,   F = m (v' + w x v + G n),   n' = n x w.
    """
    cross = np.cross

    def slope(t, y):
        w, n = y[:3], y[3:]
        r, dn = foot(n), cross(n, w)
        dr, v = change(n, dn), cross(r, w)
        K = np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
        push = m * cross(r, cross(dr, w) + cross(w, v) + G * n)
        return np.concatenate([np.linalg.solve(I - m * K @ K, push - cross(w, I @ w)), dn])

    found = solve_ivp(
        slope,
        (times[0], times[-1]),
        np.concatenate([w0, n0]),
        "DOP853",
        times,
        rtol=1e-9,
        atol=1e-11,
    )
    return found.y[:3].T, found.y[3:].T


def sliding_ball(I1, I3, m, R, above, mu, tilt, spin, times, law):
    """Tilts [rad] of a ball whose middle stands `above` the centre of mass and which slides:
    friction of the size mu N law(|v|, spin about the vertical).

    It stays on the ground:  N follows from the acceleration of the height R - above n_z of the
    centre of mass.
    """
    I, cross = np.diag([I1, I1, I3]), np.cross
    up = np.array([0.0, 0.0, 1.0])

    def slope(t, y):
        w, n, v = y[:3], y[3:6], y[6:9]  # v: of the centre of mass, in body axes, level
        r = above * up - R * n
        u = v + cross(w, r)
        u = u - (u @ n) * n
        speed = np.linalg.norm(u)
        drag = -mu * law(speed, w @ n) * u / max(speed, 1e-300)
        # height of the centre of mass z = R - above n_z,  z'' = -above (n x w)'_z;  w' is linear in
        # N
        free, by = np.linalg.solve(I, -cross(w, I @ w)), np.linalg.solve(I, cross(r, n + drag))
        dn = cross(n, w)
        rest = -above * (cross(dn, w) + cross(n, free))[2]
        N = m * (G + rest) / (1.0 + m * above * cross(n, by)[2])
        return np.concatenate([free + N * by, dn, N * drag / m - cross(w, v)])

    n0 = np.array([-np.sin(tilt), 0.0, np.cos(tilt)])
    start = np.concatenate([[0.0, 0.0, spin], n0, np.zeros(3)])
    # the foot stands still at first but for the spin; the height does not change
    found = solve_ivp(slope, (times[0], times[-1]), start, "LSODA", times, rtol=1e-8, atol=1e-10)
    return np.arccos(np.clip(found.y[5], -1.0, 1.0))
