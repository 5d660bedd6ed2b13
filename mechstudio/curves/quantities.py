"""Quantities that can be plotted: the list, its search, and quantities by name and key."""

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from urllib.parse import unquote

import msgspec

from mechstudio.curves.forces.rows import force_rows, load_rows
from mechstudio.curves.gauges.rows import gauge_rows
from mechstudio.curves.operations import OPERATIONS, Options, key_of, name_of, split
from mechstudio.curves.quantity_rows import (
    POINT,
    RESULTANT,
    XYZ,
    PlotQuantity,
    by_group,
    listed,
    point_rows,
)
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.naming import quoted
from mechstudio.model.project import Project
from mechstudio.model.results import analysed_channels as measured
from mechstudio.model.results.channels import channels
from mechstudio.translation import comma, language, tr

_Named = dict[str, dict[str, PlotQuantity]]  # quantities by key, by a spelling of a name
_MARKS = str.maketrans(dict.fromkeys(":,;–-_()", " "))  # between words
NEAREST = 5  # names that an error suggests
DEEPEST = 40  # levels of a key; deeper operations on operations are no quantity
# how computed curves are named in words: by name in the terminal and in Python
SPOKEN = {
    r"rate of (.+)": "derivative",
    r"integral of (.+)": "integral",
    r"magnitude of (.+)": "magnitude",
    r"moving mean over (\d+\.?\d*) s of (.+)": "moving_mean",
}


class QuantityNotFound(ValueError):
    """A name that no quantity has, or several; the message says so and names the nearest.

    nearest: names, or keys, to choose from.
    """

    def __init__(self, message: str, nearest: tuple[str, ...]) -> None:
        super().__init__(message)
        self.nearest = nearest


# the list


@lru_cache(maxsize=8)
def _listed(drawn: "_ById", language: str) -> dict[str, PlotQuantity]:
    m = drawn.mechanism
    found = channels(m) | measured.analysed_channels(m, measured.AXES)
    rows = (
        *gauge_rows(drawn.gauges.values()),
        *listed(m, found),
        *load_rows(m, found),
        *force_rows(m.forces.values()),
    )
    return {q.key: q for q in by_group(rows)}


class _ById:
    """A mechanism and its gauges as a key of a cache: equal only to themselves, since comparing
    whole drawings is slow.
    """

    def __init__(self, project: Project) -> None:
        self.mechanism, self.gauges = project.mechanism, project.gauges

    def __hash__(self) -> int:
        return id(self.mechanism)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _ById)
            and other.mechanism is self.mechanism
            and other.gauges is self.gauges
        )


def quantities(project: Project) -> Mapping[str, PlotQuantity]:
    """Everything that a plot of the project can show, by key, in the order of a list: group by
    group, element by element.
    """
    return _listed(_ById(project), language())


def quantity(project: Project, key: str) -> PlotQuantity | None:
    """The quantity of a key, also of one that the list leaves out: of any point of a body, of
    reactions at another place, of relative motion, of a given motion, and of curves computed from
    others (curves/operations.py).  None where there is none.
    """
    found = quantities(project).get(key)
    if found is None and (computed := split(key)) is not None:
        return _computed(project, key, *computed)
    return found if found is not None else _unlisted(project.mechanism, key)


def _computed(
    project: Project, key: str, operation: str, options: Options, base: str
) -> PlotQuantity | None:
    """Quantity that an operation makes of another one."""
    if base.count("/") > DEEPEST or (found := quantity(project, base)) is None:
        return None
    row = OPERATIONS[operation]
    assert row.dimension is not None
    return msgspec.structs.replace(
        found,
        key=key,
        name=name_of(operation, options, found.name),
        word=name_of(operation, options, found.word),
        dimension=row.dimension(found.dimension),
        hidden=False,
        positive=operation == "magnitude",
        aliases=(),
    )


def matching(project: Project, text: str) -> list[PlotQuantity]:
    """The quantities that have every word of a text somewhere in their name, group or search
    words, in the order of the list; those whose name has them as whole words come first.
    """
    words = _plain(text).split()
    found = [q for q in quantities(project).values() if all(w in _searched(q) for w in words)]
    return sorted(found, key=lambda q: not set(words) <= set(_plain(q.name).split()))


