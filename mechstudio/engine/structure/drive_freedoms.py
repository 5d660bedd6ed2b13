"""Drives against the freedoms: how many of them are independent, and which prescribe what is
prescribed already (THEORY 4).
"""

import numpy as np

from mechstudio.engine.constraints.ranks import rank
from mechstudio.engine.constraints.screws import LoopEquations
from mechstudio.model.findings import Finding, listed
from mechstudio.model.mechanism import CoordinateOf, Drive, Mechanism
from mechstudio.translation import tr, trn


def driven(
    mechanism: Mechanism, equations: LoopEquations, motions: np.ndarray
) -> tuple[list[Drive], list[tuple[Drive, bool]]]:
    """The enabled drives that each take one freedom, and those that take none with whether their
    coordinate can move at all.

    motions (n, d): joint freedoms of the free motions, orthonormal.  Drives are taken in drawing
    order.
    """
    taken, out, left = np.zeros((0, motions.shape[1])), [], []
    for drive in mechanism.drives.values():
        if not drive.enabled:
            continue
        along = (
            equations.coordinate_row((CoordinateOf(drive.joint, drive.coordinate),), (1.0,))
            @ motions
        )
        rest = along - (along @ taken.T) @ taken
        rest = rest - (rest @ taken.T) @ taken
        if rank(rest[None], 1.0):
            taken = np.concatenate((taken, rest[None] / np.linalg.norm(rest)))
            out.append(drive)
        else:
            left.append((drive, bool(rank(along[None], 1.0))))
    return out, left


def driving_findings(
    mechanism: Mechanism, equations: LoopEquations, motions: np.ndarray, mobility: int
) -> list[Finding]:
    """A warning for every drive that the joints and the drives before it leave nothing to
    prescribe.
    """
    independent, dependent = driven(mechanism, equations, motions)
    out = []
    for drive, can_move in dependent:
        name = mechanism.joints[drive.joint].name
        who = drive.name[:1].upper() + drive.name[1:]
        if not can_move:
            text, cure = (
                tr(
                    "{who} prescribes {name}, which the joints do not let move.", who=who, name=name
                ),
                tr("Remove the drive, or change the joints so that it can move."),
            )
        else:
            others = listed([d.name for d in independent])
            freedoms = (
                tr("one freedom") if mobility == 1 else tr("{mobility} freedoms", mobility=mobility)
            )
            text = trn(
                "{who} prescribes a motion of {name} that {others} already prescribes; the "
                "mechanism has {freedoms}.",
                "{who} prescribes a motion of {name} that {others} already prescribe; the "
                "mechanism has {freedoms}.",
                len(independent),
                who=who,
                name=name,
                others=others,
                freedoms=freedoms,
            )
            cure = tr(
                "Switch {drive} off or remove it; a run stops where the drives contradict each "
                "other.",
                drive=drive.name,
            )
        out.append(Finding("warning", drive.id, text, cure))
    return out
