"""Drives: prescribed motions hold, their efforts have the closed form, the account closes, and too
many of them are refused by name.
"""

import math

import msgspec
import numpy as np
import pytest

from mechstudio.engine.errors import EngineError
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.engine.run import run
from mechstudio.engine.system.system import compile_system
from mechstudio.model.laws.evaluation import jet
from mechstudio.model.mechanism import GROUND, Drive, Law, Mechanism
from mechstudio.model.quantity import Quantity
from mechstudio.model.results.sample import WORK
from mechstudio.model.types.joints import JOINT_TYPES
from tests.engine.pairs import pair
from tests.engine.problems import body, joint
from tests.mechanisms import four_bar, slider_crank, stewart

G, M, L = 9.81, 2.0, 0.4


def law(type, **numbers):
    return Law(type, {name: Quantity(v) for name, v in numbers.items()})


def pendulum(drive, rates=()):
    """A pendulum of 2 kg, 0.4 m from its pin to its centre, drawn level, driven at its pin;
    positive is upwards.
    """
    bodies = {"arm": body("arm", M, (L, 0, 0), 0.03 * np.eye(3))}
    j = msgspec.structs.replace(
        joint("A", "revolute", GROUND, "arm", (0, 0, 0), (0, -1, 0), bodies),
        rates=tuple(map(Quantity, rates)),
    )
    return Mechanism(bodies, {"A": j}, drives={"d": drive})


def torques(system, samples):
    """Multiplier of each row of the system at every sample (k, rows)."""
    T, out = system.fresh_tables(), []
    for t, q, v in zip(samples[:, 0], samples[:, system.layout.joint("A")][:, 0], speeds(samples)):
        y = system.start.copy()
        y[0], y[system.where.nq], y[system.where.time] = q, v, t
        right_hand_side(y, T, y.copy(), True)
        out.append(T.row[:, k.LAM].copy())
    return np.array(out)


def speeds(samples):
    return -samples[:, 8 + 4]  # angular velocity about y; the pin's axis is -y


def simulate(mechanism, duration, step, tolerance=1e-10, **how):
    system = compile_system(mechanism, **how)
    return system, np.concatenate(
        list(run(system, RunOptions(duration, step, tolerance=tolerance)))
    )


LAWS = {
    "position": law("sine", offset=0.7, amplitude=0.5, frequency=0.6, phase=0.3),
    "velocity": law("constant", value=1.8),
    "acceleration": law("constant", value=-0.9),
}


@pytest.mark.parametrize("quantity", LAWS)
@pytest.mark.parametrize("how", [{}, {"closing": ("A",)}, {"coordinates": "absolute"}])
def test_prescribed_motion_is_exact_and_its_torque_too(quantity, how):
    # torque = (I + m l^2) q'' + m g l cos q
    start = (1.1,) if quantity == "acceleration" else ()
    system, samples = simulate(
        pendulum(Drive("d", "d", "A", 0, quantity, LAWS[quantity]), start), 3.0, 0.05, **how
    )
    t = samples[:, 0]
    w = 2 * math.pi * 0.6
    q, rate, second = {
        "position": (
            0.5 * (np.sin(w * t + 0.3) - math.sin(0.3)),
            0.5 * w * np.cos(w * t + 0.3),
            -0.5 * w * w * np.sin(w * t + 0.3),
        ),
        "velocity": (1.8 * t, 1.8 + 0 * t, 0 * t),
        "acceleration": (1.1 * t - 0.45 * t * t, 1.1 - 0.9 * t, -0.9 + 0 * t),
    }[quantity]
    assert samples[:, system.layout.joint("A")][:, 0] == pytest.approx(
        q, abs=1e-12 if quantity == "position" and not how else 1e-10
    )
    assert speeds(samples) == pytest.approx(rate, abs=1e-9)
    torque = (0.03 + M * L * L) * second + M * G * L * np.cos(q)
    if not how:
        assert torques(system, samples)[:, 0] == pytest.approx(torque, abs=1e-9)
    # what the drive has done: the change of kinetic and potential energy
    energy = 0.5 * (0.03 + M * L * L) * rate**2 + M * G * L * np.sin(q)
    assert samples[:, system.layout.energy][:, WORK] == pytest.approx(energy - energy[0], abs=1e-7)
    assert system.statistics.energy_error < 1e-7 and np.ptp(energy) > 1.0


