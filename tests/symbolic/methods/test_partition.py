"""Independent coordinates: exact null vectors, dead centres, refusals with a better choice, and the
embedded equation in numbers.
"""

import numpy as np
import pytest

from mechstudio.files import project_file
from mechstudio.symbolic import DerivationError, derive
from mechstudio.symbolic.methods.partition import closed_state, partition
from mechstudio.symbolic.printers import text
from tests.symbolic.lecture.test_lectures import number
from tests.symbolic.samples import SAMPLES, with_curves

LOOPS = [
    "four_bar",
    "slider_crank",
    "parallelogram_five_bars",
    "rolling_disc",
    "knife_edge_sleigh",
    "gear_train",
    "screw_jack",
    "cam_profile",
]


def derived(name, coordinates="auto"):
    return with_curves(
        derive(
            project_file.load(next(p for p in SAMPLES if p.stem == name)).project,
            coordinates=coordinates,
        )
    )


def test_the_four_bar_s_null_vector_shows_its_dead_centre():
    """THEORY: C_q N = 0, and the crank's dead centre is where coupler and rocker lie in one
    line.
    """
    d = derived("four_bar")
    p = partition(d, ["theta_crank"])
    N, det = p.null_vectors()
    for row in d.rows:
        assert not d.ring.reduce(
            sum((a * N[k][0] for k, a in enumerate(row.jacobian)), d.ring.zero)
        )
    shown = [text.entry(d.presenter.entry(row[0])) for row in N]
    assert shown == [
        "−L_3 L_2 sin(θ_rocker − θ_coupler)",
        "L_1 L_3 sin(θ_rocker − θ_crank)",
        "L_1 L_2 sin(θ_coupler − θ_crank)",
    ]
    assert text.entry(d.presenter.entry(det)) == shown[0]
    dead = np.array([0.3, 0.9, 0.9 + np.pi])
    with pytest.raises(DerivationError, match="dead centre"):
        p.matrices(dead)
    p.matrices(dead + [0, 0.01, 0])


@pytest.mark.parametrize("name", LOOPS)
def test_the_null_vectors_fulfil_all_rows_that_are_independent(name):
    d = derived(name)
    p = partition(d)
    found = p.null_vectors()
    if found is None:
        assert len(p.rows) > 4
        return
    N, det = found
    assert det
    for i in p.rows:
        for column in range(len(p.independent)):
            assert not d.ring.reduce(
                sum((a * N[k][column] for k, a in enumerate(d.rows[i].jacobian)), d.ring.zero)
            )
    B, _ = p.matrices(p.pose)
    from mechstudio.symbolic.methods.sampling import Values

    values = Values(d, p.pose)
    assert (
        values.matrix(N) / values.of(det) == pytest.approx(B, abs=1e-9) if p.independent else True
    )


@pytest.mark.parametrize("name", LOOPS + ["andrews_squeezer", "universal_joint_pair"])
def test_the_embedded_equation_gives_the_augmented_system_s_accelerations(name):
    d = derived(name)
    p = partition(d)
    q = closed_state(d)
    rng = np.random.default_rng(2)
    B, _ = p.matrices(q)
    v = B @ rng.uniform(-1, 1, len(p.independent)) if p.independent else np.zeros(len(q))
    at = p.at(q, v)
    a = at["B"] @ np.linalg.solve(at["M"], at["Q"]) + at["c"] if p.independent else at["c"]
    M, b, g, _, C_q, gamma = d.function()(q, v, 0.0, d.values)
    m = len(gamma)
    K = np.block([[M, -C_q.T], [C_q, np.zeros((m, m))]])
    expected = np.linalg.lstsq(
        K, np.concatenate((d.forces_function()(q, v) - b - g, gamma)), rcond=1e-11
    )[0][: len(q)]
    assert a == pytest.approx(expected, abs=1e-7 * max(1, np.abs(expected).max()))
    if not p.independent:
        return
    # Bdot is the rate of B along the motion
    h = 1e-6
    forward, back = (p.matrices(q + s * h * v)[0] for s in (1, -1))
    assert (forward - back) / (2 * h) == pytest.approx(
        at["Bdot"], abs=1e-5 * max(1, np.abs(at["Bdot"]).max())
    )


def test_a_bad_choice_is_refused_with_a_better_one():
    d = derived("slider_crank")
    with pytest.raises(
        DerivationError, match=r"has 1 independent coordinates here, and 2 were chosen. Choose "
    ):
        partition(d, ["x", "theta_crank"])
    with pytest.raises(DerivationError, match="There is no coordinate phi"):
        partition(d, ["phi"])


def test_a_singular_choice_names_itself_and_another():
    """Upright rolling along y: x and psi cannot be the independent ones where the wheel runs along
    y.
    """
    d = derived("knife_edge_sleigh")
    q = closed_state(d)
    names = [n.name for n in d.names.q]
    singular = [
        pair
        for pair in ((names[0], names[1]), (names[0], names[2]), (names[1], names[2]))
        if d.chapter("partition", independent=list(pair)).refusal
    ]
    assert all(
        "Choose " in d.chapter("partition", independent=list(pair)).refusal for pair in singular
    )
    assert len(singular) == sum(abs(x) < 1e-8 for x in d.function()(q, 0 * q)[4][0][[2, 1, 0]])


def test_rates_and_damping_of_a_driven_and_sprung_mechanism():
    d = derived("cart_pole", "joint")
    step = next(s for s in d.chapter("constraints").steps if s.key == "forces")
    by = {b.key: b for b in step.blocks}
    assert [[text.entry(e) for e in row] for row in by["K"].rows] == [["k_x", "0"], ["0", "k_θ"]]
    cam = derived("cam_profile")
    equations = cam.chapter("constraints").step("rates").equations
    assert (
        text.entry(equations[1].left) in ("−u_d_motor + θ̇", "θ̇ − u_d_motor")
        and number(equations[1].right, {}) == 0
    )
