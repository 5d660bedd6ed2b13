"""Actions of the Help menu: the palette with all its entries, the manual and the overlay of
shortcuts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from PySide6 import QtGui, QtWidgets

from mechstudio.application.actions import display, edit, insert, plots, select
from mechstudio.application.actions.registry import MENUS, Action, actions
from mechstudio.application.films.film import encoder_credit
from mechstudio.application.guidance import VIEW, Group, kind_of
from mechstudio.application.help.pages import Topic, english, every_section
from mechstudio.application.help.topics import of_element
from mechstudio.application.mouse import preset
from mechstudio.application.plots.choice import usual, usual_of_point
from mechstudio.application.studio import Studio
from mechstudio.model import fields
from mechstudio.model.formulas.decimal_comma import with_commas
from mechstudio.model.version import VERSION
from mechstudio.translation import Words, tr
from mechstudio.view.actions import file
from mechstudio.view.actions.binding import key_text
from mechstudio.view.actions.camera import kept_views
from mechstudio.view.actions.display import frame_selection
from mechstudio.view.actions.edit import copy, rename, show_preferences
from mechstudio.view.actions.file import recent, samples
from mechstudio.view.actions.window_action import window_action
from mechstudio.view.dialogs.palette import Entry, Palette
from mechstudio.view.dialogs.preferences import PreferencesSheet
from mechstudio.view.dialogs.sheet import question
from mechstudio.view.dialogs.shortcuts import ShortcutOverlay
from mechstudio.view.help.sheet import HelpSheet
from mechstudio.view.help.widget_topic import topic_at

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

# (words of the palette, key, control in the sheet, more words to find it by)
SETTINGS: tuple[tuple[str, str, Callable[[PreferencesSheet], QtWidgets.QWidget], str], ...] = (
    ("Theme", "theme", lambda sheet: sheet.theme, "dark light colours system"),
    ("Text size", "text_size", lambda sheet: sheet.text_size, "larger smaller font zoom scale"),
    (
        "Units",
        "units",
        lambda sheet: sheet.units,
        "inch mm metre degree radian newton pound system",
    ),
    ("Language", "language", lambda sheet: sheet.language, "langue français anglais 语言 中文"),
    ("Mouse", "mouse", lambda sheet: sheet.mouse, "buttons drag turn pan zoom preset"),
    ("Wheel", "wheel", lambda sheet: sheet.wheel, "mouse zoom reversed direction"),
    ("Motion", "motion", lambda sheet: sheet.motion, "reduced animation camera"),
)


def entries(window: MainWindow) -> list[Entry]:
    """Everything that the palette finds."""
    studio, project = window.studio, window.studio.document.project
    out = [action_entry(window, a) for a in actions() if a is not palette]
    out += [
        Entry(
            f"diagram {kind} {key}",
            words,
            tr("Diagram"),
            lambda kind=kind, key=key: plots.show_diagram(studio, kind, key),
            tr(plots.WORDS[kind]),
        )
        for kind, key, words in plots.diagrams_to_find(studio)
    ]
    m = project.mechanism
    kinds = (
        (m.bodies, tr("Body")),
        (m.joints, tr("Joint")),
        (m.couplings, tr("Coupling")),
        (m.drives, tr("Drive")),
        (m.forces, tr("Force")),
        (project.pictures, tr("Picture")),
        (project.gauges, tr("Gauge")),
    )
    for section, kind in kinds:
        out += [
            Entry(
                id,
                x.name,
                kind,
                lambda id=id: _go_to(window, id),
                f"select frame {getattr(x, 'type', '').replace('_', ' ')}",
                channels=usual(project, id),
            )
            for id, x in section.items()
        ]
    out += [
        Entry(
            f"point {id} {point.name}",
            point.name,
            tr("Point of {body}", body=body.name),
            lambda id=id: _go_to(window, id),
            "named select frame",
            channels=usual_of_point(project, id, point.name),
        )
        for id, body in m.bodies.items()
        for point in body.points
    ]
    out += [
        Entry(
            f"parameter {id}",
            id,
            f"{tr('Parameter')} · {with_commas(p.value.text or f'{p.value.value:g}')}",
            lambda id=id: studio.selection.select(id),
            p.note,
        )
        for id, p in project.parameters.items()
    ]
    out += [
        Entry(f"view {name}", name, tr("View"), go, "camera kept look")
        for name, _, go in kept_views(window)
    ]
    out += [
        Entry(
            f"group {id}",
            g.name,
            tr("Group"),
            lambda id=id: _go_to_group(window, id),
            "select",
        )
        for id, g in project.groups.items()
    ]
    out += [
        Entry(id, name, tr("Project"), lambda id=id: studio.selection.select(id), words)
        for id, name, words in (
            (
                fields.SETTINGS,
                tr("Method and duration"),
                "settings integrator tolerance step time",
            ),
            (fields.GRAVITY, tr("Gravity"), "weight"),
            (
                fields.CONTACTS,
                tr("Contacts and floor"),
                "touch friction collision pair surface",
            ),
        )
    ]
    out += [
        Entry(
            f"setting {key}",
            tr(name),
            tr("Preferences"),
            lambda control=control: _focus(control(show_preferences(window))),
            words,
        )
        for name, key, control, words in SETTINGS
    ]
    out += [
        Entry(
            f"help {found.topic}",
            found.title if found.level == 1 else found.heading,
            tr("Help") if found.level == 1 else tr("Help · {page}", page=found.title),
            lambda topic=found.topic: open_manual(window, topic),
            # by the English heading too
            f"manual page documentation {english(found).heading}",
            last=found.level > 1,
        )
        for found in every_section()
        # functions of the reference would drown the actions; its search finds them
        if found.level == 1 or found.topic.page != "reference"
    ]
    out += [
        Entry(f"sample {tip}", text, tr("Sample"), run, "open example")
        for text, tip, run in samples(window)
    ]
    out += [
        Entry(f"recent {tip}", text, tr("Recent file"), run, tip)
        for text, tip, run in recent(window)
    ]
    return out


def action_entry(window: MainWindow, a: Action[Any]) -> Entry:
    """An action as the palette finds it."""
    why = a.unless(window.studio)
    return Entry(
        a.id,
        _reported(a),
        key_text(a) or tr(a.path[-1]),
        lambda: window.actions_.trigger(a),
        # by the English words too, as help and lessons of others call it
        f"{a.text} {a.words} {tr(a.words)} {a.menu.replace('/', ' ')} {' '.join(map(tr, a.path))}",
        bool(a.keys),
        tr(why) if why else "",
    )


def _reported(a: Action[Any]) -> str:
    """An action's words where its menu is not seen."""
    text = tr(a.text).rstrip("…")
    if a.menu.endswith("/Work plane") and "plane" not in a.text:
        return tr("Work plane: {name}", name=text[:1].lower() + text[1:])
    return text


