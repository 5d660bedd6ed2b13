"""Names of contacts, by which the view, the equations and the tables mean the same one: both
bodies, and which of the points between them.
"""

from collections.abc import Iterable, Sequence

from mechstudio.model.mechanism import GROUND

# begins the name of a contact: CONTACT_PREFIX + first body + ":" + second body + ":" + number
CONTACT_PREFIX = "touch:"


def contact_ids(pairs: Iterable[Sequence[int]], bodies: Sequence[str]) -> tuple[str, ...]:
    """One name per contact.  pairs: numbers of both bodies in file order, -1 ground.  bodies: ids
    in file order.  A name lasts as long as the pair keeps as many points.
    """
    seen: dict[tuple[int, int], int] = {}
    out: list[str] = []
    for a, b in pairs:
        k = seen[a, b] = seen.get((a, b), -1) + 1
        names = (bodies[n] if n >= 0 else GROUND for n in (a, b))
        out.append(f"{CONTACT_PREFIX}{':'.join(names)}:{k}")
    return tuple(out)


def bodies_of(contact: str) -> tuple[str, str]:
    """The ids of both bodies of a contact's name."""
    a, b, _ = contact.removeprefix(CONTACT_PREFIX).rsplit(":", 2)
    return a, b
