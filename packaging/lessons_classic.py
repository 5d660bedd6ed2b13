"""Short lessons of classic samples: two steps each, their answers held against closed forms."""

from mechstudio.model.project import CHOOSE, NUMBER, PREDICT, Question, Step


def choose(text: str, *choices: str, right: int, because: str, hint: str = "") -> Question:
    """A question of which one choice is right, counted from 1."""
    hints = (hint,) if hint else ()
    return Question(CHOOSE, text, choices, str(right), because=because, hints=hints)


def number(
    text: str, answer: str, dimension: str, because: str, hint: str = "", tolerance: float = 0.01
) -> Question:
    """A question for a number with its unit; tolerance: part of it that may be off."""
    hints = (hint,) if hint else ()
    return Question(
        NUMBER,
        text,
        answer=answer,
        dimension=dimension,
        tolerance=tolerance,
        because=because,
        hints=hints,
    )


def draw(text: str, channel: str, because: str, tolerance: float = 0.15) -> Question:
    """A curve to be drawn."""
    return Question(PREDICT, text, channel=channel, tolerance=tolerance, because=because)


ATWOOD = (
    Step(
        "step1",
        "Two weights, one acceleration",
        "The left weight hangs at {joint/cord_left_weight/0}, the right one at "
        "{joint/cord_right_weight/0}.",
        plots=("plot_1",),
        plays=True,
        questions=(
            choose(
                "On which side does the cord pull harder?",
                "On the side that sinks",
                "On the side that rises",
                "Both sides alike",
                right=1,
                because="the difference of both pulls turns the pulley.",
                hint="Something must turn the pulley.",
            ),
        ),
    ),
    Step(
        "step2",
        "How fast is it?",
        "Write Newton's law of both weights and Euler's of the pulley, whose I / r^2 is 0.377 kg.",
        plots=("plot_1",),
        at=0.0,
        questions=(
            number(
                "How large is the acceleration?",
                "0.4287 m/s^2",
                "acceleration",
                "a = (m_1 - m_2) g / (m_1 + m_2 + I / r^2).",
                "The pulls drop out when all three equations are added.",
            ),
        ),
    ),
)
INCLINE = (
    Step(
        "step1",
        "Stick or slide?",
        "The box was pushed down a slope of {slope} with {push}; mu is {mu}.",
        sliders=("mu", "slope"),
        plots=("plot_1",),
        plays=True,
        questions=(
            number(
                "Below which mu does it never come to rest?",
                "0.364",
                "number",
                "mu = tan(20 deg): friction and the pull along the slope are equal then.",
                "Compare m g sin with mu m g cos.",
            ),
        ),
    ),
    Step(
        "step2",
        "Until it stands",
        "Friction is larger than the pull down the slope, so that the speed falls evenly.",
        plots=("plot_1",),
        at=0.0,
        questions=(
            number(
                "After which time does it stand?",
                "0.797 s",
                "time",
                "t = v / (g (mu cos - sin)).",
                "The deceleration is mu g cos - g sin.",
                0.02,
            ),
            choose(
                "How large is the friction once it stands?",
                "mu m g cos",
                "m g sin",
                "Zero",
                right=2,
                because="it only balances the pull; mu says how large it could become.",
            ),
        ),
    ),
)
FOUCAULT = (
    Step(
        "step1",
        "Which plane turns?",
        "The table turns with {Omega}. Look from above and let the camera ride on the table.",
        sliders=("Omega",),
        plots=("plot_1",),
        plays=True,
        questions=(
            choose(
                "What turns the plane of swing in space?",
                "The pivot",
                "The table's motor",
                "Nothing",
                right=3,
                because="no force has a moment about the vertical.",
                hint="Which forces act on the bob, and where do they point?",
            ),
        ),
    ),
    Step(
        "step2",
        "Once round",
        "Seen on the table the plane goes round backwards.",
        plots=("plot_1",),
        questions=(
            number(
                "How long does it need for a whole turn on the table?",
                "20.94 s",
                "time",
                "T = 2 pi / Omega, as at the pole.",
            ),
            number(
                "How long would it need at a latitude of 30 deg, with the same Omega?",
                "41.89 s",
                "time",
                "only Omega sin(30 deg) counts, the part about the vertical.",
                "Which part of the rotation is about the local vertical?",
            ),
        ),
    ),
)
GYROSCOPE = (
    Step(
        "step1",
        "Why does it not fall?",
        "The arm stands at {joint/nod/0}, and has gone round by {joint/upright/0}.",
        sliders=("n",),
        plots=("plot_1",),
        plays=True,
        questions=(
            choose(
                "What does the moment of gravity change?",
                "The height of the rotor",
                "The direction of the angular momentum",
                "The speed of the rotor",
                right=2,
                because="the moment is horizontal and square to the spin, so that it turns it.",
                hint="dL/dt = M: in which direction does M point?",
            ),
        ),
    ),
    Step(
        "step2",
        "Twice as fast",
        "At n = 250 rad/s it goes round with 2.1528 rad/s.",
        plots=("plot_1",),
        at=0.0,
        questions=(
            number(
                "With which rate does it go round, level, at n = 500 rad/s?",
                "1.0764 rad/s",
                "angular_velocity",
                "Omega = M / (I n): twice the spin, half the rate.",
            ),
        ),
    ),
)
CRADLE = (
    Step(
        "step1",
        "One ball goes",
        "The first ball stands at {joint/string_1/0}, the last one at {joint/string_5/0}.",
        sliders=("lift",),
        plots=("plot_1",),
        plays=True,
        questions=(
            choose(
                "Two balls are let go together. How many fly off?",
                "One, twice as fast",
                "Two",
                "All but two",
                right=2,
                because="one at twice the speed would keep momentum, and double the energy.",
                hint="Write momentum and energy for both.",
            ),
        ),
    ),
    Step(
        "step2",
        "The speed at the blow",
        "It was lifted by {lift} on strings of {L}.",
        plots=("plot_1",),
        at=0.0,
        questions=(
            number(
                "How fast is the first ball when it strikes?",
                "1.032 m/s",
                "velocity",
                "v^2 = 2 g L (1 - cos(lift)).",
                "How much lower is it then?",
                0.02,
            ),
        ),
    ),
)
ABSORBER = (
    Step(
        "step1",
        "The large mass stands",
        "The machine is at {joint/rail/0}, the absorber at {joint/rail_of_absorber/0}.",
        sliders=("Omega",),
        plots=("plot_1",),
        plays=True,
        questions=(
            number(
                "How far does the absorber swing to each side?",
                "27.5 mm",
                "length",
                "F / k: its spring must cancel the force.",
                "The machine stands, so all forces on it cancel.",
            ),
        ),
    ),
    Step(
        "step2",
        "Two resonances",
        "The absorber has a fifth of the machine's mass, and each alone would swing at 10 rad/s.",
        plots=("plot_1",),
        questions=(
            number(
                "At which lower frequency does the pair resonate?",
                "8.011 rad/s",
                "angular_velocity",
                "(Omega / 10)^2 = 1 + mu/2 - sqrt(mu + mu^2/4) with mu = 0.2 (den Hartog).",
                "Set the determinant of both equations to zero.",
            ),
            choose(
                "What does a lighter absorber do to the two resonances?",
                "It brings them closer together",
                "It moves them apart",
                "No change",
                right=1,
                because="their distance is 10 rad/s times sqrt(mu).",
            ),
        ),
    ),
)
PLANETARY = (
    Step(
        "step1",
        "Sun, planets, carrier",
        "The carrier has turned by {joint/carrier_2/0}, the sun by {joint/sun_2/0}. "
        "The ring of 48 teeth stands, the sun has 18.",
        sliders=("omega",),
        plots=("plot_1",),
        plays=True,
        questions=(
            number(
                "How fast does the sun turn?",
                "4.4 rad/s",
                "angular_velocity",
                "Willis: omega_sun = (1 + 48/18) omega_carrier.",
                "Sit on the carrier: there the ring turns backwards with omega.",
            ),
        ),
    ),
    Step(
        "step2",
        "The planets",
        "A planet has 15 teeth.",
        plots=("plot_1",),
        questions=(
            choose(
                "In which sense do the planets turn, seen from the ground?",
                "As the carrier",
                "Against the carrier",
                "Not at all",
                right=2,
                because="1 - 48/15 is negative: they roll in the ring.",
                hint="Where does a planet touch the ring, and how fast is it there?",
            ),
        ),
    ),
)
DRAG_LINK = (
    Step(
        "step1",
        "Two cranks",
        "The crank has turned by {joint/A/0}, the follower by {joint/D/0}. Frame 80 mm, crank 180, "
        "coupler 200, follower 240.",
        plots=("plot_1",),
        plays=True,
        questions=(
            choose(
                "Why do both turn all the way round?",
                "The crank is the shortest link",
                "The frame is the shortest link, and Grashof's condition holds",
                "The coupler is longer than the crank",
                right=2,
                because="the links next to the shortest one turn round against it.",
                hint="Which link is the shortest?",
            ),
        ),
    ),
    Step(
        "step2",
        "Make the frame longer",
        "The frame stays the shortest link.",
        plots=("plot_1",),
        questions=(
            number(
                "Up to which length of the frame do both turn round?",
                "140 mm",
                "length",
                "frame + 240 <= 180 + 200.",
                "Grashof: shortest + longest <= sum of the others.",
            ),
        ),
    ),
)
DOOR = (
    Step(
        "step1",
        "Held twice",
        "The door stands at {joint/lower_hinge/0}. Each hinge holds five directions of six.",
        plots=("plot_1",),
        plays=True,
        questions=(
            number(
                "How many directions are held twice?",
                "5",
                "number",
                "10 equations, of which 6 - 1 = 5 are needed.",
                "How many equations does one hinge give, and how many freedoms are left?",
                0.001,
            ),
        ),
    ),
    Step(
        "step2",
        "The cure",
        "One hinge carries all. The other must only hold what is left.",
        plots=("plot_1",),
        questions=(
            choose(
                "Upper hinge a ball joint: which joint below leaves nothing held twice?",
                "A ball joint as well",
                "A point on a line, along the axis",
                "A slider",
                right=2,
                because="3 + 2 = 5 equations; two balls give 6.",
                hint="Five equations are needed, and a ball joint gives three.",
            ),
        ),
    ),
)
BOUNCING = (
    Step(
        "step1",
        "How high?",
        "The orange ball is at {body/usual/z}. Its coefficient of restitution e is {e}.",
        sliders=("e",),
        plots=("plot_1",),
        at=0.0,
        questions=(
            number(
                "How high does it fly after the third impact?",
                "157.3 mm",
                "length",
                "h e^6: each impact multiplies the speed by e and the height by e^2.",
                "What does one impact do to the height?",
                0.02,
            ),
        ),
    ),
    Step(
        "step2",
        "Infinitely many impacts",
        "Each time between two impacts is e times the one before.",
        plots=("plot_1",),
        questions=(
            number(
                "After which time have all impacts happened?",
                "3.148 s",
                "time",
                "sqrt(2 h / g) (1 + e) / (1 - e), a geometric series.",
                "The first fall lasts sqrt(2 h / g), each later hop 2 e^n times as long.",
            ),
        ),
    ),
)
YOKE = (
    Step(
        "step1",
        "An exact sine",
        "The yoke stands at {joint/guide/0}. Draw how it goes on.",
        plots=("joint/guide/0",),
        at=0.5,
        end=2.5,
        questions=(
            draw(
                "Where is the yoke next?",
                "joint/guide/0",
                "It is the projection of a point that goes round evenly.",
            ),
        ),
    ),
    Step(
        "step2",
        "Speed and acceleration",
        "The crank has {r} and turns with {omega}.",
        sliders=("r", "omega"),
        plots=("plot_1",),
        questions=(
            number("How fast does the yoke get?", "0.36 m/s", "velocity", "r omega."),
            number(
                "How large does its acceleration get?",
                "1.44 m/s^2",
                "acceleration",
                "r omega^2, at both ends.",
            ),
        ),
    ),
)
ELASTIC = (
    Step(
        "step1",
        "Two periods",
        "The ball of 1 kg hangs on a spring of {k}, 300 mm long without load.",
        sliders=("k",),
        plots=("plot_1",),
        plays=True,
        questions=(
            number(
                "What is the period of bouncing?",
                "0.6344 s",
                "time",
                "T = 2 pi sqrt(m / k).",
            ),
            number(
                "What is the period of small swings?",
                "1.2687 s",
                "time",
                "T = 2 pi sqrt(l / g) with l = 300 mm + m g / k.",
                "How long is the spring with the ball at rest?",
            ),
        ),
    ),
    Step(
        "step2",
        "Handed over",
        "Bouncing is twice as fast as swinging.",
        plots=("plot_1",),
        questions=(
            choose(
                "How often does the spring stretch most in one swing to and fro?",
                "Once",
                "Twice",
                "Four times",
                right=2,
                because="at each passage of the middle: a push in step with the bouncing.",
                hint="Where is the pull of the swing largest?",
            ),
        ),
    ),
)
BRAKE = (
    Step(
        "step1",
        "Friction helps or hinders",
        "The wheel turns with {n}; the pin stands {c} above the shoe's face, mu is {mu}.",
        sliders=("n",),
        plots=("plot_1",),
        plays=True,
        questions=(
            number(
                "How many times longer does the wheel run on in the other sense?",
                "2.429",
                "number",
                "(a + mu c) / (a - mu c) with a = 180 mm.",
                "Take moments about the lever's pin in both senses.",
            ),
        ),
    ),
    Step(
        "step2",
        "Self-locking",
        "At mu c = a the normal force has no bound.",
        plots=("plot_1",),
        questions=(
            number(
                "From which c on does it lock by itself?",
                "360 mm",
                "length",
                "c = a / mu.",
            ),
            choose(
                "What does a hand that presses less do to a brake that has locked?",
                "It lets the wheel go",
                "No change",
                "It slows the wheel less",
                right=2,
                because="the friction itself presses the shoe.",
            ),
        ),
    ),
)
CLASSIC = {
    "atwood_machine": ATWOOD,
    "box_on_incline": INCLINE,
    "foucault_pendulum": FOUCAULT,
    "gyroscope": GYROSCOPE,
    "newtons_cradle": CRADLE,
    "vibration_absorber": ABSORBER,
    "planetary_gear": PLANETARY,
    "drag_link": DRAG_LINK,
    "door_two_hinges": DOOR,
    "bouncing_ball": BOUNCING,
    "scotch_yoke": YOKE,
    "elastic_pendulum": ELASTIC,
    "shoe_brake": BRAKE,
}
