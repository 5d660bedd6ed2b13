"""Analyses of a run that was changed while it went on: each part by the drawing whose run it is."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import msgspec
import numpy as np

from mechstudio.engine.analyses.registry import analyse_as
from mechstudio.engine.analyses.table import TIME, Table
from mechstudio.engine.integration.options import options_of
from mechstudio.model.edits.elements import parameter_values
from mechstudio.model.formulas import expression
from mechstudio.model.project import Project
from mechstudio.model.types.analyses import ANALYSES, Options
from mechstudio.translation import localised, series, tr

replace = msgspec.structs.replace
MOST_SHOWN = 5  # changes that a note names


def analyse_parts(
    project: Project,
    drawings: Sequence[Project],
    what: str,
    given: Options,
    progress: Callable[[float], None] | None = None,
) -> Table:
    """An analysis as registry.analyse_as gives it, of a run in parts.  project: the drawing as it
    is at the end.  drawings: whose runs the parts are, each up to the start of the next one; none
    for the run of the project.

    A table over the time has the rows of all parts; one of an instant is that of the part in which
    it lies; any other is of the project, and says so.  Raises as analyse_as does.
    """
    if not drawings:
        return analyse_as(project, what, given, progress)
    begins = [drawing.mechanism.start.value for drawing in drawings]
    if ANALYSES[what].at_cursor:
        time = given.time
        if time is None:
            at = begins[0]
        elif isinstance(time, str):
            at = expression.evaluate(time, "time", parameter_values(drawings[-1]))
        else:
            at = float(time)
        part = max((k for k, begin in enumerate(begins) if begin <= at), default=0)
        return analyse_as(drawings[part], what, given, progress)
    whole = options_of(drawings[0], given.duration, given.sample_step, until=()).duration
    ends = [*begins[1:], begins[0] + whole]
    tables: list[Table] = []
    # the last part first: it decides whether the table is one over the time
    for k in reversed([k for k, begin in enumerate(begins) if ends[k] > begin]):
        share = _share(progress, len(begins) - 1 - k, len(begins))
        own = replace(given, duration=ends[k] - begins[k])
        table = analyse_as(drawings[k], what, own, share)
        if table.columns[:1] != [TIME[0]] or table.labels is not None:
            table = analyse_as(project, what, given, progress)
            without = tr("Of the drawing as it is, without the changes during the run.")
            table.notes = (*table.notes, without)
            return table
        tables.insert(0, table)
    return _joined(_alike(tables), begins[1:])


def _alike(tables: Sequence[Table]) -> list[Table]:
    """The tables with the columns that all of them have: a load of one part alone, as the pull of a
    hand, has no columns in the others.
    """
    shared = [c for c in tables[-1].columns if all(c in table.columns for table in tables)]
    if all(table.columns == shared for table in tables):
        return list(tables)
    out = []
    for table in tables:
        places = [table.columns.index(c) for c in shared]
        out.append(
            Table(
                table.what,
                [(c, table.dimensions[k]) for c, k in zip(shared, places)],
                table.rows[:, places],
                residual=table.residual,
                notes=table.notes,
                hatched=table.hatched[:, places],
            )
        )
    return out


def _share(
    progress: Callable[[float], None] | None, part: int, count: int
) -> Callable[[float], None] | None:
    """Progress of one of several parts, as that of the whole."""
    return None if progress is None else lambda fraction: progress((part + fraction) / count)


def _joined(tables: Sequence[Table], changes: Sequence[float]) -> Table:
    """One table over the time; where a part begins, its own row counts."""
    last = tables[-1]
    kept = [
        table.rows[:, 0] < following.rows[0, 0] - 1e-12 if len(following.rows) else slice(None)
        for table, following in pairwise(tables)
    ]
    picked = [*kept, slice(None)]
    residuals = [t.residual for t in tables if t.residual is not None]
    notes = tuple(dict.fromkeys(note for table in tables for note in table.notes))
    times = series(localised(f"{t:.4g} s") for t in changes[-MOST_SHOWN:])
    notes += (tr("The run was changed on its way, at {times}.", times=times),)
    if last.what == "energy":
        notes += (tr("Work is counted again from each change on."),)
    return Table(
        last.what,
        list(zip(last.columns, last.dimensions)),
        np.concatenate([t.rows[p] for t, p in zip(tables, picked)]),
        residual=max(residuals) if residuals else None,
        notes=notes,
        hatched=np.concatenate([t.hatched[p] for t, p in zip(tables, picked)]),
    )
