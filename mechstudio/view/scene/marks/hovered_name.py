"""The named point or joint under the pointer."""

import numpy as np

from mechstudio.application.marks.places import body_point
from mechstudio.application.scene.instances import rotate
from mechstudio.model.edits.marks import Place
from mechstudio.model.mechanism import Mechanism
from mechstudio.view.scene.viewport import Viewport

CATCH = 12.0  # px within which the pointer means a point


def pointed(m: Mechanism, view: Viewport) -> Place | None:
    """The nearest joint or named point of a body under the pointer; None where none is near.  Of
    those in one place the point of a body comes first.
    """
    cursor, scene = view.navigator.cursor, view.shown.scene
    if not view.underMouse() or cursor.x() < 0:
        return None
    index = {id: k for k, id in enumerate(scene.bodies)}
    places = [Place(id, p.name) for id, b in m.bodies.items() if b.visible for p in b.points]
    places += [Place(joint=id) for id, joint in m.joints.items() if joint.visible]
    points = [(at, found) for at in places if (found := body_point(m, at)) and found.body in index]
    if not points:
        return None
    rows = view.shown.poses[[index[found.body] for _, found in points]]
    local = np.array([found.local for _, found in points])
    flat = view.framing.world_to_pixel(rows[:, 4:7] + rotate(rows[:, :4], local))
    away = np.hypot(flat[:, 0] - cursor.x(), flat[:, 1] - cursor.y())
    away = np.where(np.isfinite(away), away, np.inf)
    k = int(away.argmin())
    return points[k][0] if away[k] <= CATCH * view.look.text_scale else None
