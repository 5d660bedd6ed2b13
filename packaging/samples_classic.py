"""Samples of the first lessons: pendulums, four-bar, slider-crank, cart and pole, top, door."""

import math

from sample_parts import (
    ALONG_X,
    ALUMINIUM,
    BLUE,
    CAST_IRON,
    FLAT,
    GREEN,
    OCHRE,
    ORANGE,
    base_plate,
    bracket,
    plots,
    sample,
)

from mechstudio.builder import Builder
from mechstudio.model.project import Camera, Project


@sample("linkages", 1)
def four_bar() -> tuple[Project, Camera]:
    crank, coupler, rocker, base, start = 0.130, 0.330, 0.260, 0.340, math.radians(120)
    m = Builder(
        "Four-bar",
        "A crank-rocker: the short crank turns all the way round, the rocker swings. The "
        "start pushes the crank at the speed omega "
        "and nothing drives it afterwards, so kinetic and potential energy trade places "
        "while their sum stays. Four pins with parallel axes "
        "make a loop that is hyperstatic of degree 3, and it runs all the same.",
        [
            "Where in the turn does the crank run fastest, and where is the potential energy then?",
            (
                "Which of the four lengths can you change until the crank no longer turns fully "
                "(Grashof)?"
            ),
            "Which three joint freedoms could you add without changing the motion?",
        ],
    )
    m.parameter("L1", "130 mm", minimum="60 mm", maximum="280 mm", slider=True, note="crank")
    m.parameter("L2", "330 mm", minimum="250 mm", maximum="420 mm", slider=True, note="coupler")
    m.parameter("L3", "260 mm", minimum="220 mm", maximum="330 mm", slider=True, note="rocker")
    m.parameter(
        "L4",
        "340 mm",
        minimum="280 mm",
        maximum="400 mm",
        slider=True,
        note="distance of the ground pins",
    )
    m.parameter(
        "omega",
        "6 rad/s",
        "angular_velocity",
        minimum="-20 rad/s",
        maximum="20 rad/s",
        slider=True,
        note="crank speed at the start",
    )
    # closed form of the drawn pose: B at the crank's end, C on both circles
    bx, bz = crank * math.cos(start), crank * math.sin(start)
    reach, heading = math.hypot(base - bx, bz), math.atan2(-bz, base - bx)
    tilt = heading + math.acos((coupler**2 + reach**2 - rocker**2) / (2 * coupler * reach))
    lean = math.atan2(bz + coupler * math.sin(tilt), bx + coupler * math.cos(tilt) - base)

    base_plate(m.ground, "-64 mm", "L4 + 64 mm", "18 mm", "66 mm")
    bracket(m.ground, 0, "190 mm")
    bracket(m.ground, "L4", "190 mm")
    one = m.link(
        "crank",
        (0, 0, "190 mm"),
        length="L1",
        angle="120 deg",
        width="44 mm",
        thickness="20 mm",
        layer="12 mm",
        color=ORANGE,
    )
    two = m.body("coupler", one.end, (0, -tilt, 0), color=BLUE)
    two.plate(
        [(0, 0), ("L2", 0), ("0.46*L2", "150 mm")],
        "20 mm",
        "18 mm",
        at=(0, "-12 mm", 0),
        density=ALUMINIUM,
    )
    two.pin("13 mm", "52 mm").pin("13 mm", "52 mm", at=("L2", 0, 0)).pin(
        "13 mm", "24 mm", at=("0.46*L2", "-12 mm", "150 mm")
    )
    two.point("C", ("L2", 0, 0)).point("P", ("0.46*L2", "-24 mm", "150 mm"))
    three = m.link(
        "rocker",
        ("L4", 0, "190 mm"),
        length="L3",
        angle=lean,
        width="44 mm",
        thickness="20 mm",
        layer="12 mm",
        color=GREEN,
    )
    m.pin("A", m.ground, one, at=(0, 0, "190 mm"), rate="omega")
    m.pin("B", one, two, at=one.end)
    m.pin("C", two, three, at=(two.world("C"), three.end))
    m.pin("D", m.ground, three, at=("L4", 0, "190 mm"))
    m.run(duration="6 s")
    plots(m, "Crank angle", "joint/A/0")
    return m.project(), Camera((0.170, 0.0, 0.250), -62.0, 14.0, 1.6)


