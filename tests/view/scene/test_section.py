"""A section at the work plane: what lies before it is neither seen nor clicked, and what it cuts
through is hatched.
"""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.marks.figures.edges import edges_of
from mechstudio.application.marks.figures.figure import Figures, Line, Outline, Symbol
from mechstudio.model.edits.links import FRONT
from mechstudio.model.project import Camera
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.viewport import Viewport
from tests.view.marks.test_trails import changed


@pytest.fixture
def view(qtbot):
    """A block that the front plane halves, seen along it, and another that hides it."""
    m = ms.Builder("section")
    m.body("halved", (0, 0, 0)).box("200 mm", "100 mm", "100 mm")
    m.body("before", (0, "-300 mm", 0)).box("400 mm", "100 mm", "400 mm")
    view = Viewport()
    view.resize(400, 300)
    view.shown.set_project(m.project())
    view.look.set_glyphs(False)
    view.look.set_labels(False)
    view.framing.camera = Camera(azimuth=-90.0, elevation=0.0, distance=1.5, perspective=True)
    qtbot.addWidget(view)
    view.show()
    qtbot.waitExposed(view)
    return view


def pixels(view):
    view.painter.refine()
    image = view.grab().toImage().convertToFormat(view.grab().toImage().Format.Format_RGB32)
    data = np.frombuffer(image.constBits(), "u1").reshape(image.height(), image.bytesPerLine())
    return data[:, : 4 * image.width()].reshape(image.height(), image.width(), 4)[:, :, :3].copy()


def test_clicks_pass_through_bodies_before_the_section_plane(view):
    middle = (200.0, 150.0)
    assert view.navigator.hit(*middle).id == "before"
    view.look.set_section(True)
    hit = view.navigator.hit(*middle)
    assert hit.id == "halved" and hit.point == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)
    assert hit.normal == pytest.approx((0.0, -1.0, 0.0))
    # beside the halved block, where the other one was
    assert view.navigator.hit(200.0, 230.0) is None
    # from behind the plane nothing of that side is left
    view.framing.camera = lens.replaced(view.framing.camera, azimuth=90.0)
    assert view.navigator.hit(*middle).point == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)


def test_section_is_hatched_where_bodies_are_cut(view):
    whole = pixels(view)
    view.look.set_section(True)
    cut = pixels(view)
    x, y = np.round(view.framing.world_to_pixel(np.array([[0.0, 0.0, 0.0]]))[0]).astype(int)
    assert changed(whole, cut)[y, x]
    # along a row of the cut light and dark alternate with the pitch of the hatch
    row = cut[y, x - 40 : x + 40].astype(float).sum(axis=1)
    crossings = np.flatnonzero(np.diff((row > row.mean()).astype(int)) > 0)
    assert np.ptp(row) > 150 and np.diff(crossings).mean() == pytest.approx(7.0, abs=0.5)
    # nothing of the other block is left: its place shows the sky again
    away = tuple(
        np.round(view.framing.world_to_pixel(np.array([[0.15, 0.0, 0.15]]))[0]).astype(int)
    )
    view.look.set_section(False)
    view.shown.set_project(ms.Builder("empty").project())
    empty = pixels(view)
    assert np.abs(cut[away[::-1]].astype(int) - empty[away[::-1]]).max() < 30
    assert np.abs(whole[away[::-1]].astype(int) - empty[away[::-1]]).max() > 60


def test_a_ray_begins_at_the_section():
    camera = Camera(azimuth=-90.0, elevation=0.0, distance=2.0)
    cut = lens.section(camera, FRONT, 0.0)
    assert cut == pytest.approx((0.0, -1.0, 0.0, 0.0))
    ray = lens.from_section(lens.Ray(np.array([0.1, -2.0, 0.2]), np.array([0.0, 1.0, 0.0])), cut)
    assert ray.origin == pytest.approx((0.1, 0.0, 0.2))
    kept = lens.Ray(np.array([0.1, 0.5, 0.2]), np.array([0.0, 1.0, 0.0]))
    assert lens.from_section(kept, cut) is kept
    along = lens.Ray(np.array([0.0, -1.0, 0.0]), np.array([1.0, 0.0, 0.0]))
    assert lens.from_section(along, cut) is along


def ring(y, radius):
    """A circle parallel to the front plane."""
    a = np.linspace(0.0, 2 * np.pi, 40)
    return np.column_stack([radius * np.cos(a), np.full(40, y), radius * np.sin(a)])


def figures(y):
    """A line, the outline of a box and a symbol at a distance from the front plane."""
    box = edges_of(ms_box().mechanism)["box"]
    pose = np.array([0.0, y, 0.0, 1.0, 0.0, 0.0, 0.0])
    return Figures(
        lines=(Line(ring(y, 0.25)),),
        outlines=(Outline(box, pose, 0, 1.0),),
        symbols=(Symbol("centre", np.array([0.2, y, 0.2])),),
    )


def ms_box():
    m = ms.Builder("box")
    m.body("box", (0, 0, 0)).box("300 mm", "20 mm", "300 mm")
    return m.project()


@pytest.mark.parametrize(("y", "stays"), [(-0.1, False), (0.1, True)])
def test_figures_outlines_and_symbols_are_cut_too(view, y, stays):
    view.look.set_section(True)
    without = pixels(view)
    view.look.set_figures(figures(y))
    assert changed(without, pixels(view)).any() == stays
    view.look.set_section(False)
    whole = pixels(view)
    view.look.set_figures(Figures())
    assert changed(whole, pixels(view)).sum() > 200 or y > 0
