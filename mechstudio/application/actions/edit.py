"""Choosing, doubling, copying, grouping, naming and hiding what is drawn; part of Studio."""

from collections.abc import Callable, Collection
from typing import Any

from mechstudio.application.notifications import Message
from mechstudio.application.part import Part
from mechstudio.application.tools.snapping.silhouette import middle
from mechstudio.files import fragment
from mechstudio.files.codec import ProjectFileError
from mechstudio.model import fields
from mechstudio.model.edits import elements as edit
from mechstudio.model.edits.clipboard import (
    SECTIONS,
    among,
    duplicated,
    part_of,
    paste_shift,
    put_in,
)
from mechstudio.model.edits.groups import (
    group_chosen,
    group_of,
    with_attributes,
    with_group,
    without_groups,
)
from mechstudio.model.edits.mirror import Glass, mirrored
from mechstudio.model.edits.references import bodies_of
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.mechanism import GROUND, Body
from mechstudio.model.naming import presentable
from mechstudio.model.project import Group, Project

KEY = "arrange"  # of messages
WORDS = {
    "bodies": ("body", "bodies"),
    "joints": ("joint", "joints"),
    "couplings": ("coupling", "couplings"),
    "drives": ("drive", "drives"),
    "forces": ("force", "forces"),
}


def counted(project: Project, ids: Collection[str]) -> str:
    """Phrase for elements given by id: the name of a single one, else "2 bodies, 1 joint"."""
    if len(ids) == 1:
        return _name(project, next(iter(ids)))
    sections = {words: getattr(project.mechanism, s) for s, words in WORDS.items()}
    counts = [
        (sum(id in section for id in ids), *words)
        for words, section in (
            *sections.items(),
            (("parameter", "parameters"), project.parameters),
            (("picture", "pictures"), project.pictures),
        )
    ]
    return ", ".join(
        [f"{k} {one if k == 1 else many}" for k, one, many in counts if k]
        + (["ground"] if GROUND in ids else [])
    )


