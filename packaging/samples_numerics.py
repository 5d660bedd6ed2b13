"""Samples of numerical methods: drift of constraints, Baumgarte's stabilisation, the order of a
method, a stiff spring, a parallelogram at its change point.
"""

import math

from planar_parts import Linkage
from sample_parts import (
    BLUE,
    CAST_IRON,
    GREEN,
    ORANGE,
    base_plate,
    bracket,
    plots,
    sample,
    speed,
)

from mechstudio.builder import BodyHandle, Builder
from mechstudio.model.project import Camera, Project


def step_of(m: Builder, value: str, most: str) -> None:
    """The slider of the step of a method."""
    m.parameter(
        "h", value, "time", minimum="1 ms", maximum=most, slider=True, note="step of the method"
    )


def released_bar(m: Builder) -> BodyHandle:
    """A rod on a bracket, level at the start."""
    base_plate(m.ground, "-80 mm", "80 mm", "30 mm", "66 mm")
    bracket(m.ground, 0, "420 mm")
    rod = m.link(
        "rod",
        (0, 0, "420 mm"),
        ("300 mm", 0, "420 mm"),
        width="34 mm",
        thickness="16 mm",
        layer="12 mm",
        color=ORANGE,
    )
    m.pin("A", m.ground, rod, at=(0, 0, "420 mm"))
    return rod


def drifting(m: Builder, **control: str) -> None:
    """A run of steps h in absolute coordinates, and panes of the pin's gap.  control: of drift."""
    m.run(
        duration="5 s",
        sample_step="h",
        integrator="rk4",
        step="h",
        formulation="absolute",
        **control,
    )
    m.plot("Gap of the pin", "constraint/position", "constraint/velocity", log=True)
    m.plot("Rod", "joint/A/0")
    m.plot("Energy", "energy/kinetic", "energy/potential", "energy/total", "energy/balance")


@sample("numerics", 2)
def constraint_drift() -> tuple[Project, Camera]:
    m = Builder(
        "Drift off a constraint",
        "The rod has six coordinates here, and its pin holds five of them by multipliers: the "
        "method solves C'' = 0, not C = 0. What it errs by is integrated twice, and the rod slowly "
        "leaves its pin. Half the step of this method of order four makes the gap sixteen times "
        "smaller. Nothing is done about it: drift control is off.",
        [
            "By which factor does the gap grow from a step of 10 ms to one of 20 ms?",
            "Choose projection as drift control in the run's settings: what is left of the gap?",
            "Why has the rod no gap at all in joint coordinates?",
        ],
    )
    step_of(m, "10 ms", "25 ms")
    released_bar(m)
    drifting(m, drift="none")
    return m.project(), Camera((0.0, 0.0, 0.3), -66.0, 10.0, 1.5)


@sample("numerics", 3)
def baumgarte_regimes() -> tuple[Project, Camera]:
    m = Builder(
        "Baumgarte's stabilisation",
        "In place of C'' = 0 the method solves C'' + 2 b C' + b^2 C = 0, a damped oscillator for "
        "the gap of the pin. With b too small the gap grows faster than it is drawn together; with "
        "b too large it is a stiff spring, which the step cannot follow. A method of order four "
        "bursts where b h passes 2.785 at the latest, a swinging rod from about 2.3 on, and long "
        "before that the gap grows again.",
        [
            "Which b makes the gap smallest with a step of 10 ms?",
            "What happens with b = 300 and why (what is b h)?",
            "Why does the best b depend on the step?",
        ],
    )
    step_of(m, "10 ms", "20 ms")
    m.parameter(
        "b",
        "5",
        "number",
        minimum="0",
        maximum="300",
        slider=True,
        note="of the stabilisation [1/s]",
    )
    released_bar(m)
    drifting(m, drift="baumgarte", alpha="b", beta="b")
    return m.project(), Camera((0.0, 0.0, 0.3), -66.0, 10.0, 1.5)


def wall_and_rail(m: Builder, long: str) -> None:
    """A rail along x and a wall at its left end."""
    base_plate(m.ground, "-340 mm", f"{long} - 300 mm", "60 mm", "60 mm")
    m.ground.box(
        long,
        "30 mm",
        "16 mm",
        at=(f"0.5*{long} - 320 mm", 0, "22 mm"),
        density=CAST_IRON,
        material="steel",
    )
    m.ground.box(
        "20 mm", "90 mm", "110 mm", at=("-340 mm", 0, "69 mm"), density=CAST_IRON, material="cast"
    )


