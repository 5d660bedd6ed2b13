"""Charts of reports: their legends."""

import re

import numpy as np

from mechstudio.symbolic.exports.pages.charts import Chart, svg

T = np.linspace(0.0, 1.0, 5)
LETTER = 3.0  # a letter of the legend takes at least so much


def test_words_of_the_legend_stand_beside_each_other():
    """Each line begins behind the words of the one before, and its words behind it."""
    names = ("kinetic energy", "p", "potential energy")
    picture = svg(Chart("Energy", "J", T, tuple((name, T) for name in names)), 300.0, 120.0)
    lines = [float(x) for x in re.findall(r'<path d="M([\d.]+),20.5 h12"', picture)]
    words = dict(re.findall(r'<text x="([\d.]+)" y="23.00"[^>]*>([^<]+)</text>', picture))
    begins = [float(x) for x in words]
    assert list(words.values()) == list(names)
    for k, name in enumerate(names):
        assert begins[k] >= lines[k] + 12.0
        if k < 2:
            assert lines[k + 1] >= begins[k] + LETTER * len(name)
