"""The preferences as a card inside the window; each choice acts and is kept at once."""

import math

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.mouse import AS_PRESET, MOUSE_PRESETS, OURS, REVERSED, preset
from mechstudio.application.preferences import TEXT_SIZES, Preferences
from mechstudio.model.units import SYSTEMS, format_value
from mechstudio.translation import LANGUAGES, Words, tr
from mechstudio.view.dialogs.sheet import Sheet
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.slider import Slider
from mechstudio.view.widgets.widgets import IconButton, Segment, label, row, wrapped

Qt = QtCore.Qt
THEMES: tuple[tuple[str, Words], ...] = (("system", "System"), ("light", "Light"), ("dark", "Dark"))
MOTION: tuple[tuple[str, Words], ...] = (("full", "Full"), ("reduced", "Reduced"))
WHEEL: tuple[tuple[str, Words], ...] = ((AS_PRESET, "Usual"), (REVERSED, "Reversed"))
LABEL_WIDTH = 84


def example(units: str) -> str:
    """The same length, angle and torque as each unit system writes them: "130 mm · 45 deg · 2.5
    N·m".
    """
    return " · ".join(
        format_value(value, dimension, units, 4)
        for value, dimension in ((0.130, "length"), (math.pi / 4, "angle"), (2.5, "torque"))
    )


class TextSize(QtWidgets.QWidget):
    """Smaller, a slider over TEXT_SIZES, larger, and the size in words.  chosen(size [%]): when the
    slider rests.
    """

    chosen = QtCore.Signal(int)

    def __init__(self, theme: Theme, size: int) -> None:
        super().__init__()
        self.slider = Slider()
        self.slider.setRange(0, len(TEXT_SIZES) - 1)
        self.slider.setPageStep(1)
        self.slider.named = tr("Text size")
        self.value = label()
        self.value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        theme.fit(self.value, width=44)
        less = IconButton(
            theme, "minus", tr("Smaller text"), 26, 15, clicked=lambda: self._step(-1)
        )
        more = IconButton(theme, "plus", tr("Larger text"), 26, 15, clicked=lambda: self._step(1))
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        for widget, stretch in ((less, 0), (self.slider, 1), (more, 0), (self.value, 0)):
            box.addWidget(widget, stretch)
        self.slider.setValue(TEXT_SIZES.index(size))
        self._show()
        self.slider.valueChanged.connect(self._moved)
        # the slider would run away from the pointer if everything grew while it is dragged
        self.slider.sliderReleased.connect(self._choose)

    def _step(self, by: int) -> None:
        self.slider.setValue(self.slider.value() + by)

    def _show(self) -> None:
        self.value.setText(f"{TEXT_SIZES[self.slider.value()]} %")
        self.slider.say(self.value.text())

    def _moved(self) -> None:
        self._show()
        if not self.slider.isSliderDown():
            self._choose()

    def _choose(self) -> None:
        self.chosen.emit(TEXT_SIZES[self.slider.value()])


