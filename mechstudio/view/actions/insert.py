"""Commands of the Insert menu: tools in hand, and what is put on selected joints."""

from typing import Any

from mechstudio.application.tools.picker import DRIVE
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import BODY, FORCE_TYPES, FRAMES, TWO_POINTS, entries
from mechstudio.model.types.joints import JOINT_TYPES

# tool that places the forces of an attachment; those on joints go by the entries
TOOLS = {TWO_POINTS: "two_points", BODY: "point_force", FRAMES: "bushing"}


class InsertCommands:
    """Part of Commands; a method per action id."""

    _studio: Any

    def _in_hand(self, name: str, type: str = "") -> bool:
        tool = self._studio.bench.tool
        return tool.name == name and (not type or tool.type == type)

    def _tool(self, name: str, **options: str) -> None:
        """Take a tool in hand; one that is in hand stays there, Esc puts it down."""
        bench = self._studio.bench
        if bench.tool.name != name or options:
            bench.take(name, **options)

    @property
    def is_drawing_link(self) -> bool:
        return self._in_hand("link")

    @property
    def is_placing_joint(self) -> bool:
        return self._in_hand("joint")

    def draw_link(self) -> None:
        self._tool("link")

    def place_joint(self) -> None:
        self._tool("joint")

    def drive(self) -> None:
        self._studio.insert(DRIVE)

    @property
    def has_floor(self) -> bool:
        return self._studio.has_floor

    @property
    def has_contacts(self) -> bool:
        return self._studio.has_contacts

    def floor(self) -> None:
        self._studio.toggle_floor()

    def contacts(self) -> None:
        self._studio.toggle_contacts()

    def ground(self) -> None:
        self._studio.bench.toggle_ground()


# one method for each type of the tables, and a tick for each tool that is in hand
for _type in JOINT_TYPES:
    setattr(
        InsertCommands, f"place_{_type}", lambda self, type=_type: self._tool("joint", type=type)
    )
for _type in COUPLING_TYPES:
    setattr(InsertCommands, f"couple_{_type}", lambda self, type=_type: self._studio.insert(type))
for _entry in entries():
    setattr(InsertCommands, _entry, lambda self, entry=_entry: self._studio.insert(entry))
for _type, _kind in FORCE_TYPES.items():
    if _kind.attachment not in TOOLS:
        continue
    _tool = TOOLS[_kind.attachment]
    _options = {} if _kind.attachment == FRAMES else {"type": _type}
    setattr(
        InsertCommands,
        _type,
        lambda self, tool=_tool, options=_options: self._tool(tool, **options),
    )
    setattr(
        InsertCommands,
        f"is_placing_{_type}",
        property(lambda self, tool=_tool, options=_options: self._in_hand(tool, **options)),
    )
