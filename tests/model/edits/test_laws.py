"""Typed laws follow what their names stand for: parameters and joints renamed, removed, retyped;
and unfit ones are refused.
"""

import msgspec
import pytest

from mechstudio.model.edits import elements, links, references
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.laws import evaluation
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
)
from mechstudio.model.project import Project
from mechstudio.model.quantity import Parameter, Quantity


def typed(text):
    return Law("expression", text=text)


def project():
    body = lambda id: Body(id, id)
    pin = lambda id, name, type="revolute": Joint(id, name, type, Frame(GROUND), Frame("b"))
    joints = {
        j.id: j for j in (pin("A", "crank"), pin("B", "crank"), pin("C", "slide", "prismatic"))
    }
    forces = {
        "F": Force("F", "motor", "motor_torque", {"torque": Quantity(1.0)}, joint="A"),
        "G": Force("G", "push", "motor_force", {"force": Quantity(1.0)}, joint="C"),
    }
    m = Mechanism(
        {"b": body("b")},
        joints,
        forces,
        drives={"D": Drive("D", "turn", "A")},
        couplings={
            "K": Coupling("K", "cam", "cam", (CoordinateOf("A"), CoordinateOf("C")), law=Law("cam"))
        },
    )
    return Project(
        m,
        {
            p.name: p
            for p in (
                Parameter("k", Quantity(4.0), "torsional_stiffness"),
                Parameter("w", Quantity(2.0, "2 rad/s"), "angular_velocity"),
                Parameter("a", Quantity(0.5), "length"),
                Parameter("t", Quantity(0.2), "length"),
            )
        },
    )


def law_of(p, id="F", parameter="torque"):
    m = p.mechanism
    return m.forces[id].laws[parameter] if id in m.forces else (m.drives | m.couplings)[id].law


def test_a_law_carries_the_numbers_of_its_parameters():
    p = elements.set_law(project(), "F", "torque", typed("-k*x*sin(w*t)"))
    assert law_of(p).parameters == {"k": Quantity(4.0), "w": Quantity(2.0)}
    assert evaluation.jet(law_of(p), 0.3, {"x": 0.1})[0] == pytest.approx(
        -0.4 * 0.5646424733950354, rel=1e-12
    )
    p = elements.set_quantity(p, "w", ("value",), "5 rad/s")
    assert law_of(p).parameters["w"] == Quantity(5.0)


def test_a_variable_hides_a_parameter_of_its_name():
    # t is the time in laws of drives and forces and `a` a parameter there; in a cam's law it is the
    # other way round
    p = project()
    with pytest.raises(ExpressionError, match="length expected, got 1"):
        elements.set_law(p, "K", "", typed("1/t"))
    p = elements.set_law(p, "K", ("law",), typed("t*sin(a)"))
    assert law_of(p, "K").parameters == {"t": Quantity(0.2)}
    p = elements.set_law(p, "G", ("laws", "force"), typed("a*(1 N/m)*t/(1 s)"))
    assert law_of(p, "G", "force").parameters == {"a": Quantity(0.5)}
    assert evaluation.jet(law_of(p, "G", "force"), 3.0) == (1.5, 0.5, 0.0)
    assert evaluation.jet(law_of(p, "K"), 0.0)[1] == 0.2


def test_renamed_parameters():
    p = elements.set_law(project(), "F", "torque", typed("-k*x*sin( w * t)"))
    p = elements.rename_parameter(p, "k", "stiff")
    assert law_of(p).text == "-stiff*x*sin( w * t)" and law_of(p).parameters["stiff"] == Quantity(
        4.0
    )
    # the time is not the parameter t
    p = elements.rename_parameter(p, "t", "thick")
    assert law_of(p).text == "-stiff*x*sin( w * t)"


def test_a_removed_parameter_leaves_its_value():
    p = elements.set_law(project(), "F", "torque", typed("-k*x*sin(w*t)"))
    p = elements.remove(p, "k")
    assert law_of(p).text == "-(4.0 N·m/rad)*x*sin(w*t)" and law_of(p).parameters == {
        "w": Quantity(2.0)
    }
    p = elements.remove(elements.remove(p, "w"), "t")
    assert law_of(p).text == "-(4.0 N·m/rad)*x*sin((2.0 rad/s)*t)" and law_of(p).parameters == {}
    assert evaluation.jet(law_of(p), 0.3, {"x": 0.1})[0] == pytest.approx(
        -0.4 * 0.5646424733950354, rel=1e-12
    )


def test_a_parameter_of_another_dimension_is_refused():
    p = elements.set_law(project(), "F", "torque", typed("-k*x"))
    with pytest.raises(ExpressionError, match=r"motor, -k\*x: torque expected, got angle"):
        elements.set_attribute(p, "k", dimension="number")


