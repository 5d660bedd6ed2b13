"""Mechanisms written in Python: a readable way to a frozen Project.

    import mechstudio as ms

    m = ms.Builder("Four-bar")
    crank = m.link("crank", (0, 0, 0), length="130 mm", angle="120 deg")
    coupler = m.link("coupler", crank.end, length="330 mm", angle="25 deg")
    rocker = m.link("rocker", ("340 mm", 0, 0), length="260 mm", angle="70 deg")
    m.pin("A", m.ground, crank, at=crank.start, rate="10 rad/s")
    m.pin("B", crank, coupler, at=crank.end)
    m.pin("C", coupler, rocker, at=(coupler.end, rocker.end))
    m.pin("D", m.ground, rocker, at=rocker.start)
    result = ms.simulate(m.project(), duration=5)

Numbers are SI, or texts with units and parameters such as "300 mm" and "2*L1", which are kept as
typed.  Points and directions are in W (z up; the front plane is xz) unless a description says "in
body axes".  A joint whose two points do not meet as drawn, like C here, is closed by the least
movement when the mechanism is assembled.
"""

from mechstudio.builder.builder import Builder
from mechstudio.builder.editing import Editing
from mechstudio.builder.gauges import axis as axis_on
from mechstudio.builder.gauges import plane as plane_on
from mechstudio.builder.gauges import point as point_on
from mechstudio.builder.geometry import Number, Point
from mechstudio.builder.handles import STEEL, BodyHandle, CoordinateHandle, FrameHandle, JointHandle
from mechstudio.builder.joints import FRONT, UP, limit
from mechstudio.builder.laws import (
    constant,
    geneva,
    ramp,
    rest_to_rest,
    rise_and_return,
    sine,
    table,
)
from mechstudio.builder.laws import expression_of as expression
from mechstudio.builder.laws import law_of as law
from mechstudio.builder.scripts.script import script

__all__ = [
    "FRONT",
    "STEEL",
    "UP",
    "BodyHandle",
    "Builder",
    "CoordinateHandle",
    "Editing",
    "FrameHandle",
    "JointHandle",
    "Number",
    "Point",
    "axis_on",
    "constant",
    "expression",
    "geneva",
    "law",
    "limit",
    "plane_on",
    "point_on",
    "ramp",
    "rest_to_rest",
    "rise_and_return",
    "script",
    "sine",
    "table",
]
