"""Candidates for snapping: every point of a drawing that has a name or a meaning, in its true place
and as the work plane has it.
"""

import functools
import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from mechstudio.application.scene.display_size import glyph_size
from mechstudio.application.scene.solids.shapes import HOLE
from mechstudio.application.tools.snapping.loci import Locus
from mechstudio.application.tools.tool import Pointer
from mechstudio.model.edits.links import LAYER, distance, is_flat, is_layer, link_ends
from mechstudio.model.geometry.forms import Flat
from mechstudio.model.geometry.rotation import Triple, compose, plus, rotate, transform, triple
from mechstudio.model.geometry.work_plane import WorkPlane, dot
from mechstudio.model.mechanism import GROUND, Body, Joint, Mechanism, Shape
from mechstudio.model.quantity import values
from mechstudio.model.types.joints import JOINT_TYPES, SLIDE
from mechstudio.translation import tr

PLANES = 8  # planes for which the candidates are kept
# cosine between the line of sight and the normal above which a plane is seen straight from before
OBLIQUE = 0.95


@dataclass(frozen=True)
class Snap:
    """A place for a click. word: description, "" for free; body: the body it belongs to (a pin goes
    there); joint: its id.

    shape: of its marker (Preview.shape).  off: it lies off the work plane.  axis: the direction of
    the axis on which it lies.
    helper: a line that shows its reference.  grid: it is a node of the grid.  as_long: a length of
    the drawing is taken over.  hole: radius of a hole about it [m], which catches the pointer too.
    locus: line or circle of the work plane on which it lies.
    """

    point: Triple
    word: str = ""
    body: str = ""
    joint: str = ""
    shape: str = "ring"
    off: bool = False
    axis: Triple | None = None
    helper: tuple[Triple, Triple] | None = None
    grid: bool = False
    as_long: bool = False
    hole: float = 0.0
    locus: Locus | None = None


class Axis(NamedTuple):
    """A straight axis of a shape or a joint: a point of it and its direction in W, how far it
    reaches both ways [m], whose it is.
    """

    point: Triple
    direction: Triple
    reach: float
    owner: str
    word: str


class Straight(NamedTuple):
    """A link as others are drawn in relation to it: its ends in W."""

    body: str
    name: str
    start: Triple
    end: Triple


def joint_axis(m: Mechanism, joint: Joint) -> Triple | None:
    """The direction in W about or along which a joint moves; None for one that has no single
    axis.
    """
    kind = JOINT_TYPES[joint.type]
    if not kind.has_one_axis:
        return None
    axis = kind.motions[0][1]
    return rotate(m.frame_in_world(joint.frame_a)[1], triple(float(k == axis) for k in range(3)))


def turns(joint: Joint) -> bool:
    """True if a joint is a hinge, a cylindrical pair or a screw: parts stand across its axis."""
    kind = JOINT_TYPES[joint.type]
    return kind.has_one_axis and any(motion != SLIDE for motion, _ in kind.motions)


def shape_axes(body: Body) -> list[Axis]:
    """Axes of the round shapes of a body, in W."""
    out = []
    for shape in body.shapes:
        if (reach := shape.form.reach()) is not None:
            at, q = compose(body.placement.pose, shape.placement.pose)
            out.append(
                Axis(
                    at,
                    rotate(q, (0.0, 0.0, 1.0)),
                    reach,
                    body.id,
                    tr("axis of {body}", body=body.name),
                )
            )
    return out


def link_normal(body: Body) -> Triple | None:
    """The direction of the pins of a body that is one link or one flat arm; None for any other
    body.
    """
    return (
        None
        if len(body.shapes) != 1
        or not is_flat(body)
        or any(values(body.shapes[0].placement.orientation))
        else tuple(-c + 0.0 for c in rotate(body.placement.quaternion, (0.0, 1.0, 0.0)))
    )  # type: ignore[return-value]


def between_faces(body: Body, point: Triple) -> Triple:
    """A place on the surface of a link, moved to the plane in which its pins lie; of any other body
    as it is.
    """
    normal = link_normal(body)
    if normal is None:
        return point
    away = dot(
        (
            point[0] - body.placement.pose[0][0],
            point[1] - body.placement.pose[0][1],
            point[2] - body.placement.pose[0][2],
        ),
        normal,
    )
    return (point[0] - away * normal[0], point[1] - away * normal[1], point[2] - away * normal[2])


def edge_middles(shape: Shape) -> list[Triple]:
    """Middles of the edges of a box, and of the sides of a plate on its middle plane, in body
    axes.
    """
    return [transform(shape.placement.pose, p) for p in shape.form.edges()]


