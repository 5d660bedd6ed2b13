"""Chapters beside the methods: transforms, torsors, equilibria; each true in numbers and red where
it should be.
"""

import math

import numpy as np
import pytest

from mechstudio.files import project_file
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.symbolic import derive
from mechstudio.symbolic.lecture.equilibria import equilibria
from mechstudio.symbolic.lecture.kinematics import _matrix, motion_subspace
from mechstudio.symbolic.methods.projected import Projected
from mechstudio.symbolic.methods.sampling import Values
from mechstudio.symbolic.plan.layout import Cursor
from mechstudio.symbolic.printers import text
from tests.symbolic.newton import bodies, random_state
from tests.symbolic.samples import SAMPLES, with_curves

SHORT = [p for p in SAMPLES if p.stem not in ("stewart_platform", "six_axis_arm", "robot_vacuum")]


def derived(name, coordinates="joint"):
    return with_curves(
        derive(
            project_file.load(next(p for p in SAMPLES if p.stem == name)).project,
            coordinates=coordinates,
        )
    )


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
@pytest.mark.thinned(3)
def test_motion_subspaces_are_relative_twists(path):
    """S x' against bodies moved by an independent recursion in world axes; S has as many columns as
    the joint has freedoms.
    """
    d = with_curves(derive(project_file.load(path).project))
    if path.stem in ("robot_vacuum", "stewart_platform"):
        q, v = np.full(len(d.plan.coordinates), 0.3), np.linspace(-1, 1, len(d.plan.coordinates))
    else:
        q, v = random_state(
            d, np.random.default_rng(1), 0.2 if path.stem != "andrews_squeezer" else 0.01
        )
    mechanism, values = d.plan.mechanism, Values(d, q, v)
    moving = bodies(mechanism, q, v, 0 * v)
    from tests.symbolic.newton import body_frame

    for branch in d.plan.tree.branches:
        if not branch.joint:
            continue
        joint = mechanism.joints[branch.joint]
        dof = JOINT_TYPES[joint.type].dof
        if not dof:
            continue
        S, _ = motion_subspace(d, branch)
        inner, outer = (
            (joint.frame_b, joint.frame_a) if branch.reversed else (joint.frame_a, joint.frame_b)
        )
        a, b = (moving[f.body].fixed(*body_frame(mechanism, f)) for f in (inner, outer))
        rates = [v[k] for k, c in enumerate(d.plan.coordinates) if c.joint == joint.id]
        relative = np.concatenate(
            (a.R.T @ (b.w - a.w), a.R.T @ (b.v - a.v - np.cross(a.w, b.p - a.p)))
        )
        assert values.matrix(S) @ rates == pytest.approx(relative, abs=1e-11), joint.name


@pytest.mark.parametrize(
    "name", ["heavy_top", "six_axis_arm", "gimbal_lock", "rolling_disc", "slider_crank"]
)
def test_transforms_multiply_to_the_pose(name):
    """T_01 T_12 … against T_0n, both from the drawing's own numbers at a random pose."""
    d = derived(name)
    q = np.random.default_rng(2).uniform(0.2, 0.8, len(d.plan.coordinates))
    values, at = Values(d, q), {"ground": None}
    for branch in d.plan.tree.branches:
        own = values.matrix(_matrix(d, d.plan.cursors[branch.parent], d.plan.cursors[branch.body]))
        before = at[branch.parent]
        at[branch.body] = (
            values.matrix(_matrix(d, Cursor(), d.plan.cursors[branch.parent]))
            if before is None
            else before
        ) @ own
        assert at[branch.body] == pytest.approx(
            values.matrix(_matrix(d, Cursor(), d.plan.cursors[branch.body])), abs=1e-12
        )
        R = at[branch.body][:3, :3]
        assert pytest.approx(np.eye(3), abs=1e-12) == R.T @ R and np.linalg.det(R) == pytest.approx(
            1
        )


def test_gimbal_lock_is_spelled_out():
    chapter = derived("heavy_top").chapter("kinematics")
    step = chapter.step("angles:" + derived("heavy_top").plan.tree.branches[0].joint)
    assert text.entry(step.equations[0].right) == "−cos θ" and any(
        "gimbal lock" in s for s in step.sentences
    )
    R, G = chapter.step("quaternion").blocks
    e = np.array([0.1, -0.7, 0.3, 0.2])
    e = e / np.linalg.norm(e)
    from tests.symbolic.lecture.test_lectures import number

    values = {
        f.name: x
        for row, places in zip(G.rows[0], (1, 0, 3, 2))
        for t in row.terms
        for f, x in ((t.factors[0], e[places]),)
    }
    found = np.array([[number(c, values) for c in row] for row in R.rows])
    from mechstudio.model.geometry.rotation import matrix

    assert found == pytest.approx(np.array(matrix(tuple(e))))
    L = np.array([[number(c, values) for c in row] for row in G.rows])
    assert pytest.approx(np.eye(3)) == L @ L.T and L @ e == pytest.approx(np.zeros(3))


@pytest.mark.parametrize("path", SHORT, ids=lambda p: p.stem)
@pytest.mark.thinned(3)
def test_comoments_and_virtual_power_close(path):
    d = with_curves(derive(project_file.load(path).project, coordinates="auto"))
    chapter = d.chapter("torsors")
    kinetic = [s for s in chapter.steps if s.kind == "kinetic"]
    power = [s for s in chapter.steps if s.key.startswith("power:")]
    assert len(kinetic) == len(d.plan.mechanism.bodies) and len(power) == len(d.plan.coordinates)
    assert all(" is exactly twice the kinetic energy" in s.sentences[1] for s in kinetic)
    assert all(s.sentences[0].endswith(", exactly.") for s in power)


