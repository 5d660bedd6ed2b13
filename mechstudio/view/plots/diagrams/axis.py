"""Choice of the quantity along an axis of a diagram: a few at hand, and the list of all others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from mechstudio.application.studio import Studio
from mechstudio.curves.quantities import quantities, quantity
from mechstudio.model.project import Project
from mechstudio.translation import Words

MOST = 12  # quantities at hand beside the curves of the pane
AT_HAND: tuple[Words, ...] = ("Gauges", "Joints")  # groups that they are of
OTHER: Words = "Other quantity…"
NOTE: Words = "The quantity that you tick lies along the axis."  # at the foot of the list


def own_first(project: Project, own: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Names of quantities by key: those of a pane, and a few others that axes often have."""
    found = (quantity(project, key) for key in dict.fromkeys(own))
    first = {q.key: q.name for q in found if q is not None}
    rows = [q for group in AT_HAND for q in quantities(project).values() if q.group == group]
    others = ((q.key, q.name) for q in rows if q.key not in first)
    return first, dict(islice(others, MOST))


class AxisTicks:
    """The one quantity of an axis; the list closes when another one is ticked."""

    def __init__(self, studio: Studio, now: str, do: Callable[[str], object]) -> None:
        """now: its key, or "".  do(key): put another one there."""
        self._studio, self._ticked, self._do = studio, now, do
        self._open = True

    def now(self) -> tuple[str, ...] | None:
        return (self._ticked,) if self._open else None

    def tick(self, key: str, name: str, on: bool, only: bool) -> None:
        if on:
            self._open = False
            self._studio.plots.used(key)
            self._do(key)
