"""Writing a file so that at every instant, through kill, crash and power loss, either the old or
the new text is on disk.

The new text goes to a temporary file in the same folder and is forced to disk; the old file gets a
second name, NAME~; then the new file takes the name in one step, and the folder is forced to disk.
"""

import contextlib
import errno
import hashlib
import os
import platform
import re
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from mechstudio.files.presence import process_lives
from mechstudio.model.naming import quoted
from mechstudio.translation import tr

_STALE = 3600.0  # s, age after which a temporary file is the leftover of a killed program
_MACHINE = hashlib.sha256(platform.node().encode()).hexdigest()[
    :6
]  # a folder may be shared with other machines
_TEMPORARY = re.compile(
    r"\..*\.(?:([0-9a-f]{6})-(\d+)-)?[0-9a-f]{8,12}\.tmp~?"
)  # the machine and process that write it
_PATIENCE = 1.0  # s, how long a virus scanner or indexer on Windows may hold a file


class WriteFailed(OSError):
    """A file could not be written, and why, in one sentence; what was on disk is still there."""


def write(
    path: str | os.PathLike[str], data: bytes | Iterable[bytes], backup: bool = False
) -> None:
    """Put `data`, in one piece or in several, into the file at `path`, whole or not at all.

    backup: keep what was there as NAME~.  A symbolic link is followed; permissions are kept.  Safe
    against other programs that do the same to the same file: one of them wins.   Raises
    WriteFailed.
    """
    try:
        target: str = os.path.realpath(os.fspath(path))
        mode = _mode(target)
        folder, name = os.path.split(target)
        sweep(folder)
        temporary = _temporary(folder, name)
        try:
            _fill(temporary, (data,) if isinstance(data, bytes) else data, mode)
            if backup and mode is not None:
                _keep(target, temporary + "~")
            _replace(temporary, target)
        finally:
            for leftover in (temporary, temporary + "~"):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(leftover)
        _sync_folder(folder)
    except (OSError, ValueError) as error:
        raise WriteFailed(_sentence(os.fspath(path), error)) from error


def _temporary(folder: str, name: str) -> str:
    """A name for a file beside another one, which `sweep` knows."""
    return os.path.join(folder, f".{name[:40]}.{_MACHINE}-{os.getpid()}-{secrets.token_hex(4)}.tmp")


class Draft:
    """A file, or a folder of files, that another program writes bit by bit: under another name
    beside its own until it is whole.

    path: of the draft.  Raises WriteFailed where nothing can be written there.
    """

    def __init__(self, path: str | os.PathLike[str], folder: bool = False) -> None:
        self._given = os.fspath(path)
        self._folder = folder
        try:
            self._target: str = os.path.realpath(self._given)
            if folder and os.path.exists(self._target):
                raise FileExistsError(errno.EEXIST, tr("exists already"))
            self._mode = None if folder else _mode(self._target)
            where, name = os.path.split(self._target)
            sweep(where)
            self.path = _temporary(where, name)
            # whether something can be written there shall be known before the work
            if folder:
                os.mkdir(self.path)
                os.rmdir(self.path)
            else:
                _fill(self.path, (), self._mode)
        except (OSError, ValueError) as error:
            raise WriteFailed(_sentence(self._given, error)) from error

    def keep(self) -> None:
        """Give it its name, once it is on disk.  Raises WriteFailed; the draft is gone then."""
        try:
            parts = [e.path for e in os.scandir(self.path)] if self._folder else [self.path]
            for name in parts:
                descriptor = os.open(name, os.O_RDWR | getattr(os, "O_BINARY", 0))
                try:
                    _sync(descriptor)
                finally:
                    os.close(descriptor)
            if self._mode is not None:
                os.chmod(self.path, self._mode)
            (os.rename if self._folder else _replace)(self.path, self._target)
            _sync_folder(os.path.dirname(self._target))
        except (OSError, ValueError) as error:
            self.discard()
            raise WriteFailed(_sentence(self._given, error)) from error

    def discard(self) -> None:
        """Remove it; what was there before stays."""
        if self._folder:
            shutil.rmtree(self.path, ignore_errors=True)
            return
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path)

    def failed(self, code: int) -> WriteFailed:
        """The fault of the program that writes, by the system's number of it."""
        return WriteFailed(_sentence(self._given, OSError(code, os.strerror(code))))


def backup_path(path: str | os.PathLike[str]) -> Path:
    """Path at which `write` keeps the previous version of a file."""
    target: str = os.path.realpath(os.fspath(path))
    return Path(target + "~")


def _mode(target: str) -> int | None:
    """Permissions of the file that is to be replaced, None if there is none yet."""
    try:
        status = os.stat(target)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, tr("is a folder"))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, tr("is a device"))
    # replacing needs no right to write the file itself, so a write-protected one would silently be
    # overwritten
    if not os.access(target, os.W_OK):
        if hasattr(os, "statvfs") and os.statvfs(target).f_flag & os.ST_RDONLY:
            raise OSError(errno.EROFS, tr("read-only disk"))
        raise PermissionError(errno.EPERM, "write-protected")
    return stat.S_IMODE(status.st_mode)