@sample("linkages", 1)
def slider_crank() -> tuple[Project, Camera]:
    crank, rod, start, height = 0.100, 0.300, math.radians(60), "150 mm"
    m = Builder(
        "Slider-crank",
        "The heart of every piston engine: a turning crank moves a slider to and fro through "
        "a connecting rod. The crank starts at "
        "the speed omega and coasts. With L1 : L2 = 1 : 3 the slider's motion is clearly no sine.",
        [
            "At which crank angle is the slider fastest: before, at or after 90 degrees?",
            "What happens to the slider's motion when the rod is made very long?",
            "The count gives mobility -2, yet it moves: which three directions are held twice?",
        ],
    )
    m.parameter("L1", "100 mm", minimum="40 mm", maximum="120 mm", slider=True, note="crank")
    m.parameter(
        "L2", "300 mm", minimum="220 mm", maximum="340 mm", slider=True, note="connecting rod"
    )
    m.parameter(
        "omega",
        "8 rad/s",
        "angular_velocity",
        minimum="-20 rad/s",
        maximum="20 rad/s",
        slider=True,
        note="crank speed at the start",
    )
    tilt = -math.asin(crank * math.sin(start) / rod)
    across = crank * math.cos(start) + rod * math.cos(tilt)

    base_plate(m.ground, "-70 mm", "480 mm", "18 mm", "66 mm")
    bracket(m.ground, 0, height)
    m.ground.box(
        "350 mm",
        "30 mm",
        "20 mm",
        at=("315 mm", "24 mm", "115 mm"),
        density=CAST_IRON,
        material="steel",
    )
    for x in ("170 mm", "460 mm"):
        m.ground.box(
            "36 mm", "24 mm", "92 mm", at=(x, "24 mm", "59 mm"), density=CAST_IRON, material="cast"
        )
    one = m.link(
        "crank",
        (0, 0, height),
        length="L1",
        angle="60 deg",
        width="40 mm",
        thickness="18 mm",
        layer="13 mm",
        color=ORANGE,
    )
    one.pin("11 mm", "44 mm", at=("L1", 0, 0))
    two = m.link(
        "rod",
        one.end,
        length="L2",
        angle=tilt,
        width="36 mm",
        thickness="14 mm",
        layer="-12 mm",
        density=ALUMINIUM,
        color=BLUE,
    )
    three = m.body("slider", (across, 0, height), color=GREEN)
    three.box("90 mm", "44 mm", "50 mm", at=(0, "24 mm", 0))
    for y in ("5.5 mm", "42.5 mm"):
        three.box("90 mm", "7 mm", "20 mm", at=(0, y, "-35 mm"))
    three.pin("11 mm", "34 mm", at=(0, "-7 mm", 0))
    m.pin("A", m.ground, one, at=(0, 0, height), rate="omega")
    m.pin("B", one, two, at=one.end)
    m.pin("C", two, three, at=(two.end, three.start))
    m.slider("D", m.ground, three, at=((0, 0, height), three.start), axis=(1, 0, 0))
    m.run(duration="6 s")
    plots(m, "Slider", "joint/D/0")
    return m.project(), Camera((0.200, 0.0, 0.130), -58.0, 16.0, 1.35)


