"""Snapping of the pointer, in the plane and off it, with its word; relations to other links;
choices by Tab; the time it takes.
"""

import math
import time
from types import SimpleNamespace

import numpy as np
import pytest

from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.tools.bodies.link import LinkTool
from mechstudio.application.tools.snapping.candidates import Straight, candidates_of
from mechstudio.application.tools.snapping.crossings import crossings
from mechstudio.application.tools.snapping.loci import Locus
from mechstudio.application.tools.snapping.rims import on_loci
from mechstudio.application.tools.snapping.snap import candidates, choices, snap
from mechstudio.application.tools.tool import Pointer, ToolContext
from mechstudio.model.edits.bodies.shapes import add_body, new_shape
from mechstudio.model.edits.links import add_joint, add_link
from mechstudio.model.geometry.work_plane import FRONT, RIGHT, TOP, WorkPlane
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Camera, Project
from tests.application.tools.bodies.test_link_tool import at, click
from tests.application.tools.space import CORNER, Hand

OFF_GRID = 0.037
ASIDE = WorkPlane("aside", (0.5, 0.0, 0.0), RIGHT.u, RIGHT.v)


def context_of(project):
    document = Document()
    document.commit("drawn", project)
    return ToolContext(document, Selection(), grid=OFF_GRID)


def words(project, pointer, start=None, plane=FRONT, **more):
    return [s.word for s in choices(project, plane, OFF_GRID, pointer, start, **more)]


@pytest.fixture
def link():
    """One link from (0.1, 0, 0.05) to (0.3, 0, 0.15)."""
    return add_link(Project(), FRONT, (0.1, 0, 0.05), (0.3, 0, 0.15))[0]


D = (0.2 / math.hypot(0.2, 0.1), 0.1 / math.hypot(0.2, 0.1))  # the link's direction in the plane


@pytest.mark.parametrize(
    ("way", "word"), [(D, "in line with link 1"), ((-D[1], D[0]), "right angle to link 1")]
)
def test_directions_in_relation_to_the_link_at_the_start(link, way, word):
    start = (0.3, 0.0, 0.15)
    reach = 0.17
    # a degree beside the direction
    c, s = math.cos(math.radians(1)), math.sin(math.radians(1))
    off = (c * way[0] - s * way[1], s * way[0] + c * way[1])
    found = next(
        f
        for f in choices(
            link, FRONT, OFF_GRID, at(start[0] + reach * off[0], start[2] + reach * off[1]), start
        )
        if f.word.startswith(word)
    )
    d = (found.point[0] - start[0], found.point[2] - start[2])
    assert abs(d[0] * way[1] - d[1] * way[0]) < 1e-12 and found.helper is not None


def test_parallel_to_a_link_that_does_not_touch(link):
    start = (0.5, 0.0, 0.4)
    pointer = at(start[0] + 0.31 * D[0], start[2] + 0.31 * D[1] + 0.004)
    assert words(link, pointer, start)[0] == "parallel to link 1"


def test_length_of_a_neighbour_snaps_with_and_without_a_direction(link):
    start, length = (0.5, 0.0, 0.4), math.hypot(0.2, 0.1)
    both = choices(
        link,
        FRONT,
        OFF_GRID,
        at(start[0] + (length + 0.003) * D[0], start[2] + (length + 0.003) * D[1]),
        start,
    )[0]
    assert both.word == "parallel to link 1, as long as link 1" and math.dist(
        both.point, start
    ) == pytest.approx(length, abs=1e-12)
    angle = math.radians(71)
    free = choices(
        link,
        FRONT,
        OFF_GRID,
        at(
            start[0] + (length - 0.004) * math.cos(angle),
            start[2] + (length - 0.004) * math.sin(angle),
        ),
        start,
    )[0]
    assert free.word == "as long as link 1" and math.dist(free.point, start) == pytest.approx(
        length, abs=1e-12
    )


@pytest.mark.parametrize(("degrees", "word"), [(46.5, "45 deg"), (30.5, "30 deg"), (28.0, "")])
def test_multiples_of_45_degrees_reach_further_than_those_of_15(degrees, word):
    a = math.radians(degrees)
    assert words(Project(), at(0.31 * math.cos(a), 0.31 * math.sin(a)), (0.0, 0.0, 0.0))[0] == word


def test_excluded_bodies_and_points_do_not_snap(link):
    assert "end of link 1" in words(link, at(0.302, 0.149))
    assert "end of link 1" not in words(
        link, at(0.302, 0.149), exclude_bodies=frozenset({"link_1"})
    )
    assert "end of link 1" not in words(
        link, at(0.302, 0.149), exclude=frozenset({(0.3, 0.0, 0.15)})
    )


