"""Everything the window does is a call: each action, panel, page of the exports and analysis has
one, or a reason why it is a matter of the window alone.
"""

import sys
from pathlib import Path

import pytest

import mechstudio as ms
import mechstudio.application.actions
import mechstudio.view.actions
from mechstudio.application.actions.registry import actions
from mechstudio.model.types.analyses import ANALYSES
from mechstudio.view.docks import panels  # noqa: F401 - defines them
from mechstudio.view.docks.registry import PANELS
from mechstudio.view.exports.rows import KINDS

sys.path.insert(0, str(Path(__file__).parents[3] / "packaging"))
import window_calls as table  # type: ignore[import-not-found]

SAMPLES = Path(__file__).parents[3] / "samples"


def missing(ids, *tables):
    """Ids that no table has, and rows that stand for nothing or twice."""
    known = [id for t in tables for id in t]
    return sorted(set(ids) ^ set(known)) + sorted({id for id in known if known.count(id) > 1})


def test_every_action_panel_and_export_is_a_call_or_the_windows_own():
    assert missing([a.id for a in actions()], table.CALLS, table.WINDOW_ONLY) == []
    assert missing([p.key for p in PANELS], table.PANELS, table.WINDOW_PANELS) == []
    assert missing(KINDS, table.EXPORTS) == []


def test_a_new_action_without_a_row_is_found():
    ids = [*(a.id for a in actions()), "polish"]
    assert missing(ids, table.CALLS, table.WINDOW_ONLY) == ["polish"]
    assert missing(ids[:-2], table.CALLS, table.WINDOW_ONLY) == [ids[-2]]


def test_every_call_is_there():
    for call in {*table.CALLS.values(), *table.PANELS.values(), *table.EXPORTS.values()}:
        found = table.value(call)
        assert callable(found) or isinstance(found, property), call
        assert found.__doc__, call
    with pytest.raises(AttributeError):
        table.value("Builder.polish")


@pytest.mark.parametrize("what", ANALYSES)
def test_every_analysis_of_the_window_is_a_call(what):
    """On a drawing with a loop and a drive, that has something for each of them."""
    project = ms.load(SAMPLES / "four_bar.mech")
    options = {"relative": {"frames": ["coupler"], "seen_from": "crank"}}.get(what, {})
    options |= {"inverse": {"motion": {"A": "10 rad/s*t"}}}.get(what, {})
    assert ms.analyse(project, what, duration=0.05, sample_step=0.01, **options).columns
