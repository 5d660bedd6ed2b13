"""Least distances of bodies: which gauges ask for them, and what an analysis answers."""

from mechstudio.model.project import Gauge, Project
from mechstudio.model.types.gauges import BODY


def clearances(project: Project) -> dict[str, Gauge]:
    """Gauges of the least distance of two bodies, by the names of their columns: their own, with
    the id where several are called so.
    """
    gauges = [g for g in project.gauges.values() if len(g.ends) == 2 and g.ends[0].kind == BODY]
    names = [g.name for g in gauges]
    return {g.name if names.count(g.name) == 1 else f"{g.name} ({g.id})": g for g in gauges}
