"""The mechanism that moves in a page: its scene and its motion as one text of numbers, which
resources/player/mechanism.js draws on a canvas.
"""

import base64
import json
import math
import zlib
from typing import Any, NamedTuple

import numpy as np

from mechstudio.application.films.cycle import find_cycle
from mechstudio.application.films.poses import sample_at
from mechstudio.application.resources import resource
from mechstudio.application.runs.recording import Recording
from mechstudio.application.scene import Scene, build_scene, row_poses
from mechstudio.application.scene.instances import rotate
from mechstudio.application.scene.solids.batch import Batch
from mechstudio.model.project import Camera, Project
from mechstudio.translation import comma, localised, tr

MOST_FRAMES, MOST_POSES = 600, 12000  # of a motion; of all its bodies together
FRAMES = 30.0  # a second of the page
TURN = 0.7  # rad that a body may turn from one frame to the next
SHORTEST, LONGEST = 2.0, 30.0  # s that a motion lasts in the page
GRAIN = 32767  # steps of a place within its row
WIDTHS = 32  # steps of a line's width in a pixel
INSTANTS, DIRECTIONS = 24, 120  # of the motion, in which its outermost points are looked for


class Frames(NamedTuple):
    """Instants of a motion.  times (n,) [s].  duration [s]: from the first to the last, or of a
    cycle to the first again.  loops: it is a cycle.  whole: nothing of the run is left out.
    """

    times: np.ndarray
    duration: float
    loops: bool
    whole: bool


def moving_drawing(
    project: Project, recording: Recording | None, camera: Camera | None = None
) -> str:
    """The scene and its motion as JSON, one cycle where the motion has one; without a run it stands
    as drawn.  camera: direction of the first view.
    """
    scene = build_scene(project)
    frames = chosen_frames(recording)
    if recording is None or frames is None:
        frames, poses = Frames(np.zeros(1), 1.0, False, True), scene.drawn[None]
    else:
        columns = recording.layout.poses
        samples = [sample_at(recording, t)[columns] for t in frames.times.tolist()]
        poses = np.array(samples).reshape(len(samples), -1, 7)
    if not np.isfinite(poses).all():
        frames, poses = Frames(np.zeros(1), 1.0, False, True), scene.drawn[None]
    view = camera or Camera()
    first = float(frames.times[0])
    shown = min(max(frames.duration, SHORTEST), LONGEST)
    out: dict[str, Any] = {
        "bodies": poses.shape[1],
        "frames": len(poses),
        "loops": frames.loops,
        "begin": first,
        "duration": frames.duration,
        "digits": min(6, max(0, 2 - math.floor(math.log10(max(frames.duration, 1e-9))))),
        "speed": frames.duration / shown,
        "azimuth": view.azimuth,
        "elevation": view.elevation,
        "perspective": view.perspective,
        "extent": scene.size,
        "floor": scene.floor,
        "labels": [(x.text, x.row, *x.point, x.above) for x in scene.labels],
        "note": _note(frames, shown, recording),
        "words": {"play": tr("Play"), "pause": tr("Pause")},
        **_colors(scene),
    }
    return _packed(out, _arrays(scene, poses))


