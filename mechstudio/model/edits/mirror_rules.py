"""Rules of mirroring joints, forces and couplings, as data and small functions.

The mirror image of a mechanism moves as the mirror image of its motion, with the same numbers
wherever that can be: a motor of 60 rpm has 60 rpm in the mirror and turns the other way round to
the eye, because its axis is mirrored as a sense of turning is.  Frames are mirrored by an improper
turn D in their own axes, R' = S R D with S the reflection in W, so that R' is a turn again; which D
a joint type takes decides which of its coordinates keep their sign: of B in A's axes R_AB' = D R_AB
D and d' = D d.
"""

import msgspec

from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.formulas.expression import renamed as with_name
from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import Coupling, Law
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES

replace = msgspec.structs.replace
Signs = tuple[float, float, float]

X_TURNED, Y_TURNED, Z_TURNED, ALL_TURNED = (
    (-1.0, 1.0, 1.0),
    (1.0, -1.0, 1.0),
    (1.0, 1.0, -1.0),
    (-1.0, -1.0, -1.0),
)

# joint type -> (D, sign of each coordinate in the mirror).  -1 keeps all angles; what stands on a
# floor keeps its z
JOINTS: dict[str, tuple[Signs, tuple[int, ...]]] = {
    "fixed": (Z_TURNED, ()),
    "revolute": (Z_TURNED, (1,)),
    "prismatic": (Y_TURNED, (1,)),
    "cylindrical": (Z_TURNED, (-1, 1)),
    "screw": (Z_TURNED, (1,)),
    "universal": (ALL_TURNED, (1, 1)),
    "spherical": (ALL_TURNED, (1, 1, 1)),
    "constant_velocity": (ALL_TURNED, (1, 1)),
    "planar": (Z_TURNED, (1, 1, 1)),
    "point_on_line": (ALL_TURNED, (-1, 1, 1, 1)),
    "point_on_plane": (ALL_TURNED, (-1, -1, 1, 1, 1)),
    "point_on_curve": (ALL_TURNED, (1, 1, 1, 1)),
    "distance": (Y_TURNED, (-1, 1, -1, 1, -1)),
    "rolling_disc": (X_TURNED, (-1, 1, -1, 1, -1)),
    "rolling_wheel": (X_TURNED, (-1, 1, -1, -1)),
    "knife_edge": (Y_TURNED, (1, -1, -1)),
    "free": (ALL_TURNED, (-1, -1, -1, 1, 1, 1)),
}

# numbers of forces on a coordinate that change their sign with it; stiffness, damping and levels of
# friction do not
_TURNING = {"free_length", "free_angle", "torque", "force", "target"}
_LEVELS = {"friction_torque", "friction_force"}
_LAW_NUMBERS = {
    "constant": ("value",),
    "ramp": ("start", "end"),
    "rest_to_rest": ("start", "end"),
    "sine": ("offset", "amplitude"),
    "cam": ("lift",),
}


def negated(q: Quantity) -> Quantity:
    """A number the other way round, with its text."""
    if q.value == 0.0 and (not q.text or _is_number(q.text)):
        return q
    return Quantity(-q.value, _opposite(q.text))


def _is_number(text: str) -> bool:
    return all(c.isdigit() or c in ".,-−+eE" for c in text.split(" ")[0])


def _opposite(text: str) -> str:
    """ "-300 mm" of "300 mm", "-(L1 + 2 mm)" of "L1 + 2 mm", and back."""
    text = text.strip()
    if not text:
        return ""
    if text[0] in "-−" and _closes(text[1:].lstrip()):
        inner = text[1:].lstrip()
        return inner[1:-1] if inner[0] == "(" else inner
    return f"-{text}" if _is_single(text) else f"-({text})"


def _closes(text: str) -> bool:
    """True if what follows a minus is one bracket to the end, or has no sum in it, so that removing
    the minus negates the whole.
    """
    if text.startswith("("):
        depth = 0
        for k, c in enumerate(text):
            depth += (c == "(") - (c == ")")
            if depth == 0:
                return k == len(text) - 1
    return _is_single(text)


def _is_single(text: str) -> bool:
    """True if a text is a number with a unit or a name, so that a minus before it stands for all of
    it.
    """
    return bool(text) and not set(text) & set("+-−*/^()") and not text[0].isspace()


def opposite_law(law: Law) -> Law:
    """The law of the same motion the other way round."""
    if law.type == "expression":
        return replace(law, text=_opposite(law.text))
    numbers = {
        name: negated(q) if name in _LAW_NUMBERS.get(law.type, ()) else q
        for name, q in law.parameters.items()
    }
    return replace(law, parameters=numbers, points=tuple((at, negated(q)) for at, q in law.points))


def with_opposites(law: Law, names: frozenset[str] | set[str]) -> Law:
    """An expression in which some variables have changed their sign: (-q_A) in place of q_A."""
    return with_terms(law, {name: f"(-{name})" for name in names})


def with_terms(law: Law, terms: dict[str, str]) -> Law:
    """An expression with terms in place of variables, all at once; (-(-x)) becomes x again."""
    found = sorted(evaluation.names(law.text) & terms.keys()) if law.type == "expression" else []
    if not found:
        return law
    text = law.text
    # by way of names that nobody has, so that a term may hold the names of others
    for k, name in enumerate(found):
        text = with_name(text, name, f"mirrored_{k}_", evaluation.VARIABLES)
    for k, name in enumerate(found):
        text = text.replace(f"(-mirrored_{k}_)", name) if terms[name] == f"(-{name})" else text
        text = with_name(text, f"mirrored_{k}_", terms[name], evaluation.VARIABLES)
    return replace(law, text=text)


def turns(type: str, parameter: str) -> bool:
    """True if a number of a force on a coordinate changes its sign with the coordinate."""
    return parameter in _TURNING and type not in _LEVELS


def couples_turn_and_shift(type: str, parameter: str) -> bool:
    """True if a number of a bushing couples a rotation with a shift: the one keeps its sign in the
    mirror, the other does not.
    """
    return any(
        p.name == parameter and p.dimension.startswith("coupled")
        for p in FORCE_TYPES[type].parameters
    )


def coupling(old: Coupling, signs: tuple[int, ...]) -> Coupling:
    """A coupling whose ends' coordinates have changed their signs.  Raises ExpressionError where
    its type has no numbers for that.
    """
    if all(s == signs[0] for s in signs) and (old.law is None or signs[0] > 0):
        return old
    if old.type in ("gear", "rack_and_pinion"):
        name = "ratio" if old.type == "gear" else "radius"
        default = next(p.default for p in COUPLING_TYPES[old.type].parameters if p.name == name)
        return replace(
            old,
            parameters={
                **old.parameters,
                name: negated(old.parameters.get(name, Quantity(default))),
            },
        )
    if old.type in ("belt", "crossed_belt"):
        return replace(old, type="belt" if old.type == "crossed_belt" else "crossed_belt")
    if old.law is not None and (signs[0] > 0 or old.law.type == "expression"):
        law = with_opposites(old.law, {evaluation.ANGLE}) if signs[0] < 0 else old.law
        return replace(old, law=opposite_law(law) if signs[1] < 0 else law)
    raise ExpressionError(
        f"{old.name} cannot be mirrored: only some of its joints turn the other way in the "
        "mirror; remove it first and couple the mirror image anew."
    )
