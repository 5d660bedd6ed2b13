"""The table of a study: a row for every run, with what was varied, what was measured, or why
nothing was.
"""

import contextlib
import hashlib
import io
import json
import math
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from mechstudio.curves import tables
from mechstudio.curves.dimensions import unit_of
from mechstudio.curves.tables import Column
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.studies.measures import Measure
from mechstudio.translation import tr

if TYPE_CHECKING:  # the window shows tables and knows no engine
    from mechstudio.studies.scheduling import Done

SHORT = 16  # characters of the digest that each row has
UNFINISHED = ".unfinished"  # ending of the file in which rows are kept while a study runs


@contextlib.contextmanager
def replaced(path: Path) -> Iterator[IO[bytes]]:
    """A file to write that takes the place of another once it is whole; on a disk that is full the
    old one stays as it was.
    """
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


class StudyTable:
    """Rows of a study in the order of its design.

    parameters: names, with dimensions.  measures: what was measured.  varied (runs, parameters)
    [SI].  measured (runs, measures) [SI]: NaN where a run gave nothing.  reasons: why it did not,
    by row.  notes: what makes its numbers less than exact, by row.  systems: on which each row was
    computed, places in `system_names`, -1 where it was not yet.  title: what stands above the
    table, one line each.  indices: Sobol indices of first order and in total (measures,
    parameters), of a study of the sensitivity.  remarks: sentences on what its numbers are worth.
    """

    def __init__(
        self,
        parameters: dict[str, str],
        measures: tuple[Measure, ...],
        varied: np.ndarray,
        title: tuple[str, ...] = (),
    ) -> None:
        runs = len(varied)
        self.parameters, self.measures, self.varied, self.title = (
            parameters,
            measures,
            varied,
            title,
        )
        self.measured = np.full((runs, len(measures)), np.nan)
        self.reasons: dict[int, str] = {}
        self.notes: dict[int, str] = {}
        self.systems = np.full(runs, -1, dtype=np.int16)
        self.system_names: list[str] = []
        self.indices: tuple[np.ndarray, np.ndarray] | None = None
        self.remarks: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.varied)

    def extended(self, varied: np.ndarray) -> "StudyTable":
        """The table with more rows (n, parameters) [SI] after its own, which are still missing."""
        more = np.concatenate((self.varied, varied))
        table = StudyTable(self.parameters, self.measures, more, self.title)
        own = len(self)
        table.measured[:own], table.systems[:own] = self.measured, self.systems
        table.reasons, table.notes = dict(self.reasons), dict(self.notes)
        table.system_names = list(self.system_names)
        return table

    @property
    def done(self) -> int:
        """Number of rows that were computed, failed ones included."""
        return int((self.systems >= 0).sum())

    @property
    def missing(self) -> np.ndarray:
        """Places of the rows that were not computed yet."""
        return np.flatnonzero(self.systems < 0)

    def take(self, done: "Done") -> None:
        """Put the points of a batch into their rows."""
        self.mark(done.places, done.system)
        for place, point in zip(done.places.tolist(), done.points, strict=True):
            self.measured[place] = point.values
            # a million rows share the few texts that there are
            if point.reason:
                self.reasons[place] = sys.intern(point.reason)
            if point.note:
                self.notes[place] = sys.intern(point.note)

    def mark(self, places: np.ndarray, system: str) -> None:
        """Note on which system rows were computed."""
        if system not in self.system_names:
            self.system_names.append(system)
        self.systems[places] = self.system_names.index(system)

    def feasible(self) -> np.ndarray:
        """True (runs,) for rows that keep every limit of the measures."""
        kept = np.ones(len(self), bool)
        for m, measure in enumerate(self.measures):
            if measure.sign:
                kept &= measure.kept(self.measured[:, m])
        return kept

    def best(self, measure: int = 0, greatest: bool = False) -> int | None:
        """Row with the least or greatest value of a measure among those that keep all limits; None
        where there is none.
        """
        values = np.where(self.feasible(), self.measured[:, measure], np.nan)
        if not np.isfinite(values).any():
            return None
        return int(np.nanargmax(values) if greatest else np.nanargmin(values))

    def columns(self, units: str = DEFAULT_SYSTEM) -> list[Column]:
        """Columns in the units of a system: parameters, measures, whether the limits are kept where
        there are any, then words on runs that failed or are inexact, and the system.
        """
        out = []
        for c, (name, dimension) in enumerate(self.parameters.items()):
            unit = unit_of(dimension, units)
            out.append(Column(name, unit.symbol, self.varied[:, c] / unit.factor))
        for c, measure in enumerate(self.measures):
            unit = unit_of(measure.dimension, units)
            out.append(Column(measure.text, unit.symbol, self.measured[:, c] / unit.factor))
        if any(m.sign for m in self.measures):
            out.append(Column("keeps limits", "", self.feasible().astype(float)))
        # as texts and not as objects, which NumPy's files hold as code
        words = lambda by_row: np.array([by_row.get(k, "") for k in range(len(self))], str)
        if self.reasons:
            out.append(Column("failed because", "", words(self.reasons)))
        if self.notes:
            out.append(Column("note", "", words(self.notes)))
        names = [*self.system_names, ""]
        return [*out, Column("system", "", np.array(names, str)[self.systems])]

    def write(self, path: str | os.PathLike[str], units: str = DEFAULT_SYSTEM) -> None:
        """Write the table by the ending of a path: .csv, .tsv, .npz or .parquet.

        Texts begin with the lines of the title and the remarks, each after the sign #.  Raises
        ValueError for another ending, curves.tables.MissingLibrary, OSError.
        """
        path = Path(path)
        content = tables.content(self.columns(units), path.suffix)
        if path.suffix.lower() not in (".npz", ".parquet"):
            above = (*self.title, *self.remarks)
            content = "".join(f"# {line}\n" for line in above).encode() + content
        with replaced(path) as file:
            file.write(content)


