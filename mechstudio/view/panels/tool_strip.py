"""The floating strip at the left edge of the viewport: drawing tools, and what can be done to the
view.
"""

from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions.registry import BY_ID
from mechstudio.application.tools.solid_stages import LETTERS
from mechstudio.view.theme import Theme
from mechstudio.view.translation import tr
from mechstudio.view.widgets.widgets import IconButton

Qt = QtCore.Qt
# groups of (icon, action) or (icon, tooltip, actions of a menu); a line stands between two groups
BODIES = tuple(f"body_{type}" for type in LETTERS.values())
STRIP = (
    (
        ("tool_link", "draw_link"),
        ("tool_body", "Body", (*BODIES, "body_mesh", "add_shape")),
        ("tool_joint", "place_joint"),
        ("tool_ground", "ground"),
        ("tool_floor", "floor"),
    ),
    (
        ("tool_spring", "spring"),
        ("tool_damper", "damper"),
        ("tool_force", "force"),
        ("tool_motor", "drive"),
    ),
    (
        ("tool_plane", "work_plane"),
        ("fit", "fit"),
        (
            "cube",
            "Standard view",
            ("view_front", "view_right", "view_top", "view_corner", "perspective"),
        ),
    ),
    (("eye", "Show or hide", ("labels", "glyphs", "contact_marks", "axes")),),
)


class ToolStrip(QtWidgets.QFrame):
    """Buttons over the scene, 12 px from its edge; each is a row of the ACTIONS table."""

    def __init__(
        self,
        theme: Theme,
        actions: dict[str, QtGui.QAction],
        trigger: Callable[[str], None],
        host: QtWidgets.QWidget,
    ) -> None:
        super().__init__(host)
        self.setObjectName("float")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._actions, self._trigger = theme, actions, trigger
        self.buttons: dict[str, IconButton] = {}
        self._groups = [[self._button(*entry) for entry in group] for group in STRIP]
        self._rules: list[QtWidgets.QFrame] = []
        for _ in STRIP[1:]:
            rule = QtWidgets.QFrame(self)
            rule.setObjectName("rule")
            rule.setFixedHeight(1)
            self._rules.append(rule)
        self._grid = QtWidgets.QGridLayout(self)
        self._grid.setContentsMargins(4, 4, 4, 4)
        self._grid.setSpacing(1)
        self._columns, self._scale = 0, 0.0
        self.fit(10_000)

    def _button(self, icon: str, id: str, inner: tuple[str, ...] = ()) -> IconButton:
        row = BY_ID.get(id)
        tip = tr(row.text if row else id) + (
            f" ({row.shortcuts[-1]})" if row and row.shortcuts else ""
        )
        button = IconButton(self._theme, icon, tip, 30, 19, checkable=bool(row and row.checked))
        if row is None:
            menu = QtWidgets.QMenu(button)
            for each in inner:
                menu.addAction(self._actions[each])
            button.setMenu(menu)
            button.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        else:
            button.clicked.connect(lambda: self._press(id))
            if row.checked:
                self._actions[id].toggled.connect(button.setChecked)
                button.setChecked(self._actions[id].isChecked())
        self.buttons[id] = button
        return button

    def _press(self, id: str) -> None:
        self._trigger(id)
        # a click has turned the button over by itself; what is true is what the action says
        self.buttons[id].setChecked(self._actions[id].isChecked())

    def fit(self, height: int) -> None:
        """Stand in as few columns as this height [px] allows; where even rows of groups are too
        tall, groups follow each other without lines.
        """
        rows, tall = sum(len(group) for group in STRIP), self._theme.dp(30) + 1
        grouped = {
            c: sum(-(-len(group) // c) for group in STRIP) * tall + len(self._rules) * 9 + 8
            for c in (1, 2, 3)
        }
        flowing = {c: -(-rows // c) * tall + 8 for c in range(4, rows + 1)}
        columns = next((c for c, needed in (grouped | flowing).items() if needed <= height), rows)
        if (columns, self._theme.scale) == (self._columns, self._scale):
            return
        self._columns, self._scale = columns, self._theme.scale
        flows = columns not in grouped
        groups = [[button for group in self._groups for button in group]] if flows else self._groups
        for rule in self._rules:
            rule.setVisible(not flows)
        while self._grid.count():
            self._grid.takeAt(0)
        line = 0
        for k, group in enumerate(groups):
            if k:
                self._grid.setRowMinimumHeight(line, 9)
                self._grid.addWidget(
                    self._rules[k - 1], line, 0, 1, columns, Qt.AlignmentFlag.AlignVCenter
                )
                line += 1
            for i, button in enumerate(group):
                self._grid.setRowMinimumHeight(line + i // columns, 0)
                self._grid.addWidget(button, line + i // columns, i % columns)
            line += -(-len(group) // columns)
        for rest in range(line, rows + 8):
            self._grid.setRowMinimumHeight(rest, 0)
        self._grid.activate()
        self.resize(self._grid.sizeHint())
