"""Hypothesis strategies of whole projects, for every test that wants "any project".

    @given(projects())
    def test_x(project): …

Their values are legal for a file: references hold, typed texts have the value beside them, bounds
are kept; apart from that anything goes, mechanisms that no solver can move included.
"""

import struct

from hypothesis import strategies as st

from mechstudio.model.end_conditions import DIRECTIONS
from mechstudio.model.formulas import expression
from mechstudio.model.geometry.curve_forms import DRAWN_FORMS
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.laws.interpolation import TABLE_KINDS
from mechstudio.model.mechanism import (
    ACCELERATION,
    GROUND,
    POSITION,
    VELOCITY,
    Body,
    CoordinateOf,
    Coupling,
    Curve,
    Drive,
    Force,
    Frame,
    InitialVelocity,
    Joint,
    Law,
    Limit,
    Mechanism,
    NamedPoint,
    Placement,
    Shape,
)
from mechstudio.model.project import (
    DIAGRAMS,
    Camera,
    CurveStyle,
    Diagram,
    EndCondition,
    Group,
    Lesson,
    Plot,
    Project,
    Settings,
    Unread,
)
from mechstudio.model.quantity import ORIGIN, Parameter, Quantity
from mechstudio.model.results.channels import channels
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import BODY, FORCE_TYPES, JOINT
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.laws import LAW_TYPES, OWN, VARIABLE
from mechstudio.model.types.methods import DRIFTS, FORMULATIONS, INTEGRATOR_TYPES
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.model.units import DIMENSIONS, SYSTEMS