# in space


def test_a_point_off_the_plane_is_caught_where_it_is_seen(link):
    project, _far = add_link(link, ASIDE, (0.5, 0.1, 0.0), (0.5, 0.25, 0.2))
    hand = Hand(context_of(project))
    found = snap(project, FRONT, OFF_GRID, hand.at((0.5, 0.25, 0.2), 4, 3))
    assert (
        found.word == "end of link 2"
        and found.off
        and found.point == pytest.approx((0.5, 0.25, 0.2), abs=1e-12)
    )
    beside = snap(project, FRONT, OFF_GRID, hand.at((0.5, 0.25, 0.2), 14, 3))
    assert beside.word != "end of link 2", "by its distance in pixels"


def test_a_point_of_the_planes_layers_lies_in_the_plane(link):
    """Drawn a thickness off, as by hand in a file: within a layer it is still the plane's."""
    body = link.mechanism.bodies["link_1"]
    thick = body.shapes[0].dimensions["thickness"].value
    shifted = WorkPlane("near", (0.0, 0.9 * thick, 0.0), FRONT.u, FRONT.v)
    found = snap(link, shifted, OFF_GRID, Hand(context_of(link)).at((0.3, 0.9 * thick, 0.15)))
    assert (
        found.word == "end of link 1"
        and not found.off
        and found.point[1] == pytest.approx(0.9 * thick)
    )
    away = WorkPlane("away", (0.0, 1.5 * thick, 0.0), FRONT.u, FRONT.v)
    assert snap(link, away, OFF_GRID, Hand(context_of(link)).at((0.3, 0.0, 0.15))).off


def test_the_corner_of_a_box_is_taken_where_it_is_seen_but_in_the_plane_from_the_front():
    project, _ = add_body(Project(), FRONT, (0.2, 0.0, 0.1), new_shape("box", 0.2))
    corner = (0.3, -0.05, 0.15)
    oblique = snap(project, FRONT, OFF_GRID, Hand(context_of(project)).at(corner, 2, 2))
    assert (
        oblique.word == "right front top of box 1"
        and oblique.point == pytest.approx(corner)
        and oblique.shape == "square"
    )
    front = Hand(context_of(project), Camera((0.2, 0.0, 0.1), -90.0, 0.0, 1.5, False))
    straight = snap(project, FRONT, OFF_GRID, front.at(corner, 2, 2))
    assert (
        straight.word.startswith("right")
        and straight.point == pytest.approx((0.3, 0.0, 0.15))
        and not straight.off
    )


def test_middles_of_edges_and_faces_of_boxes_and_plates():
    project, _ = add_body(Project(), FRONT, (0.2, 0.3, 0.1), new_shape("box", 0.2))
    hand = Hand(context_of(project))
    edge, face = (0.3, 0.25, 0.1), (0.2, 0.25, 0.1)
    assert next(
        (s.word, s.shape) for s in choices(project, FRONT, OFF_GRID, hand.at(edge, 2, 1))
    ) == ("edge of box 1", "triangle")
    assert snap(project, FRONT, OFF_GRID, hand.at(face, 2, 1)).word == "front of box 1"
    plate, _ = add_body(Project(), FRONT, (0.2, 0.0, 0.1), new_shape("plate", 0.3))
    corners = [s.point for _, s in candidates(plate, FRONT) if "corner" in s.word]
    middle = tuple((a + b) / 2 for a, b in zip(*corners[:2]))
    assert (
        snap(plate, FRONT, OFF_GRID, Hand(context_of(plate)).at(middle, 1, 1)).word
        == "edge of plate 1"
    )


def test_an_axis_catches_where_it_pierces_the_plane_and_along_its_cylinder():
    project, _ = add_body(Project(), FRONT, (0.2, 0.3, 0.4), new_shape("cylinder", 0.2))
    hand = Hand(context_of(project))
    pierced = snap(project, TOP, OFF_GRID, hand.at((0.2, 0.3, 0.0), 3, -2))
    assert (
        pierced.word == "axis of cylinder 1"
        and pierced.point == pytest.approx((0.2, 0.3, 0.0), abs=1e-12)
        and pierced.axis == pytest.approx((0, 0, 1))
    )
    along = snap(
        project,
        TOP,
        OFF_GRID,
        hand.at(
            (0.2, 0.3, 0.43),
            3,
            0,
            body="cylinder_1",
            element="cylinder_1",
            surface=(0.2, 0.26, 0.43),
            normal=(0, -1, 0),
        ),
    )
    assert (
        along.word == "axis of cylinder 1"
        and along.point[:2] == pytest.approx((0.2, 0.3))
        and along.point[2] == pytest.approx(0.43, abs=2e-3)
    )


