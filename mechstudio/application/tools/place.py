"""Choice of a place in the scene: where torsors and moments are to be read."""

from mechstudio.application.tools.snapping.places import place
from mechstudio.application.tools.tool import STOP, Key, Pointer, Preview, Tool, ToolContext
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.mechanism import GROUND
from mechstudio.model.units import format_value
from mechstudio.translation import series, tr


class PlaceTool(Tool):
    """One click: `context.place_chosen` gets the id of a joint, or the place in W [m], and the tool
    ends.
    """

    name = "place"

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self._here: str | Triple | None = None
        self.hint = tr(
            "Click the point at which moments are to be read: a joint, or any place · Esc stops"
        )

    def move(self, pointer: Pointer) -> None:
        p = self.preview = Preview()
        m = self.context.document.project.mechanism
        found = place(self.context, pointer) if self.context.at_design else None
        joint = (
            pointer.element
            if pointer.element in m.joints
            else found.joint
            if found is not None
            else ""
        )
        # at an instant of a run things do not stand as drawn: then what is under the pointer counts
        at = found.point if found is not None else pointer.surface or pointer.point
        self._here = joint or at
        if joint:
            p.word = tr("joint {joint}", joint=m.joints[joint].name)
            p.marker = found.point if found is not None and found.joint else at
        elif at is not None:
            p.marker, p.shape = at, "cross"
            p.word = (
                found.word
                if found is not None and found.word
                else tr("on {body}", body=m.body(pointer.body).name)
                if pointer.body in (GROUND, *m.bodies) and pointer.surface
                else ""
            )
            p.label = series(format_value(x, "length", self.context.units, 4) for x in at)

    def press(self, pointer: Pointer) -> None:
        self.move(pointer)
        if self._here is None:
            self.context.message = tr(
                "Neither a body nor the work plane is here: click one of them, or a joint's mark."
            )
            return
        here = self._here
        self.cancel()
        self.context.place_chosen.emit(here)

    def take(self, id: str) -> None:
        """A joint clicked in the tree."""
        if id in self.context.document.project.mechanism.joints:
            self.cancel()
            self.context.place_chosen.emit(id)

    def keys(self) -> list[Key]:
        return [Key("Click", tr("a joint or a place")), STOP]
