"""The chapter of torsors: kinematic, kinetic, dynamic and action torsors, change of point,
comoments, and the balance of virtual power (THEORY 5).

Components along the axes in which a body's joint stands; points: its centre of mass G and its point
A of the inner joint, or any point of it.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mechstudio.model.equations.lecture import CHAPTER_TITLES, TORSORS, Chapter, Equality, Step
from mechstudio.model.equations.terms import Entry, Name, Term
from mechstudio.symbolic.kinematics.loads import Mass
from mechstudio.symbolic.lecture.free_bodies import named
from mechstudio.symbolic.lecture.methods import bodies, part_of
from mechstudio.symbolic.methods.lagrange import Lagrange
from mechstudio.symbolic.methods.newton_euler import BIAS, NewtonEuler
from mechstudio.symbolic.plan.frames import difference, named_point
from mechstudio.symbolic.plan.layout import Cursor
from mechstudio.symbolic.printers.writer import AXES, LONGEST, Linear, Row, Writer
from mechstudio.symbolic.proofs.proofs import difference as apart
from mechstudio.symbolic.ring.polynomials import Poly, Vector
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations


def torsors_chapter(
    d: "DerivedEquations", body: str | None = None, point: str | None = None
) -> Chapter:
    """body: id of one body, None for all.  point: a named point of that body beside G and A.
    Raises KeyError for unknown ones.
    """
    if not d.complete:
        return Chapter(TORSORS, CHAPTER_TITLES[TORSORS], (), d.notes[0])
    if body is not None and body not in d.plan.mechanism.bodies:
        raise KeyError(body)
    w = d.writer
    steps = [
        Step(
            "torsors",
            "torsors",
            "Torsors",
            (
                tr(
                    "A torsor is a resultant and a moment; its moment at another point follows "
                    "from the resultant."
                ),
            ),
            "moment",
        )
    ]
    count = len(d.plan.mechanism.bodies)
    for k, (m, cursor, name) in enumerate(bodies(d)):
        d.report(0.6 * k / count, tr("Torsors of the bodies"))
        if body in (None, m.id):
            steps += _of_body(d, w, m, cursor, name, point)
    steps += _virtual_power(d, w)
    return Chapter(TORSORS, CHAPTER_TITLES[TORSORS], tuple(steps))


def _sum(*vectors: Vector) -> Vector:
    return [sum(parts[1:], parts[0]) for parts in zip(*vectors)]


def _of_body(
    d: "DerivedEquations", w: Writer, m: Mass, cursor: Cursor, name: str, point: str | None
) -> Iterator[Step]:
    ring, kin, source = d.ring, d.setting.kinematics, (m.id,)
    newton, lagrange = d.by("newton-euler"), d.by("lagrange")
    assert isinstance(newton, NewtonEuler)
    assert isinstance(lagrange, Lagrange)
    motion = kin.motion(cursor)
    arm = kin.rotated(cursor, ring.amounts(m.arm))
    omega, v_A = kin.speed(motion.turning), kin.speed(motion.moving)
    v_G = [ring.reduce(x) for x in _sum(v_A, ring.cross(omega, arm))]
    mass = ring.amount(m.mass)
    theta = [[ring.amount(x) for x in row] for row in m.inertia]
    momentum = [mass * x for x in v_G]
    sigma_G = kin.from_body(cursor, [ring.dot(row, kin.to_body(cursor, omega)) for row in theta])
    sigma_A = _sum(sigma_G, ring.cross(arm, momentum))
    lines = [
        *w.vector("omega", name, omega, source),
        *w.vector("v", f"G {name}", v_G, source),
        *w.vector("v", f"A {name}", v_A, source),
    ]
    words = ["v(G) = v(A) + ω × AG."]
    reach: Vector | None = None
    if point:
        shift = difference(
            d.plan.symbols,
            named_point(d.plan.symbols, d.plan.mechanism.body(m.id), point),
            d.plan.references[m.id],
            "c",
            d.plan.mechanism.body(m.id),
            point,
            tr("distance to {point} of {name}", point=point, name=name),
        )
        # symbols that came after the ring was made are only numbers to it
        known = all(i < ring.symbol_count for a in shift for mono in a.terms for i, _ in mono)
        if known:
            reach = kin.rotated(cursor, ring.amounts(shift))
            lines += w.vector("v", f"{point} {name}", _sum(v_A, ring.cross(omega, reach)), source)
            words.append(f"v({point}) = v(A) + ω × A{point}.")
        else:
            words.append(
                tr(
                    "{point} has distances that no equation contains: v({point}) = v(A) + ω × "
                    "A{point}.",
                    point=point,
                )
            )
    yield Step(
        f"kinematic:{m.id}",
        "kinematic",
        tr("Kinematic torsor of {name}", name=name),
        tuple(words),
        "",
        tuple(lines),
        depth=1,
        sources=source,
    )
    lines = [
        *w.vector("p", name, momentum, source),
        *w.vector("sigma", f"G {name}", sigma_G, source),
        *w.vector("sigma", f"A {name}", sigma_A, source),
    ]
    if reach is not None:
        lines += w.vector(
            "sigma", f"{point} {name}", _sum(sigma_A, ring.cross(momentum, reach)), source
        )
    comoment = ring.reduce(ring.dot(momentum, v_A) + ring.dot(sigma_A, omega))
    twice = apart(ring, ring.tag(m.id) * comoment, 2 * lagrange.T[m.id])
    verdict = tr(
        "Its comoment with the kinematic torsor, p · v(A) + σ(A) · ω, is {word} twice the kinetic "
        "energy, at A as at G.",
        word=tr("exactly") if not twice else tr("NOT"),
    )
    twofold = Entry((Term(2, 1, (w.name("T", name),)),))
    energy = w.written(
        [(twofold, [(comoment, None)], tr("comoment: twice the kinetic energy"), source)]
    )
    yield Step(
        f"kinetic:{m.id}",
        "kinetic",
        tr("Kinetic torsor of {name}", name=name),
        (
            "p = m v(G), σ(G) = Θ ω, σ(A) = σ(G) + AG × p.",
            *([f"σ({point}) = σ(A) + p × A{point}."] if reach is not None else []),
            verdict,
        ),
        "",
        (*lines, *energy),
        depth=1,
        sources=source,
    )
    own = newton.own[m.id]
    rows: list[Row] = []
    for letter, side in (("D", own.force), ("delta", own.moment)):
        for k, axis in enumerate(AXES):
            at = lambda key, side=side, k=k: (
                part_of(d, side[key][k], m.id) if key in side else ring.zero
            )
            parts: list[tuple[Poly, Name | None]] = [
                *((at(j), d.names.a[j]) for j in range(ring.coordinate_count)),
                (at(BIAS), None),
            ]
            if any(p for p, _ in parts):
                rows.append(
                    (
                        w.symbol(
                            letter, "A" if side is own.moment else "", name, axis, source=m.id
                        ),
                        parts,
                        axis,
                        source,
                    )
                )
    yield Step(
        f"dynamic:{m.id}",
        "dynamic",
        tr("Dynamic torsor of {name}", name=name),
        (tr("m a(G) and δ(A) = dσ(A)/dt + m v(A) × v(G), the balance's left side."),),
        "balances",
        w.written(rows, 6 * LONGEST),
        depth=1,
        sources=source,
    )
    yield _actions(d, w, m, name)


def _actions(d: "DerivedEquations", w: Writer, m: Mass, name: str) -> Step:
    """Weight and the joint's reactions as action torsors."""
    ring, kin, frame = d.ring, d.setting.kinematics, d.plan.cursors[m.id].frame
    weight = [
        ring.amount(m.mass) * x for x in kin.world_vector("gravity", d.setting.gravity, frame)
    ]
    lines = list(w.vector("W", name, weight, (m.id,))) if m.mass else []
    parts = named(d, w)[m.id]
    for side, letter, words in (("force", "F", tr("force")), ("moment", "M", tr("moment"))):
        for k, axis in enumerate(AXES):
            total = w.linear([(getattr(c, side)[k], n) for n, c in parts])
            if total.terms:
                lines.append(
                    Equality(
                        w.symbol(letter, "A", name, axis),
                        total,
                        tr("{side} of the inner joint at A, {axis}", side=words, axis=axis),
                        (m.id,),
                    )
                )
    return Step(
        f"action:{m.id}",
        "action",
        tr("Action torsors on {name}", name=name),
        (tr("The weight acts in G; what the inner joint puts on it is given at A."),),
        "",
        tuple(lines),
        depth=1,
        sources=(m.id,),
    )


