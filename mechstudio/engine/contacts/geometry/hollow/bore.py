"""Solids of revolution in the bore of a tube or half-pipe: their places in closed form.

The distance from the axis of the bore is convex, so that what lies in the bore is farthest from the
axis at one of its two ends: on the circle there, of a capsule on the ball.  Where an end sticks out
of the bore, it is cut off by the plane of the rim.  Seen along the axis all these are ellipses,

    c + (p cos, q sin),   farthest along the unit vector f:   c.f + sqrt((p f1)^2 + (q f2)^2)

with the axis 1 toward the tilt.  The place nearest to the wall is where that is largest.  Two
others beside it hold a tight fit, as of balls (tube.py).
"""

import math

from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.geometry.hollow.mesh_mesh import mesh_mesh
from mechstudio.engine.contacts.geometry.hollow.tube import convex_tube
from mechstudio.engine.contacts.geometry.mesh import convex_mesh
from mechstudio.engine.contacts.geometry.shapes import CAPSULE, KIND, TROUGH, TUBE
from mechstudio.engine.contacts.geometry.vectors import dot, inward, local, outward, put

# forms of the place at an end; none: not in the bore, or of another form
CIRCLE, CUT, BALL, CORNER, ELSEWHERE = 0, 1, 2, 3, -1
STEEP = 0.5  # cosine of the largest tilt of what sticks out of the bore
COS, SIN = -0.5, math.sqrt(0.75)  # of 120 degrees: places beside the nearest one
NEAR = 1e-7  # of the bore: how far beyond the end of a bore or solid a place may lie
# an ellipse with its middle inside its own evolute is as far on two sides, as a coin that lies in a
# half-pipe: share of it from which that counts, but for tilts whose ellipse is a circle (sine)
TWOFOLD, SLIGHT = 1.5, 0.02
LEVEL = 1e-12  # sine of a tilt that is none
EVEN = 1e-15  # of the ellipse: offset that decides between sides that are equal
TURNS, EXACT = 60, 1e-12  # of the search for a direction
TINY = 1e-300
NAMES = 1 << 27  # above all names of facets


@kernel
def farthest(c1, c2, p, q):
    """The unit vector along which an ellipse about (c1, c2) reaches farthest from the origin: in
    the quadrant of its middle, where the slope over the angle falls through 0.
    """
    side, top = (-1.0 if c1 < 0.0 else 1.0), (-1.0 if c2 < 0.0 else 1.0)
    c1, c2 = abs(c1) + EVEN * (p + q), abs(c2) + EVEN * (p + q)
    low, high, a, d = 0.0, 0.5 * math.pi, math.atan2(c2, c1), q * q - p * p
    for _ in range(TURNS):
        c, s = math.cos(a), math.sin(a)
        w = max(math.sqrt((p * c) ** 2 + (q * s) ** 2), TINY)
        t = d * s * c / w
        slope, bend = c2 * c - c1 * s + t, d * (c * c - s * s) / w - t * t / w - c1 * c - c2 * s
        if slope > 0.0:
            low = a
        else:
            high = a
        after = a - slope / bend if bend < 0.0 else -1.0
        if after < low or after > high:
            after = 0.5 * (low + high)
        step, a = abs(after - a), after
        if step < EXACT:
            break
    return side * math.cos(a), top * math.sin(a)


@kernel
def rim_cut(c1, cz, radius, slope, sine, cosine, z):
    """(middle along the tilt, half axes p, q) of the ellipse in which the plane at z cuts the side
    of a solid of revolution about (c1, cz), of that radius there and that slope of it; p < 0 where
    the plane passes the tip of a cone.
    """
    below = (z - cz - radius * sine) / (cosine + slope * sine)
    above = (z - cz + radius * sine) / (cosine - slope * sine)
    low, high = radius + slope * below, radius + slope * above
    if low < 0.0 or high < 0.0:
        return c1, -1.0, 0.0
    low, high = below * sine - low * cosine, above * sine + high * cosine
    m = 0.5 * (low + high)
    wide = radius + slope * (m * sine + (z - cz) * cosine)
    off = m * cosine - (z - cz) * sine
    return c1 + m, 0.5 * abs(high - low), math.sqrt(max(wide * wide - off * off, 0.0))


