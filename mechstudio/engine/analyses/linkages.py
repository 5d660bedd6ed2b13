"""Facts about planar four-bars and slider-cranks, found in a drawing by their joints, whatever they
are called: Grashof's class, ranges, transmission angle, stroke, quick return, dead points.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mechstudio.engine.analyses.table import Table
from mechstudio.engine.constraints.joint_coordinates import joint_coordinates
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.errors import EngineError
from mechstudio.engine.manifold.assembly import assemble
from mechstudio.engine.structure.four_bar import EQUAL, PARALLEL, kind_of, transmission
from mechstudio.model.findings import Finding
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.types.joints import BALL, JOINT_TYPES, SLIDE, TURN, JointType
from mechstudio.translation import comma, tr

RING = 4  # joints of a four-bar and of a slider-crank
COLUMNS = [("length", "length"), ("angle", "angle"), ("number", "number")]

Fact = tuple[str, str, float]  # label, dimension, value


class Reading(NamedTuple):
    """Angle of a joint of the base as its coordinate measures it.  drawn: of the drawing, with its
    turns [rad].  sense: 1 where it grows as the link turns from x to y of the plane, else -1.
    """

    drawn: float
    sense: float

    def after(self, turn: float) -> float:
        """The angle once the link has turned in the plane by so much [rad]."""
        return self.drawn + self.sense * turn

    def within(self, turn: float) -> float:
        """The same between -pi and pi [rad]."""
        return math.remainder(self.after(turn), 2.0 * math.pi)


class Ring(NamedTuple):
    """A ring of joints through a base.  joints: their places in the drawing, in order, the first
    and the last on the base.  points (4, 2): of each in the plane of motion [m].  slides: unit
    vector of a slider there, None for a pin.  readings: angles of the joints of the base, None
    where one has no angle about the plane's normal.  normal: name of the pin whose axis that is.
    """

    joints: tuple[int, ...]
    points: np.ndarray
    slides: tuple[np.ndarray | None, ...]
    readings: dict[int, Reading | None]
    normal: str


def linkage_facts(mechanism: Mechanism, base: str = GROUND, among: Sequence[str] = ()) -> Table:
    """Table of the facts of a four-bar or slider-crank of a drawing, the first one whose ring goes
    through the body `base` (id) and has the joints `among` (ids); where there is none, the notes
    say what is missing.  Raises EngineError for a drawing that cannot be closed.

    residual: distance between the drawn and the computed place of the joint between coupler and
    output, over the size.
    """
    rows = JointRows(mechanism)
    drawn = assemble(mechanism, rows)
    if not drawn.converged:
        raise EngineError(
            Finding(
                "error",
                "",
                tr("The drawing cannot be closed."),
                tr("See the Doctor for the joints that stay apart."),
            )
        )
    ids = list(mechanism.joints)
    found = [
        ring
        for ring in _rings(
            mechanism, rows, 0 if base == GROUND else 1 + [*mechanism.bodies].index(base)
        )
        if {ids[k] for k in ring}.issuperset(among)
    ]
    refusals: list[str] = []
    for ring in found:
        placed = _placed(mechanism, rows, drawn.poses, ring)
        if isinstance(placed, str):
            refusals.append(placed)
            continue
        facts, notes, residual = _facts(mechanism, placed)
        others = (
            len(mechanism.joints) - RING - sum(1 for j in mechanism.joints.values() if _welds(j))
        )
        if others > 0 or mechanism.couplings:
            notes.append(tr("What else is drawn may limit it; that is not counted."))
        if any(mechanism.joints[ids[k]].limits for k in ring):
            notes.append(tr("Stops are not counted."))
        if len(found) > 1 and not among:
            notes.append(tr("There are others: select joints of the one that is meant."))
        return _table(facts, notes, residual)
    if not found:
        refusals.append(
            tr(
                "No ring of four joints goes through {base}{selected}: a four-bar has four pins, a "
                "slider-crank three pins and a slider. Choose another body as the base, or other "
                "joints.",
                base=mechanism.body(base).name,
                selected=tr(" and the selected joints") if among else "",
            )
        )
    return _table([], list(dict.fromkeys(refusals)), None)


def _table(facts: list[Fact], notes: list[str], residual: float | None) -> Table:
    dimensions = [d for _, d in COLUMNS]
    numbers = np.full((len(facts), len(COLUMNS)), math.nan)
    for k, (_, dimension, value) in enumerate(facts):
        numbers[k, dimensions.index(dimension)] = value
    return Table("linkage", COLUMNS, numbers, [f[0] for f in facts], residual, tuple(notes))


# recognition


def _welds(joint) -> bool:
    return JOINT_TYPES[joint.type].dof == 0


def _fixed_together(mechanism: Mechanism, rows: JointRows) -> list[int]:
    """Numbers of the bodies (ground is 0) that stand for all that each body is fixed to."""
    body = list(range(1 + rows.body_count))

    def of(b: int) -> int:
        while body[b] != b:
            b = body[b]
        return b

    for joint, a, b in zip(mechanism.joints.values(), rows.body_a, rows.body_b, strict=True):
        if _welds(joint) and of(int(a)) != of(int(b)):
            low, high = sorted((of(int(a)), of(int(b))))
            body[high] = low
    return [of(b) for b in body]


def _ends(rows: JointRows, of: list[int]) -> list[tuple[int, int]]:
    """First and second body of every joint, each by the one that stands for it."""
    return [(of[int(a)], of[int(b)]) for a, b in zip(rows.body_a, rows.body_b, strict=True)]


def _rings(mechanism: Mechanism, rows: JointRows, base: int) -> Iterator[tuple[int, ...]]:
    """Rings of four joints through a body (its number, 0 for ground), each once, bodies that are
    fixed to each other being one; a driven joint of the base goes first.
    """
    joints = list(mechanism.joints.values())
    of = _fixed_together(mechanism, rows)
    ends = _ends(rows, of)
    free = [k for k in range(len(joints)) if not _welds(joints[k]) and ends[k][0] != ends[k][1]]
    driven = {d.joint for d in mechanism.drives.values() if d.enabled}
    base = of[base]
    first = sorted((k for k in free if base in ends[k]), key=lambda k: joints[k].id not in driven)
    seen: set[frozenset[int]] = set()

    def onwards(path: tuple[int, ...], node: int, passed: frozenset[int]) -> Iterator[tuple]:
        for k in free:
            if k in path or node not in ends[k]:
                continue
            following = ends[k][0] if ends[k][1] == node else ends[k][1]
            if following == base and len(path) == RING - 1:
                yield (*path, k)
            elif following not in passed and len(path) < RING - 1:
                yield from onwards((*path, k), following, passed | {following})

    for k in first:
        node = next(e for e in ends[k] if e != base)
        for ring in onwards((k,), node, frozenset((base, node))):
            if frozenset(ring) not in seen:
                seen.add(frozenset(ring))
                yield ring


def _placed(
    mechanism: Mechanism, rows: JointRows, poses: np.ndarray, ring: tuple[int, ...]
) -> "Ring | str":
    """A ring in its plane, turned so that a pin of the base goes first and a slider stands late;
    else why it is no linkage whose facts are known.
    """
    joints = list(mechanism.joints.values())
    names = comma().join(joints[k].name for k in ring)
    _, _, P, R = rows.frames(poses)
    pin = next((k for k in ring if JOINT_TYPES[joints[k].type].is_pin), None)
    if pin is None:
        return tr(
            "The ring {names} has no pin; a four-bar has four, a slider-crank three.", names=names
        )
    axis = R[pin][:, 2]
    roles = [_role(JOINT_TYPES[joints[k].type], R[k][:, 2], axis) for k in ring]
    for k, role in zip(ring, roles):
        if not role:
            return tr(
                "{joint} of the ring {names} is no pin parallel to {pin}, and no slider across "
                "it: a four-bar has four pins, a slider-crank three and a slider.",
                joint=joints[k].name,
                names=names,
                pin=joints[pin].name,
            )
    if roles.count("slider") > 1:
        return tr(
            "The ring {names} has {count} sliders; a slider-crank has one.",
            names=names,
            count=roles.count("slider"),
        )
    balls = [float(P[k] @ axis) for k, role in zip(ring, roles) if role == "ball"]
    if len(balls) > 1 and max(balls) - min(balls) > EQUAL * mechanism.size():
        return tr("The ring {names} moves in space; facts are given for planar ones.", names=names)
    if "slider" in roles[:2]:
        ring, roles = ring[::-1], roles[::-1]
    x = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    x /= np.linalg.norm(x)
    plane = np.stack((x, np.cross(axis, x)))
    slides = tuple(plane @ R[k][:, 2] if role == "slider" else None for k, role in zip(ring, roles))
    ends = _ends(rows, _fixed_together(mechanism, rows))
    (base,) = {*ends[ring[0]]} & {*ends[ring[-1]]}
    values, first = joint_coordinates(mechanism, poses[None], rows=rows)[0], 0
    readings: dict[int, Reading | None] = {}
    for k, joint in enumerate(joints):
        coordinates = JOINT_TYPES[joint.type].coordinates
        if k in (ring[0], ring[-1]):
            role = roles[ring.index(k)]
            readings[ring.index(k)] = None
            if role == "pin":
                turning = next(c for c, kind in enumerate(coordinates) if kind.dimension == "angle")
                # an angle is that of the second body, about the joint's own axis
                sense = math.copysign(1.0, float(R[k][:, 2] @ axis))
                readings[ring.index(k)] = Reading(
                    float(values[first + turning]), sense if ends[k][0] == base else -sense
                )
        first += len(coordinates)
    points = np.array([plane @ P[k] for k in ring])
    return Ring(tuple(ring), points, slides, readings, joints[pin].name)


def _role(kind: JointType, along: np.ndarray, axis: np.ndarray) -> str:
    """Part of a joint in a plane linkage with this axis: "pin", "ball" (a pin wherever it points)
    or "slider"; "" for none.
    """
    if {motion for motion, _ in kind.motions} == {BALL}:
        return "ball"
    if not kind.has_one_axis:
        return ""
    motions = {motion for motion, _ in kind.motions}
    if TURN in motions and np.linalg.norm(np.cross(along, axis)) <= PARALLEL:
        return "pin"
    if SLIDE in motions and abs(along @ axis) <= PARALLEL:
        return "slider"
    return ""


def _facts(mechanism: Mechanism, ring: Ring) -> tuple[list[Fact], list[str], float]:
    slider = next((n for n, s in enumerate(ring.slides) if s is not None), None)
    names = [list(mechanism.joints.values())[k].name for k in ring.joints]
    make = {None: _four_bar, 2: _swinging_link, 3: _slider_crank}[slider]
    facts, notes, residual = make(ring, names)
    return facts, notes, residual / mechanism.size()


# facts


def bounded(value: float) -> float:
    """Arc cosine [rad] of a number that rounding may have put beyond its bounds."""
    return math.acos(max(-1.0, min(1.0, value)))


class Range(NamedTuple):
    """Range of a link's angle from the base [rad].  least: 0 where it passes through the base's
    line, greatest: π where it passes through the line behind.  low, high: whether it ends there.
    """

    least: float
    greatest: float
    low: bool
    high: bool

    @property
    def swing(self) -> float:
        """Angle from end to end [rad]; a full turn where it has no end."""
        if self.low and self.high:
            return self.greatest - self.least
        if self.high:
            return 2.0 * self.greatest
        return 2.0 * (math.pi - self.least) if self.low else 2.0 * math.pi

    def facts(self, name: str, reading: Reading, drawn: float) -> list[Fact]:
        """Its ends, and the swing between them, about a joint of this name.  drawn: angle of the
        link from the base in the plane [rad], whose side it keeps where it has both ends.
        """
        if not self.low and not self.high:
            return [(tr("{name}: swing", name=name), "angle", 2.0 * math.pi)]
        if self.low and self.high:
            side = math.copysign(1.0, drawn)
            ends = (side * self.least, side * self.greatest)
        elif self.high:
            ends = (-self.greatest, self.greatest)
        else:
            ends = (self.least, 2.0 * math.pi - self.least)
            drawn %= 2.0 * math.pi
        least, greatest = sorted(reading.after(end - drawn) for end in ends)
        return [
            (tr("{name}: least angle", name=name), "angle", least),
            (tr("{name}: greatest angle", name=name), "angle", greatest),
            (tr("{name}: swing", name=name), "angle", self.swing),
        ]


def range_of(base: float, link: float, one: float, other: float) -> Range:
    """Range of a link on a base whose end is held by a dyad of two links, whose ends reach from
    |one - other| to one + other (Norton 2012, section 4.8).
    """
    equal = EQUAL * (base + link + one + other)
    angle = lambda d: bounded((base**2 + link**2 - d**2) / (2.0 * base * link))
    low = abs(one - other) > abs(base - link) + equal
    high = one + other < base + link - equal
    return Range(
        angle(abs(one - other)) if low else 0.0, angle(one + other) if high else math.pi, low, high
    )


def quick_return(imbalance: float) -> float:
    """Time ratio of the slower to the faster stroke of a crank that turns steadily, of the angle
    [rad] by which its turn is divided otherwise than in halves.
    """
    return (math.pi + abs(imbalance)) / (math.pi - abs(imbalance))


def _length(v: np.ndarray) -> float:
    return float(np.hypot(*v))


def _cross(a: np.ndarray, b: np.ndarray) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def _angle(a: np.ndarray, b: np.ndarray) -> float:
    """Angle from one direction of the plane to another [rad], between -pi and pi."""
    return math.atan2(_cross(a, b), float(a @ b))


def _reading(ring: Ring, place: int, drawn: float, note: str) -> tuple[Reading, list[str]]:
    """Reading of the angle of a joint of the base.  Where it has none of its own, the note and the
    angle in the plane, `drawn` [rad] in the drawing.
    """
    own = ring.readings[place]
    return (own, []) if own is not None else (Reading(drawn, 1.0), [note])


def _from_base(ring: Ring, name: str, other: str) -> str:
    return tr(
        "The angle of {name} is that of its link from the direction to {other}, about the axis of "
        "{pin}.",
        name=name,
        other=other,
        pin=ring.normal,
    )


def _four_bar(ring: Ring, names: list[str]) -> tuple[list[Fact], list[str], float]:
    A, B, C, D = ring.points
    g, a, b, c = _length(D - A), _length(B - A), _length(C - B), _length(D - C)
    total, (s, p, q, l) = g + a + b + c, sorted((g, a, b, c))
    if not s > EQUAL * total:
        return [], [tr("Two joints of {names} lie on one axis.", names=comma().join(names))], 0.0
    margin = p + q - s - l
    kind = kind_of(g, a, b, c, margin, EQUAL * total)
    facts: list[Fact] = [
        (tr("base {a} {b}", a=names[0], b=names[3]), "length", g),
        (tr("input {a} {b}", a=names[0], b=names[1]), "length", a),
        (tr("coupler {a} {b}", a=names[1], b=names[2]), "length", b),
        (tr("output {a} {b}", a=names[2], b=names[3]), "length", c),
        (tr("Grashof's margin"), "length", margin),
    ]
    least, greatest = transmission(g, a, b, c)
    worst = max(abs(math.pi / 2 - least), abs(math.pi / 2 - greatest))
    facts += [
        (tr("transmission angle: least"), "angle", least),
        (tr("transmission angle: greatest"), "angle", greatest),
        (tr("transmission angle: most off a right one"), "angle", worst),
        (
            tr("transmission angle: as drawn"),
            "angle",
            bounded(float((B - C) @ (D - C)) / (b * c)),
        ),
    ]
    turning, swinging = range_of(g, a, b, c), range_of(g, c, a, b)
    # of input and output from the base, in the plane
    input_drawn, output_drawn = _angle(D - A, B - A), _angle(A - D, C - D)
    input, asides = _reading(ring, 0, input_drawn, _from_base(ring, names[0], names[3]))
    output, more = _reading(ring, RING - 1, output_drawn, _from_base(ring, names[3], names[0]))
    facts += turning.facts(names[0], input, input_drawn)
    facts += swinging.facts(names[3], output, output_drawn)
    crank = not turning.low and not turning.high
    if crank and swinging.low and swinging.high and b > a:
        out = bounded((g**2 + (a + b) ** 2 - c**2) / (2 * g * (a + b)))
        back = math.pi + bounded((g**2 + (b - a) ** 2 - c**2) / (2 * g * (b - a)))
        imbalance = back - math.pi - out
        # the output stays on the side of the base where it is drawn
        out, back = (
            input.within(math.copysign(angle, _cross(D - A, C - A)) - input_drawn)
            for angle in (out, back)
        )
        facts += [
            (tr("{name}: where the output is farthest out", name=names[0]), "angle", out),
            (tr("{name}: where the output is farthest back", name=names[0]), "angle", back),
            (tr("quick-return ratio"), "number", quick_return(imbalance)),
        ]
    # both ways of closing at the drawn input: C on either side of the diagonal from B to D
    e = D - B
    d = _length(e)
    inside = (b**2 - c**2 + d**2) / (2 * d) if d else 0.0
    side = math.copysign(math.sqrt(max(b**2 - inside**2, 0.0)), _cross(e, C - B))
    unit = e / d if d else np.zeros(2)
    ways = [B + inside * unit + h * np.array((-unit[1], unit[0])) for h in (side, -side)]
    other = output.within(_angle(A - D, ways[1] - D) - output_drawn)
    facts += [
        (tr("{name}: angle as drawn", name=names[0]), "angle", input.drawn),
        (tr("{name}: angle as drawn", name=names[3]), "angle", output.drawn),
        (tr("{name}: angle of the other branch", name=names[3]), "angle", other),
    ]
    notes = [
        tr("Four-bar of {names}: {kind}.", names=comma().join(names), kind=kind),
        tr("Angles of joints are measured as their coordinates are."),
        *asides,
        *more,
    ]
    return facts, notes, _length(ways[0] - C)


def _slider_crank(ring: Ring, names: list[str]) -> tuple[list[Fact], list[str], float]:
    """Pin, pin, pin, and a slider on the base: crank a, rod b, offset e of the wrist pin's line."""
    A, B, C, _ = ring.points
    s = ring.slides[3]
    assert s is not None, "it is the slider"
    s = s if float(s @ (C - A)) >= 0.0 else -s
    a, b, e = _length(B - A), _length(C - B), _cross(s, C - A)
    equal = EQUAL * (a + b + abs(e))
    facts: list[Fact] = [
        (tr("crank {a} {b}", a=names[0], b=names[1]), "length", a),
        (tr("rod {a} {b}", a=names[1], b=names[2]), "length", b),
        (tr("offset"), "length", abs(e)),
    ]
    words = comma().join(names)
    if not min(a, b) > equal:
        return facts, [tr("Two joints of {names} lie on one axis.", names=words)], 0.0
    facts.append((tr("rod over crank"), "number", b / a))
    notes = []
    # of the crank from the direction to the slider, in the plane
    drawn = _angle(s, B - A)
    aside = tr(
        "The angle of {name} is that of its link from the slide's line towards {other}, about the "
        "axis of {pin}.",
        name=names[0],
        other=names[2],
        pin=ring.normal,
    )
    input, asides = _reading(ring, 0, drawn, aside)
    # height of the crank pin over the line, at most b in size
    h = _cross(s, B - A) - e
    margin = b - a - abs(e)
    facts.append((tr("margin of a full turn"), "length", margin))
    if margin >= -equal:
        outer, inner = (math.sqrt(max((b + k * a) ** 2 - e**2, 0.0)) for k in (1, -1))
        far, near = (
            math.asin(max(-1.0, min(1.0, e / (b + k * a)))) if b + k * a > equal else 0.0
            for k in (1, -1)
        )
        facts += [
            (tr("stroke"), "length", outer - inner),
            (tr("farthest: {b} beyond {a}", a=names[0], b=names[2]), "length", outer),
            (tr("nearest: {b} beyond {a}", a=names[0], b=names[2]), "length", inner),
            (tr("{name}: outer dead point", name=names[0]), "angle", input.within(far - drawn)),
            (
                tr("{name}: inner dead point", name=names[0]),
                "angle",
                input.within(math.pi + near - drawn),
            ),
            (tr("quick-return ratio"), "number", quick_return(near - far)),
        ]
        notes.append(
            tr("Slider-crank of {names}: the crank turns all the way.", names=words)
            if margin > equal
            else tr("Slider-crank of {names}: change point, it can be in line.", names=words)
        )
    else:
        notes.append(
            tr(
                "Slider-crank of {names}: the crank does not turn all the way, since the rod is "
                "shorter than crank and offset together.",
                names=words,
            )
        )
        facts += [
            (tr("{name}: stops at", name=names[0]), "angle", input.within(angle - drawn))
            for height in ((e + b) / a, (e - b) / a)
            if abs(height) < 1.0
            for angle in (math.asin(height), math.pi - math.asin(height))
        ]
    notes += [tr("Angles of joints are measured as their coordinates are."), *asides]
    # the transmission angle lies between the rod and the normal of the line
    spread = [abs(a - e), abs(a + e)]
    sharpest = bounded(min(max(spread), b) / b)
    facts += [
        (tr("transmission angle: least"), "angle", sharpest),
        (tr("transmission angle: as drawn"), "angle", bounded(min(abs(h), b) / b)),
    ]
    # at the drawn crank the wrist pin lies at a cos φ ± sqrt(b² - h²)
    reach = math.sqrt(max(b**2 - h**2, 0.0))
    crank, wrist = float(s @ (B - A)), float(s @ (C - A))
    own = crank + math.copysign(reach, wrist - crank)
    facts += [
        (tr("{name} along the line: as drawn", name=names[2]), "length", own),
        (
            tr("{name} along the line: other branch", name=names[2]),
            "length",
            2.0 * crank - own,
        ),
    ]
    return facts, notes, abs(own - wrist)


