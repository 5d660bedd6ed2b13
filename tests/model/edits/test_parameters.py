"""Parameters: where they are used, what a formula asks for, dimensions that fit or are refused in
words.
"""

import msgspec
import pytest

from mechstudio.model.edits import elements
from mechstudio.model.edits import parameters as parameter_edits
from mechstudio.model.edits.parameters import Requested, Use, added, requested_by, uses
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.mechanism import (
    GROUND,
    Body,
    CoordinateOf,
    Coupling,
    Drive,
    Force,
    Frame,
    Joint,
    Law,
    Mechanism,
    Shape,
)
from mechstudio.model.project import Project
from mechstudio.model.quantity import Parameter, Quantity

Q = Quantity
LENGTH = ("shapes", 0, "dimensions", "length")
UNITS = "mm-N-deg"


def link(length):
    return Shape("link", {"length": length, "width": Q(0.04), "thickness": Q(0.01)})


@pytest.fixture
def project():
    bodies = {
        "b1": Body("b1", "crank", (link(Q(0.2, "L1")),)),
        "b2": Body("b2", "rod", (link(Q(0.4, "2*L1")),)),
    }
    joints = {
        "A": Joint("A", "A", "revolute", Frame(GROUND), Frame("b1", "start")),
        "B": Joint("B", "B", "revolute", Frame("b1", "end"), Frame("b2", "start")),
    }
    forces = {
        "F": Force(
            "F",
            "spring",
            "spring",
            {"stiffness": Q(100.0), "free_length": Q(0.2, "L1")},
            Frame(GROUND),
            Frame("b2", "end"),
            laws={"stiffness": Law("expression", text="k*(x - L1)/L1")},
        )
    }
    drives = {"M": Drive("M", "M1", "A", law=Law("expression", text="w*t"), quantity="position")}
    couplings = {
        "G": Coupling(
            "G", "gears", "gear", (CoordinateOf("A"), CoordinateOf("B")), {"ratio": Q(2.0, "n")}
        )
    }
    parameters = {
        "L1": Parameter("L1", Q(0.2, "200 mm")),
        "L2": Parameter("L2", Q(0.3, "L1 + 100 mm"), maximum=Q(0.6, "3*L1")),
        "k": Parameter("k", Q(100.0, "100 N/m"), "stiffness"),
        "w": Parameter("w", Q(6.0, "6 rad/s"), "angular_velocity"),
        "n": Parameter("n", Q(2.0, "2"), "number"),
        "t": Parameter("t", Q(1.0, "1 s"), "time"),
    }
    return elements.reevaluate(
        Project(Mechanism(bodies, joints, forces, drives=drives, couplings=couplings), parameters)
    )


def words(project, name):
    return [use.words for use in uses(project, name)]


def test_every_place_that_names_a_parameter_is_found(project):
    assert words(project, "L1") == [
        "parameter L2",
        "most of L2",
        "length of crank",
        "length of rod",
        "free length of spring",
        "law of spring",
    ]
    assert words(project, "w") == ["law of M1"] and words(project, "n") == ["ratio of gears"]
    assert words(project, "L2") == [] and uses(project, "L1")[2] == Use(
        "b1", LENGTH, "length of crank"
    )


def test_a_variable_of_a_law_is_no_use_of_the_parameter_of_its_name(project):
    assert words(project, "t") == []


def test_renaming_reaches_every_use_and_is_refused_where_a_law_would_mean_another(project):
    new = elements.rename_parameter(project, "L1", "crank_length")
    assert len(uses(new, "crank_length")) == 6 and uses(new, "L1") == ()
    assert new.mechanism.forces["F"].laws["stiffness"].text == "k*(x - crank_length)/crank_length"
    elements.rename_parameter(project, "L2", "x")
    with pytest.raises(
        ExpressionError,
        match=(
            r"^x already means the distance of its ends in the law of spring; choose another name.$"
        ),
    ):
        elements.rename_parameter(project, "L1", "x")


def test_removing_leaves_the_values(project):
    gone = elements.remove(project, "L1")
    assert "L1" not in gone.parameters and gone.mechanism.bodies["b2"].shapes[0].dimensions[
        "length"
    ] == Q(0.4)
    assert (
        gone.mechanism.forces["F"].laws["stiffness"].text == "k*(x - (0.2 m))/(0.2 m)"
        and uses(gone, "L1") == ()
    )


