"""The look: colours and measures from the tokens, one style sheet, fonts, icons.  Light, dark, or
as the system.
"""

import pathlib
import re
import weakref
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypedDict, Unpack, cast

from PySide6 import QtCore, QtGui, QtSvg, QtWidgets
from shiboken6 import isValid

from mechstudio import tokens
from mechstudio.application.resources import resource
from mechstudio.application.scene.joints.joint_icons import icon_text
from mechstudio.view.fonts import ensure_fonts
from mechstudio.view.fonts import font as interface_font

Qt = QtCore.Qt


class Lengths(TypedDict, total=False):
    """Lengths of a widget that follow the text size [px at the normal one]."""

    height: float
    width: float
    least_height: float
    least_width: float
    most_width: float
    icon: float
    indentation: float


# what gives each of them to a widget [px]
FITS: dict[str, Callable[[Any, int], object]] = {
    "height": QtWidgets.QWidget.setFixedHeight,
    "width": QtWidgets.QWidget.setFixedWidth,
    "least_height": QtWidgets.QWidget.setMinimumHeight,
    "least_width": QtWidgets.QWidget.setMinimumWidth,
    "most_width": QtWidgets.QWidget.setMaximumWidth,
    "icon": lambda widget, length: widget.setIconSize(QtCore.QSize(length, length)),
    "indentation": QtWidgets.QTreeView.setIndentation,
}

_drawing = lru_cache(None)(icon_text)


@lru_cache(512)
def _pixmap(name: str, color: str, size: int, width: float, ratio: float) -> QtGui.QPixmap:
    # QtSvg knows no currentColor, so the text is replaced before it is read
    text = (
        _drawing(name)
        .replace("currentColor", color)
        .replace('stroke-width="1.75"', f'stroke-width="{width}"')
    )
    image = QtGui.QPixmap(round(size * ratio), round(size * ratio))
    image.fill(Qt.GlobalColor.transparent)
    painter = QtGui.QPainter(image)
    QtSvg.QSvgRenderer(text.encode()).render(painter)
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image


