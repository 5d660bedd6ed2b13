"""Numbers of surfaces, of the floor and of pairs in contact."""

from collections.abc import Iterator, Sequence

from mechstudio.model.contact import NUMBERS, PAIR_NUMBERS, Contacts, Surface
from mechstudio.model.element_fields.field import LARGEST, Field, Path
from mechstudio.translation import Words, tr

# pull up to which impulses of the contact step are exact to the tolerance of contacts [N]
LARGEST_PULL = 1e9
_SURFACE_BOUNDS: dict[str, tuple[Words, str, float, float]] = {
    "friction": ("Friction", "number", 0.0, 100.0),
    "restitution": ("Rebound", "number", 0.0, 1.0),
    "tangential_restitution": ("Tangential rebound", "number", 0.0, 1.0),
    "rolling": ("Rolling resistance", "length", 0.0, 1e3),
    "spinning": ("Spinning resistance", "length", 0.0, 1e3),
    "stiffness": ("Contact stiffness", "stiffness", 1e-9, LARGEST),
    "damping": ("Damping time", "time", 0.0, 1e9),
    "adhesion": ("Adhesion", "force", 0.0, LARGEST_PULL),
    "belt_speed": ("Belt speed", "velocity", -1e6, 1e6),
}
CONTACT_FIELDS = (
    Field(("contacts", "step"), "Contact step", "time", "Contacts", least=1e-7, most=1.0),
    Field(("contacts", "tolerance"), "Tolerance", "velocity", "Contacts", least=1e-12, most=1.0),
    Field(("contacts", "slowest"), "Rebounds above", "velocity", "Contacts", least=0.0, most=1e3),
    Field(("contacts", "margin"), "Look around", "length", "Contacts", True, 0.0, 1e3),
    Field(("contacts", "sleep"), "Rests after", "time", "Contacts", least=0.0, most=1e9),
)


def surface_fields(
    surface: Surface, path: Path, every: bool = False, names: Sequence[str] = NUMBERS
) -> Iterator[Field]:
    """The numbers of a surface that are typed.   every: also those that are its type's.  names: of
    those that count.
    """
    for name in names:
        if every or getattr(surface, name) is not None:
            label, dimension, least, most = _SURFACE_BOUNDS[name]
            yield Field((*path, name), label, dimension, "Contact", True, least, most)


def contacts_fields(contacts: Contacts) -> Iterator[Field]:
    """Every number of contacts: of the floor, and of pairs with a surface of their own."""
    if contacts.floor is not None:
        yield Field(("floor", "height"), tr("Height of the floor"), "length", "Floor")
        yield from surface_fields(contacts.floor.surface, ("floor", "surface"), True)
    for k, pair in enumerate(contacts.pairs):
        if pair.surface is not None:
            yield from surface_fields(pair.surface, ("pairs", k, "surface"), True, PAIR_NUMBERS)
