"""Actions that make diagrams of curves: phase plot, one over another, spectrum, section."""

from functools import partial

from mechstudio.application.actions.conditions import needs_bodies
from mechstudio.application.actions.registry import Action, action, register
from mechstudio.application.plots.choice import choose, dropped, usual, usual_diagram, with_diagram
from mechstudio.application.plots.panes import BALANCE, keys_of, known, shown_plots
from mechstudio.application.studio import Studio
from mechstudio.curves.operations import OPERATIONS
from mechstudio.curves.quantities import quantities
from mechstudio.model.project import ACCOUNT, DIAGRAMS, Diagram
from mechstudio.translation import Words, comma, tr

MOST = 24  # curves of which the palette offers diagrams
WORDS: dict[str, Words] = {
    "phase": "phase portrait state plane rate velocity diagram",
    "over": "xy x-y versus against over diagram",
    "spectrum": "frequency fft fourier amplitude resonance diagram",
    "section": "poincare stroboscopic map crossing diagram",
}


def needs_plottable(studio: Studio) -> str:
    """Refusal where what is selected has no usual quantity, "" where it has one."""
    project = studio.document.project
    good = any(usual(project, id) for id in studio.selection.selected)
    return "" if good else tr("Select a joint, a body, a drive or a gauge first")


@action(
    "Plot it",
    "Tools",
    words="curve graph pane show quantity over time",
    unless=needs_plottable,
    context=53,
)
def plot_selected(studio: Studio) -> None:
    """Show the usual quantities of the selection in a new pane."""
    project = studio.document.project
    keys = [key for id in studio.selection.selected for key in usual(project, id)]
    target = studio.plots.pane or shown_plots(project)[0].id
    names = comma().join(studio.document.name(id) for id in studio.selection.selected)
    label = tr("Plot {names}", names=names)
    choose(
        studio.document,
        studio.notifications,
        label,
        lambda: dropped(project, target, "right", keys),
    )
    if studio.runs.recording is None:
        studio.runs.simulate()


def needs_curve(studio: Studio) -> str:
    """Refusal of a diagram without a curve to make it of, "" where there is one."""
    return "" if _curve(studio) else tr("There is no curve in the panes yet")


def _curve(studio: Studio) -> str:
    """Key of the first curve of the pane in use, else of any pane."""
    plots = shown_plots(studio.document.project)
    plots = sorted(plots, key=lambda p: p.id != studio.plots.pane)
    return next((key for p in plots if p.diagram is None and not p.log for key in p.channels), "")


def show_diagram(studio: Studio, kind: str, key: str = "") -> None:
    """Show a diagram of a curve in a new pane, of the first one of the pane in use where none is
    named; simulates where there is no run.
    """
    document = studio.document
    diagram, keys = usual_diagram(document.project, kind, key or _curve(studio))
    made, id = with_diagram(document.project, diagram, keys)
    choose(document, studio.notifications, tr(OPERATIONS[kind].label), lambda: made)
    studio.plots.activate(id)
    if studio.runs.recording is None:
        studio.runs.simulate()


def diagrams_to_find(studio: Studio) -> list[tuple[str, str, str]]:
    """Diagrams that the palette names: (kind, key of the curve, words), of what panes show and of
    joint coordinates.
    """
    project = studio.document.project
    plotted = [k for p in shown_plots(project) if not p.log for k in keys_of(p)]
    joints = [k for k in quantities(project) if k.startswith("joint/")]
    rows = known(project, list(dict.fromkeys((*plotted, *joints)))[:MOST])
    out = []
    for key, q in rows.items():
        for kind in DIAGRAMS:
            diagram, _ = usual_diagram(project, kind, key)
            if diagram.across == key and kind == "over":
                continue
            name = tr(OPERATIONS[kind].name)
            words = {
                "over": lambda d=diagram, n=name, q=q: n.format(
                    next(iter(known(project, (d.across,)).values())).name, q.name
                ),
                "section": lambda q=q: tr("Poincaré section of {name}", name=q.name),
            }.get(kind, lambda n=name, q=q: n.format(q.name))()
            out.append((kind, key, words))
    return out


DIAGRAM_ACTIONS = tuple(
    register(
        Action(
            f"diagram_{kind}",
            partial(show_diagram, kind=kind),
            OPERATIONS[kind].label,
            "Tools/Diagram",
            words=WORDS[kind],
            unless=needs_curve,
        )
    )
    for kind in DIAGRAMS
)


def show_account(studio: Studio) -> None:
    """Show the energies and works of the run as stacked bands in a new pane; simulates where there
    is no run.
    """
    document = studio.document
    made, id = with_diagram(document.project, Diagram(ACCOUNT), (BALANCE,))
    choose(document, studio.notifications, tr("Energy account"), lambda: made)
    studio.plots.activate(id)
    if studio.runs.recording is None:
        studio.runs.simulate()


energy_account = register(
    Action(
        "energy_account",
        show_account,
        "Energy account",
        "Tools/Diagram",
        words="stacked kinetic potential springs work lost damping friction impacts balance",
        section=True,
        unless=needs_bodies,
    )
)
