"""Balls on tubes and half-pipes in closed form: on the bore, outside, on the ends, on all edges.

Convex shapes touch the outside of a tube as that of a cylinder, and solids of revolution the bore
in closed form (bore.py).  All else touches the mesh of the facets (model/geometry/hollow.py).
"""

import math

from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.mesh import convex_mesh
from mechstudio.engine.contacts.geometry.shapes import CONVEX, CYLINDER, KIND, TUBE
from mechstudio.engine.contacts.geometry.vectors import local, outward, put
from mechstudio.engine.contacts.kernel_calls import call

_COS, _SIN = -0.5, math.sqrt(0.75)  # of 120 degrees: places on a bore or rim beside the nearest one
ENDWISE = 0.99  # cosine to the axis from which a contact is that of an end
_AXIS = 1e-9  # of the bore: distance from the axis below which all directions are alike


@kernel
def nearest_of_profile(u, z, inner, outer, half):
    """(signed distance, u, z of the nearest point, direction out of the tube, region) of a point in
    the half-plane through the axis, u: from the axis.
    """
    cu, cz = min(max(u, inner), outer), min(max(z, -half), half)
    du, dz = u - cu, z - cz
    d = math.sqrt(du * du + dz * dz)
    if d > 0.0:
        side = 0 if u < inner else 2 if u > outer else 1
        end = 0 if z < -half else 2 if z > half else 1
        return d, cu, cz, du / d, dz / d, 3 * side + end
    best, du, dz, region = u - inner, -1.0, 0.0, 1
    if outer - u < best:
        best, du, dz, region = outer - u, 1.0, 0.0, 7
    if half - z < best:
        best, du, dz, region = half - z, 0.0, 1.0, 5
    if half + z < best:
        best, du, dz, region = half + z, 0.0, -1.0, 3
    return -best, u + best * du, z + best * dz, du, dz, region


@kernel
def sphere_tube(T, W, i, j, reach):
    """Contacts of ball i and tube j: the nearest place, and on a bore or its rim the two beside it,
    which hold a tightly fitting ball or one on the hole.
    """
    X, S, out, feature = W.placed, T.numbers, W.out, W.feature
    radius, outer, half, inner = S[i, 0], S[j, 0], S[j, 2], S[j, 3]
    x, y, z = local(X, j, X[i, 0], X[i, 1], X[i, 2])
    u = math.sqrt(x * x + y * y)
    ex, ey = (x / u, y / u) if u > _AXIS * inner else (1.0, 0.0)
    d, pu, pz, nu, nz, region = nearest_of_profile(u, z, inner, outer, half)
    count = 0
    if d - radius > reach:
        return 0
    for k in range(3 if region < 3 and u < inner else 1):
        fx, fy, name = ex, ey, region
        if k > 0:
            s = _SIN if k == 1 else -_SIN
            fx, fy, name = _COS * ex - s * ey, s * ex + _COS * ey, 8 * k + region
        along = x * fx + y * fy
        if k > 0:
            # in the plane through the axis and this direction the ball's middle lies at `along`
            if region == 1:
                d, pu, pz, nu, nz = inner - along, inner, z, -1.0, 0.0
                mx, my, mz = -fx, -fy, 0.0
            else:
                pu = inner
                mx, my, mz = x - pu * fx, y - pu * fy, z - pz
                d = math.sqrt(mx * mx + my * my + mz * mz)
                mx, my, mz = mx / d, my / d, mz / d
            if d - radius > reach:
                continue
        else:
            mx, my, mz = nu * fx, nu * fy, nz
        gap = d - radius
        qx, qy, qz = pu * fx + 0.5 * gap * mx, pu * fy + 0.5 * gap * my, pz + 0.5 * gap * mz
        qx, qy, qz = outward(X, j, qx, qy, qz)
        mx, my, mz = outward(X, j, mx, my, mz)
        count = put(
            out,
            feature,
            count,
            name,
            gap,
            X[j, 0] + qx,
            X[j, 1] + qy,
            X[j, 2] + qz,
            -mx,
            -my,
            -mz,
        )
    return count


