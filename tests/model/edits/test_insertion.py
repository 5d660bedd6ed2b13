"""Numbers that couplings and stops take from the drawing, and edits of laws."""

import math

import msgspec
import pytest

import mechstudio as ms
from mechstudio.folders import sample_folder
from mechstudio.model.edits import insertion, laws, links
from mechstudio.model.edits.links import FRONT, add_joint, add_link
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import about, from_axes, multiply, rotate, to_angles
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Body, Mechanism, Placement, Shape
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.types.joints import JOINT_TYPES

UPRIGHT = to_angles(from_axes((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)))


def discs(*places_and_radii) -> tuple[Project, list[str]]:
    """Discs in the front plane, each pinned to the ground at its centre; the joints' ids."""
    bodies = {}
    for k, (x, z, radius) in enumerate(places_and_radii):
        shape = Shape("disc", {"radius": Quantity(radius), "thickness": Quantity(0.02)})
        bodies[f"disc_{k}"] = Body(
            f"disc_{k}", f"disc {k}", (shape,), Placement(vector(x, 0, z), vector(*UPRIGHT))
        )
    project, joints = Project(Mechanism(bodies)), []
    for (x, z, _), id in zip(places_and_radii, bodies):
        project, joint = add_joint(project, FRONT, GROUND, id, (x, 0.0, z))
        joints.append(joint)
    return project, joints


@pytest.mark.parametrize(
    ("places", "ratio"),
    [
        # outer gears touch and turn against each other: r1 q1 = -r2 q2 (THEORY 3)
        (((0, 0, 0.05), (0.15, 0, 0.1)), -2.0),
        # the small wheel inside the ring turns the same way
        (((0, 0, 0.1), (0.06, 0, 0.04)), 0.4),
    ],
)
def test_the_ratio_of_gears_is_that_of_their_discs(places, ratio):
    project, joints = discs(*places)
    project, id = insertion.add_coupling(project, "gear", joints)
    assert project.mechanism.couplings[id].parameters["ratio"].value == pytest.approx(ratio)


def test_gears_on_opposite_axes_have_the_opposite_ratio():
    project, _joints = discs((0, 0, 0.05), (0.15, 0, 0.1))
    m = project.mechanism
    project = Project(Mechanism(m.bodies))
    project, a = add_joint(project, FRONT, GROUND, "disc_0", (0.0, 0.0, 0.0))
    project, b = add_joint(
        project, FRONT, GROUND, "disc_1", (0.15, 0.0, 0.0), "revolute", (0.0, 1.0, 0.0)
    )
    project, id = insertion.add_coupling(project, "gear", (a, b))
    assert project.mechanism.couplings[id].parameters["ratio"].value == pytest.approx(2.0)


@pytest.mark.parametrize(("height", "sign"), [(0.07, 1.0), (-0.07, -1.0)])
def test_a_rack_goes_the_way_the_pinion_rolls(height, sign):
    """The rack's row is x = radius q.  A pinion above the rack that turns by +q about the plane's
    normal (-Y) moves its lowest point by radius q along +X (v = w x r, with w = -Y q and r = -Z
    radius); below it, the other way.
    """
    project, (pin,) = discs((0, height, 0.07))
    project, link = add_link(project, FRONT, (-0.2, 0.0, 0.0), (0.2, 0.0, 0.0))
    project, slide = add_joint(
        project, FRONT, GROUND, link, (0.0, 0.0, 0.0), "prismatic", (1.0, 0.0, 0.0)
    )
    # in either order of selecting
    for joints in ((pin, slide), (slide, pin)):
        done, id = insertion.add_coupling(project, "rack_and_pinion", joints)
        coupling = done.mechanism.couplings[id]
        assert [e.joint for e in coupling.ends] == [pin, slide] and coupling.parameters[
            "radius"
        ].value == pytest.approx(sign * 0.07)


def test_stops_stand_about_the_drawn_angle():
    project, link = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.1, 0.0, 0.1))
    project, joint = add_joint(project, FRONT, GROUND, link, (0.0, 0.0, 0.0))
    assert insertion.drawn_coordinate(
        project.mechanism, project.mechanism.joints[joint], 0
    ) == pytest.approx(math.radians(45))
    project = insertion.add_limit(project, joint, 0)
    (limit,) = project.mechanism.joints[joint].limits
    assert (limit.lower.text, limit.upper.text) == (
        "-15 deg",
        "105 deg",
    ) and limit.upper.value == pytest.approx(math.radians(105))
    with pytest.raises(ExpressionError, match="has stops already"):
        insertion.add_limit(project, joint, 0)
    assert insertion.remove_limit(project, joint, 0).mechanism.joints[joint].limits == ()