class PreferencesSheet(Sheet):
    """Language, theme, text size, units, mouse, motion."""

    def __init__(self, theme: Theme, host: QtWidgets.QWidget, preferences: Preferences) -> None:
        super().__init__(theme, host, 500)
        stored, self._preferences = preferences.stored, preferences
        self.theme = Segment(theme, tuple((key, tr(word)) for key, word in THEMES))
        self.theme.choose(theme.choice)
        self.theme.chosen.connect(self._choose_theme)
        self.text_size = TextSize(theme, stored.text_size)
        self.text_size.chosen.connect(lambda size: preferences.set(text_size=size))
        self.units = Segment(theme, tuple((name, name.replace("-", " · ")) for name in SYSTEMS))
        self.units.choose(stored.units)
        self.units.chosen.connect(self._choose_units)
        self.example = label(example(stored.units), "three")
        self.motion = Segment(theme, tuple((key, tr(word)) for key, word in MOTION))
        self.motion.choose("reduced" if stored.reduced_motion else "full")
        self.motion.chosen.connect(lambda key: preferences.set(reduced_motion=key == "reduced"))
        self.mouse_words = wrapped("", "three")
        self.language = Segment(theme, (("", tr("System")), *LANGUAGES.items()))
        self.language.choose(stored.language)
        self.language.chosen.connect(lambda key: preferences.set(language=key))
        self._grid = QtWidgets.QGridLayout()
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._line(tr("Language"), self.language)
        self._line(tr("Theme"), self.theme)
        self._line(
            tr("Text size"),
            self.text_size,
            label(tr("Ctrl + and Ctrl − at any time, Ctrl 0 for 100 %"), "three"),
        )
        self._line(
            tr("Units"),
            self.units,
            self.example,
        )
        self.units.setToolTip(tr("What was typed with a unit stays as it was typed."))
        self._line(tr("Mouse"), self._mouse_line(), self.mouse_words)
        self.motion.setToolTip(tr("Reduced: the camera takes a standard view at once."))
        self._line(tr("Motion"), self.motion)
        close = QtWidgets.QPushButton(tr("Close"))
        close.clicked.connect(self.close_sheet)
        self.box.addWidget(label(tr("Preferences"), "title"))
        self.box.addSpacing(2)
        self.box.addLayout(self._grid)
        self.box.addSpacing(4)
        self.box.addWidget(row(None, close))

    def _line(self, name: str, control: QtWidgets.QWidget, *notes: QtWidgets.QWidget) -> None:
        word = label(name, "two")
        self._theme.fit(word, least_width=LABEL_WIDTH, height=28)
        at = self._grid.rowCount()
        self._grid.addWidget(word, at, 0, Qt.AlignmentFlag.AlignTop)
        holder = (
            row(control, margins=(0, 0, 0, 0))
            if isinstance(control, TextSize)
            else row(control, None)
        )
        self._theme.fit(holder, height=28)
        for k, widget in enumerate((holder, *notes)):
            self._grid.addWidget(widget, at + k, 1)
        self._grid.setRowMinimumHeight(at + 1 + len(notes), 10)

    def _choose_theme(self, key: str) -> None:
        self._preferences.set(theme=key)
        self._theme.set_choice(key)

    def _mouse_line(self) -> QtWidgets.QWidget:
        """The preset of the mouse, and whether the wheel turns the other way."""
        theme, preferences = self._theme, self._preferences
        self.mouse = Choice(
            theme,
            tr("Mouse"),
            lambda: [(key, tr(row.label), "") for key, row in MOUSE_PRESETS.items()],
            lambda: preferences.stored.mouse or OURS,
            self._choose_mouse,
        )
        theme.fit(self.mouse, width=140)
        self.wheel = Segment(theme, tuple((key, tr(word)) for key, word in WHEEL))
        self.wheel.choose(preferences.stored.wheel)
        self.wheel.chosen.connect(lambda key: preferences.set(wheel=key))
        self._show_mouse()
        return row(self.mouse, label(tr("mouse wheel"), "two"), self.wheel, gap=10)

    def _choose_mouse(self, key: str) -> None:
        self._preferences.set(mouse=key)
        self._show_mouse()

    def _show_mouse(self) -> None:
        """Tell in words how the chosen preset works."""
        uses = preset(self._preferences.stored.mouse).uses()
        self.mouse_words.setText(
            "\n".join(tr("{label}: {use}", label=drag, use=act) for drag, act in uses)
        )

    def _choose_units(self, key: str) -> None:
        self._preferences.set(units=key)
        self.example.setText(example(key))

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        # the keys of the text size act here too, and the slider says so
        steps = {Qt.Key.Key_Plus: 1, Qt.Key.Key_Equal: 1, Qt.Key.Key_Minus: -1}
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and event.key() in steps:
            self.text_size.slider.setValue(
                self.text_size.slider.value() + steps[Qt.Key(event.key())]
            )
        elif (
            event.modifiers() & Qt.KeyboardModifier.ControlModifier and event.key() == Qt.Key.Key_0
        ):
            self.text_size.slider.setValue(TEXT_SIZES.index(100))
        else:
            super().keyPressEvent(event)
