"""Spins about axes of symmetry: constants that no axis of W carries (Noether 1918; Euler's and
Lagrange's tops).
"""

import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.structure.conservation import conserved
from mechstudio.model.geometry.rotation import from_angles
from mechstudio.model.mechanism import GROUND, Drive, Force, Frame, Limit, Placement
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from tests.mechanisms import UP, Builder

replace = msgspec.structs.replace
WEIGHTLESS = vector(0.0, 0.0, 0.0)


def words(mechanism):
    return [c.words for c in conserved(mechanism)]


def top(inertia=(0.02, 0.05, 0.05, 0, 0, 0), off=(0.0, 0.0, 0.0), tilt=0.5, **changes):
    """A top on a ball joint at W's origin, its own axis x along which its centre stands 0.3 m
    away.
    """
    b = Builder()
    attitude = from_angles(0.3, tilt, 0.2)
    x, _, z = np.cos(0.3) * math.cos(tilt), np.sin(0.3) * math.cos(tilt), -math.sin(tilt)
    at = (0.3 * x, 0.3 * np.sin(0.3) * math.cos(tilt), 0.3 * z)
    b.body("top", at, attitude, inertia=inertia)
    b.joint("O", GROUND, "top", (0, 0, 0), type="spherical")
    m = b.mechanism
    body = replace(m.bodies["top"], center_of_mass=vector(*off))
    joint = replace(m.joints["O"], rates=tuple(Quantity(r) for r in (2.0, 1.0, 30.0)))
    return replace(m, bodies={"top": body}, joints={"O": joint}, **changes)


SPIN = "angular momentum of top about its own axis x"


def test_a_top_keeps_its_spin():
    # Lagrange's top; the closed form: C (phi' - psi' sin theta) = C times the angular velocity
    # along the axis
    assert words(top()) == ["angular momentum about Z", SPIN]
    # an upright top has two constants, which are one as it is drawn
    assert (
        words(top(tilt=-math.pi / 2))[0] == "angular momentum about Z"
        and len(words(top(tilt=-math.pi / 2))) == 2
    )
    result = ms.simulate(Project(top()), duration=2.0, tolerance=1e-10)
    vertical, spin = result.conservation()
    assert spin.value == pytest.approx(0.02 * result.velocities[0, 0, 3], rel=1e-12)
    assert spin.kept and vertical.kept
    # at the level of the tolerance
    assert spin.change < 1e-8 * abs(spin.value) and vertical.change < 1e-8 * abs(vertical.value)


# moments that are not equal, a centre or a joint beside the axis: the spin changes and is not
# reported as constant
@pytest.mark.parametrize(
    "changed",
    [
        {"inertia": (0.02, 0.05, 0.05 * (1 + 1e-5), 0, 0, 0)},
        {"inertia": (0.02, 0.05, 0.05, 1e-6, 0, 0)},
        {"off": (0.0, 1e-5, 0.0)},
    ],
)
def test_nearly_symmetric_top_keeps_no_spin(changed):
    assert words(top(**changed)) == ["angular momentum about Z"]


def test_a_top_that_is_not_symmetric_changes_its_spin():
    result = ms.simulate(Project(top((0.02, 0.05, 0.06, 0, 0, 0))), duration=1.0)
    spin = 0.02 * result.velocities[:, 0, 3]
    assert np.ptp(spin) > 0.01 * abs(spin[0])
    assert len(result.conservation()) == 1


def _force(type, **parameters):
    return {
        "F": Force(
            "F",
            "F",
            type,
            {k: Quantity(v) for k, v in parameters.items()},
            frame_b=Frame("top"),
            joint="O",
        )
    }


@pytest.mark.parametrize(
    ("changed", "kept"),
    [
        (
            {"gravity": vector(1.0, 2.0, -3.0)},
            ["angular momentum about (0.267, 0.535, -0.802)", SPIN],
        ),
        # a force at a point of the axis turns nothing about it, a couple about Z does
        ({"forces": _force("force", x=1.0, y=0.0, z=0.0)}, [SPIN]),
        ({"forces": _force("torque", x=0.0, y=0.0, z=1.0)}, []),
        ({"forces": _force("torsion_damper", damping=0.1)}, []),
        ({"drives": {"d": Drive("d", "d", "O")}}, []),
    ],
)
def test_loads_about_the_axis_remove_its_conserved_quantity(changed, kept):
    assert sorted(words(top(**changed))) == sorted(
        w.replace("0.267, 0.535, -0.802", "-0.267, -0.535, 0.802") for w in kept
    )


def test_a_stop_takes_the_constant_away():
    m = top()
    stopped = replace(m.joints["O"], limits=(Limit(2, Quantity(-1.0), Quantity(1.0)),))
    assert words(replace(m, joints={"O": stopped})) == []


def gyroscope(wheel=(0.02, 0.02, 0.04, 0, 0, 0), **changes):
    """A wheel on a pin along the middle of a link that turns about a pin along Y, and its spin
    rate.
    """
    b = Builder()
    b.link("arm", (0, 0, 0), (0.4, 0, 0))
    b.body("wheel", (0.4, 0, 0), from_angles(0, math.pi / 2, 0), inertia=wheel)
    b.joint("A", GROUND, "arm", (0, 0, 0))
    b.joint("B", "arm", "wheel", (0.4, 0, 0), (1, 0, 0))
    m = b.mechanism
    rates = {"A": 3.0, "B": 40.0}
    return replace(
        m,
        joints={id: replace(j, rates=(Quantity(rates[id]),)) for id, j in m.joints.items()},
        **changes,
    )


