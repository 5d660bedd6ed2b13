"""Recordings: growing, moving to a file, reading between samples."""

import gc
import os
import re
import tempfile
import time
from pathlib import Path

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.runs import contact_log
from mechstudio.application.runs import recording as recording_module
from mechstudio.application.runs.recording import OFTEN, Recording
from mechstudio.model.contact import ContactSample
from mechstudio.model.project import Project, Settings
from mechstudio.model.quantity import Quantity
from mechstudio.model.results.run_statistics import RunStatistics
from tests.mechanisms import four_bar

PROJECT = Project(four_bar())


def samples(recording, count, start=0, step=0.1):
    """Rows of numbers that tell their place; the first body turns about z with t."""
    k = np.arange(start, start + count)
    out = k[:, None] * 1000.0 + np.arange(recording.layout.width)
    out[:, 0] = step * k
    quaternions = out[:, recording.layout.poses].reshape(count, -1, 7)
    quaternions[:, :, 3:] = (1.0, 0.0, 0.0, 0.0)
    quaternions[:, 0, 3], quaternions[:, 0, 6] = np.cos(step * k / 2), np.sin(step * k / 2)
    out[:, recording.layout.poses] = quaternions.reshape(count, -1)
    return out


def test_rows_grow_and_old_views_stay():
    recording = Recording(PROJECT)
    assert (
        recording.count == 0
        and recording.rows.shape == (0, recording.layout.width)
        and recording.end == 0.0
    )
    recording.append(samples(recording, 3))
    old = recording.rows
    recording.append(samples(recording, 500, 3))
    assert np.array_equal(recording.rows, samples(recording, 503)) and np.array_equal(
        old, samples(recording, 3)
    )
    assert (
        np.array_equal(recording.time, recording.rows[:, 0]) and recording.time.flags.c_contiguous
    )


def test_many_samples_go_to_a_file_that_leaves_nothing(tmp_path):
    recording = Recording(PROJECT, tmp_path, in_memory=100_000)
    for start in range(0, 2000, 50):
        recording.append(samples(recording, 50, start))
        assert recording.rows.shape[0] == start + 50
    early = recording.rows[:10]
    assert isinstance(recording.rows.base, np.ndarray) and not recording.rows.flags.writeable
    assert np.array_equal(recording.rows, samples(recording, 2000))
    if os.name == "posix":
        assert not list(tmp_path.iterdir())
    recording.close()
    assert np.array_equal(early, samples(recording, 10))
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    del early, recording
    gc.collect()
    assert not before or len(os.listdir("/proc/self/fd")) <= before
    assert not list(tmp_path.iterdir())


def test_a_full_disk_adds_nothing_and_raises(tmp_path, monkeypatch):
    recording = Recording(PROJECT, tmp_path, in_memory=1000)
    recording.append(samples(recording, 20))
    kept, real = recording.count, recording._file

    class Full:
        def __getattr__(self, name):
            return getattr(real, name)

        def write(self, data):
            if len(data) > 100:
                return real.write(data[:100])  # a disk that fills up in the middle of a sample
            raise OSError(28, "No space left on device")

    recording._file = Full()
    with pytest.raises(OSError):
        recording.append(samples(recording, 1, 20))
    recording._file = real
    assert recording.count == kept and np.array_equal(recording.rows, samples(recording, kept))
    recording.append(samples(recording, 5, kept))
    assert np.array_equal(recording.rows, samples(recording, kept + 5))
    recording.close()


