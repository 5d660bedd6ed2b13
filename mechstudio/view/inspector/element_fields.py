"""Inspector lines of joints, couplings, drives and forces beside their plain numbers: types, ends,
laws, limits, curves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6 import QtWidgets

from mechstudio.application.actions.edits import laws as laws_actions
from mechstudio.model import fields
from mechstudio.model.edits import elements, insertion
from mechstudio.model.edits.couplings import reverse, same_way, signed
from mechstudio.model.edits.links import set_joint_type
from mechstudio.model.mechanism import (
    ACCELERATION,
    POSITION,
    VELOCITY,
    CoordinateOf,
    Coupling,
    Drive,
    Force,
    Joint,
)
from mechstudio.model.project import Picture
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import BODY, FORCE_TYPES, TWO_POINTS
from mechstudio.model.types.joints import JOINT_TYPES, icon_of
from mechstudio.view.inspector.coordinate import CoordinateLine
from mechstudio.view.inspector.events import EventList
from mechstudio.view.inspector.law import LawEditor
from mechstudio.view.inspector.picture_part import picture_lines
from mechstudio.view.inspector.spring_lines import spring_lines
from mechstudio.view.translation import tr
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.form import Fold, Form
from mechstudio.view.widgets.widgets import IconButton, Segment, label, row, wrapped

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector

# the first key of paths whose fields have an editor of their own
OWN = ("law", "laws", "limits", "curve", "points", "until", "surface", "contacts")
QUANTITIES = {
    POSITION: ("Position", "Position"),
    VELOCITY: ("Speed", "Speed"),
    ACCELERATION: ("Acceleration", "Accel."),
}


def structure(element: object) -> tuple:
    """Features of an element that change the lines of its page, beside its fields."""
    laws = (
        tuple((name, law.type) for name, law in element.laws.items())
        if isinstance(element, Force)
        else ()
    )
    law = getattr(element, "law", None)
    return (
        laws,
        law.type if law is not None else "",
        tuple(x.coordinate for x in getattr(element, "limits", ())),
    )


def coordinate_name(page: Inspector, end: CoordinateOf) -> str:
    """A joint's name with its coordinate, where it has several: "A", "B slide"."""
    joint = page.studio.document.project.mechanism.joints.get(end.joint)
    if joint is None:
        return "–"
    known = JOINT_TYPES[joint.type].coordinates
    return (
        joint.name
        if len(known) == 1 or not 0 <= end.coordinate < len(known)
        else f"{joint.name} {tr(known[end.coordinate].name)}"
    )


def first_lines(page: Inspector, form: Form, id: str, element: object) -> None:
    """The lines under the name."""
    if isinstance(element, Joint):
        _joint_lines(page, form)
    elif isinstance(element, Coupling):
        for k, end in enumerate(COUPLING_TYPES[element.type].ends):
            form.add(tr(end.label), _end(page, id, k))
        if signed(element.type):
            form.add(tr("Sense"), _sense(page, id))
        form.wide(
            wrapped(tr("What it relates to each other counts from the drawn pose on."), "three")
        )
    elif isinstance(element, Drive):
        form.add(tr("Joint"), _driven(page, id))
        form.add(tr("Prescribes"), _quantity(page, id))
        form.add(tr("In use"), _switch(page, id, "enabled", tr("On"), tr("Off")))
    elif isinstance(element, Picture):
        picture_lines(
            page,
            form,
            id,
            lambda attribute, *steps: _switch(
                page, id, attribute, tr("On"), tr("Off"), steps=steps
            ),
        )
    elif isinstance(element, Force):
        if len(page.coordinates_for(element)) > 1:
            form.add(tr("Coordinate"), _force_coordinate(page, id))
        if FORCE_TYPES[element.type].attachment == BODY:
            form.add(
                tr("Axes"), _switch(page, id, "axes", tr("World"), tr("Body"), ("world", "body"))
            )
        elif FORCE_TYPES[element.type].attachment == TWO_POINTS:
            spring_lines(page, form, id)