class Arranging(Part):
    """Edits of several elements at once, as a part of Studio; every edit is one undo step."""

    # what is chosen

    @property
    def chosen(self) -> tuple[str, ...]:
        """Drawn elements among what is selected."""
        m = self.document.project.mechanism
        return tuple(
            id for id in self.selection.selected if any(id in getattr(m, s) for s in SECTIONS)
        )

    @property
    def chosen_bodies(self) -> tuple[str, ...]:
        bodies = self.document.project.mechanism.bodies
        return tuple(id for id in self.selection.selected if id in bodies)

    def _seen(self, *sections: str) -> list[str]:
        m = self.document.project.mechanism
        return [id for s in sections or SECTIONS for id, e in getattr(m, s).items() if e.visible]

    def select_all(self, section: str = "") -> None:
        """Everything that can be seen, or all of one kind: a name of SECTIONS."""
        self.selection.select(*self._seen(*([section] if section else [])))

    def select_alike(self) -> None:
        """All of the type of what was selected last: all links with a link, all pins with a pin."""
        m = self.document.project.mechanism
        id = self.selection.current
        section = next((s for s in SECTIONS if id in getattr(m, s)), "")
        if section:
            wanted = _type(getattr(m, section)[id])
            self.selection.select(
                *(
                    k
                    for k in self._seen(section)
                    if k != id and _type(getattr(m, section)[k]) == wanted
                ),
                id,
            )

    def select_connected(self) -> None:
        """The bodies that joints tie to the selection, beside it; once more goes on to the next
        ones.
        """
        m = self.document.project.mechanism
        selected = self.selection.selected
        near = set(self.chosen_bodies).union(
            *(bodies_of(m.joints[id]) for id in selected if id in m.joints),
            *(bodies_of(m.forces[id]) for id in selected if id in m.forces),
        )
        near |= {
            b
            for j in m.joints.values()
            if bodies_of(j) & set(self.chosen_bodies)
            for b in bodies_of(j)
        }
        self.selection.select(
            *selected,
            *(b for b in m.bodies if b in near and b not in selected and m.bodies[b].visible),
        )

    def select_inverse(self) -> None:
        """Everything that can be seen and is not selected."""
        self.selection.select(*(id for id in self._seen() if id not in self.selection.selected))

    # doubling and copying

    def grid_step(self) -> Triple:
        """A step of the grid to the right and down, in the work plane [m, W]."""
        context = self.bench.context
        return tuple(context.grid * (a - b) for a, b in zip(context.plane.u, context.plane.v))  # type: ignore[return-value]

    def duplicate(self) -> None:
        """The selected elements once more, a step of the grid away; the new ones are selected."""
        project = self.display.project
        try:
            after, new = duplicated(project, self.chosen, self.grid_step())
        except ExpressionError as error:
            self.say(Message("warning", str(error), KEY))
            return
        self.withdraw(KEY)
        self._put(f"Duplicate {counted(project, self.chosen)}", after, new, self.chosen)

    def flip(self, way: str) -> None:
        """Mirror the selection in place, through its own middle: "across" left to right, "along"
        top to bottom in the work plane.
        """
        project, plane = self.display.project, self.bench.context.plane
        glass = Glass(
            middle(project.mechanism, self.chosen), plane.u if way == "across" else plane.v
        )
        self._do(
            lambda p: mirrored(p, self.chosen, glass),
            (
                f"Flip {counted(project, self.chosen)} "
                f"{'left to right' if way == 'across' else 'top to bottom'}"
            ),
        )

    def _put(
        self, label: str, after: Project, new: dict[str, str], chosen: Collection[str]
    ) -> None:
        """Commit what came in; the copies of what was chosen are selected, the last one last."""
        bodies = [new[id] for id in chosen if id in new and new[id] in after.mechanism.bodies]
        others = [new[id] for id in chosen if id in new and new[id] not in bodies]
        self.display.commit(label, after)
        self.selection.select(*others, *bodies)

    def copied_text(self) -> str:
        """Clipboard text of the selection; "" with a message where it cannot be copied."""
        ids = [
            id
            for id in self.selection.selected
            if id in self.chosen or id in self.document.project.parameters
        ]
        try:
            text = fragment.write(self.display.project, ids)
        except ProjectFileError as error:
            self.say(Message("warning", str(error), KEY))
            return ""
        self.withdraw(KEY)
        return text

    def paste(self, text: str) -> bool:
        """Put a copied part, or a whole file's text, into the document; where something lies
        already, a step of the grid beside it.

        False, with a message, for a text that holds none.
        """
        project = self.display.project
        try:
            found = fragment.read(text)
            if found.whole and _is_empty(project):
                after, new, chosen = found.project, {}, ()
            else:
                elements = [id for s in SECTIONS for id in getattr(found.project.mechanism, s)]
                part = part_of(found.project, elements or list(found.project.parameters))
                chosen = tuple(elements)
                after, new = put_in(project, part, paste_shift(project, part, self.grid_step()))
        except (fragment.FragmentError, ExpressionError) as error:
            self.say(Message("warning", str(error), KEY))
            return False
        remarks = [f.message for f in found.findings[:2]] + [
            f"{old} is called {now} here, since another {old} is there."
            for old, now in new.items()
            if old in found.project.parameters and old != now
        ]
        self.withdraw(KEY)
        if remarks:
            self.say(Message("warning" if found.findings else "info", " ".join(remarks), KEY))
        what = counted(
            found.project,
            [id for s in SECTIONS for id in getattr(found.project.mechanism, s)]
            or list(found.project.parameters),
        )
        self._put(f"Paste {what}", after, new, chosen)
        return True

    # groups

    def group(self) -> None:
        """Make the selected bodies a group."""
        self._do(
            lambda p: with_group(p, self.chosen_bodies)[0],
            f"Group {counted(self.document.project, self.chosen_bodies)}",
        )

    def ungroup(self) -> None:
        """Take the groups of the selected bodies apart."""
        names = ", ".join(
            dict.fromkeys(
                g.name
                for id in self.chosen_bodies
                if (g := group_of(self.document.project, id)) is not None
            )
        )
        self._do(lambda p: without_groups(p, self.chosen_bodies), f"Ungroup {names}")

    def select_group(self, id: str, add: bool = False) -> None:
        """Select all bodies of a group, or of the group that a body is in; nothing happens to a
        body in none.
        """
        project = self.document.project
        group: Group | None = project.groups.get(id) or group_of(project, id)
        if group is not None:
            kept = (
                tuple(x for x in self.selection.selected if x not in group.members) if add else ()
            )
            self.selection.select(*kept, *group.members)

    @property
    def chosen_group(self) -> Group | None:
        """The group whose bodies, and no other element, are selected."""
        project = self.document.project
        return (
            group_chosen(project, self.selection.selected)
            if self.selection.selected and len(self.chosen_bodies) == len(self.selection.selected)
            else None
        )

    # names and notes

    def rename(self, id: str, name: str) -> str:
        """Call an element, parameter or group otherwise, in all texts that name it too; returns why
        it cannot be, "" if it is done.
        """
        project, name = self.document.project, presentable(name)
        if id in project.groups:
            old, edit_ = project.groups[id].name, lambda p: with_attributes(p, id, name=name)
        else:
            old, edit_ = (
                fields.find(project, id).name,
                lambda p: edit.set_attribute(p, id, name=name),
            )
        if not name or name == old:
            return ""
        if reason := _taken(project, id, name):
            return reason
        try:
            after = edit_(project)
        except ExpressionError as error:
            return str(error)
        was_selected = self.selection.selected
        self.document.commit(f"Rename {old} to {name}", after)
        if id in project.parameters:  # a parameter's name is its id
            self.selection.select(*(name if x == id else x for x in was_selected))
        return ""

    def set_note(self, id: str, note: str) -> None:
        """Set the note of an element or a group."""
        project = self.document.project
        if id in project.groups:
            self._do(
                lambda p: with_attributes(p, id, note=note), f"Note of {project.groups[id].name}"
            )
        else:
            self._do(
                lambda p: edit.set_attribute(p, id, note=note),
                f"Note of {fields.find(project, id).name}",
            )

    # seen or not

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """(id, name) of everything that is hidden."""
        return [
            (id, e.name)
            for id, e in fields.elements(self.document.project)
            if getattr(e, "visible", True) is False
        ]

    def hide(self) -> None:
        """Hide what is selected; show it again if all of it is hidden."""
        project = self.document.project
        chosen = [
            id for id in self.selection.selected if hasattr(fields.find(project, id), "visible")
        ]
        if chosen:
            self.show_or_hide(*chosen)

    def show_all(self) -> None:
        """Show everything that is hidden."""
        self._do(
            lambda p: edit.with_visible(p, [id for id, _ in self.hidden], True), "Show everything"
        )

    def show_or_hide(self, *ids: str) -> None:
        """Hide elements; show them if all of them are hidden."""
        self.set_visible(ids, not any(fields.find(self.document.project, id).visible for id in ids))

    def set_visible(self, ids: Collection[str], shown: bool) -> None:
        """Show or hide elements; those that are gone by now stay gone."""
        project, known = self.document.project, self.known()
        ids = tuple(id for id in ids if id in known)
        if not ids:
            return
        names = ", ".join(fields.find(project, id).name for id in ids[:4]) + (
            f" and {len(ids) - 4} more" if len(ids) > 4 else ""
        )
        self._do(
            lambda p: edit.with_visible(p, ids, shown), f"{'Show' if shown else 'Hide'} {names}"
        )

    def isolate(self) -> None:
        """Hide everything but the selection and what is among it."""
        project, m = self.document.project, self.document.project.mechanism
        kept = set(self.chosen).union(*among(m, self.chosen).values())
        self._do(
            lambda p: edit.with_visible(p, [id for id in self._seen() if id not in kept], False),
            f"Show only {counted(project, self.chosen)}",
        )

    def _do(self, edit_: Callable[[Project], Project], label: str) -> bool:
        try:
            after = edit_(self.display.project)
        except ExpressionError as error:
            self.say(Message("warning", str(error), KEY))
            return False
        self.withdraw(KEY)
        self.display.commit(label, after)
        return True

    # what may be done

    @property
    def can_arrange(self) -> bool:
        return bool(self.chosen)

    @property
    def can_copy(self) -> bool:
        return bool(self.chosen) or any(
            id in self.document.project.parameters for id in self.selection.selected
        )

    @property
    def can_group(self) -> bool:
        return (
            len(self.chosen_bodies) > 1
            and group_chosen(self.document.project, self.chosen_bodies) is None
        )

    @property
    def can_ungroup(self) -> bool:
        return any(group_of(self.document.project, id) is not None for id in self.chosen_bodies)

    @property
    def can_rename(self) -> bool:
        return (
            self.chosen_group is not None
            or len(self.selection.selected) == 1
            and hasattr(self._current(), "name")
        )

    @property
    def has_connections(self) -> bool:
        m = self.document.project.mechanism
        return any(
            id in m.bodies or id in m.joints or id in m.forces for id in self.selection.selected
        )

    def _current(self) -> Any:
        id = self.selection.current
        return fields.find(self.document.project, id) if id and id != GROUND else None

    @property
    def chosen_words(self) -> str:
        """Phrase for the selection in the texts of actions: a name or a count."""
        known = {id for id, _ in fields.elements(self.document.project)}
        # an action may ask between the end of an element and that of its selection
        return counted(self.document.project, [id for id in self.selection.selected if id in known])


