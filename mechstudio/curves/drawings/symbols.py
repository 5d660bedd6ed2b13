"""Symbols of kinematic diagrams by ISO 3952: pairs, ground, gears, springs, dampers, motors.

A pen draws in pixels of the picture, y downwards.  A symbol gets the place of its joint, the
direction of its axis in the picture, (0, 0) where it points at the viewer, and its size.
"""

import math
from collections.abc import Callable
from xml.sax.saxutils import escape

import numpy as np

THIN, BOLD = 0.55, 1.0  # strokes in widths of a link
ACROSS = (
    0.25  # length of an axis in the picture, of 1, below which it is taken to point at the viewer
)
HATCHES = 6  # lines under a support


class Pen:
    """Marks of an SVG picture.  wide: of a link [px].  ink, paper: colours.  unit: size of a pin
    [px].
    """

    def __init__(self, wide: float, unit: float, ink: str, paper: str) -> None:
        self.wide, self.unit, self.ink, self.paper = wide, unit, ink, paper
        self.marks: list[str] = []

    def line(
        self, *points: np.ndarray, wide: float = BOLD, color: str = "", dash: str = ""
    ) -> None:
        """A line through points."""
        text = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.marks.append(
            f'<polyline points="{text}" fill="none" stroke="{color or self.ink}" '
            f'stroke-width="{wide * self.wide:.2f}" stroke-linejoin="round" '
            f'stroke-linecap="round"{dashed}/>'
        )

    def area(
        self, *points: np.ndarray, wide: float = BOLD, color: str = "", fill: str = ""
    ) -> None:
        """A closed outline."""
        text = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        self.marks.append(
            f'<polygon points="{text}" fill="{fill or self.paper}" stroke="{color or self.ink}" '
            f'stroke-width="{wide * self.wide:.2f}" stroke-linejoin="round"/>'
        )

    def circle(
        self,
        at: np.ndarray,
        radius: float,
        wide: float = BOLD,
        fill: str = "",
        dash: str = "",
        color: str = "",
    ) -> None:
        """A circle; fill "none" for an empty one."""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.marks.append(
            f'<circle cx="{at[0]:.2f}" cy="{at[1]:.2f}" r="{radius:.2f}" '
            f'fill="{fill or self.paper}" stroke="{color or self.ink}" '
            f'stroke-width="{wide * self.wide:.2f}"{dashed}/>'
        )

    def arc(self, at: np.ndarray, radius: float, first: float, last: float, **look) -> None:
        """Part of a circle, from one angle to another [rad]."""
        angles = np.linspace(first, last, max(8, int(abs(last - first) * 12)))
        ring = at + radius * np.column_stack([np.cos(angles), np.sin(angles)])
        self.line(*ring, **look)

    def head(self, tip: np.ndarray, way: np.ndarray, size: float, color: str = "") -> None:
        """A filled arrow head."""
        n = np.array([-way[1], way[0]])
        back = tip - size * way
        fill = color or self.ink
        self.area(
            tip, back + 0.4 * size * n, back - 0.4 * size * n, wide=0.1, color=fill, fill=fill
        )

    def write(
        self,
        text: str,
        at: np.ndarray,
        size: float,
        color: str = "",
        anchor: str = "middle",
        italic: bool = False,
        turn: float = 0.0,
    ) -> None:
        """A word.  turn [deg]: clockwise about its foot."""
        turned = f' transform="rotate({turn:.2f} {at[0]:.2f} {at[1]:.2f})"' if turn else ""
        slanted = ' font-style="italic"' if italic else ""
        self.marks.append(
            f'<text x="{at[0]:.2f}" y="{at[1]:.2f}" font-size="{size:.2f}" text-anchor="{anchor}" '
            f'fill="{color or self.ink}"{slanted}{turned}>{escape(text)}</text>'
        )


def unit(way: np.ndarray) -> np.ndarray:
    """A direction of length one; to the right where there is none."""
    length = float(np.hypot(*way))
    return np.array([1.0, 0.0]) if length < 1e-9 else way / length


def normal(way: np.ndarray) -> np.ndarray:
    """The direction a quarter turn from another one."""
    return np.array([-way[1], way[0]])


def box(at: np.ndarray, way: np.ndarray, long: float, wide: float) -> list[np.ndarray]:
    """Corners of a rectangle along a direction."""
    n = normal(way)
    return [
        at + a * long / 2 * way + b * wide / 2 * n for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]


# ground


