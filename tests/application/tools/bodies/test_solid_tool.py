"""Drawing solids as a state machine: clicks, typed numbers, defaults, faces, parts of bodies,
stepping back.
"""

import math

import pytest

from mechstudio import translation
from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.tools.bodies.solid import MANY, SolidTool
from mechstudio.application.tools.bodies.solid_stages import LETTERS
from mechstudio.application.tools.tool import Pointer, ToolContext
from mechstudio.model.edits.links import FRONT, WorkPlane, add_link
from mechstudio.model.geometry.rotation import rotate, transform
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.quantity import Parameter, Quantity, values
from tests.application.tools.bodies.test_link_tool import PIXEL, at, click

TOP = WorkPlane("Top", (0.0, 0.0, 0.4), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


@pytest.fixture
def context():
    return ToolContext(Document(), Selection(), grid=0.05)


def typed(tool, text):
    """Keys as the window sends them; Enter as "⏎"."""
    for c in text:
        key = {"⏎": "enter", "⇥": "tab", "⎋": "escape"}.get(c, c)
        assert tool.wants(key) or key == "escape", key
        assert tool.key(key), key


def body(context):
    return list(context.document.project.mechanism.bodies.values())[-1]


def sizes(context, shape=-1):
    return {name: round(q.value, 9) for name, q in body(context).shapes[shape].dimensions.items()}


class FrontEye:
    """Looks along y at the front plane, a pixel a millimetre, or turned to see the depth."""

    def __init__(self, rotated=False):
        c = math.sqrt(0.5)
        self.right, self.up, self.back = (
            ((c, c, 0.0), (0.0, 0.0, 1.0), (c, -c, 0.0))
            if rotated
            else ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))
        )

    def ray(self, x, y):
        start = tuple(
            PIXEL * (x * a - y * b) + 10 * c for a, b, c in zip(self.right, self.up, self.back)
        )
        return start, tuple(-c for c in self.back)

    def pixel_of(self, point):
        return (
            sum(a * b for a, b in zip(point, self.right)) / PIXEL,
            -sum(a * b for a, b in zip(point, self.up)) / PIXEL,
        )

    def pixel_size(self, point):
        return PIXEL


def seen(eye, point, **keys):
    """The pointer over a point of W."""
    x, y = eye.pixel_of(point)
    return Pointer(point, PIXEL, x=x, y=y, eye=eye, **keys)


def pressed(tool, pointer):
    tool.move(pointer)
    tool.press(pointer)
    tool.release(pointer)


def test_a_box_by_three_clicks(context):
    tool = SolidTool(context)
    click(tool, 0.0, 0.0)
    tool.move(at(0.12, 0.08))
    assert (
        tool.preview.label == "length 120 mm   height 80.01 mm".replace("80.01", "80")
        and tool.tentative is not None
    )
    click(tool, 0.12, 0.08)
    click(tool, 0.13, 0.08)
    assert tool.finished and sizes(context) == {"length": 0.12, "height": 0.08, "depth": 0.1}
    assert values(body(context).placement.position) == pytest.approx((0.06, 0, 0.04))
    assert context.document.undo_label == "Draw box 1" and context.selection.current == "box_1"
    context.document.undo()
    assert not context.document.project.mechanism.bodies


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("120, 80⏎40⏎", {"length": 0.12, "height": 0.08, "depth": 0.04}),
        ("120⇥80⏎⏎", {"length": 0.12, "height": 0.08, "depth": 0.1}),
        ("12 cm,w/2⏎2*w⏎", {"length": 0.12, "height": 0.1, "depth": 0.4}),
        ("-120,80⏎40⏎", {"length": 0.12, "height": 0.08, "depth": 0.04}),
        ("(atan2(3, 4)) * 100 mm, 80⏎40⏎", {"length": 0.0643501109, "height": 0.08, "depth": 0.04}),
        ("⇥80⏎40⏎", {"length": 0.3, "height": 0.08, "depth": 0.04}),
    ],
)
def test_typed_numbers_are_exact(context, keys, expected):
    context.document.commit(
        "w",
        context.document.project.__class__(
            parameters={"w": Parameter("w", Quantity(0.2, "200 mm"), "length")}
        ),
    )
    tool = SolidTool(context)
    click(tool, 0.1, 0.2)
    tool.move(at(0.4, 0.41))
    typed(tool, keys)
    assert tool.finished and sizes(context) == pytest.approx(expected)
    left = -1 if keys[0] == "-" else 1
    assert values(body(context).placement.position) == pytest.approx(
        (0.1 + left * expected["length"] / 2, 0, 0.2 + expected["height"] / 2)
    )
    texts = [q.text for q in body(context).shapes[0].dimensions.values()]
    assert ("2*w" in texts) == ("w" in keys)


