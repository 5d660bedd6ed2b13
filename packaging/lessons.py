"""Lessons of samples: steps with questions whose right answers tests hold against closed forms."""

import msgspec
from lessons_classic import CLASSIC

from mechstudio.model.project import (
    CHOOSE,
    EQUATION,
    NUMBER,
    PREDICT,
    Camera,
    Project,
    Question,
    Step,
)

ROCKER, CRANK, SLIDE = "joint/D/0", "joint/A/0", "joint/D/0"
FRONT = Camera((0.170, 0.0, 0.250), -90.0, 2.0, 1.5)
LENGTHS = {"L1": "130 mm", "L2": "330 mm", "L3": "260 mm", "L4": "340 mm", "omega": "6 rad/s"}

FOUR_BAR = (
    Step(
        "step1",
        "One link turns, one swings",
        "The crank stands at {joint/A/0}, the rocker at {joint/D/0}. Let it play a few turns.",
        "Let the class look first. Ask which link is the shortest before anybody answers.",
        parameters=LENGTHS,
        sliders=("L1", "omega"),
        plots=(ROCKER,),
        plays=True,
        questions=(
            Question(
                CHOOSE,
                "Which link turns all the way round?",
                ("The crank", "The coupler", "The rocker"),
                "1",
                because="it is the shortest, and 130 + 340 < 330 + 260 (Grashof).",
                hints=("Follow one end of each link over a whole turn.",),
            ),
        ),
    ),
    Step(
        "step2",
        "Where is the dead point?",
        "The crank turns all the way round, the rocker only swings. Twice per turn it stops and "
        "comes back.",
        "Stop the run where the rocker turns back: A, B and C lie on one line.",
        FRONT,
        parameters=LENGTHS,
        sliders=("L1", "L2"),
        plots=(ROCKER,),
        at=0.0,
        questions=(
            Question(
                CHOOSE,
                "Where does the rocker turn back?",
                ("Crank and coupler in one line", "Crank upright", "Crank and rocker parallel"),
                "1",
                because="in line, the pin C can go no further out.",
                hints=("Stop the run at a turning point and look at A, B and C.",),
            ),
            Question(
                NUMBER,
                "How far does it swing?",
                answer="63.33 deg",
                dimension="angle",
                tolerance=0.01,
                because="By the law of cosines at D: A and C are once 460 mm, once 200 mm apart.",
                hints=(
                    "In line, A and C are L2 + L1 or L2 - L1 apart.",
                    "Use the law of cosines in the triangle A C D, once for each.",
                ),
            ),
        ),
    ),
    Step(
        "step3",
        "Draw the rocker's angle",
        "The run stays covered until you let it go. Draw how the rocker's angle goes on.",
        "Let two students draw on the board as well, then compare.",
        FRONT,
        parameters=LENGTHS,
        plots=(ROCKER,),
        at=0.6,
        end=2.0,
        questions=(
            Question(
                PREDICT,
                "What will the green curve do next?",
                channel=ROCKER,
                tolerance=0.15,
                because="It swings between the same two ends, turn by turn.",
                hints=("It has met both of its ends already.",),
            ),
        ),
    ),
    Step(
        "step4",
        "How long may the crank be?",
        "L1 is {L1} now. Make it longer, and look whether it still turns all the way round.",
        "Grashof: shortest + longest <= sum of the others, and the shortest link is the crank.",
        FRONT,
        parameters=LENGTHS,
        sliders=("L1", "L4"),
        plots=(CRANK,),
        questions=(
            Question(
                NUMBER,
                "Up to which length does the crank turn fully?",
                answer="250 mm",
                dimension="length",
                tolerance=0.01,
                because="L1 + L4 <= L2 + L3 gives 330 + 260 - 340 mm.",
                hints=("Write Grashof's condition with L4 as the longest link.",),
            ),
        ),
    ),
)