def test_renamed_and_removed_joints():
    p = elements.set_law(
        project(), "G", "force", typed("q_crank*1 N/rad-q_crank_2*2 N/rad+v_slide*1 N*s/m")
    )
    p = elements.set_attribute(p, "A", name="lower crank")
    assert law_of(p, "G", "force").text == "q_lower_crank*1 N/rad-q_crank*2 N/rad+v_slide*1 N*s/m"
    # back: the two names change places at once
    p = elements.set_attribute(p, "A", name="crank")
    assert law_of(p, "G", "force").text == "q_crank*1 N/rad-q_crank_2*2 N/rad+v_slide*1 N*s/m"
    p = elements.remove(elements.set_law(p, "G", "force", typed("q_crank_2*2 N/rad")), "A")
    assert law_of(p, "G", "force").text == "q_crank*2 N/rad"


def test_a_law_of_a_removed_joint_does_not_take_another_one_of_its_name():
    p = elements.set_law(project(), "G", "force", typed("q_crank*2 N/rad+v_slide*1 N*s/m"))
    p = elements.remove(p, "A")
    assert law_of(p, "G", "force").text == "q_crank_gone*2 N/rad+v_slide*1 N*s/m"
    assert evaluation.names("q_crank") <= evaluation.coordinate_variables(p.mechanism).keys()
    # a name that nothing else has stays
    p = elements.set_law(project(), "G", "force", typed("q_crank_2*2 N/rad"))
    assert law_of(elements.remove(p, "B"), "G", "force").text == "q_crank_2*2 N/rad"


def test_joints_put_in_order_take_their_names_along():
    p = elements.set_law(
        project(), "G", "force", typed("q_crank*1 N/rad-q_crank_2*2 N/rad+v_slide*1 N*s/m")
    )
    p = links.order_joints(p, ("C", "A"))
    names = [(id, joint.name) for id, joint in p.mechanism.joints.items()]
    assert names == [("B", "crank"), ("C", "crank"), ("A", "slide")]
    assert law_of(p, "G", "force").text == "q_slide*1 N/rad-q_crank*2 N/rad+v_crank_2*1 N*s/m"


def test_a_retyped_joint():
    p = elements.set_law(project(), "G", "force", typed("q_crank_2*1 N/rad"))
    p = elements.set_attribute(p, "B", type="cylindrical")
    # its first coordinate is a slide now, which the checks of the drawing will say
    assert law_of(p, "G", "force").text == "q_crank_slide*1 N/rad"


@pytest.mark.parametrize(
    ("id", "parameter", "text", "reason"),
    [
        ("F", "torque", "5 N", "torque expected, got force"),
        ("F", "torque", "q_axle*5", "q_axle is not known here"),
        ("D", "", "x", "x is not known here; a law may name t"),
        ("D", "", "5 rad", "angular velocity expected, got angle"),
        ("K", "", "5 deg*sin(a)", "length expected, got angle"),
        ("G", "force", "", "The expression is empty."),
    ],
)
def test_unfit_laws_are_refused(id, parameter, text, reason):
    with pytest.raises(ExpressionError, match=reason):
        elements.set_law(project(), id, parameter, typed(text))


def test_a_servo_target_names_no_rate():
    p = project()
    servo = Force(
        "S",
        "servo",
        "servo_torque",
        {"stiffness": Quantity(1.0), "damping": Quantity(1.0), "target": Quantity(0.0)},
        joint="A",
    )
    p = msgspec.structs.replace(
        p, mechanism=msgspec.structs.replace(p.mechanism, forces={"S": servo})
    )
    assert (
        law_of(elements.set_law(p, "S", "target", typed("q_crank_2/2")), "S", "target").text
        == "q_crank_2/2"
    )
    with pytest.raises(ExpressionError, match="v_crank cannot stand in a target"):
        elements.set_law(p, "S", "target", typed("q_crank_2+v_crank*1 s"))
    with pytest.raises(KeyError):
        elements.set_law(p, "S", "target_rate", typed("1 rad/s"))


def test_two_joints_exchange_their_names():
    p = elements.set_law(project(), "G", "force", typed("q_slide*1 N/m-q_crank*2 N/rad"))
    named = lambda **names: msgspec.structs.replace(
        p.mechanism,
        joints={
            id: msgspec.structs.replace(j, name=names.get(id, j.name))
            for id, j in p.mechanism.joints.items()
        },
    )
    after = references.with_names(named(B="other"), named(A="slide", B="other", C="crank"))
    assert after.forces["G"].laws["force"].text == "q_crank*1 N/m-q_slide*2 N/rad"
