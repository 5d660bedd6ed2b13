"""The abstract scene: closed meshes of the right volume, rows that follow their bodies, glyphs from
the joint table.
"""

import itertools
from collections import Counter

import msgspec
import numpy as np
import pytest

from mechstudio.application.scene import build_scene, drawn_poses, row_poses
from mechstudio.application.scene.instances import rotate
from mechstudio.application.scene.joints.joint_glyphs import glyph
from mechstudio.application.scene.lines import INK, VECTOR, Stroke, pack_lines
from mechstudio.application.scene.principal_axes import principal_crosses
from mechstudio.application.scene.scene import build
from mechstudio.application.scene.solids import hardware, solids, springs
from mechstudio.application.scene.solids.plates import plate
from mechstudio.application.scene.solids.shapes import (
    COARSE,
    FINE,
    FINEST,
    MIDDLE,
    detail,
    shape_part,
)
from mechstudio.model.edits import insertion
from mechstudio.model.edits.links import FRONT, add_joint, add_link
from mechstudio.model.geometry.rotation import matrix
from mechstudio.model.mass_properties import shape_solid
from mechstudio.model.mechanism import GROUND, Body, Joint, Mechanism, Placement
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.types.forces import FORCE_TYPES, TWO_POINTS
from mechstudio.model.types.joints import JOINT_TYPES, SLIDE, TURN
from tests import scenes

SHAPES = [
    scenes.shape("link", length=0.3, width=0.04, thickness=0.01),
    scenes.shape("link", length=0.0, width=0.04, thickness=0.01),
    scenes.shape("plate", outline=[(0, 0), (0.3, 0), (0.1, 0.2)], radius=0.02, thickness=0.01),
    scenes.shape("plate", outline=[(0, 0)], radius=0.05, thickness=0.02),
    scenes.shape(
        "plate",
        outline=[(0, 0), (0.3, 0), (0.3, 0.2), (0.15, 0.1), (0, 0.2)],
        radius=0.02,
        thickness=0.01,
    ),
    scenes.shape(
        "plate", outline=[(0, 0), (0.3, 0), (0.3, 0.2), (0.1, 0.2)], radius=0.0, thickness=0.01
    ),
    scenes.shape("box", length=0.1, depth=0.2, height=0.3),
    scenes.shape("cylinder", radius=0.05, height=0.2),
    scenes.shape("disc", radius=0.1, thickness=0.02),
    scenes.shape("sphere", radius=0.1),
    scenes.shape("ellipsoid", length=0.2, depth=0.1, height=0.05),
    scenes.shape("capsule", radius=0.05, height=0.2),
    scenes.shape("capsule", radius=0.05, height=0.0),
    scenes.shape("cone", bottom_radius=0.1, top_radius=0.04, height=0.2),
    scenes.shape("cone", bottom_radius=0.1, top_radius=0.0, height=0.2),
    scenes.shape("cone", bottom_radius=0.02, top_radius=0.1, height=0.05),
    scenes.mesh_shape(*scenes.ball_mesh(24, 0.1)),
    scenes.mesh_shape(*scenes.box_mesh(0.3, 0.1, 0.2)),
]
NAMES = [f"{s.type}{len(s.outline) or ''}" for s in SHAPES]


def open_edges(mesh):
    """Edges that are not run through once in each direction; corners at the same place count as
    one.
    """
    _, at = np.unique(mesh.points.round(9), axis=0, return_inverse=True)
    t = at.reshape(-1)[mesh.triangles]
    edges = Counter(map(tuple, np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]])))
    return [e for e, n in edges.items() if e[0] != e[1] and edges.get((e[1], e[0]), 0) != n]


def volume(mesh):
    """Of a closed mesh: one sixth of the sum of the triple products of its triangles."""
    p = mesh.points[mesh.triangles]
    return float((p[:, 0] * np.cross(p[:, 1], p[:, 2])).sum() / 6)


def inverted(mesh):
    """Triangles whose winding disagrees with their normals."""
    p = mesh.points[mesh.triangles]
    return int(
        (
            (
                np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
                * mesh.normals[mesh.triangles].sum(axis=1)
            ).sum(axis=1)
            < -1e-15
        ).sum()
    )