_SHOWN = st.characters(exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp"))
names = st.text(_SHOWN, min_size=1, max_size=12)
words = st.text(_SHOWN, max_size=12)
notes = st.text(
    st.characters(exclude_categories=("Cc", "Cs"), include_characters="\n\t"), max_size=30
)
_numbers = st.floats(-1e6, 1e6).map(lambda x: 0.0 if abs(x) < 1e-6 else x) | st.integers(
    -1000, 1000
).map(float)
_positive = st.floats(1e-3, 1e3)
_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | _numbers | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
extras = st.just({}) | st.dictionaries(
    st.sampled_from(["from_the_future", "未来", "x y"]), _json, max_size=2
)
_PARAMETER_NAMES = ("L1", "L2", "α", "长度", "m", "g", "n_3")


@st.composite
def quantities(draw, dimension="number", known=None, positive=False):
    """A quantity: computed, typed with a unit, or typed with a parameter; its value fits its
    text.
    """
    way = draw(st.sampled_from(("plain", "plain", "typed", "formula")))
    number = draw(_positive if positive else _numbers)
    if way == "plain":
        return Quantity(number)
    unit = draw(st.sampled_from(sorted({system[dimension] for system in SYSTEMS.values()})))
    text = f"{number:.6g} {unit}".strip()
    suitable = [
        name
        for name, (value, d) in (known or {}).items()
        if d == dimension and (value > 0 or not positive)
    ]
    if way == "formula" and suitable:
        text = f"{draw(st.sampled_from(suitable))} * 2"
    return Quantity(expression.evaluate(text, dimension, known or {}), text)


def _vector(dimension, known):
    q = quantities(dimension, known)
    return st.just(ORIGIN) | st.tuples(q, q, q)


def _placements(known):
    return st.builds(Placement, _vector("length", known), _vector("angle", known))


@st.composite
def parameters(draw):
    """A few parameters, later ones sometimes defined by earlier ones."""
    out: dict[str, Parameter] = {}
    known: dict[str, tuple[float, str]] = {}
    for name in draw(st.lists(st.sampled_from(_PARAMETER_NAMES), unique=True, max_size=4)):
        dimension = draw(st.sampled_from(sorted(DIMENSIONS)))
        value = draw(quantities(dimension, known))
        bound = st.none() | quantities(dimension, known)
        out[name] = Parameter(
            name,
            value,
            dimension,
            draw(bound),
            draw(bound),
            draw(st.booleans()),
            draw(notes),
            draw(extras),
        )
        known[name] = (value.value, dimension)
    return out


@st.composite
def shapes(draw, known):
    type = draw(st.sampled_from(sorted(SHAPE_TYPES)))
    size = quantities("length", known, positive=True)
    dimensions = {d.name: draw(size) for d in SHAPE_TYPES[type].dimensions}
    corner = quantities("length", known)
    outline = (
        draw(st.lists(st.tuples(corner, corner), min_size=1, max_size=4))
        if SHAPE_TYPES[type].outline
        else ()
    )
    return Shape(
        type,
        dimensions,
        tuple(outline),
        draw(_placements(known)),
        draw(quantities("density", known, positive=True)),
        draw(st.sampled_from(("paint", "steel", "cast"))),
        draw(extras),
        draw(meshes()) if type == "mesh" else None,
    )


@st.composite
def meshes(draw):
    """A closed surface: a tetrahedron of any proportions, its faces outwards."""
    a, b, c = draw(st.tuples(*[st.floats(1e-3, 1e2)] * 3))
    points = (0.0, 0.0, 0.0, a, 0.0, 0.0, 0.0, b, 0.0, 0.0, 0.0, c)
    return Mesh(
        struct.pack("<12d", *points),
        struct.pack("<12i", 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
        draw(words),
    )


@st.composite
def laws(draw, own, variable, known, types=tuple(sorted(LAW_TYPES))):
    """A law whose value has the dimension `own` over a variable of the dimension `variable`."""
    type = draw(st.sampled_from(types))
    kind = LAW_TYPES[type]
    numbers = {}
    for p in kind.parameters:
        if draw(st.integers(0, 5)):
            numbers[p.name] = draw(
                quantities(
                    {OWN: own, VARIABLE: variable}.get(p.dimension, p.dimension),
                    known,
                    positive=p.least > -1e15,
                )
            )
    rows = []
    if kind.points:
        at = sorted(draw(st.lists(st.integers(-100, 100), unique=True, min_size=2, max_size=4)))
        rows = [(Quantity(float(x)), draw(quantities(own, known))) for x in at]
    suitable = [name for name, (_, dimension) in known.items() if dimension == own]
    if kind.text and suitable and draw(st.booleans()):
        name = draw(st.sampled_from(suitable))
        return Law(type, {name: Quantity(known[name][0])}, (), f"2 * {name}", extra=draw(extras))
    unit = {"angle": "rad", "length": "m", "number": ""}.get(own)
    text = (
        draw(
            st.sampled_from(
                ("0", "0 * t") if unit is None else (f"2 {unit}", f"0.5 {unit} * sin(3 rad/s * t)")
            )
        )
        if kind.text
        else ""
    )
    between = draw(st.sampled_from(("", *TABLE_KINDS))) if kind.points else ""
    return Law(type, numbers, tuple(rows), text, between, draw(extras))


@st.composite
def bodies(draw, id, known, ground=False):
    row = draw(st.lists(shapes(known), max_size=2))
    points = draw(
        st.lists(
            st.builds(
                NamedPoint,
                names,
                _vector("length", known),
                extras,
                st.none() | _vector("angle", known),
            ),
            max_size=2,
        )
    )
    if ground:
        return Body(
            id,
            draw(st.just(GROUND) | names),
            tuple(row),
            points=tuple(points),
            color=-1,
            visible=draw(st.booleans()),
            note=draw(notes),
            extra=draw(extras),
        )
    inertia = quantities("inertia", known)
    velocity = st.builds(
        InitialVelocity, _vector("velocity", known), _vector("angular_velocity", known)
    )
    return Body(
        id,
        draw(st.just(id) | names),
        tuple(row),
        draw(_placements(known)),
        draw(st.none() | quantities("mass", known, positive=True)),
        draw(st.none() | _vector("length", known)),
        draw(st.none() | st.tuples(*[inertia] * 6)),
        draw(st.none() | velocity),
        tuple(points),
        draw(st.integers(-1, 9)),
        draw(st.booleans()),
        draw(notes),
        draw(extras),
    )


@st.composite
def frames(draw, known_bodies, known):
    body = draw(st.sampled_from(known_bodies))
    named = [name for shape in body.shapes for name in shape.points()] + [
        p.name for p in body.points
    ]
    return Frame(
        body.id, draw(st.sampled_from(["", *named])), draw(_placements(known)), draw(extras)
    )


_RATES = {"angle": "angular_velocity", "length": "velocity"}


@st.composite
def joints(draw, id, known_bodies, known):
    type = draw(st.sampled_from(sorted(JOINT_TYPES)))
    kind = JOINT_TYPES[type]
    frame = frames(known_bodies, known)
    values = (
        tuple(draw(quantities(c.dimension, known)) for c in kind.coordinates)
        if draw(st.booleans())
        else ()
    )
    rates = (
        tuple(draw(quantities(_RATES[c.dimension], known)) for c in kind.coordinates)
        if draw(st.booleans())
        else ()
    )
    lengths = {p.name: draw(quantities("length", known, positive=True)) for p in kind.parameters}
    limits = tuple(
        draw(_limits(k, c.dimension, known))
        for k, c in enumerate(kind.coordinates)
        if draw(st.integers(0, 3)) == 0
    )
    curve = (
        Curve(
            tuple(draw(st.lists(_vector("length", known), min_size=2, max_size=4))),
            draw(st.sampled_from(sorted(DRAWN_FORMS))),
            draw(st.booleans()),
            offset=draw(st.none() | quantities("length", known)),
        )
        if kind.curve
        else None
    )
    return Joint(
        id,
        draw(st.just(id) | names),
        type,
        draw(frame),
        draw(frame),
        values,
        rates,
        lengths,
        draw(st.booleans()),
        draw(notes),
        draw(extras),
        limits,
        curve,
    )


@st.composite
def _limits(draw, coordinate, dimension, known):
    torsional = "torsional_" if dimension == "angle" else ""
    stop = st.none() | quantities(dimension, known)
    return Limit(
        coordinate,
        draw(stop),
        draw(stop),
        Quantity(draw(st.floats(0, 1))),
        draw(st.none() | quantities(torsional + "stiffness", known, positive=True)),
        draw(quantities(torsional + "damping", known, positive=True)),
        draw(extras),
    )


def _coordinates(known_joints, dimensions):
    """Every joint coordinate of one of the dimensions."""
    return [
        CoordinateOf(j.id, k)
        for j in known_joints
        for k, c in enumerate(JOINT_TYPES[j.type].coordinates)
        if c.dimension in dimensions
    ]


@st.composite
def couplings(draw, id, known_joints, known):
    """A coupling, or None where the joints have no coordinates for its type."""
    type = draw(st.sampled_from(sorted(COUPLING_TYPES)))
    kind = COUPLING_TYPES[type]
    places = [_coordinates(known_joints, end.dimensions) for end in kind.ends]
    if not all(places):
        return None
    ends = tuple(draw(st.sampled_from(p)) for p in places)
    numbers = {p.name: draw(quantities(p.dimension, known, positive=True)) for p in kind.parameters}
    joint = next(j for j in known_joints if j.id == ends[-1].joint)
    own = JOINT_TYPES[joint.type].coordinates[ends[-1].coordinate].dimension
    law = (
        draw(laws(own, "angle", known, tuple(k for k in kind.laws if k != "expression")))
        if kind.law
        else None
    )
    return Coupling(
        id,
        draw(st.just(id) | names),
        type,
        ends,
        numbers,
        law,
        draw(st.booleans()),
        draw(notes),
        draw(extras),
    )


@st.composite
def drives(draw, id, known_joints, known):
    """A drive, or None where no joint moves."""
    places = _coordinates(known_joints, ("angle", "length"))
    if not places:
        return None
    end = draw(st.sampled_from(places))
    joint = next(j for j in known_joints if j.id == end.joint)
    own = JOINT_TYPES[joint.type].coordinates[end.coordinate].dimension
    quantity = draw(st.sampled_from((POSITION, VELOCITY, ACCELERATION)))
    dimension = {
        POSITION: own,
        VELOCITY: _RATES[own],
        ACCELERATION: {"angle": "angular_acceleration", "length": "acceleration"}[own],
    }[quantity]
    return Drive(
        id,
        draw(st.just(id) | names),
        end.joint,
        end.coordinate,
        quantity,
        draw(laws(dimension, "time", known)),
        draw(st.booleans()),
        draw(st.booleans()),
        draw(notes),
        draw(extras),
    )


@st.composite
def forces(draw, id, known_bodies, known_joints, known):
    """A force, or None where nothing is there for its type to act on."""
    type = draw(st.sampled_from(sorted(FORCE_TYPES)))
    kind = FORCE_TYPES[type]
    # what has a default may be left out; the rate of another number is none of its own
    numbers = {
        p.name: draw(quantities(p.dimension, known, positive=p.least >= 0.0))
        for p in kind.parameters
        if not p.rate_of and (p.default is None or draw(st.integers(0, 3)) == 0)
    }
    ruled = {
        p.name: draw(laws(p.dimension, "time", known))
        for p in kind.parameters
        if not p.rate_of and len(kind.parameters) < 10 and draw(st.integers(0, 4)) == 0
    }
    common = {
        "visible": draw(st.booleans()),
        "note": draw(notes),
        "extra": draw(extras),
        "laws": ruled,
    }
    name = draw(st.just(id) | names)
    if kind.attachment == JOINT:
        places = [
            (j.id, k)
            for j in known_joints
            for k, c in enumerate(JOINT_TYPES[j.type].coordinates)
            if c.dimension == kind.joint_dimension
        ]
        if not places:
            return None
        joint, coordinate = draw(st.sampled_from(places))
        return Force(id, name, type, numbers, joint=joint, coordinate=coordinate, **common)
    frame_b = draw(frames(known_bodies, known))
    if kind.attachment == BODY:
        return Force(
            id,
            name,
            type,
            numbers,
            frame_b=frame_b,
            axes=draw(st.sampled_from(("world", "body"))),
            **common,
        )
    return Force(id, name, type, numbers, draw(frames(known_bodies, known)), frame_b, **common)


_UNREAD = (
    '{"id": "odd", "shapes": [{"type": "from the future", "a": {"b": null}}]}',
    "5",
    "null",
    '"text"',
    '{"name": "5"}',
    '{"width": NaN}',
    '{"a": 1, "a": 2}',
)


@st.composite
def projects(draw):
    """A project with up to three bodies, joints and forces."""
    known_parameters = draw(parameters())
    known = {name: (p.value.value, p.dimension) for name, p in known_parameters.items()}
    ids = draw(
        st.lists(
            names.filter(
                lambda x: x not in (*_PARAMETER_NAMES, "ground", "settings", "gravity", "odd")
            ),
            unique=True,
            min_size=15,
            max_size=15,
        )
    )
    count = draw(st.integers(0, 3))
    known_bodies = [draw(bodies(id, known)) for id in ids[:count]]
    ground = draw(st.just(Mechanism().ground) | bodies(GROUND, known, ground=True))
    places = [*known_bodies, ground]
    known_joints = [draw(joints(id, places, known)) for id in ids[3 : 3 + draw(st.integers(0, 3))]]
    known_forces = [
        f
        for id in ids[6 : 6 + draw(st.integers(0, 3))]
        if (f := draw(forces(id, places, known_joints, known))) is not None
    ]
    known_couplings = [
        c
        for id in ids[9 : 9 + draw(st.integers(0, 2))]
        if (c := draw(couplings(id, known_joints, known))) is not None
    ]
    known_drives = [
        d
        for id in ids[11 : 11 + draw(st.integers(0, 2))]
        if (d := draw(drives(id, known_joints, known))) is not None
    ]
    mechanism = Mechanism(
        {b.id: b for b in known_bodies},
        {j.id: j for j in known_joints},
        {f.id: f for f in known_forces},
        ground,
        draw(st.just(Mechanism().gravity) | _vector("acceleration", known)),
        {c.id: c for c in known_couplings},
        {d.id: d for d in known_drives},
    )
    time = quantities("time", known, positive=True)
    settings = draw(
        st.just(Settings())
        | st.builds(
            Settings,
            time,
            time,
            st.sampled_from(sorted(INTEGRATOR_TYPES)),
            st.just(Quantity(1e-8, "1e-8")),
            st.none() | time,
            st.sampled_from(sorted(FORMULATIONS)),
            st.sampled_from(sorted(DRIFTS)),
            until=_conditions(mechanism, known),
            extra=extras,
        )
    )
    plots = draw(
        st.lists(
            st.builds(
                Plot,
                names,
                words,
                st.lists(words, max_size=3).map(tuple),
                st.booleans(),
                st.none() | st.builds(Diagram, st.sampled_from(DIAGRAMS), words, words, _numbers),
                st.dictionaries(
                    words,
                    st.builds(CurveStyle, st.integers(-1, 7), st.integers(-1, 3), st.floats(0, 9)),
                    max_size=2,
                ),
                extra=extras,
            ),
            max_size=2,
            unique_by=lambda p: p.id,
        )
    )
    lesson = draw(
        st.just(Lesson())
        | st.builds(
            Lesson,
            words,
            notes,
            st.lists(notes, max_size=2).map(tuple),
            st.lists(notes, max_size=2).map(tuple),
            st.sampled_from(["", "gears", "of a newer program"]),
            st.integers(0, 9),
            extras,
        )
    )
    extra = draw(
        st.just({})
        | st.dictionaries(
            st.sampled_from(["membranes", "sensors"]),
            _json | st.lists(st.dictionaries(words, _json, max_size=2), max_size=2),
        )
    )
    groups, left = {}, draw(st.permutations(ids[:count]))
    for id in ids[13 : 13 + draw(st.integers(0, 2))]:
        members, left = left[: (size := draw(st.integers(1, 2)))], left[size:]
        if members:
            groups[id] = Group(
                id, draw(st.just(id) | names), tuple(members), draw(notes), draw(extras)
            )
    return Project(
        mechanism,
        known_parameters,
        settings,
        tuple(plots),
        lesson,
        draw(notes),
        draw(unread({"bodies": count, "plots": len(plots)})),
        extra,
        groups,
    )


def _conditions(mechanism, known):
    """Up to two that end a run by quantities that the mechanism has."""
    return st.lists(
        st.sampled_from(list(channels(mechanism).values())).flatmap(
            lambda c: st.builds(
                EndCondition,
                st.just(c.key),
                quantities(c.dimension, known),
                st.sampled_from(sorted(DIRECTIONS)),
            )
        ),
        max_size=2,
    ).map(tuple)


@st.composite
def unread(draw, counts):
    """Elements that cannot be read, at most one per section and at a place that the section has."""
    out = []
    for section, count in counts.items():
        if draw(st.integers(0, 4)) == 0:
            raw = draw(st.sampled_from(_UNREAD))
            out.append(
                Unread(
                    section,
                    draw(st.integers(0, count)),
                    raw.encode(),
                    "odd" if "odd" in raw and section != "plots" else "",
                )
            )
    return tuple(out)


cameras = st.none() | st.builds(
    Camera, st.tuples(_numbers, _numbers, _numbers), _numbers, _numbers, _positive, st.booleans()
)
