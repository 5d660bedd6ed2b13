"""Cost of deriving equations, beside SymPy's KanesMethod in the same run: python -m
tests.benchmarks.derivations [model ...]

CPU times; what counts is their ratio.  A model is one list of links, drawn as a mechanism for the
derivation and built of symbols for Kane.
"""

import sys
import time
from typing import NamedTuple

import msgspec

from mechstudio.model.equations.lecture import METHODS
from mechstudio.model.geometry.rotation import Quaternion, from_axes, multiply, rotate
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import vector
from mechstudio.symbolic.derivation import derive
from mechstudio.symbolic.methods.recursive import recursive
from tests.mechanisms import Builder

REPEATS = 7


class Link(NamedTuple):
    """A link on a joint about (R) or along (P) its own axis z.

    quarters: right angles about x from the parent's axes to its own.  offset: of its origin in the
    parent's axes [m].  center [m], inertia (diagonal) in its own axes.
    """

    kind: str
    quarters: int
    offset: tuple[float, float, float]
    center: tuple[float, float, float]
    inertia: tuple[float, float, float]
    mass: float = 1.0


def _pendulum(count: int) -> list[Link]:
    """In the front plane: the axes lie along -y, and gravity along the plane."""
    return [
        Link(
            "R",
            1 if k == 0 else 0,
            (0, 0, 0) if k == 0 else (0.3 + 0.01 * k, 0, 0),
            (0.15 + 0.01 * k, 0, 0),
            (0, 0, 0.01 + 0.001 * k),
            1 + 0.1 * k,
        )
        for k in range(count)
    ]


def _puma() -> list[Link]:
    """Six axes after Armstrong, Khatib and Burdick (1986), in modified Denavit-Hartenberg frames,
    with the centres and inertias that they keep.
    """
    return [
        Link("R", 0, (0, 0, 0), (0, 0, 0), (0, 0, 0.35), 0.0),
        Link("R", -1, (0, 0, 0), (0.068, 0.006, -0.016), (0.13, 0.524, 0.539), 17.4),
        Link("R", 0, (0.4318, 0, 0.15), (0, -0.07, 0.014), (0.066, 0.086, 0.0125), 4.8),
        Link("R", -1, (-0.0203, 0.4331, 0), (0, 0, -0.019), (0.0018, 0.0013, 0.0018), 0.82),
        Link("R", 1, (0, 0, 0), (0, 0, 0), (0.0003, 0.0004, 0.0003), 0.34),
        Link("R", -1, (0, 0, 0), (0, 0, 0.032), (0.00015, 0.00015, 0.00004), 0.09),
    ]


def _cart_pole() -> list[Link]:
    """The cart's axis points along x of W: that of its parent turned twice."""
    return [
        Link("P", 0, (0, 0, 0), (0, 0, 0), (0, 0, 0), 2.0),
        Link("R", 1, (0, 0, 0), (0.25, 0, 0), (0, 0, 0.02)),
    ]


MODELS: dict[str, tuple[list[Link], str]] = {
    "cart_pole": (_cart_pole(), "joint"),
    "double_pendulum": (_pendulum(2), "joint"),
    "pendulum_10": (_pendulum(10), "link"),
    "arm": (_puma(), "joint"),
}
_QUARTER = {
    k: from_axes(
        (1.0, 0.0, 0.0),
        *(
            ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
            ((0.0, 0.0, 1.0), (0.0, -1.0, 0.0)),
            ((0.0, 0.0, -1.0), (0.0, 1.0, 0.0)),
        )[k],
    )
    for k in (0, 1, -1)
}


def drawn(links: list[Link]) -> Project:
    """The links as a mechanism, straight as all coordinates are zero."""
    b, q = Builder(), (1.0, 0.0, 0.0, 0.0)
    at, parent = (0.0, 0.0, 0.0), "ground"
    for k, link in enumerate(links):
        at = tuple(a + c for a, c in zip(at, rotate(q, link.offset)))
        q: Quaternion = multiply(q, _QUARTER[link.quarters])
        id = b.body(f"b{k}", at, q, link.mass, (*link.inertia, 0.0, 0.0, 0.0))
        b.bodies[id] = msgspec.structs.replace(b.bodies[id], center_of_mass=vector(*link.center))
        b.joint(
            f"j{k}",
            parent,
            id,
            at,
            type="revolute" if link.kind == "R" else "prismatic",
            quaternion_a=q,
            quaternion_b=q,
        )
        parent = id
    gravity = (0.0, 0.0, -9.81)
    return Project(Mechanism(b.bodies, b.joints, gravity=vector(*gravity)))


