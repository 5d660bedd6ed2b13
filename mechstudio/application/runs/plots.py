"""Contents of the plot panes, as data: curves with label, unit, colour and dash, and their numbers
from a recording.
"""

from collections import Counter
from collections.abc import Mapping

import msgspec
import numpy as np

from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.project import Plot, Project
from mechstudio.model.results.channels import Channel, channels
from mechstudio.model.results.measured_channels import known as measured
from mechstudio.model.results.measured_channels import told_words
from mechstudio.model.units import DEFAULT_SYSTEM, unit, without_prefixes

ENERGY = Plot(
    "energy", "Energy", ("energy/kinetic", "energy/potential", "energy/total", "energy/balance")
)
CONSTRAINT = Plot(
    "constraint", "Constraint error", ("constraint/position", "constraint/velocity"), log=True
)
CONTACT = Plot("contact", "Contact solve", ("contact/residual", "contact/overlap"), log=True)
COUNT = 3
# error curves below this share of their unit are rounding; log axes end here
FLOOR = 1e-18
_WORDS = {
    "energy/kinetic": "kinetic",
    "energy/potential": "potential",
    "energy/total": "total",
    "energy/work": "work",
    "energy/balance": "balance",
    "constraint/position": "|C|",
    "constraint/velocity": "|Ċ|",
    "constraint/gap": "gap",
}
_SERIES = {
    "energy/kinetic": 0,
    "energy/potential": 4,
    "energy/total": 7,
    "energy/work": 3,
    "energy/balance": 1,
    "constraint/position": 7,
    "constraint/velocity": 0,
    "constraint/gap": 3,
}
_DASHED = {"energy/potential", "constraint/velocity"}
# beginnings of the keys of what is never negative; of all others a logarithmic pane shows
# magnitudes, and says so
MAGNITUDES = ("constraint/", "contact/", "energy/kinetic")
# reachable by a click on their word
_HIDDEN = {"energy/balance"}


class Curve(msgspec.Struct, frozen=True):
    """One curve.  key: channel; columns: of samples, none where an analysis finds it; word: in the
    pane's head; color: series index of its body or quantity; factor: SI value of its unit; second:
    it is read on the right axis; tip: what its word means.
    """

    key: str
    word: str
    color: int
    dashed: bool
    hidden: bool
    columns: tuple[int, ...]
    factor: float
    element: str = ""
    second: bool = False
    tip: str = ""


class Pane(msgspec.Struct, frozen=True):
    """One plot.  unit: symbols of its axes.  left_out: chosen curves that have a third dimension,
    for which there is no axis.
    """

    id: str
    title: str
    unit: str
    log: bool
    curves: tuple[Curve, ...]
    left_out: int = 0

    @property
    def two_axes(self) -> bool:
        return any(c.second for c in self.curves)


def alike(a: Pane, b: Pane) -> bool:
    """True if two panes look the same: their curves may stand in other columns of the samples."""
    plain = lambda pane: msgspec.structs.replace(
        pane, curves=tuple(msgspec.structs.replace(c, columns=()) for c in pane.curves)
    )
    return plain(a) == plain(b)


def default_plots(mechanism: Mechanism) -> tuple[Plot, ...]:
    """First joint coordinate, or height of the first body where there is no joint; energy;
    constraint error, or that of the contacts where no joint has any (UX G1).
    """
    known = channels(mechanism)
    joint = next((c for key, c in known.items() if key.startswith("joint/")), None)
    first = joint or next(
        (c for key, c in known.items() if key.startswith("body/") and key.endswith("/z")), None
    )
    last = CONTACT if joint is None and CONTACT.channels[0] in known else CONSTRAINT
    return ((Plot("coordinate", first.label, (first.key,)),) if first else ()) + (ENERGY, last)


def known_channels(project: Project) -> dict[str, Channel]:
    """All channels of the samples, and those of analyses that the project's plots name, by key."""
    return channels(project.mechanism) | measured(
        project.mechanism, [key for plot in project.plots for key in plot.channels]
    )


