"""The Lagrangian T - V: one row of ENERGY and one function are a plot quantity everywhere.  So is a
function of a submenu of its own.
"""

import msgspec
import numpy as np
import pytest

from mechstudio.application.plots.choice import with_curves, with_log
from mechstudio.application.plots.panes import panes
from mechstudio.application.plots.series import recorded
from mechstudio.application.runs.recording import Recording
from mechstudio.cli.simulate import table_header
from mechstudio.curves.quantities import quantities
from mechstudio.engine.analyses.record import Record
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run
from mechstudio.engine.system.system import compile_system
from mechstudio.files.project_file import decode, encode
from mechstudio.model.project import EndCondition
from mechstudio.model.quantity import Quantity
from mechstudio.model.results.channels import ENERGY, GROUPS, channels
from mechstudio.model.results.sample import sample_layout
from tests.one_row.rows import LAGRANGIAN, speeds
from tests.one_row.test_integrator import oscillator

KEY = "energy/lagrangian"


@pytest.fixture(autouse=True)
def row(monkeypatch):
    monkeypatch.setattr("mechstudio.model.results.channels.ENERGY", [*ENERGY, LAGRANGIAN])
    monkeypatch.setitem(GROUPS, "Speeds", speeds)


def samples(project):
    return Record(project.mechanism, RunOptions(1.0, 1e-2)).samples


def test_lagrangian_is_offered_and_plotted_under_its_name():
    project = oscillator()
    found = quantities(project)
    assert (found[KEY].group, found[KEY].name) == ("Energy", "Lagrangian T - V")
    assert (found["speed/mass"].group, found["speed/mass"].element) == ("Speeds", "mass")
    shown = with_curves(project, "energy", [KEY], True).project
    pane = next(pane for pane in panes(shown) if pane.id == "energy")
    curve = next(c for c in pane.curves if c.key == KEY)
    assert (curve.word, curve.color, curve.hidden) == ("L", 5, False) and pane.title == "Energy"
    assert decode(encode(shown)).project == shown


def test_powers_of_ten_leave_it_out():
    project = with_curves(oscillator(), "energy", [KEY], True).project
    pane = next(pane for pane in panes(with_log(project, "energy", True).project) if pane.log)
    assert [c.key for c in pane.curves] == ["energy/kinetic"]


def test_its_numbers_are_those_of_its_function():
    project = oscillator()
    rows, known = samples(project), channels(project.mechanism)
    requested = known["energy/kinetic"].values(rows) - known["energy/potential"].values(rows)
    assert np.ptp(requested) > 0.1 and np.array_equal(known[KEY].values(rows), requested)
    speed = np.abs(known["body/mass/vx"].values(rows))
    assert speed.max() > 0.5 and known["speed/mass"].values(rows) == pytest.approx(speed, abs=1e-9)
    recording = Recording(project)
    recording.append(rows)
    assert np.array_equal(recording.values(KEY), requested)
    assert np.array_equal(recorded(recording, KEY).values, requested)


def test_lagrangian_ends_a_run():
    project = oscillator()
    options = RunOptions(1.0, 1e-3, until=(EndCondition(KEY, Quantity(0.0)),))
    last = np.concatenate(list(run(compile_system(project.mechanism), options)))[-1]
    # T = V where the spring is stretched by 1 / sqrt 2 of its initial stretch
    assert last[0] == pytest.approx(np.pi / 4 / np.sqrt(50.0), rel=1e-6)
    assert channels(project.mechanism)[KEY].values(last[None])[0] == pytest.approx(0.0, abs=1e-9)


def test_a_table_of_columns_has_no_place_for_it():
    mechanism = oscillator().mechanism
    header = table_header(mechanism, sample_layout(mechanism))
    assert not any("Lagrangian" in name or "speed" in name for name in header)


def test_channel_without_columns_is_refused():
    bare = msgspec.structs.replace(channels(oscillator().mechanism)[KEY], columns=())
    with pytest.raises(ValueError, match="No sample holds Lagrangian"):
        bare.values(np.zeros((1, 9)))