@pytest.mark.parametrize("keys", ["12,5; 80⏎⏎", "12,5⇥80⏎⏎", "12,5 mm;80⏎⏎"])
def test_a_decimal_comma_is_typed_in_french(context, keys, monkeypatch):
    monkeypatch.setattr(translation, "_language", "fr")
    tool = SolidTool(context)
    click(tool, 0.1, 0.2)
    tool.move(at(0.4, 0.41))
    typed(tool, keys)
    assert tool.finished and sizes(context)["length"] == pytest.approx(0.0125)
    assert sizes(context)["height"] == pytest.approx(0.08)
    assert body(context).shapes[0].dimensions["length"].text.startswith("12.5")


def test_the_first_corner_can_be_typed(context):
    tool = SolidTool(context)
    tool.move(at(0.33, 0.12))
    typed(tool, "100,50⏎")
    typed(tool, "20,20⏎⏎")
    assert values(body(context).placement.position) == pytest.approx((0.11, 0, 0.06))


@pytest.mark.parametrize(
    ("type", "clicks", "keys", "expected"),
    [
        ("disc", [(0, 0)], "60⏎15⏎", {"radius": 0.06, "thickness": 0.015}),
        ("sphere", [(0, 0)], "45⏎", {"radius": 0.045}),
        ("ellipsoid", [(0, 0)], "400,60⏎30⏎", {"length": 0.4, "depth": 0.03, "height": 0.06}),
        ("cylinder", [(0, 0)], "300,90⏎20⏎", {"radius": 0.02, "height": 0.3}),
        (
            "tube",
            [(0, 0)],
            "300,90⏎20⏎",
            {"radius": 0.02, "inner_radius": 0.016, "height": 0.3},
        ),
        (
            "half_pipe",
            [(0, 0)],
            "300,90⏎20⏎",
            {"radius": 0.02, "inner_radius": 0.016, "height": 0.3},
        ),
        ("capsule", [(0, 0), (0, 0.2)], "30⏎", {"radius": 0.03, "height": 0.2}),
        (
            "cone",
            [(0, 0), (0.2, 0)],
            "50⏎",
            {"bottom_radius": 0.05, "top_radius": 0.0, "height": 0.2},
        ),
        ("link", [(0, 0)], "250⏎30⏎6⏎", {"length": 0.25, "width": 0.03, "thickness": 0.006}),
    ],
)
def test_every_kind_by_clicks_and_numbers(context, type, clicks, keys, expected):
    tool = SolidTool(context)
    tool.key(next(k for k, t in LETTERS.items() if t == type))
    for p in clicks:
        click(tool, *p)
    tool.move(at(0.21, 0.0) if len(clicks) < 2 else at(0.1, 0.1))
    typed(tool, keys)
    assert tool.finished and sizes(context) == expected and mass_properties(body(context)).mass > 0


@pytest.mark.parametrize("type", LETTERS.values())
def test_enter_at_once_puts_one_in_the_middle_of_the_view(context, type):
    context.target = (0.21, 0.7, 0.38)
    tool = SolidTool(context, type)
    tool.key("enter")
    solid = body(context)
    middle = transform(solid.placement.pose, mass_properties(solid).center)
    assert tool.finished and math.dist(middle, (0.2, 0, 0.4)) < 0.03
    context.document.undo()
    assert context.document.undo_label == ""