def _color(project: Project, channel: Channel) -> int:
    """A body has one colour everywhere; a joint's coordinate has that of the body it moves."""
    if channel.key in _SERIES:
        return _SERIES[channel.key]
    m = project.mechanism
    if channel.element in m.drives:
        channel = msgspec.structs.replace(channel, element=m.drives[channel.element].joint)
    joint = m.joints.get(channel.element)
    if joint is not None:
        return max(
            m.body(
                joint.frame_b.body if joint.frame_b.body in m.bodies else joint.frame_a.body
            ).color,
            0,
        )
    # what belongs to the whole mechanism has a colour per axis
    return (
        max(m.body(channel.element).color, 0)
        if channel.element in (GROUND, *m.bodies)
        else "xyz".find(channel.key[-1]) % 8
    )


def _distinct(colors: list[int]) -> list[int]:
    """The same colours, each later double replaced by one that the pane does not have yet."""
    out: list[int] = []
    for color in colors:
        free = [c for c in range(8) if c not in colors and c not in out]
        out.append(free[0] if color in out and free else color)
    return out


def panes(project: Project, units: str = DEFAULT_SYSTEM) -> tuple[Pane, ...]:
    """The first plots of the project, or the default ones, in a unit system; channels that do not
    exist any more are left out.
    """
    # every pane asks for the same
    if _last[0] is not project or _last[1] != units:
        _last[:] = project, units, _panes(project, units)
    return _last[2]


_last: list = [None, "", ()]


def _panes(project: Project, units: str) -> tuple[Pane, ...]:
    known = known_channels(project)
    wanted = [p for p in project.plots if any(key in known for key in p.channels)] or default_plots(
        project.mechanism
    )
    out = []
    for plot in wanted[:COUNT]:
        found = [known[key] for key in plot.channels if key in known]
        # a second dimension has its own axis at the right; log panes show bare powers and need one
        # only
        dimensions = list(dict.fromkeys(c.dimension for c in found))[: None if plot.log else 2]
        chosen, found = len(found), [c for c in found if c.dimension in dimensions]
        shown_in = {d: unit(d, without_prefixes(units) if plot.log else units) for d in dimensions}
        alone = len(found) == 1
        words = _words(project, found)
        signed = {c.key for c in found if plot.log and not c.key.startswith(MAGNITUDES)}
        curves = tuple(
            Curve(
                c.key,
                f"|{words[c.key]}|" if c.key in signed else "" if alone else words[c.key],
                color,
                c.key in _DASHED,
                c.key in _HIDDEN and not alone,
                c.columns,
                shown_in[c.dimension].factor,
                c.element,
                not plot.log and c.dimension != dimensions[0],
            )
            for c, color in zip(found, _distinct([_color(project, c) for c in found]))
        )
        out.append(
            Pane(
                plot.id,
                plot.title,
                ", ".join(dict.fromkeys(u.symbol for u in shown_in.values())),
                plot.log,
                curves,
                chosen - len(found),
            )
        )
    return tuple(out)


def _words(project: Project, found: list[Channel]) -> dict[str, str]:
    """Per key its word in the legend; those that would be alike say at which point or in which axes
    they are.
    """
    words = {c.key: _WORDS.get(c.key, c.label) for c in found}
    often = Counter(words.values())
    for key, word in words.items():
        if often[word] > 1 and (told := told_words(project.mechanism, key)):
            words[key] = f"{word} ({told})"
    return words


def numbers(
    curve: Curve, rows: np.ndarray, log: bool, recorded: Mapping[str, Channel]
) -> np.ndarray | None:
    """Values of a curve over samples rows (count, width), in the pane's unit; decimal logarithms of
    magnitudes for a log pane.

    recorded: channels of the run that the samples are of, which may be one of an earlier drawing;
    None where it has not this one.
    """
    channel = recorded.get(curve.key)
    if channel is None or not channel.columns:
        return None
    columns = channel.columns
    return shown_numbers(
        curve, rows[:, columns[0]] if len(columns) == 1 else rows[:, list(columns)].sum(axis=1), log
    )


def shown_numbers(curve: Curve, values: np.ndarray, log: bool) -> np.ndarray:
    """Values [SI] of a curve as its pane shows them."""
    if log:
        return np.log10(np.maximum(np.abs(values) / curve.factor, FLOOR))
    return values / curve.factor