@pytest.mark.parametrize(
    ("text", "dimension", "present", "requested"),
    [
        ("L9", "length", 0.3, Requested("L9", "length", "300 mm")),
        ("2*L9", "length", 0.3, Requested("L9", "length", "150 mm")),
        ("L1 + d", "length", 0.3, Requested("d", "length", "100 mm")),
        ("r*L1", "length", 0.3, Requested("r", "number", "1.5")),
        ("L1*sin(phi)", "length", 0.3, Requested("phi", "number", "1")),
        ("phi", "angle", 0.5235987755982988, Requested("phi", "angle", "30 deg")),
        ("L9", "length", None, Requested("L9", "length", "100 mm")),
        ("c/t", "velocity", 0.1, Requested("c", "length", "100 mm")),
        ("L9 + L8", "length", 0.3, Requested("L9", "length", "300 mm")),
    ],
)
def test_a_parameter_that_a_formula_needs_keeps_the_value_of_its_field(
    project, text, dimension, present, requested
):
    found = requested_by(project, text, dimension, present, UNITS)
    assert found == requested
    with_it = parameter_edits.added(project, found)
    assert with_it.parameters[requested.name].dimension == requested.dimension


@pytest.mark.parametrize("text", ["3*L1", "mm", "sin(", "crank_2 +", "foo(3)"])
def test_nothing_is_offered_where_no_name_is_missing(project, text):
    assert requested_by(project, text, "length", 0.3, UNITS) is None


def test_the_name_of_something_else_is_not_offered(project):
    assert requested_by(project, "A", "length", 0.3, UNITS) is None


@pytest.mark.parametrize(
    ("text", "requested"),
    [
        ("omega*t", Requested("omega", "angular_velocity", "1 deg/s")),
        ("phi", Requested("phi", "angle", "90 deg")),
        ("u*t + A", None),
        ("A1*sin(w*t)", Requested("A1", "angle", "90 deg")),
        ("phi*sin(f*t)", Requested("phi", "angle", "90 deg")),
    ],
)
def test_laws_ask_for_what_makes_sense_beside_their_variables(project, text, requested):
    found = requested_by(
        project, text, "angle", 1.5707963267948966, UNITS, {"t": (float("nan"), "time")}
    )
    assert found == (requested or Requested("u", "angular_velocity", "1 deg/s"))


def test_a_dimension_changes_where_nothing_hinders_it(project):
    rotated = parameter_edits.set_dimension(project, "L2", "angle", UNITS)
    # L1 + 100 mm is no angle: its number stays
    assert (
        rotated.parameters["L2"].dimension == "angle"
        and rotated.parameters["L2"].value.text == "300 deg"
    )
    assert rotated.parameters["L2"].maximum.text == "600 deg"
    with pytest.raises(ExpressionError, match="L1"):
        parameter_edits.set_dimension(project, "L1", "angle", UNITS)
    kept = (
        parameter_edits.set_dimension(project, "n", "angle", UNITS)
        if not uses(project, "n")
        else None
    )
    assert kept is None


def test_the_ends_of_a_range_do_not_cross(project):
    low = parameter_edits.set_range(project, "L1", "minimum", "100", "mm")
    assert low.parameters["L1"].minimum == Q(0.1, "100 mm")
    with pytest.raises(ExpressionError, match=r"^The least value must lie below the largest.$"):
        parameter_edits.set_range(low, "L1", "maximum", "90 mm")
    assert parameter_edits.set_range(low, "L1", "minimum", "").parameters["L1"].minimum is None


def test_new_names_are_free(project):
    assert parameter_edits.new_name(project, "L") == "L3"
    assert parameter_edits.new_name(project, "p") == "p1"


def test_a_dimension_is_refused_where_a_law_cannot_do_with_it(project):
    with pytest.raises(ExpressionError, match=r"law|M1"):
        parameter_edits.set_dimension(project, "w", "length", UNITS)
    assert msgspec.structs.asdict(project.parameters["w"])["dimension"] == "angular_velocity"


def test_a_parameter_that_came_meanwhile_is_not_created_again():
    # offered in two fields, created from one: the offer of the other is met
    project = Project()
    requested = requested_by(project, "gap", "length", 0.02, "mm-N-deg")
    once = added(project, requested)
    assert (
        once.parameters["gap"].value.value == pytest.approx(0.02) and added(once, requested) is once
    )