def coordinate_lines(page: Inspector, form: Form, joint: Joint) -> Iterator[None]:
    """A line per coordinate that can be typed and dragged, one at every step."""
    for k, coordinate in enumerate(JOINT_TYPES[joint.type].coordinates):
        line = CoordinateLine(page, k)
        page.live.append(line.refresh)
        page.leaf.arrivals.append(line.arrive)
        form.add(tr(coordinate.name).capitalize(), line)
        yield


def further(
    page: Inspector,
    column: QtWidgets.QVBoxLayout,
    form: Form,
    id: str,
    element: object,
    shown: tuple[fields.Field, ...],
) -> None:
    """Add what stands below the first lines, which are in `form`."""
    of = lambda *head: [f for f in shown if f.path[: len(head)] == head]
    if isinstance(element, Drive) or (isinstance(element, Coupling) and element.law is not None):
        column.addWidget(LawEditor(page, id, ("law",), of("law"), form))
    elif isinstance(element, Force):
        for kind in FORCE_TYPES[element.type].parameters:
            # of the others the law stands where the number stood
            if kind.name in element.laws and kind.group:
                column.addWidget(
                    row(label(tr(kind.label), "two"), None, _follow(page, id, kind.name, True))
                )
                column.addWidget(LawEditor(page, id, ("laws", kind.name), of("laws", kind.name)))
    elif isinstance(element, Joint):
        if JOINT_TYPES[element.type].coordinates:
            column.addWidget(Fold(page.theme, tr("Limits"), lambda: _limits(page), page.opened))
        if element.curve is not None:
            column.addWidget(Fold(page.theme, tr("Curve"), lambda: _curve(page, id), page.opened))


def force_lines(
    page: Inspector, form: Form, id: str, force: Force, shown: tuple[fields.Field, ...]
) -> None:
    """A force's numbers in their order; one that follows a law has the law in its place.  shown:
    all fields of the force.
    """
    for kind in FORCE_TYPES[force.type].parameters:
        if kind.name in force.laws and not kind.group:
            form.add(
                tr(kind.label),
                row(label(tr("follows a law"), "three"), None, _follow(page, id, kind.name, True)),
            )
            form.wide(
                LawEditor(
                    page,
                    id,
                    ("laws", kind.name),
                    [f for f in shown if f.path[:2] == ("laws", kind.name)],
                )
            )
        else:
            for field in shown:
                if field.path == ("parameters", kind.name) and not field.group:
                    page.add_number(form, id, field)


def beside_number(page: Inspector, id: str, field: fields.Field) -> QtWidgets.QWidget | None:
    """A button beside a force's number that lets it follow a law."""
    element = fields.find(page.studio.document.project, id)
    if not isinstance(element, Force) or field.path[0] != "parameters":
        return None
    return _follow(page, id, str(field.path[1]), False)


def _follow(page: Inspector, id: str, parameter: str, on: bool) -> IconButton:
    tip = tr("Back to a constant number") if on else tr("Let it follow a law of time or motion")
    button = IconButton(
        page.theme,
        "function",
        tip,
        24,
        15,
        checkable=True,
        clicked=lambda: laws_actions.follow(page.studio, id, parameter),
    )
    button.setChecked(on)
    button.setObjectName(f"follow_{parameter}")
    return button


def _now(page: Inspector, id: str):
    return fields.find(page.studio.document.project, id)


def _choice(page: Inspector, name: str, entries, now, chosen) -> Choice:
    choice = Choice(page.theme, name, entries, now, chosen)
    page.refreshers.append(choice.refresh)
    return choice


def _change(page: Inspector, word: str, edit_) -> None:
    if reason := page.studio.display.change(word, edit_):
        page.refuse(reason)


