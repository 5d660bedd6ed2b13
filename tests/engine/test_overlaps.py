"""Bodies that overlap as drawn are reported before a run, with the depth in closed form: what is
left of the sum of radii for balls, the shortest way out for boxes, what is below a plane.
"""

import msgspec
import pytest

import mechstudio as ms
from mechstudio.engine.constraints.attitude import drawn_poses
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.overlaps import check, overlap_findings, overlaps
from mechstudio.engine.run import run, system_for
from mechstudio.model.edits.contacts import enable, put_floor, set_contacts, set_pair
from mechstudio.model.mechanism import Frame, Joint, Placement
from mechstudio.model.quantity import vector

replace = msgspec.structs.replace
BOX = ("0.2 m", "0.2 m", "0.2 m")


def drawn(*bodies, size=1.0, ground=(), on=True):
    """Contacts between bodies (shape, its lengths [m], place [m]) and ground shapes, all lengths
    times a size.
    """
    m = ms.Builder("Overlaps")
    for k, (shape, lengths, place) in enumerate(bodies):
        body = m.body(f"b{k}", tuple(size * x for x in place))
        getattr(body, shape)(*(f"{size * x!r} m" for x in lengths))
    for shape, lengths, place in ground:
        sizes = [f"{size * x!r} m" for x in lengths]
        getattr(m.ground, shape)(*sizes, at=tuple(size * x for x in place))
    return enable(m.project(), on)


def found(project):
    return overlaps(project.mechanism, drawn_poses(project.mechanism))


def said(project):
    return [f.message for f in check(project).findings if "overlap" in f.message]


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e3])
@pytest.mark.parametrize(
    ("one", "other", "depth"),
    [
        # radii less the distance of the middles
        (("sphere", (1.0,), (0, 0, 0)), ("sphere", (0.5,), (1.2, 0, 0)), 0.3),
        (("sphere", (1.0,), (0, 0, 0)), ("sphere", (0.1,), (0.5, 0, 0)), 0.6),
        # the shortest way out of a box, also of what is wholly inside
        (("box", (2.0, 2.0, 2.0), (0, 0, 0)), ("box", (2.0, 2.0, 2.0), (1.7, 0.1, 0.2)), 0.3),
        (("box", (2.0, 2.0, 2.0), (0, 0, 0)), ("box", (0.4, 0.4, 0.4), (0.5, 0.1, 0)), 0.7),
        (("box", (2.0, 2.0, 2.0), (0, 0, 0)), ("sphere", (0.1,), (0.5, 0.1, 0)), 0.6),
        # the wall of a ring from its bore
        (("tube", (1.0, 0.5, 1.0), (0, 0, 0)), ("sphere", (0.45,), (0.1, 0, 0)), 0.05),
    ],
)
def test_depths_of_pairs_in_closed_form(one, other, depth, size):
    (overlap,) = found(drawn(one, other, size=size))
    assert overlap.pair == ("b0", "b1")
    assert overlap.depth == pytest.approx(size * depth, rel=1e-9)
    assert not overlap.least and not overlap.rough


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e3])
def test_depths_below_the_floor_and_in_the_ground(size):
    ball = ("sphere", (0.5,), (0, 0, 0.3))
    for project in (
        put_floor(drawn(ball, size=size), 0.0),
        drawn(ball, size=size, ground=[("box", (9.0, 9.0, 2.0), (0, 0, -1.0))]),
    ):
        (overlap,) = found(project)
        assert overlap.depth == pytest.approx(size * 0.2, rel=1e-9)
        assert overlap.pair[0] == "b0"
    assert said(put_floor(drawn(ball), 0.0)) == [
        "b0 and the floor overlap by 200 mm as drawn, and a run begins by pushing them apart."
    ]


@pytest.mark.parametrize("gap", [0.0, 1e-9, -1e-9])
def test_bodies_that_only_touch_are_none(gap):
    box = ("box", (0.2, 0.2, 0.2), (0, 0, 0.1 + gap))
    for project in (
        put_floor(drawn(box), 0.0),
        drawn(box, ("sphere", (0.1,), (0, 0, 0.3 + 2 * gap))),
        drawn(box, ("box", (0.1, 0.2, 0.2), (0, 0, 0.3 + 2 * gap))),
        drawn(box, ground=[("tube", (0.5, 0.3, 0.2), (0, 0, -0.1))]),
    ):
        assert found(project) == []


def test_a_shaft_that_fits_its_bore_is_none_by_the_facets_of_the_bore():
    """Facets for others than balls stand in by 2.7e-4 of the radius."""
    ring = ("tube", (0.1, 0.08, 0.02), (0, 0, 0))
    assert found(drawn(ring, ("cylinder", (0.08, 0.02), (0, 0, 0)))) == []
    (overlap,) = found(drawn(ring, ("cylinder", (0.08, 0.02), (1e-3, 0, 0))))
    assert overlap.rough and overlap.depth == pytest.approx(1e-3, rel=0.05)


