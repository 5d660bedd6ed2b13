"""Edits of the content of plot panes."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mechstudio.application.document import Document
from mechstudio.application.notifications import Message, Notifications
from mechstudio.application.plots import panes
from mechstudio.application.plots.layout import arranged, layout, new_id, split, with_pane
from mechstudio.application.plots.panes import fitting, shown_plots, titled
from mechstudio.curves.forces.rows import FORCE
from mechstudio.curves.gauges.rows import GAUGE
from mechstudio.curves.operations import key_of
from mechstudio.curves.quantities import quantities, quantity
from mechstudio.curves.quantity_rows import PlotQuantity, point_key
from mechstudio.model.findings import listed
from mechstudio.model.project import CurveStyle, Diagram, Plot, Project
from mechstudio.model.results.analysed_channels import is_measured
from mechstudio.translation import tr, trn

replace = msgspec.structs.replace
MOST = 32  # curves of a pane: as many as there are pairs of a colour and a dash


class PlotRefused(ValueError):
    """Error of a pane that cannot show the requested curves; the reason in one sentence."""


class Change(NamedTuple):
    """Result of an edit of curves: the project, and a sentence about curves in another pane than
    requested, or "".
    """

    project: Project
    sentence: str = ""


def with_curves(project: Project, id: str, keys: Sequence[str], shown: bool) -> Change:
    """The project with curves put into, or taken out of, the pane of an id.

    Curves without an axis there get a pane of their own at its right.  Raises PlotRefused if they
    are too many.
    """
    plot = _plot(project, id)
    known = _known(project, keys)
    if shown:
        chosen = dict.fromkeys((*plot.channels, *(key for key in keys if key in known)))
    else:
        chosen = dict.fromkeys(key for key in plot.channels if key not in keys)
    return _with(project, replace(plot, channels=tuple(chosen)), known)


def instead(project: Project, id: str, keys: Sequence[str], log: bool = False) -> Change:
    """The project with only these curves in a pane.  Raises PlotRefused if they are too many."""
    known = _known(project, keys)
    found = tuple(key for key in keys if key in known)
    if not found:
        return Change(project)
    return _with(project, replace(_plot(project, id), channels=found, log=log), known)


def dropped(project: Project, target: str, side: str, keys: Sequence[str]) -> Change:
    """The project with a new pane of these curves at a side of another one.  Raises PlotRefused if
    they are too many.
    """
    out, id = split(project, target, side)
    return instead(out, id, keys)


def with_log(project: Project, id: str, log: bool) -> Change:
    """The project with a pane of logarithmic or linear scale; signed curves leave a logarithmic one
    for a pane of their own.
    """
    plot, known = _plot(project, id), panes.named(project)
    shown = [known[key] for key in plot.channels if key in known]
    if plot.diagram is not None:
        if log and plot.diagram.kind != "spectrum":
            raise PlotRefused(
                tr("Powers of ten are for curves over the time and for spectra, not for this one.")
            )
    elif log and shown and not any(q.positive for q in shown):
        raise PlotRefused(
            trn(
                "Powers of ten show what is never negative, and {q} is signed.",
                "Powers of ten show what is never negative, and {q} are signed.",
                len(shown),
                q=listed([q.name for q in shown]),
            )
        )
    return _with(project, replace(plot, log=log), known)


def as_diagram(project: Project, id: str, diagram: Diagram | None) -> Change:
    """The project with a pane that makes another diagram of its curves, None for over the time."""
    plot = _plot(project, id)
    before = plot.diagram.across if plot.diagram is not None else ""
    drawn = _drawn(diagram, plot.channels, before)
    log = plot.log and diagram is not None and diagram.kind == "spectrum"
    known = panes.named(project)
    if diagram is not None:
        known = known | panes.known(project, filter(None, (before, diagram.across, diagram.gate)))
    return _with(project, replace(plot, channels=drawn, diagram=diagram, log=log), known)


def with_diagram(project: Project, diagram: Diagram, keys: Sequence[str]) -> tuple[Change, str]:
    """The project with a new pane of a diagram of curves at the right end, with equal room for all
    panes, and the id of the pane.
    """
    known = _known(project, (*keys, diagram.across, diagram.gate))
    found = _drawn(diagram, tuple(key for key in keys if key in known))
    plots = shown_plots(project)
    id = new_id([p.id for p in (*project.plots, *plots)])
    placed = arranged(layout(project), [*(p.id for p in plots), id])
    out = replace(project, plots=(*plots, Plot(id, "", ())), plot_layout=placed)
    return _with(out, Plot(id, "", found, diagram=diagram), known), id


def _drawn(diagram: Diagram | None, keys: tuple[str, ...], before: str = "") -> tuple[str, ...]:
    """Curves of a diagram without the one along its horizontal axis; where no other is left, the
    one that lay there before.
    """
    if diagram is None or diagram.kind != "over":
        return keys
    return tuple(key for key in keys if key != diagram.across) or (before,) * bool(before) or keys


def with_style(project: Project, id: str, key: str, **look: float) -> Project:
    """The project with another colour, dash or width of a curve of a pane, -1 and 0 for the
    usual.
    """
    plot = _plot(project, id)
    style = replace(plot.styles.get(key, CurveStyle()), **look)
    styles = {k: s for k, s in plot.styles.items() if k != key}
    if style != CurveStyle():
        styles[key] = style
    changed = replace(plot, styles=styles)
    plots = tuple(changed if p.id == plot.id else p for p in shown_plots(project))
    return replace(project, plots=plots)


def usual_diagram(project: Project, kind: str, key: str) -> tuple[Diagram, tuple[str, ...]]:
    """The default diagram of a kind for a curve, with its curves: over the first driven coordinate,
    else another one; a section of value and rate at the zeros of that coordinate in each turn if it
    is an angle, else at the zeros of its rate.
    """
    m = project.mechanism
    driven = [f"joint/{d.joint}/{d.coordinate}" for d in m.drives.values()]
    joints = (k for k, q in quantities(project).items() if q.dimension in ("angle", "length"))
    other = next(
        (
            k
            for k in (*driven, *(k for k in joints if k.startswith("joint/")))
            if k != key and quantity(project, k) is not None
        ),
        "",
    )
    rate = key_of("derivative", key)
    if kind == "over":
        return Diagram("over", across=other or key), (key,)
    if kind == "section":
        gate = quantity(project, other)
        if gate is not None and gate.dimension == "angle":
            return Diagram("section", across=key, gate=other, direction="either"), (rate,)
        gates = key_of("derivative", other) if other else key
        return Diagram("section", across=key, gate=gates), (rate,)
    return Diagram(kind), (key,)


def _plot(project: Project, id: str) -> Plot:
    plots = shown_plots(project)
    return next((p for p in plots if p.id == id), plots[0])


def _known(project: Project, keys: Sequence[str]) -> Mapping[str, PlotQuantity]:
    """Quantities that the plots show, and those of further keys."""
    return panes.named(project) | panes.known(project, keys)


def _with(project: Project, plot: Plot, known: Mapping[str, PlotQuantity]) -> Change:
    """The project with a plot in place of the one with its id, split into panes if it has too few
    axes.
    """
    if len(plot.channels) > MOST:
        raise PlotRefused(
            tr(
                "A pane shows {most} curves at most, and these would be {count}. Choose another "
                "pane, or take some out first.",
                most=MOST,
                count=len(plot.channels),
            )
        )
    first, *rest = fitting(plot, known)
    before = _plot(project, plot.id)
    named = lambda p: (p.channels, p.diagram and (p.diagram.kind, p.diagram.across))
    changed = named(first) != named(before)
    first = replace(
        first,
        id=plot.id,
        title=titled(first.diagram, first.channels, known) if changed else first.title,
    )
    plots = tuple(first if p.id == plot.id else p for p in shown_plots(project))
    out, after = replace(project, plots=plots), plot.id
    for other in rest:
        other = replace(other, id=new_id([p.id for p in out.plots]))
        out = with_pane(out, after, "right", other)
        after = other.id
    return Change(out, _sentence(plot, rest, known))


def _sentence(plot: Plot, rest: Sequence[Plot], known: Mapping[str, PlotQuantity]) -> str:
    """Sentence on curves moved to panes of their own, with the reason; "" without any."""
    keys = [key for other in rest for key in other.channels]
    if not keys:
        return ""
    names = listed([known[key].name for key in keys])
    own = tr("in its own pane") if len(keys) == 1 else tr("in their own pane")
    if plot.diagram is not None:
        return trn(
            "{names} has another unit; shown {own}.",
            "{names} have another unit; shown {own}.",
            len(keys),
            names=names,
            own=own,
        )
    if plot.log:
        return trn(
            "{names} is signed; shown {own}.",
            "{names} are signed; shown {own}.",
            len(keys),
            names=names,
            own=own,
        )
    return tr("{names} would need a third axis; shown {own}.", names=names, own=own)


def pane_with_room(project: Project, keys: Sequence[str]) -> str:
    """Id of the first pane that has axes for these curves beside its own, else of the first one."""
    known = _known(project, keys)
    plots = shown_plots(project)
    for plot in plots:
        if len(fitting(replace(plot, channels=(*plot.channels, *keys)), known)) == 1:
            return plot.id
    return plots[0].id


def usual(project: Project, id: str) -> tuple[str, ...]:
    """Keys of the quantities that a pane shows of an element dropped on it.

    These are the coordinates of a joint, the speed of a body, the effort of a drive or a coupling,
    and the reading of a gauge.  A force shows its effort along its line or coordinate, or its
    components.
    """
    m, rows = project.mechanism, quantities(project)
    if id in m.joints:
        return tuple(key for key in rows if key.startswith(f"joint/{id}/"))
    if id in m.bodies:
        return tuple(key for key in (f"resultant/body/{id}/v",) if key in rows)
    if id in project.gauges:
        return (f"{GAUGE}{id}",)
    if id in m.forces:
        effort = [q.key for q in rows.values() if q.element == id and q.dimension != "power"]
        recorded = tuple(key for key in (f"{FORCE}{id}/force",) if key in rows)
        return recorded or tuple(key for key in effort if is_measured(key))[:3]
    if id in m.drives or id in m.couplings:
        own = (q for q in rows.values() if q.element == id and q.dimension != "power")
        return tuple(q.key for q in own)
    return ()


def usual_of_point(project: Project, body: str, name: str) -> tuple[str, ...]:
    """Keys of the quantities that a pane shows of a named point dropped on it: its speed, as of a
    body.
    """
    key = point_key(body, name, "v")
    return (key,) if quantity(project, key) is not None else ()


def choose(
    document: Document, notifications: Notifications, label: str, change: Callable[[], Change]
) -> None:
    """Commit a choice of curves, and report a refusal or curves moved elsewhere."""
    try:
        done = change()
    except PlotRefused as reason:
        notifications.say(Message("warning", str(reason), "plot"))
        return
    if done.sentence:
        notifications.say(Message("info", done.sentence, "plot"))
    else:
        notifications.withdraw("plot")
    document.commit(label, done.project)
