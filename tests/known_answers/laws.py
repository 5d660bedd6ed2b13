"""Known answers of the laws: each kind as a force on a mass, as a driven place and a driven speed,
at bounds of its numbers too.
"""

import math
from functools import partial

import numpy as np
from scipy.interpolate import CubicSpline, PchipInterpolator, PPoly

import mechstudio as ms
from tests.known_answers.joints import body
from tests.known_answers.rows import Row, coordinate

POINTS = ((0.5, 0.0), (1.0, 0.3), (1.2, 0.3), (1.201, 0.9), (2.5, -0.4), (3.0, 0.0))


def slider(mass=1.0):
    m = ms.Builder(gravity=(0, 0, 0))
    return m, m.slider("J", m.ground, body(m, 0.1, mass), at=(0, 0, 0), axis=(1, 0, 0))


def speed_of_push(law, size, mass):
    m, joint = slider(mass)
    m.force("motor_force", "push", joint=joint, force=law(size * mass))
    return m.project()


def driven(law, size, how):
    m, joint = slider(2.0)
    m.drive("motor", joint, **{how: law(size)})
    return m.project()


def velocity(result):
    return result.velocities[:, 0, 0]


# values and integrals from 0 to t of each kind of law of size 1


def ramp(t, begin, duration):
    return np.clip((t - begin) / duration, 0.0, 1.0)


def ramp_integral(t, begin, duration):
    s = np.clip(t - begin, 0.0, duration)
    return s**2 / (2 * duration) + np.maximum(t - begin - duration, 0.0)


def sine(t, frequency, phase):
    return np.sin(2 * np.pi * frequency * t + phase)


def sine_integral(t, frequency, phase):
    w = 2 * np.pi * frequency
    return (math.cos(phase) - np.cos(w * t + phase)) / w


def gentle(t, begin, duration):
    s = np.clip((t - begin) / duration, 0.0, 1.0)
    return s**3 * (10 - 15 * s + 6 * s * s)


def gentle_integral(t, begin, duration):
    s = np.clip((t - begin) / duration, 0.0, 1.0)
    return duration * (2.5 * s**4 - 3 * s**5 + s**6) + np.maximum(t - begin - duration, 0.0)


def pieces(between):
    """The table as SciPy reads it, level before and after."""
    x, y = np.array(POINTS).T
    if between == "monotone":
        return PchipInterpolator(x, y)
    if between == "spline":
        return CubicSpline(x, y, bc_type=((1, 0.0), (1, 0.0)))
    return PPoly(
        np.array([np.diff(y) / np.diff(x), y[:-1]]) if between == "straight" else y[None, :-1], x
    )


def table(t, between):
    return pieces(between)(np.clip(t, POINTS[0][0], POINTS[-1][0]))


def table_integral(t, between):
    """Both ends of POINTS are 0, so that only the pieces count."""
    whole = pieces(between).antiderivative()
    return whole(np.clip(t, POINTS[0][0], POINTS[-1][0])) - whole(POINTS[0][0])


def power(t, n):
    return t**n


def power_integral(t, n):
    return t ** (n + 1) / (n + 1)


def tabled(between, size):
    return ms.table(*((t, size * y) for t, y in POINTS), between=between)


# name: (the law of a size, values, integrals, duration, source)
KINDS = {
    **{
        f"constant for {T:g} s": (ms.constant, lambda t: 1.0 + 0 * t, lambda t: t, T, "v = F t / m")
        for T in (1e-3, 1e4)
    },
    **{
        f"ramp of {T:g} s": (
            lambda size, T=T: ms.ramp(0, size, begin=1.0, duration=T),
            partial(ramp, begin=1.0, duration=T),
            partial(ramp_integral, begin=1.0, duration=T),
            4.0,
            "the integral of a ramp",
        )
        for T in (2.0, 1e-6)
    },
    **{
        f"sine of {f:g} Hz": (
            lambda size, f=f, p=p: ms.sine(size, f, phase=p),
            partial(sine, frequency=f, phase=p),
            partial(sine_integral, frequency=f, phase=p),
            n / f,
            "the integral of a sine",
        )
        for f, p, n in ((1.0, 0.0, 5.0), (1e-3, 1.0, 3.0), (1e3, 0.5, 20.0))
    },
    **{
        f"rest to rest in {T:g} s": (
            lambda size, T=T: ms.rest_to_rest(size, begin=0.5, duration=T),
            partial(gentle, begin=0.5, duration=T),
            partial(gentle_integral, begin=0.5, duration=T),
            3.0,
            "10 s^3 - 15 s^4 + 6 s^5 and its integral",
        )
        for T in (2.0, 1e-4)
    },
    **{
        f"table, {b}": (
            partial(tabled, b),
            partial(table, between=b),
            partial(table_integral, between=b),
            3.7,
            "the same pieces by SciPy",
        )
        for b in ("monotone", "spline", "straight", "steps")
    },
    **{
        f"expression t^{n}": (
            lambda size, n=n: ms.expression(f"{size!r}*t^{n}/(1 s)^{n}"),
            partial(power, n=n),
            partial(power_integral, n=n),
            2.0,
            "t^(n+1) / (n+1)",
        )
        for n in (1, 7)
    },
}


