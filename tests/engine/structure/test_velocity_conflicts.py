"""Typed velocities that cannot be met are named by the analysis, without a run; those that can be
are not.
"""

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run, system_for
from mechstudio.engine.structure.mobility import analyse
from mechstudio.engine.structure.velocity_conflicts import velocity_findings
from mechstudio.engine.system import initial_velocities, system
from mechstudio.model.mechanism import (
    ACCELERATION,
    GROUND,
    POSITION,
    VELOCITY,
    CoordinateOf,
    Coupling,
    Drive,
    InitialVelocity,
    Law,
    Placement,
)
from mechstudio.model.quantity import Quantity, vector
from tests import mechanisms
from tests.engine.constraints.test_rows import TYPES, skewed


def quantities(*numbers):
    return tuple(Quantity(float(x)) for x in numbers)


def with_rates(mechanism, **rates):
    for id, numbers in rates.items():
        mechanism = mechanisms.with_joint(mechanism, id, rates=quantities(*np.atleast_1d(numbers)))
    return mechanism


def moving(mechanism, body, linear, angular):
    b = msgspec.structs.replace(
        mechanism.bodies[body], initial_velocity=InitialVelocity(vector(*linear), vector(*angular))
    )
    return msgspec.structs.replace(mechanism, bodies={**mechanism.bodies, body: b})


def driven(mechanism, joint, quantity, law):
    return msgspec.structs.replace(
        mechanism, drives={"M": Drive("M", "Motor", joint, 0, quantity, law)}
    )


def said(mechanism):
    """(element, sentence) of every contradiction that the analysis names."""
    return [
        (f.element, f.message)
        for f in analyse(mechanisms.project(mechanism)).findings
        if f.severity == "warning" and "contradicts" in f.message
    ]


def parallelogram(**rates):
    return with_rates(mechanisms.four_bar(0.3, 0.6, 0.3, 0.6), **rates)


def test_consistent_velocities_are_not_reported():
    # the rocker of a parallelogram turns as fast as its crank, and the coupler not at all
    assert not said(mechanisms.four_bar())
    assert not said(with_rates(mechanisms.four_bar(), A=3.0))
    assert not said(parallelogram(A=3.0, D=3.0)) and not said(parallelogram(A=3.0, B=-3.0))


def test_two_rates_on_one_freedom_are_named():
    assert [id for id, _ in said(parallelogram(A=3.0, D=3.1))] == ["A", "D"]
    assert [id for id, _ in said(with_rates(mechanisms.four_bar(), A=3.0, C=-1.0))] == ["A", "C"]


@pytest.mark.parametrize("type", [t for t in TYPES if t != "fixed"])
def test_the_rates_of_one_joint_alone_agree(type):
    # rolling takes freedoms away, so that only those of a joint without it are all free
    mechanism = skewed(type)
    dof = len(analyse(mechanisms.project(mechanism)).coordinates[0])
    named = said(
        mechanisms.with_joint(
            mechanism, "joint", rates=quantities(*(0.3 + 0.2 * k for k in range(dof)))
        )
    )
    assert bool(named) == (type in ("rolling_disc", "rolling_wheel", "knife_edge"))


def test_a_disc_that_rolls_as_typed_is_not_named():
    # upright along its heading: x' = -radius spin' (THEORY 3); any other speed slips
    mechanism = skewed("rolling_wheel", (0.0, 0.0, 0.0, 0.0))
    speeds = {
        sign: said(
            mechanisms.with_joint(
                mechanism, "joint", rates=quantities(sign * 0.6 * 2.0, 0.0, 0.0, 2.0)
            )
        )
        for sign in (1.0, -1.0, 0.5)
    }
    assert sorted(bool(v) for v in speeds.values()) == [False, True, True]


