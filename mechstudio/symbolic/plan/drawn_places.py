"""Coordinates of a plan as drawn, from which numbers start."""

import numpy as np

from mechstudio.model.geometry.rotation import to_angles
from mechstudio.model.joints.drawn_coordinates import drawn_coordinate
from mechstudio.model.mechanism import Mechanism
from mechstudio.symbolic.plan.plan import Plan


def drawn_state(plan: Plan) -> np.ndarray:
    """The coordinates as drawn, (n,) [m, rad]."""
    mechanism, out = plan.mechanism, []
    for c in plan.coordinates:
        out.append(
            drawn_coordinate(mechanism, c.joint, c.component)
            if c.joint
            else _drawn_place(mechanism, c.body, c.component)
        )
    # a link's own angle: what makes the joint's coordinate come out as drawn
    n, rows, right = len(out), [], []
    for (joint, component), form in plan.joint_forms.items():
        row = np.zeros(n)
        rest = 0.0
        for variable, coefficient in form:
            if variable >= 0:
                row[variable] += coefficient
            else:
                rest += coefficient * plan.symbols.value_of(-1 - variable)
        rows.append(row)
        right.append(drawn_coordinate(mechanism, joint, component) - rest)
    if not rows:
        return np.array(out)
    return (
        np.array(out)
        + np.linalg.lstsq(
            np.array(rows), np.array(right) - np.array(rows) @ np.array(out), rcond=None
        )[0]
    )


def _drawn_place(mechanism: Mechanism, body: str, component: int) -> float:
    """One of x, y, z [m], psi, theta, phi [rad] of a free body."""
    at, attitude = mechanism.bodies[body].placement.pose
    return at[component] if component < 3 else to_angles(attitude)[component - 3]
