"""Sliders for numbers of the drawing: of parameters, drives, forces and gravity."""

from typing import NamedTuple

from mechstudio.application.actions.edits import parameters
from mechstudio.application.notifications import Message
from mechstudio.application.studio import Studio
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.edits.parameters import new_name, written
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.laws import texts
from mechstudio.model.mechanism import Drive, Force, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Parameter, Quantity
from mechstudio.model.units import spoken
from mechstudio.translation import tr

STEM_OF_GRAVITY = "g"


class Offer(NamedTuple):
    """A number that can get a slider.  words: "stiffness of spring".  id, path: its element and
    field; the path is empty for a parameter.
    """

    words: str
    id: str
    path: fields.Path = ()


def offers(project: Project) -> list[Offer]:
    """Numbers that can get a slider: parameters without one, then numbers of drives, forces and
    gravity that no text ties to a parameter.
    """
    m = project.mechanism
    out = [Offer(name, name) for name, p in project.parameters.items() if not p.slider]
    for id, element in (*m.drives.items(), *m.forces.items()):
        for field in fields.fields(element, id, m):
            q = fields.read(element, field.path)
            if _acts(element, field) and q is not None and _is_plain(q):
                name = tr(field.label).lower() if field.path[0] == "parameters" else ""
                label = name or spoken(field.dimension)
                words = tr("{label} of {element}", label=label, element=element.name)
                out.append(Offer(words, id, field.path))
    for field in fields.fields(m.gravity, fields.GRAVITY, m):
        q = fields.read(m.gravity, field.path)
        if q is not None and q.value and _is_plain(q):
            out.append(Offer(tr(field.label), fields.GRAVITY, field.path))
    return out


def _acts(element: Drive | Force, field: fields.Field) -> bool:
    """True for a number that acts by itself: of a constant law, or of a force that follows none."""
    if field.path[0] == "law":
        return isinstance(element, Drive) and element.law.type == "constant"
    return (
        field.path[0] == "parameters"
        and isinstance(element, Force)
        and field.path[1] not in texts.laws_of(element)
    )


def _is_plain(q: Quantity) -> bool:
    return not q.text.strip() or expression.is_plain(q.text.strip())


def with_slider(project: Project, offer: Offer, units: str) -> tuple[Project, str]:
    """The project with a slider for a number, and the name of its parameter, which takes the
    number's place where it was none.

    Raises ExpressionError where the number cannot name a parameter.
    """
    if not offer.path:
        return elements.set_attribute(project, offer.id, slider=True), offer.id
    element = fields.find(project, offer.id)
    m: Mechanism = project.mechanism
    field = next(f for f in fields.fields(element, offer.id, m) if f.path == offer.path)
    q = fields.read(element, offer.path)
    assert q is not None
    stem = parameters.STEMS.get(field.dimension, "p")
    name = new_name(project, STEM_OF_GRAVITY if offer.id == fields.GRAVITY else stem)
    text = q.text.strip() or written(q.value, field.dimension, units)
    value = expression.quantity(text, field.dimension, {})
    note = offer.words[:1].upper() + offer.words[1:]
    made = Parameter(name, value, field.dimension, slider=True, note=note)
    return elements.set_quantity(
        elements.add_parameter(project, made), offer.id, offer.path, name
    ), name


def make_slider(studio: Studio, offer: Offer) -> None:
    """Put a slider for a number under Controls, as one step to undo."""
    project = studio.document.project
    try:
        made, name = with_slider(project, offer, studio.preferences.units)
    except ExpressionError as error:
        studio.notifications.say(Message("warning", f"{offer.words}: {error}", "parameter"))
        return
    studio.document.commit(tr("{name} under Controls", name=name), made)
