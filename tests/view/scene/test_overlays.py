"""Everything that can be painted over a scene, in each of its kinds, stroke by stroke: near and
far, hidden and seen, lit and not, small and large, in both themes.  Words have a room by their
letters, so that no font decides.
"""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from mechstudio.application.contact_display import APART, SLIDING, STICKING, InstantContacts
from mechstudio.application.free_body import Action, Cut
from mechstudio.application.marks.arrows import Arrow
from mechstudio.application.marks.figures.figure import Symbol
from mechstudio.application.marks.gauges import ARC, LEADER, LINE, STEPPED, GaugeMark
from mechstudio.application.marks.whole_turns import CUSP, DEAD, DOUBLE, Note
from mechstudio.application.scene.joints.stops import LimitMark
from mechstudio.application.scene.pictures import PicturePlane
from mechstudio.application.scene.scene import Measure
from mechstudio.application.tools.tool import Handle, Preview
from mechstudio.model.free_bodies import CONTACT, INERTIA, LOAD, REACTION, WEIGHT, Slot
from mechstudio.model.free_bodies import Symbol as Letters
from mechstudio.model.mechanism import Body, Mechanism, NamedPoint
from mechstudio.model.project import Camera
from mechstudio.model.quantity import vector
from mechstudio.view.fonts import font
from mechstudio.view.scene.look import Look
from mechstudio.view.scene.marks.arrows import HALOES
from mechstudio.view.scene.marks.placer import Placer
from mechstudio.view.scene.marks.symbols import paint_symbols
from mechstudio.view.scene.overlays import (
    choice_card,
    free_body_marks,
    gauge_marks,
    overlay,
    view_cube,
)
from mechstudio.view.scene.overlays.arrow_marks import paint_marked
from mechstudio.view.scene.overlays.canvas import Canvas, nowhere
from mechstudio.view.scene.overlays.contact_marks import (
    ARROWS,
    CONES,
    contact_mark_at,
    name_contacts,
    paint_contacts,
)
from mechstudio.view.scene.overlays.free_body_marks import FreeBodyMarks
from mechstudio.view.scene.overlays.gauge_marks import paint_gauges
from mechstudio.view.scene.overlays.handle_marks import paint_handles
from mechstudio.view.scene.overlays.note_marks import paint_notes
from mechstudio.view.scene.overlays.picture_marks import paint_pictures
from mechstudio.view.scene.overlays.point_marks import paint_points
from mechstudio.view.scene.overlays.preview import MARKERS, paint_preview
from tests.view.scene.strokes import Strokes, said

SIZE = (640.0, 480.0)
NEAR = Camera((0.1, 0.0, 0.2), -65.0, 22.0, 1.1)
FLAT = Camera((0.1, 0.0, 0.2), -90.0, 0.0, 1.1, perspective=False)
LETTER = 7.0  # px that a letter is wide, at every size
REST = np.array([1.0, 0, 0, 0, 0, 0, 0, 1])  # pose of a row that does not move


class Written(Strokes):
    """Strokes, and words with the room that they have."""

    def font(self):
        return font(11)

    def drawText(self, *given):
        self.lines.append(" ".join(("drawText", *map(said, given))))


class FixedWords:
    """Stand-in of Words and of SymbolPictures."""

    def room(self, text, x, y, *_):
        wide = LETTER * len(text)
        return QRectF(x - wide / 2, y - 8.0, wide, 16.0)

    def paint(self, painter, text, x, y, color, halo, size, ratio):
        painter.lines.append(f"write {text} {x:.1f} {y:.1f} {color} {halo} {size:.1f} {ratio}")
        return self.room(text, x, y)


class FixedPictures:
    def room(self, text, size):
        return LETTER * len("".join(text)), 1.25 * size

    def paint(self, painter, text, at, color, halo, size, ratio):
        painter.lines.append(f"symbol {text} {said(at)} {color} {halo} {size:.1f} {ratio}")


class FixedMetrics:
    def __init__(self, _font):
        pass

    def horizontalAdvance(self, text):
        return LETTER * len(text)

    def height(self):
        return 14.0

    ascent = height