def driven():
    project, link = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.1, 0.0, 0.1))
    project, joint = add_joint(project, FRONT, GROUND, link, (0.0, 0.0, 0.0))
    return insertion.add_drive(project, joint)


@pytest.mark.parametrize("type", ["ramp", "sine", "rest_to_rest", "table", "expression"])
def test_another_law_keeps_the_number_it_is_about(type):
    project, drive = driven()
    there = laws.set_type(project, drive, ("law",), type, "angular_velocity")
    law = there.mechanism.drives[drive].law
    assert law.type == type and laws.level_of(law).value == pytest.approx(2 * math.pi)
    back = laws.set_type(there, drive, ("law",), "constant", "angular_velocity")
    assert back.mechanism.drives[drive].law.parameters["value"].value == pytest.approx(2 * math.pi)


def test_rows_of_a_table_come_and_go():
    project, drive = driven()
    project = laws.set_type(project, drive, ("law",), "table", "angular_velocity", 2.0)
    longer = laws.add_row(project, drive, ("law",), 0)
    places = [s.value for s, _ in longer.mechanism.drives[drive].law.points]
    assert places == [0.0, 0.5, 1.0, 2.0]
    assert [
        s.value
        for s, _ in laws.add_row(project, drive, ("law",), 2).mechanism.drives[drive].law.points
    ][-1] == 3.0
    shorter = laws.remove_row(project, drive, ("law",), 1)
    assert len(shorter.mechanism.drives[drive].law.points) == 2
    with pytest.raises(ExpressionError, match="at least two points"):
        laws.remove_row(shorter, drive, ("law",), 0)


def test_a_driven_joint_is_not_driven_twice():
    project, _ = driven()
    with pytest.raises(ExpressionError, match="is driven by drive 1 already"):
        insertion.add_drive(project, "joint_1")


@pytest.mark.parametrize("side", [0.02, 0.2, 20.0])
def test_a_new_spring_and_damper_suit_what_hangs_on_them(side):
    """Whatever its size, the mass sinks by about a tenth of the spring, and swings some times
    before it rests.
    """
    size = Quantity(side)
    box, shape = "box", Shape("box", {"length": size, "depth": size, "height": size})
    project = Project(Mechanism({box: Body(box, "box", (shape,))}))
    mass = mass_properties(project.mechanism.body(box)).mass
    project, spring = insertion.add_point_force(
        project, "spring", (GROUND, (0, 0, 3 * side)), (box, (0, 0, side))
    )
    project, damper = insertion.add_point_force(
        project, "damper", (box, (0, 0, side)), (GROUND, (0, 0, 3 * side))
    )
    k, d = (
        next(iter(project.mechanism.forces[id].parameters.values())).value
        for id in (spring, damper)
    )
    assert 0.05 < mass * 9.81 / k / (2 * side) < 0.2
    assert 0.05 < d / (2 * (k * mass) ** 0.5) < 0.2


# samples with each type of joint between them that has coordinates
WITH_COORDINATES = (
    *("balanced_crank", "rolling_disc", "elastic_pendulum", "double_wishbone", "heavy_top"),
    *("gimbal_lock", "folding_chair", "snakeboard", "robot_vacuum", "screw_jack"),
    *("universal_joint_pair", "hyperstatic_cure"),
)


@pytest.mark.parametrize("name", WITH_COORDINATES)
def test_stops_stand_about_each_drawn_coordinate(name):
    """As the engine reads it off the drawing, to the degree of an angle; none twice."""
    project = ms.load(sample_folder() / f"{name}.mech")
    read = dict(zip(project.mechanism.joints, ms.check(project).coordinates, strict=True))
    for id, joint in project.mechanism.joints.items():
        bare = msgspec.structs.replace(joint, limits=())
        m = msgspec.structs.replace(
            project.mechanism, joints={**project.mechanism.joints, id: bare}
        )
        without = msgspec.structs.replace(project, mechanism=m)
        for k, kind in enumerate(JOINT_TYPES[joint.type].coordinates):
            made = insertion.add_limit(without, id, k)
            (limit,) = made.mechanism.joints[id].limits
            low, high = limit.lower.value, limit.upper.value
            assert limit.coordinate == k and low < high
            if kind.dimension == "angle":
                assert high - low == pytest.approx(math.radians(120))
                off = math.remainder((low + high) / 2 - read[id][k], math.tau)
                assert abs(off) <= math.radians(0.5) + 1e-9
            elif joint.curve is None:
                assert (low + high) / 2 == pytest.approx(read[id][k], abs=1e-9)
            with pytest.raises(ExpressionError, match="has stops already"):
                insertion.add_limit(made, id, k)
            assert insertion.remove_limit(made, id, k) == without