def _virtual_power(d: "DerivedEquations", w: Writer) -> Iterator[Step]:
    """Per coordinate: partial velocity torsors, and D • V of every solid against the energetic
    coefficients of every load.
    """
    ring, kin, plan = d.ring, d.setting.kinematics, d.plan
    result, other = d.by("projected"), d.by("newton-euler")
    yield Step(
        "power",
        "power",
        tr("Virtual power"),
        (
            tr(
                "For every virtual motion the power of the dynamic torsors is that of all "
                "actions; ideal joints give none."
            ),
            tr(
                "The partial velocity torsor V of a coordinate is what a body's torsor has per "
                "unit of its rate."
            ),
        ),
        "power",
    )
    names = {
        **{id: b.name for id, b in plan.mechanism.bodies.items()},
        **{id: f.name for id, f in plan.mechanism.forces.items()},
    }
    for k, c in enumerate(plan.coordinates):
        d.report(0.6 + 0.4 * k / len(plan.coordinates), tr("Virtual power"))
        lines: list[Equality] = []
        # the coordinate as it is written, letter and subscript
        of = f"{d.names.q[k].letter} {d.names.q[k].subscript}".strip()
        for m, cursor, name in bodies(d):
            motion = kin.motion(cursor)
            moving = kin.carried(motion, kin.rotated(cursor, ring.amounts(m.arm)))
            for letter, columns in (("omega", motion.turning), ("v", moving)):
                if k in columns:
                    lines += w.vector(letter, f"{name} {of}", columns[k], (m.id,))
        left: list[tuple[Poly, Name | None]] = []
        powers: list[tuple[Entry, Linear, str, tuple[str, ...]]] = []
        for m, _, name in bodies(d):
            parts: list[tuple[Poly, Name | None]] = [
                *(
                    (part_of(d, result.M[k][j], m.id), d.names.a[j])
                    for j in range(ring.coordinate_count)
                ),
                (part_of(d, result.b[k], m.id), None),
            ]
            left += parts
            if any(p for p, _ in parts):
                powers.append(
                    (
                        w.symbol("P", name, of),
                        parts,
                        tr("power of {name}'s dynamic torsor", name=name),
                        (m.id,),
                    )
                )
        lines += w.written(powers, 4 * LONGEST)
        right: list[Poly] = []
        coefficients: list[tuple[Entry, Linear, str, tuple[str, ...]]] = []
        for id, name in names.items():
            part = ring.reduce(part_of(d, result.tau[k], id) - part_of(d, result.g[k], id))
            if part:
                right.append(part)
                coefficients.append(
                    (
                        w.symbol("Q", name, of),
                        [(part, None)],
                        tr(
                            "energetic coefficient of {word}{name}",
                            word=tr("the weight of ") if id in plan.mechanism.bodies else "",
                            name=name,
                        ),
                        (id,),
                    )
                )
        lines += w.written(coefficients, 4 * LONGEST)
        reactions = [
            (row.jacobian[k], n) for row, n in zip(d.rows, d.names.multipliers) if row.jacobian[k]
        ]
        if w.size([p for p, _ in left]) <= 2 * LONGEST:
            lines.append(
                Equality(
                    w.linear(left), w.linear([*((p, None) for p in right), *reactions]), "balance"
                )
            )
        else:
            sums = [
                Entry(tuple(t for own, *_ in rows for t in own.terms))
                for rows in (powers, coefficients)
            ]
            lines.append(
                Equality(sums[0], Entry((*sums[1].terms, *w.linear(reactions).terms)), "balance")
            )
        closed = not any(apart(ring, a, b) for a, b in zip(result.M[k], other.M[k])) and not apart(
            ring, result.b[k] + result.g[k] - result.tau[k], other.b[k] + other.g[k] - other.tau[k]
        )
        verdict = tr(
            "The balance is Newton-Euler's equation of this coordinate{word}.",
            word=tr(", exactly") if closed else tr("? No: they differ"),
        )
        yield Step(
            f"power:{k}",
            "power",
            c.meaning,
            (verdict,),
            "power",
            tuple(lines),
            depth=1,
            sources=tuple(x for x in (c.joint, c.body) if x),
        )