def typed(law, unit, size):
    """A law whose text, if it has one, carries the unit of the prescribed quantity."""
    made = law(size)
    return ms.expression(made.text.replace("*", f" {unit}*", 1)) if made.text else made


def of_time():
    for name, (law, value, integral, duration, source) in KINDS.items():
        for size, mass in ((1.0, 1.0), (1e-3, 1e-9), (50.0, 1e6)):
            yield Row(
                f"{name}, force on {mass:g} kg, {size:g} m/s^2",
                partial(speed_of_push, partial(typed, law, "N"), size, mass),
                duration,
                velocity,
                lambda t, s=size, f=integral: s * f(t),
                source,
                1e-6,
            )
        for size in (1e-6, 0.1, 1e3):
            yield Row(
                f"{name}, driven at up to {size:g} m/s",
                partial(driven, partial(typed, law, "m/s"), size, "speed"),
                duration,
                coordinate("J"),
                lambda t, s=size, f=integral: s * f(t),
                source,
                1e-6,
            )
            if name not in ("table, steps", "table, straight"):
                # a place starts from the drawn pose
                yield Row(
                    f"{name}, driven to {size:g} m",
                    partial(driven, partial(typed, law, "m"), size, "position"),
                    duration,
                    coordinate("J"),
                    lambda t, s=size, f=value: s * (f(t) - f(0.0 * t)),
                    source,
                    1e-7 if size < 1e-3 else 1e-9,
                    size=size,
                )


# laws of an angle: cams


def cam(law, turns):
    """A cam at 2 rad/s and its follower."""
    m = ms.Builder(gravity=(0, 0, 0))
    wheel = m.pin("cam", m.ground, body(m, 0.1, 1.0, name="wheel"), at=(0, 0, 0))
    rod = m.slider("J", m.ground, body(m, 0.1, 1.0, name="rod"), at=(0, 0, 0.1), axis=(0, 0, 1))
    m.cam("lobe", wheel, rod, law)
    m.drive("motor", wheel, speed=2.0 * turns)
    return m.project()


def geneva(slots, inner):
    """A crank at 2 rad/s and the slotted wheel beside it; its pin is deepest at 0.3 rad."""
    m = ms.Builder(gravity=(0, 0, 0))
    crank = m.pin("crank", m.ground, body(m, 0.1, 1.0, name="arm"), at=(0, 0, 0))
    wheel = m.pin("J", m.ground, body(m, 0.1, 1.0, name="wheel"), at=(0.2, 0, 0))
    m.geneva("drive", crank, wheel, ms.geneva(slots, middle=0.3, inner=inner))
    m.drive("motor", crank, speed=2.0)
    return m.project()


def slotted(t, slots, inner):
    """Angle of the wheel by the direction to the pin, from t = 0 on: the angle at the corner of the
    triangle with the sides 1 and sin(pi / n).
    """
    side, half = (1.0 if inner else -1.0), math.pi / slots
    engaged = 0.5 * math.pi + side * half

    def turned(a):
        a = a - 0.3
        turns = np.floor((a + engaged) / (2.0 * np.pi))
        a = np.minimum(a - 2.0 * np.pi * turns, engaged)
        pin = 1.0 + side * math.sin(half) * np.exp(1j * a)
        return side * 2.0 * half * turns + np.angle(pin)

    return turned(2.0 * t) - turned(0.0)