@kernel
def end_of(ball, half, near, c1, c2, cz, h, radius, slope, sine, cosine, e):
    """(form of the place, height of the rim there, middle along the tilt, half axes p, q, unit
    vector) of end e, -1 or 1, of a solid about (c1, c2, cz): CIRCLE, also of a ball, CUT, BALL at
    the rim, CORNER or ELSEWHERE.  Of a CORNER the middle is its distance from the axis.
    """
    r, m1, mz = radius + e * h * slope, c1 + e * h * sine, cz + e * h * cosine
    p, q = (r if ball else r * abs(cosine)), r
    f1, f2 = farthest(m1, c2, p, q)
    z = mz if ball else mz - rise_of(r, f1, f2, p, q, sine, cosine)
    rim = math.copysign(half, z)
    if abs(z) <= half + near:
        return CIRCLE, rim, m1, p, q, f1, f2
    k1, kp, kq = rim_cut(c1, cz, radius, slope, sine, cosine, rim)
    if kp >= 0.0:
        g1, g2 = farthest(k1, c2, kp, kq)
        w = math.sqrt((kp * g1) ** 2 + (kq * g2) ** 2)
        along = (k1 + kp * kp * g1 / max(w, TINY) - c1) * sine + (rim - cz) * cosine
        if abs(along) <= h + near:
            return CUT, rim, k1, kp, kq, g1, g2
    if ball:
        return BALL, rim, m1, p, q, f1, f2
    # where the circle passes the rim
    k = (mz - rim) / max(r * sine, TINY)
    if abs(k) > 1.0:
        return ELSEWHERE, rim, m1, p, q, f1, f2
    x1 = m1 + r * cosine * k
    x2 = c2 + math.copysign(r * math.sqrt(1.0 - k * k), c2)
    far = max(math.sqrt(x1 * x1 + x2 * x2), TINY)
    return CORNER, rim, far, p, q, x1 / far, x2 / far


@kernel(options=INLINED)
def rise_of(r, f1, f2, p, q, sine, cosine):
    """Height of the middle of a circle, seen as (p, q), above its place farthest along f."""
    w = math.sqrt((p * f1) ** 2 + (q * f2) ** 2)
    return r * r * cosine * sine * f1 / max(w, TINY)


