"""Curves as tables: comma-separated values, NPZ, Parquet, and text for spreadsheets.  Every one has
names and units, and every digit that the numbers have.
"""

import io
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mechstudio.curves.course import Course
from mechstudio.curves.dimensions import unit_of
from mechstudio.model.types.analyses import ANALYSES
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.translation import Words, comma, tr

NO_PARQUET: Words = (
    "Parquet needs pyarrow, which is not installed: pip install mechstudio[parquet], or choose CSV "
    "or NPZ."
)
# part of the largest number of its dimension in a table below which a number is only rounding
ROUNDING = 1e-13
SAME_INSTANT = 1e-9  # part of the time between samples within which two are one instant


_ARGUMENTS = ("file", "allow_pickle")  # of numpy's function that saves arrays


class Dialect(NamedTuple):
    """Form of numbers in text.  between: cells.  point: decimal sign.  mark: begins the file, so
    that spreadsheets read it as UTF-8.
    """

    label: Words
    between: str
    point: str
    mark: str = ""


DIALECTS = {
    "comma": Dialect("Comma, decimal point", ",", "."),
    "semicolon": Dialect("Semicolon, decimal comma", ";", ",", "\ufeff"),
    "tab": Dialect("Tab, decimal point", "\t", "."),
    "tab-comma": Dialect("Tab, decimal comma", "\t", ","),
}


class Column(NamedTuple):
    """One column.  name: in words.  unit: symbol, "" for none.  values (n,): numbers, NaN where
    unknown, or words.
    """

    name: str
    unit: str
    values: np.ndarray

    @property
    def head(self) -> str:
        """Name and unit, "Torque of drive 1 [N·m]"."""
        return f"{self.name} [{self.unit}]" if self.unit else self.name


class MissingLibrary(RuntimeError):
    """A format whose library is not installed; the message says how to get it."""


def columns(curves: Iterable[tuple[str, str, Course]], units: str = DEFAULT_SYSTEM) -> list[Column]:
    """The time and curves, (name, dimension, course) each, as columns in the units of a system.
    Curves with other instants than the first are put beside the instants of all, with NaN where
    they have none: nothing is read between samples.
    """
    curves = list(curves)
    times = merged([found.times for _, _, found in curves])
    out = [Column("time", "s", times)]
    for name, dimension, found in curves:
        unit = unit_of(dimension, units)
        values = np.full(len(times), np.nan)
        values[_places(times, found.times)] = found.values / unit.factor
        out.append(Column(name, unit.symbol, values))
    return out


def merged(times: Sequence[np.ndarray]) -> np.ndarray:
    """All instants of several courses, ascending; those that differ by rounding are one.  A course
    that stands at one instant twice, as at an impact, keeps both.
    """
    if not times:
        return np.zeros(0)
    out = np.asarray(times[0], float)
    for more in times[1:]:
        if len(more) == len(out) and np.allclose(more, out, rtol=0, atol=_near(out)):
            continue
        new = np.asarray(more, float)
        if len(out):
            at = np.clip(np.searchsorted(out, new), 1, max(len(out) - 1, 1))
            gap = np.abs(new - out[np.minimum(at, len(out) - 1)])
            gap = np.minimum(gap, np.abs(new - out[at - 1]))
            new = new[gap > _near(out)]
        out = np.sort(np.concatenate((out, new)), kind="stable")
    return out


def _near(times: np.ndarray) -> float:
    return SAME_INSTANT * (
        float(times[-1] - times[0]) / max(len(times) - 1, 1) if len(times) else 1
    )


def _places(times: np.ndarray, own: np.ndarray) -> np.ndarray:
    if len(own) == len(times):
        return np.arange(len(times))
    at = np.clip(np.searchsorted(times, own), 0, len(times) - 1)
    before = np.maximum(at - 1, 0)
    at = np.where(np.abs(times[before] - own) < np.abs(times[at] - own), before, at)
    # instants that a course has twice take the places one after the other
    for k in np.flatnonzero(np.diff(at) <= 0):
        at[k + 1] = min(at[k] + 1, len(times) - 1)
    return at


