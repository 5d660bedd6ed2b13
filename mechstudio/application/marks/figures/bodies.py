"""Figures that are fixed to a body: its frame, its centre of mass, the ellipsoid of its inertia,
and the axes of its joints.
"""

from collections.abc import Callable, Iterator

import numpy as np

from mechstudio.application.marks.figures.figure import Line, Symbol
from mechstudio.application.scene.instances import rotate
from mechstudio.model.mass_properties import MassProperties, mass_properties, principal_axes
from mechstudio.model.mechanism import GROUND, Frame, Mechanism
from mechstudio.model.project import Mark
from mechstudio.model.types.joints import HELIX, JOINT_TYPES, SLIDE, TURN

ARM = 1.5  # length of a frame's axes, in radii of a joint's glyph
REACH = 2.6  # half a joint's axis, the same
CHAIN = (0.42, 0.08, 0.08, 0.08)  # dash, gap, dot, gap of a centre line, in REACH
AROUND = np.linspace(0.0, 2.0 * np.pi, 61)
FLAT = 1e-9  # of the largest semi-axis squared: what is below is rounding
Part = Line | Symbol


def frame(m: Mechanism, mark: Mark, glyph: float) -> Iterator[Part]:
    """Axes of a body's frame at its origin, each with its letter."""
    for k, letter in enumerate("xyz"):
        end, role = ARM * glyph * np.eye(3)[k], f"axis_{letter}"
        yield Line(np.array([np.zeros(3), end]), mark.body, role, width=2.2, hidden=0.6)
        yield Symbol("", 1.14 * end, mark.body, letter, role)


def centre(m: Mechanism, mark: Mark, glyph: float) -> Iterator[Part]:
    """The centre of mass, as engineers mark it."""
    known = mass_properties(m.body(mark.body))
    if known.mass > 0 and np.isfinite(known.center).all():
        yield Symbol("centre", np.array(known.center), mark.body)


def semi_axes(known: MassProperties) -> tuple[np.ndarray, np.ndarray] | None:
    """Semi-axes (3,) [m] and their directions (3, 3), one a row, of the homogeneous ellipsoid of a
    body's mass and inertia: I_1 = m (b² + c²) / 5.  None where no body can have such an inertia.
    """
    inertia = np.array(known.inertia, float)
    if not known.mass > 0 or not np.isfinite(inertia).all():
        return None
    principal = principal_axes(known.inertia)
    moments = np.array(principal.moments)
    squares = 2.5 / known.mass * (moments.sum() - 2.0 * moments)
    if squares.min() < -FLAT * max(squares.max(), 0.0) or squares.max() <= 0.0:
        return None
    return np.sqrt(np.clip(squares, 0.0, None)), np.array(principal.axes)


def ellipsoid(m: Mechanism, mark: Mark, glyph: float) -> Iterator[Part]:
    """The ellipsoid of the same mass and inertia by its three principal sections."""
    body = m.body(mark.body)
    known = mass_properties(body)
    found = semi_axes(known)
    if found is None or mark.body == GROUND:
        return
    lengths, axes = found
    for k in range(3):
        a, b = (lengths[j] * axes[j] for j in ((k + 1) % 3, (k + 2) % 3))
        ring = np.cos(AROUND)[:, None] * a + np.sin(AROUND)[:, None] * b
        points = np.array(known.center) + ring
        yield Line(points, mark.body, "", body.color, width=1.5, hidden=0.5)


def no_ellipsoid(m: Mechanism, mark: Mark) -> bool:
    """True if a body has no ellipsoid: it is the ground, or no body can have its inertia."""
    return next(ellipsoid(m, mark, 0.0), None) is None


def joint_axes(m: Mechanism, mark: Mark, glyph: float) -> Iterator[Part]:
    """Axes about which a joint turns or along which it slides, as centre lines: the first one is
    fixed to its first body, the last one to its second.
    """
    joint = m.joints[mark.joint]
    motions = [(k, a) for k, a in JOINT_TYPES[joint.type].motions if k in (TURN, SLIDE, HELIX)]
    chosen = [(joint.frame_a, motions[0][1])] if motions else []
    if motions and motions[-1][1] != motions[0][1]:
        chosen.append((joint.frame_b, motions[-1][1]))
    for frame, axis in chosen:
        yield from _centre_line(m, frame, axis, REACH * glyph)


def _centre_line(m: Mechanism, at: Frame, axis: int, reach: float) -> Iterator[Part]:
    point, q = m.frame_in_body(at)
    along = rotate(np.array(q, float)[None], np.eye(3)[axis][None])[0]
    way = -1.0
    while way < 1.0:
        for k, share in enumerate(CHAIN):
            end = min(way + share, 1.0)
            if k % 2 == 0 and end > way:
                ends = np.array(point) + reach * np.array([[way], [end]]) * along
                yield Line(ends, at.body, "text", width=1.5, hidden=0.55)
            way = end


FIXED: dict[str, Callable[[Mechanism, Mark, float], Iterator[Part]]] = {
    "frame": frame,
    "centre": centre,
    "ellipsoid": ellipsoid,
    "joint_axis": joint_axes,
}
