"""Painters that write down what they paint, of widgets and of pictures made for them."""

import contextlib
from collections.abc import Iterator

from PySide6 import QtGui, QtWidgets

from tests.view.scene.strokes import said

# what changes nothing that is seen, or is a picture of its own
QUIET = ("setRenderHint", "setRenderHints", "drawPixmap", "drawImage", "setFont")
LOUD = ("draw", "fill", "stroke", "set", "translate", "rotate", "scale", "save", "restore")
MOST = 8  # places of a long line that are written down; of all their sum


def places(value) -> Iterator[tuple[float, float]]:
    """Places of a line."""
    if isinstance(value, QtGui.QPainterPath):
        elements = (value.elementAt(k) for k in range(value.elementCount()))
        yield from ((e.x, e.y) for e in elements)
    elif isinstance(value, QtGui.QPolygonF | list | tuple):
        for p in value:
            ends = (p.p1(), p.p2()) if hasattr(p, "p1") else (p,)
            yield from ((float(q.x()), float(q.y())) for q in ends if hasattr(q, "x"))


def words(value) -> str:
    """A value as text; a long line by its number of places and their sums."""
    found = list(places(value))
    if len(found) > MOST:
        x, y = (sum(abs(c) for c in column if c == c) for column in zip(*found, strict=True))
        return f"{len(found)} places {x:.0f} {y:.0f}"
    if isinstance(value, QtGui.QTransform):
        return " ".join(f"{getattr(value, f'm{r}{c}')():.2f}" for r in (1, 2, 3) for c in (1, 2, 3))
    if hasattr(value, "x") and hasattr(value, "width"):
        return f"[{value.x():.1f} {value.y():.1f} {value.width():.1f} {value.height():.1f}]"
    if hasattr(value, "p1"):
        return f"({value.x1():.1f} {value.y1():.1f})-({value.x2():.1f} {value.y2():.1f})"
    if hasattr(value, "x") and hasattr(value, "y"):
        return f"({value.x():.1f} {value.y():.1f})"
    return said(value)


class Recorder(QtGui.QPainter):
    """A painter that paints, and writes down its calls in `lines`, unless they set what it was set
    to.
    """

    lines: list[str] = []


def _noted(name: str):
    paint = getattr(QtGui.QPainter, name)

    def call(self, *given):
        line = " ".join((name, *map(words, given)))
        settings = self.__dict__.setdefault("settings", {})
        if name in ("save", "restore"):
            settings.clear()
        if settings.get(name) != line:
            Recorder.lines.append(line)
        if name.startswith("set"):
            settings[name] = line
        return paint(self, *given)

    return call


for _name in dir(QtGui.QPainter):
    if _name.startswith(LOUD) and _name not in QUIET:
        setattr(Recorder, _name, _noted(_name))


@contextlib.contextmanager
def recording(monkeypatch) -> Iterator[list[str]]:
    """Calls of all painters that are made in the block."""
    Recorder.lines = []
    with monkeypatch.context() as patch:
        patch.setattr(QtGui, "QPainter", Recorder)
        yield Recorder.lines


def painted(widget: QtWidgets.QWidget, monkeypatch) -> list[str]:
    """Calls of the painters of a widget, and of pictures that it makes for itself."""
    with recording(monkeypatch) as lines:
        widget.grab()
    return lines


def own_painted(root: QtWidgets.QWidget) -> list[QtWidgets.QWidget]:
    """Widgets in a root that can be seen and paint themselves."""
    found = [root, *root.findChildren(QtWidgets.QWidget)]
    return [
        w
        for w in found
        if w.isVisible()
        and type(w).__module__.startswith("mechstudio.view.")
        and type(w).paintEvent is not QtWidgets.QWidget.paintEvent
        and getattr(type(w).paintEvent, "__module__", "").startswith("mechstudio.")
    ]