@pytest.mark.parametrize("quantity", ["position", "velocity"])
@pytest.mark.parametrize("how", [{}, {"coordinates": "absolute"}])
def test_a_driven_crank_carries_its_loop(quantity, how):
    # slider-crank: x = r cos q + sqrt(l^2 - r^2 sin^2 q)
    m = slider_crank()
    run_up = (
        law("rest_to_rest", start=0.0, end=9.0, begin=0.2, duration=1.5)
        if quantity == "position"
        else law("ramp", start=0.5, end=6.0, begin=0.3, duration=1.0)
    )
    m = msgspec.structs.replace(m, drives={"d": Drive("d", "d", "A", 0, quantity, run_up)})
    system, samples = simulate(m, 2.0, 0.02, **how)
    q = 0.7 + samples[:, system.layout.joint("A")][:, 0]
    x = samples[:, system.layout.pose("slider")][:, 0]
    assert x == pytest.approx(
        0.15 * np.cos(q) + np.sqrt(0.3**2 - 0.15**2 * np.sin(q) ** 2), abs=1e-9
    )
    if quantity == "position":
        # starts from the drawn pose: q = q_drawn + f(t) - f(0)
        assert q - 0.7 == pytest.approx([jet(run_up, t)[0] for t in samples[:, 0]], abs=1e-9)
    assert q[-1] - q[0] > 2.0 and system.statistics.energy_error < 1e-6


@pytest.mark.parametrize("type", [t for t, kind in JOINT_TYPES.items() if kind.dof])
@pytest.mark.thinned(3)
def test_every_coordinate_that_stands_for_itself_can_be_driven(type):
    refused = set()
    for c, coordinate in enumerate(JOINT_TYPES[type].coordinates):
        mechanism = msgspec.structs.replace(
            pair(type),
            drives={"d": Drive("d", "arm", "tested", c, "velocity", law("constant", value=0.4))},
        )
        for how in ({}, {"closing": ("tested",)}):
            if (type, c) == ("knife_edge", 1):
                # sideways: the blade prevents it as drawn
                with pytest.raises(
                    EngineError,
                    match="Drive arm prescribes a speed that is impossible in the drawn pose",
                ):
                    compile_system(mechanism, **how)
                continue
            try:
                system = compile_system(mechanism, **how)
            except EngineError as e:
                assert "Drive arm cannot hold" in str(e) and coordinate.name in str(e)
                refused.add(c)
                continue
            # a wheel driven along x cannot turn across it: before that the run ends
            samples = np.concatenate(
                list(
                    run(
                        system,
                        RunOptions(0.1 if JOINT_TYPES[type].rolling else 0.3, 0.05, tolerance=1e-9),
                    )
                )
            )
            x = samples[:, system.layout.joint("tested")][:, c]
            assert x - x[0] == pytest.approx(0.4 * samples[:, 0], abs=1e-7)
            assert system.statistics.energy_error < 1e-5
    balls = {
        "spherical": {0, 1, 2},
        "point_on_line": {1, 2, 3},
        "point_on_plane": {2, 3, 4},
        "point_on_curve": {1, 2, 3},
        "point_on_ellipse": {1, 2, 3},
        "free": {3, 4, 5},
        "distance": {0, 1, 2, 3, 4},
        "constant_velocity": {0, 1},
    }
    assert refused == balls.get(type, set())


