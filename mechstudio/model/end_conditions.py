"""End conditions of a run: their text form, and their removal when the quantity goes."""

from collections.abc import Iterable

import msgspec

from mechstudio.model.formulas import expression
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.naming import quoted
from mechstudio.model.project import EndCondition, Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.results.channels import channels
from mechstudio.model.units import DEFAULT_SYSTEM, format_value
from mechstudio.translation import Words, comma, tr

DIRECTIONS: dict[str, Words] = {
    "either": "passes",
    "rising": "rises through",
    "falling": "falls through",
}
_SIGNS = {"=": "either", ">": "rising", "<": "falling"}


def unknown(conditions: Iterable[EndCondition], mechanism: Mechanism) -> EndCondition | None:
    """The first condition on a quantity that runs of the mechanism do not record."""
    known = channels(mechanism) if conditions else {}
    return next((c for c in conditions if c.channel not in known), None)


def words(condition: EndCondition, mechanism: Mechanism, units: str = DEFAULT_SYSTEM) -> str:
    """ "A angle rises through 90°"."""
    channel = channels(mechanism)[condition.channel]
    return (
        f"{channel.label} {DIRECTIONS[condition.direction]} "
        f"{format_value(condition.value.value, channel.dimension, units, 6)}"
    )


def read(text: str, project: Project) -> EndCondition:
    """The condition of a text such as "A angle = 90 deg", "Kinetic energy > 3 J" (rising) or
    "body/rod/z < 0" (falling).

    The quantity is called as in the plots or by its key; the value may name parameters.  Raises
    ValueError with one sentence.
    """
    at = max(text.rfind(sign) for sign in _SIGNS)
    if at < 0:
        raise ValueError(
            tr(
                "'{text}' says nothing that could end a run: write a quantity, =, > or <, and a "
                "value, such as 'A angle = 90 deg'.",
                text=quoted(text),
            )
        )
    name, value = text[:at].strip(), text[at + 1 :].strip()
    known = channels(project.mechanism)
    found = [key for key, channel in known.items() if name in (key, channel.label)] or [
        key for key, channel in known.items() if channel.label.lower() == name.lower()
    ]
    if len(found) != 1:
        raise ValueError(
            tr(
                "{count} quantities are called {name}; use one of their keys {found}.",
                count=len(found),
                name=name,
                found=comma().join(found),
            )
            if found
            else tr(
                "There is no quantity {name}; there are {channel}.",
                name=name,
                channel=comma().join(tr(channel.label) for channel in known.values()),
            )
        )
    parameters = {n: (p.value.value, p.dimension) for n, p in project.parameters.items()}
    try:
        number = expression.evaluate(value, known[found[0]].dimension, parameters)
    except ValueError as error:
        raise ValueError(
            tr("{name} cannot end a run at {value!r}: {error}", name=name, value=value, error=error)
        ) from None
    return EndCondition(found[0], Quantity(number, value), _SIGNS[text[at]])


def followed(old: Project, new: Project) -> Project:
    """The new project without conditions on quantities that an edit took away or gave another
    dimension.
    """
    if not new.settings.until:
        return new
    before, after = channels(old.mechanism), channels(new.mechanism)
    kept = tuple(
        c
        for c in new.settings.until
        if c.channel in after
        and (c.channel not in before or before[c.channel].dimension == after[c.channel].dimension)
    )
    if len(kept) == len(new.settings.until):
        return new
    return msgspec.structs.replace(new, settings=msgspec.structs.replace(new.settings, until=kept))
