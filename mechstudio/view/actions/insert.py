"""Commands of the Insert menu: tools in hand, and what is put on selected joints."""

from typing import Any

from mechstudio.application.actions.registry import JOINTS
from mechstudio.application.tools.picker import DRIVE
from mechstudio.model.types.couplings import COUPLING_TYPES


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

    @property
    def is_placing_bushing(self) -> bool:
        return self._in_hand("bushing")

    def draw_link(self) -> None:
        self._tool("link")

    def place_joint(self) -> None:
        self._tool("joint")

    def drive(self) -> None:
        self._studio.insert(DRIVE)

    def motor(self) -> None:
        self._studio.insert("motor")

    def servo(self) -> None:
        self._studio.insert("servo")

    def friction(self) -> None:
        self._studio.insert("friction")

    def joint_spring(self) -> None:
        self._studio.insert("spring")

    def joint_damper(self) -> None:
        self._studio.insert("damper")

    def bushing(self) -> None:
        self._tool("bushing")

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
for _type, *_ in JOINTS:
    setattr(
        InsertCommands, f"place_{_type}", lambda self, type=_type: self._tool("joint", type=type)
    )
for _type in COUPLING_TYPES:
    setattr(InsertCommands, f"couple_{_type}", lambda self, type=_type: self._studio.insert(type))
for _tool, _types in (
    ("two_points", ("spring", "damper", "actuator")),
    ("point_force", ("force", "torque")),
):
    for _type in _types:
        setattr(
            InsertCommands, _type, lambda self, tool=_tool, type=_type: self._tool(tool, type=type)
        )
        setattr(
            InsertCommands,
            f"is_placing_{_type}",
            property(lambda self, tool=_tool, type=_type: self._in_hand(tool, type)),
        )
