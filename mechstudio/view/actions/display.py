"""Commands of the work plane: choose it, lock it, look at it."""

from typing import Any

from mechstudio.application.tools.snapping.plane import standard_plane


class PlaneCommands:
    """Part of Commands; a method per action id."""

    _studio: Any
    _window: Any

    @property
    def is_choosing_plane(self) -> bool:
        return self._studio.bench.tool.name == "plane"

    @property
    def is_plane_locked(self) -> bool:
        return self._studio.bench.context.locked

    def work_plane(self) -> None:
        """Take the tool in hand; with it in hand already, lock or unlock."""
        bench = self._studio.bench
        if bench.tool.name == "plane":
            bench.tool.key("w")
            bench.after_event()
        else:
            bench.take("plane")

    def plane_points(self) -> None:
        self._studio.bench.take("plane", only="points")

    def plane_face(self) -> None:
        self._studio.bench.take("plane", only="face")

    def lock_plane(self) -> None:
        self._studio.bench.toggle_lock()

    def look_at_plane(self) -> None:
        self._window.viewport.look_at_plane()

    def plane_front(self) -> None:
        self._standard("front")

    def plane_right(self) -> None:
        self._standard("right")

    def plane_top(self) -> None:
        self._standard("top")

    def _standard(self, key: str, id: str = "") -> None:
        """A standard plane, through an element or the origin."""
        studio = self._studio
        studio.bench.set_plane(standard_plane(studio.display.project.mechanism, key, id))


for _key in ("front", "right", "top"):
    setattr(
        PlaneCommands,
        f"plane_{_key}_here",
        lambda self, key=_key: self._standard(key, self._studio.selection.current),
    )
