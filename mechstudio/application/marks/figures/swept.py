"""Space that a body passes over a run: its outlines at equal steps of time, laid over each
other.
"""

from collections.abc import Iterator

import numpy as np

from mechstudio.application.marks.figures.edges import Edges
from mechstudio.application.marks.figures.figure import Outline
from mechstudio.application.runs.recording import Recording
from mechstudio.application.scene.instances import rotate

STEPS = 48  # outlines of one body
BUDGET = 60_000  # edges of one body's outlines together
STRENGTH = 0.22
# points times instants at which the extent is measured, and instants at least
MEASURED, INSTANTS = 1_500_000, 100


def outlines(edges: Edges, color: int, recording: Recording, body: str) -> Iterator[Outline]:
    """Outlines of a body at equal steps of time over the whole run."""
    if not recording.count or body not in recording.layout.bodies:
        return
    count = max(2, min(STEPS, BUDGET // max(len(edges.a), 1), recording.count))
    begin, end = float(recording.time[0]), recording.end
    for time in np.linspace(begin, end, count).tolist():
        pose = recording.sample(time)[recording.layout.pose(body)]
        if np.isfinite(pose).all():
            yield Outline(edges, pose, color, STRENGTH)


def extent(edges: Edges, recording: Recording, body: str) -> np.ndarray:
    """Sides (3,) of the box along the axes of W that a body stays in over the run, at the samples
    [m].
    """
    points = np.unique(np.concatenate([edges.a, edges.b]), axis=0)
    rows = recording.rows
    most = min(len(rows), max(INSTANTS, MEASURED // max(len(points), 1)))
    picked = np.unique(np.linspace(0, len(rows) - 1, most).astype(int))
    poses = rows[picked][:, recording.layout.pose(body)]
    poses = poses[np.isfinite(poses).all(axis=1)]
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for part in np.array_split(poses, max(1, len(poses) * len(points) // 200_000)):
        at = part[:, None, :3] + rotate(part[:, None, 3:], points[None])
        low = np.minimum(low, at.min(axis=(0, 1), initial=np.inf))
        high = np.maximum(high, at.max(axis=(0, 1), initial=-np.inf))
    return high - low