def _name(project: Project, id: str) -> str:
    return (
        ""
        if not id or id in (GROUND, fields.SETTINGS, fields.GRAVITY, fields.CONTACTS)
        else fields.find(project, id).name
    )


def _type(element: Any) -> Any:
    return (
        tuple(s.type for s in element.shapes)
        if isinstance(element, Body)
        else getattr(element, "type", "")
    )


def _is_empty(project: Project) -> bool:
    """True if nothing is drawn or defined yet."""
    return (
        not project.parameters
        and not project.pictures
        and not any(getattr(project.mechanism, s) for s in SECTIONS)
        and not project.mechanism.ground.shapes
    )


def _taken(project: Project, id: str, name: str) -> str:
    """Why a name would mean two things of one kind; empty if it does not.  (What a parameter may be
    called, edit.rename_parameter says.)
    """
    sections = {
        **{words[0]: getattr(project.mechanism, s) for s, words in WORDS.items()},
        "group": project.groups,
        "picture": project.pictures,
    }
    for word, section in sections.items():
        if id in section and any(e.name == name for k, e in section.items() if k != id):
            return f"There is a {word} {name} already: call this one otherwise."
    if id in project.mechanism.bodies and name == project.mechanism.ground.name:
        return f"{name} is what the fixed body is called: call this one otherwise."
    return ""
