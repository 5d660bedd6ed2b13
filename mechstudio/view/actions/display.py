"""Actions of the View menu that need the window: workspaces, camera, theme."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mechstudio.application.actions import conditions, simulate
from mechstudio.application.actions import display as studio_display
from mechstudio.application.actions.registry import Action, register
from mechstudio.application.tools.snapping.candidates import joint_axis
from mechstudio.model.geometry.rotation import Triple
from mechstudio.view.actions.window_action import window_action

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

# workspaces


def _set_workspace(window: MainWindow, key: str) -> None:
    """Arrange the panels for a workspace."""
    window.set_workspace(key)


def _is_workspace(window: MainWindow, key: str) -> bool:
    return window.workspace == key


WORKSPACES = {
    key: register(
        Action(
            f"workspace_{key}",
            partial(_set_workspace, key=key),
            text,
            "View/Workspace",
            (shortcut,),
            words=words,
            checked=partial(_is_workspace, key=key),
            window=True,
        ),
        studio_display.work_plane,
    )
    for key, text, shortcut, words in (
        ("build", "Build", "Ctrl+1", "layout"),
        ("analyse", "Analyse", "Ctrl+2", "layout plots"),
        ("explain", "Explain", "Ctrl+3", "layout equations"),
    )
}

# runs


@window_action(
    "Keep and name this run…",
    "Simulate",
    words="rename title pin label",
    unless=conditions.needs_present_run,
    before=simulate.forget_runs,
)
def name_run(window: MainWindow) -> None:
    """Pin this run and type its name in the list of runs."""
    studio, docks = window.studio, window.docks
    run = studio.runs.present
    if run is None:
        return
    studio.runs.kept.set_pinned(run, True)
    docks.open_low()
    docks.hidden.discard("runs")
    if docks.by_key["runs"].isHidden():
        window.set_workspace("analyse")
    docks.runs.list.type_name(run)


# camera


@window_action(
    "Fit everything",
    "View",
    "A",
    words="zoom all camera frame",
    section=True,
    before=studio_display.work_plane,
)
def fit(window: MainWindow) -> None:
    """Show the whole drawing."""
    window.viewport.framing.fit()


@window_action(
    "Frame what is selected",
    "View",
    "Num+.",
    words="zoom camera centre object",
    unless=conditions.needs_selection,
    before=studio_display.work_plane,
)
def frame_selection(window: MainWindow) -> None:
    """Show what is selected as large as the view allows."""
    window.viewport.framing.frame(window.studio.selection.selected)


def _view_from(window: MainWindow, key: str) -> None:
    """Look from a standard direction."""
    window.viewport.framing.view_from(key)


STANDARD_VIEWS = tuple(
    register(
        Action(
            f"view_{key}",
            partial(_view_from, key=key),
            text,
            "View/Standard view",
            keys,
            words=words,
            window=True,
        ),
        studio_display.work_plane,
    )
    for key, text, keys, words in (
        ("front", "Front", ("Num+1", "Alt+1"), "camera xz"),
        ("right", "Right", ("Num+3", "Alt+3"), "camera side yz"),
        ("top", "Top", ("Num+7", "Alt+7"), "camera xy plan"),
        ("corner", "Corner", ("Num+0", "Alt+0"), "camera isometric home"),
    )
)


@window_action(
    "Look at the work plane",
    "View/Work plane",
    words="camera straight onto normal",
    before=studio_display.lock_plane,
)
def look_at_plane(window: MainWindow) -> None:
    """Look straight at the work plane."""
    window.viewport.framing.look_at_plane()


def _joint_axis(window: MainWindow) -> Triple | None:
    """Axis of the selected joint in W, as it is shown."""
    m = window.studio.display.project.mechanism
    joint = m.joints.get(window.studio.selection.current)
    return None if joint is None else joint_axis(m, joint)


@window_action(
    "Look at",
    "View",
    "N",
    words="normal to face straight onto camera orient perpendicular joint axis",
    context=58,
    before=studio_display.free_body,
)
def look_at(window: MainWindow) -> None:
    """Look straight at the face under the pointer, along the selected joint's axis, or else at the
    work plane.
    """
    framing = window.viewport.framing
    normal = window.viewport.navigator.normal_under or _joint_axis(window)
    if normal is None:
        framing.look_at_plane()
    else:
        framing.look_along(normal)


@window_action(
    "Perspective",
    "View",
    "Num+5",
    "Alt+5",
    words="camera parallel orthographic",
    checked=lambda window: window.viewport.framing.camera.perspective,
    before=studio_display.free_body,
)
def perspective(window: MainWindow) -> None:
    """Look in perspective, or in parallel."""
    window.viewport.framing.toggle_perspective()


@window_action(
    "Equations of the body that is cut free",
    "View",
    icon="equation",
    words="newton euler balance free body",
    unless=conditions.needs_free_body,
    before=studio_display.labels,
)
def free_body_equations(window: MainWindow) -> None:
    """Show the six equations of the body that is cut free, beside it."""
    window.set_workspace("explain")
    window.docks.equations.open_balance(window.studio.free_body.body)


@window_action(
    "Show in the equations",
    "View",
    icon="equation",
    words="equations of motion terms selected explain where stands",
    unless=conditions.needs_selection,
    context=59,
    before=studio_display.labels,
)
def show_equations(window: MainWindow) -> None:
    """Open the equations, in which the terms of the selection glow."""
    window.set_workspace("explain")


# theme


def _choose_theme(window: MainWindow, choice: str) -> None:
    """Show the window in a theme, one of preferences.THEMES, and remember it."""
    window.studio.preferences.set(theme=choice)
    window.theme.set_choice(choice)


def _is_theme(window: MainWindow, choice: str) -> bool:
    return window.theme.choice == choice


THEMES = {
    choice: register(
        Action(
            f"theme_{choice}",
            partial(_choose_theme, choice=choice),
            text,
            "View/Theme",
            words=words,
            checked=partial(_is_theme, choice=choice),
            window=True,
        ),
        studio_display.text_larger,
    )
    for choice, text, words in (
        ("light", "Light", "bright colours"),
        ("dark", "Dark", "night colours"),
        ("system", "As the system", "colours follow"),
    )
}
