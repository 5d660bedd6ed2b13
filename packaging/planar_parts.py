"""What the planar linkages of the samples are made of: rods in layers, hinges between them, and
points where two circles meet.

Points of the front plane are complex numbers [m], x + i z, above a height of the pins.
"""

import cmath
import math

from sample_parts import ORANGE, base_plate, bracket

from mechstudio.builder import BodyHandle, Builder, JointHandle
from mechstudio.model.geometry.rotation import Triple

SPACING = 18  # mm between the middles of neighbouring layers


def meet(p: complex, a: float, q: complex, b: float) -> complex:
    """The point at the distance a from p and b from q, on the left of the way from p to q."""
    d = abs(q - p)
    along = (a * a - b * b + d * d) / (2 * d)
    return p + (q - p) / d * complex(along, math.sqrt(a * a - along * along))


class Linkage:
    """A planar linkage that is drawn rod by rod.

    m: where it is drawn.  height: of the plane's origin above the floor [m].
    """

    def __init__(self, m: Builder, height: float) -> None:
        self.m, self.height = m, height
        self._layers: dict[str, int] = {}

    def at(self, p: complex) -> Triple:
        """A point of the front plane in W [m]."""
        return (p.real, 0.0, p.imag + self.height)

    def base(self, left: float, right: float, *pins: complex, foot: str = "52 mm") -> None:
        """A plate on the floor, and a bracket for each ground pin."""
        base_plate(self.m.ground, left, right, "30 mm", "66 mm")
        for p in pins:
            bracket(self.m.ground, p.real, f"{1000 * (p.imag + self.height):.6g} mm", foot)

    def rod(
        self,
        name: str,
        p: complex,
        q: complex,
        layer: int = 0,
        color: int = ORANGE,
        *,
        length: str = "",
        width: str = "30 mm",
        **points: complex,
    ) -> BodyHandle:
        """A bar from p to q in a layer, 0 the rearmost.  points: further ones that it carries, each
        drawn by a thin arm to the nearer end.
        """
        body = self.m.link(
            name,
            self.at(p),
            self.at(q),
            length=length or None,
            width=width,
            thickness="14 mm",
            layer=f"{10 - SPACING * layer} mm",
            color=color,
        )
        self._layers[body.id] = layer
        along = (q - p) / abs(q - p)
        for point, place in points.items():
            here = (place - p) / along
            start = 0.0 if abs(here) < abs(here - abs(q - p)) else abs(q - p)
            arm = here - start
            if abs(here.imag) > 1e-9 or not 0 <= here.real <= abs(q - p):
                body.bar(
                    abs(arm),
                    width,
                    "14 mm",
                    at=(start, f"{10 - SPACING * layer} mm", 0),
                    angles=(0, -cmath.phase(arm), 0),
                )
            body.point(point, (here.real, 0, here.imag))
        return body

    def hinge(
        self, name: str, a: BodyHandle, b: BodyHandle, p: complex, rate: str = "", at: str = ""
    ) -> JointHandle:
        """A pin between two bodies.  at: name of the point on body a, where a length moves it."""
        lower, upper = (self._layers.get(body.id, -1) for body in (a, b))
        if lower >= 0 and upper >= 0:
            middle = 10 - SPACING * (lower + upper) / 2
            long = SPACING * abs(upper - lower) + 26
            here = (p - complex(b.world()[0], b.world()[2] - self.height)) / self._along(b)
            b.pin("9 mm", f"{long} mm", at=(here.real, f"{middle:g} mm", here.imag))
        place = self.at(p)
        on_a = a.world(at) if at else place
        return self.m.pin(name, a, b, at=(on_a, place), **({"rate": rate} if rate else {}))

    def layer(self, body: BodyHandle) -> int:
        """The layer of a rod."""
        return self._layers[body.id]

    def _along(self, body: BodyHandle) -> complex:
        start, end = body.start, body.end
        way = complex(end[0] - start[0], end[2] - start[2])
        return way / abs(way)

    def trace(self, body: BodyHandle, point: str) -> None:
        """A dot and the path of a point of a body."""
        where = body.body.point(point)
        layer = self._layers[body.id]
        body.pin("7 mm", "22 mm", at=(where[0], f"{8 - SPACING * layer} mm", where[2]))
        self.m.mark("whole_turn", body, point)