def _fill(temporary: str, data: Iterable[bytes], mode: int | None) -> None:
    """A new file with the data in it, on disk when this returns."""
    flags = (
        os.O_WRONLY
        | os.O_CREAT
        | os.O_EXCL
        | getattr(os, "O_BINARY", 0)
        | getattr(os, "O_CLOEXEC", 0)
    )
    # a private file is private from the first byte on
    descriptor = os.open(temporary, flags, 0o666 if mode is None else mode | stat.S_IWUSR)
    try:
        for piece in data:
            rest = memoryview(piece)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
        if mode is not None:
            os.chmod(temporary, mode)
        _sync(descriptor)
    finally:
        os.close(descriptor)


def _sync(descriptor: int) -> None:
    """Force a file to disk."""
    if sys.platform == "darwin":
        import fcntl

        # macOS returns from fsync while the data is still in the drive's own memory
        try:
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
        except OSError:
            pass  # not every file system there has it; then fsync is the best there is
    os.fsync(descriptor)


def _keep(target: str, second: str) -> None:
    """Give the old file the name NAME~ without a moment in which NAME~ does not exist."""
    try:
        os.link(target, second)
    except OSError:
        # file systems without hard links
        shutil.copy2(target, second)
        descriptor = os.open(second, os.O_RDWR | getattr(os, "O_BINARY", 0))
        try:
            _sync(descriptor)
        finally:
            os.close(descriptor)
    _replace(second, target + "~")


def _replace(source: str, target: str) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            os.replace(source, target)
            return
        except PermissionError:
            if sys.platform != "win32" or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _sync_folder(folder: str) -> None:
    """Force the new name to disk; Windows has no such call and writes names through."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # some network file systems cannot do that for folders; the data itself is safe already
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):
            raise
    finally:
        os.close(descriptor)


def sweep(folder: str) -> None:
    """Remove the temporary files that killed programs left in a folder: at once those of this
    machine, others when they are old.
    """
    now = time.time()
    with (
        contextlib.suppress(OSError),
        os.scandir(folder or ".") as entries,
    ):  # a folder that cannot be listed can still be written to
        for entry in entries:
            if (found := _TEMPORARY.fullmatch(entry.name)) is None:
                continue
            with contextlib.suppress(
                FileNotFoundError
            ):  # another program has just finished with it
                dead = found[1] == _MACHINE and not process_lives(int(found[2]))
                if dead or now - entry.stat(follow_symlinks=False).st_mtime > _STALE:
                    if entry.is_dir(follow_symlinks=False):
                        shutil.rmtree(entry.path, ignore_errors=True)
                    else:
                        os.unlink(entry.path)


def _sentence(path: str, error: OSError | ValueError) -> str:
    """Reason why writing failed, in words."""
    name = quoted(os.path.basename(path) or path)
    folder = os.path.dirname(os.path.abspath(path))
    code = error.errno if isinstance(error, OSError) else None
    unchanged = tr("what was there before is unchanged")
    if code in (errno.ENOSPC, getattr(errno, "EDQUOT", -1)):
        return tr(
            "{name} could not be saved because the disk is full; {unchanged}: free some space or "
            "save elsewhere.",
            name=name,
            unchanged=unchanged,
        )
    if code == errno.EFBIG:
        return tr(
            "{name} could not be saved because it is larger than the disk or your account allows; "
            "{unchanged}: save elsewhere.",
            name=name,
            unchanged=unchanged,
        )
    if code == errno.EROFS:
        return tr(
            "{name} could not be saved because {folder} is on a read-only disk; save it elsewhere.",
            name=name,
            folder=folder,
        )
    if code in (errno.EACCES, errno.EPERM):
        cause = (
            tr("it is write-protected")
            if error.args[1:] == ("write-protected",)
            else tr("you may not write in {folder}", folder=folder)
        )
        return tr(
            "{name} could not be saved because {cause}; {unchanged}: save it elsewhere.",
            name=name,
            cause=cause,
            unchanged=unchanged,
        )
    if code in (errno.ENOENT, errno.ENOTDIR):
        return tr(
            "{name} could not be saved because the folder {folder} does not exist; save it "
            "elsewhere.",
            name=name,
            folder=folder,
        )
    if code == errno.EEXIST or (
        code in (errno.EISDIR, errno.EINVAL)
        and error.args[1:] in ((tr("is a folder"),), (tr("is a device"),))
    ):
        return tr(
            "{name} could not be saved because it {arg}; choose another name.",
            name=name,
            arg=error.args[1],
        )
    if code in (errno.ENAMETOOLONG, errno.ELOOP, errno.EINVAL) or code is None:
        return tr(
            "{name} could not be saved because the system does not accept this name; choose "
            "another one.",
            name=name[:60],
        )
    return tr(
        "{name} could not be saved ({strerror}); {unchanged}: save it elsewhere.",
        name=name,
        strerror=os.strerror(code).lower(),
        unchanged=unchanged,
    )
