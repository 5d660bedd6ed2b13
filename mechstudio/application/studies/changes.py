"""Changes of studies, each one undo step, and of the drawing by a row of one."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mechstudio.application.actions.edits import sliders
from mechstudio.application.document import Document
from mechstudio.application.lessons.words import is_sample
from mechstudio.application.studies.fits import FitResult
from mechstudio.application.studies.shown_study import StudyShown
from mechstudio.curves.measurements.table import Matched
from mechstudio.curves.quantities import quantity
from mechstudio.model.edits import elements
from mechstudio.model.edits.parameters import written
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.decimal_comma import with_points
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.project import Project
from mechstudio.model.studies import edits
from mechstudio.model.studies.edits import by_id
from mechstudio.model.studies.setup import (
    BEST,
    DRAWS,
    EVOLUTION,
    FIT,
    LEAST,
    PARETO,
    POINTS,
    SHOW,
    TARGET,
    MeasuredColumn,
    MeasuredQuantity,
    RankCorrelation,
    StudySetup,
    VariedParameter,
)
from mechstudio.model.units import written_value
from mechstudio.studies import measures, variations
from mechstudio.studies.design import Design
from mechstudio.studies.variations import KINDS
from mechstudio.translation import tr

replace = msgspec.structs.replace
SHARE, STEPS = 0.1, 9  # of a parameter's value, either side, that a new study varies it by
# forms of values offered in words
RANGE, LIST, EVEN, NORMAL, TOLERANCE = "range", "list", "uniform", "normal", "tolerance"


def new_study(document: Document) -> str:
    """A new study of the project; its id."""
    project, id = edits.added(document.project)
    document.commit(tr("New study"), project)
    return id


def change(document: Document, id: str, label: str, **changes: Any) -> None:
    """Change attributes of a study."""
    document.commit(label, edits.changed(document.project, id, **changes))


def delete(document: Document, id: str) -> None:
    """Take a study away; its table stays on the disk, for an undo."""
    study = by_id(document.project, id)
    if study is not None:
        words = tr("Delete {name}", name=study.name)
        document.commit(words, edits.without(document.project, id))


def values_around(project: Project, name: str, units: str, form: str = RANGE) -> str:
    """Values to begin with, around the present one of a parameter, in a form."""
    p = project.parameters[name]
    own = lambda value: written_value(value, p.dimension, units, 4)
    value = p.value.value
    reach = SHARE * abs(value) or 1.0
    low, high = own(value - reach), own(value + reach)
    match form:
        case "list":
            return f"{low}|{own(value)}|{high}"
        case "uniform":
            return f"{low}..{high}"
        case "normal":
            return f"normal({own(value)}, {own(reach / 3)})"
        case "tolerance":
            return f"{own(value)} IT9"
    return f"{low}..{high}:{STEPS}"


def vary(document: Document, id: str, name: str, units: str) -> None:
    """Vary a parameter around its present value."""
    study = by_id(document.project, id)
    if study is not None and all(v.parameter != name for v in study.vary):
        new = VariedParameter(name, values_around(document.project, name, units))
        change(document, id, tr("Vary {name}", name=name), vary=(*study.vary, new))


def vary_number(document: Document, id: str, offer: sliders.Offer, units: str) -> str:
    """Name a number of the drawing as a parameter and vary it, in one step; returns the reason if
    it cannot be named, else "".
    """
    study = by_id(document.project, id)
    if study is None:
        return ""
    try:
        project, name = sliders.named(document.project, offer, units, False)
    except ExpressionError as error:
        return f"{offer.words}: {error}"
    new = VariedParameter(name, values_around(project, name, units))
    words = tr("Vary {name}", name=offer.words)
    document.commit(words, edits.changed(project, id, vary=(*study.vary, new)))
    return ""


def set_values(document: Document, id: str, name: str, values: str) -> None:
    """Type the values of a parameter."""
    study = by_id(document.project, id)
    if study is not None:
        new = tuple(replace(v, values=values) if v.parameter == name else v for v in study.vary)
        change(document, id, tr("Values of {name}", name=name), vary=new)


def leave(document: Document, id: str, name: str) -> None:
    """Vary a parameter no more."""
    study = by_id(document.project, id)
    if study is not None:
        change(
            document,
            id,
            tr("Vary without {name}", name=name),
            vary=tuple(v for v in study.vary if v.parameter != name),
            correlations=tuple(c for c in study.correlations if name not in (c.a, c.b)),
        )


def drawn(project: Project, study: StudySetup) -> list[str]:
    """Names of the parameters of a study that are drawn, and may be correlated."""
    found = []
    for v in study.vary if study.kind == POINTS else ():
        try:
            read = variations.read(f"{v.parameter}={v.values}", project)
        except ValueError:
            continue  # its own line says why
        if not read.is_grid:
            found.append(v.parameter)
    return found


def correlate(document: Document, id: str, a: str, b: str, value: float = 0.5) -> None:
    """Give two drawn parameters a rank correlation, or another one."""
    study = by_id(document.project, id)
    if study is None:
        return
    new = RankCorrelation(a, b, value)
    rows = [new if (c.a, c.b) == (a, b) else c for c in study.correlations]
    if new not in rows:
        rows.append(new)
    change(document, id, tr("Correlate {a} and {b}", a=a, b=b), correlations=tuple(rows))


def correlate_by(document: Document, id: str, a: str, b: str, text: str) -> None:
    """Correlate by a typed number; what is none leaves the study as it is."""
    try:
        value = float(with_points(text).replace("−", "-"))
    except ValueError:
        return
    correlate(document, id, a, b, value)


def uncorrelate(document: Document, id: str, a: str, b: str) -> None:
    """Draw two parameters without a correlation."""
    study = by_id(document.project, id)
    if study is not None:
        rows = tuple(c for c in study.correlations if (c.a, c.b) != (a, b))
        change(document, id, tr("Draw {a} and {b} apart", a=a, b=b), correlations=rows)


def measure(document: Document, id: str, channel: str) -> None:
    """Measure the peak of one more quantity; the first one is to be the least."""
    study, found = by_id(document.project, id), quantity(document.project, channel)
    if study is not None and found is not None:
        goal = SHOW if study.measures else LEAST
        new = MeasuredQuantity("peak", channel, found.name, goal=goal)
        words = tr("Measure {name}", name=found.name)
        change(document, id, words, measures=(*study.measures, new))


def set_measure(document: Document, id: str, place: int, **changes: Any) -> None:
    """Change one measure of a study."""
    study = by_id(document.project, id)
    if study is not None and place < len(study.measures):
        row = list(study.measures)
        row[place] = replace(row[place], **changes)
        change(document, id, tr("Measure otherwise"), measures=tuple(row))


def measure_no_more(document: Document, id: str, place: int) -> None:
    """Take a measure away."""
    study = by_id(document.project, id)
    if study is not None:
        row = study.measures[:place] + study.measures[place + 1 :]
        change(document, id, tr("Measure one less"), measures=row)


def problem_of_values(project: Project, name: str, values: str) -> str:
    """Reason why values cannot be taken, "" if they can."""
    try:
        variations.read(f"{name}={values}", project)
    except ValueError as error:
        return str(error)
    return ""


def problem_of_measure(project: Project, kept: MeasuredQuantity) -> str:
    """Reason why a measure cannot be taken, "" if it can."""
    try:
        measures.read_stored(kept, project)
    except ValueError as error:
        return str(error)
    return ""


def counted(project: Project, study: StudySetup) -> tuple[int, bool, str]:
    """Number of runs of a study, True if some parameters are drawn, and why it cannot be run, ""
    if it can.
    """
    if not study.vary:
        return 0, False, tr("Choose a parameter to vary.")
    if study.is_fit:
        return study.runs, False, problem_of_fit(project, study)
    if not study.measures:
        return 0, False, tr("Choose something to measure.")
    if study.is_search:
        return study.runs, False, problem_of_search(project, study)
    try:
        found = tuple(variations.read(f"{v.parameter}={v.values}", project) for v in study.vary)
        for kept in study.measures:
            measures.read_stored(kept, project)
        drawn = any(KINDS[v.kind].values is not None for v in found)
        sensitivity = study.method == "sensitivity"
        design = Design(
            found,
            study.samples if drawn else 1,
            "sobol" if sensitivity else study.method,
            study.seed,
            tuple((c.a, c.b, c.value) for c in study.correlations),
            study.one_at_a_time,
            tuple(project.parameters[v.name].value.value for v in found),
        )
        design.check()
    except ValueError as error:
        return 0, False, str(error)
    runs = study.samples * (2 + len(found)) if sensitivity else len(design)
    return runs, drawn, ""


def problem_of_search(project: Project, study: StudySetup) -> str:
    """Reason why a search cannot be run, "" if it can."""
    if problem := problem_of_bounds(project, study):
        return problem
    try:
        for kept in study.measures:
            measures.read_stored(kept, project)
            if kept.goal == TARGET:
                measures.target_of(kept, project)
    except ValueError as error:
        return str(error)
    goals = sum(m.goal != SHOW for m in study.measures)
    if not goals:
        return tr("State the goal of a measure: the least, the greatest or a target.")
    if goals > 1 and study.method != PARETO:
        return tr("Several goals are met by compromises: choose that method.")
    if goals == 1 and study.method == PARETO:
        return tr("Compromises are between several goals, and there is one.")
    return ""


def problem_of_fit(project: Project, study: StudySetup) -> str:
    """Reason why a fit cannot be run, "" if it can, as far as the project shows."""
    if not study.data:
        return tr("Choose measured data.")
    if not study.columns:
        return tr("Choose which column of the data is which quantity.")
    gone = next((c for c in study.columns if quantity(project, c.channel) is None), None)
    if gone is not None:
        return tr("{name} is no quantity of this drawing any more.", name=gone.name or gone.column)
    return problem_of_bounds(project, study)


def problem_of_bounds(project: Project, study: StudySetup) -> str:
    """Reason why values are no bounds to go between, "" if they are."""
    try:
        for text in study.bounds:
            found = variations.read(text, project)
            if found.kind != "uniform" or not found.numbers[0] < found.numbers[1]:
                return tr(
                    "{name} = {values} gives no bounds: write it as {name}=200..400 mm.",
                    name=found.name,
                    values=found.text,
                )
    except ValueError as error:
        return str(error)
    return ""


def choose_kind(document: Document, id: str, kind: str) -> None:
    """Run chosen points, search for the best or fit measured data instead."""
    study = by_id(document.project, id)
    if study is not None and kind != study.kind:
        several = sum(m.goal != SHOW for m in study.measures) > 1
        methods = {POINTS: DRAWS[0], BEST: PARETO if several else EVOLUTION, FIT: FIT}
        change(document, id, tr("Method"), method=methods[kind])


def with_numbers(project: Project, numbers: Mapping[str, float], units: str) -> Project:
    """The project with other values [SI] of some parameters.  Raises ExpressionError."""
    parameters = dict(project.parameters)
    for name, value in numbers.items():
        old = parameters[name]
        text = written(value, old.dimension, units)
        new = expression.quantity(text, old.dimension, {})
        parameters[name] = replace(old, value=new)
    # all at once: half of them might be out of bounds
    return elements.reevaluate(replace(project, parameters=parameters))


def with_row(project: Project, shown: StudyShown, row: int, units: str) -> Project:
    """The project with the numbers of a row.  Raises ExpressionError."""
    table = shown.table
    assert table is not None, "a row is of a table"
    numbers = dict(zip(table.parameters, table.varied[row].tolist(), strict=True))
    return with_numbers(project, numbers, units)


def apply(document: Document, shown: StudyShown, row: int, units: str) -> str:
    """Give the drawing the numbers of a row, in one undo step; returns why not, "" if it did."""
    study = shown.setup
    words = tr("Apply run {number} of {name}", number=row + 1, name=study.name if study else "")
    return document.change(words, lambda p: with_row(p, shown, row, units))


def use_data(
    document: Document, id: str, path: Path, clock: str, found: Sequence[tuple[str, Matched]]
) -> None:
    """Fit to columns of a file.  clock: head of the column of instants.  found: heads of the
    others, with their quantities.
    """
    columns = tuple(MeasuredColumn(head, m.quantity.key, m.quantity.name) for head, m in found)
    words = tr("Measured data of the study")
    change(document, id, words, data=_kept(document, path), clock=clock, columns=columns)


def _kept(document: Document, path: Path) -> str:
    """Path from the folder of a project that is the user's, else the whole one."""
    if document.path is not None and not is_sample(document.path):
        try:
            return Path(os.path.relpath(path, Path(document.path).parent)).as_posix()
        except ValueError:
            pass  # on another drive
    return str(path)


def apply_fit(document: Document, study: StudySetup, result: FitResult, units: str) -> str:
    """Give the drawing the numbers of a fit, in one undo step; returns why not, "" if it did."""
    numbers = {e.name: e.value for e in result.estimates}
    words = tr("Apply the fit of {name}", name=study.name)
    return document.change(words, lambda p: with_numbers(p, numbers, units))
