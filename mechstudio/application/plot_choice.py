"""Which quantities a plot can show, in the order of a menu, and the edits that choose among them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from mechstudio.model.channels import Channel, channels
from mechstudio.model.measured_channels import is_measured, measured_channels
from mechstudio.model.project import Plot, Project

from .plots import COUNT, default_plots, known_channels

replace = msgspec.structs.replace
_GROUPS = {"joint": "Joints", "body": "Bodies", "energy": "Energy", "constraint": "Constraint error", "momentum": "Momentum", "contact": "Contacts"}
_ANALYSES = {"reactions": "Reactions", "inverse": "Efforts", "kinematics": "Accelerations", "momenta": "Momentum", "relative": "Relative motion", "drift": "Drift"}
MOST = 8                # curves of a pane: as many as there are colours


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
        out.append(Offer(key, group, element, channel.label[len(element):].strip() or channel.label if element and channel.label.startswith(element) else channel.label))
    return out


def shown_plots(project: Project) -> tuple[Plot, ...]:
    """The plots as they are shown: the project's, or the default ones."""
    known = known_channels(project)
    return tuple(p for p in project.plots if any(key in known for key in p.channels))[:COUNT] or default_plots(project.mechanism)


def with_curves(project: Project, index: int, keys: Sequence[str], shown: bool) -> Project:
    """The project with curves put into, or taken out of, its pane of an index.  A pane has two axes: a third dimension takes the second one's place."""
    plots = list(shown_plots(project))
    index = min(index, len(plots) - 1)
    plot = plots[index]
    known = known_channels(replace(project, plots=(*project.plots, Plot("new", "", tuple(keys)))))
    if shown:
        chosen = list(dict.fromkeys((*(key for key in plot.channels if key in known), *(key for key in keys if key in known))))
        chosen = _two_axes(chosen, [key for key in keys if key in known], known, plot.log)[-MOST:]
    else:
        chosen = [key for key in plot.channels if key not in keys]
    if not chosen:
        return project
    plots[index] = replace(plot, channels=tuple(chosen), title=title([known[key] for key in chosen if key in known]))
    return replace(project, plots=tuple(plots))


def instead(project: Project, index: int, keys: Sequence[str], log: bool = False) -> Project:
    """The project with these curves alone in a pane."""
    plots = list(shown_plots(project))
    index = min(index, len(plots) - 1)
    known = known_channels(replace(project, plots=(*project.plots, Plot("new", "", tuple(keys)))))
    found = _two_axes([key for key in keys if key in known], [], known, log)[:MOST]
    if not found:
        return project
    plots[index] = replace(plots[index], channels=tuple(found), title=title([known[key] for key in found]), log=log)
    return replace(project, plots=tuple(plots))


def with_log(project: Project, index: int, log: bool) -> Project:
    """The project with a pane of powers of ten, or not."""
    plots = list(shown_plots(project))
    plots[index] = replace(plots[index], log=log)
    return replace(project, plots=tuple(plots))


def _two_axes(chosen: list[str], new: Sequence[str], known: dict[str, Channel], log: bool) -> list[str]:
    dimensions = list(dict.fromkeys(known[key].dimension for key in chosen))
    wanted = list(dict.fromkeys(known[key].dimension for key in new)) or dimensions
    most = 1 if log else 2
    if len(dimensions) <= most:
        return chosen
    # what was just asked for stays, beside the first axis where there is room
    kept = [*wanted[:most], *(d for d in dimensions if d not in wanted)][:most]
    return [key for key in chosen if known[key].dimension in kept]


def title(shown: Iterable[Channel]) -> str:
    """A title for a pane: its only curve, or what its curves have in common."""
    shown = list(shown)
    if len(shown) == 1:
        return shown[0].label
    kinds = list(dict.fromkeys(_ANALYSES[c.key.split("/")[1]] if is_measured(c.key) else _GROUPS[c.key.split("/")[0]] for c in shown))
    return ", ".join(kinds[:2])
