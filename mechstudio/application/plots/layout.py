"""Layout of panes: rows, columns and tabs of plots, as a tree with shares; pure edits of it.

A side is "left", "right", "above", "below" or "tab".
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from mechstudio.application.plots.panes import shown_plots
from mechstudio.model.project import Plot, PlotLayout, Project

Part = str | PlotLayout
ROW, COLUMN, TABS = "row", "column", "tabs"
_DIRECTION = {"left": ROW, "right": ROW, "above": COLUMN, "below": COLUMN, "tab": TABS}
_BEFORE = ("left", "above")
LEAST_SHARE = 0.02


def layout(project: Project) -> PlotLayout:
    """The layout of the plots as they are shown: each stands in it once."""
    return arranged(project.plot_layout, [plot.id for plot in shown_plots(project)])


def arranged(requested: PlotLayout | None, ids: Sequence[str]) -> PlotLayout:
    """A layout of exactly these plots; those that `requested` does not name follow in a row."""
    left = list(ids)
    root = None if requested is None else _pruned(requested, left)
    parts = () if root is None else (root,)
    return _grouped(ROW, (*parts, *left), _with_room(parts, len(left)))


def _with_room(parts: tuple[Part, ...], more: int) -> tuple[float, ...]:
    """Shares of the present and of further plots, equal for all plots."""
    count = sum(len(list(plots_in(part))) for part in parts)
    return (*((count,) if parts else ()), *(1.0,) * more)


def plots_in(part: Part) -> Iterator[str]:
    """Ids of the plots of a part, from left to right and from top to bottom."""
    if isinstance(part, str):
        yield part
    else:
        for each in part.parts:
            yield from plots_in(each)


def _pruned(part: Part, left: list[str]) -> Part | None:
    """The part with plots of `left` only, which are taken out of that list; None if none is."""
    if isinstance(part, str):
        if part not in left:
            return None
        left.remove(part)
        return part
    kept = [(p, s) for p, s in zip(part.parts, shares(part), strict=True)]
    found = [(inner, s) for p, s in kept if (inner := _pruned(p, left)) is not None]
    if not found:
        return None
    group = _grouped(part.direction, [p for p, _ in found], [s for _, s in found], part.extra)
    return group if len(group.parts) > 1 else next(iter(group.parts))


def _grouped(
    direction: str,
    parts: Sequence[Part],
    weights: Sequence[float],
    extra: Mapping[str, Any] | None = None,
) -> PlotLayout:
    """A group whose shares add up to 1; groups of the same direction in it are dissolved."""
    out: list[Part] = []
    own: list[float] = []
    for part, weight in zip(parts, weights, strict=True):
        if isinstance(part, PlotLayout) and part.direction == direction:
            out += part.parts
            own += [weight * s for s in shares(part)]
        else:
            out.append(part)
            own.append(weight)
    whole = sum(own) or 1.0
    if len(out) == 1 and isinstance(out[0], PlotLayout):
        return out[0]
    return PlotLayout(direction, tuple(out), tuple(w / whole for w in own), extra or {})


def shares(group: PlotLayout) -> tuple[float, ...]:
    """Shares of the parts of a group, which add up to 1; equal ones where the group's are no shares
    of its parts.
    """
    given = group.shares
    if len(given) != len(group.parts) or not all(0 < s < float("inf") for s in given):
        return (1.0 / max(len(group.parts), 1),) * len(group.parts)
    whole = sum(given)
    return tuple(s / whole for s in given)


def inserted(root: PlotLayout, id: str, target: str, side: str) -> PlotLayout:
    """The layout with a plot at a side of another one, which shares its room with it; a plot that
    stands already is moved.
    """
    if id == target:
        return root
    rest = _pruned(root, [p for p in plots_in(root) if p != id])
    if rest is None:
        return root
    return _rooted(_inserted(rest, id, target, side))


def _rooted(part: Part) -> PlotLayout:
    return part if isinstance(part, PlotLayout) else PlotLayout(ROW, (part,), (1.0,))


def _inserted(part: Part, id: str, target: str, side: str) -> Part:
    direction = _DIRECTION[side]
    # tabs are split as a whole
    if part == target or (
        isinstance(part, PlotLayout) and part.direction == TABS and target in part.parts
    ):
        pair = (id, part) if side in _BEFORE else (part, id)
        return _grouped(direction, pair, (0.5, 0.5) if direction != TABS else (1.0, 1.0))
    if isinstance(part, str):
        return part
    parts = [_inserted(p, id, target, side) for p in part.parts]
    return _grouped(part.direction, parts, shares(part), part.extra)


def resized(root: PlotLayout, path: Sequence[int], sizes: Sequence[float]) -> PlotLayout:
    """The layout with other shares in the group at a path of indices."""
    if not path:
        weights = [max(size, LEAST_SHARE * sum(sizes)) for size in sizes]
        return replace(root, shares=tuple(round(w / sum(weights), 4) for w in weights))
    k = path[0]
    inner = root.parts[k]
    assert isinstance(inner, PlotLayout), "the path leads to a group"
    parts = (*root.parts[:k], resized(inner, path[1:], sizes), *root.parts[k + 1 :])
    return replace(root, parts=parts)


# edits of the project


def new_id(taken: Collection[str]) -> str:
    """An id that no plot has."""
    k = len(taken) + 1
    while f"plot_{k}" in taken:
        k += 1
    return f"plot_{k}"


def with_pane(project: Project, target: str, side: str, plot: Plot) -> Project:
    """The project with a further plot at a side of another one; with an empty target at the right
    end.
    """
    plots, root = shown_plots(project), layout(project)
    target = target or (list(plots_in(root)) or [""])[-1]
    placed = (
        inserted(arranged(root, [p.id for p in plots]), plot.id, target, side)
        if target
        else PlotLayout(ROW, (plot.id,))
    )
    return replace(project, plots=(*plots, plot), plot_layout=placed)


def split(project: Project, target: str, side: str) -> tuple[Project, str]:
    """The project with an empty plot at a side of another one, and its id."""
    id = new_id([p.id for p in (*project.plots, *shown_plots(project))])
    return with_pane(project, target, side, Plot(id, "", ())), id


def closed(project: Project, id: str) -> Project:
    """The project without a plot; the last one leaves an empty one."""
    plots = tuple(p for p in shown_plots(project) if p.id != id) or (Plot("plot_1", "", ()),)
    rest = arranged(layout(project), [p.id for p in plots])
    return replace(project, plots=plots, plot_layout=rest)


def moved(project: Project, id: str, target: str, side: str) -> Project:
    """The project with a plot at a side of another one."""
    root = layout(project)
    placed = inserted(root, id, target, side)
    if placed == root:
        return project
    return replace(project, plots=shown_plots(project), plot_layout=placed)


def with_shares(project: Project, path: Sequence[int], sizes: Sequence[float]) -> Project:
    """The project with other sizes of the parts of a group."""
    return replace(
        project, plots=shown_plots(project), plot_layout=resized(layout(project), path, sizes)
    )