def kane(links: list[Link], absolute: bool):
    """(mass matrix, forcing, q, u, values of the symbols) by SymPy's KanesMethod for the same
    links, without simplification.
    """
    import sympy as sp
    from sympy.physics.mechanics import (
        KanesMethod,
        Point,
        ReferenceFrame,
        RigidBody,
        dynamicsymbols,
        inertia,
    )

    known: dict = {sp.Symbol("g"): 9.81}

    def symbol(name, value):
        if not value:
            return sp.Integer(0)
        known[sp.Symbol(name)] = value
        return sp.Symbol(name)

    n = len(links)
    q, u = dynamicsymbols(f"q:{n}"), dynamicsymbols(f"u:{n}")
    g = sp.Symbol("g")
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    frame, point, bodies, forces = N, O, [], []
    first = None
    for k, link in enumerate(links):
        base = frame.orientnew(f"F{k}", "Axis", [link.quarters * sp.pi / 2, frame.x])
        base.set_ang_vel(frame, 0)
        offset = sum(
            (
                symbol(f"{axis}{k}", value) * e
                for axis, value, e in zip("abd", link.offset, (frame.x, frame.y, frame.z))
            ),
            0 * N.x,
        )
        origin = point.locatenew(f"P{k}", offset)
        origin.v2pt_theory(point, N, frame) if any(link.offset) else origin.set_vel(N, point.vel(N))
        first = base if first is None else first
        if link.kind == "R":
            mother = first if absolute else base
            own = mother.orientnew(f"A{k}", "Axis", [q[k], mother.z])
            own.set_ang_vel(mother, u[k] * mother.z)
        else:
            own = base
            origin = origin.locatenew(f"S{k}", q[k] * base.z)
            origin.set_vel(N, point.vel(N) + u[k] * base.z)
        center = origin.locatenew(
            f"G{k}",
            sum(
                (
                    symbol(f"c{axis}{k}", value) * e
                    for axis, value, e in zip("xyz", link.center, (own.x, own.y, own.z))
                ),
                0 * N.x,
            ),
        )
        center.v2pt_theory(origin, N, own) if any(link.center) else center.set_vel(N, origin.vel(N))
        J = [symbol(f"J{axis}{k}", value) for axis, value in zip("xyz", link.inertia)]
        m = symbol(f"m{k}", link.mass)
        bodies.append(RigidBody(f"B{k}", center, own, m, (inertia(own, *J), center)))
        forces.append((center, -m * g * N.z))
        frame, point = own, origin
    method = KanesMethod(N, q_ind=q, u_ind=u, kd_eqs=[x.diff() - y for x, y in zip(q, u)])
    method.kanes_equations(bodies, forces)
    return method.mass_matrix, method.forcing, q, u, known


def timed(work, repeats: int = REPEATS) -> float:
    """Least CPU time of several [s]."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def proven(project: Project, coordinates: str) -> None:
    d = derive(project, coordinates=coordinates)
    for method in METHODS:
        d.by(method)
    if not all(p.holds for p in d.proofs):
        raise AssertionError([p.key for p in d.proofs if not p.holds])


def term_count(matrix) -> int:
    return sum(len(p) for row in matrix for p in row)


def main(names) -> None:
    kane(
        MODELS["cart_pole"][0], False
    )  # what is imported and remembered at the first call is not counted
    for name in names or MODELS:
        links, coordinates = MODELS[name]
        project = drawn(links)
        d = derive(project, coordinates=coordinates)
        _ = d.proofs
        one, three = (
            timed(lambda: derive(project, coordinates=coordinates)),
            timed(lambda: proven(project, coordinates)),
        )
        peer = timed(lambda: kane(links, coordinates == "link"), 3)
        form = recursive(d)
        print(
            f"{name:16s} n {len(links):2d}: {1e3 * one:7.1f} ms for M, b, g;  "
            f"{1e3 * three:7.1f} ms for three with proofs;  KanesMethod {1e3 * peer:8.0f} ms,"
            f" {peer / one:6.0f} times as long;  terms in M {term_count(d.matrices['M'])};"
            f"  recursive form {form.operations} operations in "
            f"{1e3 * timed(lambda: recursive(d)):.1f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