def lobe(t, lift, begin, rise, dwell, fall):
    """3-4-5 polynomials up and down, at 2 rad/s."""
    a = (2.0 * t - begin) % (2 * np.pi)
    return lift * (gentle(a, 0.0, rise) - gentle(a, rise + dwell, fall))


# lift, begin, rise, dwell, fall, tolerance of the run
LOBES = (
    (0.02, 0.3, 1.5, 0.7, 1.5, 1e-8),
    (1e-6, 0.0, math.pi / 2, 0.0, math.pi / 2, 1e-8),
    (5.0, 1.0, 0.1, 3.0, 2.5, 1e-8),
    (0.1, 0.5, math.pi, 0.0, math.pi, 1e-8),
)


def of_angle():
    for n, (*numbers, tolerance) in enumerate(LOBES):
        law = partial(
            lambda lift, begin, rise, dwell, fall: ms.rise_and_return(
                lift, begin=begin, rise=rise, dwell=dwell, fall=fall
            ),
            *numbers,
        )
        yield Row(
            f"rise and return, lobe {n + 1}",
            lambda law=law: cam(law(), 1.0),
            7.0,
            coordinate("J"),
            lambda t, n=numbers: lobe(t, *n) - lobe(0 * t, *n),
            "3-4-5 polynomials",
            1e-9,
            options={"tolerance": tolerance},
        )
    for slots, inner in ((3, False), (4, False), (12, False), (3, True), (4, True), (12, True)):
        yield Row(
            f"{'internal' if inner else 'external'} Geneva of {slots} slots",
            partial(geneva, slots, inner),
            7.0,
            coordinate("J"),
            partial(slotted, slots=slots, inner=inner),
            "the slot points to the pin",
            1e-9,
        )
    yield Row(
        "cam by an expression",
        lambda: cam(ms.expression("0.02 m*(1-cos(a))+0.005 m*sin(3*a)"), 1.0),
        20.0,
        coordinate("J"),
        lambda t: 0.02 * (1 - np.cos(2 * t)) + 0.005 * np.sin(6 * t),
        "x = f(a) with a = 2 t",
        1e-9,
    )


# expressions of a force's own x and v


def own(text, mass, speed):
    m = ms.Builder(gravity=(0, 0, 0))
    joint = m.slider("J", m.ground, body(m, 0.1, mass), at=(0, 0, 0), axis=(1, 0, 0), rate=speed)
    m.force("motor_force", "push", joint=joint, force=ms.expression(text))
    return m.project()


OWN = (
    # v' = -c v |v|: x = ln(1 + c v0 t) / c
    Row(
        "drag with the square of the speed",
        partial(own, "-2 N*(v/(1 m/s))*abs(v/(1 m/s))", 1.0, 3.0),
        10.0,
        coordinate("J"),
        lambda t: np.log1p(6.0 * t) / 2.0,
        "v' = -c v^2: x = ln(1 + c v0 t) / c",
        1e-7,
    ),
    Row(
        "a spring as an expression",
        partial(own, "-50 N*x/(1 m)", 2.0, 1.0),
        5.0,
        coordinate("J"),
        lambda t: np.sin(5.0 * t) / 5.0,
        "x = v0 sin(w t) / w",
        1e-7,
    ),
    Row(
        "a repelling force",
        partial(own, "4 N*x/(1 m)", 1.0, 1e-3),
        5.0,
        coordinate("J"),
        lambda t: 5e-4 * np.sinh(2.0 * t),
        "x = v0 sinh(w t) / w",
        1e-5,
    ),
    *(
        Row(
            f"pulse of {width:g} s",
            partial(own, f"1 N*exp(-((t-2.345 s)/({width!r} s))^2)", 1.0, 0.0),
            5.0,
            velocity,
            lambda t, w=width: (
                0.5
                * w
                * math.sqrt(math.pi)
                * np.array([math.erf((s - 2.345) / w) + math.erf(2.345 / w) for s in t])
            ),
            "the integral of a Gauss pulse",
            1e-6,
        )
        for width in (1e-6, 1e-4, 1e-2, 1.0)
    ),
)

ROWS = (*of_time(), *of_angle(), *OWN)
