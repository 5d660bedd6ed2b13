"""Free-body view: opening it, another body by selection, and the body at the time cursor."""

from mechstudio.application.free_body import Cut
from mechstudio.application.studio import Studio


def cut_free(studio: Studio, body: str = "") -> None:
    """Open the view of a body (by id; that which is selected), or leave it where that one is
    shown already.
    """
    body = body or studio.selection.current
    if studio.free_body.is_open and (
        body == studio.free_body.body or body not in studio.document.project.mechanism.bodies
    ):
        studio.free_body.leave()
        return
    if body in studio.document.project.mechanism.bodies:
        studio.questions.assembly.leave()
        studio.free_motion.stop()
        studio.tools.rest()
        studio.free_body.show(body)
        if studio.selection.current != body:
            studio.selection.select(body)


def follow_selection(studio: Studio) -> None:
    """Another body that is selected is cut free in place of the one before."""
    current = studio.selection.current
    if studio.free_body.is_open and current in studio.document.project.mechanism.bodies:
        studio.free_body.show(current)


def cut(studio: Studio) -> Cut | None:
    """None while the view is closed, while nothing is known, and while other poses than those
    of the time cursor are shown.
    """
    view, m = studio.free_body, studio.document.project.mechanism
    if (
        not view.is_open
        or studio.questions.drag.poses is not None
        or studio.free_motion.shown is not None
        or studio.questions.assembly.proposal is not None
        or studio.tools.tentative is not None
    ):
        return None
    return (
        view.cut(studio.runs.playback.time, studio.display.pose_of(view.body))
        if view.body in m.bodies
        else None
    )
