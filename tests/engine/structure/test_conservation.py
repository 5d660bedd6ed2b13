"""Constants of the motion by name, and whether runs keep them."""

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.structure.conservation import conserved
from mechstudio.model.mechanism import Drive, Force, Frame, InitialVelocity, Placement
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.results.analysis import Conserved
from mechstudio.model.results.constant_course import verdict
from tests import mechanisms

WEIGHTLESS = vector(0.0, 0.0, 0.0)


def words(mechanism):
    return [c.words for c in conserved(mechanism)]


def tumbling(**changes):
    """One free body that turns about a skew axis and flies along x."""
    b = mechanisms.Builder()
    b.body("stone", (0.2, -0.1, 0.3), mass=2.0, inertia=(0.02, 0.05, 0.06, 0.001, 0.002, -0.003))
    m = b.mechanism
    stone = msgspec.structs.replace(
        m.bodies["stone"],
        initial_velocity=InitialVelocity(vector(1.0, 0.3, -0.2), vector(2.0, 1.0, -3.0)),
    )
    return msgspec.structs.replace(m, bodies={"stone": stone}, **changes)


CENTRAL = [f"angular momentum about {a} through the centre of mass" for a in "XYZ"]


# Noether: a free body keeps all six without weight; with weight along z the two horizontal momenta
# and the angular momentum about the vertical.
# Weight has no moment about the centre of mass (Koenig)
def test_a_free_body():
    assert (
        words(tumbling(gravity=WEIGHTLESS))
        == [f"{kind} {a}" for kind in ("momentum along", "angular momentum about") for a in "XYZ"]
        + CENTRAL
    )
    assert words(tumbling()) == [
        "momentum along X",
        "momentum along Y",
        "angular momentum about Z",
        *CENTRAL,
    ]


def test_pendulums():
    # a pin's axis is horizontal: its weight takes the last constant away, and leaves it in
    # weightlessness
    assert words(mechanisms.double_pendulum()) == []
    floating = conserved(msgspec.structs.replace(mechanisms.double_pendulum(), gravity=WEIGHTLESS))
    assert len(floating) == 1 and floating[0].words.startswith("angular momentum about Y")
    # its inertia is that of a ball, so that the line from the joint to its centre is an axis of
    # symmetry
    assert [w[:23] for w in words(mechanisms.ball_pendulum())] == [
        "angular momentum about ",
        "angular momentum of top",
    ]
    assert words(mechanisms.ball_pendulum())[0] == "angular momentum about Z"


def test_loads_take_constants_away():
    m = tumbling(gravity=WEIGHTLESS)
    push = Force(
        "p",
        "push",
        "force",
        {"x": Quantity(1.0), "y": Quantity(0.0), "z": Quantity(0.0)},
        frame_b=Frame("stone"),
    )
    assert words(msgspec.structs.replace(m, forces={"p": push})) == [
        "momentum along Y",
        "momentum along Z",
        "angular momentum about X",
        *CENTRAL,
    ]
    held = mechanisms.ball_pendulum()

    def pulled(ground, body):
        spring = Force(
            "s",
            "spring",
            "spring",
            {"stiffness": Quantity(10.0), "free_length": Quantity(0.1)},
            Frame("ground", "", Placement(vector(*ground))),
            Frame("top", "", Placement(vector(*body))),
        )
        return [w[:23] for w in words(msgspec.structs.replace(held, forces={"s": spring}))]

    vertical, spin = "angular momentum about ", "angular momentum of top"
    # through the joint to the axis of symmetry, past the joint, and past the axis
    assert pulled((0, 0, 0), (0, 0, 0)) == [vertical, spin]
    assert pulled((0.3, 0, 0), (0, 0, 0)) == [spin]
    assert pulled((0, 0, 0.7), (0, 0.1, 0)) == [vertical]
    assert pulled((0.3, 0, 0), (0, 0.1, 0)) == []


def test_a_drive_on_ground_takes_the_axis():
    m = msgspec.structs.replace(mechanisms.double_pendulum(), gravity=WEIGHTLESS)
    driven = msgspec.structs.replace(m, drives={"d": Drive("d", "d", "A")})
    assert words(m) and not words(driven)


@pytest.mark.parametrize("gravity", [WEIGHTLESS, vector(0.0, 0.0, -9.81)])
def test_a_run_keeps_them_and_a_false_claim_is_seen(gravity):
    result = ms.simulate(Project(tumbling(gravity=gravity)), duration=1.0, tolerance=1e-10)
    found = result.conservation()
    assert len(found) == (9 if gravity is WEIGHTLESS else 6)
    assert all(v.kept for v in found)
    # p = m v_G and N about O by hand at the start
    stone = result.project.mechanism.bodies["stone"]
    v, w = np.array([1.0, 0.3, -0.2]), np.array([2.0, 1.0, -3.0])
    assert result.momentum[0, :3] == pytest.approx(2.0 * v)
    xx, yy, zz, xy, xz, yz = (q.value for q in stone.inertia)
    theta = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    assert result.momentum[0, 3:] == pytest.approx(np.cross([0.2, -0.1, 0.3], 2.0 * v) + theta @ w)
    # Newton: a falling body does not keep its vertical momentum
    if gravity is not WEIGHTLESS:
        claim = verdict(
            Conserved("momentum along Z", (0, 0, 0, 0, 0, 1)),
            result.project.mechanism,
            result.layout,
            result.rows,
        )
        assert claim.kept is False and claim.change == pytest.approx(
            2.0 * 9.81 * result.time[-1], rel=1e-9
        )


def test_a_spherical_pendulum_keeps_its_vertical_angular_momentum():
    project = Project(mechanisms.ball_pendulum())
    joint = next(iter(project.mechanism.joints.values()))
    moving = msgspec.structs.replace(joint, rates=tuple(Quantity(x) for x in (1.0, 0.5, 0.2)))
    project = Project(msgspec.structs.replace(project.mechanism, joints={joint.id: moving}))
    found = ms.simulate(project, duration=2.0).conservation()
    assert len(found) == 2 and all(v.kept and abs(v.value) > 1e-3 for v in found)