@pytest.mark.parametrize(
    ("quantity", "law", "speed"),
    [
        (VELOCITY, Law("constant", {"value": Quantity(4.0)}), 4.0),
        (POSITION, Law("sine", {"amplitude": Quantity(0.5), "frequency": Quantity(1.0)}), np.pi),
        (POSITION, Law("rest_to_rest", {"start": Quantity(0.0), "end": Quantity(1.0)}), 0.0),
    ],
)
def test_a_rate_against_its_drive_is_named_with_the_drive(quantity, law, speed):
    mechanism = driven(mechanisms.four_bar(), "A", quantity, law)
    assert not said(with_rates(mechanism, A=speed))
    named = said(with_rates(mechanism, A=speed + 1.0))
    assert [id for id, _ in named] == ["A"] and "contradicts Motor, which starts it with" in named[
        0
    ][1]
    # a rate elsewhere in the loop contradicts it as well
    assert [id for id, _ in said(with_rates(mechanism, D=9.0))] == ["D"]


def test_a_prescribed_acceleration_leaves_the_velocity_free():
    assert not said(
        with_rates(
            driven(
                mechanisms.four_bar(), "A", ACCELERATION, Law("constant", {"value": Quantity(4.0)})
            ),
            A=1.0,
        )
    )


def test_a_drive_that_is_switched_off_says_nothing():
    mechanism = with_rates(
        driven(mechanisms.four_bar(), "A", VELOCITY, Law("constant", {"value": Quantity(4.0)})),
        A=1.0,
    )
    assert said(mechanism)
    off = msgspec.structs.replace(mechanism.drives["M"], enabled=False)
    assert not said(msgspec.structs.replace(mechanism, drives={"M": off}))


def test_rates_against_a_coupling_are_named():
    b = mechanisms.Builder()
    for id, x in (("a", 0.0), ("b", 0.3)):
        b.body(id, (x, 0.0, 0.0))
        b.joint(f"pin_{id}", GROUND, id, (x, 0.0, 0.0))
    gear = Coupling(
        "g", "g", "gear", (CoordinateOf("pin_a"), CoordinateOf("pin_b")), {"ratio": Quantity(-2.0)}
    )
    mechanism = msgspec.structs.replace(b.mechanism, couplings={"g": gear})
    assert not said(with_rates(mechanism, pin_a=4.0, pin_b=-2.0))
    assert [id for id, _ in said(with_rates(mechanism, pin_a=4.0, pin_b=2.0))] == ["pin_a", "pin_b"]


def test_body_velocities_are_held_against_the_joints():
    # the crank's origin is its middle, 0.1 from its pin at 1 rad; at w about -y it goes w (-sin,
    # cos) / 10
    w = 5.0
    right = (-0.1 * w * np.sin(1.0), 0.0, 0.1 * w * np.cos(1.0))
    assert not said(moving(mechanisms.four_bar(), "crank", right, body_axes(-w)))
    named = said(moving(mechanisms.four_bar(), "crank", (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)))
    assert [id for id, _ in named] == [
        "crank"
    ] and "The initial velocity of body crank contradicts its joints" in named[0][1]
    # a rate that agrees with it, and one that does not
    assert not said(with_rates(moving(mechanisms.four_bar(), "crank", right, body_axes(-w)), A=w))
    assert [
        id
        for id, _ in said(
            with_rates(moving(mechanisms.four_bar(), "crank", right, body_axes(-w)), A=-w)
        )
    ] == ["crank"]


def body_axes(about_y):
    """An angular velocity about W's y in the axes of the four-bar's crank, which is turned about y
    only or has y reversed.
    """
    from mechstudio.model.geometry.rotation import conjugate, rotate

    q = mechanisms.four_bar().bodies["crank"].placement.quaternion
    return rotate(conjugate(q), (0.0, about_y, 0.0))


def test_a_free_body_may_fly_as_it_likes():
    b = mechanisms.Builder()
    b.body("stone", (0.0, 0.0, 1.0))
    b.link("arm", (0, 0, 0), (1, 0, 0))
    b.joint("A", GROUND, "arm", (0, 0, 0))
    assert not said(moving(b.mechanism, "stone", (1.0, 2.0, 3.0), (4.0, 5.0, 6.0)))


