"""Redundant constraints in plain words: which joint prevents what other joints of its loop already
prevent, and the cure (THEORY 4).

Loop by loop in drawing order: a closure row that depends on the rows of the loops before it and on
its own loop's freedoms is prevented twice.  The dependent directions of a loop are the left-null
space of its six rows, less their part in the row space of the earlier loops; as twists at the
closing joint they say what that joint prevents once more.
"""

from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from mechstudio.engine.constraints.ranks import rank, rank_of
from mechstudio.engine.constraints.screws import LoopEquations
from mechstudio.model.findings import Finding, listed
from mechstudio.model.joints.titles import titled
from mechstudio.model.mechanism import GROUND, Joint, Mechanism
from mechstudio.model.results.analysis import Cure, Redundancy
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.forces import JOINT as ON_JOINT
from mechstudio.model.types.joints import JOINT_TYPES, JointType
from mechstudio.translation import Words, localised, series, tr

ALIGNED = 1e-6  # length of the part that may be missing from a named direction
BUTTONS = 4  # cures offered for one redundancy
PAIRED = 6  # joints of a loop among which a pair to change is sought


class Dependent(NamedTuple):
    """Equations that say nothing new.

    loop: index, -1 for a row of a coupling or of rolling, whose place in the matrix is `row`.
    directions (6, k): of a loop, orthonormal twists (w; v / loop extent) in W at the closing
    joint's P_B.
    """

    loop: int
    row: int
    directions: np.ndarray


def dependent(equations: LoopEquations) -> list[Dependent]:
    """Dependences of the equations on those before them: loops in drawing order, then couplings,
    then rolling rows.
    """
    out = []
    known = np.zeros((0, equations.count))
    starts = [*range(0, equations.closure, 6), *range(equations.closure, len(equations.matrix))]
    for k, start in enumerate(starts):
        loop = k if start < equations.closure else -1
        block = equations.matrix[start : start + (6 if loop >= 0 else 1)]
        rest = block
        # twice is enough (Parlett): what is left is perpendicular to the known rows to rounding
        for _ in range(2):
            rest = rest - (rest @ known.T) @ known
        U, values, Vt = np.linalg.svd(rest, full_matrices=True)
        new = rank_of(values, float(np.linalg.norm(block)))
        known = np.concatenate((known, Vt[:new]))
        if new < len(block):
            out.append(Dependent(loop, start, U[:, new:]))
    return out


def redundancies(
    mechanism: Mechanism, equations: LoopEquations, left_null: np.ndarray
) -> tuple[Redundancy, ...]:
    """Everything that is prevented more than once, with what would end it.  left_null (n_s, h): of
    all equations.
    """
    joints, couplings = list(mechanism.joints.values()), list(mechanism.couplings.values())
    held = _held(mechanism)
    out = []
    for d in dependent(equations):
        total, count = left_null.shape[1], d.directions.shape[1]
        if d.loop >= 0:
            loop = equations.graph.loops[d.loop]
            joint = joints[loop.closing]
            words = _directions(
                d.directions, equations.frames[2][loop.closing], equations.frames[3][loop.closing]
            )
            others = tuple(joints[j].id for j, _ in sorted(loop.members[1:]))
            out.append(
                Redundancy(
                    joint.id,
                    d.loop,
                    words,
                    others,
                    count,
                    _cures(joints, equations, d, left_null, held),
                )
            )
        elif d.row < equations.closure + equations.coupling:
            coupling = couplings[d.row - equations.closure]
            others = tuple(dict.fromkeys(end.joint for end in coupling.ends))
            cure = Cure(
                coupling.id,
                "",
                total,
                total - 1,
                tr(
                    "Leave {coupling} out: hyperstatic {total} to {total_2}",
                    coupling=coupling.name,
                    total=total,
                    total_2=total - 1,
                ),
            )
            out.append(Redundancy(coupling.id, -1, "a motion", others, 1, (cure,)))
        else:
            joint = joints[equations.rolling_joints[d.row - equations.closure - equations.coupling]]
            out.append(Redundancy(joint.id, -1, "slip", (), 1))
    return tuple(out)


def finding(mechanism: Mechanism, redundancy: Redundancy, index: int) -> Finding:
    """The same as a sentence.   index: among the analysis' redundancies."""
    times = (
        tr("one constraint")
        if redundancy.count == 1
        else tr("{count} constraints", count=redundancy.count)
    )
    if redundancy.element in mechanism.couplings:
        name = mechanism.couplings[redundancy.element].name
        message = tr(
            "{name} prescribes a motion that the joints and couplings before it already prescribe "
            "(one constraint too many).",
            name=name[:1].upper() + name[1:],
        )
    elif redundancy.loop < 0:
        message = tr(
            "{joint} also prevents slip that cannot happen here any more ({times} too many).",
            joint=titled(mechanism.joints[redundancy.element]),
            times=times,
        )
    else:
        joint = mechanism.joints[redundancy.element]
        others = listed([mechanism.joints[id].name for id in redundancy.others])
        extra = (
            tr(" It could be left out without anything moving more.")
            if any(c.type == "" and c.element == joint.id for c in redundancy.cures)
            else ""
        )
        message = tr(
            "{joint} also prevents {directions}, already prevented by {others} ({times} too "
            "many).{extra}",
            joint=titled(joint),
            directions=redundancy.directions,
            others=others,
            times=times,
            extra=extra,
        )
    return Finding("info", redundancy.element, message, _advice(redundancy), index)


