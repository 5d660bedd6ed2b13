"""Forces of all contacts of a run."""

import re

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.api.contact_forces import ActingContacts
from mechstudio.engine.integration import memory
from tests.engine.contacts.cases import ball, box, mechanism, skin

G, MU = 9.81, 0.3


def project(*bodies, mu=MU):
    drawn = mechanism(bodies, floor=skin(mu))
    return msgspec.structs.replace(ms.Builder("drawn").project(), mechanism=drawn)


def block(n, mass=1.0, height=0.05, **more):
    return box(f"b{n}", (0.1, 0.1, 0.1), mass, (0.3 * n, 0.0, height), surface=skin(MU), **more)


def test_a_block_that_slides_is_carried_and_rubbed():
    """m g up and mu m g against the way until it stands, shared by all points that touch."""
    result = ms.simulate(project(block(0, v=(1.0, 0.0, 0.0))), duration=0.2, sample_step=0.01)
    contacts = result.contacts
    force = contacts.on("b0")
    assert force[1:] == pytest.approx(np.tile([-MU * G, 0.0, G], (20, 1)), abs=0.02)
    assert contacts.on("ground") == pytest.approx(-force)
    assert contacts.on("b0", by="ground") == pytest.approx(force)
    assert np.sum(contacts.force * contacts.normal, axis=1) == pytest.approx(contacts.normal_force)
    rubbing = np.linalg.norm(contacts.tangential_force, axis=1)
    assert rubbing == pytest.approx(MU * np.abs(contacts.normal_force), rel=1e-3, abs=1e-6)
    assert set(contacts.friction) == {MU}
    assert contacts.time == pytest.approx(0.01 * contacts.sample)
    # what samples record of the pair
    assert force[:, 2] == pytest.approx(result.courses("contact/b0/ground")[0].values, abs=1e-9)


def test_only_what_acts_has_a_row():
    """A ball in flight has none; while it touches it has one at each sample."""
    flying = ms.simulate(
        project(ball("ball", 0.1, 1.0, (0.0, 0.0, 0.5))), duration=0.5, sample_step=0.01
    )
    lands = np.sqrt(2 * 0.4 / G)
    assert flying.contacts.time.min() >= lands - 1e-3
    assert len(np.unique(flying.contacts.sample)) == len(flying.contacts)


def test_a_crowd_of_pairs_has_all_its_forces():
    """Beyond 64 pairs the samples record none; each block still feels its own weight."""
    result = ms.simulate(
        project(*(block(n, mass=1.0 + n) for n in range(14))), duration=0.05, sample_step=0.01
    )
    assert not result.layout.pairs
    for n in range(14):
        assert result.contacts.on(f"b{n}")[-1] == pytest.approx(
            [0, 0, (1 + n) * G], rel=1e-3, abs=1e-3
        )


def test_a_run_without_them_says_so():
    result = ms.simulate(project(block(0)), duration=0.02, sample_step=0.01, contacts=False)
    with pytest.raises(ValueError, match="not kept the forces"):
        _ = result.contacts
    with pytest.raises(ValueError, match="contacts are off"):
        _ = ms.simulate(ms.load("samples/four_bar.mech"), duration=0.1).contacts
    with pytest.raises(KeyError, match="no body nobody"):
        ms.simulate(project(block(0)), duration=0.02, sample_step=0.01).contacts.on("nobody")


def test_rows_as_a_data_frame():
    pytest.importorskip("pandas")
    contacts = ms.simulate(project(block(0)), duration=0.05, sample_step=0.01).contacts
    frame = contacts.to_pandas()
    assert len(frame) == len(contacts)
    assert abs(frame.groupby("time")["force z"].sum().iloc[-1]) == pytest.approx(G, rel=1e-3)


def test_memory_of_kept_contact_samples_is_counted():
    """Bytes of the arrays of rows that are kept, and of no others."""
    acting = ActingContacts()
    contact_samples = []
    from mechstudio.engine.integration.options import options_of
    from mechstudio.engine.run import run, system_for

    drawn = project(block(0), ball("ball", 0.1, 1.0, (1.0, 0.0, 5.0)))
    options = options_of(drawn, duration=0.05, sample_step=0.01)
    system = system_for(drawn.mechanism, options)
    rows = np.concatenate(
        [np.array(b) for b in run(system, options, contact_samples=contact_samples)]
    )
    size = acting.add(contact_samples)
    found = acting.forces(drawn, system.layout, rows[:, 0])
    assert size == len(found) * (2 * 4 + 13 * 8 + 3 * 8)


def test_contacts_that_fill_the_memory_end_the_run_and_say_when(monkeypatch):
    amounts = iter([None])  # unknown before the run, next to nothing in it
    monkeypatch.setattr(memory, "LOOK", 1)
    monkeypatch.setattr(memory, "free_memory", lambda: next(amounts, 1.0))
    with pytest.raises(ms.EngineError, match="the contacts of the run take") as raised:
        ms.simulate(project(block(10)), duration=0.05, sample_step=0.01)
    time = float(re.findall(r"Up to t = (\S+) s", str(raised.value))[0])
    assert 0.0 < time <= 0.05