@sample("dynamics", 1)
def double_pendulum() -> tuple[Project, Camera]:
    height = "620 mm"
    m = Builder(
        "Double pendulum",
        "Two links on two pins, let go from rest: an open chain of mobility 2 whose motion "
        "is chaotic. Two runs that start a "
        "thousandth of a degree apart stay together for a few seconds and then part for "
        "ever, although each conserves its energy.",
        [
            "Turn the start angle by 0.001 deg: after how many seconds do you see a difference?",
            "Can the lower link turn over completely, and can you tell from the energy alone?",
            "Which small start angles make both links swing in step, and which against each other?",
        ],
    )
    m.parameter("L1", "220 mm", minimum="100 mm", maximum="280 mm", slider=True, note="upper link")
    m.parameter("L2", "180 mm", minimum="80 mm", maximum="220 mm", slider=True, note="lower link")
    m.parameter(
        "alpha",
        "20 deg",
        "angle",
        minimum="-90 deg",
        maximum="90 deg",
        slider=True,
        note="upper link above the horizontal",
    )
    base_plate(m.ground, "-150 mm", "150 mm", "60 mm", "120 mm")
    bracket(m.ground, 0, height, "110 mm")
    upper = m.link(
        "upper",
        (0, 0, height),
        length="L1",
        angle="alpha",
        width="40 mm",
        thickness="18 mm",
        layer="12 mm",
        color=ORANGE,
    )
    upper.pin("11 mm", "42 mm", at=("L1", "1 mm", 0))
    lower = m.link(
        "lower",
        upper.end,
        length="L2",
        angle="70 deg",
        width="34 mm",
        thickness="14 mm",
        layer="-10 mm",
        color=BLUE,
    )
    lower.disc("28 mm", "22 mm", at=("L2", "-10 mm", 0), angles=FLAT, material="steel")
    m.pin("A", m.ground, upper, at=(0, 0, height))
    m.pin("B", upper, lower, at=upper.end)
    m.run(duration="10 s")
    plots(m, "Both angles", "joint/A/0", "joint/B/0")
    return m.project(), Camera((0.03, 0.0, 0.500), -62.0, 12.0, 2.5)


