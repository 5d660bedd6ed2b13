"""Parts taken out and put in: what a copy has in common with what it was made of, whatever was
chosen.
"""

import random
from pathlib import Path

import msgspec
import pytest

import mechstudio as ms
from mechstudio.curves.gauges.reading import drawn_poses, reading
from mechstudio.files import fragment
from mechstudio.files.project_file import decode, encode, load
from mechstudio.model.edits.clipboard import (
    SECTIONS,
    among,
    duplicated,
    needed,
    part_of,
    paste_shift,
    put_in,
)
from mechstudio.model.edits.elements import add_parameter, remove, set_quantity
from mechstudio.model.edits.groups import with_group
from mechstudio.model.edits.patterns.mirror import MirrorPlane, mirror_image, mirrored
from mechstudio.model.edits.patterns.movement import movement_of, shifted
from mechstudio.model.edits.patterns.repetition import repeated
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import GROUND, Force, Frame, Law, NamedPoint
from mechstudio.model.project import Project
from mechstudio.model.quantity import Parameter, Quantity, vector

SAMPLES = sorted((Path(__file__).parents[3] / "samples").glob("*.mech"))
SHIFT = (0.05, 0.0, -0.02)


def sample(name):
    return load(next(p for p in SAMPLES if p.stem == name)).project


def elements(project):
    return {id: e for s in SECTIONS for id, e in getattr(project.mechanism, s).items()}


def bare(project, id, new):
    """Part of an element that its copy shares: everything but id, name, place and the ids it refers
    to, which are given back.
    """
    back = {n: o for o, n in new.items()}
    element = elements(project)[id]
    element = msgspec.structs.replace(element, id=back.get(id, id), name="")
    for side in ("frame_a", "frame_b"):
        if (frame := getattr(element, side, None)) is not None:
            element = msgspec.structs.replace(
                element,
                **{side: msgspec.structs.replace(frame, body=back.get(frame.body, frame.body))},
            )
    if getattr(element, "joint", ""):
        element = msgspec.structs.replace(element, joint=back.get(element.joint, element.joint))
    if hasattr(element, "ends"):
        element = msgspec.structs.replace(
            element,
            ends=tuple(
                msgspec.structs.replace(e, joint=back.get(e.joint, e.joint)) for e in element.ends
            ),
        )
    if hasattr(element, "laws"):
        element = msgspec.structs.replace(element, laws={})
    return element


def world_places(project, ids):
    """Places of bodies and frames in W, by id."""
    m, out = project.mechanism, {}
    for id in ids:
        e = elements(project)[id]
        if id in m.bodies:
            out[id] = [e.placement.pose]
        else:
            out[id] = [
                m.frame_in_world(f)
                for f in (getattr(e, "frame_a", None), getattr(e, "frame_b", None))
                if f is not None
            ]
    return out


def check_copy(before, after, new, shift=SHIFT):
    """The copies are shifted, and otherwise equal to the originals."""
    originals, copies = world_places(before, new), world_places(after, new.values())
    for old, now in new.items():
        for (p, q), (r, s) in zip(originals[old], copies[now], strict=True):
            assert [a + b for a, b in zip(p, shift)] == pytest.approx(list(r), abs=1e-12), (
                f"{old} stands shifted"
            )
            assert q == pytest.approx(s, abs=1e-12)
        a, b = bare(before, old, {}), bare(after, now, new)
        blank = {"placement": None, "frame_a": None, "frame_b": None}
        assert type(a) is type(b)
        for name in a.__struct_fields__:
            if name not in blank:
                assert getattr(a, name) == getattr(b, name), (old, name)
        for side in ("frame_a", "frame_b"):
            f, g = getattr(a, side, None), getattr(b, side, None)
            if f is not None and f.body != GROUND and f.body in new:
                assert f == g, "frames on copied bodies are what they were"