BORE = {"L1": "100 mm", "L2": "300 mm", "omega": "8 rad/s"}
SLIDER_CRANK = (
    Step(
        "step1",
        "From dead centre to dead centre",
        "The slider stands at {joint/D/0}. At both dead centres crank and rod lie in one line.",
        "Play slowly; stop at both ends.",
        parameters=BORE,
        sliders=("L1", "L2"),
        plots=(SLIDE,),
        plays=True,
        questions=(
            Question(
                NUMBER,
                "How long is the stroke?",
                answer="200 mm",
                dimension="length",
                tolerance=0.005,
                because="(L2 + L1) - (L2 - L1) = 2 L1, whatever the rod.",
                hints=("How far is the slider from A at each dead centre?",),
            ),
            Question(
                NUMBER,
                "How steep does the rod get?",
                answer="19.47 deg",
                dimension="angle",
                tolerance=0.01,
                because="sin(tilt) = L1 / L2, when the crank stands upright.",
                hints=("When is the end of the crank highest?",),
            ),
        ),
    ),
    Step(
        "step2",
        "Where is the slider fastest?",
        "Think of a crank that turns evenly, and count its angle from where the slider is farthest "
        "out.",
        "With an endless rod it would be at 90 deg: then the motion is a sine.",
        parameters=BORE,
        sliders=("L1", "L2"),
        plots=(SLIDE,),
        questions=(
            Question(
                CHOOSE,
                "At which crank angle is it fastest?",
                ("Before 90 deg", "At 90 deg", "After 90 deg"),
                "1",
                because="rod and crank are then nearly at a right angle, at some 73 deg.",
                hints=("Where does the line of the rod pass A at the greatest distance?",),
            ),
        ),
    ),
    Step(
        "step3",
        "Draw the slider's way",
        "Draw how the slider goes on. Is it a sine?",
        parameters=BORE,
        plots=(SLIDE,),
        at=0.5,
        end=2.0,
        questions=(
            Question(
                PREDICT,
                "Where is the slider next?",
                channel=SLIDE,
                tolerance=0.15,
                because="It stays longer at the inner end than at the outer one.",
            ),
        ),
    ),
    Step(
        "step4",
        "Newton's law of the slider",
        "Only the rod moves the slider along its rail. The multiplier lambda_1 is that force.",
        "Cut the slider free (Shift+F) and read its forces.",
        parameters=BORE,
        equation="rows",
        terms=("slider",),
        questions=(
            Question(
                EQUATION,
                "Write the slider's equation of motion along the rail.",
                answer="m_slider x'' = lambda_1",
                because="The rail gives no force along itself.",
                hints=("Mass times acceleration, with x'' for the acceleration.",),
            ),
        ),
    ),
)

SWING = {"L1": "220 mm", "L2": "180 mm", "alpha": "20 deg"}
LOWER = (
    "(m_lower c_lower^2 + J_lower + m_lower L1 c_lower cos theta_B) theta_A''"
    " + (m_lower c_lower^2 + J_lower) theta_B''"
    " + m_lower L1 c_lower theta_A'^2 sin theta_B"
    " + m_lower g c_lower cos(theta_A + theta_B) = 0"
)
DOUBLE_PENDULUM = (
    Step(
        "step1",
        "Two links, two numbers",
        "Joint A stands at {joint/A/0}, joint B at {joint/B/0}.",
        parameters=SWING,
        sliders=("alpha", "L2"),
        plots=("plot_1",),
        plays=True,
        questions=(
            Question(
                NUMBER,
                "How many numbers tell where both links are?",
                answer="2",
                tolerance=0.001,
                because="one angle for each pin: mobility 2.",
                hints=("What is still free when joint A is held?",),
            ),
            Question(
                CHOOSE,
                "What stays the same all the time?",
                ("The kinetic energy", "The total energy", "The angular momentum about A"),
                "2",
                because="nothing rubs and nothing drives. Gravity turns the rest about A.",
                hints=("Gravity has a moment about A.",),
            ),
        ),
    ),
    Step(
        "step2",
        "Draw the kinetic energy",
        "It was let go from rest. Kinetic energy now: {energy/kinetic}.",
        parameters=SWING,
        plots=("energy/kinetic",),
        at=0.3,
        end=1.5,
        questions=(
            Question(
                PREDICT,
                "How does the kinetic energy go on?",
                channel="energy/kinetic",
                tolerance=0.2,
                because="It is never negative, and zero only where both links rest.",
            ),
        ),
    ),
    Step(
        "step3",
        "The equation of the lower link",
        "Lagrange's equation for theta_B has four terms.",
        "Go through it term by term: upper motion, own inertia, centrifugal, weight.",
        parameters=SWING,
        equation="rows",
        terms=("lower",),
        questions=(
            Question(
                EQUATION,
                "Write the equation of motion for theta_B.",
                answer=LOWER,
                because="Its centrifugal term has theta_A'^2 alone.",
                hints=(
                    "Start with (m_lower c_lower^2 + J_lower) theta_B''.",
                    "The upper pin carries it along: a term with theta_A'' and cos theta_B.",
                ),
            ),
        ),
    ),
)

