"""Projects, runs, tables and equations as a notebook shows them (Jupyter)."""

import html
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from mechstudio.curves.tables import without_rounding
from mechstudio.model import units
from mechstudio.model.project import Project
from mechstudio.translation import tr, trn

if TYPE_CHECKING:
    from mechstudio.api.result import Result
    from mechstudio.engine.analyses.table import Table
    from mechstudio.symbolic.derivation import Derivation

MOST_ROWS = 40  # of a table that are shown
PICTURE = (560, 380)  # [px]
PLOT = (760, 240)  # [px] of each pane


def project_html(project: Project) -> str:
    """The kinematic diagram, with mobility and findings below it; in words where there is
    nothing to draw or the drawing has a fault.
    """
    from mechstudio.api.drawings import diagram
    from mechstudio.api.projects import check

    parts = [_heading(project.lesson.title)]
    if not project.mechanism.bodies:
        return "".join((*parts, _line(tr("The drawing is empty."))))
    analysis = check(project)
    try:
        parts.append(diagram(project, size=PICTURE))
    except ValueError as error:
        parts.append(_line(str(error)))
    if (s := analysis.structure) is not None:
        sentence = tr(
            "Mobility {mobility}, hyperstatic {hyperstaticity}, loops {loops}.",
            mobility=s.mobility,
            hyperstaticity=s.hyperstaticity,
            loops=s.loops,
        )
        parts.append(_line(sentence))
    parts += [_line(f"{f.message} {f.cure}".strip()) for f in analysis.findings]
    return "".join(parts)


def result_html(result: "Result") -> str:
    """The plots of the project over a run, or its energies, with its length and errors."""
    from mechstudio.curves.quantities import QuantityNotFound

    project = result.project
    parts = [_heading(project.lesson.title)]
    if not len(result):
        return "".join((*parts, _line(tr("The run has no sample."))))
    sentence = tr(
        "{samples} samples over {duration:.6g} s; energy error {energy:.3g} J, constraint error "
        "{constraint:.3g} m.",
        samples=len(result),
        duration=float(result.time[-1] - result.time[0]),
        energy=float(abs(result.energy_balance).max()),
        constraint=float(abs(result.constraint_error[:, 0]).max()),
    )
    parts.append(_line(sentence))
    shown = [p.channels for p in project.plots if p.channels and p.diagram is None]
    for channels in shown[:3] or [("energy/kinetic", "energy/potential", "energy/total")]:
        try:
            parts.append(result.plot(*channels, size=PLOT))
        except QuantityNotFound as error:
            parts.append(_line(str(error)))
    return "".join(parts)


def table_html(table: "Table") -> str:
    """The first rows of an analysis, in its units, with its notes."""
    shown = [units.unit(d, units.DEFAULT_SYSTEM) for d in table.dimensions]
    heads = [
        f"{name} [{unit.symbol}]" if unit.symbol else name
        for name, unit in zip(table.columns, shown, strict=True)
    ]
    rows = []
    numbers = without_rounding(table.what, table.dimensions, table.rows)
    for k, row in enumerate(numbers[:MOST_ROWS]):
        cells = [
            units.format_number(float(value) / unit.factor, 6)
            + ("*" if table.hatched is not None and table.hatched[k, c] else "")
            for c, (value, unit) in enumerate(zip(row, shown, strict=True))
        ]
        rows.append([*([table.labels[k]] if table.labels else []), *cells])
    parts = [_grid([*([""] if table.labels else []), *heads], rows)]
    if (more := len(table.rows) - MOST_ROWS) > 0:
        parts.append(_line(trn("One more row.", "{count} more rows.", more)))
    if table.hatched is not None and table.hatched[:MOST_ROWS].any():
        parts.append(_line(tr("* Rigid bodies do not determine these numbers.")))
    return "".join((*parts, *map(_line, table.notes)))


def derivation_latex(derivation: "Derivation") -> str:
    """The equations as display mathematics."""
    return derivation.latex()


def _heading(text: str) -> str:
    return f"<h4>{html.escape(text)}</h4>" if text else ""


def _line(text: str) -> str:
    return f"<p>{html.escape(text)}</p>"


def _grid(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th>{html.escape(each)}</th>" for each in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


# types by module and name, so that none is imported before it is shown
SHOWN: dict[str, tuple[tuple[str, str, Callable[[Any], str]], ...]] = {
    "text/html": (
        ("mechstudio.model.project", "Project", project_html),
        ("mechstudio.api.result", "Result", result_html),
        ("mechstudio.engine.analyses.table", "Table", table_html),
    ),
    "text/latex": (("mechstudio.symbolic.derivation", "Derivation", derivation_latex),),
}


def show_in_notebooks(shell: Any) -> None:
    """Teach an IPython shell how to show projects, runs, tables and equations."""
    formatters = shell.display_formatter.formatters
    for kind, rows in SHOWN.items():
        for module, name, written in rows:
            formatters[kind].for_type_by_name(module, name, written)
