"""Assembling on request: what is reported of drawings that close and of those that cannot."""

import math

import msgspec
import numpy as np
import pytest

from mechstudio.engine.constraints.attitude import displaced, drawn_poses
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.manifold.assembly import joint_errors
from mechstudio.engine.manifold.diagnosis import close_drawing
from mechstudio.model.edits import elements
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.results.assembly import reported
from tests import mechanisms


def chain(*lengths, base, spread=0.0):
    """Links pinned to each other between the world's origin and (base, 0, 0), drawn apart in a row;
    lengths and base in m.
    """
    b = mechanisms.Builder()
    at, ends = 0.0, []
    for k, length in enumerate(lengths):
        b.link(f"link {k}", (at, 0.0, spread * k), (at + length, 0.0, spread * k))
        ends.append(((at, 0.0, spread * k), (at + length, 0.0, spread * k)))
        at += length + 0.05
    b.joint("P0", "ground", "link 0", (0, 0, 0), at_b=ends[0][0])
    for k in range(len(lengths) - 1):
        b.joint(f"P{k + 1}", f"link {k}", f"link {k + 1}", ends[k][1], at_b=ends[k + 1][0])
    b.joint("end", "ground", f"link {len(lengths) - 1}", (base, 0, 0), at_b=ends[-1][1])
    return b.mechanism


@pytest.mark.parametrize("missing", [0.014, 0.2])
def test_a_chain_that_is_too_short_lacks_what_it_lacks(missing):
    mechanism = chain(0.3, 0.2, 0.4, base=0.9 + missing, spread=0.01)
    found = close_drawing(mechanism)
    assert not found.closed and found.alone and len(found.gaps) == 2
    for gap in found.gaps:
        assert gap.distance == pytest.approx(missing, rel=1e-3) and gap.tilt < 1e-6
    text = reported(found, mechanism)
    assert f"are {1000 * missing:g} mm apart at best" in text and "the pins of link" in text
    # the shown pose is the one that is reported: every other joint holds there
    errors = joint_errors(JointRows(mechanism), np.array(found.poses))
    assert np.sort(errors)[-2] < 2e-3 * missing and errors.max() == pytest.approx(missing, rel=1e-3)


def test_two_short_loops_are_named_with_their_shares():
    a, b = chain(0.3, 0.2, base=0.6), chain(0.3, 0.2, base=0.7)
    other = {f"z{id}": _renamed(x, f"z{id}") for id, x in b.bodies.items()}
    joints = {f"z{id}": _renamed(j, f"z{id}") for id, j in b.joints.items()}
    mechanism = msgspec.structs.replace(a, bodies=a.bodies | other, joints=a.joints | joints)
    found = close_drawing(mechanism)
    assert not found.closed and not found.alone
    assert found.gaps[0].distance == pytest.approx(0.2 / 3, rel=1e-2)
    assert " at best, and the pins of " in reported(found, mechanism)


def _renamed(element, id):
    changes = {"id": id, "name": id}
    for frame in ("frame_a", "frame_b"):
        f = getattr(element, frame, None)
        if f is not None and f.body != "ground":
            changes[frame] = msgspec.structs.replace(f, body=f"z{f.body}")
    return msgspec.structs.replace(element, **changes)


def test_a_rough_drawing_is_reported_and_placed_closed():
    mechanism = mechanisms.four_bar()
    drawn = displaced(
        drawn_poses(mechanism),
        0.02 * np.random.default_rng(2).standard_normal((3, 6)) * (1, 0, 1, 0, 1, 0),
    )
    project = elements.place(
        Project(mechanism), dict(zip(mechanism.bodies, drawn, strict=True)), {}
    )
    rows = JointRows(project.mechanism)
    steps = []
    found = close_drawing(project.mechanism, step=lambda: steps.append(0))
    worst = rows.joints[int(np.argmax(joint_errors(rows, drawn)))]
    assert (
        found.closed
        and steps
        and found.gaps[0].joint == worst
        and found.before == pytest.approx(joint_errors(rows, drawn).max())
    )
    text = reported(found, project.mechanism)
    assert (
        text.startswith("The largest joint gap was ")
        and f" at {worst}, closed to " in text
        and text.endswith(f" at most ({found.farthest}).")
    )
    # placing rounds nothing away: a second request has nothing to do
    placed = elements.assembled(project, found)
    again = close_drawing(placed.mechanism)
    assert again.closed and again.moved == 0.0 and elements.assembled(placed, again) is placed
    assert reported(again, placed.mechanism) == "The drawing is closed as it is: every joint holds."


def test_closing_moves_no_kept_body_and_keeps_typed_coordinates():
    mechanism = mechanisms.four_bar()
    drawn = displaced(
        drawn_poses(mechanism),
        0.02 * np.random.default_rng(4).standard_normal((3, 6)) * (1, 0, 1, 0, 1, 0),
    )
    project = elements.place(
        Project(mechanism), dict(zip(mechanism.bodies, drawn, strict=True)), {}
    )
    rocker = list(mechanism.bodies)[-1]
    found = close_drawing(project.mechanism, keep={rocker})
    # its pin on the ground is open as drawn: with the rocker in place it stays so
    assert not found.closed
    crank = next(iter(mechanism.bodies))
    closed = elements.assembled(project, close_drawing(project.mechanism))
    again = elements.place(closed, {crank: np.add(drawn_poses(closed.mechanism)[0], 0)}, {})
    assert again.mechanism.bodies[crank] == closed.mechanism.bodies[crank]


def test_turns_of_typed_joints_are_kept():
    mechanism = mechanisms.chain(2)
    joint = next(iter(mechanism.joints))
    typed = mechanisms.with_joint(mechanism, joint, values=(Quantity(4 * math.pi),))
    poses = displaced(
        drawn_poses(typed), np.array([[0.02, 0, 0.01, 0, 0.1, 0]] * len(typed.bodies))
    )
    project = elements.place(Project(typed), dict(zip(typed.bodies, poses, strict=True)), {})
    found = close_drawing(project.mechanism)
    assert (
        found.closed
        and set(found.values) == {joint}
        and abs(found.values[joint][0] - 4 * math.pi) < 0.5
    )
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(found), type=type(found)) == found


def test_unreadable_drawing_gives_a_finding_and_an_empty_one_is_closed():
    mechanism = mechanisms.four_bar()
    broken = msgspec.structs.replace(
        mechanism, bodies={k: b for k, b in mechanism.bodies.items() if k != "crank"}
    )
    found = close_drawing(broken)
    assert not found.closed and found.finding is not None and "crank" in reported(found, broken)
    assert close_drawing(Project().mechanism).closed


def test_a_cancelled_search_ends():
    class Enough(Exception):
        pass

    def step():
        raise Enough

    with pytest.raises(Enough):
        close_drawing(chain(0.3, 0.2, base=0.8), step=step)
