"""Points per second of a study of the four-bar, 1 s of motion each, with one worker and with two.

python -m tests.benchmarks.studies [POINTS]
python -m tests.benchmarks.studies scaling [POINTS]: with 1, 2 and 4 processes of this machine, and
as many workers of a local dask cluster
"""

import contextlib
import os
import resource
import sys
import time
from collections.abc import Iterator

from mechstudio.files.project_file import load
from mechstudio.folders import sample_folder
from mechstudio.model.project import Project
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


def whole_cost(project: Project, workers: int, points: int) -> float:
    """CPU time of a point of this process and of all workers [ms]: points, queues, and the table.
    The start of the workers is taken out by a second run with three times the points.
    """
    taken = []
    for count in (points, 3 * points):
        begun = _cpu()
        made(project, count).run(workers)
        taken.append(_cpu() - begun)
    return 1e3 * (taken[1] - taken[0]) / (2 * points)


def _cpu() -> float:
    """CPU time of this process and of those that it started and that have ended [s]."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, who))


def rate(study: Study, workers: int, address: str = "") -> float:
    """Points per second of the clock, without the start of the workers."""
    times: list[tuple[float, int]] = []

    def note(progress: Progress) -> None:
        if progress.done >= WARM * workers:
            times.append((time.perf_counter(), progress.done))

    table = study.run(workers, address, progress=note)
    assert table.done == len(study) and not table.reasons
    (begin, first), (end, last) = times[0], times[-1]
    return (last - first) / (end - begin)


def made(project: Project, points: int) -> Study:
    """The study of the requirement."""
    return Study(project, ["L2=normal(330, 1) mm"], ["max D angle"], points, duration=1.0)


@contextlib.contextmanager
def cluster(workers: int) -> Iterator[str]:
    """Address of a dask cluster on this machine, its workers processes of one thread each."""
    from distributed import LocalCluster  # pyright: ignore[reportMissingImports]

    with LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
    ) as found:
        yield found.scheduler_address


def scaling(points: int = 2000) -> None:
    """Print points per second of processes and of a cluster, by the number of workers."""
    project = load(sample_folder() / "four_bar.mech").project
    for workers in (1, 2, 4):
        load_before = os.getloadavg()[0]
        own = rate(made(project, points), workers)
        cost_of_all = whole_cost(project, workers, points // 4)
        with cluster(workers) as address:
            other = rate(made(project, points), workers, address)
        print(
            f"{workers} workers: processes {own:.0f} points/s ({cost_of_all:.2f} ms of CPU a "
            f"point in all), dask {other:.0f} points/s; load {load_before:.1f}"
        )


def main(points: int = 1000) -> int:
    """Print figures; 1 where two workers are too slow."""
    project = load(sample_folder() / "four_bar.mech").project
    study = made(project, points)
    print(f"load {os.getloadavg()[0]:.1f}, {cost(study):.1f} ms of CPU a point")
    rates = {workers: rate(study, workers) for workers in (1, 2)}
    for workers, found in rates.items():
        print(f"{workers} workers: {found:.0f} points/s, 10 000 in {10_000 / found:.0f} s")
    return 0 if rates[2] >= REQUESTED else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["scaling"]:
        scaling(*map(int, sys.argv[2:]))
    else:
        sys.exit(main(*map(int, sys.argv[1:])))