def _advice(redundancy: Redundancy) -> str:
    """The best cure, the best of another type, and leaving out."""
    changes = [c for c in redundancy.cures if c.type]
    chosen = (
        changes[:1]
        + [c for c in changes if (c.type, c.also) != (changes[0].type, changes[0].also)][:1]
        + [c for c in redundancy.cures if not c.type]
    )
    text = tr(", or ").join(c.words[:1].lower() + c.words[1:] for c in chosen)
    if not text:
        return tr(
            "No other type of a single joint takes it away without letting more move; the motion "
            "is exact all the same."
        )
    return text[:1].upper() + text[1:] + "."


def _held(mechanism: Mechanism) -> set[str]:
    """Joints whose coordinates are used by something: another type would take them away from it."""
    out = {end.joint for c in mechanism.couplings.values() for end in c.ends} | {
        d.joint for d in mechanism.drives.values()
    }
    out |= {
        f.joint
        for f in mechanism.forces.values()
        if f.type in FORCE_TYPES and FORCE_TYPES[f.type].attachment == ON_JOINT
    }
    return out | {
        j.id for j in mechanism.joints.values() if j.limits or JOINT_TYPES[j.type].rolling
    }


# rotations and slides of a twist, by the place of their three entries
WAYS: tuple[tuple[int, Words], ...] = ((0, "rotation about {axes}"), (3, "sliding along {axes}"))


def _directions(span: np.ndarray, origin: np.ndarray, axes: np.ndarray) -> str:
    """Words for the directions in a span (6, h) of twists at a point, along world axes or else
    along the joint's own.
    """
    best = max(
        (_named(span, frame, own) for frame, own in ((np.eye(3), False), (axes, True))),
        key=lambda words: words[0],
    )
    return best[1]


def _named(span, frame, own):
    """(how many directions have plain names, the words) in a frame (3, 3) given by columns."""
    found, parts = 0, []
    rest = span
    for offset, way in WAYS:
        names = []
        for k, axis in enumerate("XYZ"):
            unit = np.zeros(6)
            unit[offset : offset + 3] = frame[:, k]
            if np.linalg.norm(unit - span @ (span.T @ unit)) < ALIGNED:
                names.append(axis)
                rest = rest - np.outer(unit, unit @ rest)
        if names:
            found += len(names)
            axes = listed(names)
            parts.append(tr(way, axes=tr("its own {axes}", axes=axes) if own else axes))
    left = span.shape[1] - found
    if left:
        parts.append(_unnamed(rest, left))
    return found, listed(parts)


def _unnamed(rest, count):
    """Words for what lies along no axis: a pure turn or slide by its direction in W, else a
    combined motion.
    """
    if count == 1:
        direction = np.linalg.svd(rest)[0][:, 0]
        for offset, way in WAYS:
            part = direction[offset : offset + 3]
            if np.linalg.norm(part) > 1 - ALIGNED:
                part = part * np.sign(part[np.argmax(np.abs(part))])
                numbers = series(localised(f"{c + 0.0:.2f}") for c in np.round(part, 2))
                return tr(way, axes=tr("the direction ({names})", names=numbers))
        return tr("one combined turn and slide")
    return tr("{count} combined turns and slides", count=count)


def _cures(
    joints: list[Joint],
    equations: LoopEquations,
    redundancy: Dependent,
    left_null: np.ndarray,
    held: set[str],
) -> tuple[Cure, ...]:
    """Changes that take redundancy away and leave every motion as it is, with the hyperstaticity
    that remains.

    The textbook's pair comes first, then the closing joint's own types; other joints of the loop
    are tried where those leave some of it.
    """
    loop = equations.graph.loops[redundancy.loop]
    closing = joints[loop.closing]
    total, own = left_null.shape[1], redundancy.directions.shape[1]
    options = _options(joints, equations, loop.closing, left_null, held)
    if not options or options[0][0] > total - own:
        options += [
            option
            for j, _ in sorted(loop.members[1:])
            for option in _options(joints, equations, j, left_null, held)
        ]
        options.sort(key=lambda option: option[:2])
    # the best of each type first: two buttons that do the same to two joints say less
    firsts = [o for k, o in enumerate(options) if o[2] not in {p[2] for p in options[:k]}]
    options = firsts + [o for o in options if o not in firsts]
    out = list(_pair(joints, equations, redundancy, left_null, held))
    out += [
        Cure(
            joints[j].id,
            type,
            total,
            left,
            tr(
                "Make {joint} {type}: hyperstatic {total} to {left}",
                joint=joints[j].name,
                type=tr(JOINT_TYPES[type].label).lower(),
                total=total,
                left=left,
            ),
        )
        for left, _, type, j in options[: BUTTONS - len(out)]
    ]
    if own == 6 - JOINT_TYPES[closing.type].dof and closing.id not in held:
        out.append(
            Cure(
                closing.id,
                "",
                total,
                total - own,
                tr(
                    "Leave {closing} out: hyperstatic {total} to {total_2}",
                    closing=closing.name,
                    total=total,
                    total_2=total - own,
                ),
            )
        )
    return tuple(out)


