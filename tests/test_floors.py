"""Each floor of the house imports only what its row allows, and the window's process stays
light.
"""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "mechstudio"

# floor: (floors it may import, libraries it may import beside the standard library)
ALLOWED = {
    "model": ((), ("msgspec",)),
    "engine": (("model",), ("numpy", "numba", "scipy", "msgspec")),
    # of the engine and Typst only symbolic/exports knows, for starts, runs and pages, and
    # symbolic/closed, for drawings that are open
    "symbolic": (("model", "engine"), ("flint", "sympy", "numpy", "msgspec", "typst")),
    "project": (("model",), ("numpy", "msgspec")),
    "protocol": (("model",), ("numpy", "msgspec")),
    "worker": (("model", "engine", "symbolic", "protocol"), ("numpy", "msgspec", "typst")),
    "application": (("model", "project", "protocol"), ("numpy", "msgspec")),
    "view": (
        ("model", "application"),
        ("PySide6", "shiboken6", "vispy", "pyqtgraph", "numpy", "msgspec"),
    ),
    # the single modules at the top
    "virtual_screen": ((), ()),
    "builder": (("model", "project"), ("msgspec",)),
    "api": (("model", "engine", "symbolic", "project", "builder"), ("numpy", "msgspec")),
    "cli_options": ((), ()),
    "cli_check": (("model", "cli_options"), ()),
    "cli_equations": (("model", "symbolic", "api", "cli_options"), ()),
    "cli_mesh": (("model", "project", "cli_options"), ()),
    "cli_analyse": (("model", "api", "cli_options", "cli_tables"), ("msgspec",)),
    "cli_tables": (("model", "engine"), ("numpy",)),
    "cli_assemble": (("model", "engine", "api", "cli_options"), ()),
    "cli_simulate": (("model", "cli_options"), ("numpy", "msgspec")),
    "cli": (
        (
            "model",
            "engine",
            "symbolic",
            "project",
            "api",
            "cli_analyse",
            "cli_assemble",
            "cli_check",
            "cli_equations",
            "cli_mesh",
            "cli_options",
            "cli_simulate",
            "virtual_screen",
        ),
        ("numpy", "msgspec"),
    ),
    "main": (
        (
            "model",
            "engine",
            "project",
            "protocol",
            "application",
            "view",
            "api",
            "cli",
            "virtual_screen",
        ),
        ("PySide6", "numpy", "msgspec"),
    ),
    "__init__": (("model", "api", "builder"), ()),
    "__main__": (("main", "cli"), ()),
}
# single modules that may use one library more, each for a reason that it states at its head
ALONE = {
    "model/mesh.py": ("numpy",),
    "model/constant_course.py": ("numpy",),
    "engine/kernels/array_sets.py": ("llvmlite",),
}
# rooms of the view that may not see each other; main_window places them all
ROOMS = ("scene", "plots", "panels")

Import = tuple[int, str]


