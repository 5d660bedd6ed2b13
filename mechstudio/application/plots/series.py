"""Numbers of curves over the time, read from a recording once and kept while it lives."""

from collections.abc import Mapping
from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np

from mechstudio.model.results.channels import Channel


class Samples(Protocol):
    """Recording, as far as curves read it: samples (count, width), their instants (count,) [s] and
    the channels in their columns.
    """

    count: int

    @property
    def rows(self) -> np.ndarray: ...

    @property
    def time(self) -> np.ndarray: ...

    @property
    def channels(self) -> Mapping[str, Channel]: ...


_kept: WeakKeyDictionary[Samples, dict[str, np.ndarray]] = WeakKeyDictionary()


def recorded(samples: Samples, key: str) -> np.ndarray | None:
    """Values (count,) [SI] of a channel; None where the recording has no such column.

    The columns of a long recording lie far apart, and every redraw asks for them: what was read
    stays, and of a run under way only the new samples are read.
    """
    channel = samples.channels.get(key)
    if channel is None or not channel.columns:
        return None
    series = _kept.setdefault(samples, {})
    have = series.get(key)
    count, start = samples.count, 0 if have is None else len(have)
    if start < count:
        new = channel.values(samples.rows[start:count])
        series[key] = have = new if have is None else np.concatenate((have, new))
    assert have is not None or not count
    return np.zeros(0) if have is None else have[:count]
