"""The drawing, and the steps that led to it, as Python."""

from mechstudio.application.document import Document
from mechstudio.builder.scripts.script import script
from mechstudio.builder.scripts.steps import steps


def drawing_text(document: Document) -> str:
    """A script that builds the drawing again and runs it."""
    return script(document.project)


def steps_text(document: Document) -> str:
    """A script of the steps since the file was saved, or since the drawing was begun."""
    taken = document.steps
    saved = [k for k, step in enumerate(taken[:-1]) if document.is_saved(step.project)]
    first = saved[-1] if saved else 0
    path = (document.path or "") if saved else ""
    labelled = [(step.label, step.project) for step in taken[first + 1 :]]
    return steps(taken[first].project, labelled, path)