def hatched(pen: Pen, a: np.ndarray, b: np.ndarray, away: np.ndarray) -> None:
    """The frame: a line with short strokes on the side that lies away from the moving part."""
    pen.line(a, b, wide=BOLD)
    way, length = unit(b - a), float(np.hypot(*(b - a)))
    count = max(3, round(length / (0.8 * pen.unit)))
    stroke = 0.75 * pen.unit * unit(away - 0.8 * way)
    for k in range(count):
        foot = a + (k + 0.7) / count * (b - a)
        pen.line(foot, foot + stroke, wide=THIN)


def pivot_support(pen: Pen, at: np.ndarray, down: np.ndarray) -> None:
    """The fixed pivot's stand: a triangle on hatched ground."""
    u, n = pen.unit, normal(down)
    foot = at + 2.6 * u * down
    pen.area(at, foot + 1.5 * u * n, foot - 1.5 * u * n, wide=0.8)
    hatched(pen, foot - 2.2 * u * n, foot + 2.2 * u * n, down)


# pairs

Symbol = Callable[[Pen, np.ndarray, np.ndarray], None]


def _seen_from_the_end(axis: np.ndarray) -> bool:
    return float(np.hypot(*axis)) < ACROSS


def revolute(pen: Pen, at: np.ndarray, axis: np.ndarray) -> None:
    """A turning pair: a circle seen along its axis, a sleeve on a pin from the side."""
    if _seen_from_the_end(axis):
        pen.circle(at, pen.unit, wide=0.8)
        return
    way, u = unit(axis), pen.unit
    pen.line(at - 2.2 * u * way, at + 2.2 * u * way)
    pen.area(*box(at, way, 2.4 * u, 1.9 * u), wide=0.8)
    for end in (-1, 1):
        tip = at + end * 2.2 * u * way
        pen.line(tip - 0.8 * u * normal(way), tip + 0.8 * u * normal(way))


def prismatic(pen: Pen, at: np.ndarray, axis: np.ndarray) -> None:
    """A sliding pair: a block on its guide, or a square in a square along it."""
    u = pen.unit
    if _seen_from_the_end(axis):
        east = np.array([1.0, 0.0])
        pen.area(*box(at, east, 2.6 * u, 2.6 * u), wide=0.8)
        pen.area(*box(at, east, 1.3 * u, 1.3 * u), wide=0.8, fill=pen.ink)
        return
    way = unit(axis)
    pen.area(*box(at, way, 4.2 * u, 2.2 * u), wide=0.8)
    pen.line(at - 2.1 * u * way, at + 2.1 * u * way, wide=THIN, dash=f"{u:.1f} {0.6 * u:.1f}")


def cylindrical(pen: Pen, at: np.ndarray, axis: np.ndarray) -> None:
    """A cylindrical pair: a sleeve through which its pin goes."""
    u = pen.unit
    if _seen_from_the_end(axis):
        pen.circle(at, 1.3 * u, wide=0.8)
        pen.circle(at, 0.6 * u, wide=0.8, fill=pen.ink)
        return
    way = unit(axis)
    pen.area(*box(at, way, 3.6 * u, 2.0 * u), wide=0.8)
    pen.line(at - 3.0 * u * way, at + 3.0 * u * way)


def screw(pen: Pen, at: np.ndarray, axis: np.ndarray) -> None:
    """A screw pair: a nut with its thread."""
    u = pen.unit
    if _seen_from_the_end(axis):
        pen.circle(at, 1.4 * u, wide=0.8)
        pen.line(at - 0.9 * u * np.array([1, 1]), at + 0.9 * u * np.array([1, 1]), wide=THIN)
        pen.circle(at, 0.7 * u, wide=0.8)
        return
    way, n = unit(axis), normal(unit(axis))
    pen.area(*box(at, way, 3.8 * u, 2.2 * u), wide=0.8)
    teeth = [at + (-1.7 + 0.68 * k) * u * way + (0.8 if k % 2 else -0.8) * u * n for k in range(6)]
    pen.line(*teeth, wide=THIN)


def spherical(pen: Pen, at: np.ndarray, axis: np.ndarray) -> None:
    """A ball in its socket."""
    pen.circle(at, 0.95 * pen.unit, wide=0.8)
    pen.arc(at, 1.55 * pen.unit, 0.25 * math.pi, 1.35 * math.pi, wide=0.8)


