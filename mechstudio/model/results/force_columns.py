"""Columns of the analysis of forces: what each force exerts, and its power."""

from collections.abc import Iterator

from mechstudio.model.mechanism import Force, Mechanism
from mechstudio.model.types.forces import BODY, FORCE_TYPES, FRAMES, JOINT
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import Words

EFFORT, POWER = "effort", "power"
# of columns, shown after the name of the element that exerts it
HEADINGS: dict[str, Words] = {EFFORT: "{of} effort", POWER: "{of} power"}
_FORCE = tuple((f"F{axis}", "force") for axis in "xyz")
_MOMENT = tuple((f"M{axis}", "torque") for axis in "xyz")


def force_columns(m: Mechanism, force: Force) -> Iterator[tuple[str, str]]:
    """(column, dimension) of a force: its effort along a line or a joint coordinate, or its force
    and moment along W's axes on its second body; then its power.
    """
    kind = FORCE_TYPES.get(force.type)
    if kind is None:
        return
    if kind.attachment == FRAMES:
        yield from (*_FORCE, *_MOMENT)
    elif kind.attachment == BODY:
        yield from _MOMENT if kind.moment else _FORCE
    elif kind.attachment == JOINT:
        joint = m.joints.get(force.joint)
        if joint is None or force.coordinate >= JOINT_TYPES[joint.type].dof:
            return
        turns = JOINT_TYPES[joint.type].coordinates[force.coordinate].dimension == "angle"
        yield EFFORT, "torque" if turns else "force"
    else:
        yield EFFORT, "force"
    yield POWER, "power"
