"""Words of joints in sentences: titles at their start, and what a coordinate does."""

from mechstudio.model.mechanism import Joint
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import Words, tr

# words in a joint's own name that describe it
_OWN_WORDS = (
    "joint",
    "hinge",
    "pin",
    "ball",
    "rod",
    "rail",
    "slider",
    "screw",
    "wheel",
    "disc",
    "blade",
    "slot",
)

# what a body does along a coordinate, by the coordinate's dimension
MOVES: dict[str, Words] = {"angle": "turns", "length": "slides"}


def titled(joint: Joint) -> str:
    """A joint's noun and name at the start of a sentence; a name that describes the joint stands
    alone.
    """
    kind = JOINT_TYPES.get(joint.type)
    noun = tr(kind.noun) if kind else tr("joint")
    known = any(word in joint.name.lower() for word in (noun.lower(), *_OWN_WORDS))
    noun = noun[:1].upper() + noun[1:]
    return joint.name[:1].upper() + joint.name[1:] if known else f"{noun} {joint.name}".rstrip()