@kernel
def put_place(X, j, x, y, z, radius, px, py, pz, mx, my, mz, name, out, feature, count):
    """Write the contact of a ball about (x, y, z) with the place p of shape j, whose surface faces
    along m there, all in the axes of j.
    """
    gap = (x - px) * mx + (y - py) * my + (z - pz) * mz - radius
    qx, qy, qz = outward(X, j, px + 0.5 * gap * mx, py + 0.5 * gap * my, pz + 0.5 * gap * mz)
    mx, my, mz = outward(X, j, mx, my, mz)
    qx, qy, qz = X[j, 0] + qx, X[j, 1] + qy, X[j, 2] + qz
    return put(out, feature, count, name, gap, qx, qy, qz, -mx, -my, -mz)


@kernel
def sphere_trough(T, W, i, j, reach):
    """Contacts of ball i and half-pipe j, whose wall lies where x > 0: the nearest place, on the
    bore both of its sides too, and both lips of the wall for a ball above them.
    """
    X, S, out, feature = W.placed, T.numbers, W.out, W.feature
    radius, outer, half, inner = S[i, 0], S[j, 0], S[j, 2], S[j, 3]
    x, y, z = local(X, j, X[i, 0], X[i, 1], X[i, 2])
    count = 0
    if x < 0.0:
        for side in range(2):
            s = 1.0 if side == 0 else -1.0
            py, pz = s * min(max(s * y, inner), outer), min(max(z, -half), half)
            mx, my, mz = x, y - py, z - pz
            d = math.sqrt(mx * mx + my * my + mz * mz)
            if d - radius <= reach:
                mx, my, mz, name = mx / d, my / d, mz / d, 32 + side
                count = put_place(
                    X, j, x, y, z, radius, 0.0, py, pz, mx, my, mz, name, out, feature, count
                )
        return count
    u = math.sqrt(x * x + y * y)
    ex, ey = (x / u, y / u) if u > _AXIS * inner else (1.0, 0.0)
    d, pu, pz, nu, nz, region = nearest_of_profile(u, z, inner, outer, half)
    if d - radius > reach:
        return 0
    if d < 0.0 and x < -d:
        # inside the wall, with the shortest way out through its lip
        return put_place(X, j, x, y, z, radius, 0.0, y, z, -1.0, 0.0, 0.0, 34, out, feature, count)
    mx, my = nu * ex, nu * ey
    count = put_place(
        X, j, x, y, z, radius, pu * ex, pu * ey, pz, mx, my, nz, region, out, feature, count
    )
    if region == 1 and d >= 0.0:
        for side in range(2):
            s = 1.0 if side == 0 else -1.0
            # if the nearest place is that side it has been added already
            if s * ey < 0.99 and inner - s * y - radius <= reach:
                count = put_place(
                    X,
                    j,
                    x,
                    y,
                    z,
                    radius,
                    0.0,
                    s * inner,
                    z,
                    0.0,
                    -s,
                    0.0,
                    35 + side,
                    out,
                    feature,
                    count,
                )
    return count


@kernel
def convex_tube(T, W, i, j, reach):
    """Contacts of convex shape i and tube j: of the cylinder without the bore where its side or rim
    is touched from outside, else of the facets.
    """
    X, S, out = W.placed, T.numbers, W.out
    # the sizes of a tube begin with those of the cylinder
    T.ints[j, KIND] = CYLINDER
    found = call(T.calls[CONVEX], T, W, i, j, reach)
    T.ints[j, KIND] = TUBE
    if found == 0:
        return 0
    wall, outside = S[j, 0] - S[j, 3], True
    for c in range(found):
        endwise = out[c, 4] * X[j, 5] + out[c, 5] * X[j, 8] + out[c, 6] * X[j, 11]
        # deeper than that it lies in the bore
        outside = outside and abs(endwise) < ENDWISE and out[c, 0] > -0.5 * wall
    return found if outside else convex_mesh(T, W, i, j, reach)
