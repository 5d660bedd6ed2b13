"""One rule for exports that simulate by themselves: contacts, stops and friction that sticks are
refused in the same words in FMUs, Modelica models and notebooks, wherever they are requested.
"""

import msgspec
import pytest

import mechstudio as ms
from mechstudio.cli import main
from mechstudio.model.equations.simulated_exports import unsimulated
from mechstudio.model.types.exports import BY_ID, EXPORTS
from mechstudio.symbolic.exports import registry
from tests.symbolic.exports.test_exports import derived, sample
from tests.symbolic.exports.test_motion_laws import cart
from tests.symbolic.samples import simulated

SIMULATING = [f.id for f in EXPORTS if f.simulates]
HOLD = "FMUs, Modelica models and notebooks cannot hold"
CONTACTS = f"{HOLD} contacts. Turn them off to export the motion without them."


def of_stops():
    m = ms.Builder("Door", gravity=(0, -9.81, 0))
    door = m.body("door", (0.3, 0, 0), mass=1.0, inertia=(0.01,) * 3)
    stop = ms.limit("-40 deg", "40 deg")
    m.pin("hinge", m.ground, door, at=(0, 0, 0), axis=(0, 0, 1), limits=[stop])
    return m.project()


def of_friction(speed):
    m, _, _, rail, _ = cart()
    m.force("friction_force", "brake", joint=rail, force="2 N", speed=speed)
    return m.project()


@pytest.mark.parametrize("format", SIMULATING)
def test_models_of_drawings_with_contacts_are_refused(format):
    with pytest.raises(ms.DerivationError, match=CONTACTS):
        derived(sample("wedge")).export(format)


def test_stops_and_friction_that_sticks_are_refused_by_name():
    assert SIMULATING == ["modelica", "fmu", "notebook"]
    for project, words in (
        (of_stops(), f"{HOLD} the stops of joint hinge. Remove them"),
        (of_friction("0 m/s"), f"{HOLD} the friction brake, which sticks. Smooth it"),
    ):
        d = ms.derive(project)
        for format in SIMULATING:
            with pytest.raises(ms.DerivationError, match=words):
                d.export(format)
        assert d.export("c") and d.export("latex")  # equations that say where they hold
    assert unsimulated(of_friction("1 mm/s").mechanism) == ""
    assert unsimulated(simulated(of_stops()).mechanism) == ""


def test_a_rule_that_is_missing_is_seen(monkeypatch):
    """A format whose row does not say that it simulates exports a motion through the floor."""
    silent = msgspec.structs.replace(BY_ID["modelica"], simulates=False)
    monkeypatch.setitem(registry.BY_ID, "modelica", silent)
    assert "model " in derived(sample("wedge")).export("modelica")


@pytest.mark.parametrize("ending", [".mo", ".fmu", ".ipynb"])
def test_the_command_line_and_python_say_so_and_write_nothing(ending, tmp_path, capsys):
    target = tmp_path / f"wedge{ending}"
    assert main.main(["equations", str(sample("wedge")), "--out", str(target)]) == 1
    assert CONTACTS in capsys.readouterr().err
    with pytest.raises(ms.DerivationError, match=CONTACTS):
        ms.export_equations(ms.load(sample("wedge")), target)
    with pytest.raises(ms.ExchangeError, match=CONTACTS):
        ms.convert(ms.load(sample("wedge")), target)
    assert not target.exists()
