"""Memory of runs: counted before they start, refused in a sentence above half of the free memory,
and reported where it ends during a run.
"""

import sys

import pytest

import mechstudio as ms
from mechstudio.cli import main
from mechstudio.engine import run
from mechstudio.engine.analyses import record
from mechstudio.engine.integration import memory
from mechstudio.engine.integration.options import RunOptions
from mechstudio.model import contact
from tests.engine.integration.test_table_runs import slider

CURE = "Choose a longer sample step or a shorter duration."


def project():
    return slider()[0].project()


def test_half_of_what_is_free_may_be_taken():
    # 1000 samples of 100 numbers are 800 kB
    assert (
        memory.too_large(1000, 100, 1_600_000) is None and memory.too_large(1000, 100, None) is None
    )
    finding = memory.too_large(1001, 100, 1_600_000)
    assert finding.message == (
        "The run has 1,001 samples of 800 bytes: 0.801 MB, more than half of the 1.6 MB "
        "of memory that are free."
    )
    assert finding.cure == CURE
    assert (
        "16 GB, more than half of the 8.5 GB"
        in memory.too_large(20_000_000, 100, 8_500_000_000).message
    )


def test_the_system_reports_free_memory():
    free = memory.free_memory()
    assert free is None or 1e7 < free < 1e14
    assert free is not None or not sys.platform.startswith(("linux", "win"))


def test_a_run_that_memory_does_not_hold_is_refused_before_it_starts(monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: 100_000)
    ms.simulate(project(), duration=0.1, sample_step=0.01)
    for ask in (
        lambda **how: ms.simulate(project(), **how),
        lambda **how: ms.analyse(project(), "loads", **how),
    ):
        with pytest.raises(
            ms.EngineError, match=r"of memory that are free. Choose a longer sample step"
        ):
            ask(duration=10.0, sample_step=0.001)


def out_of_memory(*_, **__):
    raise MemoryError
    yield


def test_memory_that_ends_on_the_way_is_reported(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(run, "run", out_of_memory)
    with pytest.raises(ms.EngineError) as reported:
        ms.simulate(project(), duration=0.1)
    assert str(reported.value) == f"There is not enough memory for this run. {CURE}"
    ms.save(project(), tmp_path / "slider.mech")
    assert main.main(["simulate", str(tmp_path / "slider.mech")]) == 1
    assert f"There is not enough memory for this run. {CURE}" in capsys.readouterr().err


def test_no_command_calls_it_a_fault_of_the_program(monkeypatch, capsys):
    monkeypatch.setitem(main.COMMANDS, "check", lambda options, render: next(out_of_memory()))
    assert main.main(["check", "anything.mech"]) == 1
    assert capsys.readouterr().err == "mechstudio: There is not enough memory for this.\n"


def resting():
    """Boxes on a floor: four contacts each, at every sample."""
    m = ms.Builder("boxes")
    m.floor()
    for k in range(6):
        m.body(f"box {k}", (0.2 * k, 0, 0.05)).box(0.1, 0.1, 0.1)
    return m.project()


# 6 bodies: 3 contacts each of 112 bytes, and 300 bytes a sample beside them
def test_contacts_that_an_analysis_keeps_are_counted_before_it():
    assert (
        contact.expected_record_size(resting().mechanism) == 300 + 6 * 3 * 112
        and contact.expected_record_size(project().mechanism) == 0
    )
    assert memory.too_large(1000, 100, 1_700_000, 40) is None
    assert (
        "of 800 bytes and 100 or so of their contacts: 0.9 MB"
        in memory.too_large(1000, 100, 1_700_000, 100).message
    )


def test_contacts_that_grow_beyond_half_of_what_is_free_end_the_analysis(monkeypatch):
    """Their number is unknown before: with 2 MB free the run may begin, and it ends when its
    contacts pass 1 MB.
    """
    monkeypatch.setattr(memory, "LOOK", 10_000)
    monkeypatch.setattr(contact, "PER_BODY", 0)
    options = RunOptions(1.0, 0.002)
    taken = [0]
    record_size = record.record_size
    monkeypatch.setattr(
        record,
        "record_size",
        lambda sample: taken.__setitem__(0, taken[0] + record_size(sample)) or record_size(sample),
    )
    monkeypatch.setattr(memory, "free_memory", lambda: 2_000_000 - taken[0])
    with pytest.raises(
        ms.EngineError,
        match=r"^Up to t = 0\.\d+ s the contacts of the run take 1(\.\d+)? MB, more than half of "
        r"the memory that was free\. Choose",
    ):
        record.Record(resting().mechanism, options)
    monkeypatch.setattr(memory, "free_memory", lambda: 20_000_000)
    assert len(record.Record(resting().mechanism, options).contact_samples) == 501
