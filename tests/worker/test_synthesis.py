"""Conditions of a search for linkages arrive in the search as requested."""

import pytest

from mechstudio.protocol.synthesis_messages import Synthesise, SynthesisEnded, SynthesisTask
from mechstudio.worker.synthesis import synthesise

POINTS = ((0.0, 0.0), (0.1, 0.02), (0.2, 0.0))


@pytest.mark.parametrize(
    ("conditions", "sentence"),
    [
        ({"lengths": (0.5, 0.1)}, "The least length"),
        ({"lengths": (-0.1, 0.5)}, "The least length"),
        ({"region": (0.2, 0.0, 0.1, 1.0)}, "The region of the pivots"),
        ({"region": (0.0, 1.0, 0.1, 0.2)}, "The region of the pivots"),
    ],
)
def test_bounds_that_no_linkage_keeps_are_reported(conditions, sentence):
    sent = []
    synthesise(Synthesise(7, SynthesisTask(points=POINTS, **conditions)), sent.append)
    (end,) = sent
    assert isinstance(end, SynthesisEnded) and end.id == 7
    assert end.sentence.startswith(sentence)
