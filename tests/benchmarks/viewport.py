"""Time of a picture: `python tests/benchmarks/viewport.py` under a display (xvfb-run). Not
collected by pytest.

Every frame has other poses, as in playing; it counts from new poses to pixels in the widget.
"""

import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
START = time.perf_counter()

import numpy as np  # noqa: E402
from PySide6.QtGui import QPixmap  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from mechstudio.view.fonts import ensure_fonts  # noqa: E402
from mechstudio.view.scene.viewport import Viewport  # noqa: E402
from tests import scenes  # noqa: E402


def frames(name: str, count: int = 40) -> None:
    """Print median and best time of a moving frame and the time of a resting one."""
    view = Viewport()
    view.resize(900, 700)
    view.shown.set_project(getattr(scenes, name)())
    page = QPixmap(900, 700)
    view.show()
    QApplication.processEvents()
    poses, spans = view.shown.scene.drawn, []
    for k in range(count):
        moved = poses + 0.0
        moved[:, 2] += 1e-3 * np.sin(0.3 * k + np.arange(len(moved)))
        start = time.perf_counter()
        view.shown.set_poses(moved)
        view.render(page)
        spans.append(1e3 * (time.perf_counter() - start))
    start = time.perf_counter()
    view.painter.refine()
    view.render(page)
    rest = 1e3 * (time.perf_counter() - start)
    s = view.shown.scene
    print(
        f"{name}: {len(s.bodies) - 1} bodies, {len(s.solid.triangles)} triangles; moving: "
        f"median {statistics.median(spans[5:]):.1f} ms, best {min(spans):.1f} ms; made "
        f"smooth in {rest:.0f} ms"
    )
    view.close()


def main() -> None:
    app = QApplication([])
    ensure_fonts()
    view = Viewport()
    view.resize(900, 700)
    view.shown.set_project(scenes.four_bar())
    view.painter.first_frame.connect(
        lambda: print(
            f"first frame with a four-bar {1e3 * (time.perf_counter() - START):.0f} ms after "
            "Python began to import"
        )
    )
    view.show()
    app.processEvents()
    view.close()
    for name in sys.argv[1:] or ("four_bar", "spatial_four_bar", "heavy_top", "many_bodies"):
        frames(name)


if __name__ == "__main__":
    main()
