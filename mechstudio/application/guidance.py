"""Hints on the next click, by the element under the pointer, the selection and the active tool."""

from typing import Any

from mechstudio.application.tools.handles.body import LOOSE
from mechstudio.application.tools.handles.point_drag import OFFER
from mechstudio.model.mechanism import GROUND
from mechstudio.translation import Words, comma, localised, tr, trn

Group = tuple[str, list[tuple[str, str]]]  # title, (key, effect)

SECTIONS = (
    ("body", "bodies"),
    ("joint", "joints"),
    ("coupling", "couplings"),
    ("drive", "drives"),
    ("force", "forces"),
)
VIEW: tuple[tuple[Words, Words], ...] = (
    ("Click", "selects"),
    ("Drag a body", "moves the mechanism"),
    ("Ctrl+drag", "selects in a box: to the right what is inside, to the left what it touches"),
    ("Double click", "selects its group"),
    ("Right click", "opens the menu"),
)


def kind_of(project: Any, id: str) -> str:
    """Kind of an element: "ground", of SECTIONS, "parameter", "picture", "gauge", or ""
    for none of these.
    """
    if id == GROUND:
        return "ground"
    for kind, section in SECTIONS:
        if id in getattr(project.mechanism, section):
            return kind
    others = (
        ("parameter", project.parameters),
        ("picture", project.pictures),
        ("gauge", project.gauges),
    )
    return next((kind for kind, section in others if id in section), "")


def hint(studio: Any) -> str:
    """Hint on the effect of the next click, drag or key."""
    reported = studio.tools.hint
    # draggable elements get further words
    return (
        reported
        if reported and reported not in (tr(OFFER), tr(LOOSE))
        else resting_hint(studio, reported)
    )


def described(studio: Any) -> str:
    """Description of the scene for screen readers: its elements, the shown instant, the selection
    and the active tool.
    """
    project, playback = studio.document.project, studio.runs.playback
    m = project.mechanism
    counts = trn("1 body", "{count} bodies", len(m.bodies)) if m.bodies else tr("no body yet")
    joints = trn("1 joint", "{count} joints", len(m.joints)) if m.joints else tr("no joint")
    shown = (
        tr("the drawing")
        if playback.at_design
        else tr("the run at {time} s", time=localised(f"{playback.time:.3f}"))
    )
    names = [studio.document.name(id) for id in studio.selection.selected]
    chosen = tr("{names} selected", names=comma().join(names)) if names else tr("nothing selected")
    tool = studio.tools.tool.title if studio.tools.is_drawing else ""
    held = tr("the {tool} tool in hand", tool=tool) if tool else tr("no tool in hand")
    return f"{counts}, {joints}; {shown}; {chosen}; {held}"


def resting_hint(studio: Any, drags: str = "") -> str:
    """Hint without a tool. drags: OFFER if a drag from under the pointer would move the mechanism,
    LOOSE if it would move a body without joints.
    """
    project, playback = studio.document.project, studio.runs.playback
    over, chosen = studio.selection.hovered, studio.selection.selected
    if not studio.document.has_bodies:
        return tr(
            "L draws a link: click where it begins and ends · Ctrl+O opens a file · samples are "
            "under File"
        )
    if playback.playing:
        return tr("Space pauses · comma and full stop change the speed · drag the time bar")
    if studio.free_body.is_open:
        return tr(
            "Point at an arrow and its terms glow · click another body to cut it free · Esc puts "
            "this one back"
        )
    if studio.questions.assembly.can_accept:
        return tr("Enter accepts the assembled pose · Back, above, leaves the drawing as it was")
    if over:
        return _over(project, over, chosen, drags)
    if not playback.at_design:
        return tr("Home goes back to the drawing · Left and Right step · Space plays")
    if len(chosen) > 1:
        return tr(
            "{count} selected: drag an arrow to move them · Ctrl+D duplicates · H hides · Del "
            "deletes",
            count=len(chosen),
        )
    if chosen:
        return _chosen(kind_of(project, chosen[0]))
    return tr(
        "Drag a body to move the mechanism · drag empty room to turn the view · L draws a link"
    )


def _over(project: Any, id: str, chosen: tuple[str, ...], drags: str) -> str:
    kind, element = kind_of(project, id), _element(project, id)
    name = element.name if element is not None else tr("it")
    click = tr("click selects {name}", name=name) if id not in chosen else tr("Esc selects nothing")
    if drags == LOOSE:
        return tr("{loose} · {click} · J joins what meets here", loose=tr(LOOSE), click=click)
    if drags:
        more = {
            "body": tr("J joins what meets here"),
            "joint": tr("M drives a selected joint"),
        }.get(kind, tr("drag empty room to turn the view"))
        return tr("Drag to move the mechanism · {click} · {more}", click=click, more=more)
    if kind == "ground":
        return tr("The ground stays where it is: drag turns the view · {click}", click=click)
    return tr("{click} · drag turns the view", click=click[:1].upper() + click[1:])


def _chosen(kind: str) -> str:
    return {
        "body": tr(
            "Drag an arrow or arc to move it · type its numbers · G ground on or off · C cuts it "
            "free · Esc selects nothing"
        ),
        "joint": tr(
            "Drag its handle to move it · M drives it · Q turns it by 90 deg · Esc selects nothing"
        ),
        "force": tr(
            "Type its numbers in the inspector · ƒ lets one follow a law · Esc selects nothing"
        ),
        "coupling": tr("Type its numbers in the inspector · Esc selects nothing · Space plays"),
        "drive": tr("Choose its law in the inspector · Esc selects nothing · Space plays"),
        "gauge": tr(
            "Double click on its number types another one where it drives · F2 names it · Del "
            "deletes it"
        ),
        "parameter": tr(
            "Type its value · Tools, Parameters shows all of them · Esc selects nothing"
        ),
    }.get(kind, tr("Type a number in the inspector · Esc selects nothing · Space plays"))


def _element(project: Any, id: str) -> Any:
    m = project.mechanism
    if id == GROUND:
        return m.ground
    drawn = (getattr(m, s) for _, s in SECTIONS)
    for section in (*drawn, project.parameters, project.pictures, project.gauges):
        if id in section:
            return section[id]
    return None
