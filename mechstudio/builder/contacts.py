"""Contacts of a Builder: what touches, the floor, surfaces, and how contacts are stepped."""

from typing import TYPE_CHECKING

import msgspec

from mechstudio.builder.collector import Collector
from mechstudio.builder.geometry import Number
from mechstudio.model.contact import (
    CONTACT_METHODS,
    IMPACT_LAWS,
    MOST_ITERATIONS,
    NUMBERS,
    SURFACE_TYPES,
    ContactPair,
    Floor,
    Surface,
)
from mechstudio.model.fields import CONTACT_FIELDS, Field, problem, surface_fields
from mechstudio.model.quantity import Quantity

if TYPE_CHECKING:
    from mechstudio.builder.handles import BodyHandle

_replace = msgspec.structs.replace


class Contacts(Collector):
    """Part of Builder."""

    def surface(self, body: "BodyHandle", type: str = "plain", **numbers: Number) -> None:
        """The skin of a body: a key of SURFACE_TYPES, and numbers typed over it: friction,
        restitution, rolling, spinning [m], stiffness [N/m], damping [s].
        """
        known = self._body(body, "surface")
        self._change_body(known.id, surface=self._surface(type, numbers, known.name))

    def floor(self, height: Number = 0.0, type: str = "plain", **numbers: Number) -> None:
        """A level floor at a height; contacts are on from here."""
        self._put_contacts(
            enabled=True,
            floor=Floor(
                self.quantity(height, "length", "floor, height"),
                self._surface(type, numbers, "floor"),
            ),
        )

    def touch(
        self,
        *,
        step: Number | None = None,
        tolerance: Number | None = None,
        impacts: str | None = None,
        method: str | None = None,
        slowest: Number | None = None,
        margin: Number | None = None,
        sleep: Number | None = None,
        most: int | None = None,
    ) -> None:
        """Contacts on, and how they are stepped where that is not as usual.  most: iterations of
        one solve.
        """
        for key, table, what in (
            (impacts, IMPACT_LAWS, "impacts"),
            (method, CONTACT_METHODS, "method"),
        ):
            if key is not None and key not in table:
                raise ValueError(f"There is no {what} {key}; known are {', '.join(table)}.")
        given = {
            "step": step,
            "tolerance": tolerance,
            "slowest": slowest,
            "margin": margin,
            "sleep": sleep,
        }
        changes: dict = {
            f.path[-1]: self._bounded(given[f.path[-1]], f, "contacts")
            for f in CONTACT_FIELDS
            if given[f.path[-1]] is not None
        }
        changes |= {k: v for k, v in (("impacts", impacts), ("method", method)) if v is not None}
        if most is not None:
            if not (isinstance(most, int) and 1 <= most <= MOST_ITERATIONS):
                raise ValueError(
                    "The iterations of contacts must be a whole number from 1 to "
                    f"{MOST_ITERATIONS:,}, not {most}."
                )
            changes["most"] = most
        self.settings = _replace(
            self.settings, contacts=_replace(self.settings.contacts, **changes)
        )
        self._put_contacts(enabled=True)

    def pair(
        self,
        a: "BodyHandle",
        b: "BodyHandle",
        touch: bool,
        type: str | None = None,
        **numbers: Number,
    ) -> None:
        """Two bodies touch, or do not.  type, numbers: a surface for the two of them, see
        `surface`; without a word it follows from those of both.  Of two words on a pair the last
        counts.
        """
        named = " and ".join(self._body(each, "pair").name for each in (a, b))
        if not isinstance(touch, bool):
            raise ValueError(
                f"{named}: whether they touch is True or False, not {str(touch)[:60]}."
            )
        surface = (
            self._surface(type or "plain", numbers, named) if type is not None or numbers else None
        )
        if a.id == b.id:
            raise ValueError(f"{a.body.name} makes no pair with itself.")
        others = (p for p in self.mechanism.contacts.pairs if {p.body_a, p.body_b} != {a.id, b.id})
        self._put_contacts(pairs=(*others, ContactPair(a.id, b.id, touch, surface=surface)))

    def untouchable(self, body: "BodyHandle") -> None:
        """A body that passes through everything."""
        self._change_body(self._body(body, "untouchable").id, touches=False)

    def _surface(self, type: str, numbers: dict[str, Number], what: str) -> Surface:
        if type not in SURFACE_TYPES:
            raise ValueError(
                f"{what}: there is no surface {type}; known are {', '.join(SURFACE_TYPES)}."
            )
        if unknown := numbers.keys() - set(NUMBERS):
            raise ValueError(
                f"{what}: a surface has no {', '.join(sorted(unknown))}; its numbers are "
                f"{', '.join(NUMBERS)}."
            )
        return Surface(
            type,
            **{
                f.path[-1]: self._bounded(numbers[f.path[-1]], f, what)
                for f in surface_fields(Surface(), (), True)
                if f.path[-1] in numbers
            },
        )

    def _bounded(self, number: Number, field: Field, what: str) -> Quantity:
        """A number that may stand in a field."""
        q = self.quantity(number, field.dimension, f"{what}, {field.path[-1]}")
        if reason := problem(field, q.value):
            raise ValueError(f"{what}: {reason}")
        return q

    def _put_contacts(self, **changes) -> None:
        self.mechanism = _replace(
            self.mechanism, contacts=_replace(self.mechanism.contacts, **changes)
        )

    def _change_body(self, id: str, **changes) -> None:
        m = self.mechanism
        if id in m.bodies:
            self.mechanism = _replace(m, bodies={**m.bodies, id: _replace(m.bodies[id], **changes)})
        else:
            self.mechanism = _replace(m, ground=_replace(m.ground, **changes))
