"""Selected elements and the element under the pointer, shared by tree, viewport and inspector."""

from collections.abc import Callable, Collection, Container

from mechstudio.application.signal import Signal
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.translation import comma, tr, trn


def counts(project: Project, ids: Collection[str]) -> str:
    """Phrase for the number of each kind that the ids name: "2 bodies, 1 joint"; "" for none."""
    m = project.mechanism

    def count(section: Collection[str]) -> int:
        return sum(id in section for id in ids)

    words = (
        trn("{count} body", "{count} bodies", n) if (n := count(m.bodies)) else "",
        trn("{count} joint", "{count} joints", n) if (n := count(m.joints)) else "",
        trn("{count} coupling", "{count} couplings", n) if (n := count(m.couplings)) else "",
        trn("{count} drive", "{count} drives", n) if (n := count(m.drives)) else "",
        trn("{count} force", "{count} forces", n) if (n := count(m.forces)) else "",
        trn("{count} parameter", "{count} parameters", n)
        if (n := count(project.parameters))
        else "",
        trn("{count} picture", "{count} pictures", n) if (n := count(project.pictures)) else "",
        trn("{count} gauge", "{count} gauges", n) if (n := count(project.gauges)) else "",
        tr("ground") if GROUND in ids else "",
    )
    return comma().join(filter(None, words))


class Selection:
    """Ids of elements ("ground", "settings" and "gravity" included).  changed(): any of these is
    another.

    hovered: the one under the pointer.  lit: all that glow with it, itself included: a term of an
    equation may belong to several.  known(): ids of existing elements; without it all ids are
    accepted. What asks to select may be older than the drawing, such as a row of a table: of its
    ids those that exist are selected.
    point: name of the named point through which the current element was chosen, "" for none.
    """

    def __init__(self, known: Callable[[], Container[str]] | None = None) -> None:
        self._known = known
        self.changed = Signal()
        self.selected: tuple[str, ...] = ()
        self.point = ""
        self.hovered = ""
        self.lit: tuple[str, ...] = ()

    @property
    def current(self) -> str:
        """The element that was selected last; empty if none is."""
        return self.selected[-1] if self.selected else ""

    def select(self, *ids: str, point: str = "") -> None:
        if ids and self._known is not None:
            known = self._known()
            ids = tuple(id for id in ids if id in known)
        if (ids, point) != (self.selected, self.point):
            self.selected, self.point = ids, point if ids else ""
            self.changed.emit()

    def toggle(self, id: str) -> None:
        rest = tuple(x for x in self.selected if x != id)
        self.select(*(rest if len(rest) < len(self.selected) else (*rest, id)))

    def hover(self, id: str, *others: str) -> None:
        """`id` is under the pointer, "" for nothing, and `others` glow with it."""
        lit = (id, *others) if id else ()
        if (id, lit) != (self.hovered, self.lit):
            self.hovered, self.lit = id, lit
            self.changed.emit()

    def forget_gone(self) -> None:
        """Select and light no more what does not exist any longer."""
        self.select(*self.selected, point=self.point)
        if self.hovered and self._known is not None:
            known = self._known()
            self.hover(*([x for x in self.lit if x in known] or [""]))
