"""Equality constraints of an MJCF file as joints, couplings and rods that close loops."""

from mechstudio.files.exchange.chains import inverse
from mechstudio.files.exchange.drawing import amounts, frame
from mechstudio.files.exchange.mjcf.parts import Parts, Site
from mechstudio.files.exchange.mjcf.source import Source, cross
from mechstudio.files.exchange.xml_text import Node, fault, numbers
from mechstudio.model.geometry.rotation import (
    IDENTITY,
    Pose,
    Triple,
    compose,
    conjugate,
    frame_on_axis,
    from_axes,
    matrix,
    multiply,
    rotate,
    transform,
)
from mechstudio.model.mechanism import CoordinateOf, Coupling, Drive, Joint, Law
from mechstudio.model.naming import quoted
from mechstudio.model.quantity import Quantity
from mechstudio.translation import tr

Ends = tuple[str, str]
GAP = 1e-6  # [rad or m]
LEFT = "Equality constraints that have no counterpart were left out"


def _rows(source: Source) -> list[Node]:
    return [
        source.full(node, "", "equality")
        for section in source.root.all("equality")
        for node in section.children
        if node.get("active", "true") != "false"
    ]


def screw_leads(source: Source) -> dict[tuple[str, str], float]:
    """Lead [m/rad] by names of slide and hinge, of equalities that may be threads."""
    out: dict[tuple[str, str], float] = {}
    for row in _rows(source):
        if row.tag == "joint" and row.get("joint2"):
            c = _polynomial(row)
            if not any((c[0], c[2], c[3], c[4])) and c[1]:
                out[row.get("joint1"), row.get("joint2")] = c[1]
    return out


def _polynomial(row: Node) -> list[float]:
    found = numbers(row, "polycoef")
    return (found + [0.0] * 5)[:5] if found else [0.0, 1.0, 0.0, 0.0, 0.0]


def add_equalities(parts: Parts) -> None:
    """All equality constraints; a note for those that have no counterpart."""
    points: dict[Ends, list[tuple[str, Triple, Triple]]] = {}
    rows = _rows(parts.source)
    for row in rows:
        if row.tag == "connect":
            a, b = _ends(parts, row)
            points.setdefault((a.body, b.body), []).append((row.get("name"), a.pose[0], b.pose[0]))
        elif row.tag == "weld":
            a, b = _ends(parts, row)
            _add(parts, row.get("name") or "weld", "fixed", a, b)
        elif row.tag == "joint":
            _add_relation(parts, row)
        elif row.tag != "tendon":  # tendons are read with the tendons
            parts.drawing.leave(tr(LEFT), quoted(row.get("name") or row.tag))
    for (a, b), found in points.items():
        _add_points(parts, a, b, found)


def _body(parts: Parts, row: Node, name: str) -> str:
    said = row.get(name) or "world"
    if said not in parts.bodies:
        raise fault(row, tr("there is no body {name}.", name=quoted(said)))
    return parts.bodies[said]


def _ends(parts: Parts, row: Node) -> tuple[Site, Site]:
    """Both places that a constraint brings together, in the axes of their bodies."""
    if row.get("site1"):
        found = [parts.sites.get(row.get(k)) for k in ("site1", "site2")]
        if found[0] is None or found[1] is None:
            raise fault(row, tr("a site that it names is not there."))
        return found[0], found[1]
    a, b = _body(parts, row, "body1"), _body(parts, row, "body2")
    between = compose(inverse(parts.reference[b]), parts.reference[a])
    if row.tag == "connect":
        x, y, z = numbers(row, "anchor", 3) or (0.0, 0.0, 0.0)
        return Site(a, ((x, y, z), IDENTITY)), Site(b, (transform(between, (x, y, z)), IDENTITY))
    pose = numbers(row, "relpose", 7)
    if pose and any(pose[3:]):
        # body 2 stands at this pose in the axes of body 1
        q = parts.source.attitude(Node("weld", {"quat": " ".join(map(repr, pose[3:]))}, row.line))
        return Site(a, ((pose[0], pose[1], pose[2]), q)), Site(b, ((0.0, 0.0, 0.0), IDENTITY))
    return Site(a, ((0.0, 0.0, 0.0), IDENTITY)), Site(b, between)


def _add(parts: Parts, name: str, type: str, a: Site, b: Site) -> None:
    if a.body == b.body:
        return
    id, name = parts.drawing.id(name, "loop")
    parts.drawing.joints[id] = Joint(id, name, type, frame(a.body, a.pose), frame(b.body, b.pose))


