"""Mechanisms that can only shake are never torn apart: every method and formulation ends at the
last good state and says so, with contacts too.

A loop whose motion by rates leads nowhere opens by the square of it; no joint may be open by more
than 1e-9 of the size.
"""

import math

import msgspec
import numpy as np
import pytest

from mechstudio.engine.errors import RunStopped
from mechstudio.engine.integration.integrators import STEPPERS
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run, system_for
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.results.sample import GAP
from mechstudio.model.types.methods import FORMULATIONS, INTEGRATOR_TYPES
from tests import mechanisms
from tests.engine.problems import fourbar

replace = msgspec.structs.replace

RING = [(math.cos(a), math.sin(a), 0.0) for a in (0.0, 2 * math.pi / 3, 4 * math.pi / 3)]
AWAY = replace(mechanisms.three_cranks(0.5), gravity=vector(5, 0, 0))
# mechanism, the joints of its loop
SHAKING = {
    "in line": (mechanisms.links_in_line(), "A, B and C"),
    "in line, with a rate": (
        replace(mechanisms.links_in_line(rates=(Quantity(1.0),)), gravity=vector(0, 0, 0)),
        "A, B and C",
    ),
    "a millionth off the line": (mechanisms.links_in_line(1e-6), "A, B and C"),
    "two rods in line": (mechanisms.hub_on_rods([(-1, 0, 0), (1, 0, 0)]), "rod 1 and rod 2"),
    "three rods in a plane": (mechanisms.hub_on_rods(RING), "rod 1, rod 2 and rod 3"),
    "a third crank": (AWAY, "foot 1, head 1, foot 2, head 2, foot 3 and head 3"),
}
METHODS = [
    (i, f)
    for i in INTEGRATOR_TYPES
    for f in FORMULATIONS
    if not (f == "independent" and i in STEPPERS)
]


def outcome(mechanism, duration=1.0, **options):
    """(samples, system, reason why the run ended or "")."""
    options = RunOptions(duration, 0.01, **options)
    system = system_for(mechanism, options)
    blocks, reason = [np.empty((0, system.layout.width))], ""
    try:
        for block in run(system, options):
            blocks.append(block)
    except RunStopped as stop:
        reason = stop.reason
    return np.concatenate(blocks), system, reason


def ends_with_a_reason(mechanism, joints, **options):
    samples, system, reason = outcome(mechanism, **options)
    # where all rows are held in every stage it may also stand for good
    stands = (
        not reason
        and np.abs(samples[:, system.layout.poses] - samples[0, system.layout.poses]).max() < 1e-4
    )
    assert (
        stands and options.get("formulation") == "independent"
    ) or f"the loop through {joints} can only shake: its motion by rates leads nowhere" in reason
    assert "DOP853" not in reason
    # up to 1e-9 per row, and five rows of a joint
    allowed = 1e-9 * math.sqrt(5) * system.size
    assert len(samples) >= 1 and samples[:, system.layout.constraint.start + GAP].max() < allowed
    assert system.statistics.constraint_error_m < allowed
    # none creeps, whatever else the machine is at
    assert system.statistics.cpu_s < 10.0


@pytest.mark.parametrize("name", SHAKING)
def test_a_default_run_ends_at_the_last_good_state(name):
    ends_with_a_reason(*SHAKING[name])


@pytest.mark.parametrize("name", ["in line", "two rods in line"])
@pytest.mark.parametrize(("integrator", "formulation"), METHODS)
@pytest.mark.thinned(4)
def test_every_method_and_formulation_ends_there(integrator, formulation, name):
    ends_with_a_reason(*SHAKING[name], integrator=integrator, formulation=formulation)


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in SHAKING if n != "a millionth off the line"])
@pytest.mark.parametrize(("integrator", "formulation"), METHODS)
@pytest.mark.parametrize("tolerance", [1e-6, 1e-12])
def test_every_shaking_mechanism_by_every_method(integrator, formulation, name, tolerance):
    ends_with_a_reason(
        *SHAKING[name], integrator=integrator, formulation=formulation, tolerance=tolerance
    )


@pytest.mark.parametrize("name", SHAKING)
def test_with_contacts_it_ends_there_too(name):
    mechanism, joints = SHAKING[name]
    ends_with_a_reason(
        replace(mechanism, contacts=replace(mechanism.contacts, enabled=True)), joints
    )


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.slow
def test_without_load_and_speed_it_rests(formulation):
    samples, system, reason = outcome(
        replace(mechanisms.links_in_line(), gravity=vector(0, 0, 0)), formulation=formulation
    )
    assert not reason and len(samples) == 101 and system.statistics.constraint_error_m < 1e-15


@pytest.mark.parametrize("rise", [1e-5, 1e-4, 1e-2])
def test_a_flat_truss_stands(rise):
    # two bars at an angle are a triangle: nothing moves by more than the square of what closing
    # leaves, over the rise
    samples, system, reason = outcome(mechanisms.links_in_line(rise))
    assert (
        not reason
        and np.abs(samples[:, system.layout.poses] - samples[0, system.layout.poses]).max()
        < 1e-13 / rise
    )


@pytest.mark.parametrize(
    ("drift", "words"), [("none", "Nothing closes joints"), ("baumgarte", "Baumgarte's terms")]
)
def test_drift_without_projection_is_noted(drift, words):
    _, system, _ = outcome(fourbar(1), drift=drift)
    assert any(words in note and "drift, here by up to" in note for note in system.statistics.notes)
    _, system, _ = outcome(fourbar(1))
    assert not system.statistics.notes


@pytest.mark.parametrize("contacts", [False, True])
@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.slow
def test_cranks_of_one_length_move(formulation, contacts):
    # planted twin: with the third crank as long as the others the same rows are too many, and all
    # of them hold
    if contacts and formulation != "joint":
        pytest.skip("contacts go with joint coordinates")
    mechanism = replace(mechanisms.three_cranks(), gravity=vector(5, 0, 0))
    mechanism = replace(mechanism, contacts=replace(mechanism.contacts, enabled=contacts))
    samples, system, reason = outcome(mechanism, duration=0.5, formulation=formulation)
    assert not reason and np.abs(samples[-1] - samples[0]).max() > 0.3
    assert samples[:, system.layout.constraint.start + GAP].max() < 1e-12
