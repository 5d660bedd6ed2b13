"""What the window does, as calls of the Python interface: a row for each action, panel and page of
the exports, or the reason why it is a matter of the window alone.

A call is written as `ms.name`, or as a class of `ms` with what stands in it: `Builder.edit.mirror`.
"""

import mechstudio as ms
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.joints import JOINT_TYPES

VIEW = "how the scene is looked at"
ROOM = "where the window's panels stand"
PLAY = "a run is replayed; a script has its samples as arrays"
CHOSEN = "a script names what it acts on"
PLANE = "a script gives points of the room"
CLASS = "a lesson in front of a class"
HAND = "help for the hand and the eye"
FILE = "the window's own open file"
RUNS = "a script holds its results in variables"
NOW = "a script does one thing after the other"

_JOINTS = {"revolute": "pin", "prismatic": "slider", "spherical": "ball", "distance": "rod"}
_JOINTS |= {"point_on_plane": "on_plane", "point_on_line": "on_line", "fixed": "fix"}
_JOINTS |= {"point_on_curve": "on_curve", "point_on_ellipse": "on_ellipse"}
_COUPLINGS = {"rack_and_pinion": "rack", "crossed_belt": "belt"}

CALLS = {
    # File
    "new": "Builder",
    "open": "ms.load",
    "import_model": "ms.load",
    "start_page": "ms.load",
    "save": "ms.save",
    "save_as": "ms.save",
    "show_versions": "ms.versions",
    "compare_file": "ms.differences",
    "export": "ms.convert",
    "export_equations": "ms.export_equations",
    "export_report": "ms.report",
    "export_model": "ms.convert",
    "export_drawing": "ms.drawing",
    "export_body": "ms.surface",
    "export_paths": "Result.trail",
    "export_python": "ms.script",
    "export_pack": "ms.convert",
    "export_questions": "ms.report",
    "export_solutions": "ms.report",
    # Edit
    "copy_steps": "ms.script",
    "cut": "Builder.remove",
    "copy": "Builder.edit.copied",
    "paste": "Builder.edit.paste",
    "duplicate": "Builder.edit.duplicate",
    "rename": "Builder.change",
    "mirror": "Builder.edit.mirror",
    "repeat_in_row": "Builder.edit.row",
    "repeat_in_circle": "Builder.edit.circle",
    "flip_across": "Builder.edit.mirror",
    "flip_along": "Builder.edit.mirror",
    "stack_links": "Builder.edit.stack",
    "group": "Builder.edit.group",
    "ungroup": "Builder.edit.ungroup",
    "delete": "Builder.remove",
    "hide": "Builder.hide",
    "isolate": "Builder.edit.isolate",
    "show_all": "Builder.edit.show",
    "flip_joint": "Builder.edit.flip",
    "turn_joint": "Builder.edit.turn",
    "drive_joint": "Builder.drive",
    "add_stops": "Builder.edit.stops",
    **{f"make_{type}": "Builder.edit.joint_type" for type in JOINT_TYPES},
    # Insert
    "draw_link": "Builder.link",
    "draw_arm": "Builder.arm",
    "body_box": "BodyHandle.box",
    "body_cylinder": "BodyHandle.cylinder",
    "body_tube": "BodyHandle.tube",
    "body_half_pipe": "BodyHandle.half_pipe",
    "body_disc": "BodyHandle.disc",
    "body_sphere": "BodyHandle.sphere",
    "body_ellipsoid": "BodyHandle.ellipsoid",
    "body_capsule": "BodyHandle.capsule",
    "body_cone": "BodyHandle.cone",
    "body_plate": "BodyHandle.plate",
    "body_link": "BodyHandle.bar",
    "body_mesh": "BodyHandle.mesh",
    "add_shape": "BodyHandle.add",
    "place_joint": "Builder.pin",
    **{f"place_{t}": f"Builder.{_JOINTS.get(t, t)}" for t in JOINT_TYPES if t != "revolute"},
    **{f"couple_{type}": f"Builder.{_COUPLINGS.get(type, type)}" for type in COUPLING_TYPES},
    "drive": "Builder.drive",
    **dict.fromkeys(("motor", "servo", "spring", "damper", "actuator"), "Builder.force"),
    **dict.fromkeys(("bushing", "joint_spring", "joint_damper", "friction"), "Builder.force"),
    **dict.fromkeys(("force", "torque"), "Builder.force"),
    "point": "BodyHandle.point",
    "ground": "Builder.fix",
    "floor": "Builder.floor",
    "contacts": "Builder.touch",
    "let_touch": "Builder.touch",
    "picture": "Builder.add",
    # Simulate
    "simulate": "ms.simulate",
    "continue_from_here": "Result.drawing_at",
    "solver_step_forward": "ms.solver_steps",
    "solver_step_back": "ms.solver_steps",
    "assemble": "ms.assemble",
    "assemble_kept": "ms.assemble",
    "accept_assembly": "ms.assemble",
    "study": "ms.study",
    "synthesis": "ms.synthesise_path",
    "compare_methods": "ms.analyse",
    "find_rest": "ms.analyse",
    # View
    "free_body": "ms.analyse",
    "free_body_equations": "ms.derive",
    "show_equations": "ms.derive",
    "keep_view": "Builder.add",
    **dict.fromkeys(("trail", "whole_turn", "vectors"), "Builder.mark"),
    **dict.fromkeys(("show_velocity_parts", "show_acceleration_parts"), "Builder.mark"),
    **dict.fromkeys(("show_ghost_start", "show_ghost_angle", "show_ghost_time"), "Builder.mark"),
    **dict.fromkeys(("show_ghost_run", "show_pole", "show_centrode", "show_swept"), "Builder.mark"),
    **dict.fromkeys(("show_interference", "show_frame", "show_centre"), "Builder.mark"),
    **dict.fromkeys(("show_ellipsoid", "show_joint_axis"), "Builder.mark"),
    # Tools
    "measure": "Builder.gauge",
    "gauge_parameter": "ms.gauge_parameter",
    "plot_selected": "Result.plot",
    **dict.fromkeys(("diagram_phase", "diagram_over"), "Result.diagram"),
    **dict.fromkeys(("diagram_spectrum", "diagram_section"), "Result.diagram"),
    "energy_account": "Result.energy_account",
    "lesson": "Builder.step",
    "add_step": "Builder.step",
    "record_step": "Builder.step",
    "new_parameter": "Builder.parameter",
    "new_slider": "Builder.parameter",
    "parameters": "Builder.set",
    "measured_data": "Result.against",
    "joint_errors": "ms.analyse",
    "balance": "ms.counterweights",
    "analyses": "ms.analyse",
}
WINDOW_ONLY = {
    **dict.fromkeys(("undo", "redo", "history"), "a script keeps earlier projects in variables"),
    "quit": FILE,
    "preferences": "settings of the window",
    **dict.fromkeys(("select_all", "select_none", "select_inverse", "select_connected"), CHOSEN),
    **dict.fromkeys(("select_alike", "select_links", "select_bodies", "select_joints"), CHOSEN),
    **dict.fromkeys(("select_couplings", "select_drives", "select_forces"), CHOSEN),
    **dict.fromkeys(("play", "step_forward", "step_back", "to_design", "to_end", "loop"), PLAY),
    **dict.fromkeys(("to_and_fro", "section_from_here", "section_to_here", "whole_run"), PLAY),
    **dict.fromkeys(("cursor_a_here", "cursor_b_here", "slower", "faster", "real_time"), PLAY),
    "stop": NOW,
    **dict.fromkeys(("keep_run", "forget_runs", "name_run"), RUNS),
    **dict.fromkeys(("work_plane", "plane_front", "plane_right", "plane_top"), PLANE),
    **dict.fromkeys(("plane_front_here", "plane_right_here", "plane_top_here"), PLANE),
    **dict.fromkeys(("plane_points", "plane_face", "lock_plane", "look_at_plane"), PLANE),
    **dict.fromkeys(("next_step", "previous_step", "present", "cover", "freeze"), CLASS),
    **dict.fromkeys(("pointer", "blank", "notes", "choose_shown", "leave_class"), CLASS),
    **dict.fromkeys(("labels", "glyphs", "dashes", "contact_marks", "axes", "section"), VIEW),
    **dict.fromkeys(("fit", "frame_selection", "view_front", "view_right", "view_top"), VIEW),
    **dict.fromkeys(("view_corner", "look_at", "follow_body", "ride_on_body"), VIEW),
    **dict.fromkeys(("stand_still", "perspective"), VIEW),
    **dict.fromkeys(("gizmo_axes", "gizmo_pivot"), HAND),
    **dict.fromkeys(("text_larger", "text_smaller", "text_normal"), HAND),
    **dict.fromkeys(("theme_light", "theme_dark", "theme_system"), HAND),
    **dict.fromkeys(("scene_alone", "full_screen"), ROOM),
    **dict.fromkeys(("workspace_build", "workspace_analyse", "workspace_explain"), ROOM),
    **dict.fromkeys(("panel_model", "panel_runs", "panel_lesson", "panel_inspector"), ROOM),
    **dict.fromkeys(("panel_controls", "panel_doctor", "panel_plots", "panel_equations"), ROOM),
    **dict.fromkeys(("palette", "first_drawing", "manual", "what_is_this"), HAND),
    **dict.fromkeys(("shortcuts", "about"), HAND),
}
# what panels show
PANELS = {
    "model": "Builder.bodies",
    "runs": "ms.simulate",
    "lesson": "Builder.step",
    "inspector": "Builder.set",
    "controls": "Builder.set",
    "doctor": "ms.check",
    "plots": "ms.plot",
    "parameters": "Builder.parameter",
    "equations": "ms.derive",
    "structure": "ms.check",
    "analyses": "ms.analyse",
    "sizing": "ms.counterweights",
}
WINDOW_PANELS = {"first": HAND}
# pages of the export sheet
EXPORTS = {
    "movie": "Result.film",
    "picture": "ms.picture",
    "data": "Result.to_csv",
    "report": "ms.report",
    "equations": "ms.export_equations",
    "model": "ms.convert",
}


def value(call: str) -> object:
    """What a call names.  Raises AttributeError where there is none."""
    first, *rest = call.removeprefix("ms.").split(".")
    found: object = getattr(ms, first)
    for name in rest:
        found = ms.Editing if found is ms.Builder and name == "edit" else getattr(found, name)
    return found


def table() -> str:
    """The rows of actions that are calls, menu by menu, and the reasons of the others."""
    import mechstudio.application.actions
    import mechstudio.view.actions  # noqa: F401 - both define their actions
    from mechstudio.application.actions.registry import actions

    lines = ["| in the window | in Python |", "|---|---|"]
    for action in actions():
        if action.id in CALLS:
            words = " > ".join((*action.path, action.text.rstrip("…")))
            lines.append(f"| {words} | `{CALLS[action.id]}` |")
    alone: dict[str, list[str]] = {}
    for action in actions():
        if action.id in WINDOW_ONLY:
            alone.setdefault(WINDOW_ONLY[action.id], []).append(action.text.rstrip("…"))
    others = [f"- {reason}: {', '.join(names)}." for reason, names in alone.items()]
    return "\n".join([*lines, "", "A matter of the window alone:", "", *others])
