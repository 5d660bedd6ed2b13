"""The contacts of the samples of a run: in memory while they are few, then in a file that vanishes
with the program.
"""

import tempfile
import threading
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

import msgspec

from mechstudio.model.contact import ContactSample, record_size
from mechstudio.translation import tr

_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(ContactSample).decode


class ContactLog:
    """The contacts of samples, in their order in time.

    folder(): folder of the file, called when it is needed.  in_memory: bytes above which there is
    one.
    last: the latest contacts; None without any.
    """

    def __init__(self, folder: Callable[[], Path], in_memory: int) -> None:
        self._folder, self._in_memory = folder, in_memory
        # a save reads beside the window, and a file has one place at which it is read
        self._lock = threading.Lock()
        self._file: IO[bytes] | None = None
        self.clear()

    def clear(self) -> None:
        """Forget them all, and give the file back."""
        self.last: ContactSample | None = None
        self._records: list[ContactSample] = []
        self._size = 0
        self._times, self._ends = array("d"), array("q", (0,))
        if self._file is not None:
            self._file.close()
        self._file = None
        self._read: tuple[int, ContactSample] | None = None  # the record read last, and its number

    def __len__(self) -> int:
        return len(self._times)

    def extend(self, samples: Iterable[ContactSample]) -> None:
        """Add the contacts of samples at the end.  Raises OSError if the disk is full; those before
        are kept.
        """
        for sample in samples:
            self._size += record_size(sample)
            if self._file is None and self._size > self._in_memory:
                self._move_to_file()
            if self._file is not None:
                self._write(self._file, sample)
            else:
                self._records.append(sample)
            self._times.append(sample.time)
            self.last = sample

    def at(self, time: float) -> ContactSample:
        """The contacts of the last sample at or before a time [s]; of the first one before all.
        Raises IndexError without any.
        """
        return self[max(bisect_right(self._times, time) - 1, 0)]

    def __getitem__(self, number: int) -> ContactSample:
        """Those of one sample, by its number from 0; the same object as long as it is requested
        again and again.
        """
        if not 0 <= number < len(self):
            raise IndexError(tr("There are no such contacts."))
        if self._file is None:
            return self._records[number]
        known = self._read
        if known is None or known[0] != number:
            begin, end = self._ends[number], self._ends[number + 1]
            with self._lock:
                self._file.seek(begin)
                known = self._read = number, _unpack(self._file.read(end - begin))
        return known[1]

    def _move_to_file(self) -> None:
        file = unnamed_file(self._folder())
        try:
            for sample in self._records:
                self._write(file, sample)
        except OSError:
            file.close()
            del self._ends[1:]
            raise
        self._file, self._records = file, []

    def _write(self, file: IO[bytes], sample: ContactSample) -> None:
        """Write behind the good records, which a disk that is full leaves as they are."""
        data = _pack(sample)
        with self._lock:
            write_at(file, self._ends[-1], data)
        self._ends.append(self._ends[-1] + len(data))


def unnamed_file(folder: Path) -> IO[bytes]:
    """A file without a name, or that loses it with its last handle: nothing is left even if the
    program is killed.
    """
    return tempfile.TemporaryFile(prefix="run-", dir=folder, buffering=0)


def write_at(file: IO[bytes], place: int, data: bytes) -> None:
    """Write to an unnamed file from a byte on.  Raises OSError if the disk is full."""
    file.seek(place)
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]
