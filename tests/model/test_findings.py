"""Findings follow the unit system."""

import pytest

from mechstudio.model.findings import Finding

OPEN = Finding(
    "info",
    "A",
    (
        "The drawing is open by 12.7 mm at A 12.7 mm; running closes it, which moves parts by up "
        "to 5.08 mm."
    ),
    amounts=((0.0127, "length", 3), (0.00508, "length", 3)),
)


@pytest.mark.parametrize(
    ("units", "said"),
    [
        ("mm-N-deg", OPEN.message),
        (
            "inch-lbf",
            (
                "The drawing is open by 0.5 in at A 12.7 mm; running closes it, which moves "
                "parts by up to 0.2 in."
            ),
        ),
        (
            "m-N-rad",
            (
                "The drawing is open by 0.0127 m at A 12.7 mm; running closes it, which moves "
                "parts by up to 0.00508 m."
            ),
        ),
    ],
)
def test_numbers_are_said_in_the_units_and_names_stay(units, said):
    assert OPEN.said(units) == said


def test_an_unstated_amount_changes_nothing():
    assert (
        Finding("info", "", "All holds.", amounts=((1.0, "length", 3),)).said("inch-lbf")
        == "All holds."
    )
