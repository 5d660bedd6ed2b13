"""Rigid motions of a drawing: joints stay closed, links stretch with their roll, and numbers that
stay keep their texts.
"""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import load
from mechstudio.model.edits.links import FRONT, add_joint, add_link, distance, link_ends
from mechstudio.model.edits.poses import motion as moving
from mechstudio.model.edits.poses import propagation
from mechstudio.model.geometry.rotation import (
    about,
    from_angles,
    matrix,
    multiply,
    normalise,
    rotate,
    to_angles,
)
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, values

SAMPLES = {p.stem: load(p).project for p in sorted(sample_folder().glob("*.mech"))}
unit = (
    st.tuples(*[st.floats(-1, 1)] * 3)
    .filter(lambda v: math.hypot(*v) > 0.1)
    .map(lambda v: tuple(c / math.hypot(*v) for c in v))
)


def gaps(project, size):
    m = project.mechanism
    return {
        id: propagation.residuals(j, m.frame_in_world(j.frame_a), m.frame_in_world(j.frame_b), size)
        for id, j in m.joints.items()
        if j.type != "distance"
    }


def rods(project):
    m = project.mechanism
    return {
        id: distance(m.frame_in_world(j.frame_a)[0], m.frame_in_world(j.frame_b)[0])
        - j.parameters["length"].value
        for id, j in m.joints.items()
        if j.type == "distance"
    }


@st.composite
def edits(draw):
    """(sample, bodies, joints, motion): anything of a sample, moved anyhow."""
    name = draw(st.sampled_from(sorted(SAMPLES)))
    m = SAMPLES[name].mechanism
    bodies = draw(st.sets(st.sampled_from([*m.bodies, GROUND]), max_size=3))
    joints = draw(st.sets(st.sampled_from([*m.joints]), max_size=2)) if m.joints else set()
    center = tuple(m.size() * c for c in draw(st.tuples(*[st.floats(-1, 1)] * 3)))
    shift = tuple(m.size() * c for c in draw(st.tuples(*[st.floats(-1, 1)] * 3)))
    way = draw(st.sampled_from(("shift", "turn", "plane", "both")))
    axis = (0.0, 1.0, 0.0) if way == "plane" else draw(unit)
    p, q = moving.rotated_about(center, axis, draw(st.floats(-3, 3)))
    motion = (
        moving.shifted_by(shift)
        if way == "shift"
        else (p, q)
        if way != "both"
        else (tuple(a + b for a, b in zip(p, shift)), q)
    )
    return name, tuple(bodies), tuple(joints), motion


@settings(max_examples=30, deadline=None)
@given(edits())
def test_closed_joints_stay_closed_whatever_moves(edit):
    name, bodies, joints, motion = edit
    project = SAMPLES[name]
    size = project.mechanism.size()
    before, moved = gaps(project, size), moving.move(project, motion, bodies, joints)
    assert {*moved.mechanism.bodies} == {*project.mechanism.bodies} and {
        *moved.mechanism.joints
    } == {*project.mechanism.joints}
    far = max(
        1.0,
        moved.mechanism.size() / size,
        *(
            abs(c) / size
            for b in moved.mechanism.bodies.values()
            for c in values(b.placement.position)
        ),
    )
    for id, gap in gaps(moved, size).items():
        assert gap == pytest.approx(before[id], abs=1e-12 * far), (
            id,
            project.mechanism.joints[id].type,
        )
    for id, gap in rods(moved).items():
        assert abs(gap - rods(project)[id]) < 1e-12 * size * far


@settings(max_examples=15, deadline=None)
@given(edits())
def test_bodies_that_were_chosen_move_rigidly_and_no_solid_else_does(edit):
    name, bodies, joints, motion = edit
    m, moved = SAMPLES[name].mechanism, moving.move(SAMPLES[name], motion, bodies, joints).mechanism
    for id, body in m.bodies.items():
        requested = (
            moving.compose(motion, body.placement.pose) if id in bodies else body.placement.pose
        )
        if id in bodies or link_ends(body) is None:
            at, q = moved.bodies[id].placement.pose
            assert distance(at, requested[0]) < 1e-12 * max(m.size(), *map(abs, requested[0]))
            assert abs(abs(sum(a * b for a, b in zip(q, requested[1]))) - 1.0) < 1e-12
            assert moved.bodies[id].shapes == body.shapes, "a body that moves keeps its size"


def pinned_chain():
    """Two links between ground pins, the first of a typed length that goes on."""
    project, a = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.0, 0.0, 0.2), length_text="200 mm")
    project, b = add_link(
        project, FRONT, (0.0, 0.0, 0.2), (0.4, 0.0, 0.2), (a,), length_text="400 mm"
    )
    for pair, at in (
        ((GROUND, a), (0.0, 0.0, 0.0)),
        ((a, b), (0.0, 0.0, 0.2)),
        ((GROUND, b), (0.4, 0.0, 0.2)),
    ):
        project, _ = add_joint(project, FRONT, *pair, at)
    return project, a, b


