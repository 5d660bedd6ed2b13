"""Redundant constraints in plain words: which joint prevents what other joints of its loop already prevent, and the cure (THEORY 4).

Loop by loop in drawing order: a closure row that depends on the rows of the loops before it and on its own loop's freedoms
is prevented twice.  The dependent directions of a loop are the left-null space of its six rows, less their part in the row
space of the earlier loops; as twists at the closing joint they say what that joint prevents once more.
"""

import msgspec
import numpy as np

from mechstudio.model.findings import Finding
from mechstudio.model.joint_types import ANGLE, JOINT_TYPES
from mechstudio.model.mechanism import Joint, Mechanism

from .attitude import cross
from .screws import LoopEquations

SMALL = 1e-7            # relative singular value that counts as zero for one loop
ALIGNED = 1e-6          # length of the part that may be missing from a named direction
LISTED = 5              # names listed in a sentence before it says how many more there are

NOUNS = {"fixed": "Fixed joint", "revolute": "Pin", "prismatic": "Slider", "cylindrical": "Cylindrical joint", "universal": "Universal joint",
         "spherical": "Ball joint", "planar": "Planar joint", "point_on_line": "Point-on-line joint", "distance": "Rod"}


class Redundancy(msgspec.Struct, frozen=True):
    """What the closing joint of one loop prevents once more.

    loop: index.   directions (6, h): orthonormal twists (w; v / loop extent) in W at the closing joint's P_B.
    """

    loop: int
    directions: np.ndarray


def redundancies(equations: LoopEquations) -> list[Redundancy]:
    """The loops with dependent closure rows, in drawing order."""
    out = []
    known = np.zeros((0, equations.count))
    for k in range(len(equations.graph.loops)):
        block = equations.matrix[6 * k:6 * k + 6]
        rest = block
        # twice is enough (Parlett): what is left is perpendicular to the known rows to rounding
        for _ in range(2):
            rest = rest - (rest @ known.T) @ known
        U, values, Vt = np.linalg.svd(rest, full_matrices=True)
        rank = int(np.sum(values > SMALL * float(np.linalg.norm(block))))
        known = np.concatenate((known, Vt[:rank]))
        if rank < 6:
            out.append(Redundancy(k, U[:, rank:]))
    return out


def findings(mechanism: Mechanism, equations: LoopEquations, left_null: np.ndarray) -> list[Finding]:
    """One info for every loop with redundant constraints.  left_null (6 L, h): of all closure equations."""
    joints = list(mechanism.joints.values())
    out = []
    for redundancy in redundancies(equations):
        loop = equations.graph.loops[redundancy.loop]
        joint = joints[loop.closing]
        others = listed([joints[j].name for j, _ in sorted(loop.members[1:])])
        count = redundancy.directions.shape[1]
        what = _directions(redundancy.directions, equations.frames[2][loop.closing], equations.frames[3][loop.closing])
        closes = count == 6 - JOINT_TYPES[joint.type].dof
        extra = " It could be left out without anything moving more." if closes else ""
        times = "one constraint" if count == 1 else f"{count} constraints"
        out.append(Finding("info", joint.id, f"{titled(joint)} also prevents {what}, already prevented by {others} ({times} too many).{extra}",
                           _cure(joints, equations, redundancy, left_null, closes)))
    return out


def titled(joint: Joint) -> str:
    """A joint's noun and name at the start of a sentence; a name that says what it is stands alone."""
    noun = NOUNS.get(joint.type, "Joint")
    known = any(word in joint.name.lower() for word in (noun.lower(), "joint", "hinge", "pin", "ball", "rod", "rail", "slider"))
    return joint.name[:1].upper() + joint.name[1:] if known else f"{noun} {joint.name}".rstrip()


def listed(names: list[str]) -> str:
    """A, B and C; long rows end in "and n more"."""
    names = [n or "a joint without a name" for n in names]
    if len(names) > LISTED + 1:
        return ", ".join(names[:LISTED]) + f" and {len(names) - LISTED} more"
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _directions(span: np.ndarray, origin: np.ndarray, axes: np.ndarray) -> str:
    """Words for the directions in a span (6, h) of twists at a point, along world axes or else along the joint's own."""
    best = max((_named(span, frame, own) for frame, own in ((np.eye(3), ""), (axes, "its own "))), key=lambda words: words[0])
    return best[1]


