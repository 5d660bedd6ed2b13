"""Known answers of the forces: springs, dampers and servos from undamped to overdamped, constant
efforts, dry friction, in every size.
"""

import math
from functools import partial

import numpy as np

import mechstudio as ms
from tests.known_answers.joints import body
from tests.known_answers.rows import SIZES, Row, coordinate, oscillation

# label, mass or inertia, stiffness, damping, start, speed, duration; all in SI
OSCILLATIONS = (
    ("undamped", 2.0, 50.0, 0.0, 0.3, 0.0, 10.0),
    ("weakly damped", 2.0, 80.0, 1.2, 0.2, -1.0, 5.0),
    ("critical", 1.0, 25.0, 10.0, 0.4, 0.5, 3.0),
    ("overdamped", 0.5, 10.0, 40.0, 0.3, 0.0, 20.0),
    ("tiny", 1e-9, 1e-3, 1e-7, 1e-6, 0.0, 0.05),
    ("heavy and stiff", 1e6, 1e12, 1e7, 1e-3, 2.0, 0.05),
    ("heavy and slow", 1e6, 1.0, 100.0, 0.4, 0.0, 5e4),
)


def on_slide(mass, start, speed):
    """A block without weight, drawn at x = 1 m from the anchor; the slide's coordinate is its way
    from there.
    """
    m = ms.Builder(gravity=(0, 0, 0))
    scale = min(max(abs(start), 1e-6), 1.0)
    b = body(m, scale, mass, (1 / scale, 0, 0))
    return m, b, m.slider("J", m.ground, b, at=(1, 0, 0), axis=(1, 0, 0), rate=speed)


def on_pin(inertia, speed):
    m = ms.Builder(gravity=(0, 0, 0))
    b = body(m, 0.1, 100.0 * inertia, inertia=(1, 1, 1))
    return m, b, m.pin("J", m.ground, b, at=(0, 0, 0), rate=speed)


def spring_and_damper(mass, k, c, start, speed):
    m, b, _ = on_slide(mass, start, speed)
    m.force(
        "spring",
        "k",
        a=m.ground,
        b=b,
        at=((0, 0, 0), (1, 0, 0)),
        stiffness=k,
        free_length=1.0 - start,
    )
    m.force("damper", "c", a=m.ground, b=b, at=((0, 0, 0), (1, 0, 0)), damping=c)
    return m.project()


def on_joint(kinds, mass, k, c, start, speed):
    """A spring and a damper of a slide's or a pin's own coordinate."""
    spring, damper, free = kinds
    m, _, joint = on_slide(mass, start, speed) if spring == "slide_spring" else on_pin(mass, speed)
    m.force(spring, "k", joint=joint, stiffness=k, **{free: -start})
    m.force(damper, "c", joint=joint, damping=c)
    return m.project()


def servo(type, mass, k, c, start, speed):
    m, _, joint = on_slide(mass, start, speed) if type == "servo_force" else on_pin(mass, speed)
    m.force(type, "hold", joint=joint, stiffness=k, damping=c, target=-start)
    return m.project()


def bushing(axis, mass, k, c, start, speed):
    m, b, _ = on_slide(mass, start, speed) if axis == "x_x" else on_pin(mass, speed)
    # the pin of the front plane turns about -y
    place = (1.0 - start, 0, 0) if axis == "x_x" else (0, 0, 0)
    at = (place, (1, 0, 0)) if axis == "x_x" else (place, place)
    m.force("bushing", "rubber", a=m.ground, b=b, at=at, **{f"k_{axis}": k, f"d_{axis}": c})
    return m.project()


def swinging(t, number):
    _, mass, k, c, start, speed, _ = OSCILLATIONS[number]
    return oscillation(t, mass, k, c, start, speed) - start


def swinging_round(t, number):
    """Of a bushing that starts untwisted."""
    _, mass, k, c, _, speed, _ = OSCILLATIONS[number]
    return oscillation(t, mass, k, c, 0.0, speed)


LINEAR = "m x'' + c x' + k x = 0"
SPRINGS = (
    ("spring and damper", spring_and_damper),
    ("slide spring and damper", partial(on_joint, ("slide_spring", "slide_damper", "free_length"))),
    (
        "torsion spring and damper",
        partial(on_joint, ("torsion_spring", "torsion_damper", "free_angle")),
    ),
    ("linear servo", partial(servo, "servo_force")),
    ("servo", partial(servo, "servo_torque")),
    ("bushing along x", partial(bushing, "x_x")),
)


