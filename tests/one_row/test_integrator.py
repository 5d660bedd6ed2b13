"""Heun's method: one row of INTEGRATOR_TYPES and one function are an integrator everywhere."""

import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.integration.integrators import METHODS
from mechstudio.engine.integration.options import RunOptions
from mechstudio.files.project_file import decode, encode
from mechstudio.model import fields
from mechstudio.model.results.methods import method_parts
from mechstudio.model.types.methods import INTEGRATOR_TYPES
from mechstudio.view.inspector.runs.settings import applies
from tests.one_row.fresh import reported
from tests.one_row.rows import HEUN, heun

RATE = math.sqrt(50.0)  # of the oscillator [1/s]


@pytest.fixture(autouse=True)
def row(monkeypatch):
    monkeypatch.setitem(INTEGRATOR_TYPES, "heun", HEUN)
    monkeypatch.setitem(METHODS, "heun", heun)


def oscillator():
    """A mass of 1 kg on a slider, 100 mm from where its spring of 50 N/m rests."""
    m = ms.Builder("Oscillator")
    b = m.body("mass", ("300 mm", 0, 0), mass="1 kg").box("40 mm", "40 mm", "40 mm")
    m.slider("S", m.ground, b, at=b.world(), axis=(1, 0, 0))
    numbers = dict(stiffness="50 N/m", free_length="200 mm")
    m.force("spring", "K", a=m.ground, b=b, at=((0, 0, 0), b.world()), **numbers)
    return m.project()


def chosen(project):
    return msgspec.structs.replace(
        project, settings=msgspec.structs.replace(project.settings, integrator="heun")
    )


def error(step):
    result = ms.simulate(chosen(oscillator()), duration=1, step=step)
    x = result.joint_coordinates["S"][:, 0]
    return float(np.abs(x - 0.1 * (np.cos(RATE * result.time) - 1.0)).max())


def test_heun_converges_with_order_two():
    coarse, fine = error(4e-3), error(2e-3)
    assert fine < 1e-4 and 3.5 < coarse / fine < 4.5


def test_heun_takes_every_formulation_and_is_named_in_a_refusal():
    RunOptions(integrator="heun", formulation="independent").check()
    with pytest.raises(ValueError, match="choose DOP853, DOPRI5, RK4 or Heun"):
        RunOptions(integrator="radau", formulation="independent").check()


def test_heun_is_kept_in_a_file_and_named_by_a_run():
    project = chosen(oscillator())
    assert decode(encode(project)).project == project
    assert method_parts(project.settings).integrator == "Heun 2 ms"


def test_the_inspector_shows_what_it_reads():
    settings = chosen(oscillator()).settings
    shown = {f.path[0] for f in fields.fields(settings) if applies(settings, f)}
    assert "step" in shown and not {"tolerance", "spectral_radius"} & shown


def test_the_terminal_knows_it():
    text = reported(
        "import contextlib, io, json\n"
        "from mechstudio.cli.main import main\n"
        "out = io.StringIO()\n"
        "with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):\n"
        "    main(['simulate', '--help'])\n"
        "print(json.dumps(' '.join(out.getvalue().split())))"
    )
    assert f"heun: {HEUN.use}" in text
