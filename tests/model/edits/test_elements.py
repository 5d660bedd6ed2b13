"""Edits: pure, with structural sharing, and refused in words."""

import msgspec
import pytest

from mechstudio.api.projects import check
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.edits.links import FRONT, add_joint, add_link, set_joint_type
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import rotate
from mechstudio.model.mechanism import (
    GROUND,
    Body,
    CoordinateOf,
    Coupling,
    Drive,
    Force,
    Frame,
    Joint,
    Limit,
    Mechanism,
    Shape,
)
from mechstudio.model.project import Project
from mechstudio.model.quantity import Parameter, Quantity, vector
from mechstudio.model.types.joints import JOINT_TYPES, holds_turn

Q = Quantity
LENGTH = ("shapes", 0, "dimensions", "length")


def link(length):
    return Shape("link", {"length": length, "width": Q(0.04), "thickness": Q(0.01)})


@pytest.fixture
def project():
    bodies = {
        "crank": Body("crank", "crank", (link(Q(0.2, "L1")),)),
        "rod": Body("rod", "rod", (link(Q(0.4, "2*L1")),)),
    }
    joints = {
        "A": Joint("A", "A", "revolute", Frame(GROUND), Frame("crank", "start")),
        "B": Joint("B", "B", "revolute", Frame("crank", "end"), Frame("rod", "start")),
    }
    forces = {
        "M": Force("M", "motor", "motor_torque", {"torque": Q(1.0)}, joint="A"),
        "S": Force(
            "S",
            "spring",
            "spring",
            {"stiffness": Q(100.0), "free_length": Q(0.2, "L1")},
            Frame(GROUND),
            Frame("rod", "end"),
        ),
    }
    parameters = {
        "L1": Parameter("L1", Q(0.2, "200 mm")),
        "L2": Parameter("L2", Q(0.3, "L1 + 100 mm"), maximum=Q(0.6, "3*L1")),
    }
    return Project(Mechanism(bodies, joints, forces), parameters)


def test_typing_a_number(project):
    new = elements.set_quantity(project, "crank", LENGTH, " 12 in ")
    assert fields.read(fields.find(new, "crank"), LENGTH) == Q(0.3048, "12 in")
    assert new.mechanism.bodies["rod"] is project.mechanism.bodies["rod"]
    assert new.mechanism.joints is project.mechanism.joints
    assert fields.read(
        fields.find(elements.set_quantity(project, "crank", LENGTH, "12", "mm"), "crank"), LENGTH
    ) == Q(0.012, "12 mm")
    assert fields.read(
        fields.find(elements.set_quantity(project, "crank", LENGTH, "12"), "crank"), LENGTH
    ) == Q(12.0, "12")


def test_a_parameter_carries_everything_that_names_it(project):
    new = elements.set_quantity(project, "L1", ("value",), "300 mm")
    assert new.mechanism.bodies["crank"].shapes[0].dimensions["length"] == Q(0.3, "L1")
    assert new.mechanism.bodies["rod"].shapes[0].dimensions["length"] == Q(0.6, "2*L1")
    assert new.mechanism.forces["S"].parameters["free_length"] == Q(0.3, "L1")
    assert new.parameters["L2"].value.value == pytest.approx(0.4) and new.parameters[
        "L2"
    ].maximum.value == pytest.approx(0.9)
    assert new.mechanism.joints["A"] is project.mechanism.joints["A"]
    assert list(new.mechanism.bodies) == ["crank", "rod"]


@pytest.mark.parametrize(
    ("id", "path", "text", "sentence"),
    [
        ("crank", LENGTH, "90 deg", "length expected, got angle"),
        ("crank", LENGTH, "-5 mm", "Length must be larger than zero."),
        ("crank", LENGTH, "0", "Length must be larger than zero."),
        ("crank", LENGTH, "", "Length needs a number."),
        ("crank", LENGTH, "2*L9", "L9 is not a parameter of this project."),
        ("L1", ("value",), "2*L1", "L1 is defined by itself."),
        ("L1", ("value",), "L2", "L1 and L2 are defined by each other: L1 → L2 → L1."),
        ("L1", ("value",), "-200 mm", "crank, Length = L1: Length must be larger than zero."),
        ("settings", ("duration",), "0 s", "Duration must be larger than zero."),
    ],
)
def test_refusals(project, id, path, text, sentence):
    with pytest.raises(ExpressionError) as error:
        elements.set_quantity(project, id, path, text)
    assert str(error.value) == sentence


def test_a_broken_text_is_named(project):
    broken = elements.put_element(
        project, "rod", fields.write(project.mechanism.bodies["rod"], LENGTH, Q(0.4, "2*L9"))
    )
    with pytest.raises(
        ExpressionError, match=r"^rod, Length = 2\*L9: L9 is not a parameter of this project\.$"
    ):
        elements.set_quantity(broken, "L1", ("value",), "300 mm")


