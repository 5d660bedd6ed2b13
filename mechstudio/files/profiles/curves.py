"""Curves of a drawing, as points in a plane."""

from collections import Counter
from typing import NamedTuple

import numpy as np

CHORDS = 128  # of a full turn
SMOOTH = 2e-4  # of the drawing's size: distance of a chord from another curve
FLAT = 1e-6  # of a curve's size: how far a curve may rise out of the plane


class Unreadable(Exception):
    """Reason why a file is no drawing, in half a sentence."""


class Drawing(NamedTuple):
    """Content of a file.

    curves: each (n, 2) in the file's unit.  unit: key of UNITS.  skipped: kinds of entities that
    are no curve, with their number.  notes: sentences.
    """

    curves: list[np.ndarray]
    unit: str
    skipped: Counter[str]
    notes: tuple[str, ...] = ()
