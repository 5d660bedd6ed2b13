"""Edits of the studies of a project: functions Project -> Project."""

from typing import Any

import msgspec

from mechstudio.model.findings import listed
from mechstudio.model.naming import presentable
from mechstudio.model.project import Project
from mechstudio.model.studies.setup import StudySetup
from mechstudio.translation import tr

replace = msgspec.structs.replace


class StudyNotFound(ValueError):
    """A name that no study of the project has; the message says which there are."""


def by_id(project: Project, id: str) -> StudySetup | None:
    """The study of an id; None where it is gone."""
    return next((study for study in project.studies if study.id == id), None)


def named(project: Project, name: str) -> StudySetup:
    """The study of a name or id.  Raises StudyNotFound."""
    for study in project.studies:
        if name.strip() in (study.name, study.id):
            return study
    if not project.studies:
        raise StudyNotFound(tr("This project has no study."))
    names = listed([study.name for study in project.studies])
    raise StudyNotFound(
        tr("This project has no study {name}; it has {names}.", name=name.strip(), names=names)
    )


def added(project: Project, name: str = "") -> tuple[Project, str]:
    """The project with one more study, and its id."""
    taken = {s.id for s in project.studies} | {u.id for u in project.unread}
    number = next(n for n in range(1, len(taken) + 2) if f"study{n}" not in taken)
    id = f"study{number}"
    study = StudySetup(id, presentable(name) or tr("Study {number}", number=number))
    return replace(project, studies=(*project.studies, study)), id


def with_study(project: Project, study: StudySetup) -> Project:
    """The project with a study in place of that of the same id, or at the end."""
    if by_id(project, study.id) is None:
        return replace(project, studies=(*project.studies, study))
    new = tuple(study if s.id == study.id else s for s in project.studies)
    return project if new == project.studies else replace(project, studies=new)


def changed(project: Project, id: str, **changes: Any) -> Project:
    """The project with attributes of a study changed; the same one where it is gone."""
    study = by_id(project, id)
    return project if study is None else with_study(project, replace(study, **changes))


def without(project: Project, id: str) -> Project:
    """The project without a study."""
    return replace(project, studies=tuple(s for s in project.studies if s.id != id))