def test_clearing_an_optional_number(project):
    heavy = elements.set_quantity(project, "crank", ("mass",), "2 kg")
    assert heavy.mechanism.bodies["crank"].mass == Q(2.0, "2 kg")
    assert elements.set_quantity(heavy, "crank", ("mass",), "  ") == project


def test_every_kind_of_element_can_be_put(project):
    for id, element in fields.elements(project):
        assert elements.put_element(project, id, element) == project
    with pytest.raises(KeyError):
        elements.put_element(project, "nobody", None)
    assert elements.put_element(
        project, fields.GRAVITY, vector(0, 0, 0)
    ).mechanism.gravity == vector(0, 0, 0)


def test_removing_takes_along_what_stands_on_it(project):
    m = elements.remove(project, "crank").mechanism
    assert (list(m.bodies), list(m.joints), list(m.forces)) == (["rod"], [], ["S"])
    m = elements.remove(project, "A").mechanism
    assert (list(m.joints), list(m.forces)) == (["B"], ["S"])
    m = elements.remove(project, "rod").mechanism
    assert (list(m.joints), list(m.forces)) == (["A"], ["M"])


def test_removing_a_parameter_leaves_its_numbers(project):
    new = elements.remove(project, "L1")
    assert list(new.parameters) == ["L2"]
    assert new.parameters["L2"].value == Q(0.3)
    assert new.mechanism.bodies["rod"].shapes[0].dimensions["length"] == Q(0.4)
    assert elements.reevaluate(new) == new


def test_renaming_a_parameter(project):
    new = elements.rename_parameter(project, "L1", "crank_length")
    assert list(new.parameters) == ["crank_length", "L2"]
    assert (
        new.parameters["L2"].value == Q(0.3, "crank_length + 100 mm")
        and new.parameters["L2"].maximum.text == "3*crank_length"
    )
    assert new.mechanism.bodies["rod"].shapes[0].dimensions["length"] == Q(0.4, "2*crank_length")
    assert elements.rename_parameter(new, "crank_length", "L1") == project
    for bad in ("L2", "crank", "ground", "sin", "1x"):
        with pytest.raises(ExpressionError):
            elements.rename_parameter(project, "L1", bad)


@pytest.mark.parametrize(
    ("text", "unit"),
    [("300 mm/n", "s"), ("3 mm*n", "m"), ("3 mm*(1 + 2/n) + 1 mm/(n)", "s"), ("n*3 m*n^2", "kg")],
)
def test_a_parameter_is_not_renamed_into_a_unit(project, text, unit):
    """Behind a unit the name would become one too, and the number another without a word."""
    project = elements.add_parameter(project, Parameter("n", Q(2.0), "number"))
    project = elements.set_quantity(project, "rod", ("shapes", 0, "dimensions", "length"), text)
    with pytest.raises(
        ExpressionError, match=f"the name {unit} would be read as the unit; choose another name.$"
    ):
        elements.rename_parameter(project, "n", unit)
    assert (
        elements.reevaluate(elements.rename_parameter(project, "n", "N1"))
        .mechanism.bodies["rod"]
        .shapes[0]
        .dimensions["length"]
        .value
        == project.mechanism.bodies["rod"].shapes[0].dimensions["length"].value
    )


def test_a_parameter_may_have_a_units_name_where_it_stays_a_name(project):
    new = elements.rename_parameter(project, "L1", "m")
    assert new.mechanism.bodies["rod"].shapes[0].dimensions["length"] == Q(0.4, "2*m")
    assert elements.set_quantity(new, "m", ("value",), "300 mm").mechanism.bodies["rod"].shapes[
        0
    ].dimensions["length"].value == pytest.approx(0.6)


def test_adding_a_parameter(project):
    new = elements.add_parameter(project, Parameter("L3", Q(0.0, "2*L1")))
    assert new.parameters["L3"].value == Q(0.4, "2*L1")
    with pytest.raises(ExpressionError):
        elements.add_parameter(project, Parameter("rod", Q(1.0)))


def test_another_type_of_joint(project):
    typed = elements.put_element(
        project, "B", fields.write(project.mechanism.joints["B"], ("rates", 0), Q(1.0))
    )
    rod = elements.set_attribute(typed, "B", type="distance").mechanism.joints["B"]
    assert rod.type == "distance" and rod.rates == () and rod.parameters["length"].value > 0
    assert elements.set_attribute(typed, "B", name="pin").mechanism.joints["B"].rates == (Q(1.0),)
    with pytest.raises(
        ExpressionError,
        match="motor acts on A, and a slider joint has no such angle; remove motor first",
    ):
        elements.set_attribute(project, "A", type="prismatic")


