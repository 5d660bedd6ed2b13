"""Small models against Lagrange's equations written down with SymPy alone, term by term."""

import random
from pathlib import Path

import mpmath
import pytest
import sympy as sp

from mechstudio.files import project_file
from mechstudio.model.project import Project
from mechstudio.symbolic import derive
from tests import mechanisms

SAMPLES = Path(__file__).parents[2] / "samples"


def sample(name, **more):
    return derive(project_file.load(SAMPLES / f"{name}.mech").project, **more)


def rate(f, q, v):
    """df/dt of a function of q."""
    return (
        sum((f.diff(x) * y for x, y in zip(q, v)), sp.Integer(0))
        if not isinstance(f, sp.MatrixBase)
        else f.applyfunc(lambda e: rate(e, q, v))
    )


def lagrange(T, U, q, v):
    """(M, b + g) of T(q, v) - U(q): M = d2T/dv dv, rest = d2T/dv dq v - dT/dq + dU/dq."""
    M = sp.hessian(T, v)
    return M, sp.Matrix([rate(T.diff(y), q, v) - T.diff(x) + U.diff(x) for x, y in zip(q, v)])


def vanishes(matrix):
    """True if an expression matrix is zero at three random points, in 40 digits."""
    symbols = sorted(matrix.free_symbols, key=str)
    f = sp.lambdify(symbols, list(matrix), "mpmath")
    rng = random.Random(5)
    with mpmath.workdps(40):
        return all(
            abs(e) < 1e-30
            for _ in range(3)
            for e in f(*[mpmath.mpf(rng.randint(1, 999)) / 300 for _ in symbols])
        )


def test_cart_pole_is_theory_5_term_by_term():
    """[m_c+m_p  m_p L cos; m_p L cos  m_p L^2 + I_p], [-m_p L w^2 sin; 0], [k_x (x-x_0); m_p g L
    sin + k_theta (theta-theta_0)] = [F; 0].
    """
    d = sample("cart_pole")
    m_c, m_p, L, g, k_x, x_0, k_theta, theta_0, F, I_p, x, theta, thetadot = sp.symbols(
        "m_c m_p L g k_x x_0 k_theta theta_0 F I_p x theta thetadot", real=True
    )
    assert d.symbols["q"] == (x, theta) and d.symbols["v"][1] == thetadot
    assert d.mass_matrix == sp.Matrix(
        [[m_c + m_p, m_p * L * sp.cos(theta)], [m_p * L * sp.cos(theta), m_p * L**2 + I_p]]
    )
    assert d.bias == sp.Matrix([-m_p * L * thetadot**2 * sp.sin(theta), 0])
    assert d.gravity == sp.Matrix(
        [k_x * (x - x_0), m_p * g * L * sp.sin(theta) + k_theta * (theta - theta_0)]
    )
    assert d.forces == sp.Matrix([F, 0])
    assert d.constraints.shape == (0, 1) and d.jacobian.shape == (0, 2)


def test_cart_pole_is_printed_as_in_the_textbook():
    text = sample("cart_pole").text()
    assert "(m_c + m_p) ẍ + m_p L θ̈ cos θ − m_p L θ̇² sin θ + k_x (x − x_0) = F\n" in text
    assert "m_p L ẍ cos θ + (m_p L² + I_p) θ̈ + m_p g L sin θ + k_θ (θ − θ_0) = 0\n" in text


@pytest.mark.parametrize("kind", ["joint", "link"])
def test_double_pendulum(kind):
    d = sample("double_pendulum", coordinates=kind)
    s = {str(x): x for x in (*d.symbols["parameters"], *d.symbols["following"])}
    L, c1, c2, m1, m2, J1, J2, g = (
        s[n] for n in ("L1", "c_upper", "c_lower", "m_upper", "m_lower", "J_upper", "J_lower", "g")
    )
    q, v = d.symbols["q"], d.symbols["v"]
    first, second = (q[0], q[0] + q[1]) if kind == "joint" else q
    elbow = sp.Matrix([L * sp.cos(first), L * sp.sin(first)])
    G1 = sp.Matrix([c1 * sp.cos(first), c1 * sp.sin(first)])
    G2 = elbow + sp.Matrix([c2 * sp.cos(second), c2 * sp.sin(second)])
    energy = lambda m, G, J, angle: (
        (m * rate(G, q, v).dot(rate(G, q, v)) + J * rate(angle, q, v) ** 2) / 2
    )
    T = energy(m1, G1, J1, first) + energy(m2, G2, J2, second)
    M, rest = lagrange(T, g * (m1 * G1[1] + m2 * G2[1]), q, v)
    assert vanishes(d.mass_matrix - M) and vanishes(d.bias + d.gravity - rest)
    assert not vanishes(d.mass_matrix + M) and not vanishes(d.bias + d.gravity + rest)


