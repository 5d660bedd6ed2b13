"""Efforts and powers of all forces over a run, laws, joints and bushings included."""

from collections.abc import Sequence

import numpy as np

from mechstudio.engine.analyses.table import TIME, Table
from mechstudio.engine.dynamics.instant import Instant, transferred
from mechstudio.engine.dynamics.load_wrenches import Action
from mechstudio.model.mechanism import Force
from mechstudio.model.results.force_columns import force_columns
from mechstudio.model.types.forces import BODY, FORCE_TYPES, FRAMES, sticks
from mechstudio.translation import tr


def force_table(instants: Sequence[Instant]) -> Table:
    """Per force: its effort [N or N m], or its force [N] and moment [N m] along W on its second
    body, and the power that it gives to the bodies [W].

    Friction that may stick has no numbers where its joint rests: its holding force follows no law.
    residual: as of the instants.
    """
    m = instants[0].mechanism
    forces = list(m.forces.values())
    columns: list[tuple[str, str]] = [TIME]
    for force in forces:
        columns += [(f"{force.name} {c}", dimension) for c, dimension in force_columns(m, force)]
    rows = np.zeros((len(instants), len(columns)))
    for r, now in enumerate(instants):
        # gravity comes first, what follows the forces are stops and contacts
        numbers = [
            x for force, action in zip(forces, now.loads[1:]) for x in _numbers(now, force, action)
        ]
        rows[r] = (now.motion.time, *numbers)
    notes = (
        (tr("Friction that holds a joint at rest is left out: no law gives how much it holds."),)
        if np.isnan(rows).any()
        else ()
    )
    return Table(
        "forces", columns, rows, residual=max(now.residual for now in instants), notes=notes
    )


def _numbers(now: Instant, force: Force, action: Action) -> list[float]:
    """The numbers of one force at an instant, in the order of its columns."""
    kind = FORCE_TYPES[force.type]
    power = float(sum(w @ now.at.twists[body] for body, w in action.wrenches.items()))
    if kind.attachment in (FRAMES, BODY):
        assert force.frame_b is not None
        body, place, _ = now.loads_of.point_of(force.frame_b, now.at)
        wrench = transferred(action.wrenches[body], now.at.origins[body], place)
        shown = wrench if kind.attachment == FRAMES else wrench[3:] if kind.moment else wrench[:3]
        return [*map(float, shown), power]
    if sticks(force) and not now.ways.get((force.joint, force.coordinate)):
        return [np.nan, np.nan]
    return [action.effort, power]