def test_pairs_that_never_collide_are_none():
    one, other = ("box", (0.2, 0.2, 0.2), (0, 0, 0)), ("box", (0.2, 0.2, 0.2), (0.1, 0, 0))
    project = drawn(one, other)
    assert len(found(project)) == 1
    a, b = project.mechanism.bodies
    assert found(enable(project, False)) == []
    assert found(set_contacts(project, b, False)) == []
    assert found(set_pair(project, a, b, False)) == []
    soft = ms.Builder("Soft")
    for k in range(2):
        soft.surface(soft.body(f"b{k}", (0.1 * k, 0, 0)).box(*BOX), stiffness="1e4 N/m")
    assert found(enable(soft.project(), True)) == []


@pytest.mark.parametrize("base", ["body", "ground"])
def test_joined_bodies_and_bodies_fixed_to_one_body_are_none(base):
    m = ms.Builder("Joined")
    middle = m.ground if base == "ground" else m.body("middle", (1, 0, 0)).box(*BOX)
    ends = [m.body(f"b{k}", (0.1 * k, 0, 0)).box(*BOX) for k in range(2)]
    pin = m.pin("A", ends[0], ends[1], at=(0, 0, 0))
    assert found(enable(m.project(), True)) == []
    m.remove(pin)
    assert len(found(enable(m.project(), True))) == 1
    for name, end in zip("BC", ends, strict=True):
        m.fix(name, middle, end, at=(0, 0, 0))
    assert found(enable(m.project(), True)) == []


def test_the_pose_that_joints_close_is_the_one_that_counts():
    """A ball is drawn clear of a block; its joint puts it 30 mm in."""
    m = ms.Builder("Closed")
    post = m.body("post", (0, 0, 1)).sphere("0.01 m")
    m.body("ball", (0, 0, 0.5)).sphere("0.1 m")
    m.ground.box("1 m", "1 m", "0.2 m", at=(0, 0, -0.1))
    m.fix("W", m.ground, post, at=(0, 0, 1))
    project = enable(m.project(), True)
    mechanism, (post, ball) = project.mechanism, project.mechanism.bodies
    hung = Joint(
        "S", "S", "spherical", Frame(post, placement=Placement(vector(0, 0, -0.93))), Frame(ball)
    )
    joints = {**mechanism.joints, "S": hung}
    project = replace(project, mechanism=replace(mechanism, joints=joints))
    assert found(project) == []
    assert said(project) == [
        "ball and ground overlap by 30 mm as drawn, and a run begins by pushing them apart."
    ]


def test_one_finding_names_the_deepest_of_many_and_counts_the_others():
    """26 balls of 0.1 m in a row, 0.16 m apart, and the last one nearer: 40 mm each, and 70 mm."""
    row = [("sphere", (0.1,), (0.16 * k, 0, 0)) for k in range(25)]
    project = drawn(*row, ("sphere", (0.1,), (0.16 * 24 + 0.13, 0, 0)))
    assert len(found(project)) == 25
    (finding,) = overlap_findings(project.mechanism, drawn_poses(project.mechanism))
    assert finding.severity == "warning" and finding.element == "b24"
    assert finding.said("m-N-rad") == (
        "b24 and b25 overlap by 0.07 m as drawn, and a run begins by pushing them apart. "
        "24 more pairs overlap too."
    )
    assert finding.cure == "Move one of them, or let the two not touch."


def test_depths_that_are_not_exact_are_said_so():
    """Of two hollow surfaces a lower bound is known; of one the depth at a facet, which is about
    the way out: here 0.15 m at the middle and 0.16 m at the corners of the box.
    """
    ring = ("tube", (1.0, 0.5, 0.2), (0, 0, 0))
    assert "at least" in said(drawn(ring, ("tube", (1.0, 0.5, 0.2), (1.9, 0, 0))))[0]
    project = drawn(ring, ("box", (0.2, 0.2, 0.2), (0.55, 0, 0)))
    (overlap,) = found(project)
    assert 0.15 < overlap.depth < 0.161 and "about" in said(project)[0]


def test_a_run_says_the_same_and_so_does_the_next_check_of_other_solids():
    project = drawn(("sphere", (0.1,), (0, 0, 0)), ("sphere", (0.1,), (0.17, 0, 0)))
    (finding,) = [f for f in check(project).findings if "overlap" in f.message]
    assert finding.message.startswith("b0 and b1 overlap by 30 mm as drawn")
    options = RunOptions(duration=0.01, sample_step=0.01)
    system = system_for(project.mechanism, options)
    list(run(system, options, []))
    assert f"{finding.message} {finding.cure}" in system.statistics.notes
    wider = drawn(("sphere", (0.12,), (0, 0, 0)), ("sphere", (0.1,), (0.17, 0, 0)))
    assert [o.depth for o in found(wider)] == pytest.approx([0.05])
    assert [o.depth for o in found(project)] == pytest.approx([0.03])
