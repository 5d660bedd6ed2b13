"""The hint of the link tool: what the next click and Enter do."""

from typing import NamedTuple

from mechstudio.translation import tr


class ChainState(NamedTuple):
    """Chain as far as it is drawn.

    links: how many, None before the first click.  joins: the next click makes a joint.  axes:
    letters that begin a coordinate.  slides: its second link ends on a slide of the ground.
    rigid: two links that Enter would make rigid.  swings: one link, with its first end on the
    ground.  pins_last: Enter pins its last end.
    """

    links: int | None
    joins: bool
    axes: tuple[str, ...]
    slides: bool
    rigid: bool
    swings: bool
    pins_last: bool


def hint(chain: ChainState) -> str:
    """The next steps in words, the likeliest first."""
    types = tr("r p c s u: joint · W: plane") if chain.joins else ""
    keys = " ".join((*chain.axes, "d")).upper()
    if chain.links is None:
        parts = (
            tr("Click the first point of a link"),
            types,
            tr("G or Alt leaves it free of the ground"),
            tr("Esc stops"),
        )
        return " · ".join(part for part in parts if part)
    if chain.links == 0:
        return tr(
            "Click the second end or type its length, angle · {keys}: other numbers · K keeps to "
            "a line · {types} · G pins it too · Esc stops",
            keys=keys,
            types=types,
        )
    if chain.slides:
        return tr(
            "Enter: the end slides on the ground, in line with the first pin · Click the next end "
            "to go on · Esc stops"
        )
    if chain.rigid:
        return tr(
            "Click the end of a third link (P first: it slides on the ground) · Enter now: two "
            "links and the ground are rigid · Esc stops"
        )
    if chain.swings:
        return tr(
            "{now} · {other} · Click the next end or type length, angle · {types} · Esc stops",
            now=tr("Enter pins both ends") if chain.pins_last else tr("Enter pins the first end"),
            other=tr("G: only the first") if chain.pins_last else tr("G: both"),
            types=types,
        )
    return tr(
        "Click the next end or type length, angle · {keys}: other numbers · Enter pins the open "
        "ends to the ground, G or Alt-click: free · {types} · Esc stops",
        keys=keys,
        types=types,
    )
