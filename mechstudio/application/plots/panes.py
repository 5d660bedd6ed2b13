"""Contents of the plot panes, as data: curves with label, unit, colour and dash, and their numbers
from a recording.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np

from mechstudio.curves.analysis_questions import needs_analysis
from mechstudio.curves.dimensions import rate_of, unit_of
from mechstudio.curves.energy import worked_by
from mechstudio.curves.operations import OPERATIONS, found_by
from mechstudio.curves.quantities import quantities, quantity
from mechstudio.curves.quantity_rows import PlotQuantity
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.project import ACCOUNT, CurveStyle, Diagram, Plot, Project
from mechstudio.model.results.analysed_channels import reported_words
from mechstudio.model.results.channels import channels
from mechstudio.model.results.sample import sample_layout
from mechstudio.model.units import DEFAULT_SYSTEM, without_prefixes
from mechstudio.translation import comma, tr

replace = msgspec.structs.replace
ENERGY = Plot(
    "energy", "Energy", ("energy/kinetic", "energy/potential", "energy/total", "energy/balance")
)
CONSTRAINT = Plot(
    "constraint", "Constraint error", ("constraint/position", "constraint/velocity"), log=True
)
CONTACT = Plot("contact", "Contact solve", ("contact/residual", "contact/overlap"), log=True)
BALANCE = "energy/balance"  # all that an account is of
AXES = 2  # of a pane, left and right
# error curves below this share of their unit are rounding; log axes end here
FLOOR = 1e-18
# dashes in their order, the first one solid, so that as many curves as there are colours are
# distinguished without one
DASHES = ("solid", "dash", "dot", "dashdot", "long", "dashdotdot", "short", "longdot")


class Curve(msgspec.Struct, frozen=True):
    """One curve.  key: of its quantity; measured: an analysis finds it after the run; word: in the
    pane's head; label: its whole name; color: series index of its body or quantity; dash: index
    into DASHES; factor: SI value of its unit, whose symbol is `unit`; second: it is read on the
    right axis; tip: how it is found, where it is computed; width: of its line [px], 0 for the usual
    one.
    """

    key: str
    word: str
    color: int
    dash: int
    hidden: bool
    measured: bool
    factor: float
    element: str = ""
    second: bool = False
    tip: str = ""
    label: str = ""
    unit: str = ""
    width: float = 0.0


class Pane(msgspec.Struct, frozen=True):
    """One plot.  units: symbols at the heads of its left and right axis; the right one is empty
    where there is none.

    diagram: kind of diagram of its curves, None over the time.  across, gate: its further
    quantities, None where it has none.  powers: of drives, that an account is split by.
    """

    id: str
    title: str
    units: tuple[str, str]
    log: bool
    curves: tuple[Curve, ...]
    diagram: Diagram | None = None
    across: Curve | None = None
    gate: Curve | None = None
    powers: tuple[Curve, ...] = ()

    @property
    def is_account(self) -> bool:
        """True for stacked energies over the time."""
        return self.diagram is not None and self.diagram.kind == ACCOUNT

    @property
    def over_time(self) -> bool:
        """True where the horizontal axis is the time."""
        return self.diagram is None or self.is_account

    @property
    def needed(self) -> tuple[Curve, ...]:
        """All curves that the pane reads."""
        further = (c for c in (self.across, self.gate) if c is not None)
        return (*self.curves, *further, *self.powers)

    @property
    def two_axes(self) -> bool:
        return any(c.second for c in self.curves)


def default_plots(mechanism: Mechanism) -> tuple[Plot, ...]:
    """First joint coordinate, or height of the first body where there is no joint; energy;
    constraint error, or that of the contacts where no joint has any.
    """
    known = channels(mechanism)
    joint = next((c for key, c in known.items() if key.startswith("joint/")), None)
    first = joint or next(
        (c for key, c in known.items() if key.startswith("body/") and key.endswith("/z")), None
    )
    last = CONTACT if joint is None and CONTACT.channels[0] in known else CONSTRAINT
    return ((Plot("coordinate", first.label, (first.key,)),) if first else ()) + (ENERGY, last)


def known(project: Project, keys: Iterable[str]) -> dict[str, PlotQuantity]:
    """The quantities of those keys that the project has."""
    found = {key: quantity(project, key) for key in keys}
    return {key: q for key, q in found.items() if q is not None}


def named(project: Project) -> dict[str, PlotQuantity]:
    """The quantities that the project's plots and the default ones show."""
    plots = (*project.plots, *default_plots(project.mechanism))
    return known(project, (key for plot in plots for key in keys_of(plot)))


