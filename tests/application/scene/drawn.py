"""Lines and labels of one element of a scene, in W."""

import numpy as np

import mechstudio as ms
from mechstudio.application.scene import build_scene, row_poses
from mechstudio.application.scene.couplings import MARK_WIDTH
from mechstudio.application.scene.instances import rotate
from mechstudio.application.scene.scene import build


class Drawn:
    """Lines of an element in W, by the body that carries them.  lift: reach of each joint's parts
    along its axis.
    """

    def __init__(self, m: ms.Builder, element: str) -> None:
        project = m.project()
        self.builder, self.scene = build(project.mechanism), build_scene(project)
        self.poses, rows = row_poses(self.scene.rows, self.scene.drawn), self.builder.rows
        bodies = ["ground", *project.mechanism.bodies]
        self.lines = [
            (bodies[rows[s.row].turn[0]], s.width, self._in_world(s))
            for s in self.builder.marks
            if rows[s.row].owner == element
        ]
        self.labels = {
            label.text: self._place(label.row, label.point)
            for label in self.scene.labels
            if label.owner == element
        }
        self.glyph = self.builder.glyph
        self.lift = {id: ends[1] for id, ends in self.builder.ends.items()}

    def _in_world(self, stroke):
        points = np.array(stroke.points, float)
        if stroke.along is not None:
            points[:, 2] += np.asarray(stroke.along) * self.poses[stroke.row, 7]
        return self._place(stroke.row, points)

    def _place(self, row, points):
        at = self.poses[row]
        return at[4:7] + rotate(at[:4], np.array(points, float))

    def of(self, body):
        """Lines on a body."""
        return [points for carried, _, points in self.lines if carried == body]

    def mark(self, body):
        """The one mark on a wheel: from its inside to its rim."""
        (found,) = (
            p for b, width, p in self.lines if b == body and width == MARK_WIDTH and len(p) == 2
        )
        return found

    def circle(self, body, centre):
        """Least and largest distance of a wheel's dashes from its centre [m]."""
        dashes = [p for p in self.of(body) if len(p) > 2]
        reach = np.linalg.norm(np.concatenate(dashes) - centre, axis=1)
        return reach.min(), reach.max()
