"""Edits as pure functions Project -> Project; nothing else in the program changes a project."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from mechstudio.model import end_conditions, fields
from mechstudio.model.edits.contacts import take_floor
from mechstudio.model.edits.poses.closed_pose import SAME, placed_at, renumbered, with_typed_numbers
from mechstudio.model.edits.references import JOINT, map_references, places, with_names
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.joints import defaults as joint_defaults
from mechstudio.model.laws import evaluation, texts
from mechstudio.model.mechanism import GROUND, Coupling, Drive, Force, Joint, Law, Mechanism
from mechstudio.model.naming import presentable
from mechstudio.model.project import Project, Step
from mechstudio.model.quantity import Parameter, Quantity
from mechstudio.model.results.analysis import Cure
from mechstudio.model.results.assembly import AssemblyResult
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import tr

replace = msgspec.structs.replace
_SECTIONS = ("bodies", "joints", "couplings", "drives", "forces")


def parameter_values(project: Project) -> dict[str, tuple[float, str]]:
    """Name -> (SI value, dimension), as expressions see the parameters."""
    return {name: (p.value.value, p.dimension) for name, p in project.parameters.items()}


def put_element(project: Project, id: str, element: Any) -> Project:
    """The project with an element replaced (or a known section's entry added by `add`)."""
    m = project.mechanism
    if id == GROUND:
        return replace(project, mechanism=replace(m, ground=element))
    if id == fields.SETTINGS:
        return replace(project, settings=element)
    if id == fields.GRAVITY:
        return replace(project, mechanism=replace(m, gravity=element))
    if id == fields.CONTACTS:
        return replace(project, mechanism=replace(m, contacts=element))
    if id == fields.START:
        return replace(project, mechanism=replace(m, start=element[0]))
    if id in project.parameters:
        return replace(project, parameters={**project.parameters, id: element})
    if id in project.pictures:
        return replace(project, pictures={**project.pictures, id: element})
    if id in project.gauges:
        return replace(project, gauges={**project.gauges, id: element})
    for section in _SECTIONS:
        entries = getattr(m, section)
        if id in entries:
            return replace(project, mechanism=replace(m, **{section: {**entries, id: element}}))
    raise KeyError(tr("The project has no element {id}.", id=id))


def set_quantity(
    project: Project, id: str, path: fields.Path, text: str, default_unit: str = ""
) -> Project:
    """Type `text` into one field; an empty text clears an optional one.

    default_unit: the unit of a text without any, such as "mm"; it becomes part of the kept text.
    Without it: SI.
    Raises ExpressionError with the reason in words.
    """
    element = fields.find(project, id)
    field = next(f for f in fields.fields(element, id, project.mechanism) if f.path == path)
    if not text.strip():
        if not field.optional:
            raise ExpressionError(tr("{field} needs a number.", field=tr(field.label)))
        return _refreshed(put_element(project, id, fields.write(element, path, None)), id)
    if id in project.parameters and id in expression.names_in(text):
        raise ExpressionError(tr("{id} is defined by itself.", id=id))
    quantity = expression.quantity(text, field.dimension, parameter_values(project), default_unit)
    if reason := fields.problem(field, quantity.value):
        raise ExpressionError(reason)
    changed = fields.write(element, path, quantity)
    if path[0] in ("law", "laws"):
        _refuse_law(project, changed, str(path[1]) if path[0] == "laws" else "")
    return _refreshed(put_element(project, id, changed), id)


def _refuse_law(project: Project, element: Any, parameter: str) -> None:
    """Raise ExpressionError if the numbers of a law do not go together, as those of a cam that
    rises for more than a turn.
    """
    law = texts.laws_of(element)[parameter]
    if law.type != "expression" and (
        reason := texts.reason(
            project.mechanism, element, parameter, law, parameter_values(project)
        )
    ):
        raise ExpressionError(reason)


def _refreshed(project: Project, id: str) -> Project:
    """After a change of a parameter everything that names it is evaluated again."""
    return reevaluate(project) if id in project.parameters else project


# fields whose texts name parameters, for each element in the order of fields.elements
Formulas = tuple[tuple[fields.Field, ...], ...]


def formulas(project: Project) -> Formulas:
    """The fields of a project whose texts name parameters; they stay so whatever values the
    parameters have.
    """
    return tuple(
        tuple(
            field
            for field in fields.every(element, id, project.mechanism)
            if (q := fields.read(element, field.path)) is not None
            and q.text
            and not expression.is_plain(q.text)
        )
        for id, element in fields.elements(project)
    )


def reevaluate(project: Project, known_formulas: Formulas | None = None) -> Project:
    """Every typed text evaluated again with the parameters of the project.

    known_formulas: those of the same project with other values of its parameters, where they were
    found before.
    Raises ExpressionError where a text has no value any more, naming element and field, or the
    members of a cycle.
    """
    found = formulas(project) if known_formulas is None else known_formulas
    project = replace(project, parameters=expression.resolve_parameters(project.parameters))
    known = parameter_values(project)
    for (id, element), own in zip(fields.elements(project), found, strict=True):
        changed = element
        for field in own:
            q = fields.read(element, field.path)
            if q is None or not q.text:
                continue  # another value stands in place of a parameter's formula
            value = (
                q.value
                if id in project.parameters
                else _evaluated(element, id, field, q.text, known)
            )
            if reason := fields.problem(field, value):
                raise ExpressionError(f"{_title(element, id)}, {field.label} = {q.text}: {reason}")
            if value != q.value:
                changed = fields.write(changed, field.path, Quantity(value, q.text))
        if changed is not element:
            if isinstance(changed, Coupling | Drive | Force):
                for parameter in texts.laws_of(changed):
                    _refuse_law(project, changed, parameter)
            project = put_element(project, id, changed)
    return _with_laws(project, known)


def _with_laws(project: Project, known: expression.Names) -> Project:
    """The laws with the parameters' present numbers.  Raises ExpressionError where a text has come
    to mean something else than what is requested.
    """
    m = project.mechanism
    for element in (*m.couplings.values(), *m.drives.values(), *m.forces.values()):
        for parameter, law in texts.laws_of(element).items():
            if (
                law.type == "expression"
                and evaluation.names(law.text) & known.keys()
                and (reason := texts.reason(m, element, parameter, law, known))
            ):
                raise ExpressionError(f"{element.name}, {law.text}: {reason}")
    return _put_mechanism(project, texts.bound_mechanism(m, known))


def _put_mechanism(project: Project, mechanism: Mechanism) -> Project:
    return project if mechanism is project.mechanism else replace(project, mechanism=mechanism)


def set_law(project: Project, id: str, parameter: str | tuple[str, ...], law: Law) -> Project:
    """Give a drive, a cam or a number of a force a law.

    parameter: a force's number, "" or ("law",) for a drive or cam, or a path ("laws", number).
    Raises ExpressionError with the reason if the law cannot stand there, KeyError for a number that
    the force does not have.
    """
    element = fields.find(project, id)
    if isinstance(parameter, tuple):
        parameter = parameter[1] if parameter[0] == "laws" else ""
    known = parameter_values(project)
    if reason := texts.reason(project.mechanism, element, parameter, law, known):
        raise ExpressionError(reason)
    return put_element(
        project,
        id,
        texts.with_law(
            element,
            parameter,
            texts.bound(law, evaluation.variables(project.mechanism, element), known),
        ),
    )


def _evaluated(
    element: Any, id: str, field: fields.Field, text: str, known: expression.Names
) -> float:
    try:
        return expression.evaluate(text, field.dimension, known)
    except ExpressionError as error:
        raise ExpressionError(
            f"{_title(element, id)}, {field.label} = {text}: {error}", error.unknown
        ) from None


def _title(element: Any, id: str) -> str:
    """An element's name as a sentence begins with it."""
    name = str(getattr(element, "name", id))
    return name[:1].upper() + name[1:] if id in fields.OF_PROJECT else name


def add_parameter(project: Project, parameter: Parameter) -> Project:
    """With one more parameter.  Raises ExpressionError if its name is taken or no name, or its text
    has no value.
    """
    expression.check_name(parameter.name)
    taken = {GROUND, *fields.OF_PROJECT}.union(
        project.parameters,
        project.groups,
        project.pictures,
        project.gauges,
        *(getattr(project.mechanism, s) for s in _SECTIONS),
    )
    if parameter.name in taken:
        raise ExpressionError(
            tr(
                "{parameter} is already the name of something else in this project.",
                parameter=parameter.name,
            )
        )
    return reevaluate(
        replace(project, parameters={**project.parameters, parameter.name: parameter})
    )


def rename_parameter(project: Project, old: str, new: str) -> Project:
    """A parameter called otherwise, in all texts that name it too, laws among them; the same
    project where it is gone.  Raises ExpressionError as add_parameter does.
    """
    if old == new or old not in project.parameters:
        return project
    add_parameter(
        project, Parameter(new, project.parameters[old].value, project.parameters[old].dimension)
    )
    project = map_references(project, lambda r: r._replace(id=new) if r.id == old else r)
    return replace(project, steps=tuple(_step_renamed(step, old, new) for step in project.steps))


def _step_renamed(step: Step, old: str, new: str) -> Step:
    """A step of the lesson with another name of a parameter; the same one where it has none."""
    if old not in step.parameters and old not in step.sliders:
        return step

    def named(name: str) -> str:
        return new if name == old else name

    return replace(
        step,
        parameters={named(name): text for name, text in step.parameters.items()},
        sliders=tuple(named(name) for name in step.sliders),
    )


def set_attribute(project: Project, id: str, **changes: Any) -> Project:
    """Change attributes that are not numbers: name, type, color, visible, note, axes, frames.

    A joint of another type loses its typed values and rates and gets the lengths and the curve that
    the type needs; raises
    ExpressionError if a force, drive or coupling acts on a coordinate that the type does not have.
    A parameter's new name goes into all texts that use it (ExpressionError where it cannot be
    called so); other names lose what no label can show, and an empty one changes nothing.
    """
    element = fields.find(project, id)
    if isinstance(element, Parameter) and "name" in changes:
        new = changes.pop("name")
        return set_attribute(rename_parameter(project, id, new), new, **changes)
    if "name" in changes:
        changes["name"] = presentable(changes["name"]) or element.name
    if isinstance(element, Joint) and changes.get("type", element.type) != element.type:
        changes = {**_retyped(project, element, changes["type"]), **changes}
    changed = put_element(project, id, replace(element, **changes))
    if isinstance(element, Joint):
        changed = end_conditions.followed(
            project,
            _put_mechanism(changed, with_names(project.mechanism, changed.mechanism)),
        )
    return _refreshed(changed, id)


def with_visible(project: Project, ids: Collection[str], shown: bool) -> Project:
    """Elements shown or hidden; what cannot be is left as it is."""

    def seen(section: Mapping[str, Any]) -> dict[str, Any]:
        return {
            id: replace(e, visible=shown) if id in ids and e.visible != shown else e
            for id, e in section.items()
        }

    m = project.mechanism
    ground = replace(m.ground, visible=shown) if GROUND in ids else m.ground
    project = _put_mechanism(
        project, replace(m, ground=ground, **{s: seen(getattr(m, s)) for s in _SECTIONS})
    )
    project = replace(project, pictures=seen(project.pictures)) if project.pictures else project
    return replace(project, gauges=seen(project.gauges)) if project.gauges else project


def _retyped(project: Project, joint: Joint, type: str) -> dict[str, Any]:
    """Attributes that change with a joint's type: stops stay on coordinates of the same kind.
    Raises ExpressionError where an element acts on a coordinate that the new type lacks.
    """
    kind, before, m = JOINT_TYPES[type], JOINT_TYPES[joint.type], project.mechanism
    for element, coordinate in _acting(m, joint.id):
        dimension = before.coordinates[coordinate].dimension
        if coordinate >= kind.dof or kind.coordinates[coordinate].dimension != dimension:
            raise ExpressionError(
                tr(
                    "{element} acts on {joint}, and a {kind} joint has no such {dimension}; "
                    "remove {element} first.",
                    element=element.name,
                    joint=joint.name,
                    kind=tr(kind.label).lower(),
                    dimension=dimension,
                )
            )
    limits = tuple(
        limit
        for limit in joint.limits
        if limit.coordinate < kind.dof
        and kind.coordinates[limit.coordinate].dimension
        == before.coordinates[limit.coordinate].dimension
    )
    return {"values": (), "rates": (), "limits": limits, **joint_defaults.needs(m, type, joint)}


def _acting(m: Mechanism, joint: str) -> Iterator[tuple[Any, int]]:
    """(element, coordinate) of everything that acts on a joint's coordinates."""
    for element in (*m.couplings.values(), *m.drives.values(), *m.forces.values()):
        for kind, id, part in sorted(places(element)):
            if kind == JOINT and id == joint:
                yield element, int(part)


def place(
    project: Project, poses: Mapping[str, Sequence[float]], values: Mapping[str, Sequence[float]]
) -> Project:
    """With bodies placed at poses (x, y, z, w, x, y, z) in W [m, quaternion] and joints given typed
    values [m or rad].

    Numbers that stay as they are keep their texts; the others become plain numbers, because they
    were found and not typed.
    """
    m = project.mechanism
    bodies, joints = dict(m.bodies), dict(m.joints)
    for id, pose in poses.items():
        bodies[id] = replace(bodies[id], placement=placed_at(bodies[id].placement, pose))
    for id, numbers in values.items():
        joints[id] = replace(joints[id], values=renumbered(joints[id].values, numbers))
    return replace(project, mechanism=replace(m, bodies=bodies, joints=joints))


def assembled(project: Project, closing: AssemblyResult) -> Project:
    """With the bodies where assembling has put them; typed numbers and formulas that hold there
    stay.
    """
    if not closing.moved:
        return project
    poses = dict(zip(project.mechanism.bodies, closing.poses, strict=True))
    return with_typed_numbers(project, place(project, poses, closing.values), SAME)


def remove(project: Project, id: str) -> Project:
    """Without an element and without everything that stands on it; numbers and laws that named a
    removed parameter keep its value.
    """
    if id == fields.CONTACTS:
        return take_floor(project)
    return end_conditions.followed(
        project, map_references(project, lambda r: None if r.id == id else r)
    )


def apply_cure(project: Project, cure: Cure) -> Project:
    """With a redundancy taken away as an analysis proposed it.  Raises KeyError if its element is
    not there any more, ExpressionError as set_attribute does.
    """
    if not cure.type:
        return remove(project, cure.element)
    for joint, type in ((cure.element, cure.type), *cure.also):
        project = set_attribute(project, joint, type=type)
    return project