def keys_of(plot: Plot) -> tuple[str, ...]:
    """Keys of all quantities that a plot reads."""
    d = plot.diagram
    return plot.channels if d is None else (*plot.channels, *filter(None, (d.across, d.gate)))


def _color(project: Project, shown: PlotQuantity) -> int:
    """A body has one colour everywhere; a joint's coordinate has that of the body it moves."""
    if shown.color is not None:
        return shown.color
    m, element = project.mechanism, shown.element
    if element in m.drives:
        element = m.drives[element].joint
    joint = m.joints.get(element)
    if joint is not None:
        return max(
            m.body(
                joint.frame_b.body if joint.frame_b.body in m.bodies else joint.frame_a.body
            ).color,
            0,
        )
    # what belongs to the whole mechanism has a colour per axis
    return (
        max(m.body(element).color, 0)
        if element in (GROUND, *m.bodies)
        else "xyz".find(shown.key[-1]) % 8
    )


def _distinct(colors: list[int]) -> list[int]:
    """The same colours, each later double replaced by one that the pane does not have yet."""
    out: list[int] = []
    for color in colors:
        free = [c for c in range(8) if c not in colors and c not in out]
        out.append(free[0] if color in out and free else color)
    return out


def fitting(plot: Plot, known: Mapping[str, PlotQuantity]) -> tuple[Plot, ...]:
    """The plot, followed by plots of the curves without an axis in it: curves of a third unit, in a
    diagram of a second one, and signed ones where its axis is logarithmic.  What is not known goes.
    """
    keys = tuple(dict.fromkeys(key for key in plot.channels if key in known))
    if plot.diagram is not None and plot.diagram.kind == ACCOUNT:
        stay = [key for key in keys if key == BALANCE]
    elif plot.log and plot.diagram is None:
        stay = [key for key in keys if known[key].positive]
    else:
        most = AXES if plot.diagram is None else 1
        dimensions = list(dict.fromkeys(known[key].dimension for key in keys))[:most]
        stay = [key for key in keys if known[key].dimension in dimensions]
    rest = tuple(key for key in keys if key not in stay)
    if not rest:
        return (replace(plot, channels=keys),)
    first = replace(plot, channels=tuple(stay), title=titled(plot.diagram, stay, known))
    diagram = None if plot.diagram is not None and plot.diagram.kind == ACCOUNT else plot.diagram
    other = Plot(
        f"{plot.id}_{len(stay)}",
        titled(diagram, rest, known),
        rest,
        log=plot.log and diagram is not None,
        diagram=diagram,
        styles={key: plot.styles[key] for key in rest if key in plot.styles},
    )
    return (*((first,) if stay else ()), *fitting(other, known))


def shown_plots(project: Project) -> tuple[Plot, ...]:
    """The plots as they are shown: those of the project that have something to show, or nothing to
    show yet, else the default ones.
    """
    there = named(project)
    own = [
        fit
        for plot in project.plots
        if not plot.channels or any(key in there for key in plot.channels)
        for fit in fitting(plot, there)
    ]
    return tuple(own) or default_plots(project.mechanism)


def title(shown: Iterable[PlotQuantity]) -> str:
    """A title for a pane: its only curve, or what its curves have in common."""
    shown = list(shown)
    if len(shown) == 1:
        return shown[0].name
    return comma().join(list(dict.fromkeys(q.group for q in shown))[:2])


def titled(diagram: Diagram | None, keys: Sequence[str], known: Mapping[str, PlotQuantity]) -> str:
    """A title for a pane of curves, in words of its diagram."""
    words = title([known[key] for key in keys])
    if diagram is None or not words:
        return words
    if diagram.kind == ACCOUNT:
        return tr("Energy account")
    across = known.get(diagram.across)
    names = ("–" if across is None else across.name, words)
    operation = OPERATIONS[diagram.kind]
    return tr(operation.name).format(*(names if operation.operands > 1 else names[1:]))


def panes(project: Project, units: str = DEFAULT_SYSTEM) -> tuple[Pane, ...]:
    """The plots of the project as they are shown, in a unit system."""
    # every pane needs the same
    if _last[0] is not project or _last[1] != units:
        _last[:] = project, units, _panes(project, units)
    return _last[2]