def universal(pen: Pen, at: np.ndarray, axis: np.ndarray) -> None:
    """Two forks on a cross."""
    u = pen.unit
    pen.circle(at, 1.3 * u, wide=0.8)
    for a in (0.25, 0.75):
        way = np.array([math.cos(a * math.pi), math.sin(a * math.pi)])
        pen.line(at - 1.3 * u * way, at + 1.3 * u * way, wide=0.8)


def constant_velocity(pen: Pen, at: np.ndarray, axis: np.ndarray) -> None:
    """A joint of constant velocity: a ball between two shells."""
    pen.circle(at, 1.5 * pen.unit, wide=0.8)
    pen.circle(at, 0.7 * pen.unit, wide=0.8)


def planar(pen: Pen, at: np.ndarray, axis: np.ndarray) -> None:
    """A planar pair: two faces on each other, or a frame seen from above."""
    u = pen.unit
    if _seen_from_the_end(axis):
        pen.area(*box(at, np.array([1.0, 0.0]), 3.2 * u, 3.2 * u), wide=0.8)
        pen.circle(at, 0.4 * u, wide=0.8, fill=pen.ink)
        return
    n, way = unit(axis), normal(unit(axis))
    pen.line(at - 2.4 * u * way, at + 2.4 * u * way)
    pen.area(*box(at + 0.6 * u * n, way, 2.6 * u, 1.0 * u), wide=0.8)


def point_contact(pen: Pen, at: np.ndarray, axis: np.ndarray) -> None:
    """A higher pair: a point that is guided."""
    u = pen.unit
    way = unit(axis) if not _seen_from_the_end(axis) else np.array([1.0, 0.0])
    pen.line(at - 2.2 * u * way, at + 2.2 * u * way, wide=0.8)
    pen.circle(at, 0.7 * u, wide=0.8)


def on_plane(pen: Pen, at: np.ndarray, axis: np.ndarray) -> None:
    """A point on a face, whose normal the axis is."""
    flat = np.zeros(2) if _seen_from_the_end(axis) else normal(unit(axis))
    point_contact(pen, at, flat)


def welded(pen: Pen, at: np.ndarray, axis: np.ndarray) -> None:
    """Parts that are fixed to each other: a filled corner."""
    u = pen.unit
    pen.area(*box(at, np.array([1.0, 0.0]), 1.3 * u, 1.3 * u), wide=0.6, fill=pen.ink)


def nothing(pen: Pen, at: np.ndarray, axis: np.ndarray) -> None:
    """Parts that do not meet."""


SYMBOLS: dict[str, Symbol] = {
    "revolute": revolute,
    "prismatic": prismatic,
    "cylindrical": cylindrical,
    "screw": screw,
    "spherical": spherical,
    "universal": universal,
    "constant_velocity": constant_velocity,
    "planar": planar,
    "point_on_plane": on_plane,
    "point_on_line": point_contact,
    "point_on_curve": point_contact,
    "point_on_ellipse": point_contact,
    "flat_follower": point_contact,
    "rolling_disc": on_plane,
    "rolling_wheel": on_plane,
    "knife_edge": on_plane,
    "fixed": welded,
    "free": nothing,
}


# loads and drives


def spring(pen: Pen, a: np.ndarray, b: np.ndarray) -> None:
    """A spring between two points."""
    way, length = unit(b - a), float(np.hypot(*(b - a)))
    n, turns = normal(way), 7
    lead = min(0.2 * length, 2.0 * pen.unit)
    body = length - 2 * lead
    points = [a, a + lead * way]
    for k in range(2 * turns):
        side = 1.0 if k % 2 else -1.0
        points.append(a + (lead + (k + 0.5) / (2 * turns) * body) * way + side * pen.unit * n)
    pen.line(*points, b - lead * way, b, wide=THIN)


def damper(pen: Pen, a: np.ndarray, b: np.ndarray, shift: float = 0.0) -> None:
    """A dashpot between two points, moved aside by so many pixels."""
    way = unit(b - a)
    n = normal(way)
    a, b = a + shift * n, b + shift * n
    middle, u = (a + b) / 2, pen.unit
    pen.line(a, middle - 1.4 * u * way, wide=THIN)
    back, front = middle - 1.4 * u * way, middle + 1.4 * u * way
    pen.line(front + u * n, back + u * n, back - u * n, front - u * n, wide=THIN)
    pen.line(middle + 0.8 * u * n, middle - 0.8 * u * n, wide=BOLD)
    pen.line(middle, b, wide=THIN)


