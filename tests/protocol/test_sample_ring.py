"""The ring of samples: order, wrapping round, waiting when full, and no trace left."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from mechstudio.protocol import sample_ring as module
from mechstudio.protocol.sample_ring import Ring

needs_folder = pytest.mark.skipif(
    not Path("/dev/shm").is_dir(), reason="shared memory is not shown as files here"
)


@pytest.fixture
def pair():
    reader = Ring.create(3, 8)
    writer = Ring.attach(reader.name)
    yield reader, writer
    writer.close()
    reader.close()


def rows(start, count):
    return np.arange(start, start + count)[:, None] + np.array([0.0, 0.1, 0.2])


def test_rows_come_in_order_round_and_round(pair):
    reader, writer = pair
    sent = taken = 0
    generator = np.random.default_rng(3)
    while sent < 200:
        sent += writer.write(rows(sent, int(generator.integers(0, 9))))
        got = reader.read(int(generator.integers(0, 9)))
        assert np.array_equal(got, rows(taken, len(got)))
        taken += len(got)
    assert np.array_equal(reader.read(), rows(taken, sent - taken))
    assert reader.waiting == 0 and writer.written == sent


def test_a_full_ring_takes_no_more(pair):
    reader, writer = pair
    assert writer.write(rows(0, 20)) == 8
    assert writer.space == 0 and writer.write(rows(8, 1)) == 0
    assert np.array_equal(reader.read(5), rows(0, 5))
    assert writer.write(rows(8, 20)) == 5
    assert np.array_equal(reader.read(), rows(5, 8))


def test_a_reader_in_another_thread_sees_every_row():
    reader = Ring.create(3, 100)
    writer = Ring.attach(reader.name)
    got = []

    def write():
        sent = 0
        while sent < 5000:
            sent += writer.write(rows(sent, min(7, 5000 - sent)))
            time.sleep(0)

    thread = threading.Thread(target=write)
    thread.start()
    limit = time.monotonic() + 20
    while sum(map(len, got)) < 5000 and time.monotonic() < limit:
        got.append(reader.read())
        time.sleep(0)
    thread.join()
    writer.close()
    reader.close()
    assert np.array_equal(np.concatenate(got), rows(0, 5000))


def test_size_follows_the_width():
    assert module.row_count(1) == module.MOST
    assert module.row_count(10**6) == module.FEWEST
    assert 8 * 3000 * module.row_count(3000) == pytest.approx(module.SIZE, rel=0.01)


@needs_folder
def test_too_little_shared_memory_is_an_error_and_no_crash():
    with pytest.raises(OSError, match="shared memory are not free"):
        Ring.create(1 << 30, 1 << 12)


@needs_folder
def test_the_owner_takes_the_name_away_and_the_guest_does_not():
    owner = Ring.create(2, 4)
    path = Path("/dev/shm") / owner.name
    guest = (
        "import sys, numpy; from mechstudio.protocol.sample_ring import Ring; r = "
        "Ring.attach(sys.argv[1]); r.write(numpy.ones((1, 2))); r.close()"
    )
    done = subprocess.run(
        [sys.executable, "-c", guest, owner.name],
        check=False,
        capture_output=True,
        text=True,
        cwd=Path(module.__file__).parents[2],
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert path.exists() and owner.waiting == 1
    owner.close()
    owner.close()
    assert not path.exists()


@needs_folder
def test_rings_of_dead_owners_are_swept(monkeypatch):
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    dead, own = (
        Path("/dev/shm") / f"{module._PREFIX}{pid}-00000000" for pid in (child.pid, os.getpid())
    )
    try:
        for path in (dead, own):
            path.write_bytes(b"")
        module.sweep()
        assert dead.exists()  # too young: its owner may live in another container
        monkeypatch.setattr(module, "_STALE", -1.0)
        module.sweep()
        assert not dead.exists() and own.exists()
    finally:
        for path in (dead, own):
            path.unlink(missing_ok=True)