@pytest.mark.thinned(15)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
@pytest.mark.thinned(4)
def test_any_selection_doubles_as_it_is(path):
    project, dice = load(path).project, random.Random(path.stem)
    known = list(elements(project))
    for _ in range(4):
        ids = dice.sample(known, dice.randint(1, len(known)))
        try:
            after, new = duplicated(project, ids, shifted(SHIFT))
        except ExpressionError as error:
            assert "cannot be doubled without" in str(error) and error.args[0].endswith("too.")
            continue
        expected = among(project.mechanism, ids)
        assert set(new) == set().union(*expected.values()), (
            "what is among the chosen comes along, nothing else"
        )
        check_copy(project, after, new)
        assert all(elements(after)[id] is elements(project)[id] for id in known), (
            "what was there is as it was"
        )
        assert decode(encode(after)).project == after and decode(encode(after)).findings == (), (
            "and a file can hold it"
        )
        names = [b.name for b in after.mechanism.bodies.values()]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_a_copy_of_a_copy_is_a_copy(path):
    project = load(path).project
    once, new = duplicated(project, list(project.mechanism.bodies), shifted(SHIFT))
    twice, newer = duplicated(once, [new[b] for b in project.mechanism.bodies], shifted(SHIFT))
    check_copy(once, twice, newer)
    assert len(newer) == len(new)
    assert len(elements(twice)) == len(elements(project)) + 2 * len(new)
    assert not set(newer.values()) & set(elements(once))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_put_into_an_empty_project_the_part_keeps_names_and_ids_resolve(path):
    project, dice = load(path).project, random.Random(path.stem)
    known = list(elements(project))
    for _ in range(3):
        ids = needed(project.mechanism, dice.sample(known, dice.randint(1, min(4, len(known)))))
        part = part_of(project, ids)
        after, new = put_in(Project(), part)
        check_copy(project, after, new, (0.0, 0.0, 0.0))
        assert [e.name for e in elements(after).values()] == [
            elements(project)[id].name for id in new
        ], "names that are free stay"
        assert decode(encode(after)).findings == ()


def with_law():
    """The four-bar with a spring force whose stiffness follows a joint, and a length that a
    parameter gives.
    """
    project = sample("four_bar")
    project = add_parameter(project, Parameter("R1", Quantity(0.2, "200 mm")))
    project = add_parameter(project, Parameter("half", Quantity(0.1, "R1/2")))
    m = project.mechanism
    first = next(iter(m.bodies))
    joint = next(j for j in m.joints.values() if first in (j.frame_a.body, j.frame_b.body))
    name = next(n for n, v in evaluation.coordinate_variables(m).items() if v.joint == joint.id)
    law = Law("expression", {}, (), f"3 N + 1 N*sin({name}) + 0 N*half/R1")
    force = Force(
        "load",
        "load",
        "force",
        {k: Quantity(0.0) for k in "xyz"},
        frame_b=Frame(first),
        laws={"x": law},
    )
    project = msgspec.structs.replace(
        project, mechanism=msgspec.structs.replace(m, forces={**m.forces, "load": force})
    )
    return decode(encode(project)).project, first, joint, name


def test_a_law_follows_the_names_of_the_copies():
    project, first, joint, name = with_law()
    after, new = duplicated(project, [first], shifted(SHIFT))
    text = after.mechanism.forces[new["load"]].laws["x"].text
    called = {
        (v.joint, v.kind): n for n, v in evaluation.coordinate_variables(after.mechanism).items()
    }
    copy = called[new[joint.id], evaluation.COORDINATE] if joint.id in new else name
    assert joint.id in new and copy != name
    assert f"sin({copy})" in text and text == project.mechanism.forces["load"].laws[
        "x"
    ].text.replace(name, copy)
    assert (
        after.mechanism.forces["load"].laws["x"].text
        == project.mechanism.forces["load"].laws["x"].text
    )


def test_copied_law_brings_its_parameters_along():
    project, _first, joint, _name = with_law()
    assert joint.id in needed(project.mechanism, ["load"])
    found = set(part_of(project, ["load", joint.id]).parameters)
    assert found >= {"R1", "half"} and "L4" not in found, "a parameter brings those that it names"


def test_a_parameter_of_the_same_text_is_shared_another_is_called_otherwise():
    project, _first, *_ = with_law()
    part = part_of(project, needed(project.mechanism, ["load"]))
    same, _ = put_in(project, part)
    assert set(same.parameters) == set(project.parameters)
    other = set_quantity(project, "R1", ("value",), "300 mm")
    after, new = put_in(other, part)
    assert after.parameters["R1"] == other.parameters["R1"]
    assert after.parameters["R1_2"].value == Quantity(0.2, "200 mm")
    assert after.parameters["half_2"].value == Quantity(0.1, "R1_2/2"), "and what names it follows"
    law = after.mechanism.forces[new["load"]].laws["x"]
    assert "half_2/R1_2" in law.text and law.parameters["R1_2"].value == pytest.approx(0.2)
    assert expression.names_in(after.mechanism.forces["load"].laws["x"].text) >= {"half", "R1"}


