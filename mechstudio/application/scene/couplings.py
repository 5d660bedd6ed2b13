"""Couplings of a scene: gears as pitch circles that touch, planetary ones with teeth, belts with
their two runs, racks as lines; the rest as a chain.
"""

import itertools
from collections.abc import Collection

import numpy as np

from mechstudio.application.scene.build import Builder
from mechstudio.application.scene.instances import IDENTITY, pointing
from mechstudio.application.scene.joints.joint_glyphs import circle
from mechstudio.application.scene.lines import INK, Stroke
from mechstudio.curves.drawings.geneva import WIDTH as SLOT
from mechstudio.curves.drawings.geneva import disc_outline, geneva_shape, wheel_outline
from mechstudio.model.edits.couplings import ratio_words
from mechstudio.model.geometry.rotation import Pose, matrix
from mechstudio.model.joints.coupling_axes import base_of, moving_frame
from mechstudio.model.mechanism import GROUND, CoordinateOf, Coupling
from mechstudio.model.types.couplings import COUPLING_TYPES

WIDTH, MARK_WIDTH = 1.8, 2.2  # [px]
# of a dash-dotted line: dash, gap, dot, gap, as shares of one period
DASH, GAP, DOT = 0.56, 0.16, 0.12
PARALLEL = 0.999
# of a planetary gear: radius of the ring's pitch circle in glyphs, least teeth of the sun, planets
RING, SUN_TEETH, PLANETS = 4.6, 12, 3


def dash_dotted(points: np.ndarray, periods: int) -> list[np.ndarray]:
    """A polyline (k, 3) as the dashes and dots of so many periods."""
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    at = lambda s: np.column_stack([np.interp(s, way, points[:, c]) for c in range(3)])
    period, out = way[-1] / periods, []
    for k in range(periods):
        for start, share in ((0.0, DASH), (DASH + GAP, DOT)):
            s = (k + start) * period + np.linspace(0.0, share * period, 6)
            out.append(at(s))
    return out


class _Wheel:
    """One end of a coupling: its axis as drawn, and the row of the body that moves at it."""

    def __init__(
        self, b: Builder, end: CoordinateOf, base: Collection[str], owner: str, visible: bool
    ) -> None:
        m, joint = b.mechanism, b.mechanism.joints[end.joint]
        own = moving_frame(joint, base)
        self.carrier = joint.frame_b.body if own is joint.frame_a else joint.frame_a.body
        pose: Pose = m.frame_in_body(own)
        k = b.index[own.body]
        self.row = b.row(owner, (k, pose[0]), (k, pose[1]), None, -1, visible and joint.visible)
        place, q = m.frame_in_world(joint.frame_a)
        self.R = np.array(matrix(m.frame_in_world(own)[1]))
        self.place, self.axis = np.array(place), np.array(matrix(q))[:, 2]
        self.sense = 1.0 if own is joint.frame_b else -1.0
        self.lift = b.ends[end.joint][1]
        self.rest = joint.frame_a if own is joint.frame_b else joint.frame_b

    def inward(self, v: np.ndarray) -> np.ndarray:
        """A vector of W in the axes of the row."""
        return self.R.T @ v


def add_couplings(b: Builder) -> None:
    """All that is drawn of couplings."""
    for id, coupling in b.mechanism.couplings.items():
        if any(end.joint not in b.ends for end in coupling.ends):
            continue
        base = base_of(b.mechanism, coupling.ends)
        wheels = [_Wheel(b, end, base, id, coupling.visible) for end in coupling.ends]
        glyph = COUPLING_TYPES[coupling.type].glyph
        if glyph == "epicyclic" and _planetary(b, id, coupling, wheels):
            continue
        if not _drawn_to_size(b, id, coupling, wheels):
            _chain(b, id, coupling, wheels)


def _drawn_to_size(b: Builder, id: str, coupling: Coupling, wheels: list[_Wheel]) -> bool:
    """Draw a coupling as its machine part, to size. Returns True if that was possible."""
    first, second = wheels[:2]
    apart = second.place - first.place
    number = {name: q.value for name, q in coupling.parameters.items()}
    glyph = COUPLING_TYPES[coupling.type].glyph
    if glyph == "rack":
        return _rack(b, id, coupling, first, second, number["radius"])
    far = float(np.linalg.norm(apart - (apart @ first.axis) * first.axis))
    if abs(first.axis @ second.axis) < PARALLEL or far < 1e-6 * b.size:
        return False
    if glyph == "gears":
        return _gears(b, id, coupling, first, second, apart, far, number["ratio"])
    if glyph == "geneva":
        return _geneva(b, coupling, first, second)
    if glyph in ("open belt", "crossed belt"):
        return _belt(b, id, coupling, first, second, apart, number, glyph == "crossed belt")
    return False


