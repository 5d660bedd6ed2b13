"""Tables are read back with names, units and every digit."""

import csv
import io

import numpy as np
import pytest

from mechstudio.curves import tables
from mechstudio.curves.course import Course
from mechstudio.curves.tables import DIALECTS, Column, columns, content, merged, npz, text

T = np.linspace(0.0, 1.0, 7)
CURVES = [
    ("Torque of drive 1", "torque", Course(T, np.array([0.1, -1 / 3, 1e-300, 1e22, np.nan, 0, 7]))),
    ('A "odd", name', "angle", Course(T, np.sin(T))),
]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_text_is_read_back_with_every_digit(dialect):
    how = DIALECTS[dialect]
    table = columns(CURVES, "mm-N-deg")
    written = text(table, dialect)
    assert written.startswith(how.mark)
    rows = list(csv.reader(io.StringIO(written.removeprefix(how.mark)), delimiter=how.between))
    assert rows[0] == ["time [s]", "Torque of drive 1 [N·m]", 'A "odd", name [deg]']
    number = lambda cell: float(cell.replace(how.point, ".")) if cell else np.nan
    back = np.array([[number(cell) for cell in row] for row in rows[1:]])
    assert np.array_equal(back, np.column_stack([c.values for c in table]), equal_nan=True)
    assert rows[5][1] == "", "what is unknown is empty"
    assert np.allclose(back[:, 2], np.degrees(np.sin(T)), rtol=1e-15)


def test_npz_is_read_back():
    for names in (["a", "b"], ["a", "a"], ["names", "file"]):
        table = [Column("time", "s", T), *(Column(n, u, T * 2) for n, u in zip(names, ("N", "J")))]
        with np.load(io.BytesIO(npz(table))) as back:
            assert list(back["units"]) == ["s", "N", "J"] and list(back["names"])[1:] == names
            arrays = [key for key in back.files if key not in ("names", "units")]
            assert len(arrays) == 3 and all(np.array_equal(back[k], T * 2) for k in arrays[1:])


def test_columns_alike_by_name_and_unit_are_both_in_npz():
    table = [Column("A angle", "rad", k * T) for k in (1.0, 2.0, 3.0)]
    with np.load(io.BytesIO(npz(table))) as back:
        arrays = [back[key] for key in back.files if key not in ("names", "units")]
        assert list(back["names"]) == ["A angle"] * 3
    assert np.array_equal(arrays, [T, 2 * T, 3 * T])


def test_parquet_is_read_back():
    parquet = pytest.importorskip("pyarrow.parquet")
    table = columns(CURVES, "m-N-rad")
    back = parquet.read_table(io.BytesIO(tables.parquet(table)))
    assert back.column_names == [c.head for c in table]
    assert back.schema.field(1).metadata == {b"name": b"Torque of drive 1", b"unit": "N·m".encode()}
    for c in table:
        found = back.column(c.head).to_numpy(zero_copy_only=False).astype(float)
        assert np.array_equal(found, c.values, equal_nan=True)


def test_without_pyarrow_a_sentence_says_how_to_get_it(monkeypatch):
    import builtins

    real = builtins.__import__

    def refuse(name, *args, **more):
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(tables.MissingLibrary, match=r"pip install mechstudio\[parquet\]"):
        content(columns(CURVES), ".parquet")


def test_curves_with_other_instants_stand_beside_each_other():
    other = Course(np.array([0.5, 0.6 + 1e-13, 1.0]), np.array([1.0, 2.0, 3.0]))
    time, a, b = columns([("a", "number", Course(T, T)), ("b", "number", other)])
    assert len(time.values) == 8 and (np.diff(time.values) > 0).all()
    assert list(b.values[np.isfinite(b.values)]) == [1.0, 2.0, 3.0]
    assert np.array_equal(a.values[np.isfinite(a.values)], T)
    assert a.values[time.values == 0.6 + 1e-13] != a.values[time.values == 0.6 + 1e-13]
    assert merged([]).shape == (0,) and columns([])[0].head == "time [s]"


def test_an_instant_that_a_course_has_twice_stays_twice():
    twice = np.array([0.0, 0.5, 0.5, 1.0])
    time, a, b = columns(
        [("a", "number", Course(twice, np.arange(4.0))), ("b", "number", Course(T, T))]
    )
    assert list(a.values[np.isfinite(a.values)]) == [0, 1, 2, 3]
    assert (time.values == 0.5).sum() == 2
    assert list(b.values[np.isfinite(b.values)]) == list(T)


def test_a_spreadsheet_takes_no_name_for_a_formula():
    assert text([Column("=1+2", "N", T[:1])]).startswith("'=1+2 [N]\n")
    assert text([Column("-3", "", T[:1])]).startswith("'-3\n")


def test_unknown_endings_are_refused_in_words():
    with pytest.raises(ValueError, match=r"There is no table with the ending \.doc"):
        content(columns(CURVES), ".doc")
    assert content(columns(CURVES), ".TSV").decode().count("\t") == 16
