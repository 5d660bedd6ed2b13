"""The kinematic diagram of a mechanism as SVG: links as bars, pairs by the symbols of ISO 3952."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, get_args

import numpy as np

from mechstudio.curves.drawings import diagram_bodies, diagram_dimensions, symbols
from mechstudio.curves.drawings.diagram_couplings import cam_bodies, cam_outlines, circles, couple
from mechstudio.curves.drawings.dimensions import Dimension
from mechstudio.curves.drawings.outlines import hull
from mechstudio.curves.drawings.symbols import Pen
from mechstudio.curves.gauges.reading import Poses, drawn_poses
from mechstudio.curves.picture import Theme, colors, pdf, png, text_width
from mechstudio.model.geometry.rotation import Pose, Triple, matrix, transform
from mechstudio.model.joints.tracks import curve_of
from mechstudio.model.mechanism import GROUND, Body, Frame, Joint, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import ZERO, values
from mechstudio.model.types.force_laws import friction
from mechstudio.model.types.forces import BODY, FORCE_TYPES, FRAMES, TWO_POINTS, is_motor
from mechstudio.model.types.joints import HELIX, JOINT_TYPES, SLIDE, TURN
from mechstudio.translation import comma, tr

# azimuth and elevation of points of view [deg]
VIEWS: dict[str, tuple[float, float]] = {
    "front": (-90.0, 0.0),
    "back": (90.0, 0.0),
    "left": (180.0, 0.0),
    "right": (0.0, 0.0),
    "top": (-90.0, 90.0),
    "bottom": (-90.0, -90.0),
    "corner": (-60.0, 25.0),
}
FRONT = VIEWS["front"]
EDGE = 4.0  # room round the mechanism, in sizes of a pin
PIN = 0.0155  # size of a pin, of the smaller side of the picture
ALIKE = 1e-6  # of the mechanism, up to which two places are one
LONGEST = 0.16  # of the picture that a force is long
ENDINGS = (".svg", ".pdf", ".png")


class Look(NamedTuple):
    """Look of a diagram.  size [px].  theme.  names, bodies: of joints and of bodies are written.
    coloured: links have the colours of their bodies.  loads: springs, forces, motors are drawn.
    clear: without a ground.  dimensions: lengths and angles are written, in the front view.
    """

    size: tuple[float, float] = (960.0, 640.0)
    theme: Theme = "paper"
    names: bool = True
    bodies: bool = False
    coloured: bool = False
    loads: bool = True
    clear: bool = False
    dimensions: bool = False


class _Projection:
    """From W to the picture: right and up, without perspective."""

    def __init__(self, azimuth: float, elevation: float) -> None:
        a, e = math.radians(azimuth), math.radians(elevation)
        back = np.array([math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)])
        right = np.array([-math.sin(a), math.cos(a), 0.0])
        self.axes = np.array([right, np.cross(back, right)])
        self.scale, self.middle, self.center = 1.0, np.zeros(2), np.zeros(2)

    def flat(self, point: Triple | np.ndarray) -> np.ndarray:
        """Right and up (2,) [m]."""
        return self.axes @ np.asarray(point, float)

    def fit(self, points: list[np.ndarray], size: tuple[float, float], edge: float) -> None:
        """Bring points (2,) [m] into a picture."""
        every = np.array(points).reshape(-1, 2)
        low, high = every.min(axis=0), every.max(axis=0)
        room = np.array(size) - 2 * edge
        spread = np.maximum(high - low, 1e-9)
        self.scale = float((room / spread).min()) if (high - low).max() > 0 else 1.0
        self.middle, self.center = (low + high) / 2, np.array(size) / 2

    def at(self, point: Triple | np.ndarray) -> np.ndarray:
        """Place in the picture (2,) [px]."""
        d = self.scale * (self.flat(point) - self.middle)
        return self.center + np.array([d[0], -d[1]])

    def direction(self, axis: np.ndarray) -> np.ndarray:
        """A unit direction in the picture (2,), shorter where it points at the viewer."""
        right, up = self.flat(axis)
        return np.array([right, -up])


class _Diagram:
    """A mechanism at poses, being drawn."""

    def __init__(
        self,
        m: Mechanism,
        poses: Poses,
        projection: _Projection,
        look: Look,
        dimensions: Sequence[Dimension] = (),
    ) -> None:
        self.m, self.projection, self.look = m, projection, look
        self._poses, self._cams = poses, cam_bodies(m)
        # a scene may leave the marks of joints out, a diagram without a pair would be another
        # mechanism: only what joins a hidden body is left out
        self._pairs = [
            id
            for id, joint in m.joints.items()
            if all(
                m.body(f.body).visible for f in (joint.frame_a, joint.frame_b) if f.body != GROUND
            )
        ]
        ink = colors(look.theme)
        self._series, self._ink = ink["series"], ink["text"]
        self._load = ink["vector"] if look.theme != "paper" or look.coloured else "#000000"
        unit = max(PIN * min(look.size), 3.5)
        paper = "#FFFFFF" if look.theme == "paper" else ink["plot"]
        self.pen = Pen(0.32 * unit, unit, ink["text"], paper)
        self._taken: list[tuple[np.ndarray, np.ndarray]] = []  # corners of words
        points = [projection.flat(p) for p in self._points()]
        self._wheels = circles(self)
        for place, radius in self._wheels:
            points += [projection.flat(place) + radius * way for way in _AROUND]
        if not points:
            raise ValueError(tr("There is nothing visible to draw."))
        self._dimensions = dimensions
        room = max(EDGE, diagram_dimensions.room(dimensions))
        projection.fit(points, look.size, room * unit)
        seen = np.array(
            [
                projection.center + projection.scale * (p - projection.middle) * (1, -1)
                for p in points
            ]
        )
        self._corners = seen.min(axis=0), seen.max(axis=0)

    # places

    def pose(self, body: str) -> Pose:
        x, y, z, *q = self._poses(body)[0].tolist()
        return (x, y, z), (q[0], q[1], q[2], q[3])

    def place(self, frame: Frame) -> np.ndarray:
        """Origin of a frame in W [m]."""
        return np.array(transform(self.pose(frame.body), self.m.frame_in_body(frame)[0]))

    def axis(self, frame: Frame, k: int) -> np.ndarray:
        turn = np.array(matrix(self.pose(frame.body)[1]))
        return turn @ np.array(matrix(self.m.frame_in_body(frame)[1]))[:, k]

    def _points(self) -> Iterator[np.ndarray]:
        for id in self._pairs:
            joint = self.m.joints[id]
            if not _wanders(joint):  # else its first frame is left behind, however far
                yield self.place(joint.frame_a)
            yield self.place(joint.frame_b)
            yield from diagram_bodies.guide(self, joint)
            if diagram_bodies.rolls(joint):
                yield from diagram_bodies.rim(self, joint)
        for body in self._cams:
            if self.m.body(body).visible:
                for outline in cam_outlines(self, body):
                    yield from outline
        for body in self.m.bodies.values():
            if body.visible:
                yield from self._ends(body)
                for outline in diagram_bodies.loose_solids(self, body):
                    yield from outline
        for force in self.m.forces.values():
            for frame in (force.frame_a, force.frame_b):
                if frame is not None and force.visible:
                    yield self.place(frame)

    def _ends(self, body: Body) -> list[np.ndarray]:
        """Places of a link where something is joined to it, and its named points."""
        pose = self.pose(body.id)
        out: list[np.ndarray] = []

        def add(place: np.ndarray) -> None:
            near = ALIKE * max(self.m.size(), 1e-9)
            if all(np.abs(place - known).max() > near for known in out):
                out.append(place)

        for joint in self.m.joints.values():
            for frame in (joint.frame_a, joint.frame_b):
                if frame.body == body.id:
                    add(self.place(frame))
        for force in self.m.forces.values():
            for frame in (force.frame_a, force.frame_b):
                if frame is not None and frame.body == body.id:
                    add(self.place(frame))
        for point in body.points:
            add(np.array(transform(pose, values(point.position))))
        if len(out) < 2:
            for place in self._far(body, pose):
                add(place)
        return out

    def _far(self, body: Body, pose: Pose) -> Iterator[np.ndarray]:
        """Far ends of a link that is joined at one place alone: the ends of its bar, or the middle
        of its solids.
        """
        from mechstudio.model.edits.links import link_ends
        from mechstudio.model.geometry.rotation import conjugate, minus, rotate
        from mechstudio.model.mass_properties import mass_properties

        ends = link_ends(body)
        if ends is not None:
            at, turn = body.placement.pose
            for end in ends:
                yield np.array(transform(pose, rotate(conjugate(turn), minus(end, at))))
            return
        yield np.array(transform(pose, mass_properties(body).center))

    # drawing

    def draw(self) -> None:
        for coupling in self.m.couplings.values():
            if coupling.visible:
                couple(self, coupling)
        for body in self.m.bodies.values():
            if body.visible:
                self._link(body)
        if self.look.loads:
            self._between()
        for id in self._pairs:
            joint = self.m.joints[id]
            if curve_of(joint) is not None:
                diagram_bodies.draw_guide(self, joint)
        for id in self._pairs:
            if self.m.joints[id].type in JOINT_TYPES:
                self._join(id)
        if self.look.loads:
            self._on_joints()
            self._forces()
        self._dimension()

    def _dimension(self) -> None:
        """Draw the dimensions of the front view."""
        low, high = self._corners
        at = lambda p: self.projection.at(np.array([p[0], 0.0, p[1]]))
        made = diagram_dimensions.Dimensions(self.pen, low, high, 0.9 * self._words, at)
        for each in self._dimensions:
            made.draw(each)

    def _color(self, body: str) -> str:
        index = self.m.body(body).color
        if not self.look.coloured or index < 0:
            return self._ink
        return self._series[index % len(self._series)]

    def _link(self, body: Body) -> None:
        """A bar between two joints, an area between more."""
        places = [self.projection.at(p) for p in self._ends(body)]
        color, pen = self._color(body.id), self.pen
        loose = diagram_bodies.loose_solids(self, body)
        for outline in loose:
            pen.area(
                *(self.projection.at(p) for p in outline),
                wide=0.8,
                color=color,
                fill=_pale(color, pen.paper),
            )
        middle = np.mean(places, axis=0)
        ring = hull(places)
        if len(ring) > 2:
            pen.area(*ring, color=color, fill=_pale(color, pen.paper))
        if len(places) > 1 and len(ring) < 3:
            far = max(
                ((a, b) for a in places for b in places), key=lambda ab: np.hypot(*(ab[0] - ab[1]))
            )
            pen.line(*far, wide=1.25, color=color)
        if (len(places) == 1 or len(ring) < 2) and not loose and not self._has_symbol(body):
            half = 1.8 * pen.unit
            pen.area(*symbols.box(middle, np.array([1.0, 0.0]), 2 * half, half), color=color)
        if self.look.bodies:
            up = np.array([0.0, -1.0])
            if len(places) == 2:
                n = symbols.normal(symbols.unit(places[1] - places[0]))
                up = n if n[1] < 0 else -n
            pen.write(body.name, middle + 2.2 * pen.unit * up, self._words, color, italic=True)

    def _has_symbol(self, body: Body) -> bool:
        """True of a body whose own symbol stands where it is: a cam, a disc, a wheel of a coupling,
        a point on a curve.
        """
        joints = [j for j in self.m.joints.values() if j.frame_b.body == body.id]
        centres = [place for place, _ in self._wheels]
        near = ALIKE * max(self.m.size(), 1e-9)
        return (
            body.id in self._cams
            or any(diagram_bodies.rolls(j) or curve_of(j) is not None for j in joints)
            or any(np.abs(p - c).max() < near for p in self._ends(body) for c in centres)
        )

    @property
    def _words(self) -> float:
        return max(10.0, 2.1 * self.pen.unit)

    def _join(self, id: str) -> None:
        joint = self.m.joints[id]
        kind, pen = JOINT_TYPES[joint.type], self.pen
        a, b = self.place(joint.frame_a), self.place(joint.frame_b)
        at = self._seat(id)
        k = kind.motions[0][1] if kind.motions else 2
        axis = self.projection.direction(self.axis(joint.frame_a, k))
        grounded = GROUND in (joint.frame_a.body, joint.frame_b.body)
        kinds = {motion for motion, _ in kind.motions}
        if diagram_bodies.rolls(joint):
            diagram_bodies.draw_rolling(self, joint, self._color(joint.frame_b.body))
        elif kind.holds_distance:
            first = self.projection.at(a)
            pen.line(first, at, wide=THIN_ROD)
            symbols.spherical(pen, first, axis)
            symbols.spherical(pen, at, axis)
        else:
            foot, end = self.projection.at(a), self.projection.at(b)
            slid = SLIDE in kinds and not _wanders(joint)
            if slid and float(np.hypot(*(foot - end))) > pen.unit:
                pen.line(foot, end, wide=symbols.THIN)
            if grounded and curve_of(joint) is None and kind.dof < diagram_bodies.FREEDOMS:
                self._support(at, axis, kinds, len(kind.motions) > 1)
            symbols.SYMBOLS.get(joint.type, symbols.revolute)(pen, at, axis)
        if self.look.names and joint.visible and joint.name:
            self._name(joint.name, at)

    def _seat(self, id: str) -> np.ndarray:
        """Place of a joint's symbol in the picture: on its second body, and of a slider on a rod
        that carries another pair there between its two frames.
        """
        joint = self.m.joints[id]
        a, b = (
            self.projection.at(self.place(joint.frame_a)),
            self.projection.at(self.place(joint.frame_b)),
        )
        kinds = [motion for motion, _ in JOINT_TYPES[joint.type].motions]
        if (
            SLIDE not in kinds
            or _wanders(joint)
            or float(np.hypot(*(a - b))) < ROOMY * self.pen.unit
        ):
            return b
        others = (
            self.projection.at(self.place(frame))
            for other in self._pairs
            if other != id
            for frame in (self.m.joints[other].frame_a, self.m.joints[other].frame_b)
        )
        is_taken = any(float(np.hypot(*(p - b))) < NEAR * self.pen.unit for p in others)
        return (a + b) / 2 if is_taken else b

    def _name(self, text: str, at: np.ndarray) -> None:
        """A joint's name beside it, where there is room; where there is none it is left out."""
        size, u = self._words, self.pen.unit
        wide = text_width(text, size)
        for x, y in _BESIDE:
            left = at[0] + 1.6 * u if x > 0 else at[0] - 1.6 * u - wide
            foot = at[1] + (y * 1.9 * u if y <= 0 else 1.9 * u + 0.75 * size)
            low, high = np.array([left, foot - 0.8 * size]), np.array([left + wide, foot + 2.0])
            inside = (low > 2).all() and (high < np.array(self.look.size) - 2).all()
            if inside and not any((low < h).all() and (high > l).all() for l, h in self._taken):
                self._taken.append((low, high))
                self.pen.write(text, np.array([left, foot]), size, anchor="start")
                return

    def _support(self, at: np.ndarray, axis: np.ndarray, kinds: set[str], crossed: bool) -> None:
        """Hatching of the frame under a joint on the ground.  crossed: it turns about two axes."""
        pen, u = self.pen, self.pen.unit
        slides = SLIDE in kinds or HELIX in kinds
        if slides and float(np.hypot(*axis)) >= symbols.ACROSS:
            way = symbols.unit(axis)
            n = symbols.normal(way)
            n = n if n[1] > 0 or (n[1] == 0 and n[0] > 0) else -n
            foot = at + 1.1 * u * n
            symbols.hatched(pen, foot - 4.0 * u * way, foot + 4.0 * u * way, n)
            return
        if kinds == {TURN} and not crossed and float(np.hypot(*axis)) >= symbols.ACROSS:
            way = symbols.unit(axis)
            foot = at + 0.95 * u * symbols.normal(way)
            symbols.hatched(pen, foot - 1.2 * u * way, foot + 1.2 * u * way, foot - at)
            return
        symbols.pivot_support(pen, at, np.array([0.0, 1.0]))

    def _between(self) -> None:
        """Springs, dampers and actuators between two points."""
        for force in self.m.forces.values():
            kind = FORCE_TYPES.get(force.type)
            if kind is None or not force.visible or kind.attachment not in (TWO_POINTS, FRAMES):
                continue
            assert force.frame_a is not None
            assert force.frame_b is not None
            a, b = (self.projection.at(self.place(f)) for f in (force.frame_a, force.frame_b))
            if float(np.hypot(*(b - a))) < 3 * self.pen.unit:
                if kind.attachment == FRAMES:  # the ends of a bushing lie in one place
                    side = np.array([3 * self.pen.unit, 0.0])
                    symbols.spring(self.pen, b - side, b + side)
                continue
            way = symbols.unit(b - a)
            for frame, at, out in ((force.frame_a, a, -way), (force.frame_b, b, way)):
                if frame.body == GROUND:
                    side = 1.6 * self.pen.unit * symbols.normal(way)
                    symbols.hatched(self.pen, at - side, at + side, out)
            _CONNECTORS.get(force.type, symbols.spring)(self.pen, a, b)
            damping = force.parameters.get("damping")
            if force.type == "spring" and damping is not None and damping.value:
                symbols.damper(self.pen, a, b, 2.6 * self.pen.unit)

    def _on_joints(self) -> None:
        """Drives and motors as arrows, springs in joints as spirals."""
        forces = [f for f in self.m.forces.values() if f.joint]
        driven = {(d.joint, d.coordinate) for d in self.m.drives.values() if d.enabled}
        driven |= {(f.joint, f.coordinate) for f in forces if is_motor(f.type)}
        sprung = {(f.joint, f.coordinate) for f in forces if "spring" in f.type}
        damped = {(f.joint, f.coordinate) for f in forces if "damper" in f.type}
        damped |= {
            (f.joint, f.coordinate)
            for f in forces
            if "spring" in f.type and f.parameters.get("damping", ZERO).value
        }
        rubbing = {
            (f.joint, f.coordinate)
            for f in forces
            if f.type in FORCE_TYPES and FORCE_TYPES[f.type].law is friction
        }
        for id, coordinate in sorted(driven | sprung | damped | rubbing):
            joint = self.m.joints.get(id)
            if joint is None or id not in self._pairs:
                continue
            kind = JOINT_TYPES[joint.type]
            at = self._seat(id)
            # a motion of several freedoms, a ball's, is the only one
            motion = min(coordinate, len(kind.motions) - 1)
            k = kind.motions[motion][1] if kind.motions else 2
            way = symbols.unit(self.projection.direction(self.axis(joint.frame_a, k)))
            slides = coordinate < kind.dof and kind.coordinates[coordinate].dimension == "length"
            # towards the middle, where there is room; an arrow points as it did
            inwards = way if way @ (self.projection.center - at) >= 0.0 else -way
            near, far = (at + d * self.pen.unit * inwards for d in (3.0, 7.0))
            foot, end = (near, far) if inwards @ way > 0.0 else (far, near)
            if (id, coordinate) in sprung:
                if slides:
                    symbols.spring(self.pen, near, far)
                else:
                    symbols.spiral(self.pen, at)
            if (id, coordinate) in damped:
                if slides:
                    symbols.damper(self.pen, near, far, 2.6 * self.pen.unit)
                else:
                    symbols.turning_damper(self.pen, at)
            if (id, coordinate) in rubbing:
                symbols.brake(self.pen, at, way if slides else None)
            if (id, coordinate) in driven:
                if slides:
                    symbols.arrow(self.pen, foot, end, self._load)
                else:
                    symbols.turning_arrow(self.pen, at, self._load)

    def _forces(self) -> None:
        """Forces and moments at one point, drawn as arrows of one length with their names."""
        for force in self.m.forces.values():
            kind = FORCE_TYPES.get(force.type)
            if kind is None or kind.attachment != BODY or not force.visible:
                continue
            frame = force.frame_b or force.frame_a
            if frame is None:
                continue
            at = self.projection.at(self.place(frame))
            known = force.parameters
            vector = np.array([known[c].value if c in known else 0.0 for c in "xyz"])
            if kind.moment:
                symbols.turning_arrow(self.pen, at, self._load)
            elif np.abs(vector).max() > 0:
                if force.axes == "body":
                    vector = np.array(matrix(self.pose(frame.body)[1])) @ vector
                way = self.projection.direction(vector / np.linalg.norm(vector))
                end = at + LONGEST * min(self.look.size) * way
                symbols.arrow(self.pen, at, end, self._load)
                wide = text_width(force.name, self._words) + self.pen.unit
                side, anchor = (
                    (1.0, "start") if end[0] + wide < self.look.size[0] else (-1.0, "end")
                )
                place = end + self.pen.unit * np.array([side, -1.0])
                self.pen.write(force.name, place, self._words, self._load, anchor)