def test_a_disk_that_is_full_at_the_first_byte_leaves_no_open_file(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(
        tempfile,
        "TemporaryFile",
        lambda make=tempfile.TemporaryFile, **named: made.append(make(**named)) or made[-1],
    )
    monkeypatch.setattr(
        Recording,
        "_write",
        lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")),
    )
    recording = Recording(PROJECT, tmp_path, in_memory=1000)
    with pytest.raises(OSError):
        recording.append(samples(recording, 20))
    assert recording.count == 0 and [f.closed for f in made] == [True]


def test_too_large_a_run_is_refused_in_a_sentence(tmp_path):
    settings = Settings(duration=Quantity(1e6), sample_step=Quantity(1e-6))
    recording = Recording(msgspec.structs.replace(PROJECT, settings=settings), tmp_path)
    assert "Choose a longer sample step" in recording.too_large()
    assert Recording(PROJECT, tmp_path).too_large() == ""
    assert Recording(PROJECT, tmp_path).expected == 301
    # senseless settings are the solver's to refuse
    assert (
        Recording(
            msgspec.structs.replace(PROJECT, settings=Settings(sample_step=Quantity(0.0))), tmp_path
        ).too_large()
        == ""
    )


def test_index_is_the_last_sample_at_or_before():
    recording = Recording(PROJECT)
    with pytest.raises(ValueError, match="no samples"):
        recording.index(0.0)
    recording.append(samples(recording, 11))
    assert [recording.index(t) for t in (-1.0, 0.0, 0.05, 0.1, 0.99999, 1.0, 7.0)] == [
        0,
        0,
        0,
        1,
        9,
        10,
        10,
    ]


def test_between_samples_lengths_are_linear_and_turns_keep_unit_quaternions():
    """Attitude about z by t: the middle of two samples turned by a and b is turned by (a + b) / 2
    exactly, also by nlerp.
    """
    recording = Recording(PROJECT)
    recording.append(samples(recording, 11))
    layout, between = recording.layout, recording.sample(0.35)
    assert between[0] == pytest.approx(0.35)
    assert between[layout.energy.start] == pytest.approx(3500 + layout.energy.start)
    q = between[layout.pose("crank")][3:]
    assert q == pytest.approx([np.cos(0.175), 0, 0, np.sin(0.175)], abs=1e-14)
    assert np.array_equal(recording.sample(0.3), recording.rows[3]) or recording.sample(
        0.3
    ) == pytest.approx(recording.rows[3])
    assert np.array_equal(recording.sample(9.0), recording.rows[-1]) and np.array_equal(
        recording.sample(-1.0), recording.rows[0]
    )


def test_opposite_signs_of_one_attitude_do_not_spin_it():
    recording = Recording(PROJECT)
    rows = samples(recording, 2)
    pose = recording.layout.pose("crank")
    rows[1, pose.start + 3 : pose.stop] *= -1
    recording.append(rows)
    q = recording.sample(0.05)[pose][3:]
    assert q == pytest.approx([np.cos(0.025), 0, 0, np.sin(0.025)], abs=1e-14)


def test_channels_are_read_by_key():
    recording = Recording(PROJECT)
    recording.append(samples(recording, 5))
    layout, rows = recording.layout, recording.rows
    assert np.array_equal(recording.values("joint/B/0"), rows[:, layout.joint("B").start])
    assert np.array_equal(
        recording.values("energy/total"),
        rows[:, layout.energy.start] + rows[:, layout.energy.start + 1],
    )
    assert np.array_equal(recording.values("energy/kinetic", 3), rows[3:, layout.energy.start])
    recording.values("energy/total")[:] = 0.0
    assert np.array_equal(recording.rows, samples(recording, 5))
    with pytest.raises(KeyError):
        recording.values("joint/nobody/0")


def test_reading_a_long_recording_is_quick(tmp_path):
    recording = Recording(PROJECT, tmp_path, in_memory=1 << 20)
    recording.append(samples(recording, 50_000))
    recording.sample(1.0)
    best = min(_timed(lambda k=k: recording.sample(17.03 * k)) for k in range(50))
    assert best < 1e-3


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="memory is read from /proc")
def test_memory_of_a_long_recording_is_given_back(tmp_path):
    """Files that are read count to the process until they are released."""
    recording = Recording(PROJECT, tmp_path, in_memory=1 << 20)
    for k in range(20):
        recording.append(samples(recording, 50_000, 50_000 * k))
    held = lambda: int(re.search(r"RssFile:\s+(\d+)", Path("/proc/self/status").read_text())[1])
    before, size = held(), recording.size / 1024
    total = float(recording.rows.sum())
    assert held() > before + 0.9 * size
    for k in range(OFTEN + 1):
        recording.sample(float(k))
    assert held() < before + 0.1 * size
    assert float(recording.rows.sum()) == total


