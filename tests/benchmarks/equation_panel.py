"""From opening a sample to its first typeset equation, and how long the window stands still
meanwhile: `python tests/benchmarks/equation_panel.py [sample ...]` under a display.

As in responsiveness.py; the views are gone through with all their steps unfolded, which takes
minutes for the longest.  --profile WHAT tells where the longest stretch of a line goes.
"""

import os
import pathlib
import pstats
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from mechstudio.main import make_app
from mechstudio.view.actions.file import open_path
from mechstudio.view.equations.views import VIEWS
from tests.benchmarks.responsiveness import LIMIT, Bench, pump, wait

SAMPLES = ("four_bar", "six_axis_arm", "stewart_platform")


def cpu_of(process) -> float:
    """CPU time of another process [s]; Linux only."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def equations(
    app, sample: str, profiled: str = ""
) -> tuple[tuple[float, float, float], dict[str, float]]:
    """From a sample's opening to its first typeset equation, in a window whose processes have
    started: seconds by the clock, of the window's own computing, and of the deriving process's; and
    {what: longest block in ms} while it is derived, shown in each view and unfolded.
    """
    bench = Bench(
        app, None, str(pathlib.Path(__file__).resolve().parents[2] / "samples" / f"{sample}.mech")
    )
    wait(
        lambda: (
            bench.studio.questions.session is not None
            and bench.studio.questions.session.status.phase == "ready"
        ),
        600,
    )
    panel, window, longest = bench.window.docks.equations, bench.window, {}
    d = panel.derivations
    wait(lambda: d._process is not None)
    before = -1.0
    while before != cpu_of(d._process):  # until it waits for work
        before = cpu_of(d._process)
        pump(1.0)

    def measured(what: str, work) -> None:
        bench.watch.profiles = profiled in (what, "all")
        bench.watch.begin()
        work()
        bench.watch.end()
        longest[what] = bench.watch.longest
        print(f"{sample} {what}: {longest[what]:.0f}", file=sys.stderr, flush=True)
        if bench.watch.profile is not None and bench.watch.profiles:
            pstats.Stats(bench.watch.profile).sort_stats("cumulative").print_stats(70)

    first = []

    def derived() -> None:
        clock, own, other = time.monotonic(), time.thread_time(), cpu_of(d._process)
        open_path(window, pathlib.Path(bench.path))
        wait(lambda: d.is_current and panel.structure.picture is not None)
        first[:] = time.monotonic() - clock, time.thread_time() - own, cpu_of(d._process) - other
        wait(lambda: panel.is_settled)
        pump(0.5)

    def viewed(key: str) -> None:
        panel.bar.show_view(key)
        pump(0.05)
        wait(lambda: panel.is_settled)
        for chapter in panel.chapters[: len(panel.columns)]:
            for heading in chapter.ready.steps if chapter.ready is not None else ():
                if heading.key in chapter.folds and not chapter.folds[heading.key].is_open:
                    chapter.folds[heading.key].turn(True)
                    pump(0.05)
        wait(lambda: panel.is_settled)

    measured("derive", derived)
    for key, _ in VIEWS[1:]:
        measured(key, lambda: viewed(key))
    bench.close()
    return tuple(first), longest  # type: ignore[return-value]


def main() -> None:
    arguments = sys.argv[1:]
    profiled = arguments[arguments.index("--profile") + 1] if "--profile" in arguments else ""
    samples = [s for s in SAMPLES if s in arguments] or SAMPLES
    app = make_app()
    tables = {sample: equations(app, sample, profiled) for sample in samples}
    print(f"{'':<18}" + "".join(f"{sample:>18}" for sample in samples))
    for k, what in enumerate(("first, clock [s]", "  own computing", "  deriving process")):
        print(f"{what:<18}" + "".join(f"{tables[sample][0][k]:>18.2f}" for sample in samples))
    print(f"longest block of the window [ms of its own computing], limit {LIMIT:g}")
    for what in tables[samples[0]][1]:
        print(f"{what:<18}" + "".join(f"{tables[sample][1][what]:>18.0f}" for sample in samples))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
