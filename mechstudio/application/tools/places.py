"""Where a click lands in space: points of solids, joints and ends wherever they are, the surface under the pointer, else the work plane."""

import math

from mechstudio.model.drawing import link_ends
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.rotation import Triple, transform

from .base import Pointer, ToolContext
from .snapping import REACH, Snap, snap

FACING = 0.94                 # cosine of the angle of view from which on a drawing is looked at as one in its plane


def points_in_space(project: Project) -> list[tuple[int, Snap]]:
    """Every place that can catch the pointer [W], with its rank (lower wins)."""
    m, out = project.mechanism, []
    for id, joint in m.joints.items():
        owner = joint.frame_b.body if joint.frame_b.body != GROUND else joint.frame_a.body
        out.append((0, Snap(m.frame_in_world(joint.frame_b)[0], f"joint {joint.name}", owner, id)))
    for id, body in (*m.bodies.items(), (GROUND, m.ground)):
        pose, own, ends = body.placement.pose, {p.name for p in body.points}, link_ends(body)
        if ends is not None:
            out += [(1, Snap(p, f"{word} of {body.name}", id)) for p, word in zip(ends, ("start", "end"))]
            out.append((2, Snap(tuple((a + b) / 2 for a, b in zip(*ends)), f"middle of {body.name}", id)))  # type: ignore[arg-type]
        # a link's own points lie in its layer, off the plane of its pins
        shown = {name: p for name, p in body.named_points().items() if name in own or ends is None}
        out += [(1 if name in own else 2, Snap(transform(pose, p), f"{name} of {body.name}", id)) for name, p in shown.items()]
    return out


def place(context: ToolContext, pointer: Pointer, start: Triple | None = None, project: Project | None = None) -> Snap | None:
    """Where a click would land; None where the ray meets neither a body nor the work plane.

    start: the other end of what is drawn, where Shift holds directions of the plane; Ctrl suspends catching.  Of places that one pixel
    covers, that in the work plane comes first, then the nearest to the viewer.
    """
    project, plane, eye = project or context.document.project, context.plane, pointer.eye
    known = pointer.body in project.mechanism.bodies or pointer.body == GROUND
    if eye is None:
        return snap(project, plane, context.grid, pointer, start)
    if not pointer.ctrl and not (pointer.shift and start is not None):
        found = []
        for rank, s in points_in_space(project):
            pixel = eye.pixel_of(s.point)
            if pixel is None or math.dist(pixel, (pointer.x, pointer.y)) > REACH or s.point == start:
                continue
            off = abs(sum(n * (a - o) for n, a, o in zip(plane.normal, s.point, plane.origin))) > 1e-9
            depth = sum(b * a for b, a in zip(eye.back, s.point))
            # a few pixels apart are the same place to the hand
            found.append((rank, round(math.dist(pixel, (pointer.x, pointer.y)) / 4), off, -depth, len(found), s))
        if found:
            return min(found)[-1]
    across = abs(sum(a * b for a, b in zip(eye.back, plane.normal))) >= FACING
    if pointer.surface is not None and known and not across and not (pointer.shift and start is not None):
        return Snap(pointer.surface, "", pointer.body)
    return snap(project, plane, context.grid, pointer, start)
