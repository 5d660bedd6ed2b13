"""The table of fields reaches every number of every element, in both directions."""

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from mechstudio.model import fields
from mechstudio.model.contact import ContactSettings
from mechstudio.model.mechanism import (
    GROUND,
    Body,
    Force,
    Frame,
    InitialVelocity,
    Joint,
    Limit,
    NamedPoint,
    Shape,
)
from mechstudio.model.project import Project, Settings
from mechstudio.model.quantity import ORIGIN, ZERO, Parameter, Quantity
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.model.units import DIMENSIONS
from tests.strategies import projects

Q = Quantity


def full_body(type, id="b"):
    known = SHAPE_TYPES[type]
    shape = Shape(
        type,
        {d.name: Q(0.1) for d in known.dimensions},
        ((ZERO, ZERO), (Q(1.0), ZERO)) if known.outline else (),
    )
    row = (shape, msgspec.structs.replace(shape, material="steel"))
    if id == GROUND:
        return Body(id, id, row, points=(NamedPoint("tip", ORIGIN),))
    return Body(
        id,
        id,
        row,
        mass=Q(1.0),
        center_of_mass=ORIGIN,
        inertia=(ZERO,) * 6,
        initial_velocity=InitialVelocity(),
        points=(NamedPoint("tip", ORIGIN),),
    )


def full_joint(type):
    kind = JOINT_TYPES[type]
    return Joint(
        "j",
        "j",
        type,
        Frame(GROUND),
        Frame("b"),
        (ZERO,) * kind.dof,
        (ZERO,) * kind.dof,
        {p.name: Q(1.0) for p in kind.parameters},
    )


def full_force(type):
    kind = FORCE_TYPES[type]
    numbers = {p.name: ZERO for p in kind.parameters if not p.rate_of}
    frames = {"joint": (None, None), "body": (None, Frame("b"))}.get(
        kind.attachment, (Frame(GROUND), Frame("b"))
    )
    return Force("f", "f", type, numbers, *frames, joint="j" if kind.attachment == "joint" else "")


ELEMENTS = [
    *(("b", full_body(t)) for t in SHAPE_TYPES),
    *((GROUND, full_body(t, GROUND)) for t in SHAPE_TYPES),
    *(("j", full_joint(t)) for t in JOINT_TYPES),
    *(("f", full_force(t)) for t in FORCE_TYPES),
    ("p", Parameter("p", ZERO, minimum=ZERO, maximum=ZERO)),
    (fields.SETTINGS, Settings(step=Q(1e-3))),
    (fields.SETTINGS, Settings(step=Q(1e-3), contacts=ContactSettings(margin=Q(0.01)))),
    (fields.GRAVITY, ORIGIN),
]


def quantities_in(value):
    """Number of quantities anywhere in a value."""
    if isinstance(value, Quantity):
        return 1
    if isinstance(value, msgspec.Struct):
        # ground has no place; a body force uses no first frame; how contacts are stepped is shown
        # where it was changed
        return sum(
            quantities_in(getattr(value, name))
            for name in value.__struct_fields__
            if not (name == "placement" and getattr(value, "id", "") == GROUND)
            and getattr(value, name) != ContactSettings()
        )
    if isinstance(value, dict):
        return sum(map(quantities_in, value.values()))
    return sum(map(quantities_in, value)) if isinstance(value, tuple) else 0


@pytest.mark.parametrize(
    ("id", "element"),
    ELEMENTS,
    ids=lambda x: f"{getattr(x, 'type', type(x).__name__)}" if not isinstance(x, str) else x,
)
def test_every_number_is_a_field_and_can_be_written(id, element):
    table = fields.fields(element, id)
    assert len({f.path for f in table}) == len(table) == quantities_in(element)
    assert len({(f.group, f.label) for f in table}) == len(table)
    assert all(f.dimension in DIMENSIONS for f in table)
    for k, field in enumerate(table):
        marked = fields.write(element, field.path, Q(1000.0 + k, "marked"))
        assert fields.read(marked, field.path) == Q(1000.0 + k, "marked")
        changed = [
            f.path for f in table if fields.read(marked, f.path) != fields.read(element, f.path)
        ]
        assert changed == [field.path]
        assert type(marked) is type(element)


@pytest.mark.slow
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(projects())
def test_writing_what_was_read_changes_nothing(project):
    for id, element in fields.elements(project):
        assert fields.find(project, id) == element
        for field in fields.fields(element, id):
            q = fields.read(element, field.path)
            if q is not None:
                assert fields.write(element, field.path, q) == element
                assert fields.problem(field, q.value) == ""


@pytest.mark.parametrize(
    "path",
    [
        ("mass",),
        ("center_of_mass", 1),
        ("inertia", 3),
        ("initial_velocity", "linear", 2),
        ("initial_velocity", "angular", 0),
    ],
)
def test_optional_numbers_of_a_body_come_and_go(path):
    body = Body("b", "b")
    written = fields.write(body, path, Q(2.0))
    assert fields.read(written, path) == Q(2.0)
    assert fields.write(written, path, None) == body
    assert fields.write(body, path, None) == body


@pytest.mark.parametrize("key", ["values", "rates"])
def test_optional_numbers_of_a_joint_come_and_go(key):
    joint = Joint("j", "j", "cylindrical", Frame(GROUND), Frame("b"))
    written = fields.write(joint, (key, 1), Q(2.0))
    assert getattr(written, key) == (ZERO, Q(2.0))
    assert fields.write(written, (key, 0), None) == joint


def test_bounds_are_explained_in_words():
    table = {f.label: f for f in fields.fields(full_body("link"), "b")}
    assert fields.problem(table["Length"], 0.3) == ""
    assert fields.problem(table["Length"], -0.3) == "Length must be larger than zero."
    assert (
        fields.problem(table["Length"], 1e-12)
        == "Length is too small: at least 1e-09 m is possible."
    )
    assert fields.problem(table["Mass"], -1.0) == "Mass must not be negative."
    assert fields.problem(table["Mass"], 0.0) == ""
    assert fields.problem(table["X"], 1e16) == "X is too large: at most 1e+15 m is possible."
    assert fields.problem(table["X"], float("nan")) == "X is not a number."
    stopped = Joint(
        "j", "j", "revolute", Frame(GROUND), Frame("b"), limits=(Limit(0, None, Q(1.0)),)
    )
    restitution = next(f for f in fields.fields(stopped, "j") if f.label == "Restitution")
    assert fields.problem(restitution, 2.0) == "Restitution is too large: at most 1 is possible."
    assert fields.problem(restitution, -1.0) == "Restitution must not be negative."


def test_unknown_elements():
    with pytest.raises(KeyError):
        fields.find(Project(), "nobody")
