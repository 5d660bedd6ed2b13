"""For all tests: one thread of linear algebra, as in the solver's own process, random examples that
are the same in every run, and the choice of the tests next to a change.
"""

import gc
import os
import subprocess
from collections import Counter, defaultdict
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
from hypothesis import HealthCheck, Phase, settings  # noqa: E402

from tests.affected import Minute, affected_tests, changed_files  # noqa: E402
from tests.approval import Approved  # noqa: E402
from tests.representatives import representatives, sample_facts  # noqa: E402

# trees of sources and formulas are many objects, none of them garbage: looking through them again
# and again takes a fifth of the time
gc.set_threshold(20_000, 20, 20)

ROOT = Path(__file__).parent.parent
CHOSEN = pytest.StashKey[list[str] | None]()
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
# a failure counts, its smallest example does not (tests/mutation.py)
settings.register_profile(
    "unshrunk",
    settings.get_profile("steady"),
    phases=[Phase.explicit, Phase.generate],
    report_multiple_bugs=False,
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
    parser.addoption(
        "--approve", action="store_true", help="take texts as they are now (tests/approval.py)"
    )


@pytest.fixture
def approved(request):
    """approved.holds(name, text): fails if the text is not the one in tests/approved/NAME."""
    return Approved(request.config.getoption("--approve"))


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
    mark_thinned(items, mark_repeated(items))
    if (chosen := config.stash[CHOSEN]) is not None:
        items.sort(key=lambda item: chosen.index(place(item.path)))


def pytest_collection_finish(session):
    """Keep the collector away from all objects older than the tests."""
    gc.collect()
    gc.freeze()


def mark_repeated(items):
    """Make slow, among tests that go through all samples, those of samples that are not needed for
    every type to be tested; each sample's own tests, in tests/samples, are always run.  Returns the
    names of these tests.
    """
    names, requested, cases = set(sample_facts()), representatives(), defaultdict(list)
    for item in items:
        callspec = getattr(item, "callspec", None)
        if callspec and "samples" not in item.path.parts and not is_slow(item):
            words = {word.removesuffix(".mech") for word in callspec.id.split("-")}
            cases[name_of(item)].append((item, words & names))
    repeated = {
        test for test, of in cases.items() if 2 * len(set().union(*(w for _, w in of))) > len(names)
    }
    for test in repeated:
        for item, words in cases[test]:
            if words and not words & requested:
                item.add_marker("slow")
    return repeated


def mark_thinned(items, repeated):
    """Make slow all but every n-th case of the tests that are marked thinned(n); samples are some
    third of all by then.
    """
    seen = Counter()
    for item in items:
        test = name_of(item)
        mark = item.get_closest_marker("thinned")
        if mark and not (test in repeated and is_slow(item)):
            if seen[test] % (max(1, mark.args[0] // 3) if test in repeated else mark.args[0]):
                item.add_marker("slow")
            seen[test] += 1


def is_slow(item):
    return item.get_closest_marker("slow") is not None


def name_of(item):
    """Name of a test without that of the case."""
    return item.nodeid.partition("[")[0]


def place(path):
    """Path from the root, with slashes."""
    return path.relative_to(ROOT).as_posix()
