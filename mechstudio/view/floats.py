"""Places of widgets that float over the scene: the strip of tools, the badge of the work plane, the
card of a free body, the display button, messages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6 import QtCore, QtWidgets

from mechstudio.view.bars.strip_place import LEFT, TOP, Around

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

EDGE = 12
# the view cube and its axes at the right end [px at the normal text size]
CUBE = 112
# the ruler at the lower edge [px at the normal text size]
RULER = 24


class Floats:
    """Widgets over the scene of a window, placed again wherever one needs another size."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        for part in (window.banners, window.badge, window.card, window.shown_button):
            part.sized.connect(self.place)
        window.strip_place.moved.connect(self.place)

    @property
    def widgets(self) -> tuple[QtWidgets.QWidget, ...]:
        """All but the messages."""
        w = self._window
        return (w.strip, w.badge, w.card, w.shown_button, w.shown_button.card)

    def place(self) -> None:
        """Place them in the scene as it is now."""
        window = self._window
        if window.presents and window.present is not None:
            window.present.place()
            return
        if window.room.guest is not None:
            window.room.guest.place()
            return
        host, dp = window.host, window.theme.dp
        wide, tall, cube, ruler = host.width(), host.height(), dp(CUBE), dp(RULER)
        badge, button, card = window.badge, window.shown_button, window.card
        badge.move(wide - EDGE - badge.width(), tall - EDGE - badge.height())
        badge.raise_()
        window.reminder.place(badge.y() - EDGE // 2)
        button.fit(wide)
        beside = button if card.isHidden() else card
        window.strip_place.arrange(
            Around(host.size(), EDGE, beside.size(), cube, ruler, badge.size())
        )
        side = window.strip_place.side
        left = EDGE + (window.strip.width() + EDGE if side == LEFT else 0)
        button.move(left, EDGE)
        button.setVisible(card.isHidden())
        shown = button.card
        shown.fit()
        right = wide - shown.width() - EDGE
        shown.move(max(EDGE, min(left, right)), EDGE + button.height() + EDGE // 2)
        shown.fit()
        shown.raise_()
        card.fit(tall - 2 * EDGE - ruler)
        card.move(left, EDGE)
        card.raise_()
        rooms = [w.geometry() for w in self.widgets if not w.isHidden()]
        rooms.append(QtCore.QRect(wide - cube, 0, cube, cube))
        window.viewport.look.set_covered([QtCore.QRectF(room) for room in rooms])
        left += beside.width() + EDGE
        top = EDGE + (window.strip.height() + EDGE if side == TOP else 0)
        window.banners.place(QtCore.QRect(left, top, wide - left - cube, tall))