def test_a_drive_without_its_joint_is_refused_in_a_sentence():
    project = sample("slider_crank")
    drive = next(iter(project.mechanism.drives), None) or next(
        iter(sample("gear_train").mechanism.drives)
    )
    project = project if drive in project.mechanism.drives else sample("gear_train")
    with pytest.raises(
        ExpressionError, match="cannot be doubled without it: select the joint's bodies too"
    ):
        duplicated(project, [drive], shifted(SHIFT))


def test_a_joint_alone_is_doubled_on_its_bodies():
    project = sample("door_two_hinges")
    joint = next(iter(project.mechanism.joints.values()))
    after, new = duplicated(project, [joint.id], shifted(SHIFT))
    copy = after.mechanism.joints[new[joint.id]]
    assert {copy.frame_a.body, copy.frame_b.body} == {joint.frame_a.body, joint.frame_b.body}
    for a, b in zip((joint.frame_a, joint.frame_b), (copy.frame_a, copy.frame_b)):
        assert after.mechanism.frame_in_world(b)[0] == pytest.approx(
            [x + s for x, s in zip(after.mechanism.frame_in_world(a)[0], SHIFT)]
        )
    assert copy.name != joint.name


def test_a_group_is_doubled_with_its_members_and_not_in_part():
    project = sample("four_bar")
    bodies = list(project.mechanism.bodies)
    project, id = with_group(project, bodies[:2])
    after, new = duplicated(project, bodies, shifted(SHIFT))
    assert (
        after.groups[new[id]].members == (new[bodies[0]], new[bodies[1]])
        and after.groups[new[id]].name == "group 2"
    )
    assert len(duplicated(project, bodies[:1], shifted(SHIFT))[0].groups) == 1


def test_a_named_point_of_ground_is_not_lost():
    project = sample("four_bar")
    m = project.mechanism
    joint = next(j for j in m.joints.values() if GROUND in (j.frame_a.body, j.frame_b.body))
    side = "frame_a" if joint.frame_a.body == GROUND else "frame_b"
    ground = msgspec.structs.replace(m.ground, points=(NamedPoint("post", vector(0.1, 0.2, 0.3)),))
    movement_of = msgspec.structs.replace(joint, **{side: Frame(GROUND, "post")})
    project = msgspec.structs.replace(
        project,
        mechanism=msgspec.structs.replace(
            m, ground=ground, joints={**m.joints, joint.id: movement_of}
        ),
    )
    part = part_of(project, needed(project.mechanism, [joint.id]))
    after, new = put_in(Project(), part)
    frame = getattr(after.mechanism.joints[new[joint.id]], side)
    assert frame.point == "" and after.mechanism.frame_in_world(frame)[0] == pytest.approx(
        (0.1, 0.2, 0.3)
    )
    again, new = put_in(project, part)
    assert getattr(again.mechanism.joints[new[joint.id]], side).point == "post", (
        "where the point is there, it stays tied to it"
    )


def measured():
    """A rod and a wheel with gauges between them, against the ground, and to another body."""
    m = ms.Builder("Measured")
    rod = m.link("rod", (0.1, 0.0, 0.2), length=0.3, angle=0.4)
    wheel = m.body("wheel", (0.5, 0.2, 0.1))
    wheel.cylinder(0.04, 0.01)
    other = m.body("other", (1.0, 0.0, 0.0), mass=1, inertia=(1, 1, 1))
    pin = m.pin("A", m.ground, rod, at=rod.start)
    m.gauge("d1", pin, ms.point_on(wheel, (0.02, 0.01, 0.3)))
    m.gauge("reach", ms.point_on(rod, (0.4, 0.1, 0.2)), ms.plane_on(m.ground, (0, 0, 1), (1, 2, 3)))
    m.gauge("lean", ms.axis_on(rod, (0, 0, 0), (1, 0, 2)), ms.axis_on(wheel, (0, 0, 0), (0, 1, 1)))
    m.gauge("size", wheel, type="diameter")
    m.gauge("apart", ms.point_on(rod, (0.2, 0, 0.3)), ms.point_on(other, (1, 0, 0)))
    return m.project(), {"rod", "wheel"}


