"""The floating strip at the left edge of the viewport: what can be done to the view now."""

from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions import BY_ID

from ..i18n import tr
from ..pieces import IconButton
from ..theme import Theme

Qt = QtCore.Qt
# (icon, action) or (icon, tooltip, actions of a menu); None draws a line
STRIP = (("tool_link", "draw_link"), ("tool_joint", "place_joint"), ("tool_ground", "ground"), None, ("fit", "fit"), ("cube", "Standard view", ("view_front", "view_right", "view_top", "view_corner")), ("perspective", "perspective"), None,
         ("label", "labels"), ("joint_revolute", "glyphs"))


class ToolStrip(QtWidgets.QFrame):
    """Buttons over the scene, 12 px from its edge; each is a row of the ACTIONS table."""

    def __init__(self, theme: Theme, actions: dict[str, QtGui.QAction], trigger: Callable[[str], None], host: QtWidgets.QWidget) -> None:
        super().__init__(host)
        self.setObjectName("float")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.buttons: dict[str, IconButton] = {}
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(4, 4, 4, 4)
        box.setSpacing(1)
        for entry in STRIP:
            if entry is None:
                rule = QtWidgets.QFrame()
                rule.setObjectName("rule")
                rule.setFixedHeight(1)
                box.addSpacing(3)
                box.addWidget(rule)
                box.addSpacing(3)
                continue
            icon, id = entry[0], entry[1]
            row = BY_ID.get(id)
            tip = tr(row.text) if row else tr(id)
            if row and row.shortcuts:
                tip += f" ({row.shortcuts[-1]})"
            button = IconButton(theme, icon, tip, 30, 19, checkable=bool(row and row.checked))
            if row:
                button.clicked.connect(lambda _=False, id=id: trigger(id))
                if row.checked:
                    actions[id].toggled.connect(button.setChecked)
                    button.setChecked(actions[id].isChecked())
            else:
                menu = QtWidgets.QMenu(button)
                for each in entry[2]:
                    menu.addAction(actions[each])
                button.setMenu(menu)
                button.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
            box.addWidget(button)
            self.buttons[id] = button
        self.adjustSize()
