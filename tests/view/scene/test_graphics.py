"""The graphics layer over gloo: devices side by side, one after another, what is given back, and
what it says when it cannot.
"""

import numpy as np
import pytest
from vispy.gloo import gl as direct

from mechstudio.application.scene import build_scene, row_poses
from mechstudio.view.fonts import ensure_fonts
from mechstudio.view.scene.look import Look
from mechstudio.view.scene.rendering.gl import Device, GraphicsUnavailable, Program, Target
from mechstudio.view.scene.rendering.renderer import Renderer
from mechstudio.view.scene.snapshot import render
from tests import scenes

SIZE = (160, 120)


@pytest.fixture
def make_renderer(qapp):
    made = []

    def make(project):
        renderer = Renderer(Look(grid=False))
        made.append(renderer)
        scene = build_scene(project)
        renderer.load(scene)
        renderer.move(row_poses(scene.rows, scene.drawn))
        return renderer

    yield make
    for renderer in made:
        renderer.close()


def picture(renderer) -> np.ndarray:
    return renderer.picture(SIZE, scenes.FOUR_BAR_CAMERA, 1.0)


def test_devices_side_by_side_do_not_disturb_each_other(make_renderer):
    first, second = make_renderer(scenes.four_bar()), make_renderer(scenes.heavy_top())
    alone = picture(first)
    other = picture(second)
    assert np.abs(alone.astype(int) - other).max() > 100
    for _ in range(3):
        assert np.array_equal(picture(first), alone) and np.array_equal(picture(second), other)
    second.close()
    assert np.array_equal(picture(first), alone)


def test_a_picture_from_elsewhere_in_between_changes_nothing(make_renderer):
    ensure_fonts()
    renderer = make_renderer(scenes.four_bar())
    before = picture(renderer)
    render(scenes.heavy_top(), size=(90, 60))
    assert np.array_equal(picture(renderer), before)


def test_devices_one_after_another_draw_the_same(make_renderer):
    seen = []
    for _ in range(3):
        renderer = make_renderer(scenes.four_bar())
        seen.append(picture(renderer))
        renderer.close()
    assert all(np.array_equal(seen[0], other) for other in seen[1:])


def test_scenes_and_targets_are_given_back(make_renderer):
    """Objects on the device do not grow in number with scenes, selections and sizes."""
    renderer = make_renderer(scenes.four_bar())
    held = []
    for k in range(6):
        scene = build_scene(scenes.four_bar())
        renderer.load(scene)
        renderer.move(row_poses(scene.rows, scene.drawn))
        renderer.look.selected = frozenset({"crank", "rocker"})
        renderer.picture((100 + k, 80), scenes.FOUR_BAR_CAMERA, 1.0)
        renderer.forget_target((100 + k, 80))
        held.append(
            sum(
                not isinstance(each, str)
                for each in renderer.device.state.shared.parser._objects.values()
            )
        )
    assert held[2] == held[-1]


def test_gloo_draws_in_the_context_of_qt(qapp):
    """Both name the same renderer, so gloo found its functions in Qt's library."""
    device = Device()
    assert (
        direct.glGetParameter(direct.GL_RENDERER)
        == device.context.functions().glGetString(0x1F01)
        != ""
    )
    device.done()


def test_a_refused_shader_is_reported_in_a_sentence(qapp):
    device = Device()
    with pytest.raises(
        GraphicsUnavailable, match=r"refuses a shader .*nonsense.* Update the graphics driver"
    ):
        Program(
            device,
            "void main() { gl_Position = vec4(0.0); }",
            "void main() { gl_FragColor = nonsense; }",
        )
    device.done()


def test_an_image_that_is_too_large_is_reported_and_the_next_one_drawn(make_renderer):
    renderer = make_renderer(scenes.four_bar())
    before = picture(renderer)
    with pytest.raises(GraphicsUnavailable, match=r"300000 × 10 pixels .*Make the window smaller"):
        renderer.picture((300_000, 10), scenes.FOUR_BAR_CAMERA, 1.0)
    assert np.array_equal(picture(renderer), before)


def test_depth_has_24_bits(qapp):
    device = Device()
    Target(device, 8, 8)
    direct.glBindRenderbuffer(direct.GL_RENDERBUFFER, 0)
    assert direct.glGetParameter(0x0D56) == 24  # GL_DEPTH_BITS of what is bound
    device.done()
