"""Holding a body or a joint's mark: what takes a press, where the pointer pulls to, the rubber line
and its words, Esc and release.
"""

import math

import pytest

from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.tools.select import SelectTool
from mechstudio.application.tools.tool import Pointer, ToolContext
from tests import scenes
from tests.application.tools.stand_in_drag import StandInDrag


class Front:
    """An eye far in front of the xz plane: 1000 pixels a metre, the origin at (0, 0)."""

    right, up, back = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)

    def ray(self, x, y):
        return (x / 1000, -50.0, -y / 1000), (0.0, 1.0, 0.0)

    def pixel_of(self, point):
        return (1000 * point[0], -1000 * point[2])

    def pixel_size(self, point):
        return 1e-3


def at(x, z, element="", body="", depth=-0.02):
    """The pointer over the place (x, z) of a surface that lies at y = depth."""
    return Pointer(
        (x, 0.0, z),
        1e-3,
        element,
        body,
        False,
        False,
        False,
        1000 * x,
        -1000 * z,
        Front(),
        (x, depth, z) if body else None,
        (0.0, -1.0, 0.0) if body else None,
    )


@pytest.fixture
def drags():
    return StandInDrag("crank", "coupler", "rocker", joints={"B": ("crank", (0.1, 0.0, 0.1))})


@pytest.fixture
def tool(drags):
    return SelectTool(ToolContext(Document(scenes.four_bar()), Selection(), point_drag=drags))


def test_a_drag_pulls_in_the_plane_through_the_point_that_faces_the_viewer(tool, drags):
    start = at(0.05, 0.05, "crank", "crank")
    tool.move(start)
    assert tool.cursor == "open_hand" and tool.hint.startswith("Drag to move the mechanism")
    assert tool.takes(start)
    tool.press(start)
    tool.move(at(0.052, 0.05))
    assert not tool.dragging and not drags.calls, "less than 4 pixels are a click"
    tool.move(at(0.09, 0.07))
    assert tool.dragging and tool.cursor == "closed_hand" and not tool.looks
    assert drags.calls == [
        ("start_drag", "crank", (0.05, -0.02, 0.05)),
        ("aim", pytest.approx((0.09, -0.02, 0.07)), (0.0, 1.0, 0.0)),
    ]
    tool.release(at(0.1, 0.08))
    assert drags.calls[2:] == [
        ("aim", pytest.approx((0.1, -0.02, 0.08)), (0.0, 1.0, 0.0)),
        ("release",),
    ]
    assert tool.tentative is None and not tool.preview.rubber


def test_a_joint_is_held_at_its_point_wherever_its_mark_was_pressed(tool, drags):
    tool.press(at(0.104, 0.097, "B"))
    tool.move(at(0.154, 0.097))
    assert drags.calls[0] == ("start_drag", "crank", (0.1, 0.0, 0.1))
    assert drags.calls[1][1] == pytest.approx((0.15, 0.0, 0.1)), "as far as the pointer went"


def test_the_rubber_line_and_the_reason_come_with_the_answers(tool, drags):
    drags.waiting = "The solver is taking hold"
    tool.press(at(0.05, 0.05, "crank", "crank"))
    tool.move(at(0.3, 0.05))
    assert tool.preview.label == "The solver is taking hold" and not tool.preview.rubber
    drags.waiting = ""
    drags.come((0.1, -0.02, 0.05), "dead point of D", settled=False)
    tool.refresh()
    assert (
        tool.preview.rubber == [((0.1, -0.02, 0.05), pytest.approx((0.3, -0.02, 0.05)))]
        and not tool.preview.label
    ), "it is still under way"
    drags.come((0.1, -0.02, 0.05), "dead point of D")
    tool.refresh()
    assert tool.preview.label == "dead point of D" and tool.preview.marker == (0.1, -0.02, 0.05)
    drags.come((0.297, -0.02, 0.05), "")
    tool.refresh()
    assert not tool.preview.rubber and not tool.preview.label, "within some pixels it has arrived"


