# pyright: standard
# (ezdxf leaves most of what it gives without a type)
"""Profiles of DXF and SVG files, and the plates that they become."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mechstudio.files.meshes import UNITS, MeshFile, MeshFileError, read_bytes, with_axes
from mechstudio.files.profiles.curves import Unreadable
from mechstudio.files.profiles.dxf import read_dxf
from mechstudio.files.profiles.loops import Loop, Unclear, outline_of
from mechstudio.files.profiles.svg import read_svg
from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.translation import comma, tr

SUFFIXES = (".dxf", ".svg")
MOST_POINTS = 20_000


class Profile(NamedTuple):
    """Outline of a plate.

    outer: counter-clockwise, holes: clockwise, each (n, 2) in the file's unit.  faces: (t, 3)
    counter-clockwise triangles of their points, one loop after the other.  unit: key of UNITS that
    the file names, or "mm".  notes: sentences on what was left out.
    """

    name: str
    outer: Loop
    holes: tuple[Loop, ...]
    faces: np.ndarray
    unit: str = "mm"
    notes: tuple[str, ...] = ()

    @property
    def extent(self) -> float:
        """Longest side of the box about it, in the file's unit."""
        return float(np.ptp(self.outer, axis=0).max())


def load_profile(path: str | Path) -> Profile:
    """The largest outline of a DXF or SVG file with the holes in it.

    Raises MeshFileError with the file's name, the reason and what helps.
    """
    path = Path(path)
    if not read_bytes(path).strip():
        raise MeshFileError(tr("{name} is empty. Save or copy it again.", name=path.name))
    try:
        drawing = read_svg(path) if path.suffix.lower() == ".svg" else read_dxf(path)
    except Unreadable as error:
        raise MeshFileError(
            tr("{name} cannot be read: {error}.", name=path.name, error=error)
        ) from None
    if not drawing.curves or not all(np.isfinite(c).all() for c in drawing.curves):
        raise MeshFileError(tr("{name} holds no lines that could be an outline.", name=path.name))
    if sum(map(len, drawing.curves)) > MOST_POINTS:
        raise MeshFileError(
            tr(
                "{name} has more than {most} points. Save it with fewer or simpler curves.",
                name=path.name,
                most=MOST_POINTS,
            )
        )
    try:
        outer, holes, notes = outline_of(drawing.curves)
    except Unclear as error:
        raise MeshFileError(
            tr(
                "{name} cannot become a plate: {error}. Mend the outline in the program that made "
                "it.",
                name=path.name,
                error=error,
            )
        ) from None
    if drawing.skipped:
        kinds = comma().join(f"{kind} ({count})" for kind, count in sorted(drawing.skipped.items()))
        notes = (*notes, tr("Objects that are no lines are left out: {kinds}.", kinds=kinds))
    faces = _faces(outer, holes)
    return Profile(path.name, outer, holes, faces, drawing.unit, (*drawing.notes, *notes))


def plate(profile: Profile, thickness: float, unit: str) -> MeshFile:
    """A profile as a closed mesh: x to the right, z up, y through its thickness [m] about zero.

    unit: key of UNITS, of the profile's numbers.  Raises MeshFileError where that is impossibly
    small or large, or the outline crosses itself.
    """
    size = UNITS[unit]
    points, triangles = _extruded(profile, thickness / size)
    points = points * size
    reason = meshes.fault(points, triangles)
    if reason:
        raise MeshFileError(
            tr(
                "{name} cannot become a plate: {reason}. Its outline may cross itself, or the unit "
                "may be another.",
                name=profile.name,
                reason=reason,
            )
        )
    mesh = Mesh(*meshes.packed(points, triangles), profile.name[:200])
    return with_axes(MeshFile(mesh, profile.notes))


def _faces(outer: Loop, holes: Sequence[Loop]) -> np.ndarray:
    """Counter-clockwise triangles (t, 3) between an outline and its holes."""
    from ezdxf.math.triangulation import mapbox_earcut_2d

    flat = np.concatenate([outer, *holes])
    number = {point: k for k, point in enumerate(map(tuple, flat.tolist()))}
    found = mapbox_earcut_2d(outer.tolist(), [h.tolist() for h in holes])
    faces = np.array([[number[p.x, p.y] for p in face] for face in found], int).reshape(-1, 3)
    a, b, c = (flat[faces[:, k]] for k in range(3))
    turned = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0] < 0
    faces[turned] = faces[turned][:, ::-1]
    return faces


def _extruded(profile: Profile, thickness: float) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (v, 3) and triangles (t, 3), the front at y = -thickness / 2."""
    rings = [profile.outer, *profile.holes]
    flat = np.concatenate(rings)
    count, start, half = len(flat), 0, 0.5 * thickness
    walls = []
    for ring in rings:
        here = start + np.arange(len(ring))
        after = np.roll(here, -1)
        walls += [
            np.column_stack([here, here + count, after]),
            np.column_stack([after, here + count, after + count]),
        ]
        start += len(ring)
    points = np.concatenate(
        [np.column_stack([flat[:, 0], np.full(count, y), flat[:, 1]]) for y in (-half, half)]
    )
    return points, np.concatenate([profile.faces, profile.faces[:, ::-1] + count, *walls])
