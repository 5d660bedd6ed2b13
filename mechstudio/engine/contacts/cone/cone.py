"""Coulomb's cones: projection onto the impulses that friction allows, one contact at a time.

A contact's impulse is (g_n, g_u, g_w) in its frame, and with resistance to spinning and rolling
(h_n, h_u, h_w) besides, moments over the contact's own length.  The cone is  |g_t| <= mu g_n,
|h_n| <= spin g_n,  |h_r| <= roll g_n;  the last two numbers are lengths over that length.
Any scaling before a projection must be one number per contact, else the scaled cone is another cone
(CONTACT 2).
"""

import math

from mechstudio.engine.contacts.contact_kernels import INLINED, kernel


@kernel(options=INLINED)
def project(n, u, w, mu):
    """The nearest impulse of the cone |(u, w)| <= mu n (Tasora & Anitescu 2011, equation 36)."""
    square = u * u + w * w
    if n >= 0.0 and square <= mu * mu * n * n:
        return n, u, w
    t = math.sqrt(square)
    if mu * t <= -n:
        return 0.0, 0.0, 0.0
    x = (n + mu * t) / (1.0 + mu * mu)
    s = mu * x / t if t > 0.0 else 0.0
    return x, s * u, s * w


@kernel(options=INLINED)
def onto(length, most):
    """Factor that brings a vector of this length to `most` at most."""
    return 1.0 if length <= most else (most / length if most > 0.0 else 0.0)


@kernel(options=INLINED)
def project_bounded(u, w, most):
    """The nearest friction of a point whose pressure is known: its length is `most` at most."""
    k = onto(math.sqrt(u * u + w * w), most)
    return k * u, k * w


@kernel(options=INLINED)
def project_all(n, u, w, a, b, c, mu, spin, roll):
    """The nearest impulse of the whole cone, exactly.

    With x for g_n the minimised function is (x - n)^2 + sum_k max(t_k - c_k x, 0)^2.  Its slope is
    a concave, piecewise linear function of x, so that Newton's method from the left finds its zero
    in as many iterations as there are pieces.
    """
    t0, t1, t2 = math.sqrt(u * u + w * w), abs(a), math.sqrt(b * b + c * c)
    x = 0.0
    for _ in range(5):
        top, bottom = n, 1.0
        if t0 > mu * x:
            top, bottom = top + mu * t0, bottom + mu * mu
        if t1 > spin * x:
            top, bottom = top + spin * t1, bottom + spin * spin
        if t2 > roll * x:
            top, bottom = top + roll * t2, bottom + roll * roll
        before, x = x, max(top / bottom, 0.0)
        if x == before:
            break
    k0, k1, k2 = onto(t0, mu * x), onto(t1, spin * x), onto(t2, roll * x)
    return x, k0 * u, k0 * w, k1 * a, k2 * b, k2 * c


@kernel(options=INLINED)
def tangents(x, y, z):
    """Two unit vectors across the unit vector (x, y, z), right-handed with it."""
    if abs(x) < 0.7:
        k = 1.0 / math.sqrt(y * y + z * z)
        a, b, c = 0.0, z * k, -y * k
    else:
        k = 1.0 / math.sqrt(x * x + z * z)
        a, b, c = -z * k, 0.0, x * k
    return a, b, c, y * c - z * b, z * a - x * c, x * b - y * a
