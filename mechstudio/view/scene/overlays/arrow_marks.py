"""Arrows of marks with their words, as every picture of the scene has them."""

import numpy as np

from mechstudio.application.scene import Scene
from mechstudio.view.scene.look import Look
from mechstudio.view.scene.marks.arrows import layout, paint_arrows, role_of
from mechstudio.view.scene.marks.placer import Placer
from mechstudio.view.scene.overlays import overlay
from mechstudio.view.scene.overlays.canvas import Canvas


def paint_marked(canvas: Canvas, look: Look, scene: Scene, placer: Placer) -> None:
    """Arrows of marks at the time that is shown; words keep off them."""
    if not look.arrows:
        return
    measures = look.arrow_measures({m.dimension: m for m in scene.measures})
    drawn, cut = layout(canvas, look.arrows, measures, scene.size)
    paint_arrows(canvas, drawn, cut, measures, look.components)
    if drawn:
        ends = np.array([(each.root, each.tip) for each in drawn])
        placer.block_lines(ends[:, 0], ends[:, 1], 6.0 * canvas.scale)
    for each in drawn:
        (x, y), arrow = each.tip.tolist(), each.arrow
        if arrow.words:
            role, key = role_of(arrow.dimension), f"{arrow.mark} {arrow.words}"
            overlay.write_near(canvas, placer, arrow.words, x, y, role, 5 * canvas.scale, key=key)
