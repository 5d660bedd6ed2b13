"""Helpers that balance and size as data: window, terminal and scripts read these rows; a function
of engine/sizing/registry.py answers each.
"""

from collections.abc import Mapping

import msgspec

from mechstudio.translation import Words

# kinds of fields
NUMBER, CHOICE, BODIES, JOINT, DRIVE, POINT, FILE, NUMBERS, NAME = (
    "number",
    "choice",
    "bodies",
    "joint",
    "drive",
    "point",
    "file",
    "numbers",
    "name",
)


class Field(msgspec.Struct, frozen=True):
    """One field of a helper.

    kind: NUMBER of a dimension, CHOICE of keys of `choices`, names of BODIES, a JOINT that turns, a
    DRIVE or motor, a POINT "x, y, z" of W or "body.point", a FILE, plain NUMBERS in a row, or the
    NAME of something in a table.
    usual: as typed; "" where the helper finds it.  found: the words for that.  help: one line
    about it.
    """

    name: str
    label: Words
    kind: str
    help: Words
    dimension: str = ""
    usual: str = ""
    found: Words = ""
    choices: Mapping[str, Words] = {}


class Helper(msgspec.Struct, frozen=True):
    """One helper.

    label: as in the window.  summary: in one line.  adds: what "Apply" puts into the drawing.
    step: name of that step of the undo list.
    """

    label: Words
    summary: Words
    adds: Words
    step: Words
    fields: tuple[Field, ...]

    def field(self, name: str) -> Field:
        """Its field of a name.  Raises KeyError."""
        return next(f for f in self.fields if f.name == name)


_DENSITY = Field("density", "Material", NUMBER, "density of what is added", "density", "7850 kg/m³")
RMS, PEAK = "rms", "peak"
IDEAL, ORDINARY = "ideal", "ordinary"

HELPERS: dict[str, Helper] = {
    "counterweights": Helper(
        "Counterweights",
        "masses on turning bodies that make the shaking force least",
        "Add the counterweights to their bodies",
        "Add counterweights",
        (
            Field(
                "bodies",
                "Bodies",
                BODIES,
                "bodies that may carry one",
                found="every body that turns about a pin on ground",
            ),
            Field(
                "goal",
                "Makes least",
                CHOICE,
                "what of the shaking force is made least",
                usual=RMS,
                choices={RMS: "root mean square", PEAK: "peak"},
            ),
            Field(
                "radius",
                "At radius",
                NUMBER,
                "from the pin to the middle of a counterweight",
                "length",
                found="half the distance of the body's pins",
            ),
            _DENSITY,
            Field(
                "point",
                "Moment about",
                POINT,
                "point of the shaking moment",
                found="the first pin on ground",
            ),
        ),
    ),
    "gravity": Helper(
        "Gravity balance",
        "spring that holds a mechanism against gravity over a range",
        "Add the spring with both ends",
        "Add balance spring",
        (
            Field(
                "joint", "Joint", JOINT, "turning joint that moves the mechanism", found="the first"
            ),
            Field(
                "low",
                "Least angle",
                NUMBER,
                "least angle of the joint",
                "angle",
                found="its stop, or 45 deg below the drawn angle",
            ),
            Field(
                "high",
                "Greatest angle",
                NUMBER,
                "greatest angle of the joint",
                "angle",
                found="its stop, or 45 deg above the drawn angle",
            ),
            Field(
                "spring",
                "Spring",
                CHOICE,
                "kind of spring",
                usual=IDEAL,
                choices={IDEAL: "zero free length", ORDINARY: "ordinary extension spring"},
            ),
            Field(
                "height",
                "Anchor",
                NUMBER,
                "from the joint to the end that stays",
                "length",
                found="as far as is best",
            ),
            Field(
                "reach",
                "Reach",
                NUMBER,
                "from the joint to the end that moves",
                "length",
                found="half the distance of the body's joints",
            ),
            Field(
                "stretch",
                "Longest over free",
                NUMBER,
                "longest length over free length of an ordinary spring",
                "number",
                "2",
            ),
        ),
    ),
    "motor": Helper(
        "Motor and gear",
        "motors and ratios that carry the load of a drive",
        "Add the rotor's inertia, seen through the gear, to the driven body",
        "Add rotor inertia",
        (
            Field("drive", "Drive", DRIVE, "drive or motor whose load it is", found="the only one"),
            Field(
                "travel",
                "Travel per turn",
                NUMBER,
                "of a slider, through one turn of its pinion or screw",
                "length",
                found="of sliders alone",
            ),
            Field(
                "motors",
                "Motors",
                FILE,
                "table of motors (.csv)",
                found="generic sizes that ship with the program",
            ),
            Field(
                "ratios",
                "Ratios",
                NUMBERS,
                "of the gears that can be had",
                usual="1, 2, 3, 4, 5, 7, 8, 10, 12, 15, 16, 20, 25, 32, 40, 50, 64, 80, 100",
            ),
            Field(
                "efficiency", "Efficiency", NUMBER, "of the gear, above 0 to 1", "number", "0.95"
            ),
            Field(
                "reserve", "Reserve", NUMBER, "least margin of torque and speed", "number", "1.2"
            ),
            Field(
                "mismatch",
                "Inertia ratio",
                NUMBER,
                "greatest inertia of the load at the motor over that of the rotor",
                "number",
                "10",
            ),
            Field("take", "Take", NAME, "examined motor", found="the smallest that passes"),
        ),
    ),
    "flywheel": Helper(
        "Flywheel",
        "disc on a crank that keeps the ripple of its speed small",
        "Add the flywheel to the crank",
        "Add flywheel",
        (
            Field(
                "drive",
                "Crank drive",
                DRIVE,
                "drive that turns the crank at a constant speed",
                found="the only one",
            ),
            Field(
                "ripple",
                "Ripple",
                NUMBER,
                "greatest less least speed, over the mean speed",
                "number",
                "0.02",
            ),
            Field(
                "diameter",
                "Diameter",
                NUMBER,
                "of the disc",
                "length",
                found="eight times its thickness",
            ),
            _DENSITY,
        ),
    ),
}

# a number in SI or as typed, names, or a path
Given = Mapping[str, float | str | tuple[str, ...] | tuple[float, ...]]