def test_the_axis_of_a_pin_in_another_plane_catches_where_it_pierces_this_one():
    project, link = add_link(Project(), FRONT, (0.1, 0, 0.05), (0.3, 0, 0.15))
    project, _ = add_joint(project, FRONT, GROUND, link, (0.1, 0.0, 0.05))
    behind = WorkPlane("behind", (0.0, 0.2, 0.0), FRONT.u, FRONT.v)
    found = snap(project, behind, OFF_GRID, Hand(context_of(project)).at((0.1, 0.2, 0.05), 3, 2))
    assert found.word == "axis of A" and found.point == pytest.approx((0.1, 0.2, 0.05))


# choosing


def test_tab_goes_on_to_the_next_place_and_standing_still_lists_them(link):
    project, _ = add_link(link, ASIDE, (0.5, 0.1, 0.0), (0.5, 0.25, 0.2))
    # a third link that begins a few pixels beside the end of the first
    project, _ = add_link(project, FRONT, (0.308, 0, 0.152), (0.5, 0, 0.4))
    context = context_of(project)
    hand, tool = Hand(context), LinkTool(context)
    pointer = hand.at((0.3, 0, 0.15), 1, 0)
    tool.move(pointer)
    assert tool.preview.choices == ()
    tool.linger()
    assert (
        tool.preview.choices[:2] == ("end of link 1", "start of link 3")
        and tool.preview.chosen == 0
    )
    assert tool.wants("tab") and tool.key("tab")
    assert tool.preview.word == "start of link 3" and tool.preview.chosen == 1
    tool.move(hand.at((0.3, 0, 0.15), 2, 0))
    assert tool.preview.word == "start of link 3", (
        "what Tab chose stays while the pointer hardly moves"
    )
    tool.key("backtab")
    assert tool.preview.word == "end of link 1"
    tool.key("tab")
    tool.move(hand.at((0.1, 0, 0.05)))
    tool.move(hand.at((0.3, 0, 0.15), 1, 0))
    assert tool.preview.word == "end of link 1", "far away it is forgotten"


def test_ctrl_offers_nothing_but_the_place_itself(link):
    assert words(link, at(0.3, 0.15, ctrl=True)) == [""]


@pytest.mark.parametrize("scale", [1e-3, 1e3], ids=["mm", "km"])
def test_the_same_at_every_scale(scale):
    project, _ = add_link(Project(), FRONT, (0, 0, 0), (0.2 * scale, 0, 0.1 * scale))
    context = context_of(project)
    camera = Camera(
        tuple(c * scale for c in CORNER.target),
        CORNER.azimuth,
        CORNER.elevation,
        CORNER.distance * scale,
    )
    found = snap(
        project,
        FRONT,
        OFF_GRID * scale,
        Hand(context, camera).at((0.2 * scale, 0, 0.1 * scale), 3, 2),
    )
    assert found.word == "end of link 1"


def test_two_hundred_bodies_are_searched_in_a_moment():
    """Four milliseconds of processor time per move were requested; a fifth of a redraw is the limit
    here, as machines differ.
    """
    project, last = Project(), ""
    for k in range(100):
        project, link = add_link(project, FRONT, (0.1 * k, 0, 0), (0.1 * k + 0.1, 0, 0.05))
        project = add_joint(project, FRONT, last, link, (0.1 * k, 0, 0))[0] if last else project
        project, _ = add_body(project, FRONT, (0.1 * k, 0.3, 0.3), new_shape("box", 0.05))
        last = link
    context = context_of(project)
    hand, tool = Hand(context, Camera((5.0, 0.0, 0.0), -70.0, 15.0, 12.0)), LinkTool(context)
    click(tool, 3.33, 0.51)
    pointers = [hand.at((2.0 + 0.06 * k, 0.0, 0.02 * (k % 5))) for k in range(100)]
    tool.move(pointers[0])
    began = time.process_time()
    for pointer in pointers:
        tool.move(pointer)
    assert (time.process_time() - began) / len(pointers) < 0.012


@pytest.mark.parametrize(("cell", "first"), [(0.05, "grid"), (0.01, "45 deg")])
def test_a_dense_grid_stands_back_behind_relations(cell, first):
    found = choices(Project(), FRONT, cell, at(0.2012, 0.1991), (0.0, 0.0, 0.0))
    assert found[0].word == first and {"grid", "45 deg"} <= {f.word for f in found}


