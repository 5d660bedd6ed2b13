"""Saving under bad luck: kill, full disk, read-only folder, two programs at once.  At every instant
a whole file is on disk.
"""

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from mechstudio.files import durable, project_file
from mechstudio.files.durable import WriteFailed, write

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")
ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples"


def leftovers(folder):
    return [p.name for p in folder.iterdir() if ".tmp" in p.name]


def assert_sentence(error, *parts):
    text = str(error.value)
    assert text.endswith(".") and "\n" not in text and "Errno" not in text
    for part in parts:
        assert part in text, text


def test_write_and_backup(tmp_path):
    path = tmp_path / "a.mech"
    write(path, b"one", backup=True)
    assert path.read_bytes() == b"one" and not (tmp_path / "a.mech~").exists()
    write(path, b"two", backup=True)
    write(path, b"three", backup=True)
    assert path.read_bytes() == b"three" and durable.backup_path(path).read_bytes() == b"two"
    write(path, b"four")
    assert path.read_bytes() == b"four" and durable.backup_path(path).read_bytes() == b"two"
    assert leftovers(tmp_path) == []


def test_backup_without_hard_links(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(1, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    write(tmp_path / "a", b"one", backup=True)
    write(tmp_path / "a", b"two", backup=True)
    assert (tmp_path / "a~").read_bytes() == b"one" and leftovers(tmp_path) == []


def test_backup_that_already_is_the_same_file(tmp_path):
    """As after a kill between backup and replacing."""
    write(tmp_path / "a", b"one")
    os.link(tmp_path / "a", tmp_path / "a~")
    write(tmp_path / "a", b"two", backup=True)
    assert (tmp_path / "a~").read_bytes() == b"one" and leftovers(tmp_path) == []


@posix
def test_permissions_and_links(tmp_path):
    path = tmp_path / "real.mech"
    write(path, b"one")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    path.chmod(0o640)
    (tmp_path / "link.mech").symlink_to("real.mech")
    write(tmp_path / "link.mech", b"two", backup=True)
    assert (tmp_path / "link.mech").is_symlink() and path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert (tmp_path / "real.mech~").read_bytes() == b"one" and not (
        tmp_path / "link.mech~"
    ).exists()
    (tmp_path / "dangling").symlink_to("new.mech")
    write(tmp_path / "dangling", b"x")
    assert (tmp_path / "new.mech").read_bytes() == b"x"


def test_failed_writes_give_the_reason_and_leave_nothing(tmp_path):
    with pytest.raises(WriteFailed) as error:
        write(tmp_path, b"x")
    assert_sentence(error, "is a folder")
    with pytest.raises(WriteFailed) as error:
        write(tmp_path / "no" / "a", b"x")
    assert_sentence(error, "does not exist")
    for name in ("a\0b", "x" * 400):
        with pytest.raises(WriteFailed) as error:
            write(tmp_path / name, b"x")
        assert_sentence(error, "does not accept this name")
    assert list(tmp_path.iterdir()) == []


@posix
def test_devices_are_not_replaced():
    with pytest.raises(WriteFailed) as error:
        write("/dev/null", b"x")
    assert_sentence(error, "is a device")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


ATTEMPT = """
import os, sys
sys.path.insert(0, {root!r})
from mechstudio.files.durable import write, WriteFailed
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try: write({path!r}, b'new')
except WriteFailed as e: print('REFUSED', e)
else: print('WRITTEN')
"""


@pytest.fixture
def open_folder():
    """A folder that every user can reach; pytest's own are private."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o777)
        yield Path(name)
        os.chmod(name, 0o777)


@posix
@pytest.mark.parametrize("what", ["folder", "file", "nothing"])
def test_read_only(open_folder, what):
    """As an ordinary user, whom permissions bind."""
    path = open_folder / "a.mech"
    path.write_bytes(b"old")
    path.chmod(0o444 if what == "file" else 0o666)
    open_folder.chmod(0o555 if what == "folder" else 0o777)
    result = subprocess.run(
        [sys.executable, "-c", ATTEMPT.format(root=str(ROOT), path=str(path))],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if what == "nothing":
        assert result.stdout == "WRITTEN\n", result.stdout + result.stderr
        return
    assert result.stdout.startswith("REFUSED a.mech could not be saved because "), (
        result.stdout + result.stderr
    )
    assert ("write-protected" if what == "file" else "you may not write in") in result.stdout
    assert path.read_bytes() == b"old" and leftovers(open_folder) == []


FULL = """
import resource, sys
sys.path.insert(0, {root!r})
from mechstudio.files.durable import write, WriteFailed
resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
try: write({path!r}, b'n' * 100000, backup=True)
except WriteFailed as e: print('REFUSED', e)
else: print('WRITTEN')
"""


@posix
def test_a_file_that_does_not_fit(tmp_path):
    path = tmp_path / "a.mech"
    path.write_bytes(b"old")
    result = subprocess.run(
        [sys.executable, "-c", FULL.format(root=str(ROOT), path=str(path))],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.stdout.startswith(
        "REFUSED a.mech could not be saved because it is larger than the disk"
    ), result.stdout + result.stderr
    assert path.read_bytes() == b"old" and leftovers(tmp_path) == []


def test_a_full_disk_at_any_step(tmp_path, monkeypatch):
    """ENOSPC injected into each system call in turn."""
    import errno

    def fail(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "a.mech"
    path.write_bytes(b"old")
    for name in ("write", "fsync", "open", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail)
            with pytest.raises(WriteFailed) as error:
                write(path, b"new", backup=True)
            assert_sentence(error, "disk is full", "unchanged")
        assert path.read_bytes() == b"old" and leftovers(tmp_path) == []


def test_old_leftovers_are_swept_and_young_ones_kept(tmp_path):
    old, young = tmp_path / ".a.mech.0123456789ab.tmp", tmp_path / ".a.mech.4567456745ab.tmp"
    for p in (old, young):
        p.write_bytes(b"x")
    os.utime(old, (time.time() - 7200,) * 2)
    write(tmp_path / "a.mech", b"new")
    assert leftovers(tmp_path) == [young.name]


def test_temporary_files_of_killed_programs_are_removed_at_save_and_opening(tmp_path):
    killed = subprocess.Popen([sys.executable, "-c", "pass"])
    killed.wait()
    here = durable._MACHINE
    dead = [
        f".{name}.{here}-{killed.pid}-01234567.tmp{end}"
        for name in ("a.mech", "b.png")
        for end in ("", "~")
    ]
    # of a program that still writes, of another machine, and what is none of ours
    others = [
        f".a.mech.{here}-{os.getpid()}-01234567.tmp",
        f".a.mech.000000-{killed.pid}-01234567.tmp",
        ".mine.tmp",
        "notes.tmp",
        f".a.{here}-1.tmp",
    ]
    for start in (
        lambda: write(tmp_path / "c.csv", b"new"),
        lambda: project_file.load(tmp_path / "c.mech"),
    ):
        for name in (*dead, *others):
            (tmp_path / name).write_bytes(b"x")
        shutil.copy(SAMPLES / "four_bar.mech", tmp_path / "c.mech")
        start()
        assert sorted(leftovers(tmp_path)) == sorted(others)


WRITER = """
import os, sys
sys.path.insert(0, {root!r})
from mechstudio.files.durable import write
k = int(sys.argv[2])
while True:
    k += 1
    write(sys.argv[1], (b'%08d' % k) * 20000, backup=True)
    os.write(1, b'%d\\n' % k)
"""


def content_number(path):
    """The number that fills a file of the writer; None if the file is broken."""
    data = path.read_bytes()
    return int(data[:8]) if len(data) == 160000 and data == data[:8] * 20000 else None


@posix
def test_killed_at_any_moment(tmp_path):
    """kill -9 while saving: what is on disk is whole, and never older than what was reported as
    saved.
    """
    path = tmp_path / "a.mech"
    k = 0
    for i in range(12):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER.format(root=str(ROOT)), str(path), str(k)],
            stdout=subprocess.PIPE,
        )
        process.stdout.readline()
        time.sleep(0.0023 * i)
        os.kill(process.pid, signal.SIGKILL)
        acknowledged = max(
            [k + 1, *(int(line) for line in process.stdout.read().split(b"\n")[:-1])]
        )
        process.wait()
        process.stdout.close()
        found = content_number(path)
        assert found is not None and found >= acknowledged
        backup = Path(str(path) + "~")
        assert not backup.exists() or content_number(backup) is not None
        k = found


def test_two_at_once(tmp_path):
    path = tmp_path / "a.mech"
    failures = []

    def writer(digit):
        try:
            for _ in range(25):
                write(path, digit * 50000, backup=True)
        except WriteFailed as error:
            failures.append(error)

    threads = [threading.Thread(target=writer, args=(d,)) for d in (b"1", b"2", b"3")]
    for t in threads:
        t.start()
    seen = set()
    while any(t.is_alive() for t in threads):
        if path.exists():
            data = path.read_bytes()
            assert len(data) == 50000 and len(set(data)) == 1
            seen.add(data[:1])
    for t in threads:
        t.join()
    assert failures == [] and leftovers(tmp_path) == []