def test_another_type_keeps_what_fits_and_names_what_does_not(project):
    """Stops stay where the coordinate is of the same kind; a drive or a coupling on a coordinate
    that would go is named.
    """
    stops = (Limit(0, Q(-1.0), Q(1.0)),)
    project = elements.put_element(
        project, "B", msgspec.structs.replace(project.mechanism.joints["B"], limits=stops)
    )
    assert elements.set_attribute(project, "B", type="screw").mechanism.joints["B"].limits == stops
    assert elements.set_attribute(project, "B", type="prismatic").mechanism.joints["B"].limits == ()
    track = elements.set_attribute(project, "B", type="point_on_curve").mechanism.joints["B"]
    assert (
        len(track.curve.points) == 3
        and elements.set_attribute(elements.put_element(project, "B", track), "B", type="revolute")
        .mechanism.joints["B"]
        .curve
        is None
    )
    m = project.mechanism
    driven = msgspec.structs.replace(
        project, mechanism=msgspec.structs.replace(m, drives={"turn": Drive("turn", "turn", "B")})
    )
    with pytest.raises(
        ExpressionError,
        match="turn acts on B, and a slider joint has no such angle; remove turn first",
    ):
        elements.set_attribute(driven, "B", type="prismatic")
    geared = msgspec.structs.replace(
        project,
        mechanism=msgspec.structs.replace(
            m,
            couplings={
                "gear": Coupling("gear", "gear", "gear", (CoordinateOf("B"), CoordinateOf("A")))
            },
        ),
    )
    with pytest.raises(
        ExpressionError, match="gear acts on B, and a fixed joint has no such angle"
    ):
        elements.set_attribute(geared, "B", type="fixed")


def test_attributes_of_a_parameter(project):
    assert elements.set_attribute(project, "L1", slider=True, note="crank").parameters["L1"].slider
    new = elements.set_attribute(project, "L1", name="crank_length", slider=True)
    assert (
        new.parameters["crank_length"].slider
        and new.mechanism.bodies["crank"].shapes[0].dimensions["length"].text == "crank_length"
    )
    with pytest.raises(ExpressionError, match="L1 = 200 mm: angle expected, got length"):
        elements.set_attribute(project, "L1", dimension="angle")


def test_a_parameter_that_is_gone_is_not_renamed(project):
    # its name was being typed when an undo took it away
    assert elements.rename_parameter(project, "gone", "L9") is project


def test_names_are_made_presentable(project):
    rename = lambda text: (
        elements.set_attribute(project, "crank", name=text).mechanism.bodies["crank"].name
    )
    assert rename(" Kurbel 曲柄 ") == "Kurbel 曲柄"
    assert rename("a\x07b\n") == "ab"
    assert rename(" \t") == "crank"
    assert len(rename("x" * 5000)) == 200
    # marks of direction and what has no width, but for the joiners inside Persian words and
    # pictures of several signs
    assert rename("\u202eknarc\u202c \u2067a\u2069\u200f\ufeff\u2028") == "knarc a"
    assert rename("می\u200cشود") == "می\u200cشود" and rename("\u200d\u200b") == "crank"


def test_a_pin_made_a_slide_slides_in_its_plane():
    """A crank and a rod, whose pin on the ground becomes a slide along the ground's x, and a pin
    across the plane again.
    """
    project, crank = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.1, 0.0, 0.1))
    project, rod = add_link(project, FRONT, (0.1, 0.0, 0.1), (0.4, 0.0, 0.0), (crank,))
    for a, b, at in (
        (GROUND, crank, (0, 0, 0)),
        (crank, rod, (0.1, 0, 0.1)),
        (GROUND, rod, (0.4, 0, 0)),
    ):
        project, pin = add_joint(project, FRONT, a, b, at)
    axis = lambda p: [
        rotate(p.mechanism.frame_in_world(f)[1], (0.0, 0.0, 1.0))
        for f in (p.mechanism.joints[pin].frame_a, p.mechanism.joints[pin].frame_b)
    ]
    slide = set_joint_type(project, pin, "point_on_line")
    for along in axis(slide):
        assert along == pytest.approx((1, 0, 0), abs=1e-12)
    structure = check(slide).structure
    assert (
        structure.mobility,
        check(elements.set_attribute(project, pin, type="point_on_line")).structure.mobility,
    ) == (1, 0)
    for across in axis(set_joint_type(slide, pin, "revolute")):
        assert across == pytest.approx(axis(project)[0], abs=1e-12)
    # what slides along the axis that a pin turns about keeps it
    assert axis(set_joint_type(project, pin, "cylindrical")) == axis(project)


@pytest.mark.parametrize("type", [k for k in JOINT_TYPES if holds_turn(k)])
def test_a_joint_that_holds_the_turn_holds_the_one_that_is_drawn(type):
    """Links at an angle, and one on the ground: welded, or on a slide, they stay where they are
    drawn.
    """
    project, first = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.3, 0.0, 0.4))
    project, second = add_link(project, FRONT, (0.3, 0.0, 0.4), (0.8, 0.0, 0.4))
    for a, b, at in ((first, second, (0.3, 0.0, 0.4)), (GROUND, first, (0.0, 0.0, 0.0))):
        made = [add_joint(project, FRONT, a, b, at, type)]
        for other in ("revolute", "spherical", "cylindrical"):
            pinned, id = add_joint(project, FRONT, a, b, at, other)
            made.append((set_joint_type(pinned, id, type), id))
        assert all(check(changed).gap < 1e-12 for changed, _ in made)
