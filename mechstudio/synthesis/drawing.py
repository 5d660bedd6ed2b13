"""Drawings of synthesised linkages: bodies, pins, a drive at the crank and the trail of the tracer,
in the front plane, x to the right and y up.
"""

import math
from collections.abc import Sequence

import numpy as np

from mechstudio.builder.builder import Builder
from mechstudio.builder.handles import BodyHandle
from mechstudio.model.geometry.rotation import Triple, conjugate, minus, rotate
from mechstudio.model.project import Project
from mechstudio.synthesis.linkages import LINKAGES, Linkage
from mechstudio.translation import Words, tr

LAYERS = {"crank": 1, "rocker": -1, "bar": 2, "lever": 1, "slider": 1}  # of links, in thicknesses
FLAT = 0.04  # height of a triangle by its length below which it is a bar
NAMES: dict[str, Words] = {
    "crank": "crank",
    "coupler": "coupler",
    "rocker": "rocker",
    "rod": "connecting rod",
    "slider": "slider",
    "bar": "second coupler",
    "lever": "lever",
}
TITLES: dict[str, Words] = {
    "four_bar": "Four-bar",
    "slider_crank": "Slider-crank",
    "stephenson": "Stephenson's six-bar",
    "watt": "Watt's six-bar",
    "watt_second": "Watt's second six-bar",
}


def drawing(
    linkage: Linkage, targets: Sequence[complex] | np.ndarray | None = None, speed: float = 1.0
) -> Project:
    """The project of a linkage, at the first of its crank angles.

    targets: points x + i y [m] of a path or motion, which are named points of ground, with the
    trail of the tracer.  speed [rad/s]: of the crank, the way of its angles.
    """
    kind = LINKAGES[linkage.type]
    placed = linkage.place(linkage.angles[:1])
    at = {name: complex(point[0]) for name, point in placed.pins.items()}
    size = max(abs(a - b) for a in at.values() for b in at.values())
    thick = 0.02 * size
    m = Builder(tr(TITLES[linkage.type]))
    bodies = {name: _link(m, name, [at[p] for p in pins], thick) for name, pins in kind.links}
    where = lambda pin: (at[pin].real, 0.0, at[pin].imag)
    joined: dict[str, list[str]] = {}
    for name, pins in kind.links:
        for pin in pins:
            joined.setdefault(pin, []).append(name)
    crank = None
    for pin, names in joined.items():
        sides = [*([m.ground] if pin in kind.grounded else []), *(bodies[n] for n in names)]
        if len(sides) == 2:
            joint = m.pin(pin, *sides, at=where(pin))
            crank = joint if crank is None else crank
    if kind.slides:
        along = linkage.values()["direction"]
        axis = (math.cos(along), 0.0, math.sin(along))
        m.slider(tr("slide"), m.ground, bodies["slider"], at=where(kind.slides), axis=axis)
    if targets is not None:
        tracing = bodies[next(name for name, pins in kind.links if kind.tracer in pins)]
        tracing.point(tr("tracer"), _in_body(tracing, where(kind.tracer)))
        m.mark("trail", tracing, tr("tracer"))
        for k, target in enumerate(np.asarray(targets, complex).tolist(), 1):
            m.ground.point(tr("target {number}", number=k), (target.real, 0.0, target.imag))
    assert crank is not None, "every linkage has a crank on ground"
    # an angle of the front plane grows from x to z, against the turn about y
    way = 1.0 if linkage.angles[-1] >= linkage.angles[0] else -1.0
    m.drive(tr("Drive 1"), crank, speed=way * speed)
    # a crank that swings goes no further than requested
    reach = 2 * math.pi if linkage.turns else float(np.ptp(linkage.angles))
    m.run(duration=reach / speed)
    return m.project()


def _link(m: Builder, name: str, points: list[complex], thick: float) -> BodyHandle:
    layer = LAYERS.get(name, 0) * thick * 1.2
    corners = [(p.real, layer, p.imag) for p in points]
    shown = tr(NAMES[name])
    if len(points) == 1:
        x, y, z = corners[0]
        return m.body(shown, (x, 0.0, z)).box(6 * thick, 2 * thick, 4 * thick, at=(0, y, 0))
    far = max(
        ((a, b) for a in range(len(points)) for b in range(a)),
        key=lambda pair: abs(points[pair[0]] - points[pair[1]]),
    )
    start, end = points[far[1]], points[far[0]]
    line = end - start
    height = max(abs(((p - start) * line.conjugate()).imag) for p in points) / abs(line)
    if len(points) > 2 and height > FLAT * abs(line):
        return m.arm(shown, *corners)
    ends = [(p.real, 0.0, p.imag) for p in (start, end)]
    return m.link(shown, *ends, width=4 * thick, thickness=thick, layer=layer)


def _in_body(body: BodyHandle, point: Triple) -> Triple:
    """A point in W in the axes of a body."""
    pose = body.body.placement.pose
    return rotate(conjugate(pose[1]), minus(point, pose[0]))
