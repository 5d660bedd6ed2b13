"""The chapter of joints and transforms: motion subspaces S, T_(i-1)i, their product, and attitudes
by angles and by quaternion (THEORY 1, 3).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mechstudio.model.equations.lecture import CHAPTER_TITLES, KINEMATICS, Chapter, Step
from mechstudio.model.equations.terms import Block, Entry, Name, Term
from mechstudio.model.tree import Branch
from mechstudio.model.types.joints import BALL, JOINT_TYPES
from mechstudio.symbolic.plan.layout import Cursor, Slide, Track, Turn
from mechstudio.symbolic.printers.writer import LONGEST, Writer
from mechstudio.symbolic.ring.polynomials import Poly, Vector
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

_SIX = ("ω x", "ω y", "ω z", "v x", "v y", "v z")
BALL_ANGLES = ("psi", "theta", "phi")


def kinematics_chapter(d: "DerivedEquations") -> Chapter:
    """S and T of every joint, the product to every last body, attitudes of balls and free
    bodies.
    """
    w = d.writer
    steps = [*_joints(d, w), *_transforms(d, w), *_attitudes(d, w)]
    return Chapter(KINEMATICS, CHAPTER_TITLES[KINEMATICS], tuple(steps))


def motion_subspace(d: "DerivedEquations", branch: Branch) -> tuple[list[list[Poly]], list[int]]:
    """(S, components): twists (ω; v) of the outer body at its own frame's origin per rate of the
    joint's coordinates, in the axes of the inner frame.
    """
    ring, kin, plan = d.ring, d.setting.kinematics, d.plan
    a, b = plan.ends[branch.joint]
    near, far = (b, a) if branch.reversed else (a, b)
    legs = far.legs[len(near.legs) :]
    dof = JOINT_TYPES[plan.mechanism.joints[branch.joint].type].dof
    columns: list[list[Vector]] = [[[ring.zero] * 3, [ring.zero] * 3] for _ in range(dof)]
    into = lambda v, frame: kin.to_body(near, kin.transformed(v, frame, near.frame))
    for place, leg in enumerate(legs):
        if not isinstance(leg, Turn | Slide | Track):
            continue
        form = (
            leg.rate
            if isinstance(leg, Turn)
            else leg.length
            if isinstance(leg, Slide)
            else leg.variable
        )
        component, sign = _component(d, branch.joint, form)
        omega, v = columns[component]
        if isinstance(leg, Turn):
            axis = into(
                [ring.one * sign if k == leg.axis else ring.zero for k in range(3)], leg.frame
            )
            arm: Vector = [ring.zero] * 3
            for later in legs[place + 1 :]:
                if not isinstance(later, Turn):
                    arm = [x + y for x, y in zip(arm, into(kin.leg_vector(later), later.frame))]
            columns[component] = [
                [x + y for x, y in zip(omega, axis)],
                [x + y for x, y in zip(v, ring.cross(axis, arm))],
            ]
        else:
            along = (
                kin.track_vector(leg, 1)
                if isinstance(leg, Track)
                else [
                    ring.amount(leg.factor) * x
                    for x in ring.rotated(leg.axis, leg.form, ring.signed(leg.direction))
                ]
            )
            columns[component] = [omega, [x + sign * y for x, y in zip(v, into(along, leg.frame))]]
    return [
        [ring.reduce(column[side][axis]) for column in columns]
        for side in (0, 1)
        for axis in range(3)
    ], list(range(dof))


def with_free_turns(
    d: "DerivedEquations", S: list[list[Poly]], ball: list[int]
) -> list[list[Poly]]:
    """S (6 rows) with the columns of a ball's angles, by their places, replaced by those of its
    angular velocity: (I; 0) at its centre (THEORY 3).

    The same S where the outer frame is not at the centre.
    """
    ring = d.ring
    if any(S[3 + i][k] for i in range(3) for k in ball):
        return S
    out = [list(row) for row in S]
    for place, k in enumerate(ball):
        for i in range(6):
            out[i][k] = ring.one if i == place else ring.zero
    return out


def _component(d: "DerivedEquations", joint: str, form) -> tuple[int, int]:
    """Index of the joint coordinate by which a leg moves, and its sign."""
    moving = tuple((v, c) for v, c in form if v >= 0)
    for (id, component), known in d.plan.joint_forms.items():
        own = tuple((v, c) for v, c in known if v >= 0)
        if id == joint and own in (moving, tuple((v, -c) for v, c in moving)):
            return component, 1 if own == moving else -1
    raise AssertionError(tr("a leg of {joint} moves by none of its coordinates", joint=joint))


def _joints(d: "DerivedEquations", w: Writer) -> Iterator[Step]:
    mechanism = d.plan.mechanism
    yield Step(
        "subspaces",
        "subspaces",
        tr("Motion subspaces"),
        (
            tr(
                "Columns of S are the twists (ω; v) of the outer body over the inner one, at its "
                "joint's origin, along the inner frame's axes."
            ),
        ),
    )
    for branch in d.plan.tree.branches:
        if not branch.joint:
            continue
        joint = mechanism.joints[branch.joint]
        kind = JOINT_TYPES[joint.type]
        words = [
            tr(
                "{kind}: {dof} of 6 motions are free, {kind_dof} are held.",
                kind=tr(kind.label),
                dof=kind.dof,
                kind_dof=6 - kind.dof,
            )
        ]
        blocks: tuple[Block, ...] = ()
        if kind.dof:
            by_rates, _ = motion_subspace(d, branch)
            names = [c.name for c in kind.coordinates]
            ball = (
                [k for k, name in enumerate(names) if name in BALL_ANGLES]
                if BALL in dict(kind.motions)
                else []
            )
            S = with_free_turns(d, by_rates, ball) if ball else by_rates
            columns = [
                f"ω{'xyz'[ball.index(k)]}" if S is not by_rates and k in ball else name
                for k, name in enumerate(names)
            ]
            blocks = (
                w.block(
                    f"S:{joint.id}", w.name("S", joint.name), S, _SIX, columns, [(joint.id,)] * 6
                ),
            )
            if any(not p.is_constant() for row in S for p in row if p):
                words.append(tr("S moves with the joint's own coordinates or holds its lengths."))
            if ball and S is not by_rates:
                words.append(
                    tr(
                        "Any angular velocity is free. The columns of the second matrix are per "
                        "rate of ψ, θ and φ. At θ = ±90° they are dependent and miss a turn that "
                        "S has."
                    )
                )
                blocks += (
                    w.block(
                        f"S':{joint.id}",
                        w.name("S", joint.name, "angles"),
                        by_rates,
                        _SIX,
                        names,
                        [(joint.id,)] * 6,
                    ),
                )
        yield Step(
            f"subspaces:{joint.id}",
            "subspaces",
            joint.name,
            tuple(words),
            blocks=blocks,
            depth=1,
            sources=(joint.id,),
        )
    for id in d.plan.tree.closing:
        joint = mechanism.joints[id]
        yield Step(
            f"subspaces:{id}",
            "subspaces",
            joint.name,
            (
                tr(
                    "{type}: it closes a loop, its rows stand among the constraints.",
                    type=tr(JOINT_TYPES[joint.type].label),
                ),
            ),
            depth=1,
            sources=(id,),
        )


def _matrix(d: "DerivedEquations", inner: Cursor, outer: Cursor) -> list[list[Poly]]:
    """The homogeneous matrix of `outer` in `inner`."""
    ring, kin = d.ring, d.setting.kinematics
    p, _ = kin.between(inner, outer, inner.frame)
    p = kin.to_body(inner, p)
    axes = [
        kin.to_body(inner, kin.transformed(kin.axis(outer, k), outer.frame, inner.frame))
        for k in range(3)
    ]
    return [[*(axes[k][i] for k in range(3)), p[i]] for i in range(3)] + [
        [ring.zero, ring.zero, ring.zero, ring.one]
    ]


def _transforms(d: "DerivedEquations", w: Writer) -> Iterator[Step]:
    plan, mechanism = d.plan, d.plan.mechanism
    yield Step(
        "transforms",
        "transforms",
        "Transforms",
        (
            tr(
                "Each T carries coordinates of a body's frame, at its inner joint, into those of "
                "the body before it."
            ),
        ),
        "transform",
    )
    for branch in plan.tree.branches:
        body, parent = mechanism.body(branch.body), mechanism.body(branch.parent)
        sources = tuple(x for x in (branch.body, branch.joint) if x)
        block = w.block(
            f"T:{body.id}",
            w.name("T", parent.name, body.name),
            _matrix(d, plan.cursors[branch.parent], plan.cursors[branch.body]),
            sources=[sources] * 4,
        )
        yield Step(
            f"transforms:{body.id}",
            "transforms",
            body.name,
            (),
            blocks=(block,),
            depth=1,
            sources=sources,
        )
    inner = {b.parent for b in plan.tree.branches}
    yield Step(
        "products",
        "transforms",
        tr("Forward kinematics"),
        (tr("The product along the chain places the last bodies in W."),),
        "transform",
    )
    for branch in plan.tree.branches:
        if branch.body in inner:
            continue
        body = mechanism.body(branch.body)
        matrix = _matrix(d, Cursor(), plan.cursors[branch.body])
        size = w.size([p for row in matrix for p in row])
        long = size > 4 * LONGEST
        blocks = (
            ()
            if long
            else (
                w.block(
                    f"T0:{body.id}", w.name("T", "0", body.name), matrix, sources=[(body.id,)] * 4
                ),
            )
        )
        yield Step(
            f"products:{body.id}",
            "transforms",
            body.name,
            (tr("The product has {size} terms and stays a product.", size=size),) if long else (),
            blocks=blocks,
            depth=1,
            sources=(body.id,),
        )


def _attitudes(d: "DerivedEquations", w: Writer) -> Iterator[Step]:
    """Angles of balls and free bodies, where they fail, and the quaternion that carries on."""
    mechanism = d.plan.mechanism
    balls = [
        (b, mechanism.joints[b.joint].name if b.joint else mechanism.body(b.body).name)
        for b in d.plan.tree.branches
        if not b.joint or BALL in dict(JOINT_TYPES[mechanism.joints[b.joint].type].motions)
    ]
    if not balls:
        return
    for branch, name in balls:
        own = [
            k
            for k, c in enumerate(d.plan.coordinates)
            if (c.joint == branch.joint if branch.joint else c.body == branch.body)
            and c.letter in ("psi", "theta", "phi")
        ]
        motion = d.setting.kinematics.motion(d.plan.cursors[branch.body])
        columns = [
            d.setting.kinematics.to_body(d.plan.cursors[branch.body], motion.turning[k])
            for k in own
        ]
        rows: list[list[Poly]] = [[column[i] for column in columns] for i in range(3)]
        det = d.ring.dot(columns[0], d.ring.cross(columns[1], columns[2]))
        theta = d.names.q[own[1]]
        words = (
            tr(
                "R = Rz(ψ) Ry(θ) Rx(φ). The body's angular velocity is E times the rates of the "
                "angles, and det E = ±cos θ."
            ),
            tr(
                "At {theta} = ±90° gimbal lock: φ and ψ turn about the same axis, E cannot be "
                "inverted and M is singular. The body is not: its quaternion carries on.",
                theta=theta.name,
            ),
        )
        source = (branch.joint or branch.body,)
        yield Step(
            f"angles:{source[0]}",
            "attitudes",
            tr("Angles at {name}", name=name),
            words,
            equations=(w.equal(w.symbol("D", "E", name), det, tr("determinant of E"), source),),
            blocks=(
                w.block(
                    f"E:{source[0]}",
                    w.name("E", name),
                    rows,
                    (tr("about x"), tr("about y"), tr("about z")),
                    ("ψ̇", "θ̇", "φ̇"),
                    [source] * 3,
                ),
            ),
            sources=source,
        )
    yield Step(
        "quaternion",
        "attitudes",
        "Quaternion",
        (
            tr(
                "Four numbers with |ε| = 1, scalar first; ε and −ε are the same attitude. ω̄ = 2 "
                "G ε̇ and ε̇ = ½ Gᵀ ω̄ hold everywhere."
            ),
        ),
        blocks=_quaternion(w),
    )


def _quaternion(w: Writer) -> tuple[Block, Block]:
    """R(ε) and G(ε) of THEORY 1."""
    e = [w.name("e", str(k)) for k in range(4)]

    def product(c: int, i: int, j: int) -> Term:
        factors = (Name(e[i].name, e[i].letter, e[i].subscript, 0, 2),) if i == j else (e[i], e[j])
        return Term(c, 1, factors)

    one = Term(1, 1, ())
    off = lambda i, j, k, l, sign: Entry((product(2, i, j), product(2 * sign, k, l)))
    diagonal = lambda i, j: Entry((one, product(-2, i, i), product(-2, j, j)))
    R = (
        (diagonal(2, 3), off(1, 2, 0, 3, -1), off(1, 3, 0, 2, 1)),
        (off(1, 2, 0, 3, 1), diagonal(1, 3), off(2, 3, 0, 1, -1)),
        (off(1, 3, 0, 2, -1), off(2, 3, 0, 1, 1), diagonal(1, 2)),
    )
    single = lambda k, sign: Entry((Term(sign, 1, (e[k],)),))
    G = tuple(
        tuple(single(k, s) for k, s in row)
        for row in (
            ((1, -1), (0, 1), (3, 1), (2, -1)),
            ((2, -1), (3, -1), (0, 1), (1, 1)),
            ((3, -1), (2, 1), (1, -1), (0, 1)),
        )
    )
    return Block("R(ε)", "R(ε)", R, name=w.name("R", "ε")), Block(
        "G(ε)", "G(ε)", G, name=w.name("G", "ε")
    )
