"""Tables of a run in each form: the numbers of its quantities in the requested units, and beside
its own data nothing is left over.

Libraries that are not installed here are stood in for by what is handed to them.
"""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.curves.tables import MissingLibrary
from mechstudio.folders import sample_folder

NAMES = ("A angle", "Kinetic energy")
DEGREES = 180 / np.pi


@pytest.fixture(scope="module")
def result():
    project = ms.load(sample_folder() / "four_bar.mech")
    return ms.simulate(project, duration=0.5, sample_step=0.1)


def stand_in(monkeypatch, name, **contents):
    module = ModuleType(name)
    vars(module).update(contents)
    monkeypatch.setitem(sys.modules, name, module)
    return module


def test_a_data_frame_has_columns_over_an_index_of_the_time(result, monkeypatch):
    Index = lambda values, name: SimpleNamespace(values=values, name=name)
    DataFrame = lambda columns, index: SimpleNamespace(columns=columns, index=index)
    stand_in(monkeypatch, "pandas", Index=Index, DataFrame=DataFrame)
    angle, energy = (course.values for course in result.courses(*NAMES))
    frame = result.to_pandas(*NAMES)
    assert frame.index.name == "time [s]" and frame.index.values == pytest.approx(result.time)
    assert list(frame.columns) == ["A angle [rad]", "Kinetic energy [J]"]
    assert frame.columns["A angle [rad]"] == pytest.approx(angle)
    frame = result.to_pandas(*NAMES, units="mm-N-deg")
    assert frame.columns["A angle [deg]"] == pytest.approx(angle * DEGREES)
    (other,) = (c for name, c in frame.columns.items() if name.startswith("Kinetic"))
    assert np.corrcoef(other, energy)[0, 1] == pytest.approx(1.0)


def test_a_dataset_has_variables_with_their_units(result, monkeypatch):
    stand_in(monkeypatch, "xarray", Dataset=lambda data, coords: SimpleNamespace(**locals()))
    found = result.to_xarray(*NAMES)
    angle, energy = (course.values for course in result.courses(*NAMES))
    axis, times, facts = found.coords["time"]
    assert axis == "time" and times == pytest.approx(result.time) and facts == {"units": "s"}
    for name, unit, values in zip(NAMES, ("rad", "J"), (angle, energy)):
        axis, shown, facts = found.data[name]
        assert axis == "time" and shown == pytest.approx(values) and facts == {"units": unit}


def test_a_file_of_parquet_has_units_beside_the_columns(result, monkeypatch, tmp_path):
    kept = {}
    pyarrow = stand_in(
        monkeypatch,
        "pyarrow",
        field=lambda head, kind, metadata: (head, kind, metadata),
        string=lambda: "string",
        float64=lambda: "float64",
        array=lambda values, from_pandas: np.array(values),
        schema=list,
        Table=SimpleNamespace(from_arrays=lambda arrays, schema: (arrays, schema)),
    )

    def write_table(table, out):
        kept["arrays"], kept["schema"] = table
        out.write(b"PAR1")

    pyarrow.parquet = stand_in(monkeypatch, "pyarrow.parquet", write_table=write_table)
    result.to_parquet(tmp_path / "run.parquet", *NAMES)
    assert (tmp_path / "run.parquet").read_bytes() == b"PAR1"
    assert [row[0] for row in kept["schema"]] == ["time [s]", "A angle [rad]", "Kinetic energy [J]"]
    assert kept["schema"][1][1:] == ("float64", {"name": "A angle", "unit": "rad"})
    assert kept["arrays"][0] == pytest.approx(result.time)
    assert kept["arrays"][1] == pytest.approx(result.courses("A angle")[0].values)


@pytest.mark.parametrize("method", ["to_pandas", "to_xarray", "to_parquet"])
def test_a_library_that_is_missing_is_named_with_what_else_there_is(result, method, monkeypatch):
    for name in ("pandas", "xarray", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)
    place = ("run.parquet",) if method == "to_parquet" else ()
    with pytest.raises(MissingLibrary, match="pip install"):
        getattr(result, method)(*place, *NAMES)


def test_a_run_beside_its_own_table_leaves_nothing(result, tmp_path):
    result.to_csv(tmp_path / "run.csv", *NAMES)
    for found in result.against(tmp_path / "run.csv", shift=0.0):
        assert found.rms < 1e-6
    result.to_npz(tmp_path / "run.npz", *NAMES)
    with np.load(tmp_path / "run.npz") as kept:
        assert set(kept.files) == {"time", *NAMES, "names", "units"}
        assert kept["A angle"] == pytest.approx(result.courses("A angle")[0].values)
    text = (tmp_path / "run.csv").read_text("utf-8").replace("A angle", "crank")
    (tmp_path / "renamed.csv").write_text(text, "utf-8")
    found = result.against(tmp_path / "renamed.csv", names={"crank": "A angle"})
    assert len(found) == 2 and max(abs(f.shift) for f in found) < 1e-3


def test_contacts_of_a_run_are_rows_of_a_data_frame(monkeypatch):
    stand_in(monkeypatch, "pandas", DataFrame=dict)
    run = ms.simulate(ms.load(sample_folder() / "bouncing_ball.mech"), 1.0, 0.05)
    found, rows = run.contacts, run.contacts.to_pandas()
    assert len(found) > 0
    for k, axis in enumerate("xyz"):
        for name in ("point", "normal", "force", "moment"):
            assert rows[f"{name} {axis}"] == pytest.approx(getattr(found, name)[:, k])
    assert list(rows)[:3] == ["time", "a", "b"] and list(rows)[-3:] == ["gap", "friction", "slip"]
    bodies = list(run.project.mechanism.bodies)
    assert found.on("ground") == pytest.approx(-sum(found.on(b, "ground") for b in bodies))
    assert np.abs(found.on("ground")).max() > 0
    with pytest.raises(KeyError):
        found.on("nobody")