def _timed(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def test_the_deepest_overlap_is_known_while_the_run_goes_on():
    """Contacts of samples carry it; at the end the run's own statistics have the last word."""
    recording = Recording(Project(four_bar()))
    assert recording.overlap_share == 0.0
    recording.contacts.extend(
        [ContactSample(0.0, b"", b"", sunk=1e-5), ContactSample(0.01, b"", b"", sunk=0.03)]
    )
    assert recording.overlap_share == 0.03
    recording.finish(
        True, "", RunStatistics(0.02, 2, 20, 0, 0.1, 0.1, None, 0.0, 0.2, overlap_share=0.04)
    )
    assert recording.overlap_share == 0.04


def touching(count, contacts=40):
    """Contacts of so many samples every 0.1 s, each with other numbers."""
    numbers = np.arange(12.0 * contacts).reshape(contacts, 12)
    pairs = np.zeros((contacts, 2), "<i4").tobytes()
    return [
        ContactSample(0.1 * k, pairs, (numbers + k).tobytes(), sunk=1e-6 * k) for k in range(count)
    ]


def test_contacts_of_long_runs_go_to_a_file_that_leaves_nothing(tmp_path):
    recording, all_ = Recording(PROJECT, tmp_path, in_memory=100_000), touching(200)
    for k in range(0, 200, 7):
        recording.contacts.extend(all_[k : k + 7])
    # 200 samples of 40 contacts are 0.8 MB
    log = recording.contacts
    assert len(log) == 200 and not log._records and os.fstat(log._file.fileno()).st_size > 700_000
    assert os.listdir(tmp_path) == []
    assert (
        [log[k] for k in range(200)] == all_
        and log.last is all_[-1]
        and recording.overlap_share == all_[-1].sunk
    )
    # at a time, and before and behind all; who asks again gets the same object
    assert [log.at(t).time for t in (-1.0, 0.0, 0.05, 3.0 + 1e-9, 99.0)] == [
        all_[k].time for k in (0, 0, 0, 30, 199)
    ]
    assert log.at(3.05) is log.at(3.06)
    with pytest.raises(IndexError):
        log[200]
    recording.close()
    assert len(recording.contacts) == 0


def test_contacts_that_the_disk_does_not_take_leave_those_before(tmp_path, monkeypatch):
    recording, all_ = Recording(PROJECT, tmp_path, in_memory=10_000), touching(50)
    recording.contacts.extend(all_[:30])
    write = contact_log.write_at
    monkeypatch.setattr(
        contact_log,
        "write_at",
        lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")),
    )
    with pytest.raises(OSError):
        recording.contacts.extend(all_[30:])
    monkeypatch.setattr(contact_log, "write_at", write)
    assert (
        len(recording.contacts) == 30
        and recording.contacts[29] == all_[29] == recording.contacts.last
    )
    recording.contacts.extend(all_[30:])
    assert [recording.contacts[k] for k in range(50)] == all_
    recording.close()


def test_contacts_are_counted_before_a_run(tmp_path, monkeypatch):
    """10 balls on a floor: three contacts of 112 bytes each, and 300 bytes, a sample."""
    m = ms.Builder("balls")
    m.floor()
    for k in range(10):
        m.body(f"ball {k}", (0.1 * k, 0, 0.02)).sphere(0.02)
    project = m.project()
    project = msgspec.structs.replace(
        project, settings=Settings(duration=Quantity(100.0), sample_step=Quantity(0.01))
    )
    recording = Recording(project, tmp_path, in_memory=0)
    contacts, own = 300 + 10 * 3 * 112, 8 * recording.layout.width
    free = lambda size: type(
        "Disk", (), {"free": size * recording.expected / recording_module.ENOUGH_LEFT}
    )
    monkeypatch.setattr(recording_module.shutil, "disk_usage", lambda _: free(own + contacts - 1))
    assert recording.too_large().startswith("This run would record ")
    monkeypatch.setattr(recording_module.shutil, "disk_usage", lambda _: free(own + contacts + 1))
    assert recording.too_large() == ""


def test_peaks_come_with_the_samples_and_are_those_of_all(tmp_path):
    rng = np.random.default_rng(1)
    recording = Recording(PROJECT, tmp_path, in_memory=100_000)
    width = recording.layout.width
    blocks = [rng.standard_normal((n, width)) for n in (1, 700, 33, 5000)]
    assert not recording.peaks.any()
    for block in blocks:
        recording.append(block)
    every = np.abs(np.concatenate(blocks)).max(axis=0)
    assert np.array_equal(recording.peaks, every) and recording._peaked == recording.count
    # of a run that was saved they are found when they are requested
    other = Recording(PROJECT)
    other.take(np.concatenate(blocks))
    assert np.array_equal(other.peaks, every)
    other.append(np.full((1, width), -99.0))
    assert (other.peaks == 99.0).all()