# A mesh of chords and chamfers lies inside the solid, so its volume is below, by less than what
# chamfers, holes and chords take.
@pytest.mark.parametrize("level", [FINE, MIDDLE, COARSE], ids=["fine", "middle", "coarse"])
@pytest.mark.parametrize("shape", SHAPES, ids=NAMES)
def test_parts_are_closed_and_have_the_volume_of_their_solid(shape, level):
    part, exact = shape_part(shape, level), shape_solid(shape)[0]
    for mesh in (part.solid, part.skin):
        assert open_edges(mesh) == []
        assert inverted(mesh) == 0
        assert np.abs(np.linalg.norm(mesh.normals, axis=1) - 1).max() < 1e-12
        assert (0.80 if level is not COARSE else 0.60) * exact < volume(mesh) < exact * (1 + 1e-12)


def test_the_closedness_check_sees_a_missing_triangle_and_a_turned_one():
    mesh = shape_part(SHAPES[0], FINE).solid
    assert open_edges(mesh._replace(triangles=mesh.triangles[1:]))
    rotated = mesh.triangles.copy()
    rotated[0] = rotated[0, ::-1]
    assert inverted(mesh._replace(triangles=rotated)) == 1


def test_a_link_lies_along_x_flat_in_xz_with_round_ends():
    p = shape_part(SHAPES[0], FINE).solid.points
    assert np.allclose(p.min(axis=0), (-0.02, -0.005, -0.02), atol=1e-9) and np.allclose(
        p.max(axis=0), (0.32, 0.005, 0.02), atol=1e-9
    )


def test_holes_of_a_plate_are_open():
    part = plate(np.array([(0.0, 0.0), (0.3, 0.0)]), 0.02, 0.01, 0.008, 0.001, 18)
    p = part.solid.points[part.solid.triangles]
    middles = p.mean(axis=1)
    flat = np.abs(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])[:, :2]).max(axis=1) < 1e-15
    assert np.linalg.norm(middles[flat][:, :2], axis=1).min() > 0.008 * 0.98


@pytest.mark.parametrize(
    "part",
    [
        hardware.pin(0.01, -0.02, 0.05, 40),
        hardware.pin(0.01, -0.02, 0.05, 10)._replace(skin=solids.EMPTY),
        hardware.ball(0.02, 40),
        hardware.trunnion(0.01, 0.05, 0, 40),
        hardware.bracket(0.03, 0.01, 0.01, 18),
        hardware.pedestal(0.03, 40),
    ],
    ids=["pin", "stud", "ball", "trunnion", "bracket", "pedestal"],
)
def test_hardware_is_closed(part):
    assert open_edges(part.solid) == [] and open_edges(part.skin) == []
    assert volume(part.solid) > 0 and inverted(part.solid) == 0


def test_detail_falls_as_shapes_increase_and_two_hundred_links_have_a_hundred_triangles_each():
    assert [detail(n) for n in (3, 20, 60, 200)] == [FINEST, FINE, MIDDLE, COARSE]
    scene = build_scene(scenes.many_bodies(200))
    assert 50 <= len(scene.solid.triangles) / 200 <= 120


def test_rows_follow_their_bodies():
    project = scenes.four_bar()
    scene = build_scene(project)
    poses = scenes.four_bar_poses(0.7)
    rows = row_poses(scene.rows, poses)
    assert np.allclose(rows[1:4, 4:7], poses[:, :3]) and np.allclose(rows[1:4, :4], poses[:, 3:])
    # both frames of joint C meet where the coupler ends, by the closed form of the linkage
    _coupler, rocker = scenes.four_bar_angles(0.7)
    end = np.array(
        [
            scenes.BASE + scenes.ROCKER * np.cos(rocker),
            0,
            scenes.HEIGHT + scenes.ROCKER * np.sin(rocker),
        ]
    )
    at = [rows[k, 4:7] for k, owner in enumerate(scene.rows.owners) if owner == "C"]
    assert at and np.allclose(at, end, atol=1e-12)


def test_drawn_poses_are_those_of_the_project():
    project = scenes.spatial_four_bar()
    assert np.allclose(
        drawn_poses(project),
        [(*p, *q) for p, q in (b.placement.pose for b in project.mechanism.bodies.values())],
    )
    assert drawn_poses(Project()).shape == (0, 7)