@sample("dynamics", 2)
def cart_pole() -> tuple[Project, Camera]:
    height, start = "500 mm", math.radians(50)
    m = Builder(
        "Cart and pole",
        "A cart on a rail carries a pole on a pin. A motor pushes the cart with the force F, "
        "a spring of stiffness k_x ties it "
        "to the wall and a torsion spring k_theta pulls the pole towards hanging, theta = 0. "
        "It is the textbook's example for M q'' + b + g = tau. "
        "Some notes print its second equation with a wrong sign of gravity: the mark beside "
        "the equations shows it.",
        [
            "Around which position does the cart swing, and how do F and k_x set it?",
            (
                "With k_x, k_theta and F at zero: which point of cart and pole together moves "
                "not at all sideways?"
            ),
            "With k_x at zero: does a heavier cart make the pole swing faster or slower?",
        ],
        # as some notes have them: the second with a minus before the weight, which is wrong for an
        # angle from the hanging position
        claims=[
            (
                "(m_c + m_p) x'' + m_p L theta'' cos theta - m_p L theta'^2 sin theta + k_x (x - "
                "x_0) = F"
            ),
            (
                "m_p L x'' cos theta + (I_p + m_p L^2) theta'' - m_p g L sin theta + k_theta "
                "(theta - theta_0) = 0"
            ),
        ],
    )
    m.parameter("m_c", "2 kg", "mass", minimum="0.5 kg", maximum="5 kg", slider=True, note="cart")
    m.parameter("m_p", "0.6 kg", "mass", minimum="0.1 kg", maximum="2 kg", slider=True, note="pole")
    m.parameter(
        "L",
        "300 mm",
        minimum="150 mm",
        maximum="400 mm",
        slider=True,
        note="from the pin to the pole's centre of mass",
    )
    m.parameter(
        "I_p",
        "3000 kg*mm^2",
        "inertia",
        minimum="0 kg*mm^2",
        maximum="20000 kg*mm^2",
        note="pole, about its centre of mass",
    )
    m.parameter("F", "4 N", "force", minimum="-10 N", maximum="10 N", slider=True, note="motor")
    m.parameter(
        "k_x",
        "60 N/m",
        "stiffness",
        minimum="0 N/m",
        maximum="200 N/m",
        slider=True,
        note="wall spring",
    )
    m.parameter(
        "x_0", "0 mm", minimum="-60 mm", maximum="60 mm", note="where the wall spring is relaxed"
    )
    m.parameter(
        "k_theta",
        "0.4 N*m/rad",
        "torsional_stiffness",
        minimum="0 N*m/rad",
        maximum="5 N*m/rad",
        slider=True,
        note="pin spring",
    )
    m.parameter(
        "theta_0",
        "0 deg",
        "angle",
        minimum="-90 deg",
        maximum="90 deg",
        note="where the pin spring is relaxed",
    )

    ground = m.ground.box(
        "1.1 m",
        "80 mm",
        "30 mm",
        at=("40 mm", "40 mm", "435 mm"),
        density=CAST_IRON,
        material="steel",
    )
    for x in ("-440 mm", "520 mm"):
        ground.box(
            "50 mm",
            "50 mm",
            "406 mm",
            at=(x, "40 mm", "217 mm"),
            density=CAST_IRON,
            material="cast",
        )
        base_plate(ground, f"{x} - 50 mm", f"{x} + 50 mm", "40 mm", "120 mm")
    ground.box(
        "24 mm",
        "130 mm",
        "170 mm",
        at=("-488 mm", "40 mm", "535 mm"),
        density=CAST_IRON,
        material="cast",
    )
    cart = m.body("cart", (0, 0, height), mass="m_c", color=BLUE)
    cart.box("260 mm", "72 mm", "76 mm", at=(0, "40 mm", "14 mm"), density=ALUMINIUM)
    for x in ("-90 mm", "90 mm"):
        for y in ("11 mm", "69 mm"):
            cart.disc(
                "26 mm",
                "12 mm",
                at=(x, y, "-24 mm"),
                angles=FLAT,
                density=ALUMINIUM,
                material="steel",
            )
    cart.pin("11 mm", "36 mm", at=(0, "-13 mm", 0))
    pole = m.body(
        "pole",
        (0, 0, height),
        (0, math.pi / 2 - start, 0),
        mass="m_p",
        center_of_mass=("L", "-20 mm", 0),
        inertia=("I_p", "I_p", "I_p"),
        color=ORANGE,
    )
    pole.bar("L", "30 mm", "14 mm", at=(0, "-20 mm", 0), density=ALUMINIUM)
    pole.disc("32 mm", "22 mm", at=("L", "-20 mm", 0), angles=FLAT, material="steel")
    rail = m.slider("rail", m.ground, cart, at=(0, 0, height), axis=(1, 0, 0))
    pin = m.pin(
        "pin", cart, pole, at=(0, 0, height), x=((0, 0, -1), (math.sin(start), 0, -math.cos(start)))
    )
    m.force(
        "spring",
        "wall spring",
        a=m.ground,
        b=cart,
        at=(("-476 mm", "40 mm", height), ("-130 mm", "40 mm", height)),
        stiffness="k_x",
        free_length="346 mm + x_0",
    )
    m.force("torsion_spring", "pin spring", joint=pin, stiffness="k_theta", free_angle="theta_0")
    m.force("motor_force", "motor", joint=rail, force="F")
    m.run(duration="8 s")
    plots(m, "Cart and pole", "joint/rail/0", "joint/pin/0")
    return m.project(), Camera((0.020, 0.0, 0.310), -68.0, 12.0, 2.2)


