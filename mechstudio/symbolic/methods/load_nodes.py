"""Generalised forces of loads: in closed form where this is short, else as a graph of operations,
whose partial velocities share what the recursive form shares.
"""

from typing import TYPE_CHECKING, cast

from mechstudio.symbolic.errors import TooLarge
from mechstudio.symbolic.kinematics.kinematics import Kinematics
from mechstudio.symbolic.kinematics.load_efforts import Effort
from mechstudio.symbolic.methods.projected import Projected
from mechstudio.symbolic.ring.expression_graph import OPERATIONS, Graph, Node, needed
from mechstudio.symbolic.ring.polynomials import Poly, Ring, Vector

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

SHORT = 100  # terms of a load, all coordinates together, that stay a closed form
Parts = dict[int, Poly] | dict[int, Node]


def loads_of(d: "DerivedEquations", graph: Graph) -> list[tuple[Effort, Parts]]:
    """Per load its generalised forces by coordinate: polynomials, or nodes where these are more
    than some terms and their nodes are fewer operations.
    """
    method = Projected(d.setting, d.term_limit, d.report)
    return [(effort, _parts(d, graph, method, effort)) for effort in d.setting.efforts]


def _parts(d: "DerivedEquations", graph: Graph, method: Projected, effort: Effort) -> Parts:
    try:
        with d.ring.bounded(d.term_limit):
            closed = method.generalised(effort)
    except TooLarge:
        return generalised_nodes(d, graph, effort)
    count = sum(map(len, closed.values()))
    if count <= SHORT:
        return closed
    nodes = generalised_nodes(d, graph, effort)
    operations = sum(x.kind in OPERATIONS for x in needed(nodes.values()))
    return nodes if operations < count else closed


def generalised_nodes(d: "DerivedEquations", graph: Graph, effort: Effort) -> dict[int, Node]:
    """J_P^T F + J_R^T Gamma of one load, as Projected.generalised."""
    value = graph.of(effort.value)
    if effort.form is not None:
        return {k: value * c for k, c in effort.form if k >= 0}
    kin = Kinematics(d.plan, cast("Ring", graph))
    out: dict[int, Node] = {}
    for action in effort.actions:
        motion = kin.motion(action.cursor)
        for vector, columns in ((action.force, motion.moving), (action.moment, motion.turning)):
            if not vector:
                continue
            along: Vector = [graph.of(x) for x in vector]
            for k, column in columns.items():
                part = graph.dot(cast("Vector", column), along)
                out[k] = out[k] + part if k in out else part
    return {k: value * x for k, x in out.items() if x}