POLE = {
    "m_c": "2 kg",
    "m_p": "0.6 kg",
    "L": "300 mm",
    "F": "4 N",
    "k_x": "60 N/m",
    "k_theta": "0.4 N*m/rad",
}
CART_POLE = (
    Step(
        "step1",
        "Lagrange: from energies",
        "Kinetic energy now {energy/kinetic}, potential {energy/potential}. Two coordinates, x and "
        "theta, and no force of rail or pin.",
        "Derive the first equation on the board, then let the class derive the second.",
        parameters=POLE,
        equation="lagrange/result",
        terms=("pole",),
        questions=(
            Question(
                EQUATION,
                "Write the equation of motion for theta.",
                answer="m_p L x'' cos theta + (I_p + m_p L^2) theta'' + m_p g L sin theta"
                " + k_theta (theta - theta_0) = 0",
                because="Weight and spring both pull towards hanging.",
                hints=(
                    "Its inertia is that about the pin.",
                    "The cart's acceleration carries the pin along: a term with x'' cos theta.",
                ),
            ),
        ),
    ),
    Step(
        "step2",
        "Newton and Euler: from cuts",
        "Each body is cut free: two equations of forces and one of moments for each in the plane.",
        "Cut the pole free (Shift+F) beside it.",
        parameters=POLE,
        equation="newton-euler/balances",
        questions=(
            Question(
                CHOOSE,
                "Which unknowns appear that Lagrange's equations do not have?",
                (
                    "The forces in the pin and of the rail",
                    "The forces of the springs",
                    "The accelerations of the centres of mass",
                ),
                "1",
                because="they do no work, so no energy knows of them.",
                hints=("Which forces act where the bodies were cut?",),
            ),
        ),
    ),
    Step(
        "step3",
        "Projected: the cuts without their forces",
        "The balances times the directions in which the joints let the bodies move: what the "
        "joints hold drops out.",
        parameters=POLE,
        equation="projected/result",
        questions=(
            Question(
                CHOOSE,
                "Why do the forces of the joints drop out?",
                (
                    "They are small",
                    "They do no work in any motion that the joints allow",
                    "Actio and reactio cancel in each body",
                ),
                "2",
                because="that is the principle of virtual power.",
                hints=("Multiply a force by a velocity that is square to it.",),
            ),
        ),
    ),
    Step(
        "step4",
        "Which sign has gravity?",
        "Some notes print the second equation with a minus before the weight. Theta is counted "
        "from hanging.",
        "The mark beside the equations tells which term is wrong.",
        parameters=POLE,
        equation="rows",
        sliders=("k_theta",),
        questions=(
            Question(
                NUMBER,
                "Hold the cart fast. What is the period of small swings of the pole?",
                answer="1.0193 s",
                dimension="time",
                tolerance=0.005,
                because="T = 2 pi sqrt((I_p + m_p L^2) / (m_p g L + k_theta)).",
                hints=(
                    "Set x'' to zero and sin theta to theta.",
                    "With the wrong sign the root would be of a negative number.",
                ),
            ),
        ),
    ),
)
STEPS = {
    "four_bar": FOUR_BAR,
    "slider_crank": SLIDER_CRANK,
    "double_pendulum": DOUBLE_PENDULUM,
    "cart_pole": CART_POLE,
    **CLASSIC,
}


def with_steps(name: str, project: Project) -> Project:
    """A sample with its lesson, where it has one by steps."""
    return msgspec.structs.replace(project, steps=STEPS.get(name, ()))