def test_a_spring_is_drawn_true_to_length():
    """Its row points from the ground to the mass and is as long as their distance: 0.4 - 0.13 - z,
    for the mass lifted by z.
    """
    scene = build_scene(scenes.spring_pendulum())
    k = scene.rows.owners.index("spring")
    for lift in (0.0, 0.05, -0.2):
        poses = scene.drawn.copy()
        poses[0, 2] += lift
        row = row_poses(scene.rows, poses)[k]
        assert row[7] == pytest.approx(0.4 - 0.13 - lift)
        # solid points of the row, as the shader places them, reach from one end to the other
        mine = scene.solid.row == k
        local = scene.solid.points[mine] + np.column_stack(
            [0 * scene.solid.along[mine]] * 2 + [scene.solid.along[mine] * row[7]]
        )
        world = row[4:7] + rotate(row[:4], local)
        eye = 0.01
        assert world[:, 2].max() == pytest.approx(0.4, abs=eye) and world[
            :, 2
        ].min() == pytest.approx(0.13 + lift, abs=eye)


@pytest.mark.parametrize("type", [k for k, t in FORCE_TYPES.items() if t.attachment == TWO_POINTS])
def test_parts_between_two_points_are_slender(type):
    """As long as the way between their points, and no wider than a third of it."""
    project = scenes.spring_pendulum()
    force = msgspec.structs.replace(project.mechanism.forces["spring"], type=type)
    mechanism = msgspec.structs.replace(project.mechanism, forces={"spring": force})
    scene = build_scene(msgspec.structs.replace(project, mechanism=mechanism))
    mine = scene.solid.row == scene.rows.owners.index("spring")
    way = 0.4 - 0.13
    across = np.linalg.norm(scene.solid.points[mine][:, :2], axis=1)
    assert 0.0 < across.max() < way / 6
    along = scene.solid.points[mine][:, 2] + way * scene.solid.along[mine]
    assert np.ptp(along) == pytest.approx(way, abs=0.1 * way)


@pytest.mark.parametrize(
    "direction", [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0.3, -0.5, -0.8), (0, 1e-12, -1)]
)
def test_stretched_rows_point_anywhere(direction):
    from mechstudio.application.scene.instances import pointing

    d = np.array(direction, float) / np.linalg.norm(direction)
    q = pointing(d[None])[0]
    assert np.linalg.norm(q) == pytest.approx(1) and np.allclose(
        rotate(q, np.array([0, 0, 1.0])), d, atol=1e-9
    )


@pytest.mark.parametrize("type", JOINT_TYPES)
def test_every_joint_type_has_a_glyph_that_shows_its_freedoms(type):
    """One arc for each turn, two heads for each slide, rings for a ball; a filled part where
    nothing or only one slide is free.
    """
    picture, kinds = glyph(type, 40), [kind for kind, _ in JOINT_TYPES[type].motions]
    assert picture.lines
    arrow_heads = [line for line in picture.lines if len(line.points) == 3]
    rings = [line for line in picture.lines if len(line.points) == 41]
    by_hand = {
        "distance": (0, 6, False),
        "constant_velocity": (2, 2, False),
        "screw": (1 + 4, 0, False),
        # the way along which the cam glides under the face
        "flat_follower": (4, 0, False),
        # spin and heading, the lean is the angle that is seen; the way along the blade and the turn
        # of the heading
        "rolling_disc": (2, 0, False),
        "rolling_wheel": (2, 0, True),
        "knife_edge": (1 + 4, 0, True),
    }
    heads, ring_count, filled = by_hand.get(
        type,
        (
            kinds.count(TURN) + 4 * kinds.count(SLIDE),
            3 * kinds.count("ball"),
            kinds in ([], [SLIDE]),
        ),
    )
    assert (len(arrow_heads), bool(picture.fills)) == (heads, filled)
    assert len(rings) == ring_count


def test_glyphs_follow_the_mechanism_and_the_smallest_link():
    scene = build_scene(scenes.four_bar())
    assert scene.glyph == pytest.approx(min(0.08 * scene.size, scenes.CRANK / 3.7))
    assert build_scene(scenes.spatial_four_bar()).glyph == pytest.approx((0.064 + 0.012) / 3.7), (
        "the crank with the pin at its end"
    )