def test_a_fault_opens_the_balance_of_virtual_power(monkeypatch):
    monkeypatch.setattr(Projected, "gyroscopic", lambda self, theta, omega: [self.ring.zero] * 3)
    chapter = derived("heavy_top").chapter("torsors")
    assert any("they differ" in s.sentences[0] for s in chapter.steps if s.key.startswith("power:"))


def test_one_body_s_torsors_at_one_of_its_points():
    d = derived("four_bar")
    body = next(iter(d.plan.mechanism.bodies))
    chapter = d.chapter("torsors", body=body, point="end")
    assert {
        s.sources[0]
        for s in chapter.steps
        if s.kind in ("kinetic", "kinematic", "dynamic", "action")
    } == {body}
    with pytest.raises(KeyError):
        d.chapter("torsors", body="nobody")


# equilibria


def test_the_cart_pole_s_stability_in_symbols():
    """THEORY 5: with springs theta = 0 is stable; the characteristic polynomial's s^0 coefficient
    is k_x (m_p g L + k_theta).
    """
    d = derived("cart_pole")
    chapter = d.chapter("equilibria")
    step = chapter.step("equilibrium:0")
    assert any(s.startswith("Stable") for s in step.sentences)
    assert text.entry(step.equations[0].left).endswith("+ m_p k_x g L + k_x k_θ")


def test_the_double_pendulum_s_four_equilibria():
    found = equilibria(derived("double_pendulum"))
    assert len(found) == 4
    stable = [f for f in found if f.verdict.startswith("Stable")]
    assert len(stable) == 1 and np.degrees(stable[0].q) == pytest.approx([-90, 0], abs=1e-5)
    for f in found:
        assert np.polyval(f.polynomial, f.eigenvalues) == pytest.approx(
            np.zeros(4), abs=1e-6 * np.abs(f.polynomial).max()
        )


def test_equilibria_of_loops_balance_and_flip():
    """A four-bar hangs in one pose of each assembly and stands in others; each fulfils g = C_q^T
    lambda.
    """
    d = derived("four_bar", "auto")
    found = equilibria(d)
    assert {f.verdict.split(":")[0] for f in found} == {"Stable", "Unstable"}
    for f in found:
        _, _, g, C, C_q, _ = d.function()(f.q, 0 * f.q)
        free = np.linalg.svd(C_q)[2][2:]
        assert np.abs(free @ g).max() < 1e-8 * np.abs(g).max() and np.abs(C).max() < 1e-9


def test_equilibria_of_one_family_are_listed_once():
    """A top hangs and stands, turned as you like about the vertical, where its angles are singular;
    a disc lies nowhere and stands upright anywhere.
    """
    found = equilibria(derived("heavy_top"))
    assert sorted(round(math.degrees(f.q[1])) for f in found) == [-90, 90]
    assert all(f.along == {0, 2} and f.hidden == 1 and len(f.eigenvalues) == 4 for f in found)
    steps = [s for s in derived("heavy_top").chapter("equilibria").steps if s.kind == "equilibrium"]
    assert all(
        "as ψ and φ change" in s.sentences[1]
        and any("singular" in x for x in s.sentences)
        and not s.equations
        for s in steps
    )
    disc = equilibria(derived("rolling_disc"))
    assert len(disc) == 2 and all(f.along == {0, 1, 2, 4} and f.hidden == 0 for f in disc)
    assert all(not f.along for f in equilibria(derived("double_pendulum")))


def test_chapter_on_equilibria_is_refused_for_driven_mechanisms():
    assert "drive" in derived("cam_profile").chapter("equilibria").refusal


@pytest.mark.parametrize(
    "name",
    [
        "knife_edge_sleigh",
        "rolling_disc",
        "heavy_top",
        "bead_on_circle",
        "differential",
        "universal_joint_pair",
        "gimbal_lock",
        "screw_jack",
    ],
)
def test_every_short_sample_has_a_chapter_of_equilibria(name):
    chapter = derived(name).chapter("equilibria")
    assert chapter.refusal or any(s.kind == "equilibrium" for s in chapter.steps)


@pytest.mark.parametrize("name", ["heavy_top", "spherical_pendulum"])
def test_the_subspace_of_a_ball_is_every_angular_velocity(name):
    """(I; 0) of THEORY 3, and beside it the columns per rate of the angles, S' = S E, whose
    determinant is cos θ.
    """
    d = derived(name)
    (branch,) = [b for b in d.plan.tree.branches if b.joint]
    joint = d.plan.mechanism.joints[branch.joint]
    step = next(s for s in d.chapter("kinematics").steps if s.key == f"subspaces:{joint.id}")
    free, _rates = step.blocks
    numbers = [
        [None if not c.terms else [(t.numerator, t.factors) for t in c.terms] for c in row]
        for row in free.rows
    ]
    assert numbers == [[[(1, ())] if i == k else None for k in range(3)] for i in range(6)]
    by_rates, _ = motion_subspace(d, branch)
    for q in np.random.default_rng(3).uniform(-1.2, 1.2, (4, 3)):
        E = Values(d, q).matrix(by_rates)
        assert abs(np.linalg.det(E[:3])) == pytest.approx(abs(math.cos(q[1]))) and not E[3:].any()
    at_pole = Values(d, np.array([0.3, math.pi / 2, 0.1])).matrix(by_rates)
    assert np.linalg.matrix_rank(at_pole, tol=1e-9) == 2 and "θ = ±90°" in " ".join(step.sentences)
