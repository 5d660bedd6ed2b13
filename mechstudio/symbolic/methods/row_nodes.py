"""The rows of C as a graph of operations: the closing joints, couplings and drives read once more,
in nodes in place of polynomials, with C_q and gamma as derivatives of the graph.

A row of six universal joints has a million terms in closed form and a few hundred operations here.
"""

import math
from typing import TYPE_CHECKING, cast

from mechstudio.symbolic.kinematics.coupling_rows import coordinate_rows, rolling_rows
from mechstudio.symbolic.kinematics.kinematics import Kinematics
from mechstudio.symbolic.kinematics.loop_rows import Row, UnwrittenRow, closing_rows
from mechstudio.symbolic.kinematics.measured_rows import measured_rows
from mechstudio.symbolic.ring.expression_graph import OPERATIONS, Graph, Node, needed
from mechstudio.symbolic.ring.polynomials import Ring

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

SHORT = 30  # terms of a row, C, C_q and gamma together, that stays a closed form


def row_nodes(d: "DerivedEquations", graph: Graph) -> list[Row]:
    """The rows in the order of d.rows, whose elements are nodes of a graph."""
    ring, s = cast("Ring", graph), d.setting
    kin = Kinematics(d.plan, ring)
    return [
        *closing_rows(d.plan, ring, kin, s.closures),
        *measured_rows(d.plan, ring, kin, s.closures),
        *rolling_rows(d.plan, ring, kin, s.closures),
        *coordinate_rows(d.plan, ring, kin, s.closures, s.ratios, s.targets),
    ]


def nodes_of(row: Row) -> list[Node]:
    """C, gamma and C_q of a row of nodes."""
    return [cast("Node", x) for x in (row.value, row.gamma, *row.jacobian)]


def terms_of_row(row: Row) -> float:
    """Terms of the closed form of a row; without end where nobody writes it."""
    if isinstance(row, UnwrittenRow):
        return math.inf
    return sum(len(p) for p in (row.value, row.gamma, *row.jacobian))


def operations_of(rows: list[Row]) -> int:
    """Operations of rows of nodes."""
    found = needed([x for row in rows for x in nodes_of(row)])
    return sum(node.kind in OPERATIONS for node in found)
