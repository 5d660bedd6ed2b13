"""Samples of what touches: boxes that stick and slide, balls that bounce, stacks, dominoes, a cradle."""

import math

from mechstudio.builder import BodyHandle, Builder
from mechstudio.model.project import Camera, Project
from sample_parts import ALONG_X, BLUE, CAST_IRON, FLAT, GREEN, OCHRE, ORANGE, PINK, base_plate, plots

WOOD, RUBBER = 700.0, 1100.0                            # [kg/m^3]


def contact_plots(m: Builder, title: str, *channels: str) -> None:
    """The panes of samples with contacts: what it is about, where the energy goes, how well contacts are solved."""
    m.plot(title, *channels)
    m.plot("Energy", "energy/kinetic", "energy/potential", "energy/total", "contact/friction", "contact/impact")
    m.plot("Contact solve", "contact/residual", "contact/overlap", log=True)


def box_on_incline() -> tuple[Project, Camera]:
    m = Builder("Box on an incline", "A box lies on a slope. As long as the friction that holds it is smaller than μ times the normal force, it sticks, whatever pulls at it below "
                "that; above it slides, and friction has exactly that size. The cone on each contact shows it: the force stays inside while the box sticks "
                "and lies on its side when it slides. Move the slider of μ across tan of the slope.",
                ["At which μ does the box begin to slide on a slope of 20 deg? Find it with the slider, then by a formula.",
                 "Why do the two lower contacts carry more than the upper two, also while nothing moves?",
                 "What happens to the force arrow at the instant at which the box comes to rest, and why so suddenly?"])
    m.parameter("mu", "0.3", "number", minimum="0", maximum="1", slider=True, note="friction of box and slope")
    m.parameter("slope", "20 deg", "angle", minimum="0 deg", maximum="40 deg", slider=True, note="of the incline")
    m.parameter("push", "0.5 m/s", "velocity", minimum="0 m/s", maximum="2 m/s", slider=True, note="speed down the slope at the start")
    m.ground.box("1600 mm", "400 mm", "40 mm", at=("20 mm*sin(slope)", 0, "-20 mm*cos(slope)"), angles=(0, "-slope", 0), density=CAST_IRON, material="cast")
    m.surface(m.ground, friction="mu", restitution=0)
    # down the slope is -x
    box = m.body("box", ("450 mm*cos(slope) - 60 mm*sin(slope)", 0, "450 mm*sin(slope) + 60 mm*cos(slope)"), (0, "-slope", 0), color=BLUE)
    box.box("180 mm", "160 mm", "120 mm", density=WOOD)
    box.velocity(("-push*cos(slope)", 0, "-push*sin(slope)"))
    m.surface(box, friction="mu", restitution=0)
    m.touch()
    m.run(duration="3 s")
    contact_plots(m, "Speed", "body/box/vx", "body/box/vz")
    return m.project(), Camera((0.0, 0.0, 0.05), -68.0, 18.0, 2.6)


def bouncing_ball() -> tuple[Project, Camera]:
    m = Builder("Bouncing balls", "Three balls fall from the same height on the same floor. Each impact gives back the speed times the coefficient of restitution e, so the height after n "
                "impacts is e²ⁿ times the first one, and the times between impacts shrink like a geometric series: infinitely many impacts end at a finite "
                "time. Below a least speed, set in the contact settings, nothing rebounds any more and the ball lies still.",
                ["From which height does a ball with e = 0.8 rise after its third impact? Compare with the curve.",
                 "At which time has the orange ball made all its impacts? Sum the series (1 + e) / (1 - e) times the time of fall.",
                 "Where has the energy gone? Read the work of normal impulses."])
    m.parameter("e", "0.8", "number", minimum="0", maximum="1", slider=True, note="restitution of the orange ball")
    m.parameter("h", "600 mm", minimum="100 mm", maximum="1200 mm", slider=True, note="height of fall")
    m.floor(0, restitution=1, friction=0.5)
    # of two surfaces the geometric mean counts, and the floor has one
    for name, x, e, color in (("lively", -0.3, "0.95^2", BLUE), ("usual", 0.0, "e^2", ORANGE), ("dull", 0.3, "0.5^2", GREEN)):
        ball = m.body(name, (x, 0, "h + 50 mm"), color=color)
        ball.sphere("50 mm", density=RUBBER)
        m.surface(ball, restitution=e, friction=0.5)
    m.touch(slowest="0.02 m/s")
    m.run(duration="5 s")
    contact_plots(m, "Heights", "body/lively/z", "body/usual/z", "body/dull/z")
    return m.project(), Camera((0.0, 0.0, 0.3), -74.0, 12.0, 2.2)