def _joint_lines(page: Inspector, form: Form) -> None:
    leaf = page.leaf

    def chosen(type: str) -> None:
        name = page.studio.document.name(leaf.id)
        _change(
            page,
            f"Type of {name} {JOINT_TYPES[type].label.lower()}",
            lambda p: set_joint_type(p, leaf.id, type),
        )

    choice = _choice(
        page,
        tr("Type"),
        lambda: [(k, tr(kind.label), icon_of(k)) for k, kind in JOINT_TYPES.items()],
        lambda: _now(page, leaf.id).type,
        chosen,
    )
    choice.setToolTip(
        tr(
            "While placing a joint: {keys}",
            keys=", ".join(
                f"{kind.key.upper()} {kind.label.lower()}"
                for kind in JOINT_TYPES.values()
                if kind.key
            ),
        )
    )
    form.add(tr("Type"), choice)


def _end(page: Inspector, id: str, k: int) -> Choice:
    """Choice of the joint coordinate at one end of a coupling."""
    key = lambda end: f"{end.joint}/{end.coordinate}"

    def entries():
        m, kind = (
            page.studio.document.project.mechanism,
            COUPLING_TYPES[_now(page, id).type].ends[k],
        )
        taken = {end.joint for i, end in enumerate(_now(page, id).ends) if i != k}
        return [
            (key(end), coordinate_name(page, end), f"joint_{m.joints[j].type}")
            for j in m.joints
            if j not in taken
            for c, coordinate in enumerate(JOINT_TYPES[m.joints[j].type].coordinates)
            if coordinate.dimension in kind.dimensions and (end := CoordinateOf(j, c))
        ]

    def chosen(text: str) -> None:
        joint, coordinate = text.rsplit("/", 1)
        ends = list(_now(page, id).ends)
        ends[k] = CoordinateOf(joint, int(coordinate))
        _change(
            page,
            (
                f"{COUPLING_TYPES[_now(page, id).type].ends[k].label} of {page.studio.document.name(id)} "
                f"{page.studio.document.name(joint)}"
            ),
            lambda p: elements.set_attribute(p, id, ends=tuple(ends)),
        )

    return _choice(
        page,
        tr(COUPLING_TYPES[_now(page, id).type].ends[k].label),
        entries,
        lambda: key(_now(page, id).ends[k]),
        chosen,
    )


def _sense(page: Inspector, id: str) -> Segment:
    """Choice between same and opposite sense of rotation in space; between signs of the number for
    a rack and for wheels with axes that are not parallel.
    """

    def now() -> str:
        coupling = _now(page, id)
        alike = same_way(page.studio.document.project.mechanism, coupling)
        return str(
            int(coupling.parameters[signed(coupling.type)].value > 0 if alike is None else alike)
        )

    known = same_way(page.studio.document.project.mechanism, _now(page, id)) is not None
    segment = Segment(
        page.theme,
        (
            ("1", tr("Same") if known else tr("Plain")),
            ("0", tr("Opposite") if known else tr("Reversed")),
        ),
        "tight",
        26,
    )
    refresh = lambda: segment.choose(now())

    def chosen(key: str) -> None:
        if key != now():
            _change(page, f"Reverse {page.studio.document.name(id)}", lambda p: reverse(p, id))
        refresh()

    segment.chosen.connect(chosen)
    page.refreshers.append(refresh)
    refresh()
    return segment


def _driven(page: Inspector, id: str) -> Choice:
    """The joint's coordinate that a drive moves; another of its dimension, since the law keeps its
    numbers.
    """

    def entries():
        m, drive = page.studio.document.project.mechanism, _now(page, id)
        own = fields.dimension_of(m, drive.joint, drive.coordinate, "angle")
        taken = {(d.joint, d.coordinate) for d in m.drives.values() if d.id != id}
        return [
            (f"{j}/{c}", coordinate_name(page, CoordinateOf(j, c)), f"joint_{joint.type}")
            for j, joint in m.joints.items()
            for c, coordinate in enumerate(JOINT_TYPES[joint.type].coordinates)
            if coordinate.dimension == own and (j, c) not in taken
        ]

    def chosen(text: str) -> None:
        joint, coordinate = text.rsplit("/", 1)
        _change(
            page,
            f"Joint of {page.studio.document.name(id)} {page.studio.document.name(joint)}",
            lambda p: elements.set_attribute(p, id, joint=joint, coordinate=int(coordinate)),
        )

    return _choice(
        page,
        tr("Joint"),
        entries,
        lambda: f"{_now(page, id).joint}/{_now(page, id).coordinate}",
        chosen,
    )


