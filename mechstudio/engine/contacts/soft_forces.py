"""Soft rows for the springs, dampers, servos and bushings of a drawing that are too stiff to be
explicit in steps with contacts (engine/contacts/stepping/soft_rows.py).
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from mechstudio.engine.contacts.stepping.soft_rows import NEAREST, SHORT
from mechstudio.engine.errors import EngineError
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.right_hand_side import move, right_hand_side
from mechstudio.engine.system.force_tables import parameter_values
from mechstudio.engine.system.nodes import joint_end
from mechstudio.engine.system.row_tables import Row, coordinate_row
from mechstudio.engine.system.system import System
from mechstudio.model.mechanism import Force
from mechstudio.model.types import force_laws as law
from mechstudio.model.types import forces
from mechstudio.model.types.forces import FORCE_TYPES

# stiffness, damping and the value at rest of laws that are linear, by their parameters
LINEAR: dict[Callable, Callable[[Sequence[float]], tuple[float, float, float]]] = {
    law.spring: lambda p: (p[0], 0.0, p[1]),
    law.damper: lambda p: (0.0, p[0], 0.0),
    law.servo: lambda p: (p[0], p[1], p[2]),
}
# h^2 k / m and h c / m above which a force gets a row, m being the mass that it moves
FELT = SHORT**2, SHORT


def soft_tables(system: System, step: float, every: bool = False) -> Tables | None:
    """Tables of a system with a soft row for each linear force that is stiff for a step [s], or for
    every linear force; None if there is none.
    """
    rows = [row for force in system.mechanism.forces.values() for row in _rows(system, force)]
    if not rows:
        return None
    T, y, first = system.softened(rows), system.start, len(system.kept)
    move(y.copy(), T, np.zeros(int(T.size[k.NV])))
    measure_lengths(T)
    for row, length in zip(rows, T.row_const[first:, k.RLEN], strict=False):
        row.const[k.RLEN] = length
    right_hand_side(y.copy(), T, np.zeros_like(y), False)
    # the initial pivot of a soft row is one over the mass that it moves
    for row, mobility in zip(rows, T.row[first : first + len(rows), k.KD0], strict=True):
        row.const[k.RPIVOT] = mobility
    felt = [
        row
        for row in rows
        if every
        or step * step * row.const[k.RSTIFF] * row.const[k.RPIVOT] > FELT[0]
        or step * row.const[k.RDAMP] * row.const[k.RPIVOT] > FELT[1]
    ]
    return system.softened(felt) if felt else None


def measure_lengths(T: Tables) -> None:
    """Align soft rows between two points with the line that joins them at the present nodes, as
    `go_to` of stepping/soft_rows.py does.
    """
    for r in np.flatnonzero(T.row_const[:, k.RSTIFF] + T.row_const[:, k.RDAMP] > 0.0):
        if T.rows[r, k.ROW_TYPE] == k.DISTANCE:
            a, b = (
                T.node[n, k.O : k.O + 3] + T.node[n, :9].reshape(3, 3) @ T.row_const[r, at : at + 3]
                for n, at in ((T.rows[r, k.RA], k.RP), (T.rows[r, k.RB], k.RQ))
            )
            T.row_const[r, k.RLEN] = max(
                float(np.linalg.norm(b - a)), NEAREST * float(T.settings[k.LENGTH])
            )


def _rows(system: System, force: Force) -> Iterator[Row]:
    """Rows along which a force is linear, with its stiffness and damping; none if its numbers
    follow laws.
    """
    kind, numbers = FORCE_TYPES[force.type], parameter_values(force)
    if force.laws:
        return
    if kind.attachment == forces.FRAMES:
        yield from _bushing_rows(system, force, numbers)
    elif kind.law is not None and kind.law in LINEAR:
        linear = LINEAR[kind.law](numbers)
        if min(linear[:2]) < 0.0 or not any(linear[:2]):
            return
        if kind.attachment == forces.TWO_POINTS:
            row = _row(system, force, k.DISTANCE, np.zeros(3), np.zeros(3), linear)
        else:
            row = _coordinate_row(system, force, linear)
        if row is not None:
            row.const[k.RACCOUNTED] = kind.potential is None
            yield row


def _coordinate_row(system: System, force: Force, linear: tuple[float, float, float]) -> Row | None:
    """The row of a joint's coordinate; None for one of several angles that are only defined
    together, whose force stays explicit.
    """
    try:
        row = coordinate_row(
            system.mechanism,
            system.tree,
            system.where,
            force.id,
            ((force.joint, force.coordinate, 1.0),),
            lasting=False,
        )
    except EngineError:
        return None
    row.const[[k.RSTIFF, k.RDAMP, k.RREST]] = linear
    return row


def _symmetric(triangle: Sequence[float]) -> np.ndarray:
    """A 6 x 6 matrix from its upper triangle, row by row."""
    out = np.zeros((6, 6))
    out[np.triu_indices(6)] = triangle
    return np.where(out, out, out.T)


def _bushing_rows(system: System, force: Force, numbers: Sequence[float]) -> Iterator[Row]:
    """Rows along the principal axes of both blocks of the stiffness, in the axes of frame A; terms
    that couple turns and shifts stay explicit.
    """
    half = len(numbers) // 2
    stiffness, damping = (_symmetric(n) for n in (numbers[:half], numbers[half:]))
    for first, primitive in ((0, k.ANGLE), (3, k.POINT)):
        block = slice(first, first + 3)
        values, axes = np.linalg.eigh(stiffness[block, block])
        if not values.any():
            values, axes = np.zeros(3), np.linalg.eigh(damping[block, block])[1]
        for n in range(3):
            c = float(axes[:, n] @ damping[block, block] @ axes[:, n])
            u, w = (axes[:, n], axes[:, n]) if primitive == k.POINT else axes.T[[n - 2, n - 1]]
            if values[n] >= 0.0 and c >= 0.0 and values[n] + c > 0.0:
                yield _row(system, force, primitive, u, w, (float(values[n]), c, 0.0))


def _row(
    system: System,
    force: Force,
    primitive: int,
    axis_a: np.ndarray,
    axis_b: np.ndarray,
    linear: tuple[float, float, float],
) -> Row:
    """A row between the two frames of a force.  axis_a, axis_b: in their axes.  linear: stiffness,
    damping and value at rest.
    """
    assert force.frame_a is not None, "it has two ends"
    assert force.frame_b is not None, "it has two ends"
    (a, (Ra, pa)), (b, (Rb, pb)) = (
        joint_end(system.mechanism, system.tree, f) for f in (force.frame_a, force.frame_b)
    )
    const = np.zeros(k.ROW_CONSTS)
    const[[k.RLEN, k.RSCALE, k.RPIVOT, k.RMETRES]] = 1.0
    const[k.RU : k.RU + 3], const[k.RP : k.RP + 3] = Ra @ axis_a, pa
    const[k.RQ : k.RQ + 3] = Rb @ axis_b if primitive == k.ANGLE else pb
    const[[k.RSTIFF, k.RDAMP, k.RREST]] = linear
    return Row(force.id, primitive, (a, b), const, lasting=False)