def test_the_samples_have_each_type_of_joint_with_coordinates():
    found = {
        j.type
        for name in WITH_COORDINATES
        for j in ms.load(sample_folder() / f"{name}.mech").mechanism.joints.values()
    }
    known = {type for type, row in JOINT_TYPES.items() if row.coordinates and not row.curve}
    assert known - found == {"constant_velocity", "distance", "point_on_ellipse"}


@pytest.mark.parametrize("type", ["spherical", "point_on_line", "point_on_plane", "free"])
def test_stops_of_balls_stand_about_angles_in_the_axes_of_the_first_frame(type):
    m = ms.Builder("ball")
    body = m.body("b", (0.1, 0.2, 0.3)).sphere(0.1)
    turned = m.ground.frame(at=(0.1, 0.2, 0.3), angles=("50 deg", "20 deg", "-30 deg"))
    joint = m.joint(type, "J", turned, body.frame(angles=("10 deg", "-40 deg", "25 deg")))
    project = m.project()
    (read,) = ms.check(project).coordinates
    for k, kind in enumerate(JOINT_TYPES[type].coordinates):
        (limit,) = insertion.add_limit(project, joint.id, k).mechanism.joints[joint.id].limits
        middle = (limit.lower.value + limit.upper.value) / 2
        room = math.radians(0.5) if kind.dimension == "angle" else 1e-9
        assert middle == pytest.approx(read[k], abs=room)


@pytest.mark.parametrize(("typed", "turns"), [(None, 0), (0.4, 0), (-9.0, -2), (7.0, 1)])
def test_a_typed_angle_chooses_the_turn_of_the_drawn_one(typed, turns):
    project, (id,) = discs((0.0, 0.0, 0.1))
    m = project.mechanism
    joint, body = m.joints[id], m.bodies["disc_0"]
    axis = rotate(m.frame_in_world(joint.frame_a)[1], (0.0, 0.0, 1.0))
    turned = to_angles(multiply(about(axis, 0.5), body.placement.quaternion))
    body = msgspec.structs.replace(body, placement=Placement(vector(0, 0, 0), vector(*turned)))
    m = msgspec.structs.replace(m, bodies={"disc_0": body})
    values = () if typed is None else (Quantity(typed),)
    joint = msgspec.structs.replace(joint, values=values)
    found = insertion.drawn_coordinate(m, joint, 0)
    assert found == pytest.approx(0.5 + 2 * math.pi * turns)


@pytest.mark.parametrize("lean", [0.0, 30.0, -60.0])
def test_a_leaning_disc_rolls_on_its_lowest_point(lean):
    """At its radius times the cosine of its lean below the centre; a floor with z up."""
    upright = from_axes((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))
    turned = multiply(about((1.0, 0.0, 0.0), math.radians(lean)), upright)
    shape = Shape("disc", {"radius": Quantity(0.2), "thickness": Quantity(0.02)})
    placement = Placement(vector(1.0, 2.0, 0.5), vector(*to_angles(turned)))
    mechanism = Mechanism({"d": Body("d", "disc", (shape,), placement)})
    foot, (floor, own) = links._on_floor(mechanism, FRONT, "d", (1.0, 2.0, 0.5), None)
    assert foot == pytest.approx((1.0, 2.0, 0.5 - 0.2 * math.cos(math.radians(lean))))
    axis = (0.0, -math.cos(math.radians(lean)), -math.sin(math.radians(lean)))
    assert rotate(floor, (0, 0, 1)) == pytest.approx((0, 0, 1))
    assert rotate(own, (0, 0, 1)) == pytest.approx(axis)
    for attitude in (floor, own):
        assert rotate(attitude, (1, 0, 0)) == pytest.approx((-1.0, 0.0, 0.0))
