"""Formulas and typed numbers that an edit made plain numbers, and the sentence that says so."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mechstudio.model import fields
from mechstudio.model.formulas import expression
from mechstudio.model.project import Project
from mechstudio.translation import Words, tr

PLACE: Words = "Position"  # group of the fields that are a body's own place
BY_HAND: Words = "since this was set by hand"
CLOSED_ELSEWHERE: Words = "since the joints close elsewhere"


class Lost(NamedTuple):
    """A typed text that is gone.   name: of its element.   label: of its field."""

    name: str
    label: str
    text: str


def texts_lost(before: Project, after: Project) -> Iterator[Lost]:
    """Texts of numbers that an edit made plain ones, in the elements that it left."""
    known = dict(fields.elements(after))
    for id, element in fields.elements(before):
        now = known.get(id)
        if now is None or now is element:
            continue
        for field in fields.every(element, id, before.mechanism):
            was, new = fields.read(element, field.path), fields.read(now, field.path)
            if was is not None and was.text and new is not None and not new.text:
                group = "" if field.group in ("", PLACE) else f" ({field.group})"
                yield Lost(getattr(element, "name", "") or id, field.label + group, was.text)


def formulas_lost(before: Project, after: Project) -> Iterator[Lost]:
    """The same of formulas alone, texts that name a parameter."""
    return (lost for lost in texts_lost(before, after) if not expression.is_plain(lost.text))


def reported(lost: Sequence[Lost], why: str) -> str:
    """A sentence on the first of some texts, with the number of others."""
    name, label, text = lost[0]
    what = tr("typed") if expression.is_plain(text) else tr("formula")
    more = tr(" and {count} more", count=len(lost) - 1) if len(lost) > 1 else ""
    became = tr("numbers") if more else tr("a number")
    return tr(
        "The {what} {text} for {label} of {name}{more} became {became}, {why}.",
        what=what,
        text=text,
        label=label,
        name=name,
        more=more,
        became=became,
        why=why,
    )
