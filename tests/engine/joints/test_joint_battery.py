"""Every row of JOINT_TYPES as a tree joint, backwards, and as a joint that closes a loop: the same
motion each time.

The pair of bodies hangs from ground on a ball joint and on the tested joint, with skew axes, so
that no alignment hides a fault.
"""

import msgspec
import numpy as np
import pytest

from mechstudio.engine.constraints.coordinates import is_chained
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run
from mechstudio.engine.system.system import compile_system
from mechstudio.model.geometry.rotation import about, multiply, to_angles
from mechstudio.model.mechanism import GROUND, Force, Frame, Mechanism, Placement
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.types.joints import JOINT_TYPES
from tests.engine.pairs import pair, possible_rates, velocity_freedoms


def simulate(mechanism, **how):
    system = compile_system(mechanism, **how)
    assert not system.findings, system.findings
    samples = np.concatenate(list(run(system, RunOptions(1.0, 0.05, tolerance=1e-11))))
    return system, samples


def compare(a, b, layout, within=1.0):
    assert np.all(np.isfinite(a))
    assert a[:, layout.poses] == pytest.approx(b[:, layout.poses], abs=1e-9 * within)
    assert a[:, layout.velocities] == pytest.approx(b[:, layout.velocities], abs=1e-8 * within)
    assert a[:, layout.coordinates] == pytest.approx(b[:, layout.coordinates], abs=1e-8 * within)


def kinks(type):
    """Loss of accuracy of a run: where a curve's pieces meet, its third derivative jumps, which
    costs the integrator its order.
    """
    return 3000.0 if type in ("point_on_curve", "flat_follower") else 1.0


@pytest.mark.parametrize("type", JOINT_TYPES)
@pytest.mark.parametrize("backwards", [False, True])
def test_tree_joint_and_rows_give_the_same_motion(type, backwards):
    mechanism = pair(type, backwards, possible_rates(type))
    system, in_tree = simulate(mechanism)
    closed, as_rows = simulate(mechanism, closing=("tested",))
    absolute, free = simulate(mechanism, coordinates="absolute")
    kind = JOINT_TYPES[type]
    assert kind.tree == (not [row for row in system.rows if row.lasting])
    # a chain without a body is held at its end by the six rows of a fixed joint
    assert (
        len(closed.rows) == (6 if is_chained(type) else len(kind.rows)) + len(kind.rolling)
        and len(absolute.rows) == len(closed.rows) + 3
    )
    assert closed.where.nv - len(closed.kept) == 3 + velocity_freedoms(type)
    compare(in_tree, as_rows, system.layout, kinks(type))
    compare(in_tree, free, system.layout, kinks(type))
    for samples, s in ((in_tree, system), (as_rows, closed), (free, absolute)):
        assert s.statistics.constraint_error_m < 1e-11
        assert s.statistics.energy_error < (1e-6 if kinks(type) > 1.0 else 1e-8)
        # the bodies do move
        assert np.ptp(samples[:, s.layout.pose("lower")], axis=0).max() > 0.1


@pytest.mark.parametrize("type", [t for t, kind in JOINT_TYPES.items() if kind.dof])
def test_typed_rates_are_the_rates_at_the_start(type):
    system, _ = simulate(pair(type, rates=possible_rates(type)))
    h = 1e-4
    close = np.concatenate(list(run(system, RunOptions(2 * h, h, tolerance=1e-11))))
    q = close[:, system.layout.joint("tested")]
    rates = (-1.5 * q[0] + 2 * q[1] - 0.5 * q[2]) / h
    assert rates == pytest.approx(possible_rates(type), abs=1e-4)


def joint_force(name, joint, coordinate, **parameters):
    return Force(
        name,
        name,
        name,
        {k: Quantity(v) for k, v in parameters.items()},
        joint=joint,
        coordinate=coordinate,
    )