def cylinder(pen: Pen, a: np.ndarray, b: np.ndarray) -> None:
    """A linear actuator between two points."""
    way, u = unit(b - a), pen.unit
    middle = a + 0.55 * (b - a)
    pen.line(middle, b, wide=0.8)
    pen.area(*box((a + middle) / 2, way, float(np.hypot(*(middle - a))), 1.8 * u), wide=0.8)
    pen.head(middle + 2.0 * u * way, way, 1.2 * u)


def turning_arrow(pen: Pen, at: np.ndarray, color: str, sense: float = 1.0) -> None:
    """The arrow of a motor or of a moment about a pivot; sense: positive to the left."""
    r, first, last = 2.6 * pen.unit, 0.15 * math.pi, -0.95 * math.pi
    if sense < 0:
        first, last = last, first
    pen.arc(at, r, first, last, wide=0.8, color=color)
    tip = at + r * np.array([math.cos(last), math.sin(last)])
    along = math.copysign(1.0, last - first) * np.array([-math.sin(last), math.cos(last)])
    pen.head(tip + 0.9 * pen.unit * along, along, 1.3 * pen.unit, color)


def arrow(pen: Pen, a: np.ndarray, b: np.ndarray, color: str) -> None:
    """A straight arrow."""
    way = unit(b - a)
    pen.line(a, b - 0.6 * pen.unit * way, wide=0.8, color=color)
    pen.head(b, way, 1.4 * pen.unit, color)


def spiral(pen: Pen, at: np.ndarray) -> None:
    """A spring in a joint."""
    angles = np.linspace(0.0, 4.5 * math.pi, 60)
    radii = pen.unit * np.linspace(1.2, 3.0, 60)
    pen.line(*(at + radii[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])), wide=THIN)


def turning_damper(pen: Pen, at: np.ndarray) -> None:
    """A damper in a turning joint: a vane in a cup that is bent around the axis."""
    r, u = 2.6 * pen.unit, pen.unit
    first, last = 0.7 * math.pi, 1.3 * math.pi
    for radius in (r - 0.6 * u, r + 0.6 * u):
        pen.arc(at, radius, first, last, wide=THIN)
    way = lambda t: np.array([math.cos(t), math.sin(t)])
    pen.line(at + (r - 0.6 * u) * way(first), at + (r + 0.6 * u) * way(first), wide=THIN)
    middle = (first + last) / 2
    pen.line(at + (r - 0.5 * u) * way(middle), at + (r + 0.5 * u) * way(middle))
    pen.arc(at, r, middle, last + 0.35, wide=THIN)


def brake(pen: Pen, at: np.ndarray, way: np.ndarray | None) -> None:
    """Friction in a joint: a shoe on the pin, or along the slide in a direction."""
    u = pen.unit
    along = np.array([1.0, 0.0]) if way is None else way
    n = normal(along)
    n = n if n[1] < 0 else -n  # above
    foot = at + 1.15 * u * n
    shoe = box(foot + 0.5 * u * n, along, 2.6 * u, 1.0 * u)
    pen.area(*shoe, wide=0.7)
    for k in (-1.0, 0.0, 1.0):
        middle = foot + 0.5 * u * n + 0.8 * k * u * along
        pen.line(
            middle - 0.4 * u * n - 0.3 * u * along,
            middle + 0.4 * u * n + 0.3 * u * along,
            wide=THIN,
        )


def pitch_circle(pen: Pen, at: np.ndarray, radius: float) -> None:
    """A gear: its pitch circle as a chain line."""
    u = pen.unit
    pen.circle(
        at,
        radius,
        wide=THIN,
        fill="none",
        dash=f"{2 * u:.1f} {0.5 * u:.1f} {0.4 * u:.1f} {0.5 * u:.1f}",
    )


def rim(pen: Pen, at: np.ndarray, radius: float) -> None:
    """A pulley."""
    pen.circle(at, radius, wide=0.8, fill="none")


def belt(
    pen: Pen, a: np.ndarray, b: np.ndarray, first: float, second: float, crossed: bool
) -> None:
    """Both runs of a belt over two pulleys."""
    way, length = unit(b - a), float(np.hypot(*(b - a)))
    drop = (first + second if crossed else first - second) / max(length, 1e-9)
    if abs(drop) >= 1.0:
        return
    for side in (1.0, -1.0):
        n = drop * way + side * math.sqrt(1 - drop * drop) * normal(way)
        pen.line(a + first * n, b + (-second if crossed else second) * n, wide=THIN)
