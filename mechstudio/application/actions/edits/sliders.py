"""Numbers of the drawing that can be named as parameters, with sliders or to be varied: sizes and
masses of bodies, numbers of drives and forces, gravity.
"""

from collections.abc import Iterator
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
    """A number that can be named.  words: "stiffness of spring".  id, path: its element and field;
    the path is empty for a parameter.  body, label: of a body, its name and "Length".
    """

    words: str
    id: str
    path: fields.Path = ()
    body: str = ""
    label: str = ""


def slider_offers(project: Project) -> list[Offer]:
    """Numbers that can get a slider: parameters without one, then the others."""
    named = [Offer(name, name) for name, p in project.parameters.items() if not p.slider]
    return named + offers(project)


def offers(project: Project) -> list[Offer]:
    """Numbers of drives, forces, gravity and bodies that no text ties to a parameter."""
    m = project.mechanism
    out = []
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
    return out + list(_of_bodies(m))


def _of_bodies(m: Mechanism) -> Iterator[Offer]:
    """Sizes of the solids of each body, and its mass where that is typed."""
    for id, body in m.bodies.items():
        for field in fields.fields(body, id, m):
            if field.path == ("mass",) or "dimensions" in field.path:
                q = fields.read(body, field.path)
                if q is not None and _is_plain(q):
                    label = tr(field.label)
                    if field.group:  # of a further solid
                        label = tr("{solid}: {label}", solid=tr(field.group), label=label.lower())
                    spoken_label = label[:1].lower() + label[1:]
                    words = tr("{label} of {element}", label=spoken_label, element=body.name)
                    yield Offer(words, id, field.path, body.name, label)


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


def named(project: Project, offer: Offer, units: str, slider: bool) -> tuple[Project, str]:
    """The project with a number named as a parameter that takes its place, and the name.  slider:
    whether it gets one.

    Raises ExpressionError where the number cannot name a parameter.
    """
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
    made = Parameter(name, value, field.dimension, slider=slider, note=note)
    return elements.set_quantity(
        elements.add_parameter(project, made), offer.id, offer.path, name
    ), name


def make_slider(studio: Studio, offer: Offer) -> None:
    """Put a slider for a number under Controls, as one step to undo."""
    project = studio.document.project
    try:
        made, name = (
            named(project, offer, studio.preferences.units, True)
            if offer.path
            else (elements.set_attribute(project, offer.id, slider=True), offer.id)
        )
    except ExpressionError as error:
        studio.notifications.say(Message("warning", f"{offer.words}: {error}", "parameter"))
        return
    studio.document.commit(tr("{name} under Controls", name=name), made)
