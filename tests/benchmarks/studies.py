"""Points per second of a study of the four-bar, 1 s of motion each, with one worker and with two.

python -m tests.benchmarks.studies [POINTS]
"""

import os
import sys
import time

from mechstudio.files.project_file import load
from mechstudio.folders import sample_folder
from mechstudio.studies.points import Points
from mechstudio.studies.study import Progress, Study

WARM = 20  # points that are not counted: kernels, caches and batches are ready after them
REQUESTED = 10_000 / 30  # points per second of two workers


def cost(study: Study) -> float:
    """CPU time of a point in this process [ms], the least of several batches."""
    points = Points(study.project, study.names, study.measures, study.options)
    rows = study.varied[:WARM]
    taken = []
    for _ in range(11):
        begun = time.process_time()
        for row in rows:
            assert not points.point(row).reason
        taken.append(1e3 * (time.process_time() - begun) / len(rows))
    return min(taken)


def rate(study: Study, workers: int) -> float:
    """Points per second of the clock, without the start of the workers."""
    times: list[tuple[float, int]] = []

    def note(progress: Progress) -> None:
        if progress.done >= WARM * workers:
            times.append((time.perf_counter(), progress.done))

    table = study.run(workers, progress=note)
    assert table.done == len(study) and not table.reasons
    (begin, first), (end, last) = times[0], times[-1]
    return (last - first) / (end - begin)


def main(points: int = 1000) -> int:
    """Print figures; 1 where two workers are too slow."""
    project = load(sample_folder() / "four_bar.mech").project
    study = Study(project, ["L2=normal(330, 1) mm"], ["max D angle"], points, duration=1.0)
    print(f"load {os.getloadavg()[0]:.1f}, {cost(study):.1f} ms of CPU a point")
    rates = {workers: rate(study, workers) for workers in (1, 2)}
    for workers, found in rates.items():
        print(f"{workers} workers: {found:.0f} points/s, 10 000 in {10_000 / found:.0f} s")
    return 0 if rates[2] >= REQUESTED else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