@sample("dynamics", 2)
def spherical_pendulum() -> tuple[Project, Camera]:
    height = "600 mm"
    m = Builder(
        "Spherical pendulum",
        "A rod with a bob on a ball joint, started sideways: the bob draws a rosette between "
        "two heights. Gravity has no moment "
        "about the vertical, so the angular momentum about it stays; the spin about the rod "
        "is a third freedom that nothing drives.",
        [
            (
                "Between which two heights does the bob move, and can it ever pass through the "
                "lowest point?"
            ),
            "At which start rate does the bob run in a circle?",
            "What does the rosette do when the start rate is made very small?",
        ],
    )
    m.parameter(
        "L",
        "400 mm",
        minimum="200 mm",
        maximum="480 mm",
        slider=True,
        note="from the joint to the bob's centre",
    )
    m.parameter(
        "alpha",
        "40 deg",
        "angle",
        minimum="5 deg",
        maximum="80 deg",
        slider=True,
        note="start angle from the vertical",
    )
    m.parameter(
        "omega",
        "3 rad/s",
        "angular_velocity",
        minimum="0 rad/s",
        maximum="8 rad/s",
        slider=True,
        note="start rate about the vertical",
    )
    ground = m.ground.box(
        "980 mm", "50 mm", "36 mm", at=(0, 0, "650 mm"), density=CAST_IRON, material="cast"
    )
    for x in ("-465 mm", "465 mm"):
        ground.box(
            "40 mm", "44 mm", "620 mm", at=(x, 0, "322 mm"), density=CAST_IRON, material="cast"
        )
        ground.box(
            "110 mm", "200 mm", "14 mm", at=(x, 0, "7 mm"), density=CAST_IRON, material="cast"
        )
    ground.cylinder("20 mm", "40 mm", at=(0, 0, "614 mm"), density=CAST_IRON, material="cast")
    # the rod lies along the body's x, so that the joint's angles are azimuth, elevation and spin
    bob = m.body("pendulum", (0, 0, height), (0, "90 deg - alpha", 0), color=BLUE)
    bob.cylinder("6 mm", "L", at=("L/2", 0, 0), angles=ALONG_X).sphere(
        "36 mm", at=("L", 0, 0)
    ).sphere("13 mm", material="steel").point("bob", ("L", 0, 0))
    m.ball("O", m.ground, bob, at=(0, 0, height), rate=("omega", 0, 0))
    m.run(duration="10 s")
    plots(m, "Elevation", "joint/O/1")
    return m.project(), Camera((0.0, 0.0, 0.330), -58.0, 20.0, 2.2)


@sample("dynamics", 3)
def heavy_top() -> tuple[Project, Camera]:
    m = Builder(
        "Heavy top",
        "A spinning top on a fixed point, let go at a tilt. It does not fall: its axis dips, "
        "swings sideways and rises again to where it "
        "was let go, at rest for an instant. The faster it spins, the smaller and quicker "
        "these nutations and the slower the precession.",
        [
            "Double the spin: what happens to the precession, and what to the nutation?",
            "Which components of the angular momentum about O stay constant, and why?",
            "Below which spin does the top fall to the floor?",
        ],
    )
    m.parameter(
        "spin",
        "45 rad/s",
        "angular_velocity",
        minimum="0 rad/s",
        maximum="120 rad/s",
        slider=True,
        note="about the top's own axis at the start",
    )
    m.parameter(
        "alpha",
        "25 deg",
        "angle",
        minimum="2 deg",
        maximum="60 deg",
        slider=True,
        note="tilt at the start",
    )
    ground = m.ground.cylinder(
        "100 mm", "14 mm", at=(0, 0, "7 mm"), density=CAST_IRON, material="cast"
    )
    ground.cylinder("30 mm", "20 mm", at=(0, 0, "24 mm"), density=CAST_IRON, material="cast")
    ground.cylinder("11 mm", "166 mm", at=(0, 0, "107 mm"), density=CAST_IRON, material="cast")
    # the top's axis is the body's x, so that the joint's angles are precession, nutation and spin
    top = m.body("top", (0, 0, "200 mm"), (0, "alpha - 90 deg", 0), color=OCHRE)
    top.sphere("10 mm", material="steel").cylinder(
        "8 mm", "230 mm", at=("115 mm", 0, 0), angles=ALONG_X, material="steel"
    )
    for radius, x in (
        ("34 mm", "60 mm"),
        ("68 mm", "74 mm"),
        ("102 mm", "88 mm"),
        ("136 mm", "102 mm"),
        ("150 mm", "116 mm"),
        ("60 mm", "130 mm"),
    ):
        top.disc(radius, "14 mm", at=(x, 0, 0), angles=ALONG_X, density=ALUMINIUM)
    for k in range(6):
        y, z = 0.105 * math.cos(k * math.pi / 3), 0.105 * math.sin(k * math.pi / 3)
        top.disc(
            "13 mm",
            "6 mm",
            at=("126 mm", y, z),
            angles=ALONG_X,
            density=ALUMINIUM,
            material="steel",
        )
    top.point("tip", ("230 mm", 0, 0)).velocity(angular=("spin", 0, 0))
    m.ball("O", m.ground, top, at=(0, 0, "200 mm"))
    m.run(duration="8 s")
    plots(m, "Nutation", "joint/O/1")
    return m.project(), Camera((0.0, 0.0, 0.230), -52.0, 16.0, 1.35)


