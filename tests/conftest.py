"""For all tests: one thread of linear algebra, as in the solver's own process, random examples that
are the same in every run, and the choice of the tests next to a change.
"""

import os
import subprocess
from collections import Counter
from pathlib import Path

for _name in (
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
):
    os.environ.setdefault(_name, "1")  # before anything loads numpy

import pytest  # noqa: E402
from babel.messages.mofile import write_mo  # noqa: E402
from babel.messages.pofile import read_po  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

from tests.affected import Minute, affected_tests, changed_files  # noqa: E402

ROOT = Path(__file__).parent.parent
CHOSEN = pytest.StashKey[list[str] | None]()
# samples of planar linkages, see mark_repeated
AGAIN = {
    "chebyshev_line",
    "double_rocker",
    "drag_link",
    "dwell_six_bar",
    "hoeken_line",
    "jansen_leg",
    "pantograph",
    "peaucellier_line",
    "scissor_lift",
    "scott_russell",
    "toggle_press",
    "watt_line",
    "whitworth_quick_return",
}
LIMIT = 50.0  # [s] that the tests of a change may take

# no run fails over an example of its own or over the load of the machine; others are looked for
# with --hypothesis-profile=default
settings.register_profile(
    "steady",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")


def pytest_addoption(parser):
    parser.addoption(
        "--affected",
        nargs="?",
        const="HEAD",
        metavar="REVISION",
        help="only the tests next to what differs from a revision (the last commit), for a minute: "
        "--affected=main",
    )


def compile_catalogues():
    """Compile catalogues of other languages that are older than their sources, as dev.py does."""
    for source in ROOT.glob("mechstudio/locale/*/LC_MESSAGES/*.po"):
        made = source.with_suffix(".mo")
        if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
            with source.open("rb") as file:
                catalog = read_po(file)
            # another part of the run may read it at the same time
            beside = made.with_suffix(f".{os.getpid()}")
            with beside.open("wb") as file:
                write_mo(file, catalog)
            beside.replace(made)


def pytest_configure(config):
    compile_catalogues()
    revision = config.getoption("--affected")
    try:
        changed = changed_files(ROOT, revision) if revision else None
    except (OSError, subprocess.CalledProcessError) as error:
        raise pytest.UsageError(f"--affected={revision}: git knows no such revision") from error
    config.stash[CHOSEN] = None if changed is None else affected_tests(ROOT, changed)
    if changed is not None:
        config.pluginmanager.register(Minute(LIMIT))


def pytest_ignore_collect(collection_path, config):
    chosen = config.stash[CHOSEN]
    if chosen is None or not collection_path.name.startswith("test_"):
        return None
    return place(collection_path) not in chosen or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    mark_thinned(items)
    mark_repeated(items)
    if (chosen := config.stash[CHOSEN]) is not None:
        items.sort(key=lambda item: chosen.index(place(item.path)))


def mark_thinned(items):
    """Make slow all but every n-th case of the tests that are marked thinned(n)."""
    seen = Counter()
    for item in items:
        if mark := item.get_closest_marker("thinned"):
            test = item.nodeid.partition("[")[0]
            if seen[test] % mark.args[0]:
                item.add_marker("slow")
            seen[test] += 1


def mark_repeated(items):
    """Make slow the planar linkages among tests that go through all samples: three of them, which
    are not in the list, say what there is to say.
    """
    for item in items:
        callspec = getattr(item, "callspec", None)
        if callspec and "samples" not in item.path.parts and AGAIN & set(callspec.id.split("-")):
            item.add_marker("slow")


def place(path):
    """Path from the root, with slashes."""
    return path.relative_to(ROOT).as_posix()