class Theme(QtCore.QObject):
    """The current theme.

    changed: every colour is another; widgets that paint or hold pixmaps listen to it.  resized:
    every length is another, those given to
    `fit` already so; widgets that measure or hold pixmaps listen to it.  leaving: either is about
    to come; styling takes its time for every widget that there is, seen or not, so who keeps some
    for later releases them at once.
    """

    leaving = QtCore.Signal()
    changed = QtCore.Signal()
    resized = QtCore.Signal()
    stroke = 1.0  # factor of the width of curves
    dashed = True  # curves differ by dashes, not by colours alone

    def __init__(
        self, app: QtWidgets.QApplication, choice: str = "system", scale: float = 1.0
    ) -> None:
        super().__init__()
        self._folder = QtCore.QTemporaryDir()
        self._app, self.choice, self.scale = app, choice, scale
        self._fits: weakref.WeakKeyDictionary[QtWidgets.QWidget, dict[str, float]] = (
            weakref.WeakKeyDictionary()
        )
        ensure_fonts()
        app.setStyle("Fusion")
        app.styleHints().colorSchemeChanged.connect(self._system_changed)
        self.name = ""
        self.set_choice(choice)

    def _font(self) -> QtGui.QFont:
        return interface_font(self.dp(12), QtGui.QFont.Weight.Normal)

    def dp(self, length: float) -> int:
        """A length that follows the text size [px]."""
        return round(length * self.scale)

    def fit(self, widget: QtWidgets.QWidget, **lengths: Unpack[Lengths]) -> None:
        """Give lengths to a widget, as height=30, now and at every other text size.  The widget is
        held weakly.
        """
        given = cast(dict[str, float], lengths)
        self._fits.setdefault(widget, {}).update(given)
        self._fit(widget, given)

    def _fit(self, widget: QtWidgets.QWidget, lengths: dict[str, float]) -> None:
        for name, length in lengths.items():
            FITS[name](widget, self.dp(length))

    def follow(self, slot: Callable[[], object]) -> None:
        """Call a method whenever colours or lengths are others."""
        self.changed.connect(slot)
        self.resized.connect(slot)

    def __getitem__(self, role: str) -> str:
        return self._colors[role]

    def color(self, role: str, alpha: float = 1.0) -> QtGui.QColor:
        """The colour of a role."""
        color = QtGui.QColor(self._colors[role])
        color.setAlphaF(alpha)
        return color

    def body(self, index: int) -> str:
        """The colour of a body, by its colour index; -1 is cast iron."""
        return tokens.body_color(self.name, index)

    def readable(self, color: str) -> str:
        """A series colour that may be set as text on a panel."""
        return tokens.readable(color, self["panel"], self["text"])

    def pixmap(
        self, name: str, role: str = "text2", size: int = 16, width: float = 1.75
    ) -> QtGui.QPixmap:
        """An icon in one colour at the screen's resolution."""
        return _pixmap(
            name,
            self._colors.get(role, role),
            self.dp(size),
            width,
            max(1.0, self._app.devicePixelRatio()),
        )

    def icon(
        self, name: str, role: str = "text2", size: int = 18, checked: str = "accent_text"
    ) -> QtGui.QIcon:
        """An icon for a button, with the colours of its disabled and checked states."""
        icon = QtGui.QIcon(self.pixmap(name, role, size))
        icon.addPixmap(
            self.pixmap(name, checked, size), QtGui.QIcon.Mode.Normal, QtGui.QIcon.State.On
        )
        for state in (QtGui.QIcon.State.Off, QtGui.QIcon.State.On):
            icon.addPixmap(self.pixmap(name, "line_strong", size), QtGui.QIcon.Mode.Disabled, state)
        return icon

    def set_choice(self, choice: str) -> None:
        """Use "light", "dark" or "system"."""
        self.choice = choice
        dark = choice == "dark" or (
            choice == "system" and self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        )
        name = "dark" if dark else "light"
        if name != self.name:
            self.leaving.emit()
            self.name, self._colors = name, tokens.theme(name)
            self._dress()
            self.changed.emit()

    def set_scale(self, scale: float) -> None:
        """Show text, and everything that follows it, so many times as large as normal."""
        if scale == self.scale:
            return
        self.leaving.emit()
        self.scale = scale
        for widget, lengths in list(self._fits.items()):
            if isValid(widget):
                self._fit(widget, lengths)
        self._dress()
        self.resized.emit()

    def _dress(self) -> None:
        """Give every widget the letters, the colours and the style sheet that belong to it now."""
        # Qt puts a sheet in the place of another one as often for a widget as it has parents: to
        # take the old one away first needs a third of the time
        self._app.setStyleSheet("")
        self._app.setPalette(self._palette())
        self._app.setFont(self._font())
        self._app.setStyleSheet(self._style())

    def _system_changed(self) -> None:
        if self.choice == "system":
            self.set_choice("system")

    def _style(self) -> str:
        text = resource("theme", "theme.qss").read_text(encoding="utf-8")
        # pictures of a style sheet can only be files
        tick = pathlib.Path(self._folder.path(), f"tick_{self.name}.svg")
        tick.write_text(
            _drawing("ok").replace("currentColor", self["accent_text"]).replace('"1.75"', '"2.4"'),
            encoding="utf-8",
        )
        text = re.sub(
            r"@(\w+)", lambda m: tick.as_posix() if m[1] == "tick" else self._colors[m[1]], text
        )
        # a radius above half of the height would make the corners square
        text = re.sub(
            r"half\((\d+)dp([+-]\d+)?\)",
            lambda m: f"{(self.dp(int(m[1])) + int(m[2] or 0)) // 2}px",
            text,
        )
        return re.sub(r"(\d+)dp", lambda m: f"{self.dp(int(m[1]))}px", text)

    def _palette(self) -> QtGui.QPalette:
        """For what the style sheet does not reach: file dialogs, placeholder text, links."""
        roles, palette = QtGui.QPalette.ColorRole, QtGui.QPalette()
        for role, name in (
            (roles.Window, "panel"),
            (roles.WindowText, "text"),
            (roles.Base, "field"),
            (roles.AlternateBase, "panel"),
            (roles.Text, "text"),
            (roles.Button, "raised"),
            (roles.ButtonText, "text"),
            (roles.ToolTipBase, "raised"),
            (roles.ToolTipText, "text"),
            (roles.Highlight, "accent"),
            (roles.HighlightedText, "on_accent"),
            (roles.PlaceholderText, "text3"),
            (roles.Link, "accent_text"),
            (roles.Light, "line"),
            (roles.Midlight, "line"),
            (roles.Mid, "line_strong"),
            (roles.Dark, "line_strong"),
            (roles.Shadow, "line_strong"),
        ):
            palette.setColor(role, self.color(name))
        for role in (roles.WindowText, roles.Text, roles.ButtonText):
            palette.setColor(QtGui.QPalette.ColorGroup.Disabled, role, self.color("text3"))
        return palette


class Magnified(Theme):
    """The theme of another one, with larger lengths and letters for some widgets alone.

    stroke: factor of lines that are to be seen from afar, beside that of the letters.
    """

    stroke = 1.35

    def __init__(self, base: Theme, scale: float) -> None:
        QtCore.QObject.__init__(self)
        self._base, self._app, self._folder = base, base._app, base._folder
        self._fits = weakref.WeakKeyDictionary()
        self._dressed: list[QtWidgets.QWidget] = []
        self.scale = scale
        self._take()
        base.leaving.connect(self.leaving)
        base.changed.connect(self._base_changed)

    def _take(self) -> None:
        self.choice, self.name = self._base.choice, self._base.name
        self.dashed = self._base.dashed
        # plots stand on a card there
        self._colors = {**self._base._colors, "plot": self._base["raised"]}

    def _base_changed(self) -> None:
        self._take()
        self._redress()
        self.changed.emit()

    def dress(self, widget: QtWidgets.QWidget) -> None:
        """Give a widget, and all in it, these letters and lengths."""
        self._dressed.append(widget)
        widget.setFont(self._font())
        widget.setStyleSheet(self._style())

    def _redress(self) -> None:
        self._dressed = [widget for widget in self._dressed if isValid(widget)]
        for widget in self._dressed:
            widget.setFont(self._font())
            widget.setStyleSheet(self._style())

    def set_scale(self, scale: float) -> None:
        if scale == self.scale:
            return
        self.leaving.emit()
        self.scale = scale
        for widget, lengths in list(self._fits.items()):
            if isValid(widget):
                self._fit(widget, lengths)
        self._redress()
        self.resized.emit()