def text(table: Sequence[Column], dialect: str = "comma") -> str:
    """The table as lines of text: names with units, then the numbers as their shortest exact text;
    unknown ones are empty.  dialect: a key of DIALECTS.
    """
    if dialect not in DIALECTS:
        raise KeyError(
            tr(
                "There is no way to write a table called {dialect}; there are {known}.",
                dialect=dialect,
                known=comma().join(DIALECTS),
            )
        )
    how = DIALECTS[dialect]
    lines = [how.between.join(_cell(c.head, how) for c in table)]
    for row in zip(*(c.values.tolist() for c in table)):
        lines.append(
            how.between.join(
                [_cell(v, how) if isinstance(v, str) else _number(v, how.point) for v in row]
            )
        )
    return how.mark + "\n".join(lines) + "\n"


def _number(value: float, point: str) -> str:
    if value != value:
        return ""
    shown = repr(value)
    return shown if point == "." else shown.replace(".", point)


def _cell(words: str, how: Dialect) -> str:
    words = " ".join(words.split())
    # a spreadsheet takes what begins so for a formula
    if words[:1] in ("=", "+", "-", "@"):
        words = f"'{words}"
    if how.between in words or '"' in words:
        return '"' + words.replace('"', '""') + '"'
    return words


def distinct(names: list[str]) -> list[str]:
    """Names of which those that came before get a number."""
    out: list[str] = []
    for name in names:
        count = 2
        new = name
        while new in out:
            new, count = f"{name} ({count})", count + 1
        out.append(new)
    return out


def npz(table: Sequence[Column]) -> bytes:
    """The table as numpy's NPZ: an array for each column by its name, and arrays "names" and
    "units".
    """
    called = [c.name for c in table]
    if len(set(called)) < len(table) or {"names", "units"} & {*called}:
        called = [c.head for c in table]
    arrays = {name: c.values for name, c in zip(distinct(called), table)}
    out = io.BytesIO()
    # a column may be called as an argument of the function is
    named: dict[str, Any] = {n + " " * (n in _ARGUMENTS): v for n, v in arrays.items()}
    named |= {"names": np.array([c.name for c in table])}
    named |= {"units": np.array([c.unit for c in table])}
    np.savez_compressed(out, **named)
    return out.getvalue()


def parquet(table: Sequence[Column]) -> bytes:
    """The table as Parquet, units in the metadata of each column too.  Raises MissingLibrary where
    pyarrow is not installed.
    """
    try:
        import pyarrow  # pyright: ignore[reportMissingImports]
        import pyarrow.parquet  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise MissingLibrary(tr(NO_PARQUET)) from None
    fields = [
        pyarrow.field(
            c.head,
            pyarrow.string() if c.values.dtype.kind in "OU" else pyarrow.float64(),
            metadata={"name": c.name, "unit": c.unit},
        )
        for c in table
    ]
    arrays = [pyarrow.array(c.values, from_pandas=True) for c in table]
    out = io.BytesIO()
    pyarrow.parquet.write_table(
        pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields)), out
    )
    return out.getvalue()


def pandas_module() -> Any:
    """The library pandas.  Raises MissingLibrary where it is not installed."""
    try:
        import pandas  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise MissingLibrary(
            tr(
                "A data frame needs pandas, which is not installed: pip install pandas, or use "
                "courses(), to_csv() or to_npz()."
            )
        ) from None
    return pandas


def content(table: Sequence[Column], ending: str, dialect: str = "comma") -> bytes:
    """The table in the format of a file's ending: .csv, .tsv, .txt, .npz or .parquet.  Raises
    ValueError for another one, MissingLibrary.
    """
    ending = ending.lower()
    if ending == ".npz":
        return npz(table)
    if ending == ".parquet":
        return parquet(table)
    if ending in (".csv", ".tsv", ".txt"):
        return text(table, dialect if ending == ".csv" else "tab").encode()
    raise ValueError(
        tr(
            "There is no table with the ending {ending}; there are .csv, .tsv, .npz and .parquet.",
            ending=ending or tr("of nothing"),
        )
    )


def without_rounding(what: str, dimensions: Sequence[str], rows: np.ndarray) -> np.ndarray:
    """The numbers (k, columns) of the table of analysis `what` as people read them: zero where a
    number is only rounding beside the largest finite one of its dimension in the table.  Infinite
    and unknown numbers stay.
    """
    if ANALYSES[what].minute or not len(rows):
        return rows
    sizes = np.where(np.isfinite(rows), np.abs(rows), 0.0)
    largest = np.zeros(len(dimensions))
    for dimension in set(dimensions):
        alike = [of == dimension for of in dimensions]
        largest[alike] = sizes[:, alike].max()
    return np.where(np.abs(rows) < ROUNDING * largest, 0.0, rows)