def _carrier_row(b: Builder, id: str, coupling: Coupling, wheel: _Wheel) -> tuple[int, np.ndarray]:
    """A row at a wheel's place on the body that carries it, and the turn of its axes in W as
    drawn.
    """
    pose, k = b.mechanism.frame_in_body(wheel.rest), b.index[wheel.carrier]
    return b.row(id, (k, pose[0]), (k, pose[1]), None, -1, coupling.visible), np.array(
        matrix(b.mechanism.frame_in_world(wheel.rest)[1])
    )


def _pitch_circle(b: Builder, wheel: _Wheel, radius: float, toward: np.ndarray) -> None:
    """A dash-dotted circle that turns with its wheel, and a mark on it that began toward the other
    one.
    """
    lift, steps = np.array([0.0, 0.0, wheel.lift]), 4 * b.level.glyph
    for piece in dash_dotted(circle(2, radius, steps) + lift, 14):
        b.marks.append(Stroke(piece, wheel.row, INK, WIDTH))
    u = wheel.inward(toward)
    u = np.array([u[0], u[1], 0.0]) / max(np.hypot(u[0], u[1]), 1e-12)
    b.marks.append(
        Stroke(np.array([0.72 * radius * u, radius * u]) + lift, wheel.row, INK, MARK_WIDTH)
    )


def _gears(
    b: Builder,
    id: str,
    coupling: Coupling,
    first: _Wheel,
    second: _Wheel,
    apart: np.ndarray,
    far: float,
    ratio: float,
) -> bool:
    alike = np.sign(first.axis @ second.axis) * first.sense * second.sense
    inner = ratio * alike > 0
    size = abs(ratio)
    if size < 1e-9 or (inner and abs(size - 1.0) < 1e-6):
        return False
    r1 = far / abs(size - 1.0) if inner else far / (1.0 + size)
    if max(r1, size * r1) > 10 * b.size:
        return False
    flat = apart - (apart @ first.axis) * first.axis
    # of an inner pair the small wheel lies inside the large one, and both meet beyond it
    _pitch_circle(b, first, r1, -flat if inner and size > 1 else flat)
    _pitch_circle(b, second, size * r1, flat if inner and size < 1 else -flat)
    # where the wheels meet, on what carries both: it does not turn with either
    row, turn = _carrier_row(b, id, coupling, first)
    at = turn.T @ (flat / far * (r1 if not (inner and size > 1) else -r1) + first.lift * first.axis)
    _label(b, id, coupling, ratio_words(ratio), row, at)
    return True


def _rack(
    b: Builder, id: str, coupling: Coupling, pinion: _Wheel, rack: _Wheel, radius: float
) -> bool:
    along = rack.axis
    if abs(along @ pinion.axis) > 1 - PARALLEL + 1e-6:
        return False
    side = np.cross(along, pinion.axis)
    side /= np.linalg.norm(side)
    # the point that rolls on the rack moves at (axis x r) times the angle: r such that it goes
    # along the rack
    r = radius * side * pinion.sense * rack.sense
    _pitch_circle(b, pinion, abs(radius), r)
    middle = pinion.place + r + pinion.lift * pinion.axis - rack.place
    u, at = rack.inward(along), rack.inward(middle)
    reach = max(2.2 * abs(radius), 2 * b.glyph)
    for piece in dash_dotted(np.array([at - reach * u, at + reach * u]), 8):
        b.marks.append(Stroke(piece, rack.row, INK, WIDTH))
    out = rack.inward(r / abs(radius))
    for k in np.arange(-4, 5):  # ticks of the rack, on the side away from the pinion
        foot = at + k * reach / 4.4 * u
        b.marks.append(Stroke(np.array([foot, foot + 0.28 * b.glyph * out]), rack.row, INK, WIDTH))
    return True


def belt_path(
    first: np.ndarray, second: np.ndarray, r1: float, r2: float, crossed: bool, steps: int
) -> np.ndarray | None:
    """A closed belt (k, 2) about two circles of a plane; None where one lies in the other, or
    crossed ones meet.
    """
    d = second - first
    far = float(np.hypot(*d))
    cosine = (r1 + r2 if crossed else r1 - r2) / far
    if abs(cosine) >= 1.0:
        return None
    toward, open_ = np.arctan2(d[1], d[0]), np.arccos(cosine)
    arc = lambda c, r, a, e: (
        c
        + r * np.column_stack([np.cos(np.linspace(a, e, steps)), np.sin(np.linspace(a, e, steps))])
    )
    one = arc(first, r1, toward + open_, toward + 2 * np.pi - open_)
    if crossed:  # it comes in on the other side and goes about the other way
        two = arc(second, r2, toward + np.pi - open_, toward - np.pi + open_)
    else:
        two = arc(second, r2, toward - open_, toward + open_)
    return np.concatenate([one, two, one[:1]])