def _swinging_link(ring: Ring, names: list[str]) -> tuple[list[Fact], list[str], float]:
    """Inverted slider-crank: a slider between two moving links.  Crank a on the base g; the output
    turns about D, its guide passes B at an offset e.
    """
    A, B, D = ring.points[0], ring.points[1], ring.points[3]
    s = ring.slides[2]
    assert s is not None, "it is the slider"
    words = comma().join(names)
    g, a = _length(D - A), _length(B - A)
    e = _cross(s, B - D)
    total = g + a + abs(e)
    facts: list[Fact] = [
        (tr("base {a} {b}", a=names[0], b=names[3]), "length", g),
        (tr("crank {a} {b}", a=names[0], b=names[1]), "length", a),
        (tr("offset of the slider"), "length", abs(e)),
    ]
    if not min(g, a) > EQUAL * total:
        return facts, [tr("Two joints of {names} lie on one axis.", names=words)], 0.0
    margin = abs(g - a) - abs(e)
    facts.append((tr("margin of a full turn"), "length", margin))
    if margin < -EQUAL * total:
        return (
            facts,
            [
                tr(
                    "Inverted slider-crank of {names}: the crank does not turn all the way, since "
                    "its end comes nearer to {name} than the offset.",
                    names=words,
                    name=names[3],
                )
            ],
            0.0,
        )
    if a >= g:
        notes = [
            tr("Inverted slider-crank of {names}: crank and output turn all the way.", names=words)
            if a > g + EQUAL * total
            else tr("Inverted slider-crank of {names}: change point.", names=words)
        ]
        return [*facts, (tr("{name}: swing", name=names[3]), "angle", 2 * math.pi)], notes, 0.0
    # the output stops where crank and guide stand square: the guide then touches a circle of the
    # crank's length about A, and one of the offset about D
    swing = math.asin(min(1.0, (a + abs(e)) / g)) + math.asin((a - abs(e)) / g)
    facts += [
        (tr("{name}: swing", name=names[3]), "angle", swing),
        (tr("{name}: from end to end of the output", name=names[0]), "angle", math.pi + swing),
        (tr("quick-return ratio"), "number", quick_return(swing)),
    ]
    return facts, [tr("Inverted slider-crank of {names}: the output swings.", names=words)], 0.0