@pytest.mark.parametrize(
    ("mechanism", "named"),
    [
        (parallelogram(A=3.0, D=3.0), []),
        (parallelogram(A=3.0, D=3.1), ["A", "D"]),
        (parallelogram(A=0.0, D=3.0), ["A", "D"]),
        (
            with_rates(
                driven(
                    mechanisms.four_bar(), "A", VELOCITY, Law("constant", {"value": Quantity(4.0)})
                ),
                A=5.0,
            ),
            ["A"],
        ),
        (
            with_rates(
                driven(
                    mechanisms.four_bar(), "A", VELOCITY, Law("constant", {"value": Quantity(4.0)})
                ),
                A=4.0,
            ),
            [],
        ),
        (moving(mechanisms.four_bar(), "crank", (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)), ["crank"]),
    ],
    ids=["agree", "rates", "rest", "drive", "driven", "body"],
)
def test_a_start_names_what_the_analysis_names_and_looks_for_nothing_where_all_is_met(
    mechanism, named, monkeypatch
):
    looked = []
    monkeypatch.setattr(
        system, "velocity_findings", lambda *a: looked.append(1) or velocity_findings(*a)
    )
    found = [
        (f.element, f.message)
        for f in system.compile_system(mechanism).findings
        if "contradicts" in f.message
    ]
    assert (
        found == said(mechanism)
        and [id for id, _ in found] == named
        and bool(looked) == bool(named)
    )


def test_nothing_typed_costs_nothing():
    assert velocity_findings(mechanisms.four_bar(), None, None) == []


def test_free_bodies_are_left_out_of_the_decompositions(monkeypatch):
    """A four-bar whose crank turns among loose bodies that fly and tumble: those start as typed,
    about whatever point, and the decompositions see the four-bar alone.
    """
    m = with_rates(mechanisms.four_bar(), A=3.0)
    alone = system.compile_system(m)
    random, sizes = np.random.default_rng(5), []
    bodies, want = {}, {}
    for n in range(30):
        at, angles, linear, angular = random.normal(size=(4, 3))
        bodies[f"l{n}"] = msgspec.structs.replace(
            next(iter(m.bodies.values())),
            id=f"l{n}",
            placement=Placement(vector(*at), vector(*angles)),
            center_of_mass=vector(*random.normal(size=3)),
            initial_velocity=InitialVelocity(vector(*linear), vector(*angular)) if n else None,
        )
        want[f"l{n}"] = np.array([*linear, *angular]) if n else np.zeros(6)
    crowded = msgspec.structs.replace(m, bodies={**bodies, **m.bodies})

    class Counted(initial_velocities.Targets):
        def __init__(self, count):
            sizes.append(count)
            super().__init__(count)

    monkeypatch.setattr(initial_velocities, "Targets", Counted)
    s = system.compile_system(crowded)
    assert sizes == [alone.where.nv] and not s.findings
    start = lambda s: dict(
        zip(
            s.mechanism.bodies,
            next(iter(run(s, RunOptions(1e-3, 1e-3))))[0, s.layout.velocities].reshape(-1, 6),
            strict=True,
        )
    )
    want |= start(alone)
    assert want["coupler"].any()
    for id, twist in start(s).items():
        assert twist == pytest.approx(want[id], abs=1e-10), id


@pytest.mark.parametrize(("speed", "named"), [(0.0, []), (1.0, ["held"])])
def test_the_velocity_of_a_held_body_beside_a_loose_one_is_read(speed, named):
    """No joint has a freedom: there is nothing to match but what is held already."""
    builder = ms.Builder("held")
    held = builder.body("held").box(0.1, 0.1, 0.1).velocity((speed, 0, 0))
    builder.fix("bolt", builder.ground, held, at=(0, 0, 0))
    builder.body("loose", (1, 0, 0)).box(0.1, 0.1, 0.1).velocity((0, 0, 1))
    mechanism = builder.project().mechanism
    assert [id for id, _ in said(mechanism)] == named
    options = RunOptions(duration=0.1)
    assert all(np.isfinite(r).all() for r in run(system_for(mechanism, options), options))
