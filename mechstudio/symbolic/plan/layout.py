"""Layout of the tree of a mechanism for a derivation: frames, angles, and the legs (steps of the
path) from W to each body.

Nothing is computed here: positions and attitudes are recorded with exact numbers.  A body's
attitude is W -> display frame -> Rot(axis, form) -> signed permutation -> body axes.  Turns about
parallel axes add up in one `form`, a whole-number combination of coordinates and fixed angles, so
that planar chains stay in one display frame and in absolute angles; a turn about another axis opens
a new frame.
"""

from dataclasses import dataclass, field, replace

from mechstudio.model.geometry.rotation import triple
from mechstudio.symbolic.plan.drawing_numbers import ONE, Amount

Form = tuple[
    tuple[int, int], ...
]  # ((variable, whole coefficient), …); variable k is a coordinate, -1 - i the symbol i
Permutation = tuple[tuple[int, int, int], ...]
FixedTurn = tuple[int, int, dict[int, int]]  # axis, right angles, whole multiples of symbols
UPRIGHT: Permutation = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def plus(a: Form, b: Form, factor: int = 1) -> Form:
    """a + factor b."""
    total = dict(a)
    for variable, coefficient in b:
        total[variable] = total.get(variable, 0) + factor * coefficient
    return tuple(sorted((v, c) for v, c in total.items() if c))


def moving(form: Form) -> Form:
    """The part of a form that depends on coordinates."""
    return tuple((v, c) for v, c in form if v >= 0)


@dataclass(frozen=True)
class DisplayFrame:
    """Axes rotated from those of the parent frame by Rot(axis, form)."""

    parent: int
    axis: int
    form: Form


@dataclass(frozen=True)
class Shift:
    """A fixed vector, in the axes of `frame` rotated by Rot(axis, form) if axis is given."""

    frame: int
    axis: int | None
    form: Form
    vector: tuple[Amount, Amount, Amount]


@dataclass(frozen=True)
class Slide:
    """A vector `direction` (signed unit) times a form of lengths, or of angles times a `factor`
    [m/rad], in the same axes.
    """

    frame: int
    axis: int | None
    form: Form
    direction: tuple[int, int, int]
    length: Form
    factor: Amount = ONE


@dataclass(frozen=True)
class Turn:
    """An angular velocity about an axis of `frame`: the rate of a form."""

    frame: int
    axis: int
    rate: Form


@dataclass(frozen=True)
class Track:
    """A vector whose components are opaque functions of one coordinate (None: zero), in the same
    axes as a Slide's.

    functions: places in the ring's list. variable: the common variable.
    """

    frame: int
    axis: int | None
    form: Form
    functions: tuple[int | None, int | None, int | None]
    signs: tuple[int, int, int]
    variable: Form


Leg = Shift | Slide | Turn | Track