@pytest.fixture(autouse=True)
def letters(monkeypatch):
    for module in (gauge_marks, overlay, free_body_marks, choice_card):
        if hasattr(module, "QFontMetricsF"):
            monkeypatch.setattr(module, "QFontMetricsF", FixedMetrics)


def canvas_of(camera=NEAR, theme="light", scale=1.0, hides=nowhere):
    return Canvas(Written(), FixedWords(), camera, SIZE, theme, 1.0, scale, hides)


def behind(points):
    """A mask of the points left of the middle, which are hidden."""
    return np.asarray(points)[:, 0] < 0.1


WAYS = {
    "near": lambda: canvas_of(),
    "flat": lambda: canvas_of(FLAT, "dark", 1.5, behind),
}


def gauges(canvas):
    a, b = np.array([0.0, 0.0, 0.1]), np.array([0.3, 0.1, 0.25])
    x, z = np.array([1.0, 0, 0]), np.array([0.0, 0.6, 0.8])
    marks = [
        GaugeMark("line", LINE, a, b, a, "335 mm", True),
        GaugeMark("short", LINE, a, a + 0.002, a, "2 mm", False),
        GaugeMark("none", LINE, a, a, a, "0 mm", False),
        GaugeMark("steep", STEPPED, a, b, a, "150 mm", False, 2),
        GaugeMark("along", STEPPED, b, a, a, "300 mm", True, 0),
        GaugeMark("arc", ARC, x, z, a, "90°", True),
        GaugeMark("thin", ARC, x, np.array([0.999, 0.0, 0.0447]), b, "2.6°", False),
        GaugeMark("turned", ARC, x, -x, b, "180°", False),
        GaugeMark("rim", LEADER, a, b, a, "R 40 mm", True),
        GaugeMark("through", LEADER, b, a, (a + b) / 2, "Ø 80 mm", False),
        GaugeMark("far", LINE, a, np.array([0.0, -40.0, 0.0]), a, "away", False),
    ]
    middle, placer = np.array([0.15, 0.0, 0.15]), Placer(SIZE)
    for mark in marks:
        canvas.painter.lines.append(f"# {mark.id}")
        paint_gauges(canvas, [mark], middle, placer, frozenset(("along", "rim")))
    lines = canvas.painter.lines
    start = len(lines)
    rooms = paint_gauges(canvas, marks, middle, Placer(SIZE), frozenset(("arc",)))
    del lines[start:]
    lines.extend(f"{id} {said(room)}" for id, room in rooms.items())


def symbols(canvas):
    points = [(0.0, 0.0, 0.2), (0.2, 0.0, 0.2), (0.25, 0.1, 0.1), (0.05, 0.0, 0.35)]
    kinds = ("centre", "pole", "screw_axis", "clash")
    bodies = {"a": REST, "b": np.array([0.8, 0, 0.6, 0, 0.1, 0.0, 0.05, 1])}
    shown = [
        *(Symbol(kind, np.array(p), "a", kind) for kind, p in zip(kinds, points)),
        Symbol("", np.array([0.1, 0, 0.1]), "b", "words alone", "text2"),
        Symbol("pole", np.array([9.0, 0, 4.0]), "a", "out", "text", "far out"),
        Symbol("pole", np.array([0.0, -5.0, 0.1]), "a", "at the back"),
        Symbol("clash", np.array([9.0, 0, 4.0]), "a", "never"),
        Symbol("centre", np.array([0.1, 0, 0.1]), "gone", "never"),
    ]
    for cut in (None, (1.0, 0.0, 0.0, 0.1)):
        canvas.painter.lines.append(f"# cut {cut is not None}")
        paint_symbols(canvas, shown, bodies, Placer(SIZE), frozenset("b"), cut)
    many = [Symbol("", np.array([0.004 * k, 0, 0.2]), "ab"[k % 2], f"{k}") for k in range(62)]
    canvas.painter.lines.append("# many")
    paint_symbols(canvas, many, bodies, Placer(SIZE), frozenset("b"))


def notes(canvas):
    kinds = (DEAD, CUSP, DOUBLE)
    found = [
        (Note(kind, np.array([0.05 + 0.1 * k, 0.0, 0.2]), (1.0,)), "words" * (k != 1))
        for k, kind in enumerate(kinds)
    ]
    found.append((Note(DEAD, np.array([0.0, -9.0, 0.0]), (1.0,)), "never"))
    paint_notes(canvas, found, Placer(SIZE))