def test_a_relation_that_holds_at_a_node_of_the_grid_is_caught_there():
    """Symmetric links of a scissor lift: the second one's end is a node and as long as the first,
    wherever near it the pointer is.
    """
    project, _ = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.2, 0.0, 0.1))
    for u, v in ((0.0004, 0.1009), (-0.0006, 0.0995), (0.0, 0.1)):
        pointer = Pointer((u, 0.0, v), 0.001)
        places = choices(project, FRONT, 0.1, pointer, (0.2, 0.0, 0.0))
        exact = [p for p in places if p.word]
        assert exact and all(p.point == pytest.approx((0.0, 0.0, 0.1), abs=1e-12) for p in exact)


@pytest.mark.parametrize(
    ("end", "word"), [((0.2, 0.0), "0 deg"), ((0.0, 0.2), "90 deg"), ((0.2, 0.2), "45 deg")]
)
def test_a_direction_through_nodes_of_a_dense_grid_ends_at_one(end, word):
    """A level link to a node is 200 mm long, wherever in the pixel the pointer is; in a direction
    that meets no node its length is the pointer's.
    """
    found = choices(Project(), FRONT, 0.01, at(end[0] + 4e-4, end[1] - 3e-4), (0.0, 0.0, 0.0))[0]
    assert (found.word, found.point) == (word, (end[0], 0.0, end[1]))
    start = (0.0033, 0.0, 0.0033)
    free = choices(Project(), FRONT, 0.01, at(0.2004, 0.0031), start)[0]
    assert free.word == "0 deg" and free.point[0] == pytest.approx(0.2004)


def test_a_link_that_stands_on_the_plane_crosses_nothing():
    """One seen end-on has no line in the plane; two others cross as before."""
    place = (0.2, 0.0, 0.1)
    lines = [
        Straight("b1", "link 1", (0.1, 0.0, 0.05), (0.3, 0.0, 0.15)),
        Straight("b2", "link 2", (0.1, 0.0, 0.15), (0.3, 0.0, 0.05)),
        Straight("b3", "link 3", (0.2, 0.0, 0.1), (0.2, 0.1, 0.1)),
        Straight("b4", "link 4", place, place),
    ]
    for count in (2, 3, 4):
        with np.errstate(all="raise"):
            known = SimpleNamespace(straights=lines[:count])
            found = crossings(known, FRONT, at(place[0], place[2]), 11.0)
        assert [s.word for _, s in found] == ["crossing of link 1 and link 2"]
        assert found[0][1].point == pytest.approx(place)


def test_a_circle_that_is_close_belongs_to_its_body_or_to_the_one_under_the_pointer():
    """Within 7 pixels, on the circle where it is nearest, in the coordinates of the plane."""
    circle = Locus("rim", (0.1, 0.2), radius=0.05)
    for far, caught in ((6.9, True), (7.1, False)):
        out = 0.05 + far * 0.001
        point = ASIDE.to_world(0.1 + 0.6 * out, 0.2 + 0.8 * out)
        for body, owner in (("", "under"), ("own", "own")):
            pointer = Pointer(point, 0.001, body="under")
            found = on_loci(ASIDE, pointer, (circle,), body)
            assert [snap.body for snap in found] == [owner] * caught
            assert all(s.point == pytest.approx(ASIDE.to_world(0.13, 0.24)) for s in found)
    assert on_loci(ASIDE, Pointer(None, 0.001), (circle,)) == []


def test_bodies_round_a_line_are_those_whose_ball_it_meets():
    """A link from x = 10 to 10.2 m, with half its width about its ends."""
    project, link = add_link(Project(), FRONT, (10.0, 0.0, 1.0), (10.2, 0.0, 1.0))
    known = candidates_of(project.mechanism)
    width = project.mechanism.bodies[link].shapes[0].dimensions["width"].value
    reach = 0.1 + width  # what is drawn reaches half a width out of the ends
    for x, near in ((10.1 - reach - 0.2, False), (10.1 - 0.1, True), (10.1 + 0.1, True)):
        assert known.around((x, 5.0, 1.0), (0.0, 1.0, 0.0), 0.01) == [link] * near
    assert known.around((10.1 + reach + 0.2, 5.0, 1.0), (0.0, 1.0, 0.0), 0.01) == []
    assert known.around((10.1 + reach + 0.2, 5.0, 1.0), (0.0, 1.0, 0.0), 0.3) == [link]
