"""Actions of the Insert menu that need no window: active tools, and couplings, drives and forces
put on the selected joints.
"""

from collections.abc import Callable
from functools import partial

from mechstudio.application.actions import choice, conditions
from mechstudio.application.actions.edits import contacts as contacts_actions
from mechstudio.application.actions.registry import Action, action, register
from mechstudio.application.notifications import Message
from mechstudio.application.studio import Studio
from mechstudio.application.tools.picker import DRIVE, PickTool, inserted, joint_count
from mechstudio.model.edits.insertion import add_drive, add_lock
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.project import Project
from mechstudio.model.results.analysis import Freedom
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import (
    BODY,
    FORCE_TYPES,
    FRAMES,
    JOINT,
    TWO_POINTS,
    ForceType,
    entries,
    types_of_entry,
)
from mechstudio.model.types.joints import JOINT_TYPES, icon_of
from mechstudio.model.types.shapes import SHAPE_TYPES

# joint of the joint tool when it is taken by its key, and the tools that place the forces of an
# attachment
USUAL_JOINT = "revolute"
TOOLS = {TWO_POINTS: "two_points", BODY: "point_force", FRAMES: "bushing"}


def take_tool(studio: Studio, tool: str, **options: str) -> None:
    """Activate a tool; it goes on until Esc, or works once where it is taken twice."""
    studio.tools.take_or_repeat(tool, **options)


def holds(tool: str, type: str = "") -> Callable[[Studio], bool]:
    """Tick of a tool: a function of the Studio, true while the tool is active."""

    def held(studio: Studio) -> bool:
        now = studio.tools.tool
        return now.name == tool and (not type or now.type == type)

    return held


def asks_for(what: str) -> Callable[[Studio], bool]:
    """Check mark of an element on joints: true while its tool waits for joints."""

    def held(studio: Studio) -> bool:
        now = studio.tools.tool
        return isinstance(now, PickTool) and now.what == what

    return held


# bodies


@action(
    "Link",
    "Insert",
    "L",
    icon="tool_link",
    words="bar rod draw body",
    checked=holds("link"),
)
def draw_link(studio: Studio) -> None:
    """Draw a bar between two joints."""
    take_tool(studio, "link")


@action(
    "Arm",
    "Insert",
    "Y",
    icon="tool_arm",
    words="a-arm wishbone triangle plate ternary link bell crank upright three points body draw",
    checked=holds("arm"),
)
def draw_arm(studio: Studio) -> None:
    """Draw a body with joints at three points or more."""
    take_tool(studio, "arm")


def draw_body(studio: Studio, type: str) -> None:
    """Draw a body of a shape, key of SHAPE_TYPES."""
    take_tool(studio, "solid", type=type)


@action(
    "Box",
    "Insert/Body",
    "B",
    icon="tool_body",
    words="body solid cuboid block add",
    checked=holds("solid"),
)
def body_box(studio: Studio) -> None:
    """Draw a box."""
    draw_body(studio, "box")


BODIES = {"box": body_box} | {
    type: register(
        Action(
            f"body_{type}",
            partial(draw_body, type=type),
            kind.text or kind.label,
            "Insert/Body",
            words=f"body solid add {kind.words}",
        )
    )
    for type, kind in SHAPE_TYPES.items()
    if kind.key and type != "box"
}


@action(
    "Add shape to the selected body",
    "Insert/Body",
    "Shift+B",
    words="compound further part solid",
    section=True,
    unless=conditions.needs_body,
)
def add_shape(studio: Studio) -> None:
    """Draw one more shape of the selected body."""
    studio.tools.take("solid", onto=studio.selection.current)


# joints and couplings

_usual = JOINT_TYPES[USUAL_JOINT]


@action(
    _usual.text,
    _usual.menu,
    "J",
    icon="tool_joint",
    words=f"joint place {_usual.words}",
    section=True,
    checked=holds("joint"),
)
def place_joint(studio: Studio) -> None:
    """Place joints where bodies meet."""
    take_tool(studio, "joint")


for _type, _joint in JOINT_TYPES.items():
    if _type != USUAL_JOINT:
        register(
            Action(
                f"place_{_type}",
                partial(take_tool, tool="joint", type=_type),
                _joint.text,
                _joint.menu,
                icon=icon_of(_type),
                words=f"joint place {_joint.words}",
            )
        )


def insert(studio: Studio, what: str) -> None:
    """Put a coupling (key of COUPLING_TYPES), a drive or an entry of forces on joints
    on the selected joints; ask for joints if none is.
    """
    joints = choice.joints(studio)
    m = studio.document.project.mechanism
    if what == DRIVE and len(joints) == 1:
        there = next((d.id for d in m.drives.values() if d.joint == joints[0]), None)
        if there is not None:
            studio.selection.select(there)
            return
    if len(joints) != joint_count(what):
        take_tool(studio, "pick", what=what)
        return
    try:
        project, id, label = inserted(studio.display.project, what, joints)
    except ExpressionError as error:
        studio.notifications.say(Message("warning", str(error), "tool"))
        return
    studio.notifications.withdraw("tool")
    studio.display.commit(label, project)
    studio.selection.select(id)
    if what not in COUPLING_TYPES:
        studio.tools.entry_requested.emit(id)