@pytest.mark.parametrize("length", [0.004, 0.2, 50.0])
@pytest.mark.parametrize("type", sorted(set(JOINT_TYPES) - {"point_on_curve", "flat_follower"}))
def test_no_glyph_is_longer_than_the_smallest_link(type, length):
    project, small = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (length, 0.0, 0.0))
    project, _ = add_link(project, FRONT, (0.0, 0.0, length), (4 * length, 0.0, length))
    project, joint = add_joint(project, FRONT, GROUND, small, (0.0, 0.0, 0.0), type)
    drive = ""
    if JOINT_TYPES[type].coordinates:
        project, drive = insertion.add_drive(project, joint)
    builder = build(project.mechanism)
    for owner in (joint, drive):
        points = [s.points for s in builder.marks if owner and builder.rows[s.row].owner == owner]
        assert not points or np.ptp(np.concatenate(points), axis=0).max() <= length, (
            owner,
            builder.glyph / length,
        )


def test_a_small_part_does_not_make_all_glyphs_vanish():
    project, _ = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    project, _ = add_link(project, FRONT, (0.0, 0.0, 0.1), (0.001, 0.0, 0.1))
    assert build_scene(project).glyph == pytest.approx(0.012, rel=0.01)


def test_every_element_of_the_gallery_can_be_seen():
    project = scenes.joint_gallery()
    scene, m = build_scene(project), project.mechanism
    drawn = {scene.rows.owners[int(r)] for r in np.concatenate([scene.solid.row, scene.marks.row])}
    assert drawn == {"ground", *m.bodies, *m.joints, *m.forces}
    assert {label.owner for label in scene.labels} == set(m.joints)


def test_force_arrows_are_true_to_scale():
    """Lengths are in proportion to forces; the measure says what the legend's arrow stands for."""
    one = lambda z: {"x": Quantity(0.0), "y": Quantity(0.0), "z": Quantity(z)}
    body = Body("b", "b", (SHAPES[0],))
    from mechstudio.model.mechanism import Force

    forces = {
        k: Force(k, k, "force", one(v), frame_b=scenes.frame("b", orientation=vector(0, 0, 0)))
        for k, v in (("small", 3.0), ("large", -12.0))
    }
    builder = build(Mechanism({"b": body}, {}, forces))
    tips = {builder.rows[row].owner: p for row, p in builder.tips}
    ((dimension, value, length),) = builder.measures
    assert dimension == "force" and value == 10.0
    assert (
        tips["small"][2] / 3.0
        == pytest.approx(tips["large"][2] / -12.0)
        == pytest.approx(length / value)
    )
    kinds = build_scene(Project(Mechanism({"b": body}, {}, forces))).marks.kind
    assert VECTOR in kinds


def test_bare_ground_is_signed_and_shaped_ground_is_not():
    unshaped, shaped = build(scenes.joint_gallery().mechanism), build(scenes.four_bar().mechanism)
    assert [p for p in unshaped.pieces if p.row == 0]
    assert len([p for p in shaped.pieces if p.row == 0]) == len(
        scenes.four_bar().mechanism.ground.shapes
    )
    assert any(s.row == 0 for s in unshaped.marks) and not any(s.row == 0 for s in shaped.marks)


def test_a_pin_goes_through_all_that_it_joins():
    """Joint C of the four-bar: coupler in y from -21 to -3 mm, rocker from 2 to 22 mm; the pin's
    axis is -y.
    """
    m = scenes.four_bar().mechanism
    joint = m.joints["C"]
    spans = [
        hardware.span(m.body(f.body), m.frame_in_body(f)) for f in (joint.frame_a, joint.frame_b)
    ]
    assert spans[0][:2] == pytest.approx((0.003, 0.021)) and spans[1][:2] == pytest.approx(
        (-0.022, -0.002)
    )
    assert hardware.span(m.ground, m.frame_in_body(scenes.frame("ground", (0.17, 0, 1.0)))) is None


