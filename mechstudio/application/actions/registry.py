"""Everything a user can do by menu, key or palette, as one table.  A new action is one row and one
method of view/actions/file.py.
"""

from collections.abc import Iterator

import msgspec

from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES, JOINT, entries
from mechstudio.model.types.joints import JOINT_TYPES, icon_of

USUAL_JOINT = "revolute"  # of the joint tool when it is taken by its key


class Action(msgspec.Struct, frozen=True):
    """One action.

    id: its stable name, also that of the method which does it.  text: as the menus show it.  menu:
    "File", or "View/Theme" for a submenu; a "-" in front draws a line above it.  shortcuts: the
    first one is shown.  when: name of a condition of Studio.
    checked: name of a yes-or-no property of Commands, for actions with a tick.  detail: name of a
    property of Studio whose text is added ("Undo Length of crank 330 mm").  words: further English
    words that the palette finds it by.  why: name of a property of
    Studio that says why it cannot be done now.
    """

    id: str
    text: str
    menu: str
    shortcuts: tuple[str, ...] = ()
    when: str = "always"
    checked: str = ""
    detail: str = ""
    icon: str = ""
    words: str = ""
    why: str = ""


MENUS = ("File", "Edit", "Insert", "Simulate", "View", "Tools", "Help")


def _force_actions() -> Iterator[Action]:
    """One action per force type, and one for types that share an entry, in the order of the
    rows.
    """
    told = set()
    for type, kind in FORCE_TYPES.items():
        id = type if kind.attachment != JOINT else kind.action or type
        if id in told:
            continue
        told.add(id)
        menu, keys = ("-" if kind.section else "") + kind.menu, (kind.key,) if kind.key else ()
        if kind.attachment == JOINT:
            entry = entries()[id]
            yield Action(
                id,
                entry.text,
                menu,
                keys,
                f"can_{id}",
                icon=kind.icon,
                words=entry.words,
                why=f"why_{id}",
            )
        else:
            yield Action(
                id,
                kind.label,
                menu,
                keys,
                icon=kind.icon,
                checked=f"is_placing_{id}",
                words=kind.words,
            )


FORCES = tuple(_force_actions())

