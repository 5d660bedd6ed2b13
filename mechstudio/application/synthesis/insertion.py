"""Insertion of a found linkage into the drawing."""

import msgspec

from mechstudio.application.document import Document
from mechstudio.application.synthesis.answers import Answer
from mechstudio.model.edits.clipboard import put_in
from mechstudio.model.edits.groups import numbered
from mechstudio.model.edits.links import free_id
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.protocol.synthesis_messages import FUNCTION, SynthesisTask
from mechstudio.synthesis.drawing import TITLES, drawing
from mechstudio.translation import tr

replace = msgspec.structs.replace


def with_linkage(project: Project, part: Project) -> Project:
    """A project with the drawing of a linkage added at its own place: bodies, joints, drive, trail
    and named points of ground; the run is at least as long as it needs.
    """
    taken = {p.name for p in project.mechanism.ground.points}
    called: dict[str, str] = {}
    points = []
    for point in part.mechanism.ground.points:
        called[point.name] = numbered(point.name, taken)
        taken.add(called[point.name])
        points.append(replace(point, name=called[point.name]))
    project, new = put_in(project, part)
    ground = replace(project.mechanism.ground, points=(*project.mechanism.ground.points, *points))
    project = replace(project, mechanism=replace(project.mechanism, ground=ground))
    for mark in part.marks:
        id = free_id(project, mark.type, [m.id for m in project.marks])
        point = called.get(mark.point, mark.point) if mark.body == GROUND else mark.point
        added = replace(mark, id=id, body=new.get(mark.body, mark.body), point=point)
        project = replace(project, marks=(*project.marks, added))
    settings = project.settings
    if len(project.mechanism.bodies) == len(part.mechanism.bodies) or (
        settings.duration.value < part.settings.duration.value
    ):
        settings = replace(settings, duration=part.settings.duration)
    return replace(project, settings=settings)


def use(document: Document, answer: Answer, task: SynthesisTask) -> str:
    """Insert a linkage into the drawing in one undo step. Returns the reason if that fails, else
    "".
    """
    linkage = answer.candidate.linkage
    targets = None if task.purpose == FUNCTION else [complex(*p) for p in task.points]
    part = drawing(linkage, targets)
    words = tr("Synthesised {kind}", kind=tr(TITLES[linkage.type]))
    return document.change(words, lambda project: with_linkage(project, part))