@pytest.mark.parametrize("type", [t for t in LETTERS.values() if t != "plate"])
def test_enter_after_the_first_click_takes_all_defaults(context, type):
    tool = SolidTool(context, type)
    click(tool, 0.1, 0.1)
    tool.key("enter")
    assert tool.finished and mass_properties(body(context)).mass > 0


def test_a_plate_is_closed_on_its_first_corner_or_by_enter(context):
    for closing in (lambda tool: click(tool, 0.003, 0.002), lambda tool: tool.key("enter")):
        tool = SolidTool(context, "plate")
        for p in ((0, 0), (0.2, 0), (0.2, 0.1), (0.1, 0.1), (0.1, 0.2), (0, 0.2)):
            click(tool, *p)
        closing(tool)
        assert not tool.finished and "thickness" in tool.preview.label
        typed(tool, "10⏎")
        assert tool.finished and mass_properties(body(context)).mass == pytest.approx(
            7850 * 0.03 * 0.01
        )
        assert (
            all(s.type == "plate" for s in body(context).shapes) and len(body(context).shapes) == 2
        )


def test_a_plate_that_encloses_nothing_says_so(context):
    tool = SolidTool(context, "plate")
    for p in ((0, 0), (0.2, 0.2), (0.2, 0), (0, 0.3)):
        click(tool, *p)
    tool.key("enter")
    assert "crosses itself" in context.message and not tool.finished
    tool.key("escape")
    assert len(tool._points) == 3


def test_shift_makes_a_square_and_lengths_are_round_unless_ctrl(context):
    tool = SolidTool(context)
    click(tool, 0, 0)
    tool.move(at(0.1234, -0.0567, shift=True))
    assert tool.preview.label == "length 125 mm   height 125 mm"
    tool.move(at(0.1234, 0.0567, ctrl=True))
    assert tool.preview.label == "length 123.4 mm   height 56.7 mm"
    tool.move(at(0.1234, 0.0567))
    assert tool.preview.label == "length 125 mm   height 55 mm"


def test_a_point_of_the_drawing_is_met_exactly(context):
    project, _ = add_link(context.document.project, FRONT, (0.1234, 0.0, 0.0567), (0.3, 0.0, 0.3))
    context.document.commit("link", project)
    for x, radius in ((0.125, math.hypot(0.1234, 0.0567)), (0.0866, 0.105)):
        tool = SolidTool(context, "sphere")
        click(tool, 0, 0)
        click(tool, x, 0.055)
        assert sizes(context)["radius"] == pytest.approx(radius, abs=1e-9)


def test_escape_steps_back_and_then_leaves(context):
    tool = SolidTool(context)
    click(tool, 0, 0)
    click(tool, 0.1, 0.1)
    typed(tool, "44")
    tool.key("escape")
    assert "depth" in tool.preview.label and "44" not in tool.preview.label
    tool.key("escape")
    assert "length" in tool.preview.label
    tool.key("escape")
    assert tool.tentative is None and not tool.finished
    tool.key("escape")
    assert (
        tool.finished and not context.document.project.mechanism.bodies and tool.tentative is None
    )


def test_nothing_of_no_size(context):
    tool = SolidTool(context, "sphere")
    click(tool, 0, 0)
    tool.press(at(0, 0))
    assert not tool.finished and not context.document.project.mechanism.bodies
    for text, word in (("0⏎", "above zero"), ("-5⏎", "above zero"), ("3 s⏎", "length expected")):
        typed(tool, text)
        assert word in context.message
        tool.key("escape")
    tool.move(at(0.1, 0))
    tool.press(at(0.1, 0))
    assert tool.finished and context.message == ""


@pytest.mark.parametrize("rotated", [False, True])
def test_the_depth_follows_the_pointer(context, rotated):
    """Seen from the front a push up makes it thicker; seen at 45 degrees its face follows the
    pointer.
    """
    eye = FrontEye(rotated)
    tool = SolidTool(context)
    pressed(tool, seen(eye, (0, 0, 0)))
    pressed(tool, seen(eye, (0.2, 0, 0.1)))
    default = tool.preview.label
    tool.move(seen(eye, (0.203, 0, 0.1)))
    assert tool.preview.label == default == "depth 100 mm", "a hand that trembles changes nothing"
    pressed(tool, seen(eye, (0.2, -0.08, 0.1) if rotated else (0.2, 0, 0.13)))
    assert sizes(context)["depth"] == pytest.approx(0.16)


