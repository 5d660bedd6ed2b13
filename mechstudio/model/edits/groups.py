"""Groups of bodies as pure functions Project -> Project: made, taken apart, called otherwise."""

from collections.abc import Collection, Sequence

import msgspec

from mechstudio.model.edits.links import free_id
from mechstudio.model.edits.references import Reference, with_places
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.naming import LONGEST_NAME, presentable
from mechstudio.model.project import Group, Project
from mechstudio.translation import tr

replace = msgspec.structs.replace
ROOM = 8  # letters of a name that are left for its number


def group_of(project: Project, body: str) -> Group | None:
    """The group that a body is in."""
    return next((g for g in project.groups.values() if body in g.members), None)


def group_chosen(project: Project, ids: Collection[str]) -> Group | None:
    """The group whose bodies are just those among the ids."""
    chosen = {id for id in ids if id in project.mechanism.bodies}
    return next((g for g in project.groups.values() if set(g.members) == chosen), None)


def with_group(project: Project, ids: Sequence[str]) -> tuple[Project, str]:
    """The bodies among the ids as a group, taken out of the groups in which they were.  Returns the
    project and the group's id.

    Raises ExpressionError where there are fewer than two.
    """
    chosen = [id for id in project.mechanism.bodies if id in ids]
    if len(chosen) < 2:
        raise ExpressionError(
            tr("A group is made of two bodies or more: select them, then group them.")
        )
    if (known := group_chosen(project, chosen)) is not None:
        raise ExpressionError(tr("These bodies are a group already: {known}.", known=known.name))
    id = free_id(project, "group")

    def others(reference: Reference) -> Reference | None:
        return None if reference.id in chosen else reference

    left = {k: g for k, old in project.groups.items() if (g := with_places(old, others))}
    return replace(
        project, groups={**left, id: Group(id, free_name(project, "group 1"), tuple(chosen))}
    ), id


def without_groups(project: Project, ids: Collection[str]) -> Project:
    """Without the groups that some bodies are in."""
    return replace(
        project, groups={k: g for k, g in project.groups.items() if not set(g.members) & set(ids)}
    )


def with_attributes(project: Project, id: str, **changes: str) -> Project:
    """A group with another name or note; a name that cannot be shown changes nothing."""
    group = project.groups[id]
    if "name" in changes:
        changes["name"] = presentable(changes["name"]) or group.name
    return replace(project, groups={**project.groups, id: replace(group, **changes)})


def free_name(project: Project, name: str) -> str:
    """A name that no group has: this one, or the next with a number."""
    return numbered(name, {g.name for g in project.groups.values()})


def numbered(name: str, taken: Collection[str]) -> str:
    """A name that is not taken: "rod 2" after "rod", "link 8" after "link 7"."""
    if name not in taken:
        return name
    stem, _, number = name.rpartition(" ")
    if not stem or not number.isdecimal() or len(number) > 6:
        stem, number = name, "1"
    k, stem = int(number) + 1, stem[: LONGEST_NAME - ROOM].rstrip()
    while f"{stem} {k}" in taken:
        k += 1
    return f"{stem} {k}"
