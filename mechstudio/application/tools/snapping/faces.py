"""Faces of solids as planes to draw in."""

from mechstudio.model.geometry.rotation import Triple, minus, plus
from mechstudio.model.geometry.work_plane import WorkPlane, dot, facing
from mechstudio.translation import tr


def face_plane(plane: WorkPlane, point: Triple, normal: Triple, name: str) -> WorkPlane:
    """The plane through a point of a face across its unit normal, with the work plane's axes where
    it is parallel to that.

    Its origin is the foot of the work plane's, so that grids and typed coordinates of parallel
    planes agree.
    """
    # what triangles of single precision round is no tilt
    n: Triple = (
        tuple(float(round(c)) if abs(c - round(c)) < 1e-6 else c for c in normal)
        if max(map(abs, normal)) > 1.0 - 1e-9
        else normal
    )  # type: ignore[assignment]
    rise = dot(n, minus(point, plane.origin))  # type: ignore[arg-type]
    return facing(tr("Face of {name}", name=name), plus(plane.origin, n, rise), n, plane)


def axis_letters(plane: WorkPlane) -> tuple[str, str]:
    """Names of the plane's coordinates: the axis of W that each runs along, else u and v."""

    def letter(way: Triple, otherwise: str) -> str:
        return next(("xyz"[k] for k in range(3) if abs(way[k] - 1.0) < 1e-9), otherwise)

    return letter(plane.u, "u"), letter(plane.v, "v")