def stack_of_boxes() -> tuple[Project, Camera]:
    m = Builder("Stack of boxes", "Ten boxes stand on each other and a ball swings into them. Each contact of the stack carries the weight of all that is above it: solved to the end, the stack "
                "stands without sinking and without creeping. Choose projected Gauss-Seidel in the contact settings and look at the residual: weight travels "
                "through the stack by one box per iteration.",
                ["Which force does the lowest contact carry before the ball comes? Add up the weights.",
                 "How many iterations does each of the three methods need for the stack at rest?",
                 "How fast must the ball be to leave only the lowest box standing?"])
    m.parameter("v", "3 m/s", "velocity", minimum="0 m/s", maximum="8 m/s", slider=True, note="speed of the ball")
    m.floor(0, "wood", restitution=0)
    for k in range(10):
        box = m.body(f"box {k + 1}", (0, 0, f"{50 + 100 * k} mm"), color=k % 6)
        box.box("160 mm", "160 mm", "100 mm", density=WOOD)
        m.surface(box, "wood", restitution=0)
    ball = m.body("ball", ("-1100 mm", 0, "750 mm"), color=7)
    ball.sphere("80 mm", density=7850, material="steel").velocity(("v", 0, "2 m/s"))
    m.surface(ball, "steel", restitution=0.2)
    m.touch(step="2 ms", tolerance="1e-5 m/s")
    m.run(duration="4 s")
    contact_plots(m, "Load of the lowest box", "contact/box_1/ground", "contact/box_5/box_6")
    return m.project(), Camera((-0.1, 0.0, 0.5), -66.0, 12.0, 3.6)


def newtons_cradle() -> tuple[Project, Camera]:
    m = Builder("Newton's cradle", "Five equal steel balls hang in a row. One is let go, one flies off at the other end: not momentum and energy alone, of which many outcomes have the same, but the "
                "order of impacts decides. With impacts one after the other each ball hands its speed to the next; with all at once, Moreau's law, the "
                "balls share it. Change the impact law in the contact settings and play again.",
                ["Let two balls go: how many fly off, and how would you prove it?",
                 "What does Moreau's law give here, and what does it keep: momentum, energy, or both?",
                 "Which law is right for balls that lie apart by a hair?"])
    m.parameter("lift", "35 deg", "angle", minimum="0 deg", maximum="70 deg", slider=True, note="of the first ball")
    m.parameter("L", "300 mm", minimum="150 mm", maximum="450 mm", slider=True, note="length of the strings")
    m.parameter("e", "1", "number", minimum="0", maximum="1", slider=True, note="restitution")
    r = 0.03
    for y in (-0.09, 0.09):
        m.ground.cylinder("6 mm", "420 mm", at=(0, y, "L + 60 mm"), angles=ALONG_X, density=CAST_IRON, material="steel")
        for x in (-0.2, 0.2):
            m.ground.cylinder("6 mm", "L + 60 mm", at=(x, y, "L/2 + 30 mm"), density=CAST_IRON, material="steel")
    m.ground.box("460 mm", "240 mm", "20 mm", at=(0, 0, "-20 mm"), density=CAST_IRON, material="cast")
    for k in range(5):
        x = 2 * r * (k - 2)
        angle = "lift" if k == 0 else 0
        ball = m.body(f"ball {k + 1}", (x if k else f"{x} m - L*sin(lift)", 0, "60 mm" if k else "60 mm + L*(1 - cos(lift))"), (0, angle, 0), color=7)
        ball.sphere(r, material="steel")
        m.surface(ball, "steel", restitution="e", friction=0)
        # two strings in a V hold it in the plane as a pin at their upper ends does
        for y in (-1, 1):
            ball.cylinder("0.8 mm", "sqrt(L^2 + (90 mm)^2)", at=(0, f"{y * 45} mm", "L/2"), angles=("0 deg", "0 deg", f"{-y}*atan(90 mm/L)"), density=0, material="steel")
        m.pin(f"string {k + 1}", m.ground, ball, at=(x, 0, "L + 60 mm"))
    for k in range(1, 6):
        m.hide(f"string_{k}")
    for a in range(5):
        for b in range(a + 2, 5):
            m.pair(_body(m, f"ball_{a + 1}"), _body(m, f"ball_{b + 1}"), False)
    m.touch(impacts="sequential", slowest="1e-3 m/s")
    m.run(duration="6 s")
    contact_plots(m, "Angles", "joint/string_1/0", "joint/string_3/0", "joint/string_5/0")
    return m.project(), Camera((0.0, 0.0, 0.19), -74.0, 10.0, 1.25)