def oscillations():
    for n, (label, mass, k, c, start, speed, duration) in enumerate(OSCILLATIONS):
        for name, make in SPRINGS:
            yield Row(
                f"{name}, {label}",
                partial(make, mass, k, c, start, speed),
                duration,
                coordinate("J"),
                partial(swinging, number=n),
                LINEAR,
                5e-6 if label == "tiny" else 1e-7,
            )
        if speed:
            yield Row(
                f"bushing about y, {label}",
                partial(bushing, "ry_ry", mass, k, c, 0.0, speed),
                duration,
                coordinate("J"),
                partial(swinging_round, number=n),
                LINEAR,
                5e-6 if label == "tiny" else 1e-7,
            )


def pushed(type, L, M):
    """Half a kilonewton on a tonne and the like: the effort gives 3 L/s^2 or 3 rad/s^2."""
    m = ms.Builder(gravity=(0, 0, 0))
    b = body(m, L, M, (1, 0, 0))
    at = ((0, 0, 0), (L, 0, 0))
    if type in ("motor_force", "actuator", "force"):
        joint, effort = m.slider("J", m.ground, b, at=at[1], axis=(1, 0, 0)), 3.0 * M * L
    else:
        joint, effort = m.pin("J", m.ground, b, at=at[1]), 3.0 * 0.02 * M * L * L
    given = {
        "motor_force": {"joint": joint, "force": effort},
        "motor_torque": {"joint": joint, "torque": effort},
        "actuator": {"a": m.ground, "b": b, "at": at, "force": effort},
        "force": {"body": b, "vector": (effort, 0, 0)},
        "torque": {"body": b, "vector": (0, -effort, 0)},
    }[type]
    m.force(type, "f", **given)
    return m.project()


def follower(L, M, turn):
    """A force that turns with its body: thrust across the arm of a pin."""
    m = ms.Builder(gravity=(0, 0, 0))
    b = body(m, L, M)
    m.pin("J", m.ground, b, at=(0, 0, 0))
    m.force(
        "force", "thrust", body=b, at=(L, 0, 0), vector=(0, 0, turn * 0.02 * M * L), axes="body"
    )
    return m.project()


def braked(joint, L, M, level, speed, damping):
    """Dry friction, and viscous beside it, on what slides or turns at first."""
    m = ms.Builder(gravity=(0, 0, 0))
    b = body(m, L, M)
    if joint == "slide":
        j = m.slider("J", m.ground, b, at=(0, 0, 0), axis=(1, 0, 0), rate=speed * L)
        m.force("friction_force", "rub", joint=j, force=level * M * L, speed=0, damping=damping * M)
    else:
        j, unit = m.pin("J", m.ground, b, at=(0, 0, 0), rate=speed), 0.02 * M * L * L
        m.force(
            "friction_torque", "rub", joint=j, torque=level * unit, speed=0, damping=damping * unit
        )
    return m.project()


def braking(t, level, speed, damping):
    """Way of v' = -level - damping v until it rests for good."""
    if not damping:
        s = np.minimum(t, speed / level)
        return speed * s - 0.5 * level * s**2
    s = np.minimum(t, math.log(1.0 + damping * speed / level) / damping)
    return (speed + level / damping) * -np.expm1(-damping * s) / damping - level / damping * s


def efforts():
    for label, L, M in SIZES:
        for type in ("motor_force", "motor_torque", "actuator", "force", "torque"):
            unit = 1.0 if "torque" in type else L
            yield Row(
                f"{type.replace('_', ' ')}, {label}",
                partial(pushed, type, L, M),
                4.0,
                coordinate("J"),
                lambda t, u=unit: 1.5 * u * t**2,
                "a = F / m",
                1e-9,
            )
        for turn in (2.0, -0.1):
            yield Row(
                f"thrust that turns with its body, {turn:g}, {label}",
                partial(follower, L, M, turn),
                10.0,
                coordinate("J"),
                lambda t, a=turn: 0.5 * a * t**2,
                "the arm keeps its length: angle'' = F l / I",
                1e-9,
            )
        for joint in ("slide", "turn"):
            unit = 1.0 if joint == "turn" else L
            for level, speed, damping in (
                (0.5, 1.0, 0.0),
                (50.0, 1.0, 0.0),
                (0.7, 2.0, 0.4),
                (1e-3, 0.01, 2.0),
            ):
                end = (
                    speed / level
                    if not damping
                    else math.log(1.0 + damping * speed / level) / damping
                )
                yield Row(
                    f"dry friction, {joint}, {level:g} and {damping:g}, {label}",
                    partial(braked, joint, L, M, level, speed, damping),
                    2.0 * end,
                    coordinate("J"),
                    lambda t, u=unit, n=(level, speed, damping): u * braking(t, *n),
                    "v' = -F / m - c v / m, then at rest",
                    1e-7,
                )


ROWS = (*oscillations(), *efforts())