def _on_joints(
    id: str,
    what: str,
    text: str,
    words: str,
    icon: str,
    menu: str = "Insert",
    keys: tuple[str, ...] = (),
    section: bool = False,
) -> Action[Studio]:
    """Action that puts a coupling, a drive or a force on the selected joints."""
    return register(
        Action(
            id,
            partial(insert, what=what),
            text,
            menu,
            keys,
            icon,
            words,
            section,
            partial(conditions.why_not_on_joints, what=what),
            checked=asks_for(what),
        )
    )


for _type, _coupling in COUPLING_TYPES.items():
    _on_joints(
        f"couple_{_type}",
        _type,
        _coupling.label,
        f"couple joints {_coupling.words}",
        f"coupling_{_type}",
        "Insert/Coupling",
    )

# drives and forces

drive = _on_joints(
    "drive",
    DRIVE,
    "Drive (prescribed motion)",
    "motor speed position acceleration rheonomic",
    "tool_motor",
    keys=("M",),
    section=True,
)


def _force_action(type: str, kind: ForceType) -> Action[Studio]:
    """Action of a row of FORCE_TYPES: put on the selected joints, or by a tool."""
    keys = (kind.key,) if kind.key else ()
    if kind.attachment == JOINT:
        id = kind.action or type
        entry = entries()[id]
        return _on_joints(id, id, entry.text, entry.words, kind.icon, kind.menu, keys, kind.section)
    tool = TOOLS[kind.attachment]
    options = {} if kind.attachment == FRAMES else {"type": type}
    return register(
        Action(
            type,
            partial(take_tool, tool=tool, **options),
            kind.label,
            kind.menu,
            keys,
            kind.icon,
            kind.words,
            kind.section,
            checked=holds(tool, **options),
        )
    )


# types that share an entry have one action, that of the first
FORCES = {
    type: _force_action(type, kind)
    for type, kind in FORCE_TYPES.items()
    if kind.attachment != JOINT or types_of_entry(kind.action or type)[0] == type
}

# points, ground and contacts


@action(
    "Point or frame",
    "Insert",
    "P",
    icon="tool_point",
    words="named marker coordinate system triad add",
    section=True,
    checked=holds("point"),
)
def point(studio: Studio) -> None:
    """Place named points on bodies."""
    take_tool(studio, "point")


def _body_name(studio: Studio) -> str:
    """Name of the selection, if it can be deleted."""
    id = studio.selection.current
    return studio.document.name(id) if conditions.is_removable(studio, id) else ""


@action(
    "Ground on or off",
    "Insert",
    "G",
    icon="tool_ground",
    words="fix weld anchor",
    unless=conditions.needs_body,
    detail=_body_name,
    context=52,
)
def ground(studio: Studio) -> None:
    """Weld the selected body to the ground, or free it."""
    studio.tools.toggle_ground()


@action(
    "Floor",
    "Insert",
    icon="tool_floor",
    words="ground plane contact collision touch rest fall",
    checked=lambda studio: studio.contact.has_floor,
)
def floor(studio: Studio) -> None:
    """Put a floor under the drawing, or take it away."""
    contacts_actions.toggle_floor(studio)


@action(
    "Contacts",
    "Insert",
    icon="tool_contact",
    words="collision collide touch friction bounce impact stack on off",
    checked=lambda studio: studio.contact.is_on,
)
def contacts(studio: Studio) -> None:
    """Let bodies touch each other, or pass through each other."""
    contacts_actions.toggle_contacts(studio)


@action(
    "Let bodies touch",
    "Insert",
    words="contacts collision collide fall through pass",
    unless=conditions.needs_untouched,
)
def let_touch(studio: Studio) -> None:
    """Put contacts on, and those of selected bodies that pass through everything."""
    contacts_actions.let_touch(studio, choice.bodies(studio))


# free motions


def mover(project: Project, freedom: Freedom) -> str:
    """The drive that prescribes what stands for a free motion; empty if there is none."""
    drives = project.mechanism.drives
    return next(
        (
            id
            for id, d in drives.items()
            if d.enabled and (d.joint, d.coordinate) == (freedom.joint, freedom.coordinate)
        ),
        "",
    )


def drive_freedom(studio: Studio, freedom: Freedom, lock: bool = False) -> None:
    """Put a motor on the joint that stands for a free motion, or hold it where it is drawn; one
    that is there is selected instead.
    """
    project, id = studio.document.project, mover(studio.document.project, freedom)
    joint = project.mechanism.joints.get(freedom.joint)
    if not id and joint is not None:
        project, id = (add_lock if lock else add_drive)(project, joint.id, freedom.coordinate)
        studio.document.commit(f"{'Lock' if lock else 'Drive'} {joint.name}", project)
    if id:
        studio.selection.select(id)