def imports(source: str, package: tuple[str, ...]) -> list[Import]:
    """(line, absolute module) of every import, also those inside functions and TYPE_CHECKING
    blocks; package: where the source lies.
    """
    found: list[Import] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [(node.lineno, a.name) for a in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            head = ".".join((*base, *filter(None, [node.module])))
            # "from mechstudio import view", "from .. import view" and "from . import scene" name
            # the module last
            found += [
                (
                    node.lineno,
                    f"{head}.{a.name}" if head in ("mechstudio", "mechstudio.view") else head,
                )
                for a in node.names
            ]
    return found


def faults(floor: str, place: str, found: list[Import]) -> list[str]:
    """A sentence for each import that a floor's row does not allow."""
    floors, libraries = ALLOWED[floor]
    out = []
    for line, module in found:
        top, *rest = module.split(".")
        if top == "mechstudio":
            if (rest or ["__init__"])[0] not in (floor, *floors):
                out.append(f"{place}:{line}: {floor} may not import {module}")
        elif top not in sys.stdlib_module_names and top not in (*libraries, *ALONE.get(place, ())):
            out.append(f"{place}:{line}: {floor} may not use {top}")
    return out


def room_faults(room: str, place: str, found: list[Import]) -> list[str]:
    """A sentence for each import of one room of the view into another."""
    others = [f"mechstudio.view.{r}" for r in ROOMS if r != room]
    return [
        f"{place}:{line}: view/{room} may not import {module}"
        for line, module in found
        if any(f"{module}.".startswith(f"{o}.") for o in others)
    ]


def read(path: Path) -> list[Import]:
    return imports(path.read_text("utf-8"), ("mechstudio", *path.relative_to(SOURCE).parts[:-1]))


def files(floor: str) -> list[Path]:
    return (
        sorted((SOURCE / floor).rglob("*.py"))
        if (SOURCE / floor).is_dir()
        else [p for p in [SOURCE / f"{floor}.py"] if p.exists()]
    )


def test_every_package_and_module_has_a_row():
    standing = {p.parent.name for p in SOURCE.glob("*/__init__.py")} | {
        p.stem for p in SOURCE.glob("*.py")
    }
    assert standing <= set(ALLOWED), f"no row for {standing - set(ALLOWED)}"


def test_rows_point_downward_only():
    def below(floor, seen=()):
        assert floor not in seen, f"circle of floors: {' -> '.join((*seen, floor))}"
        for other in ALLOWED[floor][0]:
            below(other, (*seen, floor))

    for floor in ALLOWED:
        below(floor)


@pytest.mark.parametrize("floor", ALLOWED)
def test_floor_imports_only_what_its_row_allows(floor):
    assert not [
        f for p in files(floor) for f in faults(floor, p.relative_to(SOURCE).as_posix(), read(p))
    ]


def test_modules_with_a_library_of_their_own_use_it():
    for place, libraries in ALONE.items():
        assert set(libraries) <= {module.partition(".")[0] for _, module in read(SOURCE / place)}, (
            place
        )


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_of_the_view_do_not_see_each_other(room):
    assert not [
        f
        for p in sorted((SOURCE / "view" / room).rglob("*.py"))
        for f in room_faults(room, str(p.relative_to(SOURCE)), read(p))
    ]


def test_only_the_main_window_sees_all_rooms():
    for path in sorted((SOURCE / "view").glob("*.py")):
        seen = {
            r
            for r in ROOMS
            for _, module in read(path)
            if f"{module}.".startswith(f"mechstudio.view.{r}.")
        }
        assert path.name == "main_window.py" or len(seen) < len(ROOMS), f"{path.name} sees {seen}"


# the rules catch what they are for


@pytest.mark.parametrize(
    "floor, package, source",
    [
        ("model", ("mechstudio", "model"), "import PySide6.QtCore"),
        ("model", ("mechstudio", "model"), "import numpy as np"),
        ("model", ("mechstudio", "model"), "from ..engine import rows"),
        ("engine", ("mechstudio", "engine"), "from mechstudio.view import theme"),
        (
            "engine",
            ("mechstudio", "engine"),
            "def f():\n    from mechstudio.symbolic.laws import x",
        ),
        ("project", ("mechstudio", "project"), "import yaml"),
        ("application", ("mechstudio", "application"), "from PySide6 import QtCore"),
        ("application", ("mechstudio", "application"), "import mechstudio.engine.run"),
        ("application", ("mechstudio", "application", "scene"), "from ...engine import run"),
        ("view", ("mechstudio", "view"), "import numba"),
        ("view", ("mechstudio", "view", "scene"), "from mechstudio.project.file import load"),
        ("symbolic", ("mechstudio", "symbolic"), "import mechstudio"),
        ("worker", ("mechstudio", "worker"), "from mechstudio import view"),
        ("protocol", ("mechstudio", "protocol"), "from .. import engine"),
        ("cli", ("mechstudio",), "from .main import run_window"),
        ("api", ("mechstudio",), "if TYPE_CHECKING:\n    from PySide6 import QtGui"),
    ],
)
def test_the_floor_rule_catches(floor, package, source):
    assert faults(floor, "planted.py", imports(source, package))


@pytest.mark.parametrize(
    "source",
    [
        "from ..plots import pane",
        "from .. import plots",
        "import mechstudio.view.panels.tree",
        "from mechstudio.view import panels",
    ],
)
def test_the_room_rule_catches(source):
    assert room_faults("scene", "planted.py", imports(source, ("mechstudio", "view", "scene")))


@pytest.mark.parametrize(
    "source",
    [
        "from . import mesh",
        "from .mesh import box",
        "from ..tokens import Tokens",
        "from mechstudio.application.scene import build_scene",
    ],
)
def test_the_room_rule_lets_pass(source):
    assert not room_faults("scene", "planted.py", imports(source, ("mechstudio", "view", "scene")))


# what is really loaded

HEAVY = {"numba", "sympy", "scipy", "llvmlite"}


def loaded_after(code: str) -> set[str]:
    """Top names of all modules in a fresh interpreter after `code`."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return {name.partition(".")[0] for name in done.stdout.split()}


def window_modules() -> list[str]:
    """Every module that the window's process may come to load."""
    paths = [
        p
        for floor in ("model", "project", "protocol", "application", "view", "cli", "main")
        for p in files(floor)
    ]
    return [
        ".".join(("mechstudio", *p.relative_to(SOURCE).with_suffix("").parts)).removesuffix(
            ".__init__"
        )
        for p in paths
    ]


def test_the_window_loads_no_solver():
    assert not HEAVY & loaded_after("\n".join(f"import {m}" for m in window_modules()))


def test_the_package_alone_loads_nothing_heavy():
    assert not (HEAVY | {"numpy", "PySide6", "vispy", "pyqtgraph", "msgspec"}) & loaded_after(
        "import mechstudio"
    )


def test_the_api_loads_no_window():
    assert not {"PySide6", "vispy", "pyqtgraph", "shiboken6"} & loaded_after(
        "import mechstudio as ms\n[getattr(ms, n) for n in ms.__all__]\nimport "
        "mechstudio.engine.run, mechstudio.engine.system"
    )


def test_the_load_test_catches():
    assert HEAVY & loaded_after("import mechstudio.view\nimport scipy")
