"""Result of assembling a drawing and its report in words: poses of the bodies, gaps of the joints,
or why they cannot meet.
"""

import msgspec

from mechstudio.model.findings import Finding
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.units import format_number, format_value, unit, without_prefixes
from mechstudio.translation import Words, tr

CURE: Words = "Change a length or move a joint until they reach each other, or leave a joint out."
NEGLIGIBLE = 1e-3  # share of a joint's error below which its gap or its tilt is not listed


class Gap(msgspec.Struct, frozen=True):
    """Gap of one joint.  distance [m]: between its points, in the directions that it prevents. tilt
    [rad]: between its axes.
    """

    joint: str
    distance: float
    tilt: float = 0.0


class AssemblyResult(msgspec.Struct, frozen=True):
    """Result of assembling.

    closed: True if all joints hold at `poses`; otherwise those are the best try.  poses: (x, y, z,
    w, x, y, z) of each body in file order.
    values: coordinates to be typed on joints that have typed ones.  before, after: the largest
    joint gap [m], angles times the size.
    moved: the largest displacement of a point [m]; farthest: the body that it belongs to.  gaps:
    the two worst joints, as drawn if it closed, else of the best try.
    alone: True if each of the gaps is left with all other joints closed.  finding: why nothing
    could be tried.
    """

    closed: bool
    poses: tuple[tuple[float, ...], ...] = ()
    values: dict[str, tuple[float, ...]] = {}
    before: float = 0.0
    after: float = 0.0
    moved: float = 0.0
    farthest: str = ""
    gaps: tuple[Gap, ...] = ()
    alone: bool = False
    finding: Finding | None = None


def reported(closing: AssemblyResult, mechanism: Mechanism, units: str = "mm-N-deg") -> str:
    """The outcome as a sentence or two."""
    if closing.finding is not None:
        return f"{closing.finding.message} {closing.finding.cure}".strip()
    if closing.closed:
        if not closing.moved:
            return tr("The drawing is closed as it is: every joint holds.")
        metre = unit("length", without_prefixes(units))
        left = (
            f"{format_number(closing.after / metre.factor, 1)} {metre.symbol}"
            if closing.after
            else tr("nothing")
        )
        return tr(
            "The largest joint gap was {gap}, closed to {left}; parts moved by {moved} at most "
            "({body}).",
            gap=_wide(closing.gaps[0], mechanism, units),
            left=left,
            moved=format_value(closing.moved, "length", units, digits=3),
            body=mechanism.bodies[closing.farthest].name,
        )
    first, *others = closing.gaps
    out = tr("The drawing cannot be closed: {apart} at best", apart=apart(first, mechanism, units))
    if others and closing.alone:
        return tr(
            "{out}, with all others closed; or else {apart}.",
            out=out,
            apart=apart(others[0], mechanism, units),
        )
    return (
        tr("{out}, and {apart}.", out=out, apart=apart(others[0], mechanism, units))
        if others
        else f"{out}."
    )


def apart(gap: Gap, mechanism: Mechanism, units: str = "mm-N-deg") -> str:
    """ "the pins of coupler and rocker (C) are 14 mm apart"."""
    joint = mechanism.joints[gap.joint]
    names = [
        mechanism.body(frame.body).name or frame.body for frame in (joint.frame_a, joint.frame_b)
    ]
    joint_label = tr(
        "of {name} and {name_2} ({joint})", name=names[0], name_2=names[1], joint=joint.name
    )
    words: list[str] = []
    if gap.distance > NEGLIGIBLE * gap.tilt * mechanism.size():
        words.append(
            tr("{distance} apart", distance=format_value(gap.distance, "length", units, digits=3))
        )
    if gap.tilt * mechanism.size() > NEGLIGIBLE * gap.distance:
        words.append(
            tr("{tilt} out of line", tilt=format_value(gap.tilt, "angle", units, digits=3))
        )
    return tr(
        "the {ends} {joint_label} are {words}",
        ends=tr(JOINT_TYPES[joint.type].ends) if gap.distance else tr("axes"),
        joint_label=joint_label,
        words=tr(" and ").join(words),
    )


def _wide(gap: Gap, mechanism: Mechanism, units: str) -> str:
    """ "14 mm at C"."""
    name = mechanism.joints[gap.joint].name
    if gap.distance > NEGLIGIBLE * gap.tilt * mechanism.size():
        return tr(
            "{distance} at {name}",
            distance=format_value(gap.distance, "length", units, digits=3),
            name=name,
        )
    return tr("{tilt} at {name}", tilt=format_value(gap.tilt, "angle", units, digits=3), name=name)