@sample("numerics", 2)
def order_and_step() -> tuple[Project, Camera]:
    z = "90 mm"
    m = Builder(
        "Order and step",
        "A mass on a spring swings for ever, but the method of Runge and Kutta lets it die: each "
        "step multiplies the swing by 1 - z^6/144, nearly, with z = omega h. A step twice as long "
        "loses about 32 times as much in the same time. Above z = 2.83 the swing grows from step "
        "to step.",
        [
            "How much of the swing is left after 20 s with a step of 100 ms?",
            "What is the largest step with which the mass does not run away?",
            "Choose DOP853 in the run's settings: how many steps does it take, and what is lost?",
        ],
    )
    step_of(m, "100 ms", "350 ms")
    m.parameter("k", "100 N/m", "stiffness", minimum="25 N/m", maximum="225 N/m", slider=True)
    wall_and_rail(m, "560 mm")
    mass = m.body("mass", (0, 0, z), mass="1 kg", center_of_mass=(0, 0, 0), color=BLUE)
    mass.box("110 mm", "70 mm", "80 mm", at=(0, 0, "-16 mm"))
    rail = m.slider("rail", m.ground, mass, at=((0, 0, z), (0, 0, z)), axis=(1, 0, 0), rate="1 m/s")
    m.force(
        "spring",
        "spring",
        a=m.ground,
        b=mass,
        at=(("-330 mm", 0, z), (0, 0, z)),
        stiffness="k",
        free_length="330 mm",
    )
    m.run(duration="20 s", sample_step="h", integrator="rk4", step="h")
    plots(m, "Mass", f"joint/{rail.id}/0")
    return m.project(), Camera((-0.06, 0.0, 0.08), -58.0, 20.0, 1.4)


@sample("numerics", 2)
def stiff_spring() -> tuple[Project, Camera]:
    z = "90 mm"
    m = Builder(
        "A stiff spring",
        "A carriage swings slowly on a soft spring; a light mass sits on it behind a spring ten "
        "thousand times as stiff, and hardly moves against it. An explicit method must take steps "
        "that would follow the fast swing even though nothing swings: with RK4 none above 2.83 "
        "divided by its frequency. Radau IIA, which is implicit, steps over it.",
        [
            "Which two natural frequencies does the pair have?",
            "Above which step does RK4 burst?",
            "How many steps do DOP853 and Radau IIA take for the same run?",
        ],
    )
    m.parameter(
        "k_2", "1e6 N/m", "stiffness", minimum="1e4 N/m", maximum="1e7 N/m", note="stiff spring"
    )
    wall_and_rail(m, "620 mm")
    slow = m.body("carriage", (0, 0, z), mass="2 kg", center_of_mass=(0, 0, 0), color=BLUE)
    slow.box("110 mm", "70 mm", "80 mm", at=(0, 0, "-16 mm"))
    light = m.body(
        "light mass", ("140 mm", 0, z), mass="0.02 kg", center_of_mass=(0, 0, 0), color=ORANGE
    )
    light.box("50 mm", "50 mm", "50 mm", at=(0, 0, "-16 mm"), density=160.0)
    one = m.slider(
        "rail", m.ground, slow, at=((0, 0, z), (0, 0, z)), axis=(1, 0, 0), rate="0.5 m/s"
    )
    start = ("140 mm", 0, z)
    two = m.slider(
        "rail of light mass", m.ground, light, at=(start, start), axis=(1, 0, 0), rate="0.5 m/s"
    )
    m.force(
        "spring",
        "soft spring",
        a=m.ground,
        b=slow,
        at=(("-330 mm", 0, z), (0, 0, z)),
        stiffness="100 N/m",
        free_length="330 mm",
    )
    m.force(
        "spring",
        "stiff spring",
        a=slow,
        b=light,
        at=((0, 0, z), start),
        stiffness="k_2",
        free_length="140 mm",
    )
    m.run(duration="5 s", integrator="radau", tolerance="1e-6")
    plots(m, "Carriage", f"joint/{one.id}/0", f"joint/{two.id}/0")
    return m.project(), Camera((-0.02, 0.0, 0.08), -58.0, 20.0, 1.5)


@sample("numerics", 3)
def change_point() -> tuple[Project, Camera]:
    crank, frame = 0.12, 0.30
    m = Builder(
        "Parallelogram at its change point",
        "Two equal cranks and a coupler as long as the frame: shortest plus longest equals the sum "
        "of the two others. When all four lie in one line the linkage may go on as a parallelogram "
        "or fold into a crossed one; both satisfy every joint, and the equations alone do not say "
        "which. The velocity does: a motion that was even stays so.",
        [
            "At which two crank angles do all links lie in one line?",
            "Which motion has the second crank in the crossed linkage at those places?",
            "What would a real machine need there, and what do locomotives have?",
        ],
    )
    speed(m, "2 rad/s", "of the first crank")
    line = Linkage(m, 0.2)
    a, d = 0j, complex(frame, 0)
    turn = complex(math.cos(math.radians(60)), math.sin(math.radians(60)))
    b, c = a + crank * turn, d + crank * turn
    line.base(-0.1, 0.4, a, d)
    one = line.rod("crank", a, b, 0, ORANGE)
    three = line.rod("second crank", d, c, 0, GREEN)
    two = line.rod("coupler", b, c, 1, BLUE)
    joint = line.hinge("A", m.ground, one, a, rate="omega")
    line.hinge("B", one, two, b)
    line.hinge("C", two, three, c)
    line.hinge("D", m.ground, three, d)
    m.drive("motor", joint, speed="omega")
    m.run(duration="7 s")
    plots(m, "Cranks", "joint/A/0", "joint/D/0")
    return m.project(), Camera((0.15, 0.0, 0.2), -70.0, 12.0, 1.15)