_last: list = [None, "", ()]


def _panes(project: Project, units: str) -> tuple[Pane, ...]:
    there, out = named(project), []
    for plot in shown_plots(project):
        if plot.diagram is not None and plot.diagram.kind != "spectrum":
            plot = replace(plot, log=False)  # as a file may have it, which means nothing
        found = [there[key] for key in plot.channels if key in there]
        # log panes show bare powers, on one axis
        dimensions = list(dict.fromkeys(c.dimension for c in found))
        shown_in = {
            d: unit_of(d, without_prefixes(units) if plot.log else units) for d in dimensions
        }
        alone = len(found) == 1
        words = _words(project, found)
        curves = tuple(
            Curve(
                c.key,
                "" if alone else words[c.key],
                color,
                k % len(DASHES),
                c.hidden and not alone,
                any(map(needs_analysis, c.parts)),
                shown_in[c.dimension].factor,
                c.element,
                not plot.log and c.dimension != dimensions[0],
                tip=found_by(c.key),
                label=c.name,
                unit=shown_in[c.dimension].symbol,
            )
            for k, (c, color) in enumerate(
                zip(found, _distinct([_color(project, c) for c in found]), strict=True)
            )
        )
        curves = tuple(_styled(c, plot.styles.get(c.key)) for c in curves)
        if plot.diagram is not None:
            out.append(_diagram_pane(project, plot, there, curves, units))
            continue
        symbols = [u.symbol for u in shown_in.values()]
        left, right = (
            (", ".join(dict.fromkeys(symbols)), "")
            if plot.log
            else (*symbols[:AXES], "", "")[:AXES]
        )
        out.append(Pane(plot.id, plot.title, (left, right), plot.log, curves))
    return tuple(out)


def _styled(curve: Curve, style: CurveStyle | None) -> Curve:
    """The curve in a look of its own."""
    if style is None:
        return curve
    return replace(
        curve,
        color=curve.color if style.color < 0 else style.color,
        dash=curve.dash if style.dash < 0 else style.dash,
        width=style.width,
    )


def _diagram_pane(
    project: Project,
    plot: Plot,
    there: Mapping[str, PlotQuantity],
    curves: tuple[Curve, ...],
    units: str,
) -> Pane:
    """The pane of a plot that is a diagram, which has one vertical axis."""
    d = plot.diagram
    assert d is not None
    further = {
        name: _plain_curve(there[key], units)
        for name, key in (("across", d.across), ("gate", d.gate))
        if key in there
    }
    powers: tuple[Curve, ...] = ()
    m = project.mechanism
    # runs with contacts, or with one kind of work, have these curves of their own
    if d.kind == ACCOUNT and all(worked_by(m)) and not sample_layout(m).touching:
        drives = [id for id, drive in m.drives.items() if drive.enabled]
        rows = [q for q in quantities(project).values() if q.element in drives]
        powers = tuple(_plain_curve(q, units) for q in rows if q.dimension == "power")
    dimension = there[curves[0].key].dimension if curves else "number"
    if d.kind == "phase":
        dimension = rate_of(dimension)
    symbol = unit_of(dimension, without_prefixes(units) if plot.log else units).symbol
    return Pane(plot.id, plot.title, (symbol, ""), plot.log, curves, d, **further, powers=powers)


def _plain_curve(q: PlotQuantity, units: str) -> Curve:
    """A quantity that is read and not drawn itself."""
    own = unit_of(q.dimension, units)
    measured = any(map(needs_analysis, q.parts))
    return Curve(
        q.key, q.word, 0, 0, False, measured, own.factor, q.element, label=q.name, unit=own.symbol
    )


def _words(project: Project, found: list[PlotQuantity]) -> dict[str, str]:
    """Per key its word in the legend; those that would be alike say at which point or in which axes
    they are.
    """
    words = {c.key: c.word for c in found}
    often = Counter(words.values())
    for key, word in words.items():
        if often[word] > 1 and (reported := reported_words(project.mechanism, key)):
            words[key] = f"{word} ({reported})"
    return words


def shown_numbers(curve: Curve, values: np.ndarray, log: bool) -> np.ndarray:
    """Values [SI] of a curve as its pane shows them."""
    if log:
        return np.log10(np.maximum(np.abs(values) / curve.factor, FLOOR))
    return values / curve.factor
