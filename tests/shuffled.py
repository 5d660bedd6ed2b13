"""Tests in another order, for `pytest -p tests.shuffled --shuffled SEED`: the files and the tests
in each of them are shuffled, to see that none leans on another one.
"""

import random


def pytest_addoption(parser):
    parser.addoption("--shuffled", type=int, default=0, metavar="SEED", help="seed of the order")


def pytest_collection_modifyitems(config, items):
    draw = random.Random(config.getoption("--shuffled"))
    files = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    order = sorted(files)
    draw.shuffle(order)
    for path in order:
        draw.shuffle(files[path])
    items[:] = [item for path in order for item in files[path]]


def pytest_report_header(config):
    return f"shuffled by seed {config.getoption('--shuffled')}"
