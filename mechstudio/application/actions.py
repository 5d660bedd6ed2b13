"""Everything a user can do by menu, key or palette, as one table.  A new action is one row and one method of view/commands.py."""

import msgspec


class Action(msgspec.Struct, frozen=True):
    """One action.

    id: its stable name, also that of the method which does it.   text: as the menus show it.   menu: "File", or "View/Theme" for a
    submenu; a "-" in front draws a line above it.   shortcuts: the first one is shown.   when: name of a condition of Studio.
    checked: name of a yes-or-no property of Commands, for actions with a tick.   detail: name of a property of Studio whose
    text is added ("Undo Length of crank 330 mm").   words: further English words that the palette finds it by.
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


MENUS = ("File", "Edit", "Insert", "Simulate", "View", "Help")

ACTIONS: tuple[Action, ...] = (
    Action("new", "New", "File", ("Ctrl+N",), words="empty project"),
    Action("open", "Open…", "File", ("Ctrl+O",), words="load file"),
    # Open sample and Recent are filled from what there is: see SUBMENUS
    Action("save", "Save", "-File", ("Ctrl+S",), words="write file"),
    Action("save_as", "Save as…", "File", ("Ctrl+Shift+S",), words="write copy under another name"),
    Action("quit", "Quit", "-File", ("Ctrl+Q",), words="exit close"),
    Action("undo", "Undo", "Edit", ("Ctrl+Z",), "can_undo", detail="undo_label", icon="undo"),
    Action("redo", "Redo", "Edit", ("Ctrl+Shift+Z", "Ctrl+Y"), "can_redo", detail="redo_label", icon="redo"),
    Action("history", "History…", "Edit", words="undo list steps"),
    Action("delete", "Delete", "-Edit", ("Del",), "can_delete", detail="selected_name", words="remove"),
    Action("select_none", "Select nothing", "Edit", ("Esc",), "has_selection", words="deselect escape"),
    Action("preferences", "Preferences…", "-Edit", ("Ctrl+,",), icon="settings", words="settings options theme dark light text size units inch metre motion"),
    Action("draw_link", "Link", "Insert", ("L",), checked="is_drawing_link", icon="tool_link", words="bar rod draw body"),
    Action("place_joint", "Revolute joint (pin)", "-Insert", ("J",), checked="is_placing_joint", icon="tool_joint", words="joint revolute hinge place"),
    *(Action(f"place_{type}", text, "Insert/Other joint", words="joint place")
      for type, text in (("prismatic", "Prismatic (slider)"), ("cylindrical", "Cylindrical"), ("spherical", "Spherical (ball)"), ("universal", "Universal"), ("fixed", "Fixed (weld)"))),
    Action("ground", "Ground on or off", "-Insert", ("G",), "has_selected_body", detail="selected_name", icon="tool_ground", words="fix weld anchor"),
    Action("play", "Play or pause", "Simulate", ("Space",), "has_bodies", icon="play", words="run start simulate stop"),
    Action("step_forward", "Step forward", "Simulate", ("Right",), "has_recording", icon="step", words="next sample"),
    Action("step_back", "Step back", "Simulate", ("Left",), "has_recording", icon="step_back", words="previous sample"),
    Action("to_design", "Back to design", "-Simulate", ("Home",), "has_recording", icon="to_start", words="reset start begin time zero"),
    Action("to_end", "To the end", "Simulate", ("End",), "has_recording", words="last sample"),
    Action("loop", "Loop", "Simulate", checked="is_looping", icon="loop", words="repeat"),
    Action("slower", "Slower", "-Simulate", (",",), words="speed half"),
    Action("faster", "Faster", "Simulate", (".",), words="speed double"),
    Action("real_time", "Real time", "Simulate", words="speed 1 normal"),
    Action("simulate", "Simulate again", "-Simulate", ("Ctrl+R",), "has_bodies", icon="run", words="run restart solver"),
    Action("stop", "Stop the simulation", "Simulate", ("Ctrl+.",), "is_running", words="cancel solver"),
    Action("workspace_build", "Build", "View/Workspace", ("Ctrl+1",), checked="is_build", words="layout"),
    Action("workspace_analyse", "Analyse", "View/Workspace", ("Ctrl+2",), checked="is_analyse", words="layout plots"),
    Action("workspace_explain", "Explain", "View/Workspace", ("Ctrl+3",), checked="is_explain", words="layout equations"),
    Action("fit", "Fit everything", "-View", ("A",), words="zoom all camera frame"),
    Action("view_front", "Front", "View/Standard view", ("Num+1", "Alt+1"), words="camera xz"),
    Action("view_right", "Right", "View/Standard view", ("Num+3", "Alt+3"), words="camera side yz"),
    Action("view_top", "Top", "View/Standard view", ("Num+7", "Alt+7"), words="camera xy plan"),
    Action("view_corner", "Corner", "View/Standard view", ("Num+0", "Alt+0"), words="camera isometric home"),
    Action("perspective", "Perspective", "View", ("Num+5", "Alt+5"), checked="is_perspective", words="camera parallel orthographic"),
    Action("labels", "Labels", "-View", checked="shows_labels", words="names show hide"),
    Action("glyphs", "Joint marks", "View", checked="shows_glyphs", words="glyphs symbols show hide"),
    Action("theme_light", "Light", "View/Theme", checked="is_light", words="bright colours"),
    Action("theme_dark", "Dark", "View/Theme", checked="is_dark", words="night colours"),
    Action("theme_system", "As the system", "View/Theme", checked="is_system", words="colours follow"),
    Action("text_larger", "Larger text", "View/Text size", ("Ctrl++", "Ctrl+="), words="zoom font bigger increase scale"),
    Action("text_smaller", "Smaller text", "View/Text size", ("Ctrl+-",), words="zoom font decrease scale"),
    Action("text_normal", "Normal text", "View/Text size", ("Ctrl+0",), words="zoom font reset scale 100 %"),
    Action("palette", "Search…", "Help", ("Ctrl+K",), icon="search", words="find action palette command"),
    Action("shortcuts", "Shortcuts", "Help", ("?", "F1"), words="keys keyboard help"),
    Action("about", "About mechstudio", "-Help", words="version licence"),
)

BY_ID = {action.id: action for action in ACTIONS}

# submenus whose entries are files: (menu, title, id of the action above them)
SUBMENUS = (("File", "Open sample", "open"), ("File", "Recent", "open"))
