"""Commands that find things and tell keys: the palette with all its entries, and the overlay of
shortcuts.
"""

from collections.abc import Callable
from typing import Any

from PySide6 import QtGui, QtWidgets

from mechstudio.application.actions.registry import ACTIONS, MENUS, Action
from mechstudio.application.guidance import VIEW, Group, keys_now, why_not
from mechstudio.model import fields
from mechstudio.view.actions.handles import DRAG_KEYS
from mechstudio.view.dialogs.manual import FIRST, HelpSheet, pages
from mechstudio.view.dialogs.palette import Entry, Palette
from mechstudio.view.dialogs.preferences import PreferencesSheet
from mechstudio.view.dialogs.shortcuts import ShortcutOverlay
from mechstudio.view.theme import Theme
from mechstudio.view.translation import tr

# (words of the palette, name of the control in the sheet, more words to find it by)
SETTINGS = (
    ("Theme", "theme", "dark light colours system"),
    ("Text size", "text_size", "larger smaller font zoom scale"),
    ("Units", "units", "inch mm metre degree radian newton pound system"),
    ("Motion", "motion", "reduced animation camera"),
)


class FindCommands:
    """Part of Commands."""

    _studio: Any
    _window: Any
    _theme: Theme
    _palette: Palette | None
    sheet: Any
    trigger: Callable[[str], None]
    shortcut_text: Callable[[Action], str]
    samples: Callable[[], list]
    recent: Callable[[], list]

    def entries(self) -> list[Entry]:
        """Everything that the palette finds."""
        studio, project = self._studio, self._studio.document.project
        out = [self._action_entry(a) for a in ACTIONS if a.id != "palette"]
        m = project.mechanism
        kinds = (
            (m.bodies, tr("Body")),
            (m.joints, tr("Joint")),
            (m.couplings, tr("Coupling")),
            (m.drives, tr("Drive")),
            (m.forces, tr("Force")),
            (project.pictures, tr("Picture")),
        )
        for section, kind in kinds:
            out += [
                Entry(
                    id,
                    x.name,
                    kind,
                    lambda id=id: self._go_to(id),
                    f"select frame {getattr(x, 'type', '').replace('_', ' ')}",
                )
                for id, x in section.items()
            ]
        out += [
            Entry(
                f"parameter {id}",
                id,
                f"{tr('Parameter')} · {p.value.text or f'{p.value.value:g}'}",
                lambda id=id: studio.selection.select(id),
                p.note,
            )
            for id, p in project.parameters.items()
        ]
        out += [
            Entry(f"group {id}", g.name, tr("Group"), lambda id=id: self._go_to_group(id), "select")
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
                f"setting {control}",
                tr(name),
                tr("Preferences"),
                lambda control=control: self._setting(control),
                words,
            )
            for name, control, words in SETTINGS
        ]
        out += [
            Entry(
                f"help {name}",
                title,
                tr("Help"),
                lambda name=name: self.manual(name),
                "manual page documentation",
            )
            for name, title in pages()
        ]
        out += [
            Entry(f"sample {tip}", text, tr("Sample"), run, "open example")
            for text, tip, run in self.samples()
        ]
        out += [
            Entry(f"recent {tip}", text, tr("Recent file"), run, tip)
            for text, tip, run in self.recent()
        ]
        return out

    def _action_entry(self, a: Action) -> Entry:
        why = why_not(self._studio, a)
        return Entry(
            a.id,
            self._told(a),
            self.shortcut_text(a) or tr(a.menu.lstrip("-").split("/")[-1]),
            lambda: self.trigger(a.id),
            f"{a.text} {a.words} {a.menu.replace('/', ' ')}",
            bool(a.shortcuts),
            tr(why) if why else "",
        )

    @staticmethod
    def _told(a: Action) -> str:
        """An action's words where its menu is not seen."""
        text = tr(a.text).rstrip("…")
        return (
            f"{tr('Work plane')}: {text[:1].lower()}{text[1:]}"
            if a.menu.endswith("/Work plane") and "plane" not in text
            else text
        )

    def _go_to(self, id: str) -> None:
        """Select an element and bring it into sight."""
        self._studio.selection.select(id)
        self._window.viewport.frame((id,))

    def _go_to_group(self, id: str) -> None:
        self._studio.select_group(id)
        self._window.viewport.frame(self._studio.selection.selected)

    def _setting(self, control: str) -> None:
        """The preferences, with the keys in one of their controls."""
        self.sheet = sheet = PreferencesSheet(self._theme, self._window, self._studio.preferences)
        sheet.open()
        held = getattr(sheet, control)
        held = next(
            (
                w
                for w in held.findChildren(QtWidgets.QWidget)
                if isinstance(w, QtWidgets.QAbstractSlider)
                or isinstance(w, QtWidgets.QAbstractButton)
                and w.isChecked()
            ),
            held,
        )
        held.setFocus()

    def palette(self) -> None:
        if self._palette is not None:
            return
        self.sheet = self._palette = Palette(
            self._theme,
            self._window,
            self.entries(),
            self._studio.preferences.stored.found,
            self._studio.preferences.add_found,
        )
        self._palette.closed.connect(self._forget_palette)
        self._palette.open()

    def _forget_palette(self) -> None:
        self._palette = None

    def manual(self, page: str = FIRST) -> None:
        """The manual, open at a page."""
        self.sheet = HelpSheet(self._theme, self._window, page)
        self.sheet.open()

    # keys

    def shortcuts(self) -> None:
        """The keys for what is under the pointer or in hand, then all of them."""
        here = self._keys_here(QtWidgets.QApplication.widgetAt(QtGui.QCursor.pos()))
        every: list[Group] = []
        for name in MENUS:
            rows = [
                (self.shortcut_text(a), self._told(a))
                for a in ACTIONS
                if a.shortcuts and a.menu.lstrip("-").split("/")[0] == name
            ]
            if rows:
                every.append((tr(name), rows))
        every.append(
            (tr("While dragging a handle"), [(tr(key), tr(words)) for words, key in DRAG_KEYS])
        )
        self.sheet = ShortcutOverlay(self._theme, self._window, here, every)
        self.sheet.open()

    def _keys_here(self, widget: QtWidgets.QWidget | None) -> list[Group]:
        out: list[Group] = []
        while widget is not None and widget is not self._window.viewport:
            if (rows := getattr(widget, "shortcuts", None)) and not callable(rows):
                out.append(
                    (tr(widget.shortcut_title), [(tr(key), tr(words)) for key, words in rows])
                )
            widget = widget.parentWidget()
        told = keys_now(self._studio, self.shortcut_text)
        out += told if self._studio.bench.is_drawing or not out else []
        if not self._studio.bench.is_drawing:
            out.append((tr("In the view"), [(tr(key), tr(words)) for key, words in VIEW]))
        return out
