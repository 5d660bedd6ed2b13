"""Inspector lines of a drive: the coordinate that it moves, and the quantity that it prescribes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mechstudio.model.edits import elements, insertion
from mechstudio.model.element_fields.laws import dimension_of
from mechstudio.model.mechanism import (
    ACCELERATION,
    POSITION,
    VELOCITY,
    CoordinateOf,
)
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import Words, tr
from mechstudio.view.inspector.elements.choices import (
    change,
    choice,
    coordinate_name,
    current,
    switch,
)
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.form import Form

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector


QUANTITIES: dict[str, Words] = {
    POSITION: "Position",
    VELOCITY: "Speed",
    ACCELERATION: "Acceleration",
}


def drive_lines(page: Inspector, form: Form, id: str) -> None:
    """Its coordinate, prescribed quantity and switch."""
    form.add(tr("Joint"), _driven(page, id))
    form.add(tr("Prescribes"), _quantity(page, id))
    form.add(tr("In use"), switch(page, id, "enabled", tr("On"), tr("Off")))


def _driven(page: Inspector, id: str) -> Choice:
    """The joint's coordinate that a drive moves; another of its dimension, since the law keeps its
    numbers.
    """

    def entries():
        m, drive = page.studio.document.project.mechanism, current(page, id)
        own = dimension_of(m, drive.joint, drive.coordinate, "angle")
        taken = {(d.joint, d.coordinate) for d in m.drives.values() if d.id != id}
        return [
            (f"{j}/{c}", coordinate_name(page, CoordinateOf(j, c)), f"joint_{joint.type}")
            for j, joint in m.joints.items()
            for c, coordinate in enumerate(JOINT_TYPES[joint.type].coordinates)
            if coordinate.dimension == own and (j, c) not in taken
        ]

    def chosen(text: str) -> None:
        joint, coordinate = text.rsplit("/", 1)
        change(
            page,
            tr(
                "Joint of {id} {joint}",
                id=page.studio.document.name(id),
                joint=page.studio.document.name(joint),
            ),
            lambda p: elements.set_attribute(p, id, joint=joint, coordinate=int(coordinate)),
        )

    return choice(
        page,
        tr("Joint"),
        entries,
        lambda: f"{current(page, id).joint}/{current(page, id).coordinate}",
        chosen,
    )


def _quantity(page: Inspector, id: str) -> Choice:
    def chosen(key: str) -> None:
        word = tr(QUANTITIES[key]).lower()
        change(
            page,
            tr("{id} prescribes {word}", id=page.studio.document.name(id), word=word),
            lambda p: insertion.set_drive_quantity(p, id, key),
        )

    return choice(
        page,
        tr("Prescribes"),
        lambda: [(key, tr(word), "") for key, word in QUANTITIES.items()],
        lambda: current(page, id).quantity,
        chosen,
    )