def drawn(project, name):
    m = project.mechanism
    gauge = next(g for g in project.gauges.values() if g.name == name)
    return reading(m, gauge, drawn_poses(m)).values[0]


COPIES = {"d1": "d2", "reach": "reach 2", "lean": "lean 2", "size": "size 2"}


def read_alike(project, after):
    for old, new in COPIES.items():
        assert drawn(after, new) == pytest.approx(drawn(project, old), rel=1e-9, abs=1e-12), old
        assert drawn(after, old) == pytest.approx(drawn(project, old), rel=1e-12), old


def test_gauges_are_copied_with_all_that_they_measure():
    project, ids = measured()
    turned = movement_of(((0.3, -0.1, 0.2), (0.8, 0.36, 0.48, 0.0)))
    after, new = duplicated(project, ids, turned)
    assert {g.name for g in after.gauges.values()} == {*COPIES, *COPIES.values(), "apart"}
    read_alike(project, after)
    for id in project.gauges.keys() & new.keys():
        named = {e.joint or e.frame.body for e in after.gauges[new[id]].ends} - {GROUND}
        assert named <= set(new.values()), "each copy measures the copies"
    again, _ = duplicated(after, {new[id] for id in ids}, shifted(SHIFT))
    assert {g.name for g in again.gauges.values()} >= {"d3", "reach 3", "lean 3", "size 3"}
    assert decode(encode(again)).project.gauges == again.gauges
    alone, _ = duplicated(project, {"wheel"}, shifted(SHIFT))
    assert len(alone.gauges) == len(project.gauges) + 1, "the diameter"


def test_gauges_are_repeated_pasted_and_go_with_their_bodies():
    project, ids = measured()
    steps = [shifted((0.0, k * 0.4, 0.0)) for k in (1, 2)]
    after, _ = repeated(project, ids, steps)
    assert len(after.gauges) == 3 * len(COPIES) + 1
    read_alike(project, after)
    pasted, new = put_in(Project(), fragment.read(fragment.write(project, ids)).project)
    assert {g.name for g in pasted.gauges.values()} == set(COPIES)
    for name in COPIES:
        assert drawn(pasted, name) == pytest.approx(drawn(project, name), rel=1e-12)
    named = add_parameter(Project(), Parameter("reach", Quantity(0.1), "length"))
    beside, _ = put_in(named, part_of(project, ids))
    assert {g.name for g in beside.gauges.values()} == set(COPIES), "as the gauge that it drives"
    left = remove(pasted, new["wheel"])
    assert {g.name for g in left.gauges.values()} == {"reach"}


@pytest.mark.parametrize("normal", [(1.0, 0.0, 0.0), (0.6, 0.0, 0.8), (0.48, 0.64, 0.6)])
def test_gauges_read_the_same_in_a_mirror(normal):
    project, ids = measured()
    plane = MirrorPlane((0.7, 0.1, 0.0), normal)
    read_alike(project, mirror_image(project, ids, plane)[0])
    placed = mirrored(project, ids, plane)
    for name in COPIES:
        assert drawn(placed, name) == pytest.approx(drawn(project, name), rel=1e-9, abs=1e-12)
    twice = mirrored(placed, ids, plane)
    assert drawn(twice, "apart") == pytest.approx(drawn(project, "apart"), rel=1e-9)
    assert drawn(placed, "apart") != pytest.approx(drawn(project, "apart"), rel=1e-3)


def test_a_pasted_part_stands_a_free_step_aside():
    """The first multiple of the step at which none of its bodies covers one that is there."""
    m = ms.Builder("row")
    for k, x in enumerate((0.0, 0.1, 0.3)):
        m.body(f"b{k}", (x, 0.2, 0.4)).box(0.01, 0.02, 0.03)
    project = m.project()
    first, pair = part_of(project, ["b0"]), part_of(project, ["b0", "b1"])
    step = (0.1, 0.0, 0.0)
    assert paste_shift(project, first, step) == pytest.approx((0.2, 0.0, 0.0))
    assert paste_shift(project, pair, step) == pytest.approx((0.4, 0.0, 0.0))
    assert paste_shift(project, first, (0.0, 0.1, 0.0)) == pytest.approx((0.0, 0.1, 0.0))
    assert paste_shift(Project(), pair, step) == (0.0, 0.0, 0.0)
