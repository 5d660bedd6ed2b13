"""Coordinates of joints that close loops, for loads, couplings and drives on them: three methods
and the simulator agree, and a fault is seen.
"""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.model.equations.lecture import DIFFERENT
from mechstudio.model.joints.drawn_coordinates import drawn_coordinate
from mechstudio.model.mechanism import Drive, Force, Law
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.symbolic.instants.instant import InstantValues
from mechstudio.symbolic.kinematics import closing_coordinates, closing_roots
from mechstudio.symbolic.methods.partition import closed_state
from mechstudio.symbolic.methods.sampling import Values
from mechstudio.symbolic.plan import planning
from mechstudio.symbolic.ring.turn_function import turn_function
from tests.mechanisms import project
from tests.symbolic.closing import closed, is_unattached

TYPES = [t for t in JOINT_TYPES if t not in ("free", "fixed")]
ROOTED = [
    (t, k)
    for t in ("distance", "constant_velocity", "rolling_disc", "rolling_wheel")
    for k in range(JOINT_TYPES[t].dof)
]
LOADED = [(t, k) for t in TYPES for k in range(JOINT_TYPES[t].dof)]


@pytest.fixture(autouse=True)
def everything_closes(monkeypatch):
    monkeypatch.setattr(planning, "equation_tree", is_unattached)


def spring(type, k):
    if JOINT_TYPES[type].coordinates[k].dimension == "angle":
        return Force(
            "f",
            "f",
            "torsion_spring",
            {"stiffness": Quantity(3.0), "free_angle": Quantity(0.2)},
            joint="j",
            coordinate=k,
        )
    return Force(
        "f",
        "f",
        "slide_spring",
        {"stiffness": Quantity(30.0), "free_length": Quantity(0.2)},
        joint="j",
        coordinate=k,
    )


@pytest.mark.parametrize("type", TYPES)
def test_every_row_belongs_to_its_joint(type):
    """Multipliers, reactions and chapters take the joint of a row from there."""
    rows = ms.derive(project(closed(type))).rows
    assert rows and {row.joint for row in rows} == {"j"}
    assert all(row.label and row.label != "j" for row in rows)


@pytest.mark.parametrize(("type", "k"), LOADED)
@pytest.mark.thinned(3)
def test_springs_on_closing_joints(type, k):
    d = ms.derive(project(closed(type, spring(type, k))))
    assert [p for p in d.proofs if not p.holds] == []
    verdict = ms.agreement(d)
    assert verdict.holds, verdict.detail


@pytest.mark.parametrize(
    ("type", "k"),
    [
        ("revolute", 0),
        ("universal", 1),
        ("spherical", 0),
        ("spherical", 1),
        ("spherical", 2),
        *ROOTED,
    ],
)
def test_the_coordinate_is_the_joint_s(type, k):
    """The potential of the spring k (x - x0)^2 / 2 at the drawn pose, x being what is read off the
    joint there.
    """
    mechanism = closed(type, spring(type, k))
    d = ms.derive(project(mechanism))
    stiffness = 3.0 if JOINT_TYPES[type].coordinates[k].dimension == "angle" else 30.0
    energy = Values(d, closed_state(d)).of(d.by("lagrange").U["f"])
    assert energy == pytest.approx(
        stiffness / 2 * (drawn_coordinate(mechanism, "j", k) - 0.2) ** 2, rel=1e-7
    )


def test_a_disc_without_its_reach_is_seen(monkeypatch):
    """The point of contact moves as the disc leans: a push through the centre alone works in other
    motions too.
    """
    own = closing_roots.pushed
    monkeypatch.setattr(
        closing_roots,
        "pushed",
        lambda ring, kin, closure, force, moment, d, frame: own(
            ring, kin, closure, force, [ring.zero] * 3, d, frame
        ),
    )
    wrong = ms.derive(project(closed("rolling_disc", spring("rolling_disc", 0))))
    assert {p.between for p in wrong.proofs if p.how == DIFFERENT and p.key.startswith("h:")} == {
        ("newton-euler", "lagrange"),
        ("projected", "lagrange"),
    }


def test_a_wrong_dual_torque_is_seen_by_methods_and_simulator(monkeypatch):
    """Without its division by l^2 the torque of a ball's outer angle works in other turns too."""
    own = closing_coordinates._of_ball

    def lopsided(*arguments):
        read = own(*arguments)
        read.moment = tuple([2 * x for x in side] for side in read.moment)
        return read

    d = ms.derive(project(closed("spherical", spring("spherical", 0))))
    monkeypatch.setattr(closing_coordinates, "_of_ball", lopsided)
    wrong = ms.derive(project(closed("spherical", spring("spherical", 0))))
    assert all(p.holds for p in d.proofs)
    # the loads are read once for all methods: those that use the torque differ from the one that
    # uses the coordinate
    assert {p.between for p in wrong.proofs if p.how == DIFFERENT and p.key.startswith("h:")} == {
        ("newton-euler", "lagrange"),
        ("projected", "lagrange"),
    }


@pytest.mark.parametrize(
    ("type", "k"),
    [
        ("revolute", 0),
        ("universal", 0),
        ("spherical", 1),
        ("cylindrical", 0),
        ("planar", 1),
        ("constant_velocity", 1),
        ("distance", 3),
        ("rolling_wheel", 0),
        ("rolling_disc", 3),
    ],
)
def test_drives_of_closing_joints(type, k):
    drive = Drive("d", "d", "j", k, "velocity", Law("constant", {"value": Quantity(0.5)}))
    d = ms.derive(project(closed(type, drives={"d": drive})))
    assert [p for p in d.proofs if not p.holds] == [] and ms.agreement(d).holds
    numbers = InstantValues(d).drawn()
    assert abs(numbers.matrices["C"][-1][0]) < 1e-9


def test_the_function_of_turns_and_its_slopes():
    u = np.linspace(-0.9, 2.999, 50)
    for order in range(3):
        h = 1e-5
        slope = [
            (turn_function(x + h)[order] - turn_function(x - h)[order]) / (2 * h)
            for x in u
            if x + h < 3
        ]
        assert np.allclose(
            slope, [turn_function(x)[order + 1] for x in u if x + h < 3], rtol=1e-6, atol=1e-8
        )
    phi = 0.7
    assert turn_function(1 + 2 * np.cos(phi))[0] * 2 * np.sin(phi) == pytest.approx(phi)
    assert turn_function(3.0)[0] == 0.5
