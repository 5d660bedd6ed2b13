"""Collects rows, parts, lines and labels of one mechanism, element by element."""

import math
from collections.abc import Callable

import numpy as np

from mechstudio.application.scene.display_size import glyph_size, view_size
from mechstudio.application.scene.fragments import PORTIONS, Portion, transformed
from mechstudio.application.scene.instances import IDENTITY, Row
from mechstudio.application.scene.lines import EDGE, SIGN, Fill, Stroke
from mechstudio.application.scene.solids import hardware
from mechstudio.application.scene.solids.batch import Piece
from mechstudio.application.scene.solids.shapes import MATERIALS, body_parts, detail
from mechstudio.application.scene.solids.solids import CAST, PAINT, Part, placed
from mechstudio.application.scene.solids.springs import Stretched
from mechstudio.model.mechanism import GROUND, Body, Mechanism
from mechstudio.model.quantity import values

EDGE_WIDTH, SIGN_WIDTH = 1.0, 1.4  # [px]


class Builder:
    """Collector of a scene's rows and parts.  The first rows are the bodies, ground first;
    joints.py and forces.py add the rest.

    anchors: rows of each joint by anchor.  ends: reach of each joint's parts along its axis, from
    and to [m].  tips: of arrows, as (row, point).
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = m = mechanism
        self.rows: list[Row] = []
        self.pieces: list[Piece] = []
        self._skins: dict[int, list[np.ndarray]] = {}
        self.edges: list[Stroke] = []
        self.marks: list[Stroke] = []
        self.fills: list[Fill] = []
        self.labels: list[tuple] = []
        self.measures: list[tuple] = []
        self.tips: list[tuple[int, np.ndarray]] = []
        self.size = view_size(m)
        self.level = detail(sum(len(b.shapes) for b in m.bodies.values()))
        self.glyph = glyph_size(m, self.size)
        self.index = {id: k for k, id in enumerate((GROUND, *m.bodies))}
        self.anchors: dict[str, dict[str, int]] = {}
        self.ends: dict[str, tuple[float, float]] = {}
        self.gravity = values(m.gravity)
        self._portions: dict[str, Portion] = {}

    def row(self, *row) -> int:
        """Add a row (as Row takes it); returns its index."""
        self.rows.append(Row(*row))
        return len(self.rows) - 1

    def part(self, row: int, part: Part, material: float) -> None:
        """Add a rigid part with its edges."""
        self.pieces.append(Piece(row, part, material))
        self._skins.setdefault(row, []).append(part.skin.points)
        self.edges += [Stroke(e, row, EDGE, EDGE_WIDTH) for e in part.edges]

    def stretched(self, row: int, parts: list[Stretched]) -> None:
        """Add parts that stretch with their row."""
        for part, solid, skin, material in parts:
            self.pieces.append(Piece(row, part, material, (solid, skin)))

    def signs(self, lines: list[np.ndarray], R: np.ndarray, p: np.ndarray) -> None:
        """Add signs for solid ground: polylines turned by R and moved to p."""
        self.marks += [Stroke(line @ R.T + p, 0, SIGN, SIGN_WIDTH) for line in lines]

    def skin_points(self, body: str) -> np.ndarray:
        """Points (k, 3) of all that has been drawn of a body, in its axes; of the ground also what
        carries joints.
        """
        return (
            self._portions[body].skin
            if body != GROUND
            else np.concatenate([np.zeros((0, 3)), *self._skins.get(0, ())])
        )

    def ground_distance(self, point: np.ndarray) -> float:
        """Distance [m] from a point of W to the nearest bounding box of a part of the ground."""
        found = [np.inf]
        for skin in self._skins.get(0, ()):
            found.append(
                float(
                    np.linalg.norm(
                        np.maximum(
                            np.maximum(skin.min(axis=0) - point, point - skin.max(axis=0)), 0.0
                        )
                    )
                )
            )
        return min(found)

    # what is kept

    def portion(self, body: str) -> Portion:
        """Portion of the scene that a body, or the ground, added by itself."""
        return self._portions[body]

    def keep(
        self, id: str, key: tuple, held: tuple, bodies: tuple[int, ...], make: Callable[[], None]
    ) -> Portion:
        """Add the parts that `make` adds for an element, or those added when the key was the same
        (fragments.py).
        """
        known, first = PORTIONS.find(key), len(self.rows)
        own = (self.rows, self.pieces, self.edges, self.marks, self.fills, self.labels)
        if known is None:
            starts = [len(each) for each in own]
            make()
            lists = tuple(each[start:] for each, start in zip(own, starts))
            known = Portion(held, first, bodies, lists, self.anchors.get(id), self.ends.get(id))
            PORTIONS.put(key, known)
            return known
        lists = transformed(known.lists, known.first, known.bodies, first, bodies)
        for mine, added in zip(own, lists):
            mine += added
        for piece in lists[1]:
            if piece.along is None:
                self._skins.setdefault(piece.row, []).append(piece.part.skin.points)
        if known.anchors is not None:
            self.anchors[id] = {
                anchor: row + first - known.first for anchor, row in known.anchors.items()
            }
            self.ends[id] = known.ends  # type: ignore[assignment]
        return known

    def add_body(self, body: Body) -> None:
        """Add a body, in the order of `index`, before all joints."""
        # where it stands, its mass and its words are not in what is drawn of it; a ball stands for
        # one without shapes
        ball = (
            (self.glyph, None if body.center_of_mass is None else values(body.center_of_mass))
            if not body.shapes
            else None
        )
        key = (body.id, id(body.shapes), body.color, body.visible, ball, self.level)
        self._portions[body.id] = self.keep(
            body.id, key, (body.shapes,), (self.index[body.id],), lambda: self._body(body)
        )

    def _body(self, body: Body) -> None:
        k = self.index[body.id]
        self.row(
            body.id,
            (k, (0.0, 0.0, 0.0)),
            (k, IDENTITY),
            None,
            body.color if body.id != GROUND else -1,
            body.visible,
        )
        if (
            not body.shapes and body.id != GROUND
        ):  # a body without shape is a small ball at its centre of mass
            at = (
                np.array(values(body.center_of_mass))
                if body.center_of_mass is not None
                else np.zeros(3)
            )
            self.part(
                k, placed(hardware.ball(0.45 * self.glyph, self.level.turn), np.eye(3), at), PAINT
            )
        for shape, part in zip(body.shapes, body_parts(body.shapes, self.level)):
            if part is not None:
                self.part(
                    k,
                    part,
                    CAST
                    if body.id == GROUND and shape.material == "paint"
                    else MATERIALS.get(shape.material, PAINT),
                )

    def lowest_swing(self) -> float:
        """The lowest height that any body can reach by swinging about the joints that carry it to
        the ground.
        """
        m = self.mechanism
        frames = {
            id: {f.body: m.frame_in_body(f)[0] for f in (j.frame_a, j.frame_b)}
            for id, j in m.joints.items()
        }
        joints: dict[str, list[str]] = {}
        for id, ends in frames.items():
            for body in ends:
                joints.setdefault(body, []).append(id)
        lowest, queue, seen = np.inf, [], set()
        for id, j in m.joints.items():
            if GROUND in (j.frame_a.body, j.frame_b.body):
                height = m.frame_in_world(j.frame_a if j.frame_a.body == GROUND else j.frame_b)[0][
                    2
                ]
                queue.append((id, height))
        while queue:
            id, height = queue.pop(0)
            for body in frames[id]:
                if body == GROUND or body in seen:
                    continue
                seen.add(body)
                at = frames[id][body]
                lowest = min(lowest, height - self._portions[body].reach(at))
                queue += [
                    (other, height - math.dist(frames[other][body], at))
                    for other in joints[body]
                    if other != id
                ]
        return float(lowest)