def test_a_wheel_on_a_moving_arm():
    # symmetric about its pin, in weight and free of it; the arm's own constant is that about its
    # pin where there is no weight
    assert words(gyroscope()) == ["angular momentum of wheel about its own axis z"]
    assert words(gyroscope((0.02, 0.03, 0.04, 0, 0, 0))) == []
    (spin,) = ms.simulate(Project(gyroscope()), duration=1.0, tolerance=1e-10).conservation()
    assert spin.kept and spin.change < 1e-8 * abs(spin.value)
    braked = Force("F", "F", "torsion_damper", {"damping": Quantity(0.1)}, joint="B")
    assert words(gyroscope(forces={"F": braked})) == []


def test_a_wheel_whose_pin_stays_parallel_needs_no_symmetry():
    # in the plane only the moment about its normal counts, and the centre must stand on the pin
    b = Builder()
    b.link("arm", (0, 0, 0), (0.4, 0, 0))
    b.body("wheel", (0.4, 0, 0), inertia=(0.02, 0.03, 0.04, 0.001, 0.002, 0.003))
    b.joint("A", GROUND, "arm", (0, 0, 0))
    b.joint("B", "arm", "wheel", (0.4, 0, 0))
    assert words(b.mechanism) == ["angular momentum of wheel about its own axis y"]
    beside = replace(b.mechanism.bodies["wheel"], center_of_mass=vector(0.01, 0, 0))
    assert words(replace(b.mechanism, bodies=b.mechanism.bodies | {"wheel": beside})) == []


def turntable(out=0.3):
    """A slider on an arm that a vertical pin carries: T = m r'^2 / 2 + m r^2 w^2 / 2."""
    b = Builder()
    b.link("arm", (0, 0, 0), (0.2, 0, 0))
    b.body("bead", (out, 0, 0))
    b.joint("A", GROUND, "arm", (0, 0, 0), UP)
    b.joint("B", "arm", "bead", (out, 0, 0), (1, 0, 0), "prismatic")
    m = b.mechanism
    rates = {"A": 3.0, "B": 0.2}
    return replace(
        m, joints={id: replace(j, rates=(Quantity(rates[id]),)) for id, j in m.joints.items()}
    )


def test_a_vertical_pin_stands_once():
    # its coordinate's momentum is the angular momentum about Z; the slider's way stands in T, its
    # momentum is none
    assert words(turntable()) == ["angular momentum about Z"]
    b = Builder()
    b.body("wheel", (0, 0, 0), inertia=(0.02, 0.02, 0.04, 0, 0, 0))
    b.joint("A", GROUND, "wheel", (0, 0, 0), UP)
    assert words(b.mechanism) == ["angular momentum about Z"]


def test_a_slider_on_a_slider():
    b = Builder()
    b.body("carriage", (0, 0, 0))
    b.body("tool", (0.1, 0.2, 0))
    b.joint("A", GROUND, "carriage", (0, 0, 0), (1, 0, 0), "prismatic")
    b.joint("B", "carriage", "tool", (0.1, 0.2, 0), (0, 1, 0), "prismatic")
    assert words(b.mechanism) == ["momentum along X", "momentum of tool along Y"]


def test_two_bodies_that_nothing_ties():
    b = Builder()
    b.body("one", (0, 0, 0), inertia=(1, 2, 2.5, 0, 0, 0))
    b.body("two", (1, 0, 0), inertia=(1, 2, 2.5, 0, 0, 0))
    found = words(b.mechanism)
    assert [w for w in found if "along" in w] == [
        "momentum of one along X",
        "momentum of one along Y",
        "momentum of two along X",
        "momentum of two along Y",
    ]
    tied = Force(
        "F",
        "F",
        "spring",
        {"stiffness": Quantity(1.0), "free_length": Quantity(0.1)},
        Frame("one", "", Placement(vector(0, 0.1, 0))),
        Frame("two"),
    )
    found = words(replace(b.mechanism, forces={"F": tied}))
    assert [w for w in found if "along" in w] == ["momentum along X", "momentum along Y"]
    # the spring ends in the centre of the second one and beside that of the first one
    assert "angular momentum about X through the centre of mass" in found
    assert not any("momentum of one " in w for w in found) and [
        w for w in found if "of two about" in w and "centre of mass" in w
    ]


def test_the_terminal_lists_the_first_ones_of_a_crowd():
    from mechstudio.cli.simulate import MOST_CONSTANTS, conservation_lines

    b = Builder()
    for n in range(5):
        b.body(f"b{n}", (n, 0, 0), inertia=(1, 2, 2.5, 0, 0, 0))
    result = ms.simulate(Project(b.mechanism), duration=0.1)
    moving = [v for v in result.conservation() if v.kept is not None]
    lines = list(conservation_lines(result))
    assert len(lines) == min(len(moving), MOST_CONSTANTS) + (len(moving) > MOST_CONSTANTS) and all(
        "constant" in line for line in lines
    )