def _body(m: Builder, id: str) -> BodyHandle:
    return BodyHandle(m, id)


def dominoes() -> tuple[Project, Camera]:
    m = Builder("Dominoes", "A wave of falling tiles. Each tile falls on the next and slides down its face; after a few tiles the wave runs at a constant speed that depends on spacing, height and friction "
                "only, not on the push at the start.",
                ["How far does the speed of the wave depend on the first push? Try both ends of the slider.",
                 "At which spacing does the wave run fastest?",
                 "What would happen without any friction between tiles and floor?"])
    m.parameter("s", "40 mm", minimum="20 mm", maximum="80 mm", slider=True, note="spacing")
    m.parameter("w", "1.5 rad/s", "angular_velocity", minimum="0.5 rad/s", maximum="6 rad/s", slider=True, note="push of the first tile")
    m.floor(0, "wood", restitution=0)
    count = 16
    for k in range(count):
        tile = m.body(f"tile {k + 1}", (f"{k - (count - 1) / 2}*s", 0, "48 mm"), color=(BLUE, ORANGE, GREEN, PINK, OCHRE)[k % 5])
        tile.box("12 mm", "48 mm", "96 mm", density=WOOD)
        if k == 0:
            # about its lower front edge, so that nothing is pushed into the floor
            tile.velocity(("w*48 mm", 0, "-w*6 mm*(-1)"), (0, "w", 0))
        m.surface(tile, "plastic", restitution=0)
    m.touch(step="1 ms")
    m.run(duration="2.5 s")
    contact_plots(m, "Wave", *(f"body/tile_{k}/z" for k in (1, 5, 9, 13, 16)))
    return m.project(), Camera((0.05, 0.0, 0.03), -58.0, 20.0, 1.5)


def rolling_and_sliding_ball() -> tuple[Project, Camera]:
    m = Builder("Rolling and sliding balls", "A bowling ball leaves the hand sliding. Friction slows its way and turns it until both fit: from then on it rolls and nothing is lost any more. It ends with 5/7 of its "
                "speed whatever the friction, which only decides how soon. The ball beside it was given back-spin and comes back.",
                ["Show that the ball rolls after 2 v / (7 μ g), at 5/7 of its speed, from the angular momentum about a point of the floor.",
                 "How much spin must the second ball have to come back?",
                 "Give the floor a rolling resistance of 1 mm: where does the ball stop?"])
    m.parameter("mu", "0.2", "number", minimum="0", maximum="0.8", slider=True, note="friction")
    m.parameter("v", "3 m/s", "velocity", minimum="0.5 m/s", maximum="6 m/s", slider=True, note="speed at the start")
    m.parameter("back", "60 rad/s", "angular_velocity", minimum="0 rad/s", maximum="120 rad/s", slider=True, note="back-spin of the orange ball")
    m.floor(0, friction="mu", restitution=0)
    for name, y, spin, color in (("bowled", 0.25, "0 rad/s", BLUE), ("spun", -0.25, "-back", ORANGE)):
        ball = m.body(name, (-2.0, y, "108 mm"), color=color)
        ball.sphere("108 mm", density=1200)
        for a in range(3):                              # finger holes tell how it turns
            ball.cylinder("12 mm", "8 mm", at=(f"{18 * math.cos(2.1 * a):.3f} mm", f"{18 * math.sin(2.1 * a):.3f} mm", "101 mm"), density=0, material="steel")
        ball.velocity(("v" if color == BLUE else "v/2", 0, 0), (0, spin, 0))
        m.surface(ball, friction="mu", restitution=0)
    m.touch()
    m.run(duration="4 s")
    contact_plots(m, "Speeds", "body/bowled/vx", "body/spun/vx")
    return m.project(), Camera((0.0, 0.0, 0.1), -60.0, 20.0, 5.5)


ALL = (box_on_incline, bouncing_ball, stack_of_boxes, newtons_cradle, dominoes, rolling_and_sliding_ball)
