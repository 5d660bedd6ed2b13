"""Least distances of bodies: the gauges that need them, and their values at poses."""

from collections.abc import Iterable

from mechstudio.model.geometry.clearance import Clearance, Solid, clearance, is_exact
from mechstudio.model.geometry.rotation import Pose, compose
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Gauge, Project
from mechstudio.model.types.gauges import BODY
from mechstudio.translation import comma, tr


def clearances(project: Project) -> dict[str, Gauge]:
    """Gauges of the least distance of two bodies, by the names of their columns: their own, with
    the id where several are called so.
    """
    gauges = [g for g in project.gauges.values() if len(g.ends) == 2 and g.ends[0].kind == BODY]
    names = [g.name for g in gauges]
    return {g.name if names.count(g.name) == 1 else f"{g.name} ({g.id})": g for g in gauges}


def bodies_between(gauge: Gauge) -> tuple[str, str]:
    """Ids of the two bodies of such a gauge."""
    first, second = (end.frame.body for end in gauge.ends if end.frame is not None)
    return first, second


def hull_note(m: Mechanism, bodies: Iterable[str]) -> str:
    """Sentence on bodies by id whose distance is only known to be at least what is found, and why;
    "" where it is exact.
    """
    hulls = {
        m.body(id).name
        for id in bodies
        if not all(is_exact(shape.form) for shape in m.body(id).shapes)
    }
    if not hulls:
        return ""
    return tr(
        "Meshes and tubes are taken as their convex hulls, so the distance is at least this: "
        "{names}.",
        names=comma().join(sorted(hulls)),
    )


def bound_note(m: Mechanism, gauge: Gauge) -> str:
    """`hull_note` of the reading of a gauge, "" of one that is no least distance of two bodies."""
    between = len(gauge.ends) == 2 and gauge.ends[0].kind == BODY
    return hull_note(m, bodies_between(gauge)) if between else ""


def body_clearance(
    m: Mechanism, first: tuple[str, Pose], second: tuple[str, Pose]
) -> Clearance | None:
    """Least distance of two bodies by id at poses; None where one has no solid."""
    solids = (
        [Solid(s.form, compose(pose, s.placement.pose)) for s in m.body(id).shapes]
        for id, pose in (first, second)
    )
    return clearance(*solids, reach=m.size())