def test_a_moved_link_takes_its_pins_along_and_its_neighbour_stretches():
    project, a, b = pinned_chain()
    moved = moving.move(project, moving.shifted_by((0.0, 0.0, 0.1)), bodies=(b,)).mechanism
    assert link_ends(moved.bodies[a]) == ((0.0, 0.0, 0.0), pytest.approx((0.0, 0.0, 0.3)))
    assert moved.bodies[a].shapes[0].dimensions["length"] == Quantity(0.3), (
        "a length that changed is a plain number"
    )
    assert moved.bodies[b].shapes[0].dimensions["length"] == Quantity(0.4, "400 mm"), (
        "one that did not keeps its text"
    )
    pins = list(moved.joints.values())
    assert moved.frame_in_world(pins[2].frame_a)[0] == pytest.approx((0.4, 0.0, 0.3))
    assert moved.joints["joint_1"].frame_a is project.mechanism.joints["joint_1"].frame_a, (
        "the far pin is as it was"
    )


def test_a_link_that_leaves_its_plane_keeps_its_roll_and_its_pins_close():
    project, a, b = pinned_chain()
    moved = moving.move(project, moving.shifted_by((0.0, 0.15, 0.0)), bodies=(b,)).mechanism
    start, end = link_ends(moved.bodies[a])
    assert start == pytest.approx((0, 0, 0), abs=1e-15) and end == pytest.approx((0.0, 0.15, 0.2))
    # turned about the one axis square to the old and the new direction, here x, and no more
    x = rotate(moved.bodies[a].placement.quaternion, (0.0, 1.0, 0.0))
    assert abs(x[0]) < 1e-14
    for joint in moved.joints.values():
        (p, q), (r, s) = moved.frame_in_world(joint.frame_a), moved.frame_in_world(joint.frame_b)
        assert (
            distance(p, r) < 1e-15 and distance(rotate(q, (0, 0, 1)), rotate(s, (0, 0, 1))) < 1e-14
        )


def test_a_crank_turned_about_its_ground_pin_leaves_the_pin_and_reads_a_new_angle():
    project, a, b = pinned_chain()
    joint = project.mechanism.joints["joint_1"]
    project = moving.put_element(
        project, "joint_1", moving.replace(joint, values=(Quantity(math.pi / 2, "90 deg"),))
    )
    moved = moving.move(
        project,
        moving.rotated_about((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), math.radians(30)),
        bodies=(a,),
    ).mechanism
    assert moved.joints["joint_1"].frame_a is joint.frame_a
    assert (
        moved.joints["joint_1"].values[0].value == pytest.approx(math.radians(60))
        and not moved.joints["joint_1"].values[0].text
    )
    assert link_ends(moved.bodies[b])[0] == pytest.approx((0.1, 0.0, 0.2 * math.cos(math.pi / 6)))
    assert moved.bodies[a].shapes[0].dimensions["length"].text == "200 mm"


def test_a_slider_along_its_rail_changes_nothing_but_its_place():
    project = SAMPLES["slider_crank"]
    m = project.mechanism
    slide = next(j for j in m.joints.values() if j.type == "prismatic")
    along = rotate(m.frame_in_world(slide.frame_a)[1], (0.0, 0.0, 1.0))
    body = next(f.body for f in (slide.frame_a, slide.frame_b) if f.body != GROUND)
    moved = moving.move(
        project, moving.shifted_by(tuple(0.01 * c for c in along)), bodies=(body,)
    ).mechanism
    assert (
        moved.joints[slide.id].frame_a is slide.frame_a
        and moved.joints[slide.id].frame_b is slide.frame_b
    )


