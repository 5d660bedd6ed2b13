"""The spanning tree: short chains, loops closed far from ground, loaded joints in the tree,
everything reached exactly once.
"""

import msgspec
import pytest

from mechstudio.model.mechanism import GROUND, Force
from mechstudio.model.quantity import Quantity
from mechstudio.model.tree import spanning_tree
from tests import mechanisms


@pytest.mark.parametrize(
    "name, closing",
    [
        ("four_bar", ("C",)),
        ("slider_crank", ("C",)),
        ("door", ("upper",)),
        ("double_pendulum", ()),
        ("cart_pole", ()),
    ],
)
def test_known_closing_joints(name, closing):
    assert spanning_tree(getattr(mechanisms, name)()).closing == closing


@pytest.mark.parametrize(
    "make",
    [
        mechanisms.andrews,
        mechanisms.stewart,
        mechanisms.parallelogram_five_bars,
        lambda: mechanisms.four_bars(5),
        lambda: mechanisms.chain(7),
        lambda: mechanisms.single_joint("distance"),
        lambda: mechanisms.single_joint("spherical"),
    ],
)
def test_every_body_hangs_once_and_parents_come_first(make):
    m = make()
    tree = spanning_tree(m)
    reached = {GROUND}
    for b in tree.branches:
        assert b.parent in reached and b.body not in reached
        reached.add(b.body)
        if b.joint:
            joint = m.joints[b.joint]
            ends = (
                (joint.frame_b.body, joint.frame_a.body)
                if b.reversed
                else (joint.frame_a.body, joint.frame_b.body)
            )
            assert ends == (b.parent, b.body)
    assert reached == {GROUND, *m.bodies}
    assert sorted((*tree.joints, *tree.closing)) == sorted(m.joints)


def test_a_rod_never_carries_a_body():
    tree = spanning_tree(mechanisms.single_joint("distance"))
    assert tree.closing == ("joint",) and all(
        b.joint == "" and b.parent == GROUND for b in tree.branches
    )


@pytest.mark.parametrize("joint", ["A", "B", "C", "D"])
def test_a_loaded_joint_carries(joint):
    m = mechanisms.four_bar()
    motor = Force("motor", "motor", "motor_torque", {"torque": Quantity(1.0)}, joint=joint)
    tree = spanning_tree(msgspec.structs.replace(m, forces={"motor": motor}))
    assert joint not in tree.closing and len(tree.closing) == 1
