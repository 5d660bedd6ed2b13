"""Kinds of marks: what a scene shows beside the drawing.  A new kind is one row here, and one
function that draws it (application/marks).
"""

import math

import msgspec

from mechstudio.translation import Words

POINT, JOINT, BODY, PAIR, SCENE = "point", "joint", "body", "pair", "scene"
BY_BODY, BY_TIME, BY_SPEED = "body", "time", "speed"
COLORS: dict[str, Words] = {BY_BODY: "As its body", BY_TIME: "By time", BY_SPEED: "By speed"}


class MarkType(msgspec.Struct, frozen=True):
    """One kind of mark.

    label: as in the window.  group: heading in the list of marks. on: kinds of elements that it
    belongs to, POINT (of a body, its centre of mass where none is named), JOINT, BODY, PAIR (a body
    seen from another) or SCENE.  default: its number where none is kept; dimension: that number's,
    "" for a kind without one.  icon: of the rows of the tree on which it is shown.  action: text of
    the action that shows or hides it, "" for none of its own; words: that it is found by.
    """

    label: Words
    group: Words
    on: tuple[str, ...]
    default: float = 0.0
    dimension: str = ""
    icon: str = "trail"
    action: Words = ""
    words: Words = ""

    def fits(self, body: str, joint: str) -> bool:
        """True if it can belong to a joint (id), to a body (id), or to the scene where both are
        "".
        """
        meant = {JOINT} if joint else {POINT, BODY, PAIR} if body else {SCENE}
        return not meant.isdisjoint(self.on)


TRAILS, VECTORS, GHOSTS = "Trails", "Vectors", "Ghosts"
MOTION, FRAMES = "Motion", "Points and frames"
MARK_TYPES: dict[str, MarkType] = {
    # the number is the length of the trail [s], 0 for all of it
    "trail": MarkType("Trail", TRAILS, (POINT, JOINT), 0.0, "time"),
    "whole_turn": MarkType("Curve of a whole turn", TRAILS, (POINT, JOINT)),
    "velocity": MarkType("Velocity", VECTORS, (POINT, JOINT), icon="vectors"),
    "acceleration": MarkType("Acceleration", VECTORS, (POINT, JOINT), icon="vectors"),
    # of a point against the body that it is seen from
    "velocity_parts": MarkType(
        "Parts of velocity",
        VECTORS,
        (POINT, JOINT, PAIR),
        icon="vectors",
        action="Parts of velocity in a moving frame",
        words="relative transport frame rotating guide carried",
    ),
    "acceleration_parts": MarkType(
        "Parts of acceleration",
        VECTORS,
        (POINT, JOINT, PAIR),
        icon="vectors",
        action="Parts of acceleration in a moving frame",
        words="coriolis relative transport frame rotating euler centripetal",
    ),
    "force": MarkType("Applied forces", VECTORS, (BODY,), icon="tool_force"),
    "reaction": MarkType("Reaction forces", VECTORS, (JOINT,), icon="tool_force"),
    "components": MarkType("Components", VECTORS, (SCENE,)),
    # the number multiplies the automatic length of all arrows
    "arrow_length": MarkType("Length", VECTORS, (SCENE,), 1.0, "number"),
    "ghost_start": MarkType(
        "Start of the run",
        GHOSTS,
        (SCENE,),
        action="Ghost at the start of the run",
        words="outline onion skin before",
    ),
    # the number is the step of the input, and of the time
    "ghost_angle": MarkType(
        "Each step of the input",
        GHOSTS,
        (SCENE,),
        math.radians(30),
        "angle",
        action="Ghosts at equal steps of the input",
        words="outline onion skin angle degrees",
    ),
    "ghost_time": MarkType(
        "Each step of time",
        GHOSTS,
        (SCENE,),
        0.1,
        "time",
        action="Ghosts at equal steps of time",
        words="outline onion skin seconds",
    ),
    "ghost_run": MarkType(
        "Other ticked runs",
        GHOSTS,
        (SCENE,),
        action="Ghosts of other ticked runs",
        words="outline compare kept",
    ),
    "pole": MarkType(
        "Instant centres, screw axes",
        MOTION,
        (PAIR,),
        icon="tool_point",
        action="Instant centres and screw axes",
        words="pole centre of rotation velocity twist axis pitch kennedy polode",
    ),
    "centrode": MarkType(
        "Centrodes, fixed and moving",
        MOTION,
        (PAIR,),
        icon="trail",
        action="Centrodes",
        words="polode pole curve rolling instant centre fixed moving",
    ),
    "swept": MarkType(
        "Space passed over the run",
        MOTION,
        (BODY,),
        icon="cube",
        action="Space that a body passes over the run",
        words="swept envelope volume area hull clearance outline room",
    ),
    "interference": MarkType(
        "Interference of bodies",
        MOTION,
        (SCENE,),
        action="Interference of bodies over the run",
        words="collision clash overlap clearance penetration intersect check",
    ),
    "frame": MarkType(
        "Frames of bodies",
        FRAMES,
        (BODY,),
        icon="vectors",
        action="Frames of bodies",
        words="axes origin coordinate system triad",
    ),
    "centre": MarkType(
        "Centres of mass",
        FRAMES,
        (BODY,),
        icon="tool_point",
        action="Centres of mass",
        words="gravity cog com centroid",
    ),
    "ellipsoid": MarkType(
        "Inertia ellipsoids",
        FRAMES,
        (BODY,),
        icon="cube",
        action="Inertia ellipsoids",
        words="moments principal mass equivalent homogeneous",
    ),
    "joint_axis": MarkType(
        "Joint axes",
        FRAMES,
        (JOINT,),
        icon="trail",
        action="Joint axes",
        words="centre line pin hinge slide",
    ),
}