@sample("linkages", 1)
def door_two_hinges() -> tuple[Project, Camera]:
    m = Builder(
        "Door on two hinges",
        "One hinge would do: the second one holds the same five directions once more. The "
        "door moves all the same because both "
        "axes are one line. A push at the start opens it; the closer, a torsion spring, "
        "swings it back through the frame.",
        [
            "Which five directions does the second hinge hold again?",
            "What would happen to a real door if the hinges' axes were two millimetres apart?",
            (
                "Which joint in place of the upper hinge would bear no weight, and what is the "
                "hyperstaticity then?"
            ),
        ],
    )
    m.parameter(
        "omega",
        "1.8 rad/s",
        "angular_velocity",
        minimum="0 rad/s",
        maximum="2.2 rad/s",
        slider=True,
        note="push",
    )
    m.parameter(
        "k",
        "20 N*m/rad",
        "torsional_stiffness",
        minimum="15 N*m/rad",
        maximum="80 N*m/rad",
        slider=True,
        note="closer",
    )
    m.parameter(
        "W", "800 mm", minimum="600 mm", maximum="1000 mm", slider=True, note="width of the door"
    )
    wood = 650.0
    ground = m.ground
    for x in ("-62 mm", "W + 62 mm"):
        ground.box(
            "80 mm", "140 mm", "2120 mm", at=(x, 0, "1060 mm"), density=wood, material="cast"
        )
    ground.box(
        "W + 204 mm", "140 mm", "80 mm", at=("W/2", 0, "2160 mm"), density=wood, material="cast"
    )
    ground.box(
        "W + 204 mm", "140 mm", "14 mm", at=("W/2", 0, "7 mm"), density=wood, material="cast"
    )
    door = m.body("door", color=ORANGE)
    door.box("W - 8 mm", "40 mm", "2060 mm", at=("W/2", 0, "1056 mm"), density=wood)
    for z, tall in ((565, 780), (1515, 840)):
        door.box("W - 260 mm", "56 mm", f"{tall} mm", at=("W/2", 0, f"{z} mm"), density=0)
    for y in ("-54 mm", "54 mm"):
        door.sphere("24 mm", at=("W - 75 mm", y, "1050 mm"), material="steel")
    door.pin("9 mm", "90 mm", at=("W - 75 mm", 0, "1050 mm"))
    hinges = []
    for name, z in (("lower hinge", 300), ("upper hinge", 1800)):
        door.cylinder("14 mm", "60 mm", at=(0, 0, f"{z + 35} mm"), material="steel")
        ground.cylinder("14 mm", "60 mm", at=(0, 0, f"{z - 35} mm"), material="steel")
        ground.box("26 mm", "24 mm", "50 mm", at=("-15 mm", 0, f"{z - 35} mm"), material="steel")
        hinges.append(
            m.pin(
                name,
                ground,
                door,
                at=(0, 0, f"{z} mm"),
                axis=(0, 0, 1),
                rate=() if hinges else "omega",
            )
        )
    m.force("torsion_spring", "closer", joint=hinges[0], stiffness="k", free_angle=0)
    m.run(duration="8 s")
    plots(m, "Door angle", "joint/lower_hinge/0")
    return m.project(), Camera((0.400, 0.0, 1.080), -50.0, 14.0, 5.8)
