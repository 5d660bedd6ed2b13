"""Projects written as Python: a script that builds the drawing again, element by element.

Each line is called on a builder while it is written, and what comes out is compared with the
drawing.  Where the builder's words do not give exactly the element that was drawn, the line is
taken back and the element stands there as the model has it.
"""

from collections.abc import Mapping
from typing import Any

from mechstudio.builder.builder import Builder
from mechstudio.builder.parts import IN_PROJECT
from mechstudio.builder.scripts.elements import write
from mechstudio.builder.scripts.writing import Writing, found, is_same, row, unusual
from mechstudio.model.project import Project, Settings
from mechstudio.translation import Words

RUNS = (
    "",
    "project = m.project()",
    "",
    'if __name__ == "__main__":',
    "    result = ms.simulate(project)",
    '    result.to_csv("result.csv")',
)
LEFT_OUT: Words = "Parts of the file that this version cannot read are left out."


def script(project: Project) -> str:
    """A Python script that builds a project and runs it.  What a newer program wrote and this one
    does not know is left out, and a comment says so.

        >>> text = ms.script(ms.load("double_pendulum.mech"))
        >>> text.splitlines()[2]
        'import mechstudio as ms'
    """
    return text(written(project), project.lesson.title, RUNS)


def written(project: Project) -> Writing:
    """Lines that build a project, and a builder that has it."""
    lesson = project.lesson
    given = unusual(
        title=lesson.title,
        text=lesson.text,
        questions=lesson.questions,
        gravity=row(project.mechanism.gravity),
        claims=lesson.claims,
        topic=lesson.topic,
        level=lesson.level,
        note=project.note,
    )
    try:
        builder = Builder(**given)
    except ValueError:  # gravity names a parameter, and comes after it
        del given["gravity"]
        builder = Builder(**given)
    w = Writing(builder)
    if project.unread or project.extra:
        w.say(LEFT_OUT)
        w.space()
    w.made("ms.Builder", given, "m")
    _write_drawing(w, project)
    while not w.lines[-1]:
        w.lines.pop()
    return w


def text(w: Writing, title: str, end: tuple[str, ...]) -> str:
    """Lines as a whole script with a title."""
    plain = "".join(c for c in title if c.isprintable() and c not in '"\\').strip(" .")
    head = (f'"""{plain}."""', "") if plain else ()
    lines = (*head, "import mechstudio as ms", *w.imports(), "", *w.lines, *end)
    return "\n".join(lines) + "\n"


def _write_drawing(w: Writing, project: Project) -> None:
    drawn = project.mechanism
    w.space()
    for parameter in project.parameters.values():
        write(w, parameter)
    w.space()
    changed = {
        name: getattr(drawn, name)
        for name in ("gravity", "start")
        if not is_same(getattr(w.builder.mechanism, name), getattr(drawn, name))
    }
    if changed:
        w.replace(changed)
    if not is_same(project.settings, Settings()):
        write(w, project.settings)
    w.space()
    write(w, drawn.ground)
    for body in drawn.bodies.values():
        w.space()
        write(w, body, w.name(body.id))
    w.space()
    named = _named_joints(project)
    for joint in drawn.joints.values():
        write(w, joint, w.name(joint.id) if joint.id in named else "")
    w.space()
    for element in (*drawn.couplings.values(), *drawn.drives.values(), *drawn.forces.values()):
        write(w, element)
    w.space()
    if not is_same(w.builder.mechanism.contacts, drawn.contacts):
        write(w, drawn.contacts)
    for plot in project.plots:
        write(w, plot)
    for field in dict.fromkeys(IN_PROJECT.values()):
        write_others(w, getattr(project, field))


def write_others(w: Writing, target: Any) -> None:
    """Write parts of a field of the project that are not there yet."""
    if isinstance(target, Mapping):
        parts = tuple(target.values())
    else:
        parts = target if isinstance(target, tuple) else (target,)
    for part in parts:
        if part is not None and not is_same(found(w.builder.project(), part), part):
            write(w, part)


def _named_joints(project: Project) -> set[str]:
    """Joints that couplings, drives and forces name."""
    drawn = project.mechanism
    return {
        *(end.joint for c in drawn.couplings.values() for end in c.ends),
        *(d.joint for d in drawn.drives.values()),
        *(f.joint for f in drawn.forces.values()),
    }