def test_moving_a_joint_moves_its_place_on_both_bodies():
    project, a, b = pinned_chain()
    moved = moving.move(
        project, moving.shifted_by((0.05, 0.0, 0.02)), joints=("joint_2",)
    ).mechanism
    assert link_ends(moved.bodies[a])[1] == pytest.approx((0.05, 0.0, 0.22)) and link_ends(
        moved.bodies[b]
    )[0] == pytest.approx((0.05, 0.0, 0.22))
    assert link_ends(moved.bodies[b])[1] == pytest.approx((0.4, 0.0, 0.2))
    assert (
        moved.joints["joint_2"].frame_a.point == "end"
        and moved.joints["joint_2"].frame_b.point == "start"
    )


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_turning_flipping_and_quartering_a_joint_moves_no_body_and_what_it_reads_stays_legal(name):
    project = SAMPLES[name]
    m, size = project.mechanism, project.mechanism.size()
    before = gaps(project, size)
    for id in m.joints:
        for changed in (
            moving.flip_joint(project, id),
            moving.quarter_joint(project, id),
            moving.turn_joint(project, id, (0.6, 0.0, 0.8), 0.3),
        ):
            assert changed.mechanism.bodies == m.bodies
            if id in before:
                # the files are closed to the 1e-13 m to which they are rounded, of a size that may
                # be some centimetres
                assert gaps(changed, size)[id] == pytest.approx(before[id], abs=5e-12), (
                    id,
                    m.joints[id].type,
                )
        frame = m.joints[id].frame_a
        z, flipped = (
            rotate(p.mechanism.frame_in_world(p.mechanism.joints[id].frame_a)[1], (0, 0, 1))
            for p in (project, moving.flip_joint(project, id))
        )
        assert flipped == pytest.approx(tuple(-c for c in z), abs=1e-12), frame


def test_typed_numbers_that_stay_keep_their_texts():
    project, _a, b = pinned_chain()
    body = project.mechanism.bodies[b]
    placed = moving.replace(
        body.placement,
        position=(Quantity(0.0, "0 mm"), Quantity(0.0, "L0 - L0"), Quantity(0.2, "200 mm")),
    )
    project = moving.put_element(project, b, moving.replace(body, placement=placed))
    moved = (
        moving.move(project, moving.shifted_by((0.12, 0.0, 0.0)), bodies=(b,))
        .mechanism.bodies[b]
        .placement.position
    )
    assert moved == (Quantity(0.12), Quantity(0.0, "L0 - L0"), Quantity(0.2, "200 mm"))


def test_the_ground_moves_its_shapes_and_its_pins_stay():
    project = SAMPLES["four_bar"]
    m = project.mechanism
    moved = moving.move(project, moving.shifted_by((0.0, 0.0, -0.05)), bodies=(GROUND,)).mechanism
    for old, new in zip(m.ground.shapes, moved.ground.shapes, strict=True):
        assert new.placement.position[2].value == pytest.approx(
            old.placement.position[2].value - 0.05
        )
    for id, joint in m.joints.items():
        assert moved.frame_in_world(moved.joints[id].frame_a)[0] == pytest.approx(
            m.frame_in_world(joint.frame_a)[0]
        )
    assert moved.bodies == m.bodies


def test_everything_with_the_ground_moves_as_one():
    project = SAMPLES["four_bar"]
    m = project.mechanism
    moved = moving.move(
        project, moving.shifted_by((0.3, 0.2, 0.1)), bodies=(GROUND, *m.bodies)
    ).mechanism
    for joint in moved.joints.values():
        assert moved.frame_in_world(joint.frame_a)[0] == pytest.approx(
            tuple(
                c + s
                for c, s in zip(m.frame_in_world(m.joints[joint.id].frame_a)[0], (0.3, 0.2, 0.1))
            )
        )
    assert all(b.shapes == m.bodies[b.id].shapes for b in moved.bodies.values())


@settings(max_examples=100, deadline=None)
@given(
    st.floats(-3, 3),
    st.floats(-1e-5, 1e-5) | st.floats(-1e-11, 1e-11),
    st.floats(-3, 3),
    st.sampled_from((1.0, -1.0)),
)
def test_angles_give_the_attitude_back_near_the_gimbal_lock(psi, off, phi, sign):
    q = normalise(
        multiply(from_angles(psi, sign * (math.pi / 2 + off), phi), about((0.0, 0.0, 1.0), 0.0))
    )
    for a, b in zip(matrix(q), matrix(from_angles(*to_angles(q)))):
        assert a == pytest.approx(b, abs=3e-12)


def test_a_rod_keeps_its_far_end_and_takes_its_new_length():
    project, a, _b = pinned_chain()
    project, rod = add_joint(
        project, FRONT, GROUND, a, (0.3, 0.0, 0.5), "distance", point_b=(0.0, 0.0, 0.2)
    )
    far = project.mechanism.frame_in_world(project.mechanism.joints[rod].frame_a)[0]
    for moved in (
        moving.stretch_to(project, a, 1, (0.0, 0.0, 0.1)),
        moving.move(project, moving.shifted_by((0.0, 0.0, -0.1)), bodies=(a,)),
    ):
        joint = moved.mechanism.joints[rod]
        ends = [moved.mechanism.frame_in_world(f)[0] for f in (joint.frame_a, joint.frame_b)]
        assert ends[0] == pytest.approx(far, abs=1e-15) and ends[1] == pytest.approx(
            (0.0, 0.0, 0.1)
        )
        assert joint.parameters["length"].value == pytest.approx(
            math.dist(far, (0.0, 0.0, 0.1)), abs=1e-12
        )