def _go_to(window: MainWindow, id: str) -> None:
    """Select an element and bring it into sight."""
    window.studio.selection.select(id)
    window.viewport.framing.frame((id,))


def _go_to_group(window: MainWindow, id: str) -> None:
    select.select_group(window.studio, id)
    window.viewport.framing.frame(window.studio.selection.selected)


def _focus(control: QtWidgets.QWidget) -> None:
    """Give the keys to a control of the preferences."""
    held = next(
        (
            w
            for w in control.findChildren(QtWidgets.QWidget)
            if isinstance(w, QtWidgets.QAbstractSlider)
            or (isinstance(w, QtWidgets.QAbstractButton) and w.isChecked())
        ),
        control,
    )
    held.setFocus()


@window_action("Search…", "Help", "Ctrl+K", icon="search", words="find action palette command")
def palette(window: MainWindow) -> None:
    """Find anything by its words."""
    if window.finder is not None:
        return
    window.sheet = window.finder = Palette(
        window.theme,
        window,
        entries(window),
        window.studio.preferences.stored.found,
        window.studio.preferences.add_found,
        lambda query: Entry(
            "search help",
            tr("Search the help for “{query}”", query=query),
            tr("Help"),
            lambda: open_manual(window, query=query),
        ),
    )
    window.finder.closed.connect(window.forget_finder)
    window.finder.open()


@window_action(
    "First drawing",
    "Help",
    icon="tool_link",
    words="guide tutorial start begin learn crank four-bar hand beginner tour",
    checked=lambda window: window.first.is_on,
)
def first_drawing(window: MainWindow) -> None:
    """Draw a four-bar in five small tasks that a hand on the drawing shows, or end them."""
    if window.first.is_on:
        window.first.skip()
    elif window.studio.document.has_bodies:
        file.when_safe(window, lambda: (window.studio.files.new(), window.first.begin()))
    else:
        window.first.begin()


@window_action("Manual", "Help", icon="file", words="help documentation theory glossary read")
def manual(window: MainWindow) -> None:
    """Read the manual."""
    open_manual(window)


def open_manual(window: MainWindow, topic: Topic | None = None, query: str = "") -> None:
    """Open the manual at a topic, or with a search."""
    window.sheet = sheet = HelpSheet(window.theme, window, topic, query)
    sheet.open()


@window_action("What is this?", "Help", "Shift+F1", icon="help", words="explain help topic meaning")
def what_is_this(window: MainWindow) -> None:
    """Open the manual at what is under the pointer, else at what has the keys."""
    under = QtWidgets.QApplication.widgetAt(QtGui.QCursor.pos())
    inside = under is not None and under.window() is window
    topic = topic_at(under) if inside else None
    if topic is None:
        topic = topic_at(QtWidgets.QApplication.focusWidget())
    open_manual(window, topic)


