"""Inspector lines of a force between two points beside its numbers: its length, and the preload of
a spring.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mechstudio.model.edits import springs
from mechstudio.model.geometry.rotation import transform
from mechstudio.model.units import format_value, unit
from mechstudio.translation import tr
from mechstudio.view.widgets.form import Form, Reading, Text

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector


def spring_lines(page: Inspector, form: Form, id: str) -> None:
    """Lines under the name of a spring, damper or actuator."""
    studio = page.studio
    length = Reading(page.theme)
    length.setToolTip(tr("As drawn; at the time cursor while a run is shown"))

    def show() -> None:
        m = studio.display.project.mechanism
        force, sample = m.forces.get(id), studio.runs.sample
        if force is None or force.frame_a is None or force.frame_b is None:
            return
        value = springs.drawn_length(m, force)
        recording = studio.runs.recording
        if sample is not None and recording is not None:
            ends = []
            for frame in (force.frame_a, force.frame_b):
                place = m.frame_in_body(frame)[0]
                if frame.body in m.bodies:
                    x, y, z, *turn = sample[recording.layout.pose(frame.body)].tolist()
                    place = transform(((x, y, z), (turn[0], turn[1], turn[2], turn[3])), place)
                ends.append(place)
            value = springs.distance(*ends)
        length.show_text(format_value(value, "length", studio.preferences.units, 5))

    page.on_time.append(show)
    show()
    form.add(tr("Length"), length)
    if not springs.has_preload(studio.document.project.mechanism.forces[id]):
        return

    def read() -> str:
        m = studio.display.project.mechanism
        return (
            format_value(springs.preload(m, m.forces[id]), "force", studio.preferences.units, 6)
            if id in m.forces
            else ""
        )

    def write(text: str) -> None:
        symbol = unit("force", studio.preferences.units).symbol
        if reason := studio.display.change(
            tr("Preload of {id} {text}", id=studio.document.name(id), text=text),
            lambda p: springs.set_preload(p, id, text, symbol),
        ):
            page.refuse(reason)

    field = Text(page.theme, read, write)
    field.edit.setAccessibleName(tr("Preload"))
    field.setToolTip(tr("The pull as drawn; typing it changes the free length"))
    page.refreshers.append(field.refresh)
    form.add(tr("Preload"), field)