def points(canvas):
    named = (
        NamedPoint("P", vector(0.05, 0.0, 0.1)),
        NamedPoint("Q", vector(0.1, 0.02, 0.0), orientation=vector(0.3, -0.2, 0.5)),
    )
    body = Body("a", "a", points=named)
    paint_points(canvas, [(body, np.array([0.8, 0, 0.6, 0, 0.1, 0.0, 0.2, 1]))], Placer(SIZE))


def arrows(canvas):
    look, root = Look(), np.array([0.1, 0.0, 0.15])
    measures = {
        name: Measure(name, 2.0, 0.1) for name in ("velocity", "acceleration", "force", "torque")
    }
    look.arrow_measures = lambda own: measures
    shown = [
        Arrow(type, type, dimension, root + 0.03 * k, vector_, couple, loose, "a", words)
        for k, (type, dimension, vector_, couple, loose, words) in enumerate(
            (
                ("velocity", "velocity", np.array([3.0, 0, 1]), False, False, "v"),
                ("acceleration", "acceleration", np.array([-1.0, 1, 2]), False, False, ""),
                ("force", "force", np.array([0.0, 1.0, 3.0]), False, True, "F"),
                ("force", "torque", np.array([2.0, 0.0, 0.0]), True, False, "T"),
                ("force", "force", np.array([60.0, 0.0, 20.0]), False, False, "cut"),
                ("force", "force", np.array([1e-4, 0.0, 0.0]), False, False, "dot"),
                ("other", "angle", np.array([1.0, 0.0, 0.0]), False, False, "none"),
            )
        )
    ]
    scene = type("Scene", (), {"measures": (), "size": 0.1})()
    for components in (False, True):
        canvas.painter.lines.append(f"# components {components}")
        look.arrows, look.components = shown, components
        paint_marked(canvas, look, scene, Placer(SIZE))
    canvas.painter.lines.append("# many")
    many = [shown[k % 7]._replace(root=root + 0.01 * k) for k in range(HALOES + 9)]
    look.arrows, look.components = many, False
    paint_marked(canvas, look, scene, Placer(SIZE))
    canvas.painter.lines.append("# legend")
    overlay.paint_legend(canvas, measures.values(), "mm-N-deg")
    overlay.paint_invitation(canvas, "Press L")