def test_a_platform_follows_six_driven_legs():
    drives = {
        f"d{n}": Drive(
            f"d{n}",
            f"d{n}",
            f"P{n}",
            0,
            "position",
            law("sine", amplitude=0.03 + 0.005 * n, frequency=0.5),
        )
        for n in range(6)
    }
    system, samples = simulate(msgspec.structs.replace(stewart(), drives=drives), 1.0, 0.05, 1e-8)
    for n in range(6):
        x = samples[:, system.layout.joint(f"P{n}")][:, 0]
        assert x - x[0] == pytest.approx(
            (0.03 + 0.005 * n) * np.sin(math.pi * samples[:, 0]), abs=1e-9
        )
    assert system.statistics.energy_error < 1e-5


def two(first, second, mechanism=None):
    drives = {
        "a": Drive("a", "left", "A", 0, "velocity", law("constant", value=first)),
        "b": Drive("b", "right", "D", 0, "velocity", law("constant", value=second)),
    }
    return msgspec.structs.replace(mechanism or four_bar(), drives=drives)


def test_drives_that_contradict_each_other_are_named():
    with pytest.raises(
        EngineError,
        match="Drive left and Drive right prescribe more motions than the mechanism has",
    ):
        compile_system(two(1.0, 1.0))
    # a parallelogram's two cranks always turn alike: drives that agree are one too many, and do no
    # harm
    equal = four_bar(0.2, 0.6, 0.2, 0.6)
    with pytest.raises(EngineError, match="more motions"):
        compile_system(two(1.0, 1.1, equal))
    system, samples = simulate(two(1.0, 1.0, equal), 1.0, 0.1)
    assert samples[:, system.layout.joint("D")][:, 0] == pytest.approx(samples[:, 0], abs=1e-9)
    assert len(system.kept) == 3


def test_a_drive_on_what_cannot_move_is_refused():
    from mechstudio.model.mechanism import GROUND as ground

    bodies = {"door": body("door", 2.0, (0.5, 0, 0), 0.03 * np.eye(3))}
    joints = {
        "A": joint("A", "revolute", ground, "door", (0, 0, 0), (0, -1, 0), bodies),
        "B": joint("B", "revolute", ground, "door", (1, 0, 0), (0, -1, 0), bodies),
    }
    drive = Drive("d", "motor", "A", 0, "velocity", law("constant", value=1.0))
    with pytest.raises(
        EngineError, match="Drive motor prescribes a motion that the joints and couplings prevent"
    ):
        compile_system(Mechanism(bodies, joints, drives={"d": drive}))


def test_a_drive_that_is_off_does_nothing():
    off = Drive("d", "d", "A", 0, "velocity", law("constant", value=3.0), enabled=False)
    system, samples = simulate(pendulum(off), 0.5, 0.1)
    assert not system.rows and np.all(samples[:, system.layout.energy][:, WORK] == 0.0)


def test_typed_rates_against_a_drive_are_said():
    system = compile_system(
        pendulum(Drive("d", "d", "A", 0, "velocity", law("constant", value=3.0)), (1.0,))
    )
    assert [f.element for f in system.findings] == ["A"] and "contradicts" in system.findings[
        0
    ].message


def test_stops_hold_a_coordinate_as_further_rows():
    # a held coordinate: lambda is what keeps it there, m g l cos q for a pendulum at rest
    system = compile_system(
        Mechanism(
            *[
                getattr(pendulum(Drive("d", "d", "A", enabled=False)), part)
                for part in ("bodies", "joints")
            ]
        )
    )
    tables, kept = system.reselected(system.start, [("A", 0, 0.0)])
    assert kept == [0] and len(system.with_stops([("A", 0, 0.0)])) == 1
    y = system.start.copy()
    out = np.zeros_like(y)
    right_hand_side(y, tables, out, True)
    assert out[system.where.nq] == pytest.approx(0.0, abs=1e-9)
    assert tables.row[0, k.LAM] == pytest.approx(M * G * L, rel=1e-9)
    assert out[system.where.work] == 0.0