def chosen_frames(recording: Recording | None) -> Frames | None:
    """Instants to show of a run: one cycle, or as much of the run as there is room for.  None where
    nothing moves.
    """
    if recording is None or recording.count < 2 or recording.length <= 0.0:
        return None
    bodies = max(len(recording.layout.bodies), 1)
    most = max(2, min(MOST_FRAMES, MOST_POSES // bodies))
    cycle = find_cycle(recording)
    first, duration = recording.begin, recording.length
    if cycle is not None:
        first, duration = cycle.first, cycle.period
    speeds = recording.rows[:, recording.layout.velocities].reshape(recording.count, -1, 6)
    fastest = float(np.linalg.norm(speeds[..., 3:], axis=2).max(initial=0.0))
    target = FRAMES * min(max(duration, SHORTEST), LONGEST)
    needed = duration * fastest / TURN
    loops, whole = cycle is not None, True
    if needed > most:
        # the rest would seem to turn the other way
        duration, loops, whole = duration * most / needed, False, False
    count = max(2, min(most, math.ceil(max(target, needed))))
    at = first + duration * np.arange(count) / (count if loops else count - 1)
    return Frames(np.minimum(at, recording.end), duration, loops, whole)


def _note(frames: Frames, shown: float, recording: Recording | None) -> str:
    """A line on what is seen."""
    if recording is None:
        return tr("As drawn; there is no run.")
    if len(frames.times) < 2:
        return tr("As drawn; the run has no motion that can be shown.")
    parts = [
        tr("One cycle of {t} s", t=localised(f"{frames.duration:.4g}")) if frames.loops else ""
    ]
    if not frames.loops:
        first, last = float(frames.times[0]), float(frames.times[0]) + frames.duration
        parts = [
            tr(
                "From {first} s to {last} s",
                first=localised(f"{first:.4g}"),
                last=localised(f"{last:.4g}"),
            )
        ]
    if not frames.whole:
        parts.append(
            tr(
                "of a run until {end} s, which turns too fast",
                end=localised(f"{recording.end:.4g}"),
            )
        )
    speed = frames.duration / shown
    if not math.isclose(speed, 1.0):
        parts.append(tr("at {speed} times its speed", speed=localised(f"{speed:.3g}")))
    return comma().join(parts)


def _rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _colors(scene: Scene) -> dict[str, Any]:
    """Colours of the light theme (red, green, blue 0 to 255), of bodies and of lines."""
    text = resource("theme", "tokens.json").read_text(encoding="utf-8")
    light = json.loads(text)["themes"]["light"]
    series = [_rgb(c) for c in light["series"]]
    return {
        "colors": [*series, _rgb(light["cast"])],
        "steel": _rgb(light["steel"]),
        "cast": _rgb(light["cast"]),
        "kinds": [
            (_rgb(light["edge"]), light["edge_alpha"]),
            (_rgb(light["text"]), 1.0),
            (_rgb(light["vector"]), 1.0),
            (_rgb(light["text3"]), 0.9),
        ],
    }


def _arrays(scene: Scene, poses: np.ndarray) -> dict[str, np.ndarray]:
    """Everything of the scene by the names that the page knows it by."""
    rows, batch = scene.rows, scene.solid
    at = {
        "solid": (batch.points, batch.row),
        "edge": (scene.edges.points, scene.edges.row),
        "mark": (scene.marks.points, scene.marks.row),
        "fill": (scene.fills.points, scene.fills.row),
    }
    step = np.full(len(rows.owners), 1e-12)
    for points, row in at.values():
        if len(points):
            np.maximum.at(step, row.astype(int), np.abs(points).max(axis=1) / GRAIN)
    out: dict[str, np.ndarray] = {
        "rowStep": step.astype("<f4"),
        "rowPlaceBody": rows.place_body.astype("<u2"),
        "rowPlace": rows.place.astype("<f4"),
        "rowTurnBody": rows.turn_body.astype("<u2"),
        "rowTurn": rows.turn.astype("<f4"),
        "rowColor": np.where(rows.color < 0, 8, rows.color % 8).astype("u1"),
        "rowVisible": rows.visible.astype("u1"),
        "stretched": rows.stretched.astype("<u2"),
        "endBody": rows.end_body.astype("<u2"),
        "end": rows.end.astype("<f4"),
        "places": poses[..., :3].astype("<f4"),
        "turns": np.rint(poses[..., 3:] * GRAIN).astype("<i2"),
        "reach": _outermost(scene, poses).astype("<f4"),
        "solidNormals": np.rint(batch.normals * 127).astype("i1"),
        "solidMaterial": batch.material.astype("u1"),
        "solidAlong": _parts(batch.along),
        "triangles": _triangles(batch),
        "fillTriangles": scene.fills.triangles.astype("<u4"),
    }
    for name, (points, row) in at.items():
        indices = row.astype(int)
        out[f"{name}Points"] = np.rint(points / step[indices, None]).astype("<i2")
        out[f"{name}Row"] = indices.astype("<u2")
    for name, lines in (("edge", scene.edges), ("mark", scene.marks)):
        out[f"{name}Width"] = np.clip(np.rint(lines.width * WIDTHS), 0, 255).astype("u1")
        out[f"{name}Pieces"] = lines.pieces.astype("<u4")
        out[f"{name}Along"] = _parts(lines.along)
        out[f"{name}Kind"] = lines.kind.astype("u1")
    return out


def _parts(along: np.ndarray) -> np.ndarray:
    """Shares of a stretched row's length, 0 to 1, in steps of a byte."""
    return np.clip(np.rint(along * 255), 0, 255).astype("u1")


def _triangles(batch: Batch) -> np.ndarray:
    return batch.triangles.astype("<u2" if len(batch.points) < 1 << 16 else "<u4")


def _outermost(scene: Scene, poses: np.ndarray) -> np.ndarray:
    """Points (k, 3) that lie farthest out during the motion, as seen from all around."""
    some = poses[np.linspace(0, len(poses) - 1, min(INSTANTS, len(poses))).astype(int)]
    row, points = scene.sample_row, scene.samples
    seen = [
        p[row, 4:7] + rotate(p[row, :4], points) for p in (row_poses(scene.rows, q) for q in some)
    ]
    found = np.concatenate(seen) if seen else np.zeros((0, 3))
    found = found[np.isfinite(found).all(axis=1)]
    if not len(found):
        return np.zeros((0, 3))
    # directions all around, by the golden angle
    k = np.arange(DIRECTIONS) + 0.5
    z, turn = 1.0 - 2.0 * k / DIRECTIONS, math.pi * (1.0 + math.sqrt(5.0)) * k
    flat = np.sqrt(1.0 - z * z)
    ways = np.column_stack([flat * np.cos(turn), flat * np.sin(turn), z])
    return found[np.unique((found @ ways.T).argmax(axis=0))]


def _packed(out: dict[str, Any], arrays: dict[str, np.ndarray]) -> str:
    """The numbers in one piece, and where each array lies in it."""
    data, table = bytearray(), {}
    for name, array in arrays.items():
        data += b"\0" * (-len(data) % 4)
        table[name] = (f"{array.dtype.kind}{array.dtype.itemsize}", len(data), int(array.size))
        data += np.ascontiguousarray(array).tobytes()
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = deflate.compress(bytes(data)) + deflate.flush()
    out |= {
        "arrays": table,
        "size": len(data),
        "packed": base64.b64encode(packed).decode(),
    }
    # inside a page no text may end the script that holds it
    return json.dumps(out, separators=(",", ":")).replace("<", "\\u003c")
