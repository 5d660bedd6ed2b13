"""The mirror image of a mechanism moves as the mirror image of its motion, with coordinates that
keep or change their signs as the rules say.
"""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run
from mechstudio.engine.system.system import compile_system
from mechstudio.files.project_file import load
from mechstudio.model.edits.patterns.mirror import MirrorPlane, mirrored
from mechstudio.model.mechanism import Force, Frame, Law
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, values, vector
from mechstudio.model.types.joints import JOINT_TYPES, JointType
from tests.engine.joints.test_any_mechanism import mechanism

SAMPLES = sorted((Path(__file__).parents[3] / "samples").glob("*.mech"))
ASKEW = MirrorPlane((0.1, -0.2, 0.05), tuple((np.array([1.0, 2.0, 3.0]) / np.sqrt(14.0)).tolist()))
SIDE = MirrorPlane((0.3, 0.0, 0.0), (1.0, 0.0, 0.0))


def motion(m, duration, step):
    system = compile_system(m)
    return system.layout, np.concatenate(
        list(run(system, RunOptions(duration, step, tolerance=1e-10)))
    )


def mirror_world(project, mirror_plane):
    """The whole drawing in the mirror, gravity too."""
    m = project.mechanism
    after = mirrored(project, [*m.bodies, *m.joints, *m.forces], mirror_plane)
    return msgspec.structs.replace(
        after.mechanism, gravity=vector(*mirror_plane.way(values(m.gravity)))
    )


def check(project, mirror_plane, duration=0.3, within=1.0):
    m, image = project.mechanism, mirror_world(project, mirror_plane)
    (layout, rows), (_, other) = (
        motion(m, duration, duration / 6),
        motion(image, duration, duration / 6),
    )
    n = min(len(rows), len(other))
    assert n > 1
    rows, other = rows[:n], other[:n]
    size = m.size()
    for id in m.bodies:
        p = rows[:, layout.pose(id)][:, :3]
        q = np.array([mirror_plane.place(tuple(x)) for x in p])
        assert np.abs(q - other[:, layout.pose(id)][:, :3]).max() < 1e-7 * within * size, id
    for id, joint in m.joints.items():
        signs = np.array(JOINT_TYPES[joint.type].signs)
        a, b = rows[:, layout.joint(id)] * signs, other[:, layout.joint(id)]
        periods = np.array(
            [c.dimension == "angle" for c in JOINT_TYPES[joint.type].coordinates], bool
        )
        gap = a - b
        gap[:, periods] -= 2 * np.pi * np.round(gap[:, periods] / (2 * np.pi))
        if joint.curve is not None and joint.curve.closed:
            gap[:, 0] -= gap[0, 0]  # at the seam either end of the way may be read
        assert np.abs(gap).max(initial=0.0) < 1e-6 * within * max(size, 1.0), (id, joint.type)
    return float(np.ptp(rows[:, layout.coordinates], axis=0).max(initial=0.0))


def test_every_joint_type_has_a_rule_with_a_sign_for_each_coordinate():
    for kind in JOINT_TYPES.values():
        x, y, z = kind.mirror
        assert len(kind.signs) == kind.dof and x * y * z == -1
    expected = {
        "cylindrical": (-1, 1),
        "constant_velocity": (1, 1),
        "point_on_curve": (1, 1, 1, 1),
        "flat_follower": (-1, -1, 1, -1),
        "distance": (-1, 1, -1, 1, -1),
        "rolling_disc": (-1, 1, -1, 1, -1),
        "rolling_wheel": (-1, 1, -1, -1),
        "knife_edge": (1, -1, -1),
        "free": (-1, -1, -1, 1, 1, 1),
    }
    assert {type: JOINT_TYPES[type].signs for type in expected} == expected


@pytest.mark.parametrize("block", range(2))
def test_random_mechanisms_of_all_joint_types(block):
    largest = 0.0
    for seed in range(7 * block, 7 * block + 7):
        drawn = mechanism(seed)
        types = {j.type for j in drawn.joints.values()}
        duration = 0.1 if "rolling_disc" in types else 0.3
        if len(compile_system(drawn).tree.ends) > 1:
            continue  # too badly conditioned to be compared
        moved = check(
            Project(drawn),
            ASKEW if seed % 2 else SIDE,
            duration,
            1000.0 if types & {"point_on_curve", "flat_follower"} else 10.0,
        )
        largest = max(largest, moved)
    assert largest > 1e-3, "they move"


# bodies that touch come apart at instants that a last digit decides: such runs agree to their
# tolerance for a while only
@pytest.mark.parametrize(
    "path",
    [
        p
        for p in SAMPLES
        if p.stem not in ("six_axis_arm", "stewart_platform")
        and not load(p).project.mechanism.contacts.enabled
    ],
    ids=lambda p: p.stem,
)
def test_samples_with_their_drives_springs_stops_and_laws(path):
    assert (
        check(load(path).project, SIDE, 0.1, 100.0) > 0.0 or path.stem == "parallelogram_five_bars"
    ), "it moves"


def test_loads_with_laws_of_place_and_bushings():
    """A load whose law names place, velocity and a joint, on a body of the slider-crank; a coupled
    bushing beside it.
    """
    project = load(next(p for p in SAMPLES if p.stem == "slider_crank")).project
    m = project.mechanism
    body = list(m.bodies)[-1]
    joint = next(j for j in m.joints.values() if j.type == "revolute")
    zero = {k: Quantity(0.0) for k in "xyz"}
    text = f"3 N + 2 N/m*x - 1 N*s/m*vx + 1 N*sin(q_{joint.name})"
    load_ = Force(
        "load",
        "load",
        "force",
        zero,
        frame_b=Frame(body),
        laws={"x": Law("expression", {}, (), text), "z": Law("expression", {}, (), "1 N*s/m*vx")},
    )
    kept = {
        "k_x_x": Quantity(50.0),
        "k_rx_rx": Quantity(1.0),
        "k_rx_x": Quantity(2.0),
        "k_rz_y": Quantity(-1.5),
    }
    bushing = Force(
        "bushing",
        "bushing",
        "bushing",
        kept,
        frame_a=Frame("ground"),
        frame_b=Frame(next(iter(m.bodies))),
    )
    for forces in ({"load": load_}, {"bushing": bushing}):
        check(
            msgspec.structs.replace(
                project,
                mechanism=msgspec.structs.replace(m, forces={**m.forces, **forces}, drives={}),
            ),
            SIDE,
        )


def test_a_door_whose_hinges_point_down_keeps_its_speed():
    """The second hinge says what the first one says, but for rounding: in the mirror its axis is
    turned by 180 degrees.
    """
    project = load(next(p for p in SAMPLES if p.stem == "door_two_hinges")).project
    assert check(project, SIDE, 0.05) > 0.05


def test_the_check_is_red_for_a_wrong_sign(monkeypatch):
    project = load(next(p for p in SAMPLES if p.stem == "four_bar")).project
    signs = JointType.signs.fget
    monkeypatch.setattr(JointType, "signs", property(lambda kind: tuple(-s for s in signs(kind))))
    with pytest.raises(AssertionError):
        check(project, SIDE)