def _pair(
    joints: list[Joint],
    equations: LoopEquations,
    redundancy: Dependent,
    left_null: np.ndarray,
    held: set[str],
) -> tuple[Cure, ...]:
    """One joint spherical and one cylindrical, as a textbook makes a planar loop isostatic; empty
    where that leaves some of it or lets more move.
    """
    loop = equations.graph.loops[redundancy.loop]
    closing = joints[loop.closing]
    bodies = {closing.frame_a.body, closing.frame_b.body}
    # joints of the closing joint's own bodies first, those on the ground last: the coupler of a
    # four-bar gets both
    distance = lambda j: (
        not bodies & {joints[j].frame_a.body, joints[j].frame_b.body},
        GROUND in (joints[j].frame_a.body, joints[j].frame_b.body),
        j,
    )
    members = [loop.closing, *sorted((j for j, _ in loop.members[1:]), key=distance)]
    free = [j for j in members if joints[j].id not in held][:PAIRED]
    total, own = left_null.shape[1], redundancy.directions.shape[1]
    for ball, tube in permutations(free, 2):
        changes = {ball: "spherical", tube: "cylindrical"}
        if not all(
            _nests(JOINT_TYPES[type], JOINT_TYPES[joints[j].type]) for j, type in changes.items()
        ):
            continue
        added = sum(
            JOINT_TYPES[type].dof - JOINT_TYPES[joints[j].type].dof for j, type in changes.items()
        )
        if added == own == _gain(equations, joints, changes, left_null):
            words = tr(
                "Make {joint} spherical and {joint_name} cylindrical: hyperstatic {total} to "
                "{total_2}",
                joint=joints[ball].name,
                joint_name=joints[tube].name,
                total=total,
                total_2=total - own,
            )
            return (
                Cure(
                    joints[ball].id,
                    "spherical",
                    total,
                    total - own,
                    words,
                    ((joints[tube].id, "cylindrical"),),
                ),
            )
    return ()


def _options(joints, equations, j, left_null, held) -> list[tuple[int, int, str, int]]:
    """(hyperstaticity left, how far down the table of types, type, joint index) of one joint's
    changes, best first.
    """
    now, total = JOINT_TYPES[joints[j].type], left_null.shape[1]
    out: list[tuple[int, int, str, int]] = []
    if joints[j].id in held:
        return out
    for familiar, (type, kind) in enumerate(JOINT_TYPES.items()):
        if not _nests(kind, now):
            continue
        gain = _gain(equations, joints, {j: type}, left_null)
        # freedoms that no redundancy takes up would be new motions
        if gain == kind.dof - now.dof:
            out.append((total - gain, familiar, type, j))
    return sorted(out)


def _nests(kind: JointType, now: JointType) -> bool:
    """True if a joint may become of a kind by dropping rows between the same frames: every motion
    of the joint stays, some are added.
    """
    return (
        bool(kind.rows)
        and set(kind.rows) < set(now.rows)
        and not kind.rolling
        and not kind.has_track
        and {p.name for p in kind.parameters} <= {p.name for p in now.parameters}
    )


def _gain(
    equations: LoopEquations, joints: list[Joint], changes: dict[int, str], left_null: np.ndarray
) -> int:
    """By how much the hyperstaticity falls if joints become of other types (by index) with the same
    frames.

    The new freedoms are new columns of the closure equations; the rank grows by the rank of
    left_null^T (new columns).
    """
    return rank(
        np.hstack(
            [
                _new_columns(
                    equations, j, JOINT_TYPES[joints[j].type], JOINT_TYPES[type], left_null
                )
                for j, type in changes.items()
            ]
        ),
        1.0,
    )


def _new_columns(
    equations: LoopEquations, changed: int, now: JointType, kind: JointType, left_null: np.ndarray
) -> np.ndarray:
    """left_null^T (columns of a joint's freedoms as another kind), (h, kind.dof)."""
    own: Any = equations.rows_of(changed)
    kept = np.array(
        [row for row, primitive in zip(own, now.rows, strict=True) if primitive in kind.rows]
    )
    allowed = np.linalg.svd(kept)[2][len(kept) :].T
    columns = np.zeros((left_null.shape[1], kind.dof))
    for i in equations.loops_of[changed]:
        sign = next(s for j, s in equations.graph.loops[i].members if j == changed)
        block = equations.row_blocks(i, [changed], [sign], allowed[None])[0]
        columns += left_null[6 * i : 6 * i + 6].T @ block
    return columns
