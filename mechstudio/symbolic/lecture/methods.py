"""The three derivations as lectures: frames, positions and velocities, then what each method makes
of them, and the result.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from mechstudio.model.equations.lecture import (
    CHAPTER_TITLES,
    LAGRANGE,
    NEWTON_EULER,
    PROJECTED,
    RECURSIVE,
    Chapter,
    Step,
)
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.symbolic.errors import TooLarge
from mechstudio.symbolic.kinematics.kinematics import Columns, Motion, Vector
from mechstudio.symbolic.kinematics.loads import Mass
from mechstudio.symbolic.kinematics.method import Method
from mechstudio.symbolic.lecture.cyclic_coordinates import cyclic_steps
from mechstudio.symbolic.lecture.free_bodies import cuts
from mechstudio.symbolic.methods.blocks import matrix_block
from mechstudio.symbolic.methods.lagrange import Lagrange
from mechstudio.symbolic.methods.newton_euler import NewtonEuler
from mechstudio.symbolic.methods.projected import Projected
from mechstudio.symbolic.plan.layout import Cursor
from mechstudio.symbolic.printers.writer import LONGEST, SHARED, Writer
from mechstudio.symbolic.ring.polynomials import Poly
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations


MOST = 600  # terms of a vector beyond which its named parts are too many to read
READABLE = 1500  # terms of M and b beyond which a lecture names intermediates instead


def method_chapter(d: "DerivedEquations", key: str) -> Chapter:
    """A method's lecture; where the closed form is too large, what all methods begin with, and
    where the rest stands.
    """
    w = d.writer
    try:
        result = d.by(key)
    except TooLarge as error:
        closed = "closed" if d.rows else "open"
        steps = [
            *common(d, w),
            Step(
                "result",
                "result",
                tr("Equations of motion"),
                (
                    str(error),
                    tr(
                        "The chapter “{recursive}” writes them by named intermediates.",
                        recursive=CHAPTER_TITLES[RECURSIVE],
                    ),
                ),
                closed,
            ),
        ]
    else:
        steps = [
            *common(d, w),
            *_OWN[key](d, w, result),
            *loads(d, w, result),
            result_step(d, result),
            *cyclic_steps(d, w, result),
        ]
    return Chapter(key, CHAPTER_TITLES[key], tuple(steps))


def bodies(d: "DerivedEquations") -> Iterator[tuple[Mass, Cursor, str]]:
    """(mass, cursor at the reference point, name) in the order of the tree."""
    masses = {m.id: m for m in d.setting.loads.masses}
    for branch in d.plan.tree.branches:
        yield (
            masses[branch.body],
            d.plan.cursors[branch.body],
            d.plan.mechanism.body(branch.body).name,
        )


def moving(d: "DerivedEquations") -> Iterator[tuple[Mass, Cursor, str, Motion, Columns]]:
    """(mass, cursor, name, motion of the body, what of it moves the centre of mass) in the order of
    the tree.
    """
    kin = d.setting.kinematics
    for m, cursor, name in bodies(d):
        motion = kin.motion(cursor)
        yield m, cursor, name, motion, kin.carried(motion, arm(d, m, cursor))


def arm(d: "DerivedEquations", m: Mass, cursor: Cursor) -> Vector:
    """From the reference point to the centre of mass, in the frame of the cursor."""
    return d.setting.kinematics.rotated(cursor, d.ring.amounts(m.arm))


def common(d: "DerivedEquations", w: Writer) -> Iterator[Step]:
    """Frames, positions and velocities: what all three methods begin with."""
    yield from frames(d, w)
    yield from positions(d, w)
    yield from velocities(d, w)


def frames(d: "DerivedEquations", w: Writer) -> Iterator[Step]:
    plan, kin, mechanism = d.plan, d.setting.kinematics, d.plan.mechanism
    words = [
        tr(
            "{meaning}{meaning_2} is a coordinate.",
            meaning=c.meaning[0].upper(),
            meaning_2=c.meaning[1:],
        )
        for c in plan.coordinates
    ]
    yield Step(
        "frames",
        "frames",
        tr("Bodies, joints and coordinates"),
        (
            tr(
                "{count} bodies move, carried by the joints of a tree; {coordinates_count} "
                "coordinates place them.",
                count=len(mechanism.bodies),
                coordinates_count=len(plan.coordinates),
            ),
            *words,
        ),
    )
    for branch in plan.tree.branches:
        body, parent = mechanism.body(branch.body), mechanism.body(branch.parent)
        cursor, inner = plan.cursors[branch.body], plan.cursors[branch.parent]
        joint = mechanism.joints.get(branch.joint)
        axes = [
            kin.to_body(inner, kin.transformed(kin.axis(cursor, k), cursor.frame, inner.frame))
            for k in range(3)
        ]
        rows = [[axes[k][i] for k in range(3)] for i in range(3)]
        by = (
            tr(
                "over joint {joint} ({type})",
                joint=joint.name,
                type=tr(JOINT_TYPES[joint.type].label).lower(),
            )
            if joint
            else tr("freely, by six coordinates from W")
        )
        sources = tuple(x for x in (branch.body, branch.joint) if x)
        block = w.block(
            f"R:{branch.body}", w.name("R", parent.name, body.name), rows, sources=[sources] * 3
        )
        yield Step(
            f"frames:{branch.body}",
            "frames",
            body.name,
            (
                tr(
                    "{body} hangs on {parent} {by}. Columns of R are its axes, seen from {parent}.",
                    body=body.name,
                    parent=parent.name,
                    by=by,
                ),
            ),
            blocks=(block,),
            depth=1,
            sources=sources,
        )


def positions(d: "DerivedEquations", w: Writer) -> Iterator[Step]:
    kin = d.setting.kinematics
    yield Step(
        "positions",
        "positions",
        "Positions",
        (
            tr(
                "Every centre of mass is reached joint by joint from W's origin; components along "
                "W's axes."
            ),
        ),
        "transform",
    )
    for m, cursor, name in bodies(d):
        r, _ = kin.between(Cursor(), cursor.shifted(m.arm), 0)
        long = w.size(r) > MOST
        words = (
            (
                tr(
                    "The components have {size} terms in W; leg by leg they are short.",
                    size=w.size(r),
                ),
            )
            if long
            else ()
        )
        yield Step(
            f"positions:{m.id}",
            "positions",
            name,
            words,
            equations=() if long else w.vector("r", name, r, (m.id,)),
            depth=1,
            sources=(m.id,),
        )


def velocities(d: "DerivedEquations", w: Writer) -> Iterator[Step]:
    kin = d.setting.kinematics
    yield Step(
        "velocities",
        "velocities",
        "Velocities",
        (
            tr(
                "Angular velocities add up along the joints; components along the axes in which "
                "each body's joint stands."
            ),
        ),
        "velocity",
    )
    for m, _, name, motion, centre in moving(d):
        v = kin.speed(centre)
        omega = kin.speed(motion.turning)
        equations = w.vector("omega", name, omega, (m.id,))
        words: tuple[str, ...] = () if any(omega) else (tr("{name} does not turn.", name=name),)
        if w.size(v) > MOST:
            words += (tr("The velocity of its centre has {size} terms.", size=w.size(v)),)
        else:
            equations += w.vector("v", name, v, (m.id,))
        yield Step(
            f"velocities:{m.id}",
            "velocities",
            name,
            words,
            equations=equations,
            depth=1,
            sources=(m.id,),
        )


# the methods' own steps


def projected_steps(d: "DerivedEquations", w: Writer, result: Method) -> Iterator[Step]:
    assert isinstance(result, Projected)
    kin = d.setting.kinematics
    yield Step(
        "jacobians",
        "jacobians",
        "Jacobians",
        (
            tr(
                "The columns of J_P and J_R say how a centre of mass and a body move per unit of "
                "each rate."
            ),
        ),
        "jacobians",
    )
    for m, _, name, motion, centre in moving(d):
        blocks = (
            w.jacobian(f"J_P:{m.id}", "J", "P", name, centre, (m.id,)),
            w.jacobian(f"J_R:{m.id}", "J", "R", name, motion.turning, (m.id,)),
        )
        yield Step(
            f"jacobians:{m.id}", "jacobians", name, (), blocks=blocks, depth=1, sources=(m.id,)
        )
    yield Step(
        "accelerations",
        "accelerations",
        tr("What accelerates without q̈"),
        (tr("J̇ q̇ is the acceleration that remains for q̈ = 0, seen from W."),),
        "projected b",
    )
    for m, _, name, motion, centre in moving(d):
        spin = kin.spin(motion.frame)
        beta = result.rate_in_world(kin.speed(centre), spin)
        turning = result.rate_in_world(kin.speed(motion.turning), spin)
        if any(beta) or any(turning):
            equations = w.vector("beta", f"P {name}", beta, (m.id,)) + w.vector(
                "beta", f"R {name}", turning, (m.id,)
            )
            yield Step(
                f"accelerations:{m.id}",
                "accelerations",
                name,
                (),
                equations=equations,
                depth=1,
                sources=(m.id,),
            )
    yield Step(
        "assembly",
        "assembly",
        "Assembly",
        (tr("Each body adds its share to M, b and g; the terms keep the body's colour."),),
        "projected M",
        blocks=blocks_of(d, result, ("M", "b", "g")),
    )


def lagrange_steps(d: "DerivedEquations", w: Writer, result: Method) -> Iterator[Step]:
    assert isinstance(result, Lagrange)
    name_of = {
        **{id: b.name for id, b in d.plan.mechanism.bodies.items()},
        **{id: f.name for id, f in d.plan.mechanism.forces.items()},
    }
    yield Step(
        "energies",
        "energies",
        "Energies",
        (
            tr(
                "Kinetic energy by König: of the centre of mass, and of the turning about it. "
                "Potential energy of weights and springs."
            ),
        ),
        "energy",
    )
    for id in dict.fromkeys((*result.T, *result.U)):
        equations = w.written(
            [
                (w.symbol(letter, name_of[id]), [(table[id], None)], label, (id,))
                for letter, table, label in (
                    ("T", result.T, tr("kinetic energy")),
                    ("U", result.U, tr("potential energy")),
                )
                if table.get(id)
            ],
            2 * LONGEST,
        )
        yield Step(
            f"energies:{id}", "energies", name_of[id], equations=equations, depth=1, sources=(id,)
        )
    yield Step(
        "assembly",
        "assembly",
        "Derivatives",
        (
            tr(
                "M is the second derivative of T by the rates; what else d/dt ∂T/∂q̇ − ∂T/∂q "
                "contains is b, and g = ∂U/∂q."
            ),
        ),
        "lagrange",
        blocks=blocks_of(d, result, ("M", "b", "g")),
    )
    labels = [c.meaning for c in d.plan.coordinates]
    C = result.christoffel
    size, words = (
        w.size([p for row in C for p in row]),
        tr("By Christoffel's symbols C q̇ = b and Ṁ − 2C is skew: the Coriolis forces do no work."),
    )
    if size <= READABLE:
        yield Step(
            "christoffel",
            "assembly",
            tr("Coriolis matrix"),
            (words,),
            "christoffel",
            blocks=(w.block("C(q,v)", w.name("C"), C, labels, labels),),
        )
    else:
        rows = [
            (w.symbol("C", f"{i + 1},{j + 1}"), [(p, None)], "", ())
            for i, row in enumerate(C)
            for j, p in enumerate(row)
            if p
        ]
        yield Step(
            "christoffel",
            "assembly",
            tr("Coriolis matrix"),
            (words, tr(SHARED)),
            "christoffel",
            equations=w.shared(rows),
        )


def newton_steps(d: "DerivedEquations", w: Writer, result: Method) -> Iterator[Step]:
    assert isinstance(result, NewtonEuler)
    yield Step(
        "accelerations",
        "accelerations",
        "Accelerations",
        (
            tr(
                "From joint to joint, as seen from W. Here for q̈ = 0; the Jacobian's columns "
                "times q̈ come on top."
            ),
        ),
        "acceleration",
    )
    for m, cursor, name in bodies(d):
        at = result.bias(cursor)
        linear = [
            d.ring.reduce(a + b) for a, b in zip(at.linear, result.carried(at, arm(d, m, cursor)))
        ]
        equations = w.vector("alpha", name, at.alpha, (m.id,)) + w.vector(
            "a", name, linear, (m.id,)
        )
        if equations:
            yield Step(
                f"accelerations:{m.id}",
                "accelerations",
                name,
                (),
                equations=equations,
                depth=1,
                sources=(m.id,),
            )
    yield from cuts(d, w, result)
    yield Step(
        "assembly",
        "assembly",
        tr("Equations without reactions"),
        (tr("What no joint can transmit is left: one equation per coordinate."),),
        blocks=blocks_of(d, result, ("M", "b", "g")),
    )


_OWN: dict[str, Callable[["DerivedEquations", Writer, Method], Iterator[Step]]] = {
    NEWTON_EULER: newton_steps,
    PROJECTED: projected_steps,
    LAGRANGE: lagrange_steps,
}


# loads and result


def loads(d: "DerivedEquations", w: Writer, result: Method) -> Iterator[Step]:
    """tau load by load: what each adds to every coordinate's equation."""
    if not d.setting.efforts:
        return
    yield Step(
        "loads",
        "loads",
        "Loads",
        (
            tr(
                "What each load adds, coordinate by coordinate; what has a potential stands on "
                "the left, in g."
            ),
        ),
        "generalised",
    )
    n = d.ring.coordinate_count
    for effort in d.setting.efforts:
        force = effort.load.force
        side = result.g if effort.conservative else result.tau
        parts = [part_of(d, side[k], force.id) for k in range(n)]
        letter = "g" if effort.conservative else "tau"
        equations = w.written(
            [
                (
                    w.symbol(letter, force.name, str(k + 1), source=force.id),
                    [(p, None)],
                    d.plan.coordinates[k].meaning,
                    (force.id,),
                )
                for k, p in enumerate(parts)
                if p
            ],
            6 * LONGEST,
        )
        words = (
            ()
            if equations
            else (tr("{force} does no work in any motion of the mechanism.", force=force.name),)
        )
        yield Step(
            f"loads:{force.id}",
            "loads",
            force.name,
            words,
            equations=equations,
            depth=1,
            sources=(force.id,),
        )