def _add_points(parts: Parts, a: str, b: str, found: list[tuple[str, Triple, Triple]]) -> None:
    """Connects of two bodies: a ball joint, or a pin where there are two."""
    name = found[0][0] or "connect"
    if len(found) == 1:
        _, p, q = found[0]
        _add(parts, name, "spherical", Site(a, (p, IDENTITY)), Site(b, (q, IDENTITY)))
        return
    if len(found) > 2:
        for one, p, q in found:
            _add(parts, one or name, "spherical", Site(a, (p, IDENTITY)), Site(b, (q, IDENTITY)))
        return
    at = _on_line(found[0][1], found[1][1], None)
    # the second frame takes its x from the first one as it is drawn
    poses = [parts.drawing.body(id).placement.pose for id in (a, b)]
    x = rotate(multiply(conjugate(poses[1][1]), poses[0][1]), _column(at, 0))
    other = _on_line(found[0][2], found[1][2], x)
    _add(parts, name, "revolute", Site(a, at), Site(b, other))


def _column(pose: Pose, k: int) -> Triple:
    R = matrix(pose[1])
    return (R[0][k], R[1][k], R[2][k])


def _on_line(p: Triple, q: Triple, x: Triple | None) -> Pose:
    """A frame in the middle of two points, with z along them."""
    middle = tuple(0.5 * (a + b) for a, b in zip(p, q))
    along: Triple = (q[0] - p[0], q[1] - p[1], q[2] - p[2])
    n = sum(c * c for c in along) ** 0.5
    if n < 1e-9:
        return (p, IDENTITY)
    if x is None:
        return (middle, frame_on_axis(along))  # type: ignore[return-value]
    z = (along[0] / n, along[1] / n, along[2] / n)
    d = sum(a * b for a, b in zip(x, z))
    x = (x[0] - d * z[0], x[1] - d * z[1], x[2] - d * z[2])
    m = sum(c * c for c in x) ** 0.5
    x = (x[0] / m, x[1] / m, x[2] / m)
    return (middle, from_axes(x, cross(z, x), z))  # type: ignore[return-value]


def _add_relation(parts: Parts, row: Node) -> None:
    """q1 - q1 at the start = c1 (q2 - q2 at the start) as a gear or a rack."""
    drawing = parts.drawing
    name = row.get("name") or row.get("joint1")
    one, two = (parts.placed.get(row.get(k)) for k in ("joint1", "joint2"))
    c = _polynomial(row)
    if (row.get("joint1"), row.get("joint2")) in screw_leads(parts.source) and _is_screw(
        parts, row
    ):
        return
    if one is not None and not row.get("joint2"):
        if c[0]:
            drawing.leave(tr(LEFT), quoted(name))
            return
        _report_gap(parts, name, row, c)
        id, name = drawing.id(name, "lock")
        law = Law("constant", {"value": Quantity(0.0)})
        drawing.drives[id] = Drive(id, name, one.at.joint, one.at.coordinate, "velocity", law)
        return
    if one is None or two is None or any(c[2:]) or not c[1]:
        drawing.leave(tr(LEFT), quoted(name))
        return
    kinds = (one.dimension, two.dimension)
    if kinds == ("angle", "angle"):
        made = ("gear", (one.at, two.at), {"ratio": c[1]})
    elif kinds == ("length", "angle"):
        made = ("rack_and_pinion", (two.at, one.at), {"radius": c[1]})
    elif kinds == ("angle", "length"):
        made = ("rack_and_pinion", (one.at, two.at), {"radius": 1.0 / c[1]})
    else:
        made = ("linear", (two.at, one.at), {"ratio": c[1]})
    _report_gap(parts, name, row, c)
    add_coupling(parts, name, *made)


def _report_gap(parts: Parts, name: str, row: Node, c: list[float]) -> None:
    """A sentence where joints do not stand at the start as their equation wants."""
    one, two = (parts.elements.get(row.get(k)) for k in ("joint1", "joint2"))
    if one is None:
        return
    other = 0.0 if two is None else two.value - two.ref
    if abs(one.value - one.ref - c[0] - c[1] * other) > GAP:
        parts.drawing.leave(
            tr("Equations of joints that the start does not fulfil, and which hold from there on"),
            quoted(name),
        )


def _is_screw(parts: Parts, row: Node) -> bool:
    placed = parts.placed.get(row.get("joint2"))
    return placed is not None and parts.drawing.joints[placed.at.joint].type == "screw"


def add_coupling(
    parts: Parts, name: str, type: str, ends: tuple[CoordinateOf, ...], p: dict[str, float]
) -> None:
    """A coupling of joints."""
    id, name = parts.drawing.id(name, "coupling")
    parts.drawing.couplings[id] = Coupling(id, name, type, ends, dict(zip(p, amounts(*p.values()))))
