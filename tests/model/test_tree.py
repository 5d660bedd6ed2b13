"""The spanning tree: short chains, loops closed far from ground, loaded joints in the tree,
everything reached exactly once.
"""

import msgspec
import pytest

from mechstudio.application.resources import sample_folder
from mechstudio.engine.system.system import compile_system
from mechstudio.files.project_file import load
from mechstudio.model.mechanism import GROUND, Force
from mechstudio.model.quantity import Quantity
from mechstudio.model.tree import equation_tree, spanning_tree
from mechstudio.model.types.joints import JOINT_TYPES
from tests import mechanisms


@pytest.mark.parametrize(
    ("name", "closing"),
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
def test_a_loaded_joint_carries_in_the_equations_alone(joint):
    m = mechanisms.four_bar()
    motor = Force("motor", "motor", "motor_torque", {"torque": Quantity(1.0)}, joint=joint)
    loaded = msgspec.structs.replace(m, forces={"motor": motor})
    tree = equation_tree(loaded)
    assert joint not in tree.closing and len(tree.closing) == 1
    assert spanning_tree(loaded) == spanning_tree(m)


def test_an_excluded_joint_closes():
    m = mechanisms.four_bar()
    assert spanning_tree(m).closing == ("C",)
    assert spanning_tree(m, excluded=["B"]).closing == ("B",)
    free = spanning_tree(m, excluded=m.joints)
    assert free.closing == tuple(m.joints) and not free.joints


@pytest.mark.parametrize("path", sorted(sample_folder().glob("*.mech")), ids=lambda p: p.stem)
def test_the_solver_stands_on_the_same_tree(path):
    """Every body hangs on the node of the joint that carries it."""
    m = load(path).project.mechanism
    tree, nodes = spanning_tree(m), compile_system(m).tree
    assert tuple(nodes.closing) == tree.closing
    for branch in tree.branches:
        if not branch.joint or JOINT_TYPES[m.joints[branch.joint].type].dof:
            node = nodes.place[branch.body][0]
            assert nodes.nodes[node].joint == branch.joint