def _quantity(page: Inspector, id: str) -> Segment:
    segment = Segment(
        page.theme, tuple((key, tr(short)) for key, (_, short) in QUANTITIES.items()), "tight", 26
    )
    refresh = lambda: segment.choose(_now(page, id).quantity)

    def chosen(key: str) -> None:
        if key != _now(page, id).quantity:
            word = QUANTITIES[key][0].lower()
            _change(
                page,
                f"{page.studio.document.name(id)} prescribes {word}",
                lambda p: insertion.set_drive_quantity(p, id, key),
            )
        refresh()

    segment.chosen.connect(chosen)
    page.refreshers.append(refresh)
    refresh()
    return segment


def _switch(
    page: Inspector,
    id: str,
    attribute: str,
    first: str,
    second: str,
    values: tuple = (True, False),
    steps: tuple = (),
) -> Segment:
    """Two words for the two values of an attribute.  steps: the verbs of the two edits, where the
    words alone would not tell.
    """
    segment = Segment(page.theme, (("0", first), ("1", second)), "tight", 26)
    refresh = lambda: segment.choose(str(values.index(getattr(_now(page, id), attribute))))

    def chosen(key: str) -> None:
        value = values[int(key)]
        if value != getattr(_now(page, id), attribute):
            word = (first, second)[int(key)].lower()
            label_ = (
                f"{steps[int(key)]} {page.studio.document.name(id)}"
                if steps
                else f"{page.studio.document.name(id)} {word}"
            )
            _change(page, label_, lambda p: elements.set_attribute(p, id, **{attribute: value}))

    segment.chosen.connect(chosen)
    page.refreshers.append(refresh)
    refresh()
    return segment


def _force_coordinate(page: Inspector, id: str) -> Choice:
    entries = lambda: [(str(k), tr(c.name), "") for k, c in page.coordinates_for(_now(page, id))]
    return _choice(
        page,
        tr("Coordinate"),
        entries,
        lambda: str(_now(page, id).coordinate),
        lambda key: _change(
            page,
            f"Coordinate of {page.studio.document.name(id)} {dict((e[0], e[1]) for e in entries())[key]}",
            lambda p: elements.set_attribute(p, id, coordinate=int(key)),
        ),
    )


def _limits(page: Inspector) -> QtWidgets.QWidget:
    """Stops of each coordinate: two numbers, how it rebounds or gives, and a button that takes them
    away or adds them.
    """
    leaf = page.leaf
    joint = _now(page, leaf.id)
    kind, studio = JOINT_TYPES[joint.type], page.studio
    body = QtWidgets.QWidget()
    box = QtWidgets.QVBoxLayout(body)
    box.setContentsMargins(14, 0, 0, 4)
    box.setSpacing(6)
    shown = fields.fields(joint, leaf.id, studio.document.project.mechanism)
    for c, coordinate in enumerate(kind.coordinates):
        at = next((k for k, limit in enumerate(joint.limits) if limit.coordinate == c), None)
        name = tr(coordinate.name).capitalize()
        if at is None:
            button = QtWidgets.QPushButton(tr("Add stops of {name}", name=tr(coordinate.name)))
            button.setObjectName("line")
            button.setIcon(page.theme.icon("plus", "text2", 14))
            button.clicked.connect(
                lambda _=False, c=c, name=name: _change(
                    page,
                    f"Add stops to {studio.document.name(leaf.id)}",
                    lambda p: insertion.add_limit(p, leaf.id, c),
                )
            )
            box.addWidget(button)
            continue
        remove = IconButton(
            page.theme,
            "minus",
            tr("Remove these stops"),
            24,
            15,
            clicked=lambda c=c: _change(
                page,
                f"Remove stops of {studio.document.name(leaf.id)}",
                lambda p: insertion.remove_limit(p, leaf.id, c),
            ),
        )
        box.addWidget(row(label(name, "two"), None, remove))
        form = Form(page.theme)
        for field in shown:
            # a soft stop has no rebound of its own: the spring gives it back; a hard one damps
            # nothing
            if field.path[:2] == ("limits", at) and field.path[2] not in (
                ("restitution",) if joint.limits[at].stiffness is not None else ("damping",)
            ):
                page.add_number(form, leaf.id, field)
        box.addWidget(form)
    if joint.limits:
        struck = EventList(page, leaf.id)
        struck.layout().setContentsMargins(0, 0, 0, 0)
        page.live.append(struck.refresh)
        box.addWidget(label(tr("Struck in the run"), "two"))
        box.addWidget(struck)
    return body


