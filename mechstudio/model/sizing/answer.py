"""Answers of the helpers: figures before and after, tables, pictures, and what is to be added."""

import math

import msgspec

from mechstudio.model.sizing.additions import Addition


class Figure(msgspec.Struct, frozen=True):
    """One number of an answer [SI].

    key: its name in scripts.  label: as shown.  before: of the drawing as it is, NaN where there is
    none.
    """

    key: str
    label: str
    value: float
    dimension: str
    before: float = math.nan


ROUNDING = 1e-9  # share of the value before below which the rest is rounding


def without_rounding(figure: Figure) -> Figure:
    """A figure whose value is zero if it is only the rounding error of the value before."""
    if abs(figure.value) > ROUNDING * abs(figure.before) or math.isnan(figure.before):
        return figure
    return msgspec.structs.replace(figure, value=0.0)


class SizedTable(msgspec.Struct, frozen=True):
    """A table of an answer.

    head: of the labels, of which each row has one.  columns with their dimensions; numbers in SI,
    NaN for what is not known.  fails: of each row, the columns whose number does not do.  marks:
    of each row, a word on it, or "".
    """

    title: str
    head: str
    columns: tuple[str, ...]
    dimensions: tuple[str, ...]
    labels: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    fails: tuple[tuple[int, ...], ...] = ()
    marks: tuple[str, ...] = ()


class Line(msgspec.Struct, frozen=True):
    """A curve of a picture, its points in SI.  role: "before", "after", "limit", or
    "lasting" of a limit for ever.
    """

    label: str
    role: str
    x: tuple[float, ...]
    y: tuple[float, ...]


class SizedPicture(msgspec.Struct, frozen=True):
    """A picture of an answer.  equal: both axes have one scale."""

    title: str
    x_label: str
    x_dimension: str
    y_label: str
    y_dimension: str
    lines: tuple[Line, ...]
    equal: bool = False


class Sized(msgspec.Struct, frozen=True):
    """The answer of a helper.

    what: key of HELPERS.  sentence: the answer in one or two sentences.  additions: what
    model/sizing/additions.py puts into the drawing; () where nothing is to be added.  residual:
    relative difference between the promised figure and that of the second run, NaN without one.
    """

    what: str
    sentence: str
    figures: tuple[Figure, ...] = ()
    tables: tuple[SizedTable, ...] = ()
    pictures: tuple[SizedPicture, ...] = ()
    notes: tuple[str, ...] = ()
    additions: tuple[Addition, ...] = ()
    residual: float = math.nan

    def figure(self, key: str) -> Figure:
        """Its figure of a key.  Raises KeyError."""
        for figure in self.figures:
            if figure.key == key:
                return figure
        raise KeyError(key)
