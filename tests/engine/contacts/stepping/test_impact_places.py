"""Oblique impacts: the impulse acts where the surfaces touch, wherever in the step that is.

Of a body that strikes with one point, angular momentum about that point stays: I dw = r x m dv, r
from the centre of mass to the point of touch.  A planar blow has its arm and its moment of inertia
whatever the body has turned by, so that the balance holds to rounding.
"""

import numpy as np
import pytest

from mechstudio.engine.constraints.attitude import matrices
from mechstudio.model.mechanism import Placement, Shape
from mechstudio.model.quantity import vector
from tests.engine.contacts.cases import (
    G,
    Q,
    ball,
    body,
    box_shape,
    mechanism,
    skin,
    velocity,
    world,
)

SURFACE = skin(0.2, 0.8)


def grounds(kind):
    """A floor at z = 0, or the top of a box there."""
    return (
        {"floor": SURFACE}
        if kind == "floor"
        else {
            "ground": [box_shape(20.0, 20.0, 1.0, at=(0.0, 0.0, -0.5))],
            "ground_surface": SURFACE,
        }
    )


def impacted(w, most=600):
    """(jump of the velocity and of the angular velocity about y, tilt and height of the body at the
    instant of touch) of the first impact.
    """
    h = w.options.step
    for _ in range(most):
        before, where = velocity(w).copy(), w.now()[0][0].copy()
        w.advance()
        after = velocity(w)
        if after[2] > before[2]:
            # gravity acts through the centre of mass
            jump = after[:3] - before[:3] + (0.0, 0.0, G * h)
            return jump, after[4] - before[4], where, before
    raise AssertionError("it never struck")


@pytest.mark.parametrize(
    "margin", [0.005, 1e-4, 0.0], ids=["seen early", "seen late", "seen by its way"]
)
@pytest.mark.parametrize("ground", ["floor", "box"])
@pytest.mark.parametrize("e", [0.8, 0.0])
@pytest.mark.thinned(6)
def test_a_ball_that_slides_at_the_touch_takes_its_spin(ground, margin, e):
    """R dw = 2.5 dv of a ball, at eleven phases of the impact in the step of 1 ms."""
    surface = skin(0.2, e)
    under = (
        {"floor": surface} if ground == "floor" else {**grounds("box"), "ground_surface": surface}
    )
    for height in np.linspace(0.100, 0.105, 11):
        w = world(
            mechanism(
                [
                    ball(
                        "b",
                        0.05,
                        1.0,
                        (0.0, 0.0, 0.05 + height),
                        v=(8.0, 0.0, 0.0),
                        surface=surface,
                    )
                ],
                **under,
            ),
            margin=margin,
        )
        jump, spin, *_ = impacted(w)
        assert abs(spin) > 0.01 and 0.05 * spin == pytest.approx(-2.5 * jump[0], rel=1e-6)


def test_a_ball_on_a_flying_slab():
    """Both free: about any point the angular momentum of the two stays, and with it that about the
    point of touch.
    """
    for phase in np.linspace(0.0, 1.0, 7):
        a = ball(
            "a",
            0.05,
            1.0,
            (0.0, 0.0, 0.05 + 0.05 + 3e-3 * phase + 0.1),
            v=(8.0, 0.0, -3.0),
            surface=SURFACE,
        )
        slab = body(
            "s", [box_shape(2.0, 1.0, 0.1)], 3.0, (1.0, 1.2, 1.4), (0.1, 0.0, 0.0), surface=SURFACE
        )
        w = world(mechanism([a, slab], vector(0.0, 0.0, 0.0)), margin=0.002)
        for _ in range(60):
            before, at = [velocity(w, n).copy() for n in range(2)], w.now()[0].copy()
            w.advance()
            after = [velocity(w, n) for n in range(2)]
            if after[0][2] > before[0][2] + 1.0:
                break
        p = 1.0 * (after[0] - before[0])[:3]
        assert 3.0 * (after[1] - before[1])[:3] == pytest.approx(-p, abs=1e-9)
        assert 0.05 * (after[0] - before[0])[4] == pytest.approx(-2.5 * p[0], rel=1e-6)
        # the arm on the slab: to where the ball touches, after the rest of the gap at its velocity
        time = (at[0, 2] - 0.1) / 3.0
        x, z = at[0, 0] + 8.0 * time - at[1, 0], 0.05
        assert 1.2 * (after[1] - before[1])[4] == pytest.approx(-(z * p[0] - x * p[2]), rel=1e-6)


