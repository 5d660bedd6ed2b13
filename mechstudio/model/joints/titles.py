"""Titles of joints at the start of a sentence."""

from mechstudio.model.mechanism import Joint
from mechstudio.model.types.joints import JOINT_TYPES

# words in a joint's own name that say what it is
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


def titled(joint: Joint) -> str:
    """A joint's noun and name at the start of a sentence; a name that says what it is stands
    alone.
    """
    kind = JOINT_TYPES.get(joint.type)
    noun = kind.noun[:1].upper() + kind.noun[1:] if kind else "Joint"
    known = any(word in joint.name.lower() for word in (noun.lower(), *_OWN_WORDS))
    return joint.name[:1].upper() + joint.name[1:] if known else f"{noun} {joint.name}".rstrip()
