"""The cuts of Newton-Euler's lecture: per body the reactions with their names, its six equations,
and the way of the elimination.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mechstudio.model.equations.lecture import Equality, Reaction, Step
from mechstudio.model.equations.terms import Block, Entry, Name, Term
from mechstudio.symbolic.methods.newton_euler import BIAS, LOAD, WEIGHT, NewtonEuler
from mechstudio.symbolic.methods.reactions import Component, components
from mechstudio.symbolic.printers.writer import AXES, LONGEST, SHARED, Row, Writer
from mechstudio.symbolic.ring.polynomials import Poly
from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

_SIX = [("force", k) for k in range(3)] + [("moment", k) for k in range(3)]


def named(d: "DerivedEquations", w: Writer) -> dict[str, list[tuple[Name, Component]]]:
    """Per body the reactions of the joint that carries it, on that body."""
    out: dict[str, list[tuple[Name, Component]]] = {}
    for branch in d.plan.tree.branches:
        found, counted = components(d.setting, branch), {True: 0, False: 0}
        joint = d.plan.mechanism.joints.get(branch.joint)
        out[branch.body] = []
        for c in found:
            counted[c.is_moment] += 1
            detail = AXES[c.axis] if c.axis >= 0 else str(counted[c.is_moment])
            assert joint is not None
            out[branch.body].append(
                (w.name("N" if c.is_moment else "F", joint.name, detail, source=joint.id), c)
            )
    return out


def reactions(d: "DerivedEquations") -> tuple[Reaction, ...]:
    """The names of all reactions, those of the tree's joints and the multipliers."""
    mechanism, out = d.plan.mechanism, []
    names = named(d, d.writer)
    for branch in d.plan.tree.branches:
        for name, c in names[branch.body]:
            on, against = mechanism.body(branch.body), mechanism.body(branch.parent)
            what = tr("moment") if c.is_moment else tr("force")
            out.append(
                Reaction(
                    name,
                    branch.joint,
                    c.is_moment,
                    c.axis,
                    branch.body,
                    branch.body,
                    branch.parent,
                    tr(
                        "{what} {words} that joint {joint} puts on {on}, and back on {against}",
                        what=what,
                        words=c.words,
                        joint=mechanism.joints[branch.joint].name,
                        on=on.name,
                        against=against.name,
                    ),
                )
            )
    for row, name in zip(d.rows, d.names.multipliers):
        joint = mechanism.joints.get(row.joint)
        on, against = (joint.frame_b.body, joint.frame_a.body) if joint else ("", "")
        out.append(
            Reaction(
                name,
                row.joint,
                row.label.startswith(("angle", "twist")),
                -1,
                "",
                on,
                against,
                tr("multiplier of {row}", row=tr(row.label)),
            )
        )
    return tuple(out)


def cuts(d: "DerivedEquations", w: Writer, result: NewtonEuler) -> Iterator[Step]:
    """Cuts, balances, elimination."""
    plan, mechanism = d.plan, d.plan.mechanism
    names = named(d, w)
    ways = [c.owner for c in plan.coordinates if not c.body]
    count, unknown = 6 * len(names) + len(ways), sum(map(len, names.values()))
    more = (
        tr(", and one for the point without mass on the curve of {ways}", ways=comma().join(ways))
        if ways
        else ""
    )
    yield Step(
        "cuts",
        "cuts",
        tr("Free-body cuts"),
        (
            tr(
                "Every body is cut free: {count} equations{more}, for {coordinates_count} "
                "accelerations and {unknown} reactions",
                count=count,
                more=more,
                coordinates_count=len(plan.coordinates),
                unknown=unknown,
            )
            + (
                tr(", and {count} multipliers whose rows are beside them.", count=len(d.rows))
                if d.rows
                else "."
            ),
            tr("What a joint puts on its outer body it puts on the inner one with the other sign."),
        ),
    )
    for branch in plan.tree.branches:
        if not branch.joint:
            continue
        joint, parts = mechanism.joints[branch.joint], names[branch.body]
        column = tuple((Entry((Term(1, 1, (name,), (branch.joint,)),)),) for name, _ in parts)
        labels = tuple(f"{'moment' if c.is_moment else 'force'} {c.words}" for _, c in parts)
        blocks = (
            (
                Block(
                    f"reactions:{branch.joint}",
                    tr("reactions of {joint}", joint=joint.name),
                    column,
                    labels,
                    ((branch.joint,),) * len(parts),
                ),
            )
            if parts
            else ()
        )
        yield Step(
            f"cuts:{branch.joint}",
            "cuts",
            joint.name,
            (
                tr(
                    "{count} reactions on {body}, at its point of the joint.",
                    count=len(parts),
                    body=mechanism.body(branch.body).name,
                ),
            ),
            blocks=blocks,
            depth=1,
            sources=(branch.joint,),
        )
    yield from _along_curves(d, w, result)
    yield Step(
        "balances",
        "balances",
        tr("Six equations for every body"),
        (
            tr(
                "Moments are taken about the body's point of its inner joint, along the axes in "
                "which that joint stands."
            ),
        ),
        "balances",
    )
    for branch in plan.tree.branches:
        body = mechanism.body(branch.body)
        equations = balance(d, w, result, branch.body, names)
        words = (tr(SHARED),) if len(equations) > 6 else ()
        yield Step(
            f"balances:{branch.body}",
            "balances",
            body.name,
            words,
            equations=equations,
            depth=1,
            sources=(branch.body,),
        )
    yield from elimination(d, w, result, names)


