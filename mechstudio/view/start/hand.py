"""The hand that shows a gesture on the drawing, over the window: it never takes an event."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from PySide6 import QtCore, QtGui, QtSvg, QtWidgets

from mechstudio.application.scene.joints.joint_icons import icon_text
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
SIZE, TIP = 44, (0.44, 0.14)  # of the hand [px at the normal text size], and of its finger in that
FRAME_MS, CYCLE_MS = 40, 2600
WAY, PRESS = 0.42, 0.72  # parts of a cycle at which the hand is there, and has pressed
RINGS = (11, 20, 29)  # radii [px at the normal text size]
DOT, BAR = 7, 17  # radius of a place, half the width of a link
STEP = 12  # between places that are tried for the words [px]
WIDE = 80  # height of a widget [px] from which it is no button
GAP, PAD, LINE = 14, 9, 28  # of the words to their place, and inside them


class Gesture(NamedTuple):
    """Gesture that the hand shows, in pixels of the window.

    target: a widget, or a place without an extent; None for none.  start: where it comes from, None
    for from beside.  link: ends of a link that comes of it.  words: beside the target.  key: that
    does it too.  room: where words may stand.  covered: where they should not.
    """

    target: QtCore.QRectF | None
    start: QtCore.QPointF | None = None
    link: tuple[QtCore.QPointF, QtCore.QPointF] | None = None
    words: str = ""
    key: str = ""
    room: QtCore.QRectF = QtCore.QRectF()
    covered: tuple[QtCore.QRectF, ...] = ()

    @property
    def is_widget(self) -> bool:
        return self.target is not None and self.target.width() > 0

    @property
    def is_wide(self) -> bool:
        """True for a panel, which the hand may stand on."""
        return self.target is not None and self.target.height() > WIDE

    @property
    def end(self) -> QtCore.QPointF | None:
        """Place that is touched."""
        return None if self.target is None else self.target.center()


class Hand(QtWidgets.QWidget):
    """A drawn hand with words over the window; it stands still where motion is reduced."""

    def __init__(self, theme: Theme, window: QtWidgets.QWidget) -> None:
        super().__init__(window)
        self._theme, self.gesture = theme, Gesture(None)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.words, self.said = QtCore.QRectF(), ""  # room of the words, and what fits into it
        self._clock = QtCore.QElapsedTimer()
        self._timer = QtCore.QTimer(self, interval=FRAME_MS)
        self._timer.timeout.connect(self._next)
        self._painted, self._phase = QtCore.QRect(), 0.0
        self._still = False
        self._drawing = QtSvg.QSvgRenderer()
        theme.follow(self._dress)
        self._dress()
        self.hide()

    def _dress(self) -> None:
        text = icon_text("hand").replace("currentColor", self._theme["accent_text"])
        text = text.replace('fill="none"', f'fill="{self._theme["raised"]}"')
        self._drawing.load(text.encode())
        self._arrange()
        self.update()

    def show_gesture(self, gesture: Gesture, still: bool) -> None:
        """Show a gesture; still: without motion."""
        if (gesture, still) == (self.gesture, self._still) and not self.isHidden():
            return
        if self.isHidden() or gesture[:4] != self.gesture[:4]:
            self._clock.start()
            self._phase = 0.0
        self.gesture, self._still = gesture, still
        self._arrange()
        self.setVisible(True)
        if still or gesture.target is None:
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()
        self.update()

    def stop(self) -> None:
        """Show nothing."""
        self._timer.stop()
        self.hide()

    @property
    def moves(self) -> bool:
        """True while the hand is in motion."""
        return self._timer.isActive()

    @property
    def phase(self) -> float:
        """Part of the cycle that is over, from 0 to 1; of a hand at rest that of its touch."""
        # of the last frame: a part that is painted between two must fit the rest
        return 0.5 * (WAY + PRESS) if self._still else self._phase

    @property
    def at(self) -> QtCore.QPointF | None:
        """Place of the finger now [px]."""
        g, dp = self.gesture, self._theme.dp
        end, start = g.end, g.start
        if end is None or g.target is None:
            return None
        if g.is_widget and not g.is_wide:
            # what is on a button stays readable
            size = g.target.size()
            end = end + QtCore.QPointF(min(size.width() / 2 - 2, dp(9)), size.height() / 2 - dp(5))
        if start is None:
            start = end + QtCore.QPointF(dp(34), dp(30))
        part = min(1.0, self.phase / WAY)
        part = part * part * (3.0 - 2.0 * part)
        return start + (end - start) * part

    # painting

    def _next(self) -> None:
        """Paint the next frame, where something changes."""
        self._phase = (self._clock.elapsed() % CYCLE_MS) / CYCLE_MS
        room = self._room
        self.update(room.united(self._painted))
        self._painted = room

    @property
    def _room(self) -> QtCore.QRect:
        """Room of all that moves."""
        g, reach = self.gesture, self._theme.dp(SIZE)
        room = QtCore.QRectF(g.target or QtCore.QRectF())
        for place in (g.start, self.at):
            if place is not None:
                room = room.united(QtCore.QRectF(place, QtCore.QSizeF(1, 1)))
        return room.adjusted(-reach, -reach, reach, reach).toAlignedRect()

    def _font(self) -> QtGui.QFont:
        font = QtGui.QFont(self.font())
        font.setPixelSize(self._theme.dp(13))
        return font

    def _key_font(self) -> QtGui.QFont:
        font = self._font()
        font.setWeight(QtGui.QFont.Weight.DemiBold)
        return font

    def _arrange(self) -> None:
        """Find room for the words, where nothing else stands; for the key alone where there is
        none: the list of tasks and the line of hints say the rest.
        """
        g = self.gesture
        self.said, self.words = g.words, QtCore.QRectF()
        if not g.words:
            return
        self.words = self._room_for(g.words)
        if any(_overlap(self.words, other) for other in g.covered):
            self.said, self.words = "", self._room_for("") if g.key else QtCore.QRectF()

    def _room_for(self, words: str) -> QtCore.QRectF:
        """Room of words and key beside the end, or else anywhere near."""
        g, dp = self.gesture, self._theme.dp
        wide = float(dp(PAD))
        if words:
            wide += QtGui.QFontMetricsF(self._font()).horizontalAdvance(words) + dp(PAD)
        if g.key:
            wide += self._key_width + dp(PAD)
        size = QtCore.QSizeF(min(wide, g.room.width() - 2 * dp(4)), dp(LINE))
        room = g.room.adjusted(dp(4), dp(4), -dp(4), -dp(4))
        end = g.end if g.end is not None else QtCore.QPointF(room.center().x(), room.bottom())
        near, far = dp(RINGS[-1]) + dp(GAP) / 2, dp(SIZE) + dp(GAP) / 2
        link, target = self._link_room(), g.target or QtCore.QRectF(end, QtCore.QSizeF(0, 0))
        if g.is_widget:
            near, far = dp(GAP), dp(GAP) + dp(SIZE) / 2
        # beside the whole container of a button
        strip = next((r for r in g.covered if g.is_widget and r.contains(target)), target)
        right, left = strip.right() + far, strip.left() - near - size.width()
        above, below = target.top() - near - size.height(), target.bottom() + far
        middle, level = end.x() - size.width() / 2, end.y() - size.height() / 2
        places = [
            (right, level),
            (left, level),
            (middle, above),
            (middle, below),
            (strip.right() + near, above),
            (left, above),
            (left, below),
            (right, below),
        ]
        if g.is_wide:
            places.insert(0, (middle, above))
        taken = (*g.covered, *link)
        found = self._cheapest(places, size, room, taken, 1.0)
        if any(_overlap(found, other) for other in g.covered):
            # none beside the end is free: the nearest one anywhere
            xs = range(round(room.left()), max(round(room.right() - size.width()), 0) + 1, STEP)
            ys = range(round(room.top()), max(round(room.bottom() - size.height()), 0) + 1, STEP)
            away = lambda at: math.hypot(at[0] - end.x(), at[1] - end.y())
            every = sorted(((float(x), float(y)) for x in xs for y in ys), key=away)
            shown = target.adjusted(-near, -near, far, far)  # with the rings and the hand
            every.append((found.x(), found.y()))
            found = self._cheapest(every, size, room, (*taken, shown), 0.0)
        return found

    @staticmethod
    def _cheapest(
        places: Sequence[tuple[float, float]],
        size: QtCore.QSizeF,
        room: QtCore.QRectF,
        taken: Sequence[QtCore.QRectF],
        stray: float,
    ) -> QtCore.QRectF:
        """Place inside a room that covers least of the occupied parts, of equals the first.  stray:
        cost of each pixel that a place is out of the room.
        """
        best, least = QtCore.QRectF(), math.inf
        for k, (x, y) in enumerate(places):
            inside = QtCore.QRectF(
                min(max(x, room.left()), room.right() - size.width()),
                min(max(y, room.top()), room.bottom() - size.height()),
                size.width(),
                size.height(),
            )
            cost = 0.01 * k * stray + stray * (abs(inside.x() - x) + abs(inside.y() - y))
            cost += sum(_overlap(inside, other) for other in taken)
            if cost < least:
                best, least = inside, cost
            if cost == 0.0:
                break
        return best

    @property
    def _key_width(self) -> float:
        dp = self._theme.dp
        text = QtGui.QFontMetricsF(self._key_font()).horizontalAdvance(self.gesture.key)
        return max(dp(22), text + dp(12))

    def _link_room(self) -> list[QtCore.QRectF]:
        """Rooms along the way of the hand, that words should leave free."""
        g, half = self.gesture, self._theme.dp(BAR)
        if g.link is None:
            return []
        a, b = g.link
        steps = [a + (b - a) * (k / 12) for k in range(13)]
        return [QtCore.QRectF(p.x() - half, p.y() - half, 2 * half, 2 * half) for p in steps]

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        g, painter = self.gesture, QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        if g.link is not None:
            self._paint_link(painter, *g.link)
        if g.end is not None:
            self._paint_touch(painter, g)
        if not self.words.isNull():
            self._paint_words(painter)
        at = self.at
        if at is not None:
            size = self._theme.dp(SIZE)
            corner = at - QtCore.QPointF(TIP[0] * size, TIP[1] * size)
            self._drawing.render(painter, QtCore.QRectF(corner, QtCore.QSizeF(size, size)))
        painter.end()

    def _paint_link(
        self, painter: QtGui.QPainter, start: QtCore.QPointF, end: QtCore.QPointF
    ) -> None:
        theme, line = self._theme, QtCore.QLineF(start, end)
        half = theme.dp(BAR)
        painter.save()
        painter.translate(start)
        painter.rotate(-line.angle())
        painter.setBrush(theme.color("accent", 0.10))
        painter.setPen(QtGui.QPen(theme.color("accent"), 1.8 * theme.scale, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(
            QtCore.QRectF(-half, -half, line.length() + 2 * half, 2 * half), half, half
        )
        painter.restore()
        self._paint_dot(painter, start, True)

    def _paint_dot(self, painter: QtGui.QPainter, place: QtCore.QPointF, full: bool) -> None:
        theme, radius = self._theme, self._theme.dp(DOT)
        painter.setPen(QtGui.QPen(theme.color("raised"), 5.0 * theme.scale))
        painter.setBrush(theme.color("accent" if full else "raised"))
        painter.drawEllipse(place, radius, radius)
        painter.setPen(QtGui.QPen(theme.color("accent"), 2.0 * theme.scale))
        painter.drawEllipse(place, radius, radius)

    def _paint_touch(self, painter: QtGui.QPainter, g: Gesture) -> None:
        """A place or the frame of a button, with rings that go out when the finger touches it."""
        theme, phase, target = self._theme, self.phase, g.target
        if target is None:
            return
        touched = WAY <= phase <= PRESS
        out = 1.0 if self._still else (phase - WAY) / (PRESS - WAY)
        if not g.is_widget:
            self._paint_dot(painter, target.center(), touched and not self._still)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for k, radius in enumerate(RINGS):
            always = k == 0 and g.is_widget
            if not always and not (touched and (self._still or out * len(RINGS) >= k)):
                continue
            tone = theme.color("accent", (0.8, 0.32, 0.16)[k])
            painter.setPen(QtGui.QPen(tone, 1.8 * theme.scale))
            if g.is_widget:
                wide = theme.dp(2 + 4 * k)
                corner = min(target.height() / 2, theme.dp(8)) + wide
                painter.drawRoundedRect(target.adjusted(-wide, -wide, wide, wide), corner, corner)
            else:
                painter.drawEllipse(target.center(), theme.dp(radius), theme.dp(radius))

    def _paint_words(self, painter: QtGui.QPainter) -> None:
        theme, dp, room = self._theme, self._theme.dp, self.words
        painter.setPen(QtGui.QPen(theme.color("line_strong"), 1))
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(room, dp(6), dp(6))
        left = room.left() + dp(PAD)
        if self.gesture.key:
            key = QtCore.QRectF(left, room.top() + dp(5), self._key_width, room.height() - dp(10))
            painter.setBrush(theme.color("accent_soft"))
            painter.setPen(QtGui.QPen(theme.color("accent"), 1))
            painter.drawRoundedRect(key, dp(4), dp(4))
            painter.setFont(self._key_font())
            painter.setPen(theme.color("accent_text"))
            painter.drawText(key, Qt.AlignmentFlag.AlignCenter, self.gesture.key)
            left = key.right() + dp(PAD)
        painter.setFont(self._font())
        painter.setPen(theme.color("text"))
        words = QtCore.QRectF(left, room.top(), room.right() - dp(PAD) - left + 1, room.height())
        shown = QtGui.QFontMetricsF(self._font()).elidedText(
            self.said, Qt.TextElideMode.ElideRight, words.width()
        )
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, shown)


def _overlap(a: QtCore.QRectF, b: QtCore.QRectF) -> float:
    """Area that two rooms share [px²]."""
    both = a.intersected(b)
    return max(0.0, both.width()) * max(0.0, both.height())