def contacts_of(count):
    k = np.arange(count)
    turn = 0.4 * k
    normal = np.stack([np.sin(turn) * 0.6, 0.8 * np.sin(turn), np.cos(turn)], axis=1)
    states = np.array([STICKING, SLIDING, APART])[k % 3]
    return InstantContacts(
        np.stack([-np.ones(count, int), k % 4], axis=1),
        np.stack([0.02 * (k % 15), 0.01 * (k % 3), 0.01 * (k // 15) + 0.1], axis=1),
        normal,
        normal * (1.0 + k % 5)[:, None] * np.where(k % 7 == 3, 20.0, 1.0)[:, None],
        0.0 * k,
        np.where(k % 4 == 2, 0.0, 0.1 + 0.2 * (k % 3)),
        0.1 * k,
        states,
        0.0 * k,
        tuple(f"contact {n}" for n in k),
    )


def contacts(canvas):
    force, glyph = Measure("force", 2.0, 0.05), 0.01
    lit = frozenset(("contact 4", "contact 2"))
    few = contacts_of(9)
    paint_contacts(canvas, few, force, glyph, lit)
    name_contacts(canvas, few, force, glyph, ["a", "b", "c", "d"], Placer(SIZE), lit)
    lines = canvas.painter.lines
    for count in (20, 2 * CONES, 2 * ARROWS):
        before = len(lines)
        many = contacts_of(count)
        paint_contacts(canvas, many, force, glyph)
        calls = [line.partition(" ")[0] for line in lines[before:]]
        del lines[before:]
        lines.append(f"# {count}: {' '.join(calls)}")
    for k in range(9):
        x, y, _ = canvas.project(few.point)[k]
        found = [
            contact_mark_at(few, canvas.camera, SIZE, x + off, y, canvas.scale)
            for off in (0.0, 6.9 * canvas.scale, 7.1 * canvas.scale)
        ]
        lines.append(f"at {k}: {found}")


def free_body_cut():
    """A body with an action of each kind, and its bodies by id."""
    zero, none = np.zeros(3), np.zeros(3)

    def action(kind, id, at, force, couple=zero, loose=zero, loose_couple=zero, other="", name="F"):
        of = Slot("a", kind, id)
        moment = np.cross(at, force) + couple
        return Action(
            of,
            Letters("−" * (name == "I"), name, f"{name}c", id),
            other,
            np.array(at),
            np.array(force),
            np.array(couple),
            moment,
            np.array(loose),
            np.array(loose_couple),
            False,
        )

    place = (0.0, 0.0, 0.1)
    actions = (
        action(WEIGHT, "a", (0.1, 0, 0.2), (0.0, 0, -12.0), name="W"),
        action(REACTION, "A", place, (6.0, 2, 9.0), (0.0, 0.6, 0.3), (0, 2.0, 0), other="b"),
        action(REACTION, "B", place, (-6.0, 0, 1.0), (0.2, 0, 0), none, (0.1, 0, 0), "ground"),
        action(LOAD, "push", (0.25, 0, 0.3), (0.01, 0, 0.0), (0, 0, 0.9)),
        action(CONTACT, "c", (0.2, 0, 0.1), (1.0, 0, 2.0), other="b"),
        action(INERTIA, "a", (0.1, 0, 0.2), (-1.0, -2.0, 0.0), name="I"),
    )
    cut = Cut("a", 0.5, np.zeros(3), actions, none, none, 15.0, 1.0, 12.0, 0.8, None)
    bodies = {"a": Body("a", "a", color=0), "b": Body("b", "b", color=2)}
    return cut, bodies


def free_body(canvas):
    cut, bodies = free_body_cut()
    marks, lines = FreeBodyMarks(), canvas.painter.lines
    marks._pictures = FixedPictures()
    lit = lambda slot: slot.kind == LOAD
    for turn in range(2):  # the second time they stay where they are
        marks.layout(
            cut,
            Mechanism(bodies),
            canvas.camera,
            SIZE,
            0.4,
            1.5,
            canvas.theme,
            canvas.t,
            "mm-N-deg",
            [QRectF(0, 0, 200, 200)],
            canvas.scale,
        )
        lines.append(f"# picture {turn}")
        marks.paint(canvas.painter, lit, canvas.t, 1.0, canvas.scale)
    marks.paint_scale(
        canvas.painter,
        cut,
        canvas.camera,
        SIZE,
        0.4,
        1.5,
        canvas.t,
        "mm-N-deg",
        canvas.scale,
        160.0,
    )
    for x in range(20, 640, 24):
        row = [marks.at(float(x), float(y)) for y in range(20, 480, 24)]
        lines.append(" ".join(f"{m.slot.id}{'c' * m.couple}" if m else "-" for m in row))


def previews(canvas):
    a, b, c = (0.0, 0.0, 0.1), (0.2, 0.0, 0.3), (0.1, 0.05, 0.1)
    cursor = QPointF(300.0, 200.0)
    full = Preview(
        segments=[(a, b)],
        rubber=[(b, c)],
        marker=b,
        word="corner",
        label="200 mm, 45°",
        marks=[(a, "ground pin"), (c, "")],
        areas=[(a, b, c)],
        box=((10.0, 20.0), (200.0, 120.0)),
        choices=("one", "corner", "another one"),
        chosen=1,
        lines=[(a, b, c)],
    )
    paint_preview(canvas, full, cursor)
    for shape in (*MARKERS, "cross", "ring", "axis"):
        canvas.painter.lines.append(f"# {shape}")
        paint_preview(canvas, Preview(marker=a, word="at the side", shape=shape), cursor)
    canvas.painter.lines.append("# at the corner of the picture")
    corner = Preview(label="a label that is long", choices=("one", "two"), chosen=0)
    paint_preview(canvas, corner, QPointF(630.0, 470.0))
    canvas.painter.lines.append("# behind the eye")
    away = (0.0, -9.0, 0.0)
    paint_preview(canvas, Preview([(a, away)], [(a, away)], away, lines=[(a, away)]), cursor)


def handles(canvas):
    a, b, c = (0.0, 0.0, 0.1), (0.2, 0.0, 0.3), (0.3, 0.05, 0.1)
    shown = [
        Handle(kind, (a, b, c), word="drag" * hot, hot=hot, fade=fade)
        for kind in ("dot", "square", "area", "arrow", "line")
        for hot, fade in ((False, 0.5), (True, 1.0))
    ]
    shown.append(Handle("arrow", (a, a), "axis_x"))
    for handle in shown:
        canvas.painter.lines.append(f"# {handle.kind} {handle.hot}")
        paint_handles(canvas, [handle])
    canvas.painter.lines.append("# all")
    start = len(canvas.painter.lines)
    paint_handles(canvas, shown)
    calls = canvas.painter.lines[start:]
    del canvas.painter.lines[start:]
    canvas.painter.lines += [line for line in calls if line.startswith(("setOpacity", "write"))]


def pictures(canvas):
    corners = np.array([(0.0, 0, 0.1), (0.3, 0, 0.1), (0.3, 0, 0.3), (0.0, 0, 0.3)])
    planes = tuple(
        PicturePlane(id, id, f"/nowhere/{id}.png", corners + 0.02 * k, 0.5, False)
        for k, id in enumerate(("good", "chosen", "gone", "both"))
    )
    reason = lambda path: "" if "good" in path or "chosen" in path else "It is gone."
    paint_pictures(canvas, planes, reason, frozenset(("chosen", "both")))


def limits(canvas):
    area = np.array([(0.1, 0, 0.1), (0.2, 0, 0.1), (0.2, 0, 0.2)])
    for soft in (False, True):
        for reached in (False, True):
            mark = LimitMark(area, (area[:2], area[1:]), area[::2], soft)
            overlay.paint_limits(canvas, [mark], reached)


def cube(canvas):
    for zone in (None, (0, -1, 0), (1, -1, 0), (1, -1, 1)):
        canvas.painter.lines.append(f"# {zone}")
        view_cube.paint(canvas.painter, canvas.camera, SIZE, canvas.t, zone, canvas.scale)
    x, y = view_cube.center(SIZE, canvas.scale)
    for dy in range(-44, 45, 8):
        zones = [
            view_cube.zone_at(canvas.camera, SIZE, x + dx, y + dy, canvas.scale)
            for dx in range(-44, 45, 8)
        ]
        canvas.painter.lines.append(" ".join("".join(map(str, z)) if z else "-" for z in zones))


PAINTED = (
    gauges,
    symbols,
    notes,
    points,
    arrows,
    contacts,
    free_body,
    previews,
    handles,
    pictures,
    limits,
    cube,
)


@pytest.mark.parametrize("way", WAYS)
def test_overlays_are_painted_as_approved(qapp, theme, approved, way):
    lines: list[str] = []
    for paint in PAINTED:
        canvas = WAYS[way]()
        paint(canvas)
        lines += [f"## {paint.__name__}", *canvas.painter.lines]
    approved.holds(f"overlays_{way}.txt", "\n".join(lines) + "\n")


def test_words_have_the_room_in_which_they_are_drawn(qapp, theme):
    """Of the real ones: centred on their place, whole pixels, the same picture again."""
    from mechstudio.view.scene.overlays.canvas import OUT_OF_SIGHT, Words

    words, painter = Words(), Strokes()
    room = words.paint(painter, "Pin A", 100.3, 50.2, "#000000", "#ffffff", 11.0, 2.0)
    wide, tall = room.width(), room.height()
    assert abs(room.center().x() - 100.3) <= 0.25 and abs(room.center().y() - 50.2) <= 0.25
    assert (2.0 * room.left()).is_integer() and (2.0 * room.top()).is_integer()
    assert wide > 25.0 and 12.0 < tall < 30.0
    larger = words.room("Pin A", 0.0, 0.0, "#000000", "#ffffff", 22.0, 2.0)
    assert larger.width() > 1.6 * wide
    assert words.room("x", np.nan, 3.0, "#000000", "#ffffff", 11.0, 1.0).right() < OUT_OF_SIGHT / 2
    for k in range(402):
        words.room(f"{k}", 0.0, 0.0, "#000000", "#ffffff", 11.0, 1.0)
    assert len(words._kept) <= 401
