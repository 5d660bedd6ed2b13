"""Samples of bodies with hollows: balls in pipes."""

from sample_parts import BLUE, GREEN, ORANGE, PINK, sample
from samples_contacts import contact_plots

from mechstudio.builder import Builder
from mechstudio.model.project import Camera, Project

STEEL = 7800.0  # [kg/m^3]
ACROSS = (0, 0, "90 deg")  # axis z along y


@sample("contact", 2)
def balls_in_pipes() -> tuple[Project, Camera]:
    m = Builder(
        "Balls in pipes",
        "A ball swings in a half-pipe that is fixed, and another one rolls in a drum that a motor "
        "turns ever faster. A ball that rolls without slip swings as slowly as a pendulum that is "
        "7/5 as long as its middle is from the axis, since two sevenths of its energy are spin. "
        "The drum has to spin its ball up all the time, with the friction 2/5 m a, where a is the "
        "acceleration of its wall: the ball stays aside, at the angle whose sine is 2 a / (5 g).",
        [
            "How long does a swing of the ball take, and what becomes of it without friction?",
            "At which angle does the ball in the drum stay, and why is its size not in it?",
            "What happens where μ is too small for the acceleration of the drum?",
        ],
    )
    m.parameter(
        "mu", "0.5", "number", minimum="0", maximum="1", slider=True, note="friction of all"
    )
    m.parameter(
        "a",
        "4 m/s^2",
        "acceleration",
        minimum="0 m/s^2",
        maximum="10 m/s^2",
        slider=True,
        note="acceleration of the wall of the drum",
    )
    m.parameter(
        "R",
        "100 mm",
        minimum="60 mm",
        maximum="140 mm",
        slider=True,
        note="radius of both bores",
    )
    gutter = m.body("half-pipe", ("-180 mm", 0, 0), color=BLUE)
    gutter.half_pipe("R + 12 mm", "R", "120 mm", angles=(0, "90 deg", "90 deg"))
    drum = m.body("drum", ("180 mm", 0, 0), color=ORANGE)
    drum.tube("R + 12 mm", "R", "120 mm", angles=ACROSS)
    swing = m.body(
        "swinging ball",
        ("-180 mm + (R - 25 mm)*sin(40 deg)", 0, "-(R - 25 mm)*cos(40 deg)"),
        color=GREEN,
    )
    swing.sphere("25 mm", density=STEEL)
    sine = "2*a/(5*9.81 m/s^2)"
    aside = m.body(
        "ball in the drum",
        (f"180 mm + (R - 25 mm)*{sine}", 0, f"-(R - 25 mm)*sqrt(1 - ({sine})^2)"),
        color=PINK,
    )
    aside.sphere("25 mm", density=STEEL)
    for body in (gutter, drum, swing, aside):
        m.surface(body, friction="mu", restitution=0)
    m.joint("fixed", "holder", m.ground, gutter, at=("-180 mm", 0, 0), axis=(0, 1, 0))
    axle = m.pin("axle", m.ground, drum, at=("180 mm", 0, 0))
    m.drive("motor", axle, speed="a/R*t")
    m.touch()
    m.run(duration="5 s")
    contact_plots(m, "Places", "body/swinging_ball/x", "body/ball_in_the_drum/x")
    return m.project(), Camera((0.02, 0.0, 0.0), -68.0, 16.0, 1.2)
