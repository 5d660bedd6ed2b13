"""What is selected and what is under the pointer, shared by tree, viewport and inspector."""

from .signal import Signal


class Selection:
    """Ids of elements ("ground", "settings" and "gravity" included).  changed(): selected or hovered is another."""

    def __init__(self) -> None:
        self.changed = Signal()
        self.selected: tuple[str, ...] = ()
        self.hovered = ""

    @property
    def current(self) -> str:
        """The element that was selected last; empty if none is."""
        return self.selected[-1] if self.selected else ""

    def select(self, *ids: str) -> None:
        if ids != self.selected:
            self.selected = ids
            self.changed.emit()

    def toggle(self, id: str) -> None:
        rest = tuple(x for x in self.selected if x != id)
        self.select(*(rest if len(rest) < len(self.selected) else (*rest, id)))

    def hover(self, id: str) -> None:
        if id != self.hovered:
            self.hovered = id
            self.changed.emit()

    def keep(self, known) -> None:
        """Forget ids that no longer exist."""
        self.select(*(x for x in self.selected if x in known))
        if self.hovered and self.hovered not in known:
            self.hover("")
