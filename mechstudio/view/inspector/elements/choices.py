"""Fields of the inspector that choose between values of an element."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.mechanism import (
    CoordinateOf,
)
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import tr
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.widgets import Segment

if TYPE_CHECKING:
    from mechstudio.model.project import Project
    from mechstudio.view.inspector.inspector import Inspector


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


def current(page: Inspector, id: str) -> Any:
    """The element as it is now."""
    return fields.find(page.studio.document.project, id)


def choice(
    page: Inspector,
    name: str,
    entries: Callable[[], Iterable[tuple[str, str, str]]],
    now: Callable[[], str],
    chosen: Callable[[str], None],
) -> Choice:
    """A choice that follows the page; see Choice."""
    made = Choice(page.theme, name, entries, now, chosen)
    page.refreshers.append(made.refresh)
    return made


def change(page: Inspector, word: str, edit_: Callable[[Project], Project]) -> None:
    """Edit the drawing, or say in words why it cannot be done."""
    if reason := page.studio.display.change(word, edit_):
        page.refuse(reason)


def switch(
    page: Inspector,
    id: str,
    attribute: str,
    first: str,
    second: str,
    values: tuple = (True, False),
    steps: tuple = (),
) -> Segment:
    """Two words for the two values of an attribute.  steps: the verbs of the two edits, where the
    words alone would not show.
    """
    segment = Segment(page.theme, (("0", first), ("1", second)), "tight", 26)
    refresh = lambda: segment.choose(str(values.index(getattr(current(page, id), attribute))))

    def chosen(key: str) -> None:
        value = values[int(key)]
        if value != getattr(current(page, id), attribute):
            word = (first, second)[int(key)].lower()
            label_ = (
                f"{steps[int(key)]} {page.studio.document.name(id)}"
                if steps
                else f"{page.studio.document.name(id)} {word}"
            )
            change(page, label_, lambda p: elements.set_attribute(p, id, **{attribute: value}))

    segment.chosen.connect(chosen)
    page.refreshers.append(refresh)
    refresh()
    return segment