@kernel
def in_bore(T, W, i, j, reach, sign):
    """Contacts of solid of revolution i with the bore of j, or ELSEWHERE.  sign: -1 if the normal
    is from j to i.
    """
    X, S = W.placed, T.numbers
    half, bore, trough = S[j, 2], S[j, 3], T.ints[j, KIND] == TROUGH
    ball = T.ints[i, KIND] == CAPSULE
    h, first = (S[i, 1] if ball else S[i, 2]), S[i, 0]
    last = first if ball else S[i, 1]
    radius, slope = 0.5 * (first + last), (0.5 * (last - first) / h if h > 0.0 else 0.0)
    # in the axes of the bore, then along the tilt (1), across it (2) and along the bore
    cx, cy, cz = local(X, j, X[i, 0], X[i, 1], X[i, 2])
    tx, ty, cosine = inward(X, j, X[i, 5], X[i, 8], X[i, 11])
    sine = math.sqrt(tx * tx + ty * ty)
    tx, ty = (tx / sine, ty / sine) if sine > LEVEL else (1.0, 0.0)
    c1, c2 = cx * tx + cy * ty, cy * tx - cx * ty
    length, near, wall = h * abs(cosine), NEAR * bore, 0.5 * (bore + S[j, 0])
    way_out = half + length - abs(cz)
    inside = way_out - 2.0 * length >= (0.0 if ball else max(first, last) * sine)
    steep = abs(cosine) < STEEP or abs(slope) * sine > 0.9 * abs(cosine)
    if way_out <= 0.0 or (steep and not inside):
        return ELSEWHERE
    count, across = 0, 0.0
    for end in range(1 if h == 0.0 else 2):
        e = 2.0 * end - 1.0
        form, rim, o, p, q, f1, f2 = end_of(
            ball, half, near, c1, c2, cz, h, radius, slope, sine, cosine, e
        )
        r, m1, mz = radius + e * h * slope, c1 + e * h * sine, cz + e * h * cosine
        k1 = o if form == CUT else m1
        if form == ELSEWHERE or k1 * k1 + c2 * c2 >= wall * wall:
            return ELSEWHERE
        inner = abs(k1 * p) ** (2.0 / 3.0) + abs(c2 * q) ** (2.0 / 3.0)
        if sine > SLIGHT and inner**1.5 < TWOFOLD * abs(q * q - p * p):
            return ELSEWHERE
        for k in range(1 if form == CORNER else 3):
            fx, fy = f1 * tx - f2 * ty, f1 * ty + f2 * tx
            if k == 0:
                across = fy
            elif trough:
                # both sides of a half-pipe, unless the nearest place is there
                fx, fy = 0.0, 3.0 - 2.0 * k
                if fy * across > 0.99:
                    continue
            else:
                s = SIN if k == 1 else -SIN
                fx, fy = COS * fx - s * fy, s * fx + COS * fy
            g1, g2 = fx * tx + fy * ty, fy * tx - fx * ty
            w = max(math.sqrt((p * g1) ** 2 + (q * g2) ** 2), TINY)
            # the place on the solid and the normal there, then the place on the wall
            x1, x2, z, n1, n2, nz = o + p * p * g1 / w, c2 + q * q * g2 / w, rim, g1, g2, 0.0
            if form == CIRCLE:
                z = mz if ball else mz - rise_of(r, g1, g2, p, q, sine, cosine)
                if abs(z) > half + near:
                    continue
            elif form == CUT:
                along = (x1 - c1) * sine + (rim - cz) * cosine
                if abs(along) > h + near:
                    continue
                n1, n2, nz = x1 - c1 - along * sine, x2 - c2, rim - cz - along * cosine
                w = slope * math.sqrt(dot(n1, n2, nz, n1, n2, nz))
                n1, nz = n1 - w * sine, nz - w * cosine
            elif form == BALL:
                n1, n2, nz = bore * g1 - m1, bore * g2 - c2, rim - mz
            else:
                x1, x2 = o * g1, o * g2
            w = max(math.sqrt(dot(n1, n2, nz, n1, n2, nz)), TINY)
            n1, n2, nz = n1 / w, n2 / w, nz / w
            away = bore - x1 * g1 - x2 * g2
            gap, x1, x2 = away * (n1 * g1 + n2 * g2), x1 + away * g1, x2 + away * g2
            if form == BALL:
                gap, x1, x2 = w - r, bore * g1, bore * g2
            # a solid with a longer way out through the bore lies on the end of the tube, and one
            # nearest to the open side of a half-pipe may touch its lips
            if k == 0 and (gap < -way_out or (trough and fx < 0.0 and gap <= reach)):
                return ELSEWHERE
            x, y = x1 * tx - x2 * ty, x1 * ty + x2 * tx
            if gap > reach or (k > 0 and trough and x < 0.0):
                continue
            nx, ny = n1 * tx - n2 * ty, n1 * ty + n2 * tx
            x, y, z = outward(X, j, x - 0.5 * gap * nx, y - 0.5 * gap * ny, z - 0.5 * gap * nz)
            nx, ny, nz = outward(X, j, sign * nx, sign * ny, sign * nz)
            x, y, z = X[j, 0] + x, X[j, 1] + y, X[j, 2] + z
            name = NAMES | (3 * end + k)
            count = put(W.out, W.feature, count, name, gap, x, y, z, nx, ny, nz)
    return count


@kernel
def revolved_hollow(T, W, i, j, reach):
    """Contacts of solid of revolution i and tube or half-pipe j: in its bore, else as of others."""
    found = in_bore(T, W, i, j, reach, 1.0)
    if found != ELSEWHERE:
        return found
    if T.ints[j, KIND] == TUBE:
        return convex_tube(T, W, i, j, reach)
    return convex_mesh(T, W, i, j, reach)


@kernel
def tube_hollow(T, W, i, j, reach):
    """Contacts of tube i and tube or half-pipe j: in the bore of the one that is wider than the
    other, else of the facets of both.
    """
    S = T.numbers
    within = T.ints[j, KIND] == TROUGH or S[i, 0] - S[j, 3] <= S[j, 0] - S[i, 3]
    found = in_bore(T, W, i, j, reach, 1.0) if within else in_bore(T, W, j, i, reach, -1.0)
    return found if found != ELSEWHERE else mesh_mesh(T, W, i, j, reach)
