"""Toolbars: the actions of the strip beside the view and of the menu of the work plane."""

from typing import Any

from mechstudio.application.actions import display, edit, gauges, insert
from mechstudio.application.actions.registry import Action, by_id
from mechstudio.application.studio import Studio
from mechstudio.application.tools.bodies.solid_stages import LETTERS
from mechstudio.view.actions.camera import keep_view, section
from mechstudio.view.actions.display import (
    STANDARD_VIEWS,
    fit,
    look_at,
    look_at_plane,
    perspective,
)
from mechstudio.view.actions.edit import preferences
from mechstudio.view.actions.insert import body_mesh
from mechstudio.view.actions.tools import new_parameter
from mechstudio.view.bars.tool_strip import Button

BODIES = (*(insert.BODIES[type] for type in LETTERS.values()), body_mesh, insert.add_shape)
STRIP: tuple[tuple[Button, ...], ...] = (
    (
        ("tool_link", insert.draw_link),
        ("tool_arm", insert.draw_arm),
        ("tool_body", ("Body", BODIES)),
        ("tool_joint", insert.place_joint),
        ("tool_ground", insert.ground),
        ("tool_floor", insert.floor),
    ),
    (
        ("tool_spring", insert.FORCES["spring"]),
        ("tool_damper", insert.FORCES["damper"]),
        ("tool_force", insert.FORCES["force"]),
        ("tool_motor", insert.drive),
    ),
    (
        ("tool_measure", gauges.measure),
        ("tool_plane", display.work_plane),
        ("fit", fit),
        ("cube", ("Standard view", (*STANDARD_VIEWS, perspective))),
    ),
    (
        (
            "eye",
            (
                "Show or hide",
                (display.labels, display.glyphs, display.contact_marks, display.axes),
            ),
        ),
    ),
)
TOOLS, NO_TOOLS = STRIP[:2], (insert.floor,)  # groups of drawing tools; a tick of another kind


def held_button(studio: Studio) -> str:
    """Name of the button whose tool is active: the id of its action, or its title; "" for none."""
    for _, what in (button for group in TOOLS for button in group):
        title, actions = (what.id, (what,)) if isinstance(what, Action) else what
        ticks: list[Any] = [a.checked for a in actions if a.checked and a not in NO_TOOLS]
        if any(tick(studio) for tick in ticks):
            return title
    return ""


# None is a line
PLANE_MENU: tuple[Action[Any] | None, ...] = (
    *display.STANDARD_PLANES,
    None,
    *display.PLANES_HERE,
    None,
    display.plane_points,
    display.plane_face,
    None,
    look_at_plane,
    display.lock_plane,
)
# of the empty room; of an action in a submenu all of that
ROOM_MENU: tuple[Action[Any] | None, ...] = (
    fit,
    look_at,
    STANDARD_VIEWS[0],
    keep_view,
    None,
    perspective,
    section,
    None,
    edit.isolate,
    edit.show_all,
    None,
    gauges.measure,
    preferences,
)
# of the plus in the head of the model
ADDITIONS: tuple[Action[Any] | None, ...] = (
    insert.draw_link,
    insert.body_box,
    insert.place_joint,
    by_id("couple_gear"),
    None,
    insert.FORCES["spring"],
    insert.FORCES["damper"],
    insert.FORCES["force"],
    insert.drive,
    None,
    insert.floor,
    insert.point,
    new_parameter,
)