# keys

# (what, keys) while a handle is being dragged
DRAG_KEYS: tuple[tuple[Words, Words], ...] = (
    ("Exact number", "0 … 9, Enter"),
    ("Keep to an axis", "X Y Z"),
    ("Keep to a plane", "Shift+X Y Z"),
    ("Even steps", "Shift"),
    ("No snapping", "Ctrl"),
    ("Put back", "Esc"),
)
# of each kind of element the actions on it, in the order in which they are listed
ON: dict[str, tuple[Action[Any], ...]] = {
    "body": (
        insert.ground,
        insert.place_joint,
        display.free_body,
        edit.hide,
        edit.isolate,
        edit.duplicate,
        edit.mirror,
        copy,
        edit.group,
        select.select_connected,
        rename,
        frame_selection,
        edit.delete,
    ),
    "joint": (insert.drive, edit.turn_joint, edit.hide, frame_selection, edit.delete),
    "coupling": (edit.hide, edit.delete),
    "drive": (edit.delete,),
    "force": (edit.hide, frame_selection, edit.delete),
    "parameter": (edit.delete,),
    "picture": (edit.hide, edit.delete),
}


@window_action("Shortcuts", "Help", "?", "F1", words="keys keyboard help")
def shortcuts(window: MainWindow) -> None:
    """Show the keys for what is under the pointer or active, then all of them."""
    here = keys_here(window, QtWidgets.QApplication.widgetAt(QtGui.QCursor.pos()))
    every: list[Group] = []
    for name in MENUS:
        rows = [(key_text(a), _reported(a)) for a in actions() if a.keys and a.path[0] == name]
        if rows:
            every.append((tr(name), rows))
    every.append(
        (tr("While dragging a handle"), [(tr(key), tr(words)) for words, key in DRAG_KEYS])
    )
    window.sheet = sheet = ShortcutOverlay(window.theme, window, here, every)
    sheet.open()


@runtime_checkable
class HasShortcuts(Protocol):
    """A widget with keys of its own: (key, words) each."""

    shortcut_title: str
    shortcuts: tuple[tuple[str, str], ...]


def keys_here(window: MainWindow, widget: QtWidgets.QWidget | None) -> list[Group]:
    """Keys that act where a widget is: its own first, then those of the active tool."""
    out: list[Group] = []
    while widget is not None and widget is not window.viewport:
        if isinstance(widget, HasShortcuts):
            rows = [(tr(key), tr(words)) for key, words in widget.shortcuts]
            out.append((tr(widget.shortcut_title), rows))
        widget = widget.parentWidget()
    reported = keys_now(window.studio)
    out += reported if window.studio.tools.is_drawing or not out else []
    if not window.studio.tools.is_drawing:
        uses = preset(window.studio.preferences.stored.mouse).uses()
        view = [*((tr(key), tr(words)) for key, words in VIEW), *uses]
        out.append((tr("In the view"), view))
    return out


def keys_now(studio: Studio) -> list[Group]:
    """The keys of the active tool, or those for what is under the pointer or selected."""
    bench, project = studio.tools, studio.document.project
    if bench.is_drawing:
        keys = [(k.shown, k.words) for k in bench.tool.keys()]
        return [(tr("With the {title} tool", title=bench.tool.title), keys)]
    id = studio.selection.hovered or studio.selection.current
    rows = [(key_text(a), a.text.rstrip("…")) for a in ON.get(kind_of(project, id), ()) if a.keys]
    if not rows:
        return []
    word = "Over" if studio.selection.hovered else "With"
    return [(f"{word} {studio.document.name(id)}", rows)]


@window_action("About mechstudio", "Help", words="version licence", section=True)
def about(window: MainWindow) -> None:
    """Show the version and the licence."""
    window.sheet = question(
        window.theme,
        window,
        "mechstudio " + VERSION,
        " ".join(
            filter(
                None,
                (
                    tr(
                        "Draw a 3D mechanism, see it move exactly, hear why it is hyperstatic, and "
                        "read its equations. Free under the MIT licence."
                    ),
                    encoder_credit(),
                ),
            )
        ),
        ((tr("Close"), "", None),),
    )


def bind(window: MainWindow) -> None:
    """Give the heads of the panels and the equations their way into the manual, and the scene its
    topic.
    """
    window.docks.open_help = partial(open_manual, window)
    window.viewport.topic = lambda: _of_scene(window.studio)


def _of_scene(studio: Studio) -> Topic:
    """The topic of the element under the pointer or of the selection, else that of drawing."""
    id = studio.selection.hovered or studio.selection.current
    return of_element(studio.document.project, id) if id else Topic("drawing")
