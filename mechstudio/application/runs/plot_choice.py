"""Quantities that a plot can show, in the order of a menu, and the edits that choose among them."""

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mechstudio.application.document import Document
from mechstudio.application.notifications import Message, Notifications
from mechstudio.application.runs.plots import COUNT, default_plots, known_channels
from mechstudio.model.project import Plot, Project
from mechstudio.model.results.channels import Channel, channels
from mechstudio.model.results.measured_channels import is_measured, measured_channels

replace = msgspec.structs.replace
_GROUPS = {
    "joint": "Joints",
    "body": "Bodies",
    "energy": "Energy",
    "constraint": "Constraint error",
    "momentum": "Momentum",
    "contact": "Contacts",
}
_ANALYSES = {
    "reactions": "Reactions",
    "inverse": "Efforts",
    "kinematics": "Accelerations",
    "momenta": "Momentum",
    "relative": "Relative motion",
    "drift": "Drift",
}
MOST = 8  # curves of a pane: as many as there are colours
AXES = 2  # of a pane


class PlotRefused(ValueError):
    """A pane cannot show what was asked for, and why, in one sentence."""


class Offer(NamedTuple):
    """A quantity and where it stands: menu (group, element or "") and its word."""

    key: str
    group: str
    element: str
    word: str


def offers(project: Project) -> list[Offer]:
    """Everything that a plot of the project can show."""
    m = project.mechanism
    names = {id: e.name for section in (m.joints, m.bodies, m.drives) for id, e in section.items()}
    out = []
    for key, channel in (*channels(m).items(), *measured_channels(m).items()):
        parts = key.split("/")
        group = _ANALYSES[parts[1]] if is_measured(key) else _GROUPS[parts[0]]
        element = names.get(channel.element, "")
        out.append(
            Offer(
                key,
                group,
                element,
                channel.label[len(element) :].strip() or channel.label
                if element and channel.label.startswith(element)
                else channel.label,
            )
        )
    return out


def shown_plots(project: Project) -> tuple[Plot, ...]:
    """The plots as they are shown: the project's, or the default ones."""
    known = known_channels(project)
    return tuple(p for p in project.plots if any(key in known for key in p.channels))[
        :COUNT
    ] or default_plots(project.mechanism)


def with_curves(project: Project, index: int, keys: Sequence[str], shown: bool) -> Project:
    """The project with curves put into, or taken out of, its pane of an index.  Raises PlotRefused
    where they do not fit beside the others.
    """
    plots = list(shown_plots(project))
    index = min(index, len(plots) - 1)
    plot = plots[index]
    known = known_channels(replace(project, plots=(*project.plots, Plot("new", "", tuple(keys)))))
    if shown:
        present = [key for key in plot.channels if key in known]
        chosen = list(dict.fromkeys((*present, *(key for key in keys if key in known))))
        _check(chosen, known, plot.title)
    else:
        chosen = [key for key in plot.channels if key not in keys]
    if not chosen:
        return project
    plots[index] = replace(
        plot, channels=tuple(chosen), title=title([known[key] for key in chosen if key in known])
    )
    return replace(project, plots=tuple(plots))


def instead(project: Project, index: int, keys: Sequence[str], log: bool = False) -> Project:
    """The project with these curves alone in a pane.  Raises PlotRefused where one pane cannot hold
    them.
    """
    plots = list(shown_plots(project))
    index = min(index, len(plots) - 1)
    known = known_channels(replace(project, plots=(*project.plots, Plot("new", "", tuple(keys)))))
    found = [key for key in keys if key in known]
    if not found:
        return project
    _check(found, known, "")
    plots[index] = replace(
        plots[index], channels=tuple(found), title=title([known[key] for key in found]), log=log
    )
    return replace(project, plots=tuple(plots))


def pane_with_room(project: Project, keys: Sequence[str]) -> int:
    """Index of the first pane that takes these curves beside its own, 0 where none does."""
    for index in range(len(shown_plots(project))):
        with contextlib.suppress(PlotRefused):
            with_curves(project, index, keys, True)
            return index
    return 0


def choose(
    document: Document, notifications: Notifications, label: str, change: Callable[[], Project]
) -> None:
    """Commit a choice of curves; where it is refused, say why."""
    try:
        project = change()
    except PlotRefused as reason:
        notifications.say(Message("warning", str(reason), "plot"))
        return
    notifications.withdraw("plot")
    document.commit(label, project)


def with_log(project: Project, index: int, log: bool) -> Project:
    """The project with a pane of powers of ten, or not."""
    plots = list(shown_plots(project))
    plots[index] = replace(plots[index], log=log)
    return replace(project, plots=tuple(plots))


def _check(chosen: Sequence[str], known: Mapping[str, Channel], plot: str) -> None:
    """Raise PlotRefused where curves have more dimensions than a pane has axes, or are more than
    there are colours.  plot: its title.
    """
    units = list(dict.fromkeys(known[key].dimension.replace("_", " ") for key in chosen))
    there = f"The plot {plot}" if plot else "One plot"
    if len(units) > AXES:
        raise PlotRefused(
            f"{there} has two axes, and these curves would need {len(units)}: "
            f"{', '.join(units[:-1])} and {units[-1]}. "
            "Choose another plot, or take a curve out first."
        )
    if len(chosen) > MOST:
        raise PlotRefused(
            f"{there} shows {MOST} curves at most, and these would be {len(chosen)}. Choose "
            "another plot, or take some out first."
        )


def title(shown: Iterable[Channel]) -> str:
    """A title for a pane: its only curve, or what its curves have in common."""
    shown = list(shown)
    if len(shown) == 1:
        return shown[0].label
    kinds = list(
        dict.fromkeys(
            _ANALYSES[c.key.split("/")[1]] if is_measured(c.key) else _GROUPS[c.key.split("/")[0]]
            for c in shown
        )
    )
    return ", ".join(kinds[:2])