def _named(span, frame, own):
    """(how many directions have plain names, the words) in a frame (3, 3) given by columns."""
    found, parts = 0, []
    rest = span
    for offset, verb in ((0, "rotation about"), (3, "sliding along")):
        names = []
        for k, axis in enumerate("XYZ"):
            unit = np.zeros(6)
            unit[offset:offset + 3] = frame[:, k]
            if np.linalg.norm(unit - span @ (span.T @ unit)) < ALIGNED:
                names.append(axis)
                rest = rest - np.outer(unit, unit @ rest)
        if names:
            found += len(names)
            parts.append(f"{verb} {own}{listed(names)}")
    left = span.shape[1] - found
    if left:
        parts.append(_unnamed(rest, left))
    return found, parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def _unnamed(rest, count):
    """Words for what lies along no axis: a pure turn or slide by its direction in W, else a combined motion."""
    if count == 1:
        direction = np.linalg.svd(rest)[0][:, 0]
        for offset, verb in ((0, "rotation about"), (3, "sliding along")):
            part = direction[offset:offset + 3]
            if np.linalg.norm(part) > 1 - ALIGNED:
                part = part * np.sign(part[np.argmax(np.abs(part))])
                return f"{verb} the direction ({', '.join(f'{c + 0.0:.2f}' for c in np.round(part, 2))})"
        return "one combined turn and slide"
    return f"{count} combined turns and slides"


def _cure(joints, equations, redundancy, left_null, closes):
    """Joint types that take redundancy away and leave every motion as it is, with the hyperstaticity that remains.

    The closing joint's own types come first; other joints of the loop are tried where those leave some of it.
    """
    loop = equations.graph.loops[redundancy.loop]
    total, own = left_null.shape[1], redundancy.directions.shape[1]
    options = _options(joints, equations, loop.closing, left_null)
    if not options or options[0][0] > total - own:
        options += [option for j, _ in sorted(loop.members[1:]) for option in _options(joints, equations, j, left_null)]
        options.sort(key=lambda option: option[0])
    # the best, and the best of another type
    chosen = options[:1] + [option for option in options if option[2] != options[0][2]][:1]
    phrases = [f"make {name} {label}: hyperstatic {total} to {left}" for left, _, label, name in chosen]
    if closes:
        phrases.append(f"leave {joints[loop.closing].name} out: hyperstatic {total} to {total - own}")
    text = ", or ".join(phrases)
    return text[:1].upper() + text[1:] + "." if text else ""


def _options(joints, equations, j, left_null):
    """(hyperstaticity left, how far down the table of types, label, joint's name) of one joint's changes, best first."""
    now, total = JOINT_TYPES[joints[j].type], left_null.shape[1]
    out = []
    for familiar, kind in enumerate(JOINT_TYPES.values()):
        # fewer rows between the same frames: every motion of the joint stays, some are added
        if not (kind.rows and set(kind.rows) < set(now.rows)):
            continue
        gain = _gain(equations, j, kind, left_null)
        # freedoms that no redundancy takes up would be new motions
        if gain == kind.dof - now.dof:
            out.append((total - gain, familiar, kind.label.lower(), joints[j].name))
    return sorted(out)


def _gain(equations, changed, kind, left_null):
    """By how much the hyperstaticity falls if a joint becomes of another kind with the same frames.

    The new freedoms are new columns of the closure equations; the rank grows by the rank of left_null^T (new columns).
    """
    _, A, _, B = (f[changed] for f in equations.frames)
    rows = [np.concatenate((cross(B[:, b], A[:, a]), np.zeros(3)) if primitive == ANGLE else (np.zeros(3), A[:, a]))
            for primitive, a, b in kind.rows]
    allowed = np.linalg.svd(np.array(rows))[2][len(rows):].T
    dependent = np.zeros((left_null.shape[1], kind.dof))
    for i in equations.loops_of[changed]:
        sign = next(s for j, s in equations.graph.loops[i].members if j == changed)
        block = equations.row_blocks(i, [changed], [sign], allowed[None])[0]
        dependent += left_null[6 * i:6 * i + 6].T @ block
    return int(np.linalg.matrix_rank(dependent, tol=SMALL))
