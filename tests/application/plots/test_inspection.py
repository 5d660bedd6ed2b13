"""View of the plots over the time."""

from mechstudio.application.preferences import Preferences
from mechstudio.application.resources import sample_folder
from mechstudio.application.studio import Studio


def test_another_document_begins_with_the_whole_run_and_no_cursors():
    studio = Studio(Preferences(kept=False))
    try:
        assert studio.files.open(str(sample_folder() / "four_bar.mech"))
        studio.runs.playback.set_range(5.0, 5.0, True, 0.01)
        studio.plots.show(1.0, 2.0)
        studio.plots.set_cursors(True)
        studio.plots.set_follow(False)
        studio.runs.playback.set_section(1.0, 2.0)
        assert studio.files.open(str(sample_folder() / "slider_crank.mech"))
        plots = studio.plots
        assert (plots.stretch, plots.a, plots.b, plots.statistics) == (None, None, None, False)
        assert plots.follow and studio.runs.playback.section is None
    finally:
        studio.close()