@dataclass(frozen=True)
class Cursor:
    """Frame that is moved along the tree from W to a body. legs: all steps since W."""

    frame: int = 0
    axis: int | None = None
    form: Form = ()
    permutation: Permutation = UPRIGHT
    legs: tuple[Leg, ...] = ()

    def shifted(self, vector: tuple[Amount, Amount, Amount]) -> "Cursor":
        """The cursor moved by a fixed vector in its own axes."""
        if not any(vector):
            return self
        return replace(
            self,
            legs=(
                *self.legs,
                Shift(self.frame, self.axis, self.form, permuted(self.permutation, vector)),
            ),
        )

    def direction(self, axis: int) -> tuple[int, int, int]:
        """Direction of one of its axes, before Rot."""
        return tuple(row[axis] for row in self.permutation)  # type: ignore[return-value]

    def slid(self, axis: int, length: Form, factor: Amount = ONE) -> "Cursor":
        """The cursor moved along one of its own axes."""
        return replace(
            self,
            legs=(
                *self.legs,
                Slide(self.frame, self.axis, self.form, self.direction(axis), length, factor),
            ),
        )

    def tracked(
        self, functions: tuple[int | None, int | None, int | None], variable: Form, sign: int = 1
    ) -> "Cursor":
        """The cursor moved along a curve in its own axes, or backwards (sign -1)."""
        placed: list[int | None] = [None] * 3
        signs = [1] * 3
        for row, line in enumerate(self.permutation):
            k = next(c for c in range(3) if line[c])
            placed[row], signs[row] = functions[k], line[k] * sign
        return replace(
            self,
            legs=(
                *self.legs,
                Track(self.frame, self.axis, self.form, triple(placed), triple(signs), variable),
            ),
        )

    def run_axis(self) -> int | None:
        """Index of its own axis that is the axis of its Rot; None without one."""
        if self.axis is None:
            return None
        return next(k for k in range(3) if self.direction(k)[self.axis])

    def quarter(self, axis: int, turns: int) -> "Cursor":
        """The cursor rotated by right angles about one of its own axes."""
        P = self.permutation
        if turns % 4 == 0:
            return self
        for _ in range(turns % 4):
            j, k = (axis + 1) % 3, (axis + 2) % 3
            # columns of P Rot(axis, 90 deg): the new j is the old k, the new k is minus the old j
            P = tuple(
                tuple(row[k] if c == j else -row[j] if c == k else row[c] for c in range(3))
                for row in P
            )  # type: ignore[assignment,misc]
        return replace(self, permutation=P)


def permuted(P: Permutation, vector):
    """P v for any kind of numbers."""
    out = []
    for row in P:
        k = next(c for c in range(3) if row[c])
        out.append(vector[k] if row[k] > 0 else -vector[k])
    return tuple(out)


@dataclass
class Layout:
    """All display frames, and rotations of cursors, which add frames."""

    frames: list[DisplayFrame] = field(default_factory=lambda: [DisplayFrame(-1, 0, ())])

    def run(self, cursor: Cursor, axis: int) -> tuple[Cursor, int, int]:
        """The cursor in a display frame in which a turn about its own axis adds to the form:
        (cursor, frame axis, sign).
        """
        direction = cursor.direction(axis)
        j = next(c for c in range(3) if direction[c])
        if cursor.form and cursor.axis != j:
            new = DisplayFrame(cursor.frame, cursor.axis, cursor.form)  # type: ignore[arg-type]
            if new not in self.frames:
                self.frames.append(new)
            cursor = replace(cursor, frame=self.frames.index(new), axis=None, form=())
        return cursor, j, direction[j]

    def rotated(self, cursor: Cursor, axis: int, angle: Form) -> Cursor:
        """The cursor rotated by a form about one of its own axes; the moving part of the form is
        recorded as angular velocity.
        """
        if not angle:
            return cursor
        cursor, j, sign = self.run(cursor, axis)
        return self.rotated_to(cursor, j, plus(cursor.form, angle, sign))

    @staticmethod
    def rotated_to(cursor: Cursor, j: int, form: Form) -> Cursor:
        """The cursor with another form of Rot about the same axis."""
        rate = moving(plus(form, cursor.form, -1))
        legs = (*cursor.legs, Turn(cursor.frame, j, rate)) if rate else cursor.legs
        return replace(cursor, axis=j if form else None, form=form, legs=legs)

    def fixed(self, cursor: Cursor, turns: list[FixedTurn]) -> Cursor:
        """The cursor rotated by fixed angles, one after the other about its own axes."""
        for axis, quarters, symbols in turns:
            cursor = cursor.quarter(axis, quarters)
            cursor = self.rotated(
                cursor, axis, tuple(sorted((-1 - index, c) for index, c in symbols.items()))
            )
        return cursor


def backwards(turns: list[FixedTurn]) -> list[FixedTurn]:
    """Fixed turns of the inverse attitude."""
    return [
        (axis, -quarters, {index: -c for index, c in symbols.items()})
        for axis, quarters, symbols in reversed(turns)
    ]
