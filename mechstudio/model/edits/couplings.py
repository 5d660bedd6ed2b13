"""The sense of a gear pair or rack: whether what is coupled goes the same way in space, and the
other way round; ratios in words.
"""

from mechstudio.model.edits.elements import put_element, replace
from mechstudio.model.formulas import expression
from mechstudio.model.geometry.rotation import Triple, rotate
from mechstudio.model.mechanism import GROUND, CoordinateOf, Coupling, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.parameter import NEGATE
from mechstudio.model.units import format_number
from mechstudio.translation import tr

PARALLEL = 0.999


def signed(type: str) -> str:
    """Name of the number of a coupling type whose sign is the sense; empty if there is none."""
    parameters = COUPLING_TYPES[type].parameters
    return next((p.name for p in parameters if p.mirror == NEGATE), "")


def is_gear_pair(type: str) -> bool:
    """True if a coupling type is two wheels whose sense of turning is the sign of a number."""
    ends = COUPLING_TYPES[type].ends
    return bool(signed(type)) and all(end.dimensions == ("angle",) for end in ends)


def same_way(mechanism: Mechanism, coupling: Coupling) -> bool | None:
    """True if the two wheels of a gear pair turn the same way as seen from one side; None where
    their axes are not parallel, or it is no gear pair.
    """
    if not is_gear_pair(coupling.type):
        return None
    (a, first), (b, second) = (_axis(mechanism, end) for end in coupling.ends)
    along = sum(x * y for x, y in zip(a, b))
    if abs(along) < PARALLEL:
        return None
    return coupling.parameters[signed(coupling.type)].value * along * first * second > 0


def _axis(m: Mechanism, end: CoordinateOf) -> tuple[Triple, float]:
    """(direction of a joint's axis in W as drawn, -1 where the body that moves is the joint's first
    one).
    """
    joint = m.joints[end.joint]
    return rotate(
        m.frame_in_world(joint.frame_a)[1], (0.0, 0.0, 1.0)
    ), -1.0 if joint.frame_b.body == GROUND else 1.0


def reverse(project: Project, id: str) -> Project:
    """With a gear pair or rack that goes the other way round; a typed text stays one."""
    coupling = project.mechanism.couplings[id]
    name = signed(coupling.type)
    return put_element(
        project,
        id,
        replace(
            coupling, parameters={**coupling.parameters, name: negative(coupling.parameters[name])}
        ),
    )


def negative(q: Quantity) -> Quantity:
    """The opposite number, with the opposite text where there is one."""
    text = q.text.strip()
    if not text:
        return Quantity(-q.value)
    if expression.is_plain(text):
        return Quantity(-q.value, text[1:].strip() if text[0] in "-−" else f"-{text.lstrip('+ ')}")
    return Quantity(-q.value, text[2:-1] if _wrapped(text) else f"-({text})")


def _wrapped(text: str) -> bool:
    """True if a text is a minus before one pair of brackets that holds all the rest."""
    if not (text.startswith("-(") and text.endswith(")")):
        return False
    depth = 0
    for k, c in enumerate(text[1:], 1):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            return k == len(text) - 1
    return False


def ratio_words(ratio: float) -> str:
    """Turns of the first gear to those of the second: "2 to 1", "1 to 3"."""
    size = abs(ratio)
    return (
        tr("{size} to 1", size=format_number(size, 3))
        if size >= 1 or size == 0
        else tr("1 to {size}", size=format_number(1 / size, 3))
    )
