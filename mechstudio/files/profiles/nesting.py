"""Size of a drawing whose groups name others, counted before they are written out: a short file
may stand for more curves than any machine holds.
"""

from collections.abc import Iterable, Mapping

from mechstudio.files.profiles.curves import Unreadable
from mechstudio.translation import tr

MOST_PARTS = 20_000
DEEPEST = 100  # groups in groups

# a group: how many shapes it has itself, and which others it names how many times
Group = tuple[int, list[tuple[str, int]]]


def require_few(roots: Iterable[tuple[str, int]], groups: Mapping[str, Group]) -> None:
    """Raise Unreadable for more than MOST_PARTS shapes, for groups deeper than DEEPEST in each
    other, and for those in a circle.  roots: groups and how many times each stands in the drawing.
    """
    known: dict[str, int] = {}
    total = 0
    for name, times in roots:
        total += times * _parts(name, groups, known, ())
        _check(total)


def _parts(
    name: str, groups: Mapping[str, Group], known: dict[str, int], above: tuple[str, ...]
) -> int:
    if name in known:
        return known[name]
    if name in above:
        raise Unreadable(tr("its groups lie in each other in a circle"))
    if len(above) > DEEPEST:
        raise Unreadable(tr("more than {most} groups lie in each other", most=DEEPEST))
    own, others = groups.get(name, (0, []))
    for other, times in others:
        own += times * _parts(other, groups, known, (*above, name))
        _check(own)
    known[name] = own
    return own


def _check(parts: int) -> None:
    if parts > MOST_PARTS:
        raise Unreadable(tr("it has more than {most} parts", most=MOST_PARTS))