def test_escape_puts_everything_back_and_the_button_does_nothing_more(tool, drags):
    tool.press(at(0.05, 0.05, "crank", "crank"))
    assert not tool.wants("escape"), "Esc belongs to the window until something is pulled"
    tool.move(at(0.1, 0.05))
    assert tool.wants("escape") and tool.key("escape")
    requested = list(drags.calls)
    assert requested[-1] == ("drop",)
    tool.move(at(0.2, 0.05))
    assert tool.dragging and not tool.preview.rubber, "the view does not turn"
    tool.release(at(0.2, 0.05))
    assert drags.calls == requested and not tool.dragging


def test_drag_of_a_fixed_body_names_the_ground(tool, drags):
    drags.fixed = ("crank",)
    tool.press(at(0.05, 0.05, "crank", "crank"))
    tool.move(at(0.1, 0.05))
    name = scenes.four_bar().mechanism.bodies["crank"].name
    assert tool.preview.label == f"{name} is fixed to the ground" and not drags.calls
    tool.release(at(0.1, 0.05))
    assert not drags.calls


def test_without_a_solver_the_reason_stands_beside_the_pointer_until_it_is_there(tool, drags):
    drags.refusal = "The solver is still starting"
    tool.press(at(0.05, 0.05, "crank", "crank"))
    tool.move(at(0.1, 0.05))
    assert tool.preview.label == "The solver is still starting" and not drags.calls
    drags.refusal = ""
    tool.move(at(0.11, 0.05))
    assert drags.calls[0][0] == "start_drag" and not tool.preview.label


def test_a_pull_that_ended_elsewhere_holds_nothing_more(tool, drags):
    tool.press(at(0.05, 0.05, "crank", "crank"))
    tool.move(at(0.1, 0.05))
    drags.state = ""
    tool.refresh()
    tool.release(at(0.2, 0.05))
    assert ("release",) not in drags.calls and ("drop",) not in drags.calls


def test_ground_and_empty_room_turn_the_view(tool):
    assert not tool.takes(at(0.0, 0.0, "ground", "ground")) and not tool.takes(at(2.0, 2.0))


def test_a_recorded_instant_can_be_pulled_on_and_nothing_else(tool, drags):
    tool.context.at_design = False
    tool.context.selection.select("crank")
    assert not tool.handles(Front()), "handles stand on the drawing"
    start = at(0.05, 0.05, "crank", "crank")
    assert tool.takes(start)
    tool.press(start)
    tool.move(at(0.1, 0.05))
    assert drags.calls[0][0] == "start_drag"


def test_seen_aslant_the_target_is_under_the_pointer(drags):
    class Aslant(Front):
        back = (0.0, -math.sqrt(0.5), math.sqrt(0.5))

        def ray(self, x, y):
            return (x / 1000, -50.0, 50.0 - y / 1000), (0.0, math.sqrt(0.5), -math.sqrt(0.5))

    tool = SelectTool(ToolContext(Document(scenes.four_bar()), Selection(), point_drag=drags))
    eye = Aslant()
    point = (0.05, 0.0, 0.05)
    tool.press(
        Pointer(
            point,
            1e-3,
            "crank",
            "crank",
            x=50.0,
            y=-50.0,
            eye=eye,
            surface=point,
            normal=(0.0, -1.0, 0.0),
        )
    )
    tool.move(Pointer(None, 1e-3, x=80.0, y=-90.0, eye=eye))
    target, view_direction = drags.calls[1][1:]
    origin, ray = eye.ray(80.0, -90.0)
    away = [t - o for t, o in zip(target, origin)]
    along = sum(a * r for a, r in zip(away, ray))
    assert math.dist(away, [along * r for r in ray]) < 1e-9 and view_direction == ray
    assert sum((t - p) * b for t, p, b in zip(target, point, eye.back)) == pytest.approx(
        0.0, abs=1e-12
    )


def test_after_a_click_the_next_drag_is_still_reported(tool):
    here = at(0.05, 0.05, "crank", "crank")
    tool.move(here)
    reported = tool.hint
    tool.press(here)
    tool.release(here)
    assert reported and tool.hint == reported and tool.cursor == "open_hand"