ACTIONS: tuple[Action, ...] = (
    Action("new", "New", "File", ("Ctrl+N",), words="empty project"),
    Action("open", "Open…", "File", ("Ctrl+O",), words="load file"),
    # Open sample and Recent are filled from what there is: see SUBMENUS
    Action("save", "Save", "-File", ("Ctrl+S",), words="write file"),
    Action("save_as", "Save as…", "File", ("Ctrl+Shift+S",), words="write copy under another name"),
    Action(
        "export_equations",
        "Equations…",
        "-File/Export",
        (),
        "has_bodies",
        icon="equation",
        words=(
            "save equations latex mathml pdf typst python sympy c modelica jupyter notebook write"
        ),
    ),
    Action(
        "export_report",
        "Report…",
        "File/Export",
        (),
        "has_bodies",
        icon="file",
        words="save report pdf html print drawing mobility parameters plots page",
    ),
    Action("quit", "Quit", "-File", ("Ctrl+Q",), words="exit close"),
    Action("undo", "Undo", "Edit", ("Ctrl+Z",), "can_undo", detail="undo_label", icon="undo"),
    Action(
        "redo",
        "Redo",
        "Edit",
        ("Ctrl+Shift+Z", "Ctrl+Y"),
        "can_redo",
        detail="redo_label",
        icon="redo",
    ),
    Action(
        "history",
        "History",
        "Edit",
        ("Ctrl+H",),
        checked="shows_history",
        words="undo redo list steps",
    ),
    Action(
        "cut",
        "Cut",
        "-Edit",
        ("Ctrl+X",),
        "can_copy",
        detail="chosen_words",
        words="clipboard move",
    ),
    Action(
        "copy",
        "Copy",
        "Edit",
        ("Ctrl+C",),
        "can_copy",
        detail="chosen_words",
        icon="copy",
        words="clipboard text",
    ),
    Action("paste", "Paste", "Edit", ("Ctrl+V",), words="clipboard insert text"),
    Action(
        "duplicate",
        "Duplicate",
        "Edit",
        ("Ctrl+D",),
        "can_arrange",
        detail="chosen_words",
        words="copy double clone",
    ),
    Action(
        "mirror",
        "Mirror",
        "Edit",
        ("Ctrl+M",),
        "can_arrange",
        checked="is_mirroring",
        detail="chosen_words",
        words="flip reflect symmetric image copy left right",
    ),
    Action(
        "flip_across",
        "Flip left to right",
        "Edit",
        (),
        "can_arrange",
        words="mirror in place horizontal",
    ),
    Action(
        "flip_along",
        "Flip top to bottom",
        "Edit",
        (),
        "can_arrange",
        words="mirror in place vertical",
    ),
    Action("rename", "Rename", "-Edit", ("F2",), "can_rename", words="name call label"),
    Action("group", "Group", "Edit", ("Ctrl+G",), "can_group", words="together assembly folder"),
    Action("ungroup", "Ungroup", "Edit", ("Ctrl+Shift+G",), "can_ungroup", words="apart dissolve"),
    Action(
        "delete", "Delete", "-Edit", ("Del",), "can_delete", detail="chosen_words", words="remove"
    ),
    Action("hide", "Hide or show", "Edit", ("H",), "can_hide", words="visible invisible eye"),
    Action(
        "isolate",
        "Hide everything else",
        "Edit",
        ("Shift+H",),
        "can_arrange",
        words="isolate only others alone",
    ),
    Action(
        "show_all",
        "Show everything",
        "Edit",
        ("Alt+H",),
        "has_hidden",
        words="hidden visible unhide",
    ),
    Action(
        "select_all",
        "Select everything",
        "-Edit/Select",
        ("Ctrl+A",),
        "has_bodies",
        words="select all",
    ),
    Action(
        "select_none",
        "Select nothing",
        "Edit/Select",
        ("Esc",),
        "can_select_none",
        words="deselect escape select nothing",
    ),
    Action(
        "select_inverse",
        "Select everything else",
        "Edit/Select",
        ("Ctrl+I",),
        "has_bodies",
        words="invert inverse selection",
    ),
    Action(
        "select_connected",
        "Select what is jointed to it",
        "Edit/Select",
        ("Ctrl+L",),
        "has_connections",
        words="select connected linked neighbours bodies grow",
    ),
    Action(
        "select_alike",
        "Select all of the same type",
        "Edit/Select",
        ("Shift+A",),
        "can_arrange",
        words="select similar alike same kind",
    ),
    *(
        Action(
            f"select_{section}",
            f"Select all {section}",
            "Edit/Select",
            (),
            "has_bodies",
            words="select by type kind",
        )
        for section in ("bodies", "joints", "couplings", "drives", "forces")
    ),
    Action(
        "flip_joint",
        "Flip the joint's axis",
        "-Edit",
        ("Shift+X",),
        "has_selected_joint",
        words="reverse direction axis other way round",
    ),
    Action(
        "turn_joint",
        "Turn the joint by 90 deg",
        "Edit",
        ("Q",),
        "has_selected_joint",
        words="quarter rotate frames axis",
    ),
    Action(
        "preferences",
        "Preferences…",
        "-Edit",
        ("Ctrl+,",),
        icon="settings",
        words="settings options theme dark light text size units inch metre motion",
    ),
    Action(
        "draw_link",
        "Link",
        "Insert",
        ("L",),
        checked="is_drawing_link",
        icon="tool_link",
        words="bar rod draw body",
    ),
    Action(
        "body_box",
        "Box",
        "Insert/Body",
        ("B",),
        checked="is_drawing_solid",
        icon="tool_body",
        words="body solid cuboid block add",
    ),
    *(
        Action(f"body_{type}", text, "Insert/Body", words=f"body solid add {words}")
        for type, text, words in (
            ("cylinder", "Cylinder", "round shaft"),
            ("disc", "Wheel or disc", "flywheel"),
            ("sphere", "Sphere", "ball"),
            ("ellipsoid", "Ellipsoid", "egg rattleback oval"),
            ("capsule", "Capsule", "pill rounded rod"),
            ("cone", "Cone", "frustum pointed"),
            ("plate", "Plate or polygon", "triangle coupler extrude"),
            ("link", "Bar", "link rod without joints"),
        )
    ),
    Action(
        "body_mesh",
        "Mesh…",
        "Insert/Body",
        words="body solid add import stl obj file surface triangles cad",
    ),
    Action(
        "add_shape",
        "Add shape to the selected body",
        "-Insert/Body",
        ("Shift+B",),
        "has_selected_body",
        words="compound further part solid",
    ),
    Action(
        "place_joint",
        JOINT_TYPES[USUAL_JOINT].text,
        f"-{JOINT_TYPES[USUAL_JOINT].menu}",
        ("J",),
        checked="is_placing_joint",
        icon="tool_joint",
        words=f"joint place {JOINT_TYPES[USUAL_JOINT].words}",
    ),
    *(
        Action(
            f"place_{type}",
            kind.text,
            kind.menu,
            icon=icon_of(type),
            words=f"joint place {kind.words}",
        )
        for type, kind in JOINT_TYPES.items()
        if type != USUAL_JOINT
    ),
    *(
        Action(
            f"couple_{type}",
            kind.label,
            "Insert/Coupling",
            (),
            f"can_{type}",
            icon=f"coupling_{type}",
            words=f"couple joints {kind.words}",
            why=f"why_{type}",
        )
        for type, kind in COUPLING_TYPES.items()
    ),
    Action(
        "drive",
        "Drive (prescribed motion)",
        "-Insert",
        ("M",),
        "can_drive",
        icon="tool_motor",
        words="motor speed position acceleration rheonomic",
        why="why_drive",
    ),
    *FORCES,
    Action(
        "point",
        "Point or frame",
        "-Insert",
        ("P",),
        icon="tool_point",
        checked="is_placing_point",
        words="named marker coordinate system triad add",
    ),
    Action(
        "ground",
        "Ground on or off",
        "Insert",
        ("G",),
        "has_selected_body",
        detail="selected_name",
        icon="tool_ground",
        words="fix weld anchor",
    ),
    Action(
        "floor",
        "Floor",
        "Insert",
        checked="has_floor",
        icon="tool_floor",
        words="ground plane contact collision touch rest fall",
    ),
    Action(
        "contacts",
        "Contacts",
        "Insert",
        checked="has_contacts",
        icon="tool_contact",
        words="collision collide touch friction bounce impact stack on off",
    ),
    Action(
        "picture",
        "Picture…",
        "Insert",
        icon="picture",
        words="image photo sketch underlay scan png jpg svg trace background import",
    ),
    Action(
        "play",
        "Play or pause",
        "Simulate",
        ("Space",),
        "has_bodies",
        icon="play",
        words="run start simulate stop",
    ),
    Action(
        "step_forward",
        "Step forward",
        "Simulate",
        ("Right",),
        "has_recording",
        icon="step",
        words="next sample",
    ),
    Action(
        "step_back",
        "Step back",
        "Simulate",
        ("Left",),
        "has_recording",
        icon="step_back",
        words="previous sample",
    ),
    Action(
        "to_design",
        "Back to design",
        "-Simulate",
        ("Home",),
        "has_recording",
        icon="to_start",
        words="reset start begin time zero",
    ),
    Action("to_end", "To the end", "Simulate", ("End",), "has_recording", words="last sample"),
    Action("loop", "Loop", "Simulate", checked="is_looping", icon="loop", words="repeat"),
    Action(
        "assemble",
        "Assemble",
        "-Simulate",
        (),
        "has_joints",
        icon="assemble",
        words="close loops put together rough sketch gap open joints",
    ),
    Action(
        "assemble_kept",
        "Assemble, keep selected in place",
        "Simulate",
        (),
        "has_selected_body",
        icon="assemble",
        words="close loops fixed hold",
    ),
    Action(
        "accept_assembly",
        "Accept the assembled pose",
        "Simulate",
        ("Return", "Enter"),
        "can_accept_assembly",
        words="take adopt",
    ),
    Action("slower", "Slower", "-Simulate", (",",), words="speed half"),
    Action("faster", "Faster", "Simulate", (".",), words="speed double"),
    Action("real_time", "Real time", "Simulate", words="speed 1 normal"),
    Action(
        "simulate",
        "Simulate again",
        "-Simulate",
        ("Ctrl+R",),
        "has_bodies",
        icon="run",
        words="run restart solver",
    ),
    Action(
        "stop", "Stop the simulation", "Simulate", ("Ctrl+.",), "is_running", words="cancel solver"
    ),
    Action(
        "keep_run",
        "Keep this run to compare",
        "-Simulate",
        (),
        "can_keep_run",
        words="ghost curve earlier run method formulation integrator overlay",
    ),
    Action(
        "forget_runs",
        "Forget the kept runs",
        "Simulate",
        (),
        "has_kept_runs",
        words="ghost curve earlier run compare overlay",
    ),
    Action(
        "workspace_build",
        "Build",
        "View/Workspace",
        ("Ctrl+1",),
        checked="is_build",
        words="layout",
    ),
    Action(
        "workspace_analyse",
        "Analyse",
        "View/Workspace",
        ("Ctrl+2",),
        checked="is_analyse",
        words="layout plots",
    ),
    Action(
        "workspace_explain",
        "Explain",
        "View/Workspace",
        ("Ctrl+3",),
        checked="is_explain",
        words="layout equations",
    ),
    Action("fit", "Fit everything", "-View", ("A",), words="zoom all camera frame"),
    Action(
        "frame_selection",
        "Frame what is selected",
        "View",
        ("Num+.",),
        "has_selection",
        words="zoom camera centre object",
    ),
    Action("view_front", "Front", "View/Standard view", ("Num+1", "Alt+1"), words="camera xz"),
    Action("view_right", "Right", "View/Standard view", ("Num+3", "Alt+3"), words="camera side yz"),
    Action("view_top", "Top", "View/Standard view", ("Num+7", "Alt+7"), words="camera xy plan"),
    Action(
        "view_corner",
        "Corner",
        "View/Standard view",
        ("Num+0", "Alt+0"),
        words="camera isometric home",
    ),
    Action(
        "work_plane",
        "Choose…",
        "View/Work plane",
        ("W",),
        checked="is_choosing_plane",
        icon="tool_plane",
        words="work plane face three points joint draw on",
    ),
    Action("plane_front", "Front", "View/Work plane", words="work plane xz through"),
    Action("plane_right", "Right", "View/Work plane", words="work plane yz side through"),
    Action("plane_top", "Top", "View/Work plane", words="work plane xy level through"),
    *(
        Action(
            f"plane_{key}_here",
            f"{text}, through what is selected",
            "View/Work plane",
            (),
            "has_selected_place",
            words="work plane point",
        )
        for key, text in (("front", "Front"), ("right", "Right"), ("top", "Top"))
    ),
    Action("plane_points", "Three points…", "View/Work plane", words="work plane"),
    Action("plane_face", "Face…", "View/Work plane", words="work plane on body"),
    Action(
        "look_at_plane",
        "Look at the work plane",
        "View/Work plane",
        words="camera straight onto normal",
    ),
    Action(
        "lock_plane",
        "Lock the work plane",
        "View/Work plane",
        checked="is_plane_locked",
        words="keep hold",
    ),
    Action(
        "perspective",
        "Perspective",
        "View",
        ("Num+5", "Alt+5"),
        checked="is_perspective",
        words="camera parallel orthographic",
    ),
    Action(
        "free_body",
        "Free-body view",
        "-View",
        ("C",),
        "can_cut_free",
        checked="shows_free_body",
        icon="free_body",
        words=(
            "cut free isolate forces reactions arrows polygon equilibrium newton euler "
            "d'alembert statics"
        ),
    ),
    Action(
        "free_body_equations",
        "Equations of the body that is cut free",
        "View",
        (),
        "is_cut_free",
        icon="equation",
        words="newton euler balance free body",
    ),
    Action("labels", "Labels", "-View", checked="shows_labels", words="names show hide"),
    Action(
        "glyphs", "Joint marks", "View", checked="shows_glyphs", words="glyphs symbols show hide"
    ),
    Action(
        "contact_marks",
        "Contact points and forces",
        "View",
        checked="shows_contact_marks",
        words="contacts friction cone normal sticking sliding arrows show hide",
    ),
    Action(
        "axes",
        "Principal axes of what is selected",
        "View",
        checked="shows_axes",
        words="inertia centre of mass show hide",
    ),
    Action(
        "gizmo_axes",
        "Handles along the body's own axes",
        "-View",
        checked="is_gizmo_in_body_axes",
        words="gizmo axes world body local global arrows",
    ),
    Action(
        "gizmo_pivot",
        "Handles at the centre of mass",
        "View",
        checked="is_gizmo_at_mass",
        words="gizmo pivot origin centre arrows",
    ),
    Action("theme_light", "Light", "View/Theme", checked="is_light", words="bright colours"),
    Action("theme_dark", "Dark", "View/Theme", checked="is_dark", words="night colours"),
    Action(
        "theme_system", "As the system", "View/Theme", checked="is_system", words="colours follow"
    ),
    Action(
        "text_larger",
        "Larger text",
        "View/Text size",
        ("Ctrl++", "Ctrl+="),
        words="zoom font bigger increase scale",
    ),
    Action(
        "text_smaller",
        "Smaller text",
        "View/Text size",
        ("Ctrl+-",),
        words="zoom font decrease scale",
    ),
    Action(
        "text_normal",
        "Normal text",
        "View/Text size",
        ("Ctrl+0",),
        words="zoom font reset scale 100 %",
    ),
    Action(
        "parameters",
        "Parameters",
        "Tools",
        checked="shows_parameters",
        icon="parameter",
        words="table names units slider where used formula variables dimensions",
    ),
    Action("new_parameter", "New parameter", "Tools", words="create add variable name length"),
    Action(
        "analyses",
        "Analyses",
        "Tools",
        (),
        words=(
            "reactions torsors virtual power momenta energy relative inverse dynamics "
            "equilibria modes linearise loads sensitivity drift"
        ),
    ),
    Action(
        "palette",
        "Search…",
        "Help",
        ("Ctrl+K",),
        icon="search",
        words="find action palette command",
    ),
    Action(
        "manual", "Manual", "Help", icon="file", words="help documentation theory glossary read"
    ),
    Action("shortcuts", "Shortcuts", "Help", ("?", "F1"), words="keys keyboard help"),
    Action("about", "About mechstudio", "-Help", words="version licence"),
)

BY_ID = {action.id: action for action in ACTIONS}

# what a right click offers for what is selected; "" draws a line
CONTEXT = (
    "rename",
    "",
    "cut",
    "copy",
    "paste",
    "duplicate",
    "mirror",
    "delete",
    "",
    "group",
    "ungroup",
    "",
    "hide",
    "isolate",
    "show_all",
    "",
    "select_connected",
    "select_alike",
    "ground",
    "free_body",
)

# submenus whose entries are files: (menu, title, id of the action above them)
SUBMENUS = (("File", "Open sample", "open"), ("File", "Recent", "open"))
