"""Couplings and drives of a Builder: what ties joint coordinates to each other, and what prescribes
them over the time.
"""

from collections.abc import Mapping

import msgspec

from mechstudio.builder.draft import Draft
from mechstudio.builder.geometry import Number, known_type
from mechstudio.builder.handles import CoordinateHandle, JointHandle
from mechstudio.builder.laws import Ruled, law
from mechstudio.model.mechanism import CoordinateOf, Coupling, Drive
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import comma, tr

End = JointHandle | CoordinateHandle


def coupling(
    draft: Draft,
    type: str,
    name: str,
    ends: tuple[End, ...],
    given: Ruled | None,
    numbers: Mapping[str, Number],
    id: str = "",
) -> Coupling:
    """Add a coupling; given: its law."""
    kind = known_type(COUPLING_TYPES, type, "coupling")
    if len(ends) != len(kind.ends):
        raise ValueError(
            tr(
                "{name}: a {kind} ties {count} joints: {e}.",
                name=name,
                kind=tr(kind.label).lower(),
                count=len(kind.ends),
                e=comma().join(tr(e.label).lower() for e in kind.ends),
            )
        )
    places = tuple(
        _end(draft, end, known.dimensions, f"{name}, {tr(known.label).lower()}")
        for end, known in zip(ends, kind.ends)
    )
    if len(set(places)) < len(places):
        raise ValueError(
            tr("{name}: a {kind} ties different joints.", name=name, kind=tr(kind.label).lower())
        )
    if kind.law != (given is not None):
        words = tr(kind.label).lower()
        raise ValueError(
            tr("{name}: a {kind} needs law=.", name=name, kind=words)
            if kind.law
            else tr("{name}: a {kind} takes no law.", name=name, kind=words)
        )
    parameters = draft.numbers(kind.parameters, numbers, name, f"a {tr(kind.label).lower()}")
    id = draft.id(name, draft.mechanism.couplings.values(), id)
    made = Coupling(id, name, type, places, parameters)
    if given is not None:
        made = msgspec.structs.replace(made, law=law(draft, given, made, name))
    draft.put("couplings", made)
    return made


def gear_ratio(name: str, ratio: Number | None, teeth: tuple[int, int] | None) -> Number:
    """The ratio of two gears, given or from the teeth of outer gears."""
    if ratio is not None and teeth is None:
        return ratio
    if ratio is not None or teeth is None:
        raise ValueError(
            tr("{name}: a gear pair takes either its ratio or the teeth of both gears.", name=name)
        )
    if not (
        isinstance(teeth, (tuple, list))
        and len(teeth) == 2
        and all(isinstance(n, (int, float)) and n % 1 == 0 and n > 0 for n in teeth)
    ):
        raise ValueError(tr("{name}: two gears have two whole numbers of teeth.", name=name))
    return f"-{teeth[1]}/{teeth[0]}"


def drive(
    draft: Draft, name: str, joint: End, given: Mapping[str, Ruled | None], id: str = ""
) -> Drive:
    """Add a drive; given: laws by what they prescribe, of which one counts."""
    reported = [(quantity, law_of) for quantity, law_of in given.items() if law_of is not None]
    if len(reported) != 1:
        raise ValueError(
            tr("{name}: a drive takes one of speed=, position= and acceleration=.", name=name)
        )
    quantity, ruled = reported[0]
    place = _end(draft, joint, ("angle", "length"), name)
    id = draft.id(name, draft.mechanism.drives.values(), id)
    made = Drive(id, name, place.joint, place.coordinate, quantity)
    made = msgspec.structs.replace(made, law=law(draft, ruled, made, name))
    draft.put("drives", made)
    return made


def _end(draft: Draft, end: End, dimensions: tuple[str, ...], what: str) -> CoordinateOf:
    """A joint coordinate of one of the dimensions."""
    joint = draft.joint(end, what)
    coordinates = JOINT_TYPES[joint.type].coordinates
    if isinstance(end, CoordinateHandle):
        if coordinates[end.coordinate].dimension not in dimensions:
            raise ValueError(
                tr(
                    "{what}: {joint} {coordinate} is no {dimensions}.",
                    what=what,
                    joint=joint.name,
                    coordinate=tr(coordinates[end.coordinate].name),
                    dimensions=" or ".join(dimensions),
                )
            )
        return CoordinateOf(end.id, end.coordinate)
    found = [k for k, c in enumerate(coordinates) if c.dimension in dimensions]
    if not found:
        raise ValueError(
            tr(
                "{what}: {joint}, a {type} joint, has no {dimensions}.",
                what=what,
                joint=joint.name,
                type=tr(JOINT_TYPES[joint.type].label).lower(),
                dimensions=" or ".join(dimensions),
            )
        )
    return CoordinateOf(end.id, found[0])
