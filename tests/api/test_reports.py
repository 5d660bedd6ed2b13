"""Reports of runs: their loads are those of the runs that the report is about."""

import html
import re

import mechstudio as ms


def pulled(rate="1 N/s"):
    """A slider pulled by a force that grows from zero at a rate."""
    m = ms.Builder("pulled", gravity=(0, 0, 0))
    body = m.body("body", mass=0.5, inertia=(0.01, 0.01, 0.01))
    slider = m.slider("S", m.ground, body, at=(0, 0, 0), axis=(1, 0, 0))
    m.force("motor_force", "F", joint=slider, force=ms.law("expression", text=f"{rate}*t"))
    return m.project()


def page(tmp_path, project, **choices):
    path = tmp_path / "r.html"
    ms.report(project, path, chapters=("loads",), **choices)
    text = re.sub(r"<(script|style|svg|math)[\s\S]*?</\1>", " ", path.read_text(encoding="utf-8"))
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text)))


def test_loads_of_a_report_are_those_of_its_runs(tmp_path):
    """1 N/s and 2 N/s over half a second: 0.5 N and 1 N at the end, not what 5 s would give."""
    runs = {name: ms.simulate(pulled(rate), 0.5, 0.05) for name, rate in
            (("slow", "1 N/s"), ("quick", "2 N/s"))}  # fmt: skip
    text = page(tmp_path, pulled(), runs=runs)
    for name, peak in (("slow", "0.5"), ("quick", "1")):
        assert re.search(rf"F \[N\], {name} {peak}\*? 0\.5 s", text), text
        assert f"Loads of run “{name}” until 0.5 s." in text
    (one,) = [page(tmp_path, pulled(), runs={"slow": runs["slow"]})]
    assert re.search(r"F \[N\] 0\.5\*? 0\.5 s", one), one


def test_loads_without_a_run_say_over_which_time(tmp_path):
    text = page(tmp_path, pulled())
    assert re.search(r"F \[N\] 5\*? 5 s", text), text
    assert "Loads of a run of the drawing as it is, of 5 s unless a condition ends it." in text
