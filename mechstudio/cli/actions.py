"""mechstudio actions: the table of actions that need no window; mechstudio do ACTION FILE: one of
them done to a file.
"""

import argparse
from typing import Any, NamedTuple

from mechstudio.cli.outcome import (
    AT_FAULT,
    DONE,
    CommandError,
    Render,
    load,
    say,
    status_of,
    written,
)
from mechstudio.files.project_file import Loaded, ProjectFileError
from mechstudio.files.project_file import save as save_file
from mechstudio.model import fields
from mechstudio.model.project import Project
from mechstudio.translation import comma, tr


class Done(NamedTuple):
    """Outcome of an action.

    project: after it.  label: of its step in the history, "" if it changed nothing.  selected:
    names of the elements selected afterwards.  remarks: sentences of the messages that it gave.
    """

    project: Project
    label: str
    selected: tuple[str, ...]
    remarks: tuple[str, ...]


def add_commands(commands: Any) -> None:
    """Declare both commands among the others (argparse's sub-parsers)."""
    commands.add_parser(
        "actions",
        prog="mechstudio actions",
        help=tr("what `mechstudio do` can do"),
        description=tr("List the actions that need no window: id, menu, text and key of each."),
    )
    command = commands.add_parser(
        "do",
        prog="mechstudio do",
        help=tr("do an action of the menus to a file"),
        description=tr(
            "Do one action of the window's menus to a drawing, to what --select names. Exit "
            "status: 0 done, 1 it cannot be done or changes nothing, 2 there is no such action, "
            "element or file."
        ),
    )
    command.add_argument("action", metavar="ACTION", help=tr("its id, see `mechstudio actions`"))
    command.add_argument("file", metavar="FILE", help=tr("project file (.mech)"))
    command.add_argument(
        "--select",
        metavar="ELEMENT",
        nargs="+",
        default=[],
        help=tr("elements that it acts on, by name or id"),
    )
    command.add_argument("-o", "--out", metavar="OUT.mech", help=tr("write the changed drawing"))


def table() -> str:
    """Lines of all actions that need no window, menu by menu."""
    from mechstudio.application.actions.registry import actions

    rows = [
        (a.id, " > ".join((*map(tr, a.path), tr(a.text).rstrip("…"))), ", ".join(a.keys))
        for a in actions()
        if not a.window
    ]
    widths = [max(len(row[k]) for row in rows) + 2 for k in range(2)]
    lines = ["".join((id.ljust(widths[0]), text.ljust(widths[1]), keys)) for id, text, keys in rows]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def done(loaded: Loaded, action: str, select: list[str]) -> Done:
    """Do an action to a drawing.  Raises KeyError for an action or element that is not there,
    ValueError with the reason where it cannot be done.
    """
    from mechstudio.application.actions.registry import actions
    from mechstudio.application.preferences import Preferences
    from mechstudio.application.studio import Studio

    known = {a.id: a for a in actions() if not a.window}
    if action not in known:
        raise KeyError(
            tr("There is no action {action}; `mechstudio actions` lists them.", action=action)
        )
    studio = Studio(Preferences(kept=False))
    try:
        studio.files.show(loaded.project, None, loaded.camera)
        studio.selection.select(*(_id(loaded.project, name) for name in select))
        if reason := known[action].unless(studio):
            raise ValueError(f"{tr(known[action].text)}: {reason.rstrip('.')}.")
        before = studio.document.project
        known[action](studio)
        project = studio.document.project
        return Done(
            project,
            studio.document.undo_label if project is not before else "",
            tuple(studio.document.name(id) for id in studio.selection.selected),
            tuple(m.text for m in studio.notifications.messages),
        )
    finally:
        studio.close()


def _id(project: Project, name: str) -> str:
    """Id of an element by its id or name.  Raises KeyError."""
    elements = dict(fields.elements(project))
    if name in elements:
        return name
    for id, element in elements.items():
        if getattr(element, "name", "") == name:
            return id
    raise KeyError(tr("There is nothing called {name} in this file.", name=name))


def list_actions(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio actions"""
    print(table(), end="")
    return DONE


def do_action(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio do ACTION FILE [--select ELEMENT …] [--out OUT.mech]."""
    loaded = load(options.file)
    try:
        result = done(loaded, options.action, options.select)
    except KeyError as error:
        raise CommandError(str(error.args[0])) from None
    except ValueError as error:
        raise CommandError(str(error), AT_FAULT) from None
    for remark in result.remarks:
        say(remark, DONE)
    if result.label:
        print(result.label)
    if result.selected:
        print(tr("Selected: {selected}", selected=comma().join(result.selected)))
    if not result.label:
        return say(tr("The drawing is as it was."), AT_FAULT)
    if options.out is not None:
        try:
            written(options.out, lambda: save_file(options.out, result.project, loaded.camera))
        except ProjectFileError as error:
            raise CommandError(str(error)) from None
    return status_of(loaded)