def _wanders(joint: Joint) -> bool:
    """True of a joint whose bodies move apart in more than one direction: over a plane, or free."""
    kind = JOINT_TYPES[joint.type]
    slides = sum(motion == SLIDE for motion, _ in kind.motions)
    return curve_of(joint) is None and (slides > 1 or bool(kind.rolling))


THIN_ROD = 0.9
ROOMY, NEAR = 8.0, 3.0  # sizes of a pin: between the frames of a slider, and between two symbols
_AROUND = (np.array([1.0, 0.0]), np.array([-1.0, 0.0]), np.array([0.0, 1.0]), np.array([0.0, -1.0]))
_BESIDE = ((1, -1), (-1, -1), (1, 1), (-1, 1), (1, -2), (-1, -2))  # sides of a joint, for its name


_CONNECTORS = {
    "spring": symbols.spring,
    "damper": symbols.damper,
    "actuator": symbols.cylinder,
    "bushing": symbols.spring,
}


def _pale(color: str, paper: str) -> str:
    """A colour thinned with the paper's."""
    parts = [(int(color[k : k + 2], 16), int(paper[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(0.16 * a + 0.84 * b):02X}" for a, b in parts)


def diagram(
    m: Mechanism,
    poses: Poses | None = None,
    view: tuple[float, float] = FRONT,
    look: Look = Look(),
    project: Project | None = None,
) -> str:
    """The kinematic diagram as SVG text.  view: azimuth and elevation of the point of view [deg].
    project: whose gauges are written where dimensions are requested.  Raises ValueError where
    nothing is visible, for an unknown theme, and for dimensions in another view than the front.
    """
    if look.dimensions and view != FRONT:
        raise ValueError(
            tr("Dimensions are written in the front view: choose it, or no dimensions.")
        )
    if look.theme not in get_args(Theme):
        raise ValueError(
            tr("There is no theme {theme}; there are light, dark and paper.", theme=look.theme)
        )
    where = poses or drawn_poses(m)
    written = project or Project(mechanism=m)
    found = diagram_dimensions.found(written, m, where) if look.dimensions else []
    drawn = _Diagram(m, where, _Projection(*view), look, found)
    drawn.draw()
    width, height = look.size
    ground = (
        ""
        if look.clear
        else f'<rect width="{width:.6g}" height="{height:.6g}" fill="{drawn.pen.paper}"/>'
    )
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.6g}" height="{height:.6g}" '
        f'viewBox="0 0 {width:.6g} {height:.6g}" font-family="Inter, Helvetica, Arial, sans-serif">'
    )
    return "\n".join([head, ground, *drawn.pen.marks, "</svg>"]) + "\n"


def view_of(text: str) -> tuple[float, float]:
    """Azimuth and elevation [deg] of a name of VIEWS, or of "-60,20".  Raises ValueError."""
    if text.lower() in VIEWS:
        return VIEWS[text.lower()]
    try:
        azimuth, elevation = (float(part) for part in text.split(","))
    except ValueError:
        azimuth = elevation = math.nan
    if not (math.isfinite(azimuth) and abs(elevation) <= 90.0):
        known = comma().join(VIEWS)
        raise ValueError(
            tr(
                "There is no view {text}; there are {known}, and angles such as -60,20.",
                text=text,
                known=known,
            )
        )
    return azimuth, elevation


def content(picture: str, ending: str) -> bytes:
    """The bytes of a file with the diagram, by its ending.  Raises ValueError for another one."""
    if ending == ".svg":
        return picture.encode()
    if ending == ".pdf":
        return pdf(picture)
    if ending == ".png":
        return png(picture, 192.0)
    known = comma().join(ENDINGS)
    raise ValueError(
        tr("A diagram is written as {known}, not as {ending}.", known=known, ending=ending or "–")
    )