class TableBusy(ValueError):
    """A table that another study is writing."""


class Journal:
    """Rows of a study in a file beside its table while it runs, so that a study that ends early is
    gone on with.

    The file has a line with the digest of the study, then one line for each row, which names the
    study again.  It is locked until it is closed or removed: one study at a time writes a table.
    """

    def __init__(self, table: StudyTable, target: Path, digest: str) -> None:
        """Rows of the same study that are there are read into the table.  Raises OSError, and
        TableBusy where another study has the file.
        """
        self.path = target.with_name(target.name + UNFINISHED)
        self._table, self._study = table, digest[:SHORT]
        self._file = _alone(self.path, target)
        try:
            self.resumed = self._read(digest)
            if not self.resumed:
                self._file.truncate(0)
                self._append(json.dumps({"study": digest}) + "\n")
        except OSError:
            self.close()
            raise

    def _read(self, digest: str) -> int:
        """Number of rows that were taken from an unfinished table of the same study."""
        try:
            lines = self.path.read_text("utf-8").splitlines(keepends=True)
            head = json.loads(lines[0])
        except (OSError, ValueError, IndexError):
            return 0
        if head != {"study": digest}:
            return 0
        if not lines[-1].endswith("\n"):
            # the last line was cut: the next one is not written behind it
            self._append("\n")
        before = self._table.done
        for row in self._rows(lines[1:]):
            self._table.take(row)
        return self._table.done - before

    def _rows(self, lines: list[str]) -> "Iterator[Done]":
        from mechstudio.studies.points import Point
        from mechstudio.studies.scheduling import Done

        for line in lines:
            # the last line may have been cut
            try:
                study, place, values, reason, note, system = json.loads(line)
                point = Point(tuple(map(_number, values)), reason, note)
            except (ValueError, TypeError):
                continue
            if (
                study == self._study
                and 0 <= place < len(self._table)
                and len(point.values) == len(self._table.measures)
            ):
                yield Done(np.array([place]), [point], 0.0, system)

    def write(self, done: "Done") -> None:
        """Keep the rows of a batch.  Raises OSError where the disk is full."""
        lines = []
        for place, point in zip(done.places.tolist(), done.points, strict=True):
            values = [v if math.isfinite(v) else None for v in point.values]
            row = [self._study, place, values, point.reason, point.note, done.system]
            lines.append(json.dumps(row, ensure_ascii=False) + "\n")
        self._append("".join(lines))

    def _append(self, text: str) -> None:
        data = memoryview(text.encode())
        while data:
            # a disk that is nearly full takes a part
            data = data[self._file.write(data) :]

    def close(self) -> None:
        """Leave the file as it is."""
        self._file.close()

    def remove(self) -> None:
        """Take the file away, once the table itself is on the disk."""
        if sys.platform == "win32":
            self._file.close()  # an open file cannot be removed there
        self.path.unlink(missing_ok=True)
        self._file.close()


def _alone(path: Path, target: Path) -> io.FileIO:
    """A file to append to, locked against other writers.  Raises OSError, and TableBusy."""
    from mechstudio.engine.file_lock import taken

    while True:
        # unbuffered, so that what a full disk has refused is not tried again when it is closed
        file = open(path, "ab", buffering=0)
        if not taken(file.fileno()):
            file.close()
            raise TableBusy(
                tr(
                    "Another study is writing {file}: wait for its end, or choose another file.",
                    file=target,
                )
            )
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                return file
        # that study ended and took its file away meanwhile
        file.close()


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


def digest_of(*parts: object) -> str:
    """Digest of the setup of a study."""
    found = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else repr(part).encode()
        found.update(len(data).to_bytes(8, "big") + data)
    return found.hexdigest()