# shape, lowest point for an attitude
THINGS = {
    "capsule": (
        Shape("capsule", {"radius": Q(0.03), "height": Q(0.2)}),
        lambda R: (
            min((R @ (0.0, 0.0, 0.1 * t) for t in (-1, 1)), key=lambda r: r[2]) - (0.0, 0.0, 0.03)
        ),
    ),
    "cylinder": (
        Shape("cylinder", {"radius": Q(0.05), "height": Q(0.2)}),
        lambda R: min(
            (R @ (0.05 * s, 0.0, 0.1 * t) for s in (-1, 1) for t in (-1, 1)), key=lambda r: r[2]
        ),
    ),
    "box": (
        box_shape(0.2, 0.1, 0.1),
        lambda R: min(
            (R @ (0.1 * s, 0.0, 0.05 * t) for s in (-1, 1) for t in (-1, 1)), key=lambda r: r[2]
        ),
    ),
    "ball off its centre": (
        Shape("sphere", {"radius": Q(0.03)}, placement=Placement(vector(0.1, 0.0, -0.02))),
        lambda R: R @ (0.1, 0.0, -0.02) - (0.0, 0.0, 0.03),
    ),
}


@pytest.mark.parametrize("ground", ["floor", "box"])
@pytest.mark.parametrize("name", THINGS)
@pytest.mark.parametrize("rate", [0.0, 6.0])
@pytest.mark.thinned(3)
def test_bodies_that_turn_strike_with_their_arms_at_the_touch(name, ground, rate):
    """I dw = r x p about y with r of the instant of touch, whatever its phase in the step.  A shape
    beside its body's middle is carried straight on: (w h)^2 / 2.
    """
    shape, lowest = THINGS[name]
    for height in np.linspace(0.300, 0.303, 5):
        thing = body(
            "b",
            [shape],
            1.0,
            (4e-3, 5e-3, 6e-3),
            (0.0, 0.0, height),
            v=(3.0, 0.0, -2.0),
            turn=(0.0, 0.4, 0.0),
            w=(0.0, rate, 0.0),
            surface=SURFACE,
        )
        w = world(mechanism([thing], vector(0.0, 0.0, 0.0), **grounds(ground)), margin=0.002)
        for _ in range(300):
            before, where = velocity(w).copy(), w.now()[0][0].copy()
            w.advance()
            after = velocity(w)
            if after[2] > before[2] + 0.1:
                break
        p, spin = after[:3] - before[:3], after[4] - before[4]
        R = matrices(where[None, 3:])[0]
        # the instant of touch, at the velocities before
        rotated = lambda t: (
            matrices(np.array([[np.cos(0.5 * rate * t), 0.0, np.sin(0.5 * rate * t), 0.0]]))[0] @ R
        )
        low, high = 0.0, w.options.step
        for _ in range(60):
            t = 0.5 * (low + high)
            low, high = (
                (t, high) if where[2] + before[2] * t + lowest(rotated(t))[2] > 0.0 else (low, t)
            )
        r = lowest(rotated(high))
        assert abs(spin) > 1.0 and 5e-3 * spin == pytest.approx(
            r[2] * p[0] - r[0] * p[2], rel=1e-4 if name == "ball off its centre" else 1e-6, abs=1e-9
        )
