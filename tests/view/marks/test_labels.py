"""Words over the scene cover nothing, in every sample: neither each other, nor arrows and symbols,
nor what floats over the view.  What bodies hide is faint.
"""

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from mechstudio.application.resources import sample_folder
from mechstudio.model.edits.marks import Place, with_marks
from mechstudio.view.scene.marks.depths import Depths
from tests.view.marks.test_trails import run

SAMPLES = sorted(sample_folder().glob("*.mech"))


def marked(project):
    """With frames, centres and joint axes everywhere, and velocities of all bodies."""
    m = project.mechanism
    for type in ("frame", "centre", "velocity"):
        project = with_marks(project, type, [Place(id) for id in m.bodies])
    project = with_marks(project, "pole", [Place(id, other="ground") for id in m.bodies])
    return with_marks(project, "joint_axis", [Place(joint=id) for id in m.joints])


def faults(view):
    """Pairs of rectangles that lie over each other, and words outside the view."""
    words, floating = view.painter._furniture.placer.words, view.look.covered
    inside = QRectF(0, 0, view.width(), view.height())
    found = [(a, b) for k, a in enumerate(words) for b in words[:k] if a.intersects(b)]
    found += [(a, b) for a in words for b in floating if a.intersects(b)]
    return found + [(a, inside) for a in words if not inside.contains(a)]


@pytest.mark.thinned(6)
@pytest.mark.thinned(12)
@pytest.mark.parametrize("path", SAMPLES, ids=[p.stem for p in SAMPLES])
def test_words_of_every_sample_cover_nothing(solved, qtbot, path):
    window = solved
    studio, view = window.studio, window.viewport
    assert studio.files.open(path)
    qtbot.waitUntil(lambda: studio.questions.analysis is not None)
    studio.document.commit("Marks", marked(studio.document.project))
    studio.selection.select(*list(studio.document.project.mechanism.bodies)[:4])
    view.look.reduced_motion = True
    view.framing.fit()
    view.repaint()
    assert faults(view) == []
    for camera in ("top", "right"):
        view.framing.view_from(camera)
        view.repaint()
        assert faults(view) == [], camera


@pytest.mark.slow
def test_words_cover_nothing_while_a_run_with_contacts_is_shown(solved, qtbot):
    window = solved
    studio, view = window.studio, window.viewport
    assert studio.files.open(sample_folder() / "box_on_incline.mech")
    qtbot.waitUntil(lambda: studio.questions.analysis is not None)
    studio.document.commit("Marks", marked(studio.document.project))
    run(window, qtbot)
    seen = set()
    for time in np.linspace(0.0, studio.runs.recording.end, 25).tolist():
        studio.runs.playback.seek(time)
        view.repaint()
        assert faults(view) == [], time
        seen |= set(view.painter._furniture._stood)
    # one arrow says on which body the contacts act
    assert "contact 0" in seen and not {"contact 1", "contact 2"} & seen
    # the far contact of the four is behind the box
    hidden = view.painter.renderer.hides(view.look.contacts.point)
    assert hidden.sum() == 1 and len(hidden) == 4


def test_a_point_is_hidden_by_what_stands_before_it():
    image = np.ones((10, 10), "f4")
    image[:, 5:] = 0.25
    depths = Depths(image, np.eye(4), np.array([0.0, 0.0, -0.1]))
    points = np.array([[-0.5, 0, 0.0], [0.5, 0, 0.0], [0.5, 0, -0.45], [5, 0, 0], [np.nan, 0, 0]])
    assert depths.hide(points).tolist() == [False, True, False, False, False]
