"""Every row of the tables owns its heading in the manual, and what stands there is what the row
says.
"""

import re

import pytest

from mechstudio.application.help import topics
from mechstudio.application.help.pages import Topic, find
from mechstudio.application.resources import sample_folder
from mechstudio.curves.quantity_rows import GROUPS
from mechstudio.files.project_file import decode
from mechstudio.model.types.analyses import ANALYSES
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.view.docks.panels import equations, model
from mechstudio.view.docks.registry import PANELS

ROWS = [(table, key) for table, _ in topics.TABLES for key in table]


@pytest.mark.parametrize(("table", "key"), ROWS, ids=[key for _, key in ROWS])
def test_every_row_has_its_heading(table, key):
    topic = topics.of_row(table, key)
    whole = next(t for rows, t in topics.TABLES if rows is table)
    assert topic != whole, "write a section with the row's label"
    section = find(topic)
    assert section.heading == table[key].label and section.lines


def test_headings_of_rows_are_different():
    found = [topics.of_row(table, key) for table, key in ROWS]
    assert len(set(found)) == len(found)


def test_joints_say_how_much_they_leave():
    for key, kind in JOINT_TYPES.items():
        text = " ".join(find(topics.of_row(JOINT_TYPES, key)).lines)
        left = re.search(r"Leaves (\d+) freedoms?(?: of position and (\d+) of velocity)?", text)
        assert int(left[1]) == kind.dof, key
        assert int(left[2] or kind.dof) == kind.dof - len(kind.rolling), key


def test_numbers_of_rows_are_named():
    for table in (JOINT_TYPES, FORCE_TYPES):
        for key, kind in table.items():
            text = " ".join(find(topics.of_row(table, key)).lines)
            for p in kind.parameters[:10] if len(kind.parameters) < 11 else ():
                assert p.label.lower() in text, (key, p.label)


@pytest.mark.parametrize("group", GROUPS)
def test_every_group_of_quantities_has_its_heading(group):
    assert find(topics.of_quantity(group)).heading == group


def test_every_panel_part_and_step_has_a_place():
    for topic in (
        *(p.topic for p in PANELS),
        *topics.EQUATIONS.values(),
        *topics.STEPS.values(),
        *(topic for _, topic in topics.TABLES),
    ):
        assert find(topic) is not None, topic
    assert all(p.topic != Topic("index") for p in PANELS)
    assert model.topic != equations.topic


def test_every_element_of_the_samples_has_a_place():
    for path in sorted(sample_folder().glob("*.mech")):
        project = decode(path.read_bytes()).project
        m = project.mechanism
        for id in (*m.bodies, *m.joints, *m.couplings, *m.drives, *m.forces, *project.gauges, ""):
            assert find(topics.of_element(project, id)) is not None, (path.name, id)


def test_a_row_without_a_heading_is_answered_by_its_table():
    class Row:
        label = "Hovercraft"

    ANALYSES["hovercraft"] = Row()
    try:
        assert topics.of_row(ANALYSES, "hovercraft") == Topic("analyses", "table-by-table")
    finally:
        del ANALYSES["hovercraft"]