def on_wheel(context, **keys):
    """A wheel of 200 x 20 mm about (0.3, 0, 0.3), and the pointer on its face."""
    tool = SolidTool(context, "disc")
    click(tool, 0.3, 0.3)
    typed(tool, "100⏎20⏎")
    face = (0.36, -0.01, 0.3)
    return seen(
        FrontEye(),
        face,
        body="disc_1",
        element="disc_1",
        surface=face,
        normal=(0.0, -1.0, 0.0),
        **keys,
    )


def test_a_new_body_stands_on_the_face_under_the_first_click(context):
    pointer = on_wheel(context, ctrl=False)
    tool = SolidTool(context, "box")
    tool.move(pointer)
    assert "new body on disc 1" in tool.preview.word
    pressed(tool, pointer)
    typed(tool, "30,20⏎10⏎")
    assert values(body(context).placement.position) == pytest.approx((0.375, -0.015, 0.31))
    tool = SolidTool(context, "box")
    tool.move(pointer)
    tool.key("f")
    assert "new body" not in tool.preview.word
    pressed(tool, pointer)
    typed(tool, "30,20⏎10⏎")
    assert values(body(context).placement.position) == pytest.approx((0.375, 0, 0.31))


@pytest.mark.parametrize("way", ["alt", "key", "onto"])
def test_a_wheel_with_a_weight_off_its_centre(context, way):
    pointer = on_wheel(context, alt=way == "alt")
    before = mass_properties(body(context))
    tool = SolidTool(context, "disc", onto="disc_1" if way == "onto" else "")
    if way == "key":
        tool.move(pointer)
        tool.key("a")
    tool.move(pointer)
    assert "part of disc 1" in tool.preview.word
    pressed(tool, pointer)
    typed(tool, "25⏎30⏎")
    m = context.document.project.mechanism
    assert (
        list(m.bodies) == ["disc_1"]
        and len(body(context).shapes) == 2
        and context.document.undo_label == "Add wheel to disc 1"
    )
    known, added = mass_properties(body(context)), 7850 * math.pi * 0.025**2 * 0.03
    assert known.mass == pytest.approx(before.mass + added)
    # stands on the face: its own middle is 15 mm before it
    assert known.center == pytest.approx(
        (0.06 * added / known.mass, -0.025 * added / known.mass, 0)
    )


def test_part_of_nothing_is_refused_in_words(context):
    tool = SolidTool(context)
    tool.move(at(0, 0))
    tool.key("a")
    assert "select one" in context.message


def test_cylinder_is_drawn_in_any_work_plane(context):
    context.plane = TOP
    tool = SolidTool(context, "cylinder")
    for p in ((0, 0, 0.4), (0.2, 0, 0.4)):
        pressed(tool, Pointer(p, PIXEL))
    typed(tool, "50⏎")
    solid = body(context)
    assert rotate(solid.placement.quaternion, (0, 0, 1)) == pytest.approx((1, 0, 0)) and values(
        solid.placement.position
    ) == pytest.approx((0.1, 0, 0.4))


def test_numbers_are_read_in_the_units_in_use(context):
    context.units = "inch-lbf"
    tool = SolidTool(context, "sphere")
    click(tool, 0, 0)
    typed(tool, "2⏎")
    assert (
        sizes(context)["radius"] == pytest.approx(0.0508)
        and body(context).shapes[0].dimensions["radius"].text == "2 in"
    )


def test_many_bodies_show_lines_instead_of_the_solid(context):
    project = context.document.project
    for k in range(MANY):
        project, _ = add_link(project, FRONT, (k, 0.0, 0.0), (k, 0.0, 1.0))
    context.document.commit("many", project)
    for type in LETTERS.values():
        tool = SolidTool(context, type)
        click(tool, 0.3, 3)
        if type == "plate":
            click(tool, 0.8, 3)
        tool.move(at(0.5, 3.5))
        assert tool.tentative is None and len(tool.preview.rubber) > 8
