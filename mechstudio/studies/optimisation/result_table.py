"""Table of the answer of a fit: a row for each parameter, and sentences above them."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from mechstudio.curves import tables
from mechstudio.curves.dimensions import unit_of
from mechstudio.curves.tables import Column
from mechstudio.model.studies.fitting import Estimate, Scatter
from mechstudio.model.units import DEFAULT_SYSTEM, format_value
from mechstudio.translation import tr, trn


class Answer(Protocol):
    """Interface of an answer for a table, satisfied by studies.optimisation.fit.Fitted."""

    @property
    def estimates(self) -> tuple[Estimate, ...]: ...

    @property
    def correlations(self) -> np.ndarray: ...

    @property
    def scatters(self) -> tuple[Scatter, ...]: ...

    @property
    def notes(self) -> tuple[str, ...]: ...

    @property
    def runs(self) -> int: ...


def scatter_sentences(scatters: Sequence[Scatter], units: str = DEFAULT_SYSTEM) -> Iterator[str]:
    """A sentence for each measured quantity with the deviation of its run."""
    for s in scatters:
        yield trn(
            "{quantity}: one point, {rms} off",
            "{quantity}: {count:,} points, root mean square {rms} off",
            s.points,
            quantity=s.quantity,
            rms=format_value(s.rms, s.dimension, units, 4),
        )


def columns(answer: Answer, units: str = DEFAULT_SYSTEM) -> list[Column]:
    """Columns of the parameters with their deviations, intervals of 95 % and correlations, in the
    units of a system, given in each row; NaN for numbers that the data does not determine.
    """
    estimates = answer.estimates
    own = [unit_of(e.dimension, units) for e in estimates]
    numbers = lambda of: np.array(
        [of(e) / unit.factor for e, unit in zip(estimates, own, strict=True)], float
    )
    words = lambda texts: np.array(list(texts), str)
    out = [
        Column(tr("parameter"), "", words(e.name for e in estimates)),
        Column(tr("value"), "", numbers(lambda e: e.value)),
        Column(tr("standard deviation"), "", numbers(lambda e: e.deviation)),
        Column(tr("95 % from"), "", numbers(lambda e: e.low)),
        Column(tr("95 % to"), "", numbers(lambda e: e.high)),
        Column(tr("unit"), "", words(unit.symbol for unit in own)),
    ]
    for k, e in enumerate(estimates):
        title = tr("correlation with {name}", name=e.name)
        out.append(Column(title, "", np.array(answer.correlations[:, k], float)))
    return out


def content(answer: Answer, ending: str, units: str = DEFAULT_SYSTEM, data: str = "") -> bytes:
    """The table in the format of a file's ending: .csv, .tsv, .txt, .npz or .parquet.  Text formats
    begin with the number of runs, the scatters and the notes, in lines with the sign #.  data: name
    of the file that was fitted.  Raises ValueError for another ending,
    curves.tables.MissingLibrary.
    """
    made = tables.content(columns(answer, units), ending)
    if ending.lower() in (".npz", ".parquet"):
        return made
    above = (
        tr("mechstudio fit of {data}", data=data) if data else tr("mechstudio fit"),
        trn("One run.", "{count:,} runs.", answer.runs),
        *scatter_sentences(answer.scatters, units),
        *answer.notes,
    )
    return "".join(f"# {line}\n" for line in above).encode() + made