def test_the_floor_is_below_everything_that_can_swing():
    hanging = Mechanism(
        {"b": Body("b", "b", (SHAPES[0],), Placement(vector(0, 0, 0.1)))},
        {"A": Joint("A", "A", "revolute", scenes.frame("ground", (0, 0, 0.1)), scenes.frame("b"))},
    )
    assert build_scene(Project(hanging)).floor < 0.1 - 0.32
    assert build_scene(scenes.four_bar()).floor == pytest.approx(-0.007)
    assert build_scene(scenes.heavy_top()).floor == 0.0


def test_hidden_and_unsound_shapes():
    m = scenes.four_bar().mechanism
    crank = msgspec.structs.replace(
        m.bodies["crank"],
        visible=False,
        shapes=(scenes.shape("box", length=0.0, depth=0.1, height=0.1), *m.bodies["crank"].shapes),
    )
    scene = build_scene(Project(msgspec.structs.replace(m, bodies={**m.bodies, "crank": crank})))
    assert not scene.rows.visible[1] and scene.rows.visible[2]


def test_an_empty_project_has_an_empty_scene():
    scene = build_scene(Project())
    assert (
        not scene and len(scene.solid.triangles) == 0 and scene.size == 1.0 and scene.floor == 0.0
    )
    assert row_poses(scene.rows, scene.drawn).shape == (1, 8)


def test_a_body_without_shape_is_a_ball_at_its_centre_of_mass():
    scene = build_scene(
        Project(
            Mechanism(
                {
                    "b": Body(
                        "b", "b", (), Placement(vector(1, 0, 0)), center_of_mass=vector(0, 0, 0.2)
                    )
                }
            )
        )
    )
    p = scene.solid.points
    assert np.allclose((p.min(axis=0) + p.max(axis=0)) / 2, (0, 0, 0.2), atol=1e-6)


def test_lines_are_joined_where_they_close():
    ring = np.array([(1, 0, 0), (0, 1, 0), (-1, 0, 0), (1, 0, 0)], float)
    lines = pack_lines([Stroke(ring, 0, INK, 1.0), Stroke(ring[:2], 0, INK, 1.0)])
    assert np.allclose(lines.before[0], ring[2]) and np.allclose(lines.after[3], ring[1])
    assert np.allclose(lines.before[4], ring[0]) and np.allclose(lines.after[5], ring[1])
    assert lines.pieces.tolist() == [0, 1, 2, 4]


def test_stretched_parts_are_complete():
    for pieces in (
        springs.spring(0.02, 0.3, 16),
        springs.damper(0.02, 0.3, 40),
        springs.rod(0.01, 40),
    ):
        for part, solid, skin, _ in pieces:
            assert len(solid) == len(part.solid.points) and len(skin) == len(part.skin.points)
            assert solid.min() >= 0 and solid.max() <= 1
            assert part.solid.triangles.max() < len(part.solid.points)


def test_placing_a_part_turns_and_moves_it():
    part = solids.box((0.1, 0.2, 0.3), 0.01)
    R = np.array(matrix((0.5, 0.5, 0.5, 0.5)))
    transformed = solids.placed(part, R, np.array([1.0, 2.0, 3.0]))
    assert np.allclose(
        transformed.solid.points, part.solid.points @ R.T + (1, 2, 3)
    ) and np.allclose(transformed.skin.normals, part.skin.normals @ R.T)
    assert open_edges(transformed.skin) == []


def surface_of(points, triangles):
    return shape_part(scenes.mesh_shape(points, triangles), FINE)


def test_a_mesh_is_flat_at_its_edges_and_smooth_across_the_others():
    """A box has eight corners with three normals each and its twelve edges drawn; a ball one normal
    per corner, along its radius, and no edge.
    """
    box, ball = surface_of(*scenes.box_mesh(0.3, 0.1, 0.2)), surface_of(*scenes.ball_mesh(24, 0.1))
    assert len(box.solid.points) == 24 and len(box.skin.points) == 8
    segments = {
        tuple(sorted((tuple(a), tuple(b))))
        for line in box.edges
        for a, b in zip(line.round(6), line[1:].round(6))
    }
    assert len(segments) == 12 == sum(len(line) - 1 for line in box.edges)
    assert ball.edges == () and len(ball.solid.points) == len(ball.skin.points)
    assert (ball.solid.normals * ball.solid.points / 0.1).sum(axis=1).min() > 0.999