def test_heavy_top():
    """T from the body rates of R = Rz Ry Rx, U from the height of the centre of mass; whichever
    body axis the symmetry is along.
    """
    d = sample("heavy_top")
    s = {str(x): x for x in d.symbols["parameters"]}
    q, v = d.symbols["q"], d.symbols["v"]
    psi, theta, phi = q
    R = sp.rot_axis3(-psi) * sp.rot_axis2(-theta) * sp.rot_axis1(-phi)
    W = R.T * rate(R, q, v)
    w = sp.Matrix([W[2, 1], W[0, 2], W[1, 0]])
    (axis,) = {n[2] for n in s if n in ("J_x", "J_y", "J_z")}
    k = "xyz".index(axis)
    across = s["J_t"]
    inertia = sp.diag(*[s[f"J_{axis}"] if i == k else across for i in range(3)])
    e = sp.zeros(3, 1)
    e[k] = s["c"]
    G = R * e
    T = s["m"] * rate(G, q, v).dot(rate(G, q, v)) / 2 + (w.T * inertia * w)[0] / 2
    M, rest = lagrange(T, sp.Integer(0), q, v)
    assert vanishes(d.mass_matrix - M) and vanishes(d.bias - rest)
    assert not vanishes(d.mass_matrix + M)


def test_mass_matrix_is_symmetric_and_its_rate_less_twice_coriolis_is_skew():
    """b = C v with C by Christoffel, so v^T (dM/dt - 2 C) v = v^T dM/dt v - 2 v^T b = 0,
    identically.
    """
    for name in ("double_pendulum", "heavy_top", "four_bar"):
        d = sample(name)
        ring = d.ring
        v, n = ring.v, ring.coordinate_count
        M, b = d.matrices["M"], d.matrices["b"]
        assert all(M[i][j] == M[j][i] for i in range(n) for j in range(n))
        total = sum(
            (ring.rate(M[i][j]) * v[i] * v[j] for i in range(n) for j in range(n)), ring.zero
        ) - 2 * sum((v[i] * b[i][0] for i in range(n)), ring.zero)
        assert ring.reduce(total) == 0


def test_four_bar_closes_as_the_vector_loop():
    """Ground + rocker - crank - coupler = 0 in x and z, and three rows that are zero in every
    position.
    """
    d = sample("four_bar", coordinates="link")
    s = {str(x): x for x in (*d.symbols["parameters"], *d.symbols["q"])}
    loop = [
        s["L4"] * a
        + s["L3"] * f(s["theta_rocker"])
        - s["L1"] * f(s["theta_crank"])
        - s["L2"] * f(s["theta_coupler"])
        for a, f in ((1, sp.cos), (0, sp.sin))
    ]
    C = d.constraints
    assert sp.expand(C[0] - loop[0]) == 0 and sp.expand(C[2] - loop[1]) == 0
    assert [C[k] for k in (1, 3, 4)] == [0, 0, 0]
    assert all(d.jacobian.row(k).is_zero_matrix and d.gamma[k] == 0 for k in (1, 3, 4))
    assert d.jacobian == C.jacobian(sp.Matrix(d.symbols["q"]))
    v = sp.Matrix(d.symbols["v"])
    expected = -((d.jacobian * v).jacobian(sp.Matrix(d.symbols["q"])) * v)
    assert (d.gamma - expected).applyfunc(sp.expand).is_zero_matrix


def test_sympy_matrices_and_the_function_are_the_same_numbers():
    import numpy as np

    for d in (sample("slider_crank"), derive(Project(mechanisms.ball_pendulum()))):
        rng = np.random.default_rng(4)
        n = len(d.plan.coordinates)
        q, v = rng.uniform(-1, 1, n), rng.uniform(-1, 1, n)
        symbols = [*d.symbols["q"], *d.symbols["v"], *d.symbols["parameters"]]
        at = dict(zip(symbols, [*q, *v, *d.values.values()]))
        for got, matrix in zip(
            d.function()(q, v),
            (d.mass_matrix, d.bias, d.gravity, d.constraints, d.jacobian, d.gamma),
        ):
            expected = np.array(matrix.subs(d.following).evalf(30, subs=at), float)
            assert got == pytest.approx(expected.reshape(got.shape), abs=1e-12)


def test_straight_formulas_are_derived_from_the_very_law():
    """A law that is changed changes the equations: the derivation reads its code object."""
    from mechstudio.symbolic.plan.force_laws import exact

    x, v, k, free = sp.symbols("x v k x0")

    def law(x, v, stiffness, free_length):
        return -0.5 * stiffness * (x - free_length)

    assert exact(law).__code__.co_consts != law.__code__.co_consts
    import flint

    ring = flint.fmpq_mpoly_ctx.get(["x", "k", "x0"], "lex")
    X, K, X0 = ring.gens()
    assert exact(law)(X, 0, K, X0) == (K * X0 - K * X) / 2
    assert law(x, v, k, free) != 0
