"""The note on a run with contacts whose energy does not balance."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run as run_blocks
from mechstudio.engine.run import system_for
from mechstudio.files.project_file import load
from mechstudio.model.quantity import Quantity

SAMPLES = Path(__file__).parents[3] / "samples"


def statistics(drawn, contacts, duration):
    options = RunOptions(duration=duration, sample_step=0.01, contacts=contacts)
    system = system_for(drawn, options)
    for _ in run_blocks(system, options, []):
        pass
    return system.statistics


def notes(found):
    return [note for note in found.notes if note.startswith("The energy is off by")]


@pytest.mark.parametrize(("step", "told"), [(5e-3, 1), (5e-4, 0)])
def test_a_long_step_is_noted_by_its_energy(step, told):
    """The gripper closes too quickly for steps of 5 ms; the note has the share of the run."""
    project = load(SAMPLES / "gripper.mech").project
    contacts = replace(project.settings.contacts, step=Quantity(step))
    found = statistics(project.mechanism, contacts, 2.0)
    assert len(notes(found)) == told
    if told:
        assert f"{100.0 * found.energy_error:.2g} %" in notes(found)[0]