def find(project: Project, name: str) -> PlotQuantity:
    """The quantity of a typed name or key; case, spaces and the marks between words do not count
    where only one fits.  Raises QuantityNotFound, which names the nearest.
    """
    if (known := quantity(project, name.strip())) is not None:
        return known
    named = _named(_ById(project), language())
    for spelt in (_spaced, _plain):
        for by_name in named[spelt]:
            hits = by_name.get(spelt(name), {})
            if len(hits) == 1:
                return next(iter(hits.values()))
            if hits:
                raise QuantityNotFound(
                    tr(
                        "{count} quantities are called {name}; use one of their keys {hits}.",
                        count=len(hits),
                        name=quoted(name),
                        hits=comma().join(hits),
                    ),
                    tuple(hits),
                )
    for spelling, operation in SPOKEN.items():
        if said := re.fullmatch(spelling, _spaced(name), re.I):
            *width, base = said.groups()
            key = key_of(operation, find(project, base).key, float(width[0]) if width else 0.0)
            if (found := quantity(project, key)) is not None:
                return found
    nearest = _nearest(_with_points(_ById(project), language()), name)
    raise QuantityNotFound(
        tr("There is no quantity {name}", name=quoted(name) or tr("without a name"))
        + (tr("; the nearest are {nearest}.", nearest=comma().join(nearest)) if nearest else "."),
        nearest,
    )


def _nearest(rows: Sequence[PlotQuantity], name: str) -> tuple[str, ...]:
    """Names that a typed one may stand for: those with all of its words, else those spelt most
    alike.
    """
    requested = _plain(name)
    if words := requested.split():
        held = [q.name for q in rows if all(w in _searched(q) for w in words)]
        if held:
            return tuple(held[:NEAREST])
    names = {_plain(n): q.name for q in reversed(rows) for n in (*q.aliases, q.name)}
    close = difflib.get_close_matches(requested, names, NEAREST, 0.4)
    return tuple(dict.fromkeys(names[n] for n in close))


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _plain(text: str) -> str:
    """A name without case, marks and more than one space between words."""
    return " ".join(text.casefold().translate(_MARKS).split())


@lru_cache(maxsize=4096)
def _searched(q: PlotQuantity) -> str:
    """All words of a row to search in, without case and marks: most drawings are never searched."""
    return _plain(" ".join((q.name, q.group, q.owner, q.search, *q.aliases)))


# what the list leaves out


@lru_cache(maxsize=8)
def _with_points(drawn: _ById, language: str) -> tuple[PlotQuantity, ...]:
    """The list, then quantities of every other named point of the bodies, those of shapes too."""
    listed = _listed(drawn, language)
    points = (
        q
        for body in drawn.mechanism.bodies.values()
        for name in body.named_points()
        for q in point_rows(body, name, False)
    )
    return (*listed.values(), *(q for q in points if q.key not in listed))


@lru_cache(maxsize=8)
def _named(drawn: _ById, language: str) -> dict[Callable[[str], str], tuple[_Named, _Named]]:
    """Quantities by spelling: those that have a name, and those that have an alias."""
    out = {}
    for spelt in (_spaced, _plain):
        out[spelt] = names, aliases = {}, {}
        for q in _with_points(drawn, language):
            names.setdefault(spelt(q.name), {})[q.key] = q
            for alias in q.aliases:
                aliases.setdefault(spelt(alias), {})[q.key] = q
    return out


def _unlisted(m: Mechanism, key: str) -> PlotQuantity | None:
    base = key.removeprefix(RESULTANT)
    if base.startswith(POINT):
        _, body, name, *_ = (*base.split("/"), "", "")
        name = unquote(name)
        if body not in m.bodies or name not in m.bodies[body].named_points():
            return None
        return next((q for q in point_rows(m.bodies[body], name, False) if q.key == key), None)
    parts = (key,) if base == key else tuple(base + axis for axis in XYZ)
    found = channels(m) | measured.known(m, parts)
    if not all(part in found for part in parts):
        return None
    first = found[parts[0]]
    names = {**m.joints, **m.bodies, **m.drives, **m.couplings}
    owner = names[first.element].name if first.element in names else ""
    reported = measured.reported_words(m, parts[0])
    label = (
        measured.heading(tr(first.label))
        if base == key
        else tr(
            "{removesuffix}: resultant", removesuffix=tr(first.label).removesuffix("x").rstrip()
        )
    )
    return PlotQuantity(
        key,
        "Other",
        f"{label} ({reported})" if reported else label,
        label if base == key else f"|{first.label.removesuffix('x').rstrip()}|",
        first.dimension,
        parts,
        first.element,
        owner,
    )
