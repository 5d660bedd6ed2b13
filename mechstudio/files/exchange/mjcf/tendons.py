"""Tendons of an MJCF file as springs, dampers, rods and gears of three."""

import math

from mechstudio.files.exchange.drawing import amounts, frame
from mechstudio.files.exchange.mjcf.equalities import add_coupling
from mechstudio.files.exchange.mjcf.parts import Parts, Site
from mechstudio.files.exchange.xml_text import Node, fault, number, numbers
from mechstudio.model.geometry.rotation import Pose, transform
from mechstudio.model.mechanism import CoordinateOf, Force, Frame, Joint
from mechstudio.model.naming import quoted
from mechstudio.model.quantity import Quantity
from mechstudio.translation import Words, tr

LEFT: Words = "Tendons that are neither springs nor rods were left out"
NEAR = 1e-9


def spatial_ends(parts: Parts, node: Node) -> tuple[Site, Site] | None:
    """Both sites of a tendon that is straight, else None."""
    if [c.tag for c in node.children] != ["site", "site"]:
        return None
    found = [parts.sites.get(c.get("site")) for c in node.children]
    if found[0] is None or found[1] is None:
        raise fault(node, tr("a site that it names is not there."))
    return found[0], found[1]


def tendon_nodes(parts: Parts) -> list[Node]:
    """All tendons with the attributes of their classes."""
    return [
        parts.source.full(node, "", "tendon")
        for section in parts.source.root.all("tendon")
        for node in section.all("spatial", "fixed")
    ]


def add_tendons(parts: Parts) -> None:
    """All tendons; a note for those that have no counterpart."""
    fixed = {
        row.get("tendon1")
        for section in parts.source.root.all("equality")
        for row in section.all("tendon")
        if row.get("active", "true") != "false" and not row.get("tendon2")
    }
    for section in parts.source.root.all("equality"):
        for row in section.all("tendon"):
            if row.get("tendon2") or any((numbers(row, "polycoef") or [0.0])[:1]):
                parts.drawing.leave(
                    tr("Equations of tendons that keep more than a length were left out"),
                    quoted(row.get("name") or row.get("tendon1")),
                )
    for node in tendon_nodes(parts):
        name = node.get("name")
        keeps = name in fixed
        if node.tag == "fixed":
            if not (keeps and _gear_of_three(parts, node)):
                parts.drawing.leave(tr(LEFT), quoted(name or "tendon"))
            continue
        ends = spatial_ends(parts, node)
        if ends is None:
            parts.drawing.leave(tr(LEFT), quoted(name or "tendon"))
            continue
        _straight(parts, node, ends, keeps)


def _length(poses: dict[str, Pose], ends: tuple[Site, Site]) -> float:
    """Distance of two sites [m] where bodies stand at poses in W."""
    return math.dist(*(transform(poses[s.body], s.pose[0]) for s in ends))


def _straight(parts: Parts, node: Node, ends: tuple[Site, Site], keeps: bool) -> None:
    drawing, name = parts.drawing, node.get("name") or "tendon"
    a, b = (frame(s.body, s.pose) for s in ends)
    if keeps:
        id, title = drawing.id(name, "rod")
        drawing.joints[id] = Joint(
            id,
            title,
            "distance",
            a,
            b,
            parameters={"length": Quantity(_length(parts.reference, ends))},
        )
    stiffness = (numbers(node, "stiffness") or [0.0])[0]
    damping = (numbers(node, "damping") or [0.0])[0]
    if any(any(numbers(node, key)[1:]) for key in ("stiffness", "damping")):
        drawing.leave(
            tr("Springs and dampers that are not linear, of which the linear part was taken"),
            quoted(name),
        )
    if stiffness:
        row = numbers(node, "springlength")
        free = row[0] if row and row[0] >= 0.0 else _length(parts.relaxed, ends)
        if len(row) > 1 and row[1] - row[0] > NEAR:
            drawing.leave(
                tr("Springs of tendons with a dead band, which have none here"), quoted(name)
            )
        _force(parts, name, "spring", (a, b), stiffness=stiffness, free_length=free)
    if damping:
        _force(parts, f"{name} damper" if stiffness else name, "damper", (a, b), damping=damping)
    if number(node, "frictionloss", 0.0) or (
        numbers(node, "range") and node.get("limited", "auto") != "false"
    ):
        drawing.leave(tr("Limits and friction of tendons were left out"), quoted(name))


def _force(
    parts: Parts, name: str, type: str, frames: tuple[Frame, Frame], **numbers: float
) -> None:
    id, name = parts.drawing.id(name, type)
    parts.drawing.forces[id] = Force(
        id, name, type, dict(zip(numbers, amounts(*numbers.values()))), frames[0], frames[1]
    )


def _gear_of_three(parts: Parts, node: Node) -> bool:
    """A sum of three joints that stays: a differential or a planetary gear."""
    rows: list[tuple[CoordinateOf, float]] = []
    for child in node.all("joint"):
        placed = parts.placed.get(child.get("joint"))
        if placed is None:
            return False
        rows.append((placed.at, number(child, "coef", 0.0)))
    if len(rows) != 3 or not all(c for _, c in rows):
        return False
    for k, (carrier, c) in enumerate(rows):
        (first, a), (second, b) = rows[:k] + rows[k + 1 :]
        if abs(a - b) < NEAR * abs(a) and abs(c + 2.0 * a) < NEAR * abs(a):
            add_coupling(parts, node.get("name"), "differential", (carrier, first, second), {})
            return True
    for k, (carrier, c) in enumerate(rows):
        (sun, a), (ring, b) = rows[:k] + rows[k + 1 :]
        if abs(c + a + b) < NEAR * abs(c):
            ratio = {"ratio": b / a}
            add_coupling(parts, node.get("name"), "planetary", (carrier, sun, ring), ratio)
            return True
    return False
