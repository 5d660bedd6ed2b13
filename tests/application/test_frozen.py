"""Values of the application are frozen, but for what is filled in while it is made."""

from tests.frozen import changeable

FILLED = {
    "preferences.Stored",
    "questions/exports.Job",
    "runs/kept_runs.KeptRun",
    "studies/runs.StudyRun",
    "tools/tool.Preview",
    "tools/tool.ToolContext",
}


def test_only_what_is_filled_in_can_be_changed():
    assert set(changeable("application")) == FILLED
