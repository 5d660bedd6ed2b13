"""Topics of the manual on elements, analyses and plots: the heading of a row is called as the row
is, and where a row has none yet, that of its table answers.
"""

from collections.abc import Mapping
from typing import Protocol

from mechstudio.application.help.pages import Topic, find, slug
from mechstudio.curves.quantity_rows import GROUPS
from mechstudio.model import fields
from mechstudio.model.equations.lecture import (
    CONSTRAINTS,
    CONTACTS,
    EQUILIBRIA,
    KINEMATICS,
    PARTITION,
    RECURSIVE,
    TORSORS,
)
from mechstudio.model.project import Project
from mechstudio.model.types.analyses import ANALYSES
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.laws import LAW_TYPES
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.translation import tr


class Labelled(Protocol):
    """A row of a table of types."""

    @property
    def label(self) -> str: ...


# table of types: heading that answers for all of its rows
TABLES: tuple[tuple[Mapping[str, Labelled], Topic], ...] = (
    (JOINT_TYPES, Topic("elements", "joint-types")),
    (COUPLING_TYPES, Topic("elements", "coupling-types")),
    (FORCE_TYPES, Topic("elements", "force-types")),
    (LAW_TYPES, Topic("elements", "law-types")),
    (SHAPE_TYPES, Topic("elements", "shape-types")),
    (ANALYSES, Topic("analyses", "table-by-table")),
)
QUANTITIES = Topic("quantities")
BODIES, CONTACT, GAUGE, PICTURE = (
    Topic("theory", "2-bodies"),
    Topic("contacts"),
    Topic("drawing", "measuring"),
    Topic("drawing", "pictures-to-draw-after"),
)
PARAMETER, DRIVE, RUN, GRAVITY = (
    Topic("numbers"),
    Topic("python", "couplings-drives-and-laws"),
    Topic("drawing", "a-run"),
    Topic("theory", "6-forces"),
)
# part of the equations or chapter of the lecture: the theory behind it
EQUATIONS: Mapping[str, Topic] = {
    "rows": Topic("theory", "5-dynamics"),
    "structure": Topic("theory", "5-dynamics"),
    "coordinates": Topic("theory", "1-conventions"),
    "M": Topic("theory", "5-dynamics"),
    "b": Topic("theory", "5-dynamics"),
    "g": Topic("theory", "6-forces"),
    "tau": Topic("theory", "6-forces"),
    "C": Topic("theory", "3-joints-and-constraints"),
    "C_q": Topic("theory", "4-structure-and-mobility"),
    "gamma": Topic("theory", "3-joints-and-constraints"),
    "definitions": Topic("theory", "6-forces"),
    "parameters": Topic("numbers"),
    "following": Topic("equations", "equations-for-other-programs"),
    CONSTRAINTS: Topic("theory", "3-joints-and-constraints"),
    PARTITION: Topic("theory", "5-dynamics"),
    KINEMATICS: Topic("theory", "1-conventions"),
    TORSORS: Topic("theory", "5-dynamics"),
    EQUILIBRIA: Topic("theory", "5-dynamics"),
    RECURSIVE: Topic("theory", "5-dynamics"),
    CONTACTS: Topic("theory", "8-contacts"),
}
DYNAMICS = EQUATIONS["rows"]
# steps of a derivation that stand on something else than its method
STEPS: Mapping[str, Topic] = {
    "frames": Topic("theory", "1-conventions"),
    "positions": Topic("theory", "1-conventions"),
    "velocities": Topic("theory", "1-conventions"),
    "accelerations": Topic("theory", "1-conventions"),
    "loads": Topic("theory", "6-forces"),
}


def of_row(table: Mapping[str, Labelled], key: str) -> Topic:
    """The topic of a row, or that of its table where the manual does not know the row yet."""
    whole = next(topic for rows, topic in TABLES if rows is table)
    row = table.get(key)
    own = None if row is None else Topic(whole.page, slug(row.label))
    return whole if own is None or find(own) is None else own


def of_quantity(group: str) -> Topic:
    """The topic of a group of quantities that can be plotted."""
    named = {word: english for english in GROUPS for word in (english, tr(english))}
    return Topic(QUANTITIES.page, slug(named[group])) if group in named else QUANTITIES


def of_element(project: Project, id: str) -> Topic:
    """The topic of the selection: that of its type, or of its kind; without a selection, the whole
    page.
    """
    m = project.mechanism
    for elements, table in (
        (m.joints, JOINT_TYPES),
        (m.couplings, COUPLING_TYPES),
        (m.forces, FORCE_TYPES),
    ):
        if id in elements:
            return of_row(table, elements[id].type)
    kinds = (
        (m.bodies, BODIES),
        (m.drives, DRIVE),
        (project.gauges, GAUGE),
        (project.pictures, PICTURE),
        (project.parameters, PARAMETER),
        ((fields.SETTINGS,), RUN),
        ((fields.GRAVITY,), GRAVITY),
        ((fields.CONTACTS,), CONTACT),
    )
    return next((topic for ids, topic in kinds if id in ids), Topic("elements"))


def of_equations(part: str) -> Topic:
    """The theory behind a part of the equations or a chapter of the lecture."""
    return EQUATIONS.get(part, DYNAMICS)


def of_step(chapter: str, step: str) -> Topic:
    """The theory behind a step of a chapter of the lecture."""
    return STEPS.get(step) or of_equations(chapter)