class Candidates:
    """Every candidate of one drawing, in its true place; `near` says which of them are close to the
    pointer.

    tolerance: how far off the plane [m] a candidate may lie and still be moved into it along the
    normal.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = m = mechanism
        self.snaps: list[Snap] = []
        self._ranks: list[int] = []
        self._tolerance: list[float] = []
        self.axes: list[Axis] = []
        self.straights: list[Straight] = []
        self._solid: list[bool] = []
        self._thick = {id: self._thickness(body) for id, body in m.bodies.items()}
        for id, joint in m.joints.items():
            self._add_joint(id, joint)
        for body in m.bodies.values():
            self._add_body(body)
        if m.ground.shapes or m.ground.points:
            self._add_body(m.ground)
        self.points = np.array([s.point for s in self.snaps]).reshape(-1, 3)
        self.rank = np.array(self._ranks)
        self.tolerance, self.solid = np.array(self._tolerance), np.array(self._solid, bool)
        self._of: dict[str, list[int]] = {}
        for k, s in enumerate(self.snaps):
            self._of.setdefault(s.body, []).append(k)
        self._owner = np.array([s.body for s in self.snaps], dtype=object)
        self._widest = max((s.hole for s in self.snaps), default=0.0)
        self._flat: dict[
            tuple[float, ...], tuple[list[Snap], np.ndarray, np.ndarray, np.ndarray]
        ] = {}

    @staticmethod
    def _thickness(body: Body) -> float:
        return LAYER * max(
            (s.dimensions["thickness"].value for s in body.shapes if is_layer(s)),
            default=0.0,
        )

    def _put(self, rank: int, snap: Snap, tolerance: float, solid: bool = False) -> None:
        self.snaps.append(snap)
        self._ranks.append(rank)
        self._tolerance.append(tolerance)
        self._solid.append(solid)

    def _add_joint(self, id: str, joint: Joint) -> None:
        m = self.mechanism
        owner = joint.frame_b.body if joint.frame_b.body != GROUND else joint.frame_a.body
        at, axis = m.frame_in_world(joint.frame_b)[0], joint_axis(m, joint)
        thick = max(
            (self._thick.get(f.body, 0.0) for f in (joint.frame_a, joint.frame_b)), default=0.0
        )
        named = [(f.body, f.point) for f in (joint.frame_a, joint.frame_b) if f.point]
        hole = max((_hole(m.body(body), point) for body, point in named), default=0.0)
        word = tr("joint {joint}", joint=joint.name)
        self._put(0, Snap(at, word, owner, id, "ring", axis=axis, hole=hole), thick)
        if axis is not None:
            self.axes.append(Axis(at, axis, 0.0, owner, tr("axis of {joint}", joint=joint.name)))

    def _add_body(self, body: Body) -> None:
        ends, thick, pose = link_ends(body), self._thick.get(body.id, 0.0), body.placement.pose
        if ends is not None:
            self.straights.append(Straight(body.id, body.name, *ends))
            for p, word in zip(ends, ("start", "end")):
                self._put(
                    1,
                    Snap(
                        p,
                        tr("{word} of {body}", word=word, body=body.name),
                        body.id,
                        hole=_hole(body, word),
                    ),
                    thick,
                )
            middle: Triple = tuple((a + b) / 2 for a, b in zip(*ends))  # type: ignore[assignment]
            self._put(
                2,
                Snap(middle, tr("middle of {body}", body=body.name), body.id, shape="triangle"),
                thick,
            )
        else:
            if body.id != GROUND:
                self._put(
                    2,
                    Snap(pose[0], tr("origin of {body}", body=body.name), body.id, shape="cross"),
                    thick,
                    True,
                )
            own = {p.name for p in body.points}
            flat = link_normal(body) is not None
            for name, local in body.named_points().items():
                if name not in own:
                    # the joints of a flat arm stand in the plane of its frame, beside its layer
                    local = (local[0], 0.0, local[2]) if flat else local
                    self._put(
                        1 if flat else 3,
                        Snap(
                            transform(pose, local),
                            tr("{name} of {body}", name=name, body=body.name),
                            body.id,
                            shape=_shape_of(name),
                            hole=_hole(body, name),
                        ),
                        thick,
                        True,
                    )
            for shape in body.shapes:
                for local in edge_middles(shape):
                    self._put(
                        4,
                        Snap(
                            transform(pose, local),
                            tr("edge of {body}", body=body.name),
                            body.id,
                            shape="triangle",
                        ),
                        thick,
                        True,
                    )
            self.axes += shape_axes(body)
        for p in body.points:
            self._put(
                1,
                Snap(
                    transform(pose, body.point(p.name)),
                    tr("{parameter} of {body}", parameter=p.name, body=body.name),
                    body.id,
                    shape="diamond",
                ),
                thick,
                ends is None,
            )

    @functools.cached_property
    def size(self) -> float:
        """The drawing's size [m]; reading it takes longer than a move of the pointer may."""
        return self.mechanism.size()

    @functools.cached_property
    def glyph(self) -> float:
        """The radius of the glyphs of joints [m]."""
        return glyph_size(self.mechanism, self.size)

    def of(self, body: str) -> np.ndarray:
        """The candidates of a body (k, 3) in their true places."""
        return self.points[self._of.get(body, [])]

    @functools.cached_property
    def _rooms(self) -> tuple[list[str], np.ndarray, np.ndarray]:
        """Bodies with the middle (k, 3) and radius (k,) of a ball about each."""
        ids, middles, radii = [], [], []
        for id, body in self.mechanism.bodies.items():
            points = self.of(id)
            if len(points):
                middle = (points.min(axis=0) + points.max(axis=0)) / 2
                round_ = max(
                    (
                        q.value
                        for s in body.shapes
                        for name, q in s.dimensions.items()
                        if name in ("radius", "width", "bottom_radius")
                    ),
                    default=0.0,
                )
                ids.append(id)
                middles.append(middle)
                radii.append(float(np.linalg.norm(points - middle, axis=1).max()) + round_)
        return ids, np.array(middles).reshape(-1, 3), np.array(radii)

    def around(self, point: Triple, along: Triple, reach: float) -> list[str]:
        """Bodies that may come within reach of the line through a point along a unit direction;
        some of them do not.
        """
        ids, middles, radii = self._rooms
        d = middles - np.array(point)
        away = (
            np.linalg.norm(d - (d @ np.array(along))[:, None] * np.array(along), axis=1)
            if len(ids)
            else np.zeros(0)
        )
        return [ids[k] for k in np.flatnonzero(away <= radii + reach)]

    def heights(self, plane: WorkPlane) -> np.ndarray:
        """Signed distances of the candidates from a plane (k,) [m]."""
        return (
            (self.points - np.array(plane.origin)) @ np.array(plane.normal)
            if len(self.points)
            else np.zeros(0)
        )

    def cuts(self, plane: WorkPlane, body: str) -> bool:
        """True if a plane goes through a body, its layer counted in."""
        points = self.of(body)
        if not len(points):
            return False
        h = (points - np.array(plane.origin)) @ np.array(plane.normal)
        slack = max(self._thick.get(body, 0.0), 1e-9)
        return bool(h.min() <= slack and h.max() >= -slack)

    def placed(self, plane: WorkPlane) -> tuple[list[Snap], np.ndarray, np.ndarray, np.ndarray]:
        """The candidates as a plane has them: (snaps, points (k, 3), ranks, whether it stands out
        of the plane only for an oblique look).
        """
        # whatever its origin and axes, a plane is its normal and its distance from the origin of W
        key = (*(round(c, 12) for c in plane.normal), round(dot(plane.normal, plane.origin), 12))
        if key not in self._flat:
            if len(self._flat) >= PLANES:
                self._flat.clear()
            self._flat[key] = self._place(plane)
        return self._flat[key]

    def _place(self, plane: WorkPlane) -> tuple[list[Snap], np.ndarray, np.ndarray, np.ndarray]:
        n, h = np.array(plane.normal), self.heights(plane)
        slack = 1e-9 * max(1.0, float(np.abs(self.points).max()) if len(self.points) else 1.0)
        cut = {body for body in set(self._owner[self.solid]) if self.cuts(plane, body)}
        pins = np.array(
            [
                s.axis is not None and abs(dot(s.axis, plane.normal)) > 1.0 - 1e-9 and bool(s.joint)
                for s in self.snaps
            ],
            bool,
        )
        into = np.abs(h) <= np.maximum(self.tolerance, slack)
        for k, snap in enumerate(self.snaps):
            if self.solid[k] and snap.body in cut:
                into[k] = True
            elif (
                pins[k] and not into[k]
            ):  # a pin through bodies that the plane cuts too is the same pin there
                j = self.mechanism.joints[snap.joint]
                into[k] = any(
                    self.cuts(plane, f.body) for f in (j.frame_a, j.frame_b) if f.body != GROUND
                )
        flat = self.points - np.where(into, h, 0.0)[:, None] * n if len(h) else self.points
        snaps: list[Snap] = []
        points: list[np.ndarray] = []
        ranks: list[int] = []
        oblique: list[bool] = []
        met: dict[tuple, tuple[float, int]] = {}
        for k, snap in enumerate(self.snaps):
            off = abs(float(h[k]))
            if into[k] and self.solid[k]:
                # of several points of a body that meet in the plane the one that stood nearest to
                # it
                u, v = plane.to_plane(snap.point)
                key = (snap.body, self._ranks[k], round(u, 9), round(v, 9))
                if key not in met or round(off, 9) < met[key][0]:
                    if key in met:
                        at = met[key][1]
                        snaps[at] = _moved(snap, flat[k])
                        ranks[at] = self._ranks[k]
                        met[key] = (round(off, 9), at)
                    else:
                        met[key] = (round(off, 9), len(snaps))
                        snaps.append(_moved(snap, flat[k]))
                        points.append(flat[k])
                        ranks.append(self._ranks[k])
                        oblique.append(False)
            else:
                snaps.append(_moved(snap, flat[k]) if into[k] else _off(snap))
                points.append(flat[k])
                ranks.append(self._ranks[k])
                oblique.append(False)
            if into[k] and off > max(slack, float(self.tolerance[k])):
                snaps.append(_off(snap))
                points.append(self.points[k])
                ranks.append(self._ranks[k])
                oblique.append(True)
        for axis in self.axes:
            slope = dot(axis.direction, plane.normal)
            if abs(slope) > 1e-6:
                t = -plane.height(axis.point) / slope
                p: Triple = plus(axis.point, axis.direction, t)  # type: ignore[assignment]
                if abs(t) > slack:
                    snaps.append(Snap(p, axis.word, "", "", "axis", axis=axis.direction))
                    points.append(np.array(p))
                    ranks.append(4)
                    oblique.append(False)
        return snaps, np.array(points).reshape(-1, 3), np.array(ranks, int), np.array(oblique, bool)

    def near(
        self, plane: WorkPlane, pointer: Pointer, reach: float
    ) -> list[tuple[int, float, Snap]]:
        """(rank, pixels from the pointer, candidate) of all within reach [px], best first; of
        equals the nearer to the viewer.
        """
        snaps, points, ranks, oblique = self.placed(plane)
        if not len(points):
            return []
        if pointer.eye is None:
            if pointer.point is None:
                return []
            gap = np.linalg.norm(points - np.array(pointer.point), axis=1) / max(
                pointer.pixel, 1e-300
            )
            found = [
                (int(ranks[k]), float(gap[k]), snaps[k], 0.0)
                for k in np.flatnonzero((gap <= reach) & ~oblique)
            ]
        else:
            eye = pointer.eye
            origin, direction = (np.array(v) for v in eye.ray(pointer.x, pointer.y))
            d = points - origin
            along = d @ direction
            miss = np.linalg.norm(d - along[:, None] * direction, axis=1)
            # the size of a pixel grows in proportion to the depth, or not at all: two of them show
            # it for all points
            far = max(float(np.abs(along).max()), 1e-9)
            s1, s2 = (eye.pixel_size(tuple(origin + t * far * direction)) for t in (0.5, 1.0))
            size = np.maximum(s1 + (s2 - s1) * (along / far - 0.5) / 0.5, 1e-300)
            straight = abs(dot(eye.back, plane.normal)) > OBLIQUE
            found = []
            for k in np.flatnonzero(
                (miss <= np.maximum(1.2 * reach * size, self._widest))
                & (along > 0)
                & ~(oblique & straight)
            ):
                at = eye.pixel_of(snaps[k].point)
                gap_k = math.inf if at is None else math.hypot(at[0] - pointer.x, at[1] - pointer.y)
                if gap_k <= max(reach, snaps[k].hole / float(size[k])):
                    found.append((int(ranks[k]), gap_k, snaps[k], float(along[k])))
        found.sort(
            key=lambda f: (f[0], round(f[1]), f[3]) if pointer.eye is not None else (f[0], f[1])
        )
        return [(rank, gap_k, snap) for rank, gap_k, snap, _ in found]


def _shape_of(name: str) -> str:
    """The marker of a point that a shape names."""
    return (
        "cross"
        if "centre" in name
        else "square"
        if name.count(" ") >= 2 or name.startswith("corner")
        else "diamond"
    )


def _moved(snap: Snap, point: np.ndarray) -> Snap:
    at = (float(point[0]), float(point[1]), float(point[2]))
    return snap if distance(at, snap.point) < 1e-12 else replace(snap, point=at, off=False)


def _off(snap: Snap) -> Snap:
    return replace(snap, off=True)


def _hole(body: Body, point: str) -> float:
    """Radius of the hole about a named point of a link or plate [m]; zero where there is none."""
    form = body.shapes[0].form if len(body.shapes) == 1 else None
    if not isinstance(form, Flat) or not point.startswith(("start", "end", "corner")):
        return 0.0
    return HOLE * form.radius


_kept: Candidates | None = None


def candidates_of(mechanism: Mechanism) -> Candidates:
    """The candidates of a drawing; those of the last one are kept, since the pointer needs them at
    every move.
    """
    global _kept
    if _kept is None or _kept.mechanism is not mechanism:
        _kept = Candidates(mechanism)
    return _kept