def _geneva(b: Builder, coupling: Coupling, crank: _Wheel, wheel: _Wheel) -> bool:
    """The slots on the wheel; pin, locking disc and the radius of the pin on the crank."""
    shape = geneva_shape(b.mechanism, coupling)
    if shape is None:
        return False
    outline = _turned_along(wheel_outline(shape), shape.slot, wheel.lift)
    b.marks.append(Stroke(outline, wheel.row, INK, 1.4 * WIDTH))
    pin = circle(2, 0.5 * SLOT * shape.crank, b.level.glyph)
    b.marks.append(Stroke(pin + shape.pin + (0.0, 0.0, crank.lift), crank.row, INK, MARK_WIDTH))
    if not shape.inner:
        disc = _turned_along(disc_outline(shape), shape.pin / shape.crank, crank.lift)
        b.marks.append(Stroke(disc, crank.row, INK, 1.4 * WIDTH))
    for piece in dash_dotted(np.array([np.zeros(3), shape.pin]) + (0.0, 0.0, crank.lift), 4):
        b.marks.append(Stroke(piece, crank.row, INK, WIDTH))
    return True


def _turned_along(flat: np.ndarray, x: np.ndarray, lift: float) -> np.ndarray:
    """A flat line (k, 2) in a plane z = lift with its x along a unit vector (3,): (k, 3)."""
    y = np.array([-x[1], x[0], 0.0])
    return flat[:, :1] * x + flat[:, 1:] * y + (0.0, 0.0, lift)


def _belt(
    b: Builder,
    id: str,
    coupling: Coupling,
    first: _Wheel,
    second: _Wheel,
    apart: np.ndarray,
    number: dict[str, float],
    crossed: bool,
) -> bool:
    R = np.array(
        matrix(b.mechanism.frame_in_world(b.mechanism.joints[coupling.ends[0].joint].frame_a)[1])
    )
    local = R.T @ apart
    r1, r2 = number["radius_1"], number["radius_2"]
    path = belt_path(np.zeros(2), local[:2], r1, r2, crossed, 2 * b.level.glyph)
    if path is None:
        return False
    # it lies still on what carries both wheels
    row, _ = _carrier_row(b, id, coupling, first)
    b.marks.append(
        Stroke(np.column_stack([path, np.full(len(path), first.lift)]), row, INK, 1.4 * WIDTH)
    )
    for wheel, radius, u in ((first, r1, apart), (second, r2, -apart)):
        _pitch_circle(b, wheel, 0.82 * radius, u)
    return True


def _chain(b: Builder, id: str, coupling: Coupling, wheels: list[_Wheel]) -> None:
    """A dash-dotted line from joint to joint, with two links of a chain in its middle; it follows
    the bodies that carry the joints.
    """
    m = b.mechanism
    places = [np.array(m.frame_in_world(m.joints[end.joint].frame_a)[0]) for end in coupling.ends]
    if max(float(np.linalg.norm(place - places[0])) for place in places) < 1e-6 * b.size:
        _coaxial(b, wheels)
        return
    for k, (first, second) in enumerate(itertools.pairwise(places)):
        far = float(np.linalg.norm(second - first))
        if far < 1e-6 * b.size:
            _coaxial(b, wheels[k : k + 2])
            continue
        row = b.row(
            id,
            _carried(b, coupling.ends[k]),
            (0, IDENTITY),
            _carried(b, coupling.ends[k + 1]),
            -1,
            coupling.visible,
        )
        for piece in dash_dotted(
            np.array([np.zeros(3), (0.0, 0.0, 1.0)]), max(4, round(far / (1.2 * b.glyph)))
        ):
            b.marks.append(Stroke(np.zeros((len(piece), 3)), row, INK, WIDTH, piece[:, 2]))
        # the links lie as flat as they can to the first axis
        R = np.array(matrix(tuple(pointing((second - first)[None] / far)[0].tolist())))
        flat = R.T @ wheels[k].axis * (1.0, 1.0, 0.0)
        side = (
            np.array([0.0, 1.0, 0.0]) if np.linalg.norm(flat) < 0.1 else flat / np.linalg.norm(flat)
        )
        axes = np.column_stack([(0.0, 0.0, 1.0), side, np.cross((0.0, 0.0, 1.0), side)])
        ring = circle(2, 1.0, b.level.glyph) * b.glyph * (0.55, 0.32, 1.0)
        for s in (-0.3, 0.3):
            b.marks.append(
                Stroke(
                    ring @ axes.T + (0.0, 0.0, s * b.glyph),
                    row,
                    INK,
                    MARK_WIDTH,
                    np.full(len(ring), 0.5),
                )
            )