def _curve(page: Inspector, id: str) -> QtWidgets.QWidget:
    """The points of a joint's curve, straight or smooth, open or closed."""
    joint, studio = _now(page, id), page.studio
    body = QtWidgets.QWidget()
    box = QtWidgets.QVBoxLayout(body)
    box.setContentsMargins(14, 0, 0, 4)
    box.setSpacing(6)
    form = Form(page.theme)
    for attribute, word, yes, no in (
        ("smooth", tr("Pieces"), tr("Smooth"), tr("Straight")),
        ("closed", tr("Ends"), tr("Closed"), tr("Open")),
    ):
        form.add(word, _curve_switch(page, id, attribute, yes, no))
    box.addWidget(form)
    note = wrapped(
        tr(
            "In the axes of the frame on {body}",
            body=studio.document.project.mechanism.body(joint.frame_a.body).name,
        ),
        "three",
    )
    box.addWidget(note)
    shown = [
        f
        for f in fields.fields(joint, id, studio.document.project.mechanism)
        if f.path[0] == "curve"
    ]
    grid = QtWidgets.QGridLayout()
    grid.setHorizontalSpacing(3)
    grid.setVerticalSpacing(4)
    for k in range(len(shown) // 3):
        for c in range(3):
            page.add_to_grid(grid, id, shown[3 * k + c], k, c)
        for c, icon, tip, edit_ in (
            (3, "plus", tr("Add a point after this one"), insertion.add_curve_point),
            (4, "minus", tr("Remove this point"), insertion.remove_curve_point),
        ):
            button = IconButton(
                page.theme,
                icon,
                tip,
                20,
                13,
                clicked=lambda edit_=edit_, k=k, icon=icon: _change(
                    page,
                    (
                        f"{'Add a point to' if icon == 'plus' else 'Remove a point of'} the "
                        f"curve of {studio.document.name(id)}"
                    ),
                    lambda p: edit_(p, id, k),
                ),
            )
            grid.addWidget(button, k, c)
    box.addLayout(grid)
    return body


def _curve_switch(page: Inspector, id: str, attribute: str, yes: str, no: str) -> Segment:
    segment = Segment(page.theme, (("1", yes), ("0", no)), "tight", 26)
    refresh = lambda: (
        segment.choose(str(int(getattr(_now(page, id).curve, attribute))))
        if _now(page, id).curve is not None
        else None
    )

    def chosen(key: str) -> None:
        curve = _now(page, id).curve
        _change(
            page,
            f"Curve of {page.studio.document.name(id)} {(yes if key == '1' else no).lower()}",
            lambda p: elements.set_attribute(
                p, id, curve=elements.replace(curve, **{attribute: key == "1"})
            ),
        )

    segment.chosen.connect(chosen)
    page.refreshers.append(refresh)
    refresh()
    return segment