@pytest.mark.parametrize(("angle", "drawn"), [(25, False), (35, True)])
def test_edges_begin_at_thirty_degrees(angle, drawn):
    """A prism about z whose sides meet at 180 degrees less the angle, at one edge."""
    a = np.radians(angle)
    ring = [(0.0, 0.0), (1.0, 0.0), (1.0 + np.cos(a), np.sin(a)), (1.0, 2.0), (0.0, 1.0)]
    points = np.array([(x, y, z) for z in (0.0, 1.0) for x, y in ring])
    sides = [
        t
        for k in range(5)
        for t in ((k, (k + 1) % 5, (k + 1) % 5 + 5), (k, (k + 1) % 5 + 5, k + 5))
    ]
    part = surface_of(
        points, np.array([(0, 2, 1), (0, 3, 2), (0, 4, 3), (5, 6, 7), (5, 7, 8), (5, 8, 9), *sides])
    )
    upright = [
        line
        for line in part.edges
        for p, q in itertools.pairwise(line)
        if np.allclose([p[:2], q[:2]], (1, 0))
    ]
    assert bool(upright) == drawn


def test_a_mesh_that_encloses_nothing_is_left_out_and_breaks_nothing():
    points, triangles = scenes.box_mesh(0.3, 0.1, 0.2)
    for surface in (
        (points, triangles[1:]),
        (points * np.nan, triangles),
        (points, triangles + 99),
    ):
        body = Body("a", "a", (scenes.mesh_shape(*surface), scenes.shape("sphere", radius=0.1)))
        scene = build_scene(Project(Mechanism({"a": body})))
        assert len(scene.solid.triangles) == len(shape_part(body.shapes[1], FINEST).solid.triangles)


def test_principal_crosses_stand_at_the_centre_of_mass_along_the_principal_axes():
    rotated = scenes.shape(
        "box", at=(0.2, 0, 0), angles=(0.3, -0.7, 1.1), length=0.3, depth=0.1, height=0.2
    )
    m = Mechanism(
        {
            "a": Body("a", "a", (rotated,)),
            "b": Body("b", "b"),
            "c": Body("c", "c", mass=Quantity(1.0), inertia=(Quantity(float("nan")),) * 6),
        }
    )
    found = principal_crosses(m, ("a", "b", "c", "ground", "gone"), 0.05)
    assert (
        list(found) == ["a"]
        and found["a"].center == pytest.approx((0.2, 0, 0))
        and found["a"].free == (False,) * 3
    )
    R = np.array(matrix(rotated.placement.quaternion))
    for arm, axis in zip(
        found["a"].arms, (R[:, 0], R[:, 2], R[:, 1])
    ):  # least moment about the longest side
        assert abs(arm @ axis) == pytest.approx(np.linalg.norm(arm)) == pytest.approx(0.055)


@pytest.mark.parametrize("level", [FINE, MIDDLE, COARSE], ids=["fine", "middle", "coarse"])
def test_no_two_faces_of_new_parts_lie_in_one_place(level):
    """Equal triangles would flicker: each stands once."""
    for shape in SHAPES:
        mesh = shape_part(shape, level).solid
        p = np.sort(mesh.points[mesh.triangles].round(9).view([("", float)] * 3)[..., 0], axis=1)
        assert len(np.unique(p, axis=0)) == len(p), shape.type


def test_a_camera_that_fits_all_takes_the_curves_of_joints_in():
    import mechstudio as ms

    m = ms.Builder("wires")
    corners = [(0, 0, 3.0), (0, 0, 0), (2.0, 0, 0), (2.0, 0, 5.0)]
    bead = m.body("bead", corners[0])
    bead.sphere("30 mm")
    m.on_curve("wire", m.ground, bead, corners, at=corners[0], form="polyline", fillet=0.5)
    project = m.project()
    scene = build_scene(project)
    points = scene.points_of(("wire",), row_poses(scene.rows, drawn_poses(project)))
    room = 3.0 * scene.glyph
    for low, high, reach in zip(points.min(axis=0), points.max(axis=0), (2.0, 0.0, 5.0)):
        assert -room < low <= 0.0 and reach <= high < reach + room