def part_of(d: "DerivedEquations", p: Poly, id: str) -> Poly:
    """The terms of an element that come from one body or force."""
    return d.ring.part_with(p, d.ring.tags.index(id)) if p else p


def is_long(result: Method) -> bool:
    """True if M and b are longer than a reader takes in."""
    return sum(len(p) for p in (*(x for row in result.M for x in row), *result.b)) > READABLE


def blocks_of(d: "DerivedEquations", result: Method, keys: tuple[str, ...]):
    """Blocks of a result, as the equations have them; none where they are too long to be read
    twice.
    """
    if is_long(result):
        return ()
    table = {
        "M": result.M,
        "b": [[x] for x in result.b],
        "g": [[x] for x in result.g],
        "tau": [[x] for x in result.tau],
    }
    return tuple(matrix_block(d, key, table[key]) for key in keys)


def result_step(d: "DerivedEquations", result: Method) -> Step:
    words = [
        (
            "M is symmetric; b holds what is quadratic in the rates, g weights and springs, τ "
            "the other loads."
        )
    ]
    if is_long(result):
        words.append(
            tr(
                "M and b have {count} terms: the chapter “{recursive}” writes them by named "
                "intermediates.",
                count=sum(len(p) for p in (*(x for row in result.M for x in row), *result.b)),
                recursive=CHAPTER_TITLES[RECURSIVE],
            )
        )
    if d.rows:
        words.append(tr("C_qᵀ λ are the reactions of what closes loops, couples or drives."))
    return Step(
        "result",
        "result",
        tr("Equations of motion"),
        tuple(words),
        "closed" if d.rows else "open",
        blocks=blocks_of(d, result, ("M", "b", "g", "tau")),
    )


__all__ = ["bodies", "is_long", "method_chapter", "part_of"]
