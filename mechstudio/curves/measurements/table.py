"""Tables of measured data: read from text, and their columns matched with quantities."""

import codecs
import csv
import math
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mechstudio.curves.course import Course
from mechstudio.curves.quantities import QuantityNotFound, find
from mechstudio.curves.quantity_rows import PlotQuantity
from mechstudio.curves.tables import Column
from mechstudio.model.formulas.dimensions import ExpressionError
from mechstudio.model.formulas.expression import evaluate
from mechstudio.model.project import Project
from mechstudio.translation import comma, tr

HEAD = re.compile(r"^(?P<name>.*?)\s*[\[(](?P<unit>[^\])]*)[\])]\s*$")
TIMES = ("t", "time", "zeit", "temps")  # names of the column of instants
MOST_COLUMNS = 2000
LEAST = 3  # instants that both must have


class DataUnreadable(ValueError):
    """A table that cannot be read or laid over a run, and why, in one sentence."""


class Matched(NamedTuple):
    """A column and its quantity.  course: its values in SI over its own clock."""

    column: str
    quantity: PlotQuantity
    course: Course


def text_of(path: str | os.PathLike[str]) -> str:
    """Text of a file in UTF-8 or UTF-16, else in Windows' western letters, in which spreadsheets
    write.  Raises OSError.
    """
    content = Path(path).read_bytes()
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def read(text: str) -> list[Column]:
    """Columns of a table of comma, semicolon or tab separated values, names with units in its first
    line: "A angle [deg]".  Decimal commas are read where commas do not separate.  Raises
    DataUnreadable.
    """
    whole = text.lstrip("\ufeff").splitlines()
    numbers = [k for k, line in enumerate(whole, 1) if line.strip()]  # of lines that say something
    lines = [whole[k - 1] for k in numbers]
    if len(lines) < 1 + LEAST:
        raise DataUnreadable(
            tr("The table needs a line of names and {count} lines of numbers.", count=LEAST)
        )
    between = max(";\t,", key=lines[0].count)
    if between not in lines[0]:
        raise DataUnreadable(tr("The first line has one name: a time and a quantity are needed."))
    try:
        rows = list(csv.reader(lines, delimiter=between))
    except csv.Error:
        problem = tr("A cell of the table does not end: look for a quotation mark without another.")
        raise DataUnreadable(problem) from None
    if len(rows) < 1 + LEAST or len(rows[0]) > MOST_COLUMNS:
        raise DataUnreadable(
            tr(
                "A table has at least {count} lines of numbers and at most {columns} columns.",
                count=LEAST,
                columns=MOST_COLUMNS,
            )
        )
    heads, body = rows[0], rows[1:]
    values = np.full((len(body), len(heads)), math.nan)
    for r, row in enumerate(body):
        for c, cell in enumerate(row[: len(heads)]):
            values[r, c] = _number(cell, between, numbers[r + 1], heads[c])
    columns = []
    for c, head in enumerate(heads):
        found = HEAD.match(head.strip())
        name, unit = (found["name"], found["unit"].strip()) if found else (head.strip(), "")
        columns.append(Column(name, "" if unit in ("1", "-") else unit, values[:, c]))
    return columns


def _number(cell: str, between: str, line: int, head: str) -> float:
    cell = cell.strip().replace("−", "-")
    if not cell or cell.lower() in ("nan", "-", "–"):
        return math.nan
    try:
        return float(cell if between == "," else cell.replace(",", "."))
    except ValueError:
        raise DataUnreadable(
            tr(
                "Line {line}: {cell} of {head} is no number.",
                line=line,
                cell=cell[:40],
                head=head.strip(),
            )
        ) from None


def clock_of(columns: Sequence[Column]) -> Column | None:
    """The column of instants by its name; None without one."""
    return next((c for c in columns if c.name.strip().lower() in TIMES), None)


def match(project: Project, clock: Column, column: Column, name: str) -> Matched:
    """A column as the quantity of a name, over the instants of another one, in their order.  Raises
    QuantityNotFound, ExpressionError where a unit does not fit.
    """
    quantity = find(project, name)
    factor = _factor(column.unit, quantity.dimension)
    times = clock.values * _factor(clock.unit or "s", "time")
    order = np.argsort(times, kind="stable")
    order = order[np.isfinite(times[order])]
    return Matched(column.name, quantity, Course(times[order], column.values[order] * factor))


def matched(
    project: Project, columns: Sequence[Column], names: Mapping[str, str] | None = None
) -> tuple[list[Matched], list[str]]:
    """Columns that are quantities of a project by name and unit, and a sentence on each other one.
    names: column -> quantity, where they are called otherwise.  Raises DataUnreadable without a
    column of instants, or where none is left.
    """
    names = dict(names or {})
    clock = clock_of(columns)
    if clock is None:
        raise DataUnreadable(
            tr("No column is the time: one must be called {names}.", names=comma().join(TIMES[:2]))
        )
    found, others = [], []
    for column in columns:
        if column is clock:
            continue
        try:
            found.append(match(project, clock, column, names.pop(column.name, column.name)))
        except QuantityNotFound as error:
            others.append(f"{column.name}: {error}")
        except ExpressionError as error:
            others.append(unit_sentence(column, error))
    others += [tr("The table has no column {name}.", name=name) for name in names]
    if not found:
        raise DataUnreadable(
            tr("No column is a quantity of this drawing. {why}", why=" ".join(others[:3]))
        )
    return found, others


def picked(
    project: Project, columns: Sequence[Column], clock: str, keys: Sequence[tuple[str, str]]
) -> list[Matched]:
    """Columns as they were chosen by their heads.  clock: head of the column of instants.  keys:
    heads with keys of quantities.  Raises DataUnreadable where one is not there or does not fit.
    """
    by_head = {c.head: c for c in reversed(columns)}
    for head in (clock, *(head for head, _ in keys)):
        if head not in by_head:
            raise DataUnreadable(tr("The table has no column {name}.", name=head))
    found = []
    for head, key in keys:
        try:
            found.append(match(project, by_head[clock], by_head[head], key))
        except QuantityNotFound as error:
            raise DataUnreadable(f"{head}: {error}") from None
        except ExpressionError as error:
            raise DataUnreadable(unit_sentence(by_head[head], error)) from None
    return found


def unit_sentence(column: Column, error: ExpressionError) -> str:
    """Sentence on a column whose unit does not fit its quantity."""
    return tr("{name} is not in a unit that fits: {why}", name=column.head, why=error)


def _factor(unit: str, dimension: str) -> float:
    """SI per unit; a bare number is in SI, an angle without a unit in rad.  Raises
    ExpressionError.
    """
    return evaluate(f"1 {unit}", dimension, {}) if unit else 1.0


def fits(unit: str, dimension: str) -> bool:
    """True for a unit in which a dimension can be read; none is SI."""
    try:
        _factor(unit, dimension)
    except ExpressionError:
        return False
    return True
