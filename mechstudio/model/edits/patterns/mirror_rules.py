"""Rules of mirroring joints, forces and couplings, as small functions over the rows of model/types.

The mirror image of a mechanism moves as the mirror image of its motion, with the same numbers
wherever that can be: a motor of 60 rpm has 60 rpm in the mirror and turns the other way round to
the eye, because its axis is mirrored as a sense of turning is.  Frames are mirrored by an improper
turn D in their own axes, R' = S R D with S the reflection in W, so that R' is a turn again; which D
a joint type takes (JointType.mirror) decides which of its coordinates keep their sign
(JointType.signs): of B in A's axes R_AB' = D R_AB D and d' = D d.
"""

import msgspec

from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.formulas.expression import renamed as with_name
from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import Coupling, Force, Law
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.laws import LAW_TYPES, OWN
from mechstudio.model.types.parameter import NEGATE
from mechstudio.translation import tr

replace = msgspec.structs.replace


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
    rows = LAW_TYPES[law.type].parameters
    own = {p.name for p in rows if p.dimension == OWN or p.mirror == NEGATE}
    numbers = {name: negated(q) if name in own else q for name, q in _numbers(law).items()}
    return replace(law, parameters=numbers, points=tuple((at, negated(q)) for at, q in law.points))


def backwards_law(law: Law) -> Law:
    """The law f(-a) of a law f(a) over an angle, up to a constant."""
    if law.type == "expression":
        return with_opposites(law, {evaluation.ANGLE})
    p = _numbers(law)
    if law.type in evaluation.GENEVA:
        p |= {name: negated(p[name]) for name in ("slots", "middle")}
    elif law.type in ("ramp", "rest_to_rest"):
        p |= {"start": p["end"], "end": p["start"], "begin": _end(p["begin"], p["duration"])}
    elif law.type == "cam":
        turned = _end(p["begin"], p["rise"], p["dwell"], p["fall"])
        p |= {"rise": p["fall"], "fall": p["rise"], "begin": turned}
    points = tuple((negated(at), q) for at, q in reversed(law.points))
    return replace(law, parameters=p, points=points)


def _numbers(law: Law) -> dict[str, Quantity]:
    """All numbers of a law, those that it does not give by their defaults."""
    rows = LAW_TYPES[law.type].parameters
    return {p.name: Quantity(p.default or 0.0) for p in rows} | dict(law.parameters)


def _end(*parts: Quantity) -> Quantity:
    """Minus a sum of numbers, with its text where one of them has one."""
    text = ""
    if any(q.text for q in parts):
        text = "-(" + "+".join(f"({q.text or f'{q.value!r} rad'})" for q in parts) + ")"
    return Quantity(-sum(q.value for q in parts), text)


def with_opposites(law: Law, names: frozenset[str] | set[str]) -> Law:
    """An expression in which some variables have changed their sign: (-q_A) in place of q_A."""
    return with_terms(law, {name: f"(-{name})" for name in names})


def with_terms(law: Law, terms: dict[str, str]) -> Law:
    """An expression with terms in place of variables, all at once; (-(-x)) becomes x again."""
    found = sorted(evaluation.names(law.text) & terms.keys()) if law.type == "expression" else []
    if not found:
        return law
    text = law.text
    # through unused names, so that a term may hold the names of others
    for k, name in enumerate(found):
        text = with_name(text, name, f"mirrored_{k}_", evaluation.VARIABLES)
    for k, name in enumerate(found):
        text = text.replace(f"(-mirrored_{k}_)", name) if terms[name] == f"(-{name})" else text
        text = with_name(text, f"mirrored_{k}_", terms[name], evaluation.VARIABLES)
    return replace(law, text=text)


def mirrored_numbers(force: Force) -> Force:
    """A force with the numbers and laws negated that its row says change their sign: those of a
    joint's force with the coordinate, those of a bushing in every mirror.
    """
    changing = {p.name for p in FORCE_TYPES[force.type].parameters if p.mirror == NEGATE}
    return replace(
        force,
        parameters={k: negated(q) if k in changing else q for k, q in force.parameters.items()},
        laws={k: opposite_law(law) if k in changing else law for k, law in force.laws.items()},
    )


def coupling(old: Coupling, signs: tuple[int, ...]) -> Coupling:
    """A coupling whose ends' coordinates have changed their signs.  Raises ExpressionError where
    its type has no numbers for that.
    """
    if all(s == signs[0] for s in signs) and (old.law is None or signs[0] > 0):
        return old
    kind = COUPLING_TYPES[old.type]
    changing = {p.name: p.default for p in kind.parameters if p.mirror == NEGATE}
    if changing:
        opposites = {
            name: negated(old.parameters.get(name, Quantity(default or 0.0)))
            for name, default in changing.items()
        }
        return replace(old, parameters={**old.parameters, **opposites})
    if kind.opposite:
        return replace(old, type=kind.opposite)
    if old.law is not None:
        law = backwards_law(old.law) if signs[0] < 0 else old.law
        return replace(old, law=opposite_law(law) if signs[1] < 0 else law)
    raise ExpressionError(
        tr(
            "{old} cannot be mirrored: only some of its joints turn the other way in the mirror; "
            "remove it first and couple the mirror image again.",
            old=old.name,
        )
    )