def _coaxial(b: Builder, wheels: list[_Wheel]) -> None:
    """At one place: a ring about the axis for each, with a mark that turns with it."""
    for k, wheel in enumerate(wheels):
        radius, lift = (1.65 + 0.3 * k) * b.glyph, np.array([0.0, 0.0, wheel.lift])
        b.marks.append(Stroke(circle(2, radius, b.level.glyph) + lift, wheel.row, INK, WIDTH))
        b.marks.append(
            Stroke(
                np.array([(radius - 0.12 * b.glyph, 0.0, 0.0), (radius + 0.12 * b.glyph, 0.0, 0.0)])
                + lift,
                wheel.row,
                INK,
                2 * MARK_WIDTH,
            )
        )


def toothed(radius: float, teeth: int, deep: float) -> np.ndarray:
    """A closed outline (k, 3) of a wheel about z with teeth of that depth [m] on its pitch circle,
    the first one on x.
    """
    # foot, flank up, head, flank down: shares of a tooth's pitch
    share = np.array([-0.34, -0.14, 0.14, 0.34]) / teeth
    angle = 2.0 * np.pi * (np.arange(teeth)[:, None] / teeth + share).ravel()
    out = radius + deep * np.tile((-0.5, 0.5, 0.5, -0.5), teeth)
    ring = np.column_stack([out * np.cos(angle), out * np.sin(angle), np.zeros(len(angle))])
    return np.concatenate([ring, ring[:1]])


def _planetary(b: Builder, id: str, coupling: Coupling, wheels: list[_Wheel]) -> bool:
    """Sun and ring with teeth, each on its own body, and between them the pitch circles of three
    planets on the carrier's.
    """
    ratio = coupling.parameters["ratio"].value
    carrier, sun, ring = wheels
    if (
        not 1.15 <= ratio <= 12.0
        or max(float(np.linalg.norm(w.place - carrier.place)) for w in wheels) > 1e-6 * b.size
    ):
        return False
    outer = RING * b.glyph
    inner, count = outer / ratio, max(SUN_TEETH, round(2.2 * SUN_TEETH / ratio))
    deep = 2.2 * inner / count
    at = lambda wheel: np.array([0.0, 0.0, wheel.lift])
    b.marks.append(Stroke(toothed(inner, count, deep) + at(sun), sun.row, INK, WIDTH))
    # the ring's teeth point inwards, the first one on a gap of the sun's
    b.marks.append(
        Stroke(toothed(outer, round(ratio * count), -deep) + at(ring), ring.row, INK, WIDTH)
    )
    b.marks.append(
        Stroke(
            circle(2, outer + 1.6 * deep, 2 * b.level.glyph) + at(ring), ring.row, INK, MARK_WIDTH
        )
    )
    middle, radius = 0.5 * (outer + inner), 0.5 * (outer - inner)
    for k in range(PLANETS):
        turn = 2.0 * np.pi * k / PLANETS
        place = middle * np.array([np.cos(turn), np.sin(turn), 0.0]) + at(carrier)
        for piece in dash_dotted(circle(2, radius, 2 * b.level.glyph) + place, 8):
            b.marks.append(Stroke(piece, carrier.row, INK, WIDTH))
        b.marks.append(Stroke(np.array([at(carrier), place]), carrier.row, INK, MARK_WIDTH))
    return True


def _carried(b: Builder, end: CoordinateOf) -> tuple[int, tuple[float, float, float]]:
    """A joint's place on the body that carries it."""
    joint = b.mechanism.joints[end.joint]
    frame = joint.frame_b if joint.frame_b.body == GROUND else joint.frame_a
    return b.index[frame.body], b.mechanism.frame_in_body(frame)[0]


def _label(b: Builder, id: str, coupling: Coupling, text: str, row: int, at: np.ndarray) -> None:
    if coupling.visible:
        b.labels.append((text, row, tuple(float(c) for c in at), id, 0.5 * b.glyph))