@pytest.mark.parametrize("type", [t for t, kind in JOINT_TYPES.items() if kind.dof])
def test_efforts_on_every_coordinate_in_tree_and_as_rows(type):
    mechanism = pair(type, rates=possible_rates(type))
    forces = {}
    for k, c in enumerate(JOINT_TYPES[type].coordinates):
        if c.dimension == "angle":
            # a disc must not be laid flat
            forces[f"s{k}"] = joint_force(
                "torsion_spring",
                "tested",
                k,
                stiffness=0.02 * (2.0 + k) if type == "rolling_disc" else 2.0 + k,
                free_angle=0.3,
            )
            forces[f"d{k}"] = joint_force("torsion_damper", "tested", k, damping=0.05)
        else:
            forces[f"m{k}"] = joint_force("motor_force", "tested", k, force=1.5 - k)
    mechanism = msgspec.structs.replace(mechanism, forces=forces)
    system, in_tree = simulate(mechanism)
    closed, as_rows = simulate(mechanism, closing=("tested",))
    compare(in_tree, as_rows, system.layout, kinks(type))
    # the account closes: T + U - W stays
    assert system.statistics.energy_error < 1e-7 and closed.statistics.energy_error < 1e-7
    assert np.abs(in_tree[:, system.layout.energy.start + 2]).max() > 1e-4 or type not in (
        "prismatic",
        "revolute",
    )


def test_body_forces_in_world_and_body_axes():
    frame = lambda body, *at: Frame(body, "", Placement(vector(*at)))
    numbers = lambda x, y, z: {"x": Quantity(x), "y": Quantity(y), "z": Quantity(z)}
    forces = {
        "f": Force(
            "f", "f", "force", numbers(1.0, -2.0, 3.0), frame_b=frame("lower", 0.1, 0.2, 0.3)
        ),
        "g": Force(
            "g",
            "g",
            "force",
            numbers(-2.0, 1.0, 1.0),
            frame_b=frame("upper", 0.1, -0.2, 0.3),
            axes="body",
        ),
        "t": Force(
            "t", "t", "torque", numbers(0.2, 0.1, -0.3), frame_b=frame("lower", 0.0, 0.0, 0.0)
        ),
        "u": Force(
            "u",
            "u",
            "torque",
            numbers(0.1, 0.3, 0.2),
            frame_b=frame("lower", 0.5, 0.0, 0.0),
            axes="body",
        ),
        "k": Force(
            "k",
            "k",
            "spring",
            {"stiffness": Quantity(30.0), "free_length": Quantity(0.2)},
            frame(GROUND, 1.0, 0.0, 0.0),
            frame("lower", 0.1, 0.1, 0.0),
        ),
        "c": Force(
            "c",
            "c",
            "damper",
            {"damping": Quantity(0.5)},
            frame("upper", 0.0, 0.3, 0.0),
            frame("lower", 0.0, 0.0, 0.2),
        ),
    }
    mechanism = msgspec.structs.replace(pair("universal", rates=(0.3, 0.5)), forces=forces)
    system, in_tree = simulate(mechanism)
    _, free = simulate(mechanism, coordinates="absolute")
    compare(in_tree, free, system.layout)
    assert (
        system.statistics.energy_error < 1e-7
        and np.ptp(in_tree[:, system.layout.energy.start + 2]) > 0.1
    )


def test_a_wrong_axis_would_be_noticed():
    mechanism = pair("revolute", rates=(0.3,))
    joint = mechanism.joints["tested"]
    rotated = msgspec.structs.replace(
        joint,
        frame_a=msgspec.structs.replace(
            joint.frame_a,
            placement=Placement(
                joint.frame_a.placement.position,
                vector(
                    *to_angles(
                        multiply(joint.frame_a.placement.quaternion, about((1.0, 0.0, 0.0), 1e-3))
                    )
                ),
            ),
        ),
    )
    other = Mechanism(mechanism.bodies, {**mechanism.joints, "tested": rotated})
    system, a = simulate(mechanism)
    _, b = simulate(other)
    with pytest.raises(AssertionError):
        compare(a, b, system.layout)
