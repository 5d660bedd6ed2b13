"""Names and notes of elements, parameters and groups."""

from mechstudio.application.actions.choice import WORDS
from mechstudio.application.actions.edit import do
from mechstudio.application.studio import Studio
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.edits.groups import with_attributes
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.naming import presentable
from mechstudio.model.project import Project
from mechstudio.translation import tr


def rename(studio: Studio, id: str, name: str) -> str:
    """Call an element, parameter or group otherwise, in all texts that name it too; returns why
    it cannot be, "" if it is done.
    """
    project, name = studio.document.project, presentable(name)
    if id in project.groups:
        old, edit_ = project.groups[id].name, lambda p: with_attributes(p, id, name=name)
    else:
        old, edit_ = (
            fields.find(project, id).name,
            lambda p: elements.set_attribute(p, id, name=name),
        )
    if not name or name == old:
        return ""
    if reason := _taken(project, id, name):
        return reason
    try:
        after = edit_(project)
    except ExpressionError as error:
        return str(error)
    was_selected = studio.selection.selected
    studio.document.commit(tr("Rename {old} to {name}", old=old, name=name), after)
    if id in project.parameters:  # a parameter's name is its id
        studio.selection.select(*(name if x == id else x for x in was_selected))
    return ""


def set_note(studio: Studio, id: str, note: str) -> None:
    """Set the note of an element or a group."""
    project = studio.document.project
    if id in project.groups:
        do(
            studio,
            lambda p: with_attributes(p, id, note=note),
            tr("Note of {group}", group=project.groups[id].name),
        )
    else:
        do(
            studio,
            lambda p: elements.set_attribute(p, id, note=note),
            tr("Note of {find}", find=fields.find(project, id).name),
        )


def _taken(project: Project, id: str, name: str) -> str:
    """Reason why a name is taken by another element of one kind; empty if it is free.  Names of
    parameters are checked by edit.rename_parameter.
    """
    sections = {
        **{words[0]: getattr(project.mechanism, s) for s, words in WORDS.items()},
        "group": project.groups,
        "picture": project.pictures,
        "gauge": project.gauges,
    }
    for word, section in sections.items():
        if id in section and any(e.name == name for k, e in section.items() if k != id):
            return tr(
                "There is a {word} {name} already: call this one otherwise.", word=word, name=name
            )
    if id in project.mechanism.bodies and name == project.mechanism.ground.name:
        return tr("{name} is what the fixed body is called: call this one otherwise.", name=name)
    return ""
