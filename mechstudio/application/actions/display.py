"""Actions of the View menu that need no window: work plane, free body, marks, handles, text
size.
"""

from functools import partial

from mechstudio.application.actions import conditions
from mechstudio.application.actions import free_body as free_body_actions
from mechstudio.application.actions.insert import holds
from mechstudio.application.actions.registry import Action, action, register
from mechstudio.application.preferences import TEXT_SIZES
from mechstudio.application.studio import Studio
from mechstudio.application.tools.snapping.plane_choice import standard_plane

# work plane


@action(
    "Choose…",
    "View/Work plane",
    "W",
    icon="tool_plane",
    words="work plane face three points joint draw on",
    checked=holds("plane"),
)
def work_plane(studio: Studio) -> None:
    """Activate the tool; with it active already, lock or unlock."""
    bench = studio.tools
    if bench.tool.name == "plane":
        bench.tool.key("w")
        bench.after_event()
    else:
        bench.take("plane")


def _set_standard_plane(studio: Studio, key: str, id: str = "", point: str = "") -> None:
    """Draw in a standard plane, through an element, a named point of it, or the origin."""
    studio.tools.choose_plane(standard_plane(studio.display.project.mechanism, key, id, point))


def _set_plane_here(studio: Studio, key: str) -> None:
    """Draw in a standard plane through what is selected."""
    _set_standard_plane(studio, key, studio.selection.current, studio.selection.point)


STANDARD_PLANES = tuple(
    register(
        Action(
            f"plane_{key}",
            partial(_set_standard_plane, key=key),
            text,
            "View/Work plane",
            words=words,
        )
    )
    for key, text, words in (
        ("front", "Front", "work plane xz through"),
        ("right", "Right", "work plane yz side through"),
        ("top", "Top", "work plane xy level through"),
    )
)
PLANES_HERE = tuple(
    register(
        Action(
            f"plane_{key}_here",
            partial(_set_plane_here, key=key),
            f"{text}, through what is selected",
            "View/Work plane",
            words="work plane point",
            unless=conditions.needs_place,
        )
    )
    for key, text in (("front", "Front"), ("right", "Right"), ("top", "Top"))
)


@action("Three points…", "View/Work plane", words="work plane")
def plane_points(studio: Studio) -> None:
    """Choose a plane by three points."""
    studio.tools.take("plane", only="points")


@action("Face…", "View/Work plane", words="work plane on body")
def plane_face(studio: Studio) -> None:
    """Choose a plane by a face of a body."""
    studio.tools.take("plane", only="face")


@action(
    "Lock the work plane",
    "View/Work plane",
    words="keep hold",
    checked=lambda studio: studio.tools.context.locked,
)
def lock_plane(studio: Studio) -> None:
    """Let the work plane stay where it is, or go along with what is drawn on."""
    studio.tools.toggle_lock()


# free body


@action(
    "Free-body view",
    "View",
    "C",
    icon="free_body",
    words="cut free isolate forces reactions arrows polygon equilibrium newton euler d'alembert "
    "statics",
    section=True,
    unless=conditions.needs_body_or_free_body,
    checked=lambda studio: studio.free_body.is_open,
    context=53,
)
def free_body(studio: Studio) -> None:
    """Cut the selected body free, or put it back."""
    free_body_actions.cut_free(studio)


# marks


@action(
    "Labels",
    "View",
    words="names show hide",
    section=True,
    checked=lambda studio: studio.preferences.stored.labels,
)
def labels(studio: Studio) -> None:
    """Show or hide the names of elements."""
    studio.preferences.set(labels=not studio.preferences.stored.labels)


@action(
    "Joint marks",
    "View",
    words="glyphs symbols show hide",
    checked=lambda studio: studio.preferences.stored.glyphs,
)
def glyphs(studio: Studio) -> None:
    """Show or hide the marks of joints."""
    studio.preferences.set(glyphs=not studio.preferences.stored.glyphs)


@action(
    "Dashes of curves",
    "View",
    words="line style dashed colour color blind plot",
    checked=lambda studio: studio.preferences.stored.dashes,
)
def dashes(studio: Studio) -> None:
    """Tell curves apart by dashes beside their colours, or by colours alone."""
    studio.preferences.set(dashes=not studio.preferences.stored.dashes)


@action(
    "Contact points and forces",
    "View",
    words="contacts friction cone normal sticking sliding arrows show hide",
    checked=lambda studio: studio.preferences.stored.contact_marks,
)
def contact_marks(studio: Studio) -> None:
    """Show or hide the marks of contacts."""
    studio.preferences.set(contact_marks=not studio.preferences.stored.contact_marks)


@action(
    "Principal axes of what is selected",
    "View",
    words="inertia centre of mass show hide",
    checked=lambda studio: studio.preferences.stored.axes,
)
def axes(studio: Studio) -> None:
    """Show or hide the principal axes of selected bodies."""
    studio.preferences.set(axes=not studio.preferences.stored.axes)


# handles


def _in_body_axes(studio: Studio) -> bool:
    return studio.preferences.stored.gizmo_axes == "body"


def _at_mass(studio: Studio) -> bool:
    return studio.preferences.stored.gizmo_pivot == "mass"


@action(
    "Handles along the body's own axes",
    "View",
    words="gizmo axes world body local global arrows",
    section=True,
    checked=_in_body_axes,
)
def gizmo_axes(studio: Studio) -> None:
    """Turn the handles to the axes of the body, or to those of the world."""
    studio.preferences.set(gizmo_axes="world" if _in_body_axes(studio) else "body")


@action(
    "Handles at the centre of mass",
    "View",
    words="gizmo pivot origin centre arrows",
    checked=_at_mass,
)
def gizmo_pivot(studio: Studio) -> None:
    """Put the handles at the centre of mass, or at the origin of the body."""
    studio.preferences.set(gizmo_pivot="origin" if _at_mass(studio) else "mass")


# text size


def _change_text_size(studio: Studio, by: int) -> None:
    """Go up or down so many steps of TEXT_SIZES."""
    now = TEXT_SIZES.index(studio.preferences.stored.text_size)
    studio.preferences.set(text_size=TEXT_SIZES[min(max(now + by, 0), len(TEXT_SIZES) - 1)])


@action(
    "Larger text", "View/Text size", "Ctrl++", "Ctrl+=", words="zoom font bigger increase scale"
)
def text_larger(studio: Studio) -> None:
    """Show the texts of the window one size larger."""
    _change_text_size(studio, 1)


@action("Smaller text", "View/Text size", "Ctrl+-", words="zoom font decrease scale")
def text_smaller(studio: Studio) -> None:
    """Show the texts of the window one size smaller."""
    _change_text_size(studio, -1)


@action("Normal text", "View/Text size", "Ctrl+0", words="zoom font reset scale 100 %")
def text_normal(studio: Studio) -> None:
    """Show the texts of the window as large as at first."""
    studio.preferences.set(text_size=100)
