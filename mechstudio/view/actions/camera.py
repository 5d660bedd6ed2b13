"""Actions of the View menu on the camera: the body that it follows, and kept views."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mechstudio.application.actions import conditions, views
from mechstudio.application.studio import Studio
from mechstudio.translation import Words, tr
from mechstudio.view.actions.display import perspective
from mechstudio.view.actions.window_action import window_action
from mechstudio.view.dialogs.name import ask_name

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow


def _goes_along(window: MainWindow, turns: bool) -> bool:
    """True if the camera follows the selected body in that manner, or any body where none
    is selected.
    """
    (body, turning), chosen = window.viewport.framing.along, window.studio.selection.current
    bodies = window.studio.document.project.mechanism.bodies
    there = body == chosen if chosen in bodies else bool(body)
    return there and turning is turns


def _toggle(window: MainWindow, turns: bool) -> None:
    if _goes_along(window, turns):
        window.viewport.framing.stand_still()
    else:
        chosen, bodies = (
            window.studio.selection.current,
            window.studio.document.project.mechanism.bodies,
        )
        # where no body is selected, the one that the camera follows is meant
        body = chosen if chosen in bodies else window.viewport.framing.along[0]
        window.viewport.framing.go_along(body, turns)


def _needs_body_or_rider(studio: Studio) -> str:
    """Refusal where there is neither a body to go along with nor one that is left."""
    return "" if studio.files.camera_on() else conditions.needs_body(studio)


@window_action(
    "Follow the body",
    "View/Camera",
    words="camera track go along move selected",
    unless=_needs_body_or_rider,
    checked=lambda window: _goes_along(window, False),
    context=56,
    before=perspective,
)
def follow_body(window: MainWindow) -> None:
    """Keep the selected body where it is in the picture; the directions stay."""
    _toggle(window, False)


@window_action(
    "Ride on the body",
    "View/Camera",
    words="camera frame of reference relative motion seen from observer turn along selected",
    unless=_needs_body_or_rider,
    checked=lambda window: _goes_along(window, True),
    context=57,
    before=perspective,
)
def ride_on_body(window: MainWindow) -> None:
    """See the motion as from the selected body, which stands still in the picture."""
    _toggle(window, True)


def _needs_rider(studio: Studio) -> str:
    """Refusal where the camera follows no body."""
    return "" if studio.files.camera_on() else tr("The camera stands still already")


@window_action(
    "Stand still",
    "View/Camera",
    words="camera stop follow ride release world ground",
    unless=_needs_rider,
    before=perspective,
)
def stand_still(window: MainWindow) -> None:
    """Look from the ground again."""
    window.viewport.framing.stand_still()


@window_action(
    "Section at the work plane",
    "View",
    words="cut away clip half inside hatch cross-section",
    unless=conditions.needs_bodies,
    checked=lambda window: window.viewport.look.section,
    before=perspective,
)
def section(window: MainWindow) -> None:
    """Cut away what lies before the work plane, or nothing."""
    look = window.viewport.look
    look.set_section(not look.section)


# views that are kept

KEPT: Words = "Kept views"
FORGOTTEN: Words = "Forget a view"


@window_action(
    "Keep this view…",
    "View/Camera",
    words="camera named bookmark save store point of view",
    section=True,
    unless=conditions.needs_bodies,
    before=perspective,
)
def keep_view(window: MainWindow) -> None:
    """Keep where the camera stands under a name, in the file too."""
    camera, studio = window.viewport.framing.kept, window.studio
    window.sheet = ask_name(
        window.theme,
        window,
        tr("Name of the view"),
        views.unused_name(studio),
        tr("Keep"),
        lambda name: views.keep_view(studio, name, camera),
    )


def kept_views(window: MainWindow) -> list[tuple[str, str, Callable[[], object]]]:
    """Entries of a menu: name, tip and action, for each kept view."""
    go = window.viewport.framing.go_kept
    return [
        (v.name, "", lambda camera=v.camera: go(camera))
        for v in window.studio.document.project.views
    ]


def forgotten_views(window: MainWindow) -> list[tuple[str, str, Callable[[], object]]]:
    """Entries of a menu that forgets views."""
    studio = window.studio
    return [
        (v.name, "", lambda id=v.id: views.forget_view(studio, id))
        for v in studio.document.project.views
    ]
