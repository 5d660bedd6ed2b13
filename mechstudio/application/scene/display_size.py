"""Display size of a mechanism and of its joint glyphs [m]."""

import numpy as np

from mechstudio.application.scene.instances import LARGEST
from mechstudio.model.geometry.rotation import transform
from mechstudio.model.mechanism import Body, Mechanism
from mechstudio.model.quantity import values

GLYPH = 0.08  # radius of a glyph, as a share of the mechanism's size
LEAST = (
    0.012  # the same at least, so that a small part does not make the glyphs of all others vanish
)
# the widest glyph from end to end, in radii: that of a cylindrical joint, whose arrows stand beyond
# its pin
SPAN = 3.7
CROWDED = 40  # joints above which glyphs shrink by half


def view_size(m: Mechanism) -> float:
    """The mechanism's size [m], ends of springs and points of forces included."""
    frames = [
        f for force in m.forces.values() for f in (force.frame_a, force.frame_b) if f is not None
    ]
    ends = np.array([m.frame_in_world(f)[0] for f in frames]).reshape(-1, 3)
    return min(max(m.size(), float(np.ptp(ends, axis=0).max()) if len(ends) else 0.0), LARGEST)


def glyph_size(m: Mechanism, size: float) -> float:
    """Radius of a glyph [m]: 0.08 of the mechanism's size, but from end to end not longer than the
    smallest part; half of that where many joints stand close.
    """
    joints: dict[str, list] = {}
    for joint in m.joints.values():
        for frame in (joint.frame_a, joint.frame_b):
            joints.setdefault(frame.body, []).append(frame)
    lengths = [
        length
        for id, body in m.bodies.items()
        if (length := _length(m, body, joints.get(id, ()))) > 0
    ]
    share = SPAN if len(m.joints) <= CROWDED else 2 * SPAN
    return max(min([GLYPH * size, *(length / share for length in lengths)]), LEAST * size)


def _length(m: Mechanism, body: Body, frames) -> float:
    """The largest extent of a body along its own axes [m], from its shapes and its joints; zero
    where nothing is drawn.
    """
    if not body.shapes:
        return 0.0
    at = tuple(m.frame_in_body(frame)[0] for frame in frames)
    key = (id(body.shapes), id(body.points), at)
    if (known := _lengths.get(key)) is not None:
        return known[2]
    longest = max(
        (q.value for shape in body.shapes for q in shape.dimensions.values()), default=0.0
    )
    points = [transform(shape.placement.pose, (0.0, 0.0, 0.0)) for shape in body.shapes]
    points += [p for shape in body.shapes for p in shape.points().values()] + [
        values(p.position) for p in body.points
    ]
    found = max(longest, float(np.ptp(np.array([*points, *at], float), axis=0).max()))
    if len(_lengths) > KEPT:
        _lengths.clear()
    _lengths[key] = (body.shapes, body.points, found)  # held, so that their ids stay theirs
    return found


# most bodies of a drawing are those of the one before
KEPT = 2048
_lengths: dict[tuple, tuple] = {}
