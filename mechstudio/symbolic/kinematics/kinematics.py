"""Positions and partial velocities of every body in the ring (THEORY 5, projected form: J_P and J_R
by columns).

A body's reference point moves with sum_k Jo_k v_k and turns with sum_k Jw_k v_k, both in the axes
of its display frame.
"""

from dataclasses import dataclass

from mechstudio.symbolic.plan.layout import Cursor, Leg, Shift, Slide, Track, Turn, permuted
from mechstudio.symbolic.plan.plan import Plan
from mechstudio.symbolic.ring.polynomials import Poly, Ring, Vector

Columns = dict[int, Vector]


@dataclass
class Motion:
    """Angular and linear partial velocities at a point, in the axes of `frame`."""

    frame: int
    turning: Columns
    moving: Columns


def forms_of(plan: Plan, cursors: list[Cursor]) -> list:
    """Every form whose sine or cosine may occur."""
    forms = [f.form for f in plan.layout.frames] + [w.form for w in plan.waves.values()]
    for cursor in cursors:
        forms.append(cursor.form)
        forms += [leg.form for leg in cursor.legs if not isinstance(leg, Turn)]
    return forms


class Kinematics:
    """Velocities and positions of points given by cursors."""

    def __init__(self, plan: Plan, ring: Ring):
        self.plan, self.ring = plan, ring
        self.frames = plan.layout.frames
        self._motions: dict[tuple[Leg, ...], Motion] = {(): Motion(0, {}, {})}
        self._fixed: dict[tuple[int, tuple], Vector] = {}
        self._heights: dict[tuple[tuple[Leg, ...], str], Poly] = {}
        self._spins: dict[int, Vector] = {}

    # changes of axes

    def down(self, frame: int, v: Vector) -> Vector:
        """From the parent's axes to those of a frame."""
        f = self.frames[frame]
        return self.ring.rotated(f.axis, f.form, v, back=True)

    def up(self, v: Vector, frame: int, target: int) -> Vector:
        """From a frame's axes to those of one of its ancestors."""
        while frame != target:
            assert frame > 0, "the target must be an ancestor"
            f = self.frames[frame]
            v, frame = self.ring.rotated(f.axis, f.form, v), f.parent
        return v

    def transformed(self, v: Vector, frame: int, target: int) -> Vector:
        """From one frame's axes to any other's."""
        if frame == target:
            return v
        shared = self.common({frame, target})
        v = self.up(v, frame, shared)
        path = self.path(target)
        for f in reversed(path[: path.index(shared)]):
            v = self.down(f, v)
        return v

    def to_body(self, cursor: Cursor, v: Vector) -> Vector:
        """From the axes of a cursor's display frame to its own."""
        return self.ring.to_body(
            cursor.permutation, self.ring.rotated(cursor.axis, cursor.form, v, back=True)
        )

    def from_body(self, cursor: Cursor, v: Vector) -> Vector:
        """From a cursor's own axes to those of its display frame."""
        return self.rotated(cursor, v)

    def path(self, frame: int) -> list[int]:
        """The frame and its ancestors down to W."""
        out = [frame]
        while frame:
            frame = self.frames[frame].parent
            out.append(frame)
        return out

    def common(self, frames: set[int]) -> int:
        """The frame nearest to all of the given ones that is an ancestor of each."""
        paths = [self.path(f)[::-1] for f in frames]
        shared = 0
        for level in zip(*paths):
            if len(set(level)) > 1:
                break
            shared = level[0]
        return shared

    def world_vector(self, name: str, vector: Vector, frame: int) -> Vector:
        """A vector fixed in W in the axes of a frame; remembered by its name."""
        key = (frame, (name,))
        if key not in self._fixed:
            self._fixed[key] = (
                vector
                if frame == 0
                else self.down(frame, self.world_vector(name, vector, self.frames[frame].parent))
            )
        return self._fixed[key]

    def along(self, name: str, vector: Vector, cursor: Cursor) -> Poly:
        """The position of a cursor along a vector fixed in W, leg by leg; remembered."""
        legs = cursor.legs
        start = len(legs)
        while start and (legs[:start], name) not in self._heights:
            start -= 1
        zero: Poly = self.ring.zero
        total = self._heights.get((legs[:start], name), zero)
        for k in range(start, len(legs)):
            leg = legs[k]
            if not isinstance(leg, Turn):
                total = total + self.ring.dot(
                    self.world_vector(name, vector, leg.frame), self.leg_vector(leg)
                )
            self._heights[legs[: k + 1], name] = total
        return total

    # velocities

    def spin(self, frame: int) -> Vector:
        """Angular velocity of a display frame in its own axes."""
        if frame not in self._spins:
            if frame == 0:
                self._spins[0] = [self.ring.zero] * 3
            else:
                f = self.frames[frame]
                spin = list(self.down(frame, self.spin(f.parent)))
                spin[f.axis] = spin[f.axis] + self.ring.rate_of(f.form)
                self._spins[frame] = spin
        return self._spins[frame]

    def motion(self, cursor: Cursor) -> Motion:
        """Partial velocities at a cursor's origin."""
        legs = cursor.legs
        start = len(legs)
        while legs[:start] not in self._motions:
            start -= 1
        motion = self._motions[legs[:start]]
        for k in range(start, len(legs)):
            motion = self._after(motion, legs[k])
            self._motions[legs[: k + 1]] = motion
        return self._in_frame(motion, cursor.frame)

    def _in_frame(self, motion: Motion, frame: int) -> Motion:
        """The same motion in the axes of a descendant frame."""
        for f in reversed(self.path(frame)[: self.path(frame).index(motion.frame)]):
            motion = Motion(
                f,
                {k: self.down(f, v) for k, v in motion.turning.items()},
                {k: self.down(f, v) for k, v in motion.moving.items()},
            )
        return motion

    def _after(self, motion: Motion, leg: Leg) -> Motion:
        ring = self.ring
        motion = self._in_frame(motion, leg.frame)
        if isinstance(leg, Turn):
            turning = dict(motion.turning)
            for k, coefficient in leg.rate:
                column = list(turning.get(k, [ring.zero] * 3))
                column[leg.axis] = column[leg.axis] + coefficient
                turning[k] = column
            return Motion(motion.frame, {k: v for k, v in turning.items() if any(v)}, motion.moving)
        moving = self.carried(motion, self.leg_vector(leg))
        if isinstance(leg, Slide):
            factor = ring.amount(leg.factor)
            along = [
                factor * x for x in ring.rotated(leg.axis, leg.form, ring.signed(leg.direction))
            ]
            for k, coefficient in leg.length:
                moving[k] = [
                    a + coefficient * b for a, b in zip(moving.get(k, [ring.zero] * 3), along)
                ]
        if isinstance(leg, Track):
            tangent = self.track_vector(leg, 1)
            for k, coefficient in leg.variable:
                moving[k] = [
                    a + coefficient * b for a, b in zip(moving.get(k, [ring.zero] * 3), tangent)
                ]
        return Motion(motion.frame, motion.turning, moving)

    def carried(self, motion: Motion, arm: Vector) -> Columns:
        """Partial velocities of the point at an arm: Jo + Jw x arm."""
        moving = dict(motion.moving)
        if any(arm):
            for k, w in motion.turning.items():
                rotated = self.ring.cross(w, arm)
                if any(rotated):
                    moving[k] = (
                        [a + b for a, b in zip(moving[k], rotated)] if k in moving else rotated
                    )
        return moving

    # positions

    def track_vector(self, leg: Track, order: int) -> Vector:
        """A track's vector (order 0) or its derivatives by the way, in the axes of its frame."""
        ring = self.ring
        return ring.rotated(
            leg.axis,
            leg.form,
            [
                ring.zero if f is None else sign * ring.f[f][order]
                for f, sign in zip(leg.functions, leg.signs)
            ],
        )

    def leg_vector(self, leg: Shift | Slide | Track) -> Vector:
        """The vector of a leg in the axes of its frame."""
        ring = self.ring
        if isinstance(leg, Track):
            return self.track_vector(leg, 0)
        if isinstance(leg, Shift):
            return ring.rotated(leg.axis, leg.form, ring.amounts(leg.vector))
        length = ring.length(leg.length) * ring.amount(leg.factor)
        return [length * d for d in ring.rotated(leg.axis, leg.form, ring.signed(leg.direction))]

    def axis(self, cursor: Cursor, axis: int) -> Vector:
        """One of a cursor's own axes in the axes of its display frame."""
        return self.ring.rotated(cursor.axis, cursor.form, self.ring.signed(cursor.direction(axis)))

    def rotated(self, cursor: Cursor, vector) -> Vector:
        """A vector given in a cursor's own axes, in the axes of its display frame."""
        return self.ring.rotated(
            cursor.axis, cursor.form, list(permuted(cursor.permutation, vector))
        )

    def between(self, a: Cursor, b: Cursor, target: int | None = None) -> tuple[Vector, int]:
        """p_B - p_A and the frame in whose axes it is: `target`, or the nearest common ancestor."""
        shared = 0
        while shared < min(len(a.legs), len(b.legs)) and a.legs[shared] == b.legs[shared]:
            shared += 1
        legs = [
            (sign, leg)
            for sign, rest in ((1, b.legs[shared:]), (-1, a.legs[shared:]))
            for leg in rest
            if not isinstance(leg, Turn)
        ]
        requested = target
        target = self.common({leg.frame for _, leg in legs} | {a.frame, b.frame})
        total = [self.ring.zero] * 3
        for sign, leg in legs:
            total = [
                x + sign * y
                for x, y in zip(total, self.up(self.leg_vector(leg), leg.frame, target))
            ]
        total = [self.ring.reduce(x) for x in total]
        return (
            (total, target)
            if requested is None
            else (self.transformed(total, target, requested), requested)
        )

    def speed(self, columns: Columns) -> Vector:
        """A velocity from its partial velocities."""
        ring = self.ring
        return [
            ring.total(column[i] * ring.v[k] for k, column in columns.items()) for i in range(3)
        ]


__all__ = ["Columns", "Kinematics", "Motion", "Poly", "forms_of"]
