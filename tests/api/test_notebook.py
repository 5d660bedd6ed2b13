"""Projects, runs, tables and equations in a notebook, by IPython's own formatters."""

import xml.etree.ElementTree as ElementTree

import msgspec
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

import mechstudio as ms
from mechstudio.api.notebook import show_in_notebooks, table_html
from mechstudio.engine.analyses.table import Table
from mechstudio.model.mechanism import Body


@pytest.fixture(scope="module")
def shown():
    """shown(value) -> what a notebook would show, by its kind."""
    shell = InteractiveShell.instance()
    show_in_notebooks(shell)
    yield lambda value: shell.display_formatter.format(value)[0]
    InteractiveShell.clear_instance()


@pytest.fixture(scope="module")
def four_bar():
    return ms.load("samples/four_bar.mech")


@pytest.fixture(scope="module")
def reactions(four_bar):
    return ms.analyse(four_bar, "reactions", joints=["A"], duration=1, sample_step=0.02)


def tree(text):
    """The parts of a page; fails where it is not well formed."""
    return ElementTree.fromstring(f"<div>{text}</div>")


def test_a_project_is_its_diagram_and_its_structure(shown, four_bar):
    page = shown(four_bar)["text/html"]
    parts = tree(page)
    assert parts.find("h4").text == "Four-bar"
    assert parts.find("{http://www.w3.org/2000/svg}svg") is not None
    assert "Mobility 1, hyperstatic 3, loops 1." in page
    assert "The drawing is empty." in shown(ms.Project())["text/html"]


def test_names_are_text_and_never_markup(shown):
    m = ms.Builder("<script>alert(1)</script>")
    m.add(Body("ghost", "<b>&ghost"))
    page = shown(m.project())["text/html"]
    tree(page)
    assert "<script>" not in page and "<b>" not in page and "&lt;b&gt;" in page


def test_a_run_is_its_plots_and_its_errors(shown, four_bar):
    result = ms.simulate(four_bar, duration=0.5)
    page = shown(result)["text/html"]
    assert len(tree(page).findall("{http://www.w3.org/2000/svg}svg")) == 3
    assert f"{len(result)} samples over 0.5 s" in page
    plain = msgspec.structs.replace(four_bar, plots=())
    page = shown(ms.simulate(plain, duration=0.1))["text/html"]
    assert len(tree(page).findall("{http://www.w3.org/2000/svg}svg")) == 1


def test_a_table_has_its_units_and_marks_what_is_not_determined(shown, reactions):
    table = reactions
    page = shown(table)["text/html"]
    parts = tree(page)
    heads = [cell.text for cell in parts.iter("th")]
    assert heads[0] == "time [s]" and any("[N]" in head for head in heads)
    cells = [[cell.text for cell in row.iter("td")] for row in parts.iter("tr")][1:]
    assert len(cells) == 40 and f"{len(table.rows) - 40} more rows." in page
    first = [float(text.rstrip("*").replace("−", "-")) for text in cells[7][:3]]
    np.testing.assert_allclose(first, table.rows[7, :3], rtol=1e-5)
    assert np.array_equal(
        [text.endswith("*") for row in cells for text in row], table.hatched[:40].ravel()
    )
    assert "do not determine" in page


def test_a_table_has_neither_rounding_nor_numbers_where_none_is_known(shown):
    columns = [("time", "time"), ("F x", "force"), ("F y", "force"), ("F z", "force")]
    table = Table("reactions", columns, np.array([[0.0, 250.0, 1.2e-14, np.nan]]))
    cells = [cell.text for cell in tree(shown(table)["text/html"]).iter("td")]
    assert cells == ["0", "250", "0", "–"]


def test_only_a_table_with_marks_explains_them(reactions, monkeypatch):
    table = reactions
    assert table.hatched is not None and table.hatched.any()
    note = "Rigid bodies do not determine these numbers"
    assert note in table_html(table)
    for none in (None, np.zeros_like(table.hatched)):
        monkeypatch.setattr(table, "hatched", none)
        assert note not in table_html(table)


def test_equations_are_mathematics(shown, four_bar):
    derivation = ms.derive(ms.load("samples/double_pendulum.mech"))
    assert shown(derivation)["text/latex"] == derivation.latex()