def _along_curves(d: "DerivedEquations", w: Writer, result: NewtonEuler) -> Iterator[Step]:
    """Steps on points without mass along closing curves: what pushes such a point along its curve
    adds up to zero.
    """
    for k, c in enumerate(d.plan.coordinates):
        if not c.body:
            parts: list[tuple[Poly, Name | None]] = [
                (-result.rows[i][k], name) for i, name in enumerate(d.names.multipliers)
            ]
            right = w.linear([*parts, (result.g[k] - result.tau[k], None)])
            yield Step(
                f"cuts:{c.joint}:way",
                "cuts",
                c.owner,
                (
                    tr(
                        "The point that runs along the curve has no mass, so that what pushes it "
                        "along the tangent adds up to zero."
                    ),
                ),
                equations=(Equality(Entry(), right, tr("along the tangent"), (c.joint,)),),
                depth=1,
                sources=(c.joint,),
            )


def balance(
    d: "DerivedEquations",
    w: Writer,
    result: NewtonEuler,
    body: str,
    names: dict[str, list[tuple[Name, Component]]],
) -> tuple[Equality, ...]:
    """The six equations of one body, by parts with names where they are long."""
    ring, kin, plan = d.ring, d.setting.kinematics, d.plan
    own, frame = result.own[body], plan.cursors[body].frame
    held: list[tuple[Name, list, list, str]] = [
        (name, c.force, c.moment, "") for name, c in names[body]
    ]
    for branch in plan.tree.branches:
        if branch.parent != body:
            continue
        outer = plan.cursors[branch.body]
        arm, _ = kin.between(plan.cursors[body], outer, frame)
        for name, c in names[branch.body]:
            force = [-x for x in kin.transformed(c.force, outer.frame, frame)]
            moment = [
                ring.reduce(y - x)
                for x, y in zip(
                    kin.transformed(c.moment, outer.frame, frame), ring.cross(arm, force)
                )
            ]
            held.append((name, force, moment, branch.joint))
    joints = tuple(dict.fromkeys(n.source for n, *_ in held if n.source))
    rows: list[Row] = []
    for side, axis in _SIX:
        table = getattr(own, side)
        at = lambda key, table=table, axis=axis: table[key][axis] if key in table else ring.zero
        left = [*((at(k), d.names.a[k]) for k in range(ring.coordinate_count)), (at(BIAS), None)]
        right = [(-at(WEIGHT), None), (at(LOAD), None)]
        right += [
            ((force if side == "force" else moment)[axis], name) for name, force, moment, _ in held
        ]
        right += [(at((i,)), d.names.multipliers[i]) for i in range(len(d.rows))]
        rows.append(
            (
                left,
                right,
                f"{tr('forces along') if side == 'force' else tr('moments about')} {AXES[axis]}",
                (body, *joints),
            )
        )
    return w.written(rows, 6 * LONGEST)


def elimination(
    d: "DerivedEquations",
    w: Writer,
    result: NewtonEuler,
    names: dict[str, list[tuple[Name, Component]]],
) -> Iterator[Step]:
    """From the leaves to the root: what each joint transmits."""
    plan, mechanism = d.plan, d.plan.mechanism
    yield Step(
        "elimination",
        "elimination",
        tr("Reactions eliminated"),
        (
            tr(
                "From the outermost bodies inwards: what a joint transmits is what all bodies "
                "beyond it need. Its part along the joint's own motion cannot be transmitted: "
                "that is the equation of the coordinate."
            ),
        ),
    )
    for branch in reversed(plan.tree.branches):
        wrench = result.transmitted[branch.body]
        rows: list[Row] = []
        # where all reactions lie along the display axes, any other direction is a motion of the
        # joint
        held = {
            (c.is_moment, -1 if any(c.force) and any(c.moment) else c.axis)
            for _, c in names[branch.body]
        }
        for side, axis in _SIX:
            table = getattr(wrench, side)
            at = lambda key, table=table, axis=axis: (
                table[key][axis] if key in table else d.ring.zero
            )
            parts = [(at(k), d.names.a[k]) for k in range(d.ring.coordinate_count)] + [
                (at(BIAS) + at(WEIGHT) - at(LOAD), None)
            ]
            parts += [(-at((i,)), d.names.multipliers[i]) for i in range(len(d.rows))]
            if any(p for p, _ in parts):
                letter = "F" if side == "force" else "N"
                name = (
                    mechanism.joints[branch.joint].name
                    if branch.joint
                    else mechanism.body(branch.body).name
                )
                free = all(a >= 0 for _, a in held) and (side == "moment", axis) not in held
                left = Entry() if free else w.symbol(letter, name, AXES[axis], source=branch.joint)
                words = f"{'about' if side == 'moment' else 'along'} {AXES[axis]}"
                label = (
                    tr("{words}: the joint cannot transmit it", words=words)
                    if free
                    else f"{side} {words}"
                )
                rows.append((left, parts, label, (branch.joint or branch.body,)))
        title = (
            mechanism.joints[branch.joint].name
            if branch.joint
            else mechanism.body(branch.body).name
        )
        equations = w.written(rows, 6 * LONGEST)
        yield Step(
            f"elimination:{branch.body}",
            "elimination",
            title,
            (tr(SHARED),) if len(equations) > len(rows) else (),
            equations=equations,
            depth=1,
            sources=tuple(x for x in (branch.joint, branch.body) if x),
        )
