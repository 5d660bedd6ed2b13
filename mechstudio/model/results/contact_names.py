"""Names of contacts, by which the view, the equations and the tables mean the same one: both
bodies, and which of the points between them.
"""

from collections.abc import Iterable, Sequence

from mechstudio.model.mechanism import GROUND

TOUCH = (
    "touch:"  # begins the name of a contact: TOUCH + first body + ":" + second body + ":" + number
)


def contact_ids(pairs: Iterable[Sequence[int]], bodies: Sequence[str]) -> tuple[str, ...]:
    """One name per contact.  pairs: numbers of both bodies in file order, -1 ground.  bodies: ids
    in file order.  A name lasts as long as the pair keeps as many points.
    """
    seen: dict[tuple[int, int], int] = {}
    out: list[str] = []
    for a, b in pairs:
        k = seen[a, b] = seen.get((a, b), -1) + 1
        out.append(
            f"{TOUCH}{bodies[a] if a >= 0 else GROUND}:{bodies[b] if b >= 0 else GROUND}:{k}"
        )
    return tuple(out)


def bodies_of(touch: str) -> tuple[str, str]:
    """The ids of both bodies of a contact's name."""
    a, b, _ = touch.removeprefix(TOUCH).rsplit(":", 2)
    return a, b
