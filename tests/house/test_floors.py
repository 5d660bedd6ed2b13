"""Each floor of the house imports only what its row allows, and the window's process stays
light.
"""

import ast
import functools
import re
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "mechstudio"

# floor: (floors it may import, libraries it may import beside the standard library)
ALLOWED = {
    # words in the language shown, which every floor may use
    "translation": ((), ()),
    "folders": ((), ()),
    # processes of this program's own, as protocol, films and STEP files start them
    "processes": ((), ()),
    # colours and measures of the interface, which files, curves and pages take up
    "tokens": (("folders",), ()),
    "model": ((), ("msgspec",)),
    "engine": (("folders", "model"), ("numpy", "numba", "scipy", "msgspec")),
    # of the engine and Typst only symbolic/exports knows, for starts, runs and pages, and
    # symbolic/plan/closed_drawing, for drawings that are open
    "symbolic": (
        ("folders", "tokens", "model", "engine"),
        ("flint", "sympy", "numpy", "msgspec", "typst"),
    ),
    "files": (
        ("folders", "processes", "tokens", "model"),
        ("numpy", "msgspec", "ezdxf", "svgelements", "OCP", "PIL", "imageio_ffmpeg"),
    ),
    # curves of runs; scipy, Typst, pyarrow and pandas where they are requested
    "curves": (
        ("folders", "tokens", "model"),
        ("numpy", "msgspec", "scipy", "typst", "pyarrow", "pandas"),
    ),
    # dask.distributed where a cluster is requested, pymoo for several goals
    "studies": (
        ("model", "engine", "curves"),
        ("numpy", "scipy", "numba", "msgspec", "distributed", "pymoo"),
    ),
    "synthesis": (("model", "builder"), ("numpy", "scipy")),
    "protocol": (("processes", "model"), ("numpy", "msgspec")),
    "worker": (
        ("tokens", "model", "engine", "symbolic", "studies", "synthesis", "protocol"),
        ("numpy", "msgspec", "typst"),
    ),
    "application": (
        (
            "folders",
            "processes",
            "model",
            "curves",
            "studies",
            "synthesis",
            "files",
            "protocol",
            "builder",
        ),
        ("numpy", "msgspec"),
    ),
    "view": (
        ("tokens", "model", "curves", "studies", "application"),
        ("PySide6", "shiboken6", "vispy", "pyqtgraph", "numpy", "msgspec"),
    ),
    # the single modules at the top
    "virtual_screen": ((), ()),
    "builder": (("model", "files"), ("msgspec",)),
    # pandas and xarray for a requested data frame or dataset
    "api": (
        (
            "model",
            "engine",
            "symbolic",
            "curves",
            "studies",
            "synthesis",
            "files",
            "application",
            "builder",
        ),
        ("numpy", "msgspec", "pandas", "xarray"),
    ),
    "cli": (
        (
            "model",
            "engine",
            "symbolic",
            "curves",
            "studies",
            "synthesis",
            "files",
            "application",
            "api",
            "virtual_screen",
        ),
        ("numpy", "msgspec"),
    ),
    "main": (
        (
            "model",
            "engine",
            "curves",
            "files",
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
    "__main__": (("processes", "main", "cli"), ()),
}
# single modules that may use one library more, each for a reason that it states at its head
ALONE = {
    "model/formulas/means.py": ("numpy",),
    "model/geometry/mesh.py": ("numpy",),
    "model/results/constant_course.py": ("numpy",),
    "engine/kernels/compilation/array_sets.py": ("llvmlite",),
    "files/exchange/meshes/convex.py": ("scipy",),
}
# rooms of the view that may not see each other; main_window places them all
ROOMS = ("scene", "plots", "panels", "bars", "inspector", "equations")
MOST_MODULES = 15  # in a folder, without its __init__
MOST_TESTS = 18  # test modules in a folder, beside their helpers
MOST_LINES = 600  # of a module
# order inside a floor: folders and modules of a row may import those of the rows above it; what no
# row names is free
ORDER = {
    "model": (
        ("units", "quantity", "rounding", "findings"),
        ("formulas",),
        ("geometry",),
        ("mechanism", "types"),
        ("project", "results", "tree"),
        ("element_fields",),
        ("fields",),
        ("laws",),
        ("edits",),
    ),
    "engine": (
        ("kernels",),
        ("constraints",),
        ("checks",),
        ("manifold",),
        ("structure",),
        ("system",),
        ("dynamics",),
        ("integration",),
        ("contacts",),
        ("overlaps",),
        ("run",),  # smooth or with contacts
        ("analyses", "agreement"),
        ("sizing",),
    ),
    "symbolic": (
        ("plan",),
        ("ring",),
        ("kinematics", "printers"),
        ("methods",),
        ("proofs",),
        ("instants",),
        ("lecture", "exports"),
        # the face of the floor: chapters, proofs and exports read its base, DerivedEquations
        ("derivation",),
    ),
    "application": (
        ("scene", "runs", "plots"),
        ("questions",),
        ("tools",),
        ("studio",),
        ("actions",),
    ),
    "view": (
        ("widgets",),
        ("dialogs", "lessons"),
        ("scene", "plots", "panels", "bars", "inspector", "equations"),
        ("free_body", "docks"),
        ("study", "synthesis"),
        ("present",),
        ("films",),
        ("exports",),
        ("actions",),
    ),
}

Import = tuple[int, str]


@functools.cache
def tree(source: str) -> ast.Module:
    """Syntax tree of a source, which several rules read: parsing them all takes some seconds."""
    return ast.parse(source)


@functools.cache
def heads(source: str) -> tuple[ast.Import | ast.ImportFrom | ast.ClassDef, ...]:
    """Imports and classes of a source, which lie among statements alone: going through all
    expressions takes some seconds too.
    """
    found: list[ast.Import | ast.ImportFrom | ast.ClassDef] = []
    waiting: list[ast.AST] = [tree(source)]
    for node in waiting:
        if isinstance(node, ast.Import | ast.ImportFrom | ast.ClassDef):
            found.append(node)
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            below = getattr(node, block, ())
            if isinstance(below, list):  # the body of a lambda is an expression
                waiting += below
    return tuple(found)


def teardown_module() -> None:
    heads.cache_clear()
    tree.cache_clear()  # some 200 MB


def imports(source: str, package: tuple[str, ...]) -> list[Import]:
    """(line, absolute module) of every import, also those inside functions and TYPE_CHECKING
    blocks; package: where the source lies.
    """
    found: list[Import] = []
    for node in heads(source):
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
            if (rest or ["__init__"])[0] not in (floor, "translation", *floors):
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


def rise(floor: str, part: str, found: list[Import]) -> list[str]:
    """Each import of a folder or module of a floor that stands above `part`, a folder or module."""
    rank = {name: k for k, row in enumerate(ORDER[floor]) for name in row}
    modules = [m.split(".") for _, m in found]
    return [
        ".".join(m[2:])
        for m in modules
        if m[:2] == ["mechstudio", floor]
        and len(m) > 2
        and part in rank
        and rank.get(m[2], -1) > rank[part]
    ]


def inside(source: str, package: tuple[str, ...]) -> list[Import]:
    """As `imports`, with the name that `from ... import` takes from a floor itself."""
    names = {
        node.lineno: [alias.name for alias in node.names]
        for node in heads(source)
        if isinstance(node, ast.ImportFrom)
    }
    out = []
    for line, module in imports(source, package):
        if module.count(".") == 1:
            out += [(line, f"{module}.{name}") for name in names.get(line, [])]
        else:
            out.append((line, module))
    return out


def at_import(source: str, modules: set[str]) -> set[str]:
    """The modules that a source loads when it is imported: not those of its functions, nor those
    for type checkers alone.
    """
    found: set[str] = set()

    def visit(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.expr):
                continue
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                continue
            if isinstance(child, ast.Import):
                found.update(a.name for a in child.names)
            elif isinstance(child, ast.ImportFrom) and child.module:
                names = {f"{child.module}.{a.name}" for a in child.names}
                found.update(names & modules or {child.module})
            visit(child)

    visit(tree(source))
    return found & modules


def circle(sources: dict[str, str]) -> list[str]:
    """Modules that import each other in a circle, by their sources; [] if there is none."""
    graph = {name: at_import(source, set(sources)) - {name} for name, source in sources.items()}
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        return error.args[1]
    return []


def mixed(sources: list[str]) -> list[str]:
    """Names of classes that are made of several of our own classes, protocols aside."""
    classes = [
        node for source in sources for node in heads(source) if isinstance(node, ast.ClassDef)
    ]
    bases = {
        c.name: [ast.unparse(b).split("[")[0].split(".")[-1] for b in c.bases] for c in classes
    }
    own = {name for name, of in bases.items() if "Protocol" not in of}
    return [name for name, of in bases.items() if len(own & set(of)) > 1]


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


def test_order_inside_the_floors():
    found = set()
    for floor in ORDER:
        for path in files(floor):
            place = path.relative_to(SOURCE / floor)
            part = place.with_suffix("").parts[0]
            seen = inside(path.read_text("utf-8"), ("mechstudio", floor, *place.parts[:-1]))
            found |= {(f"{floor}/{place.as_posix()}", m) for m in rise(floor, part, seen)}
    assert found == set(), "against the order inside its floor"


def test_modules_import_each_other_in_no_circle():
    places = {p: p.relative_to(ROOT).with_suffix("").parts for p in SOURCE.rglob("*.py")}
    sources = {
        ".".join(place).removesuffix(".__init__"): path.read_text("utf-8")
        for path, place in places.items()
    }
    assert circle(sources) == []


def test_no_class_is_made_of_several_of_our_own():
    assert mixed([path.read_text("utf-8") for path in SOURCE.rglob("*.py")]) == []


def test_no_attribute_is_found_by_a_composed_name_or_set_by_a_text():
    named = re.compile(r'\bgetattr\([^\n]*?, f"|\bsetattr\([^\n]*?, f?"')
    sources = {path: path.read_text("utf-8") for path in SOURCE.rglob("*.py")}
    assert [path.name for path, source in sources.items() if named.search(source)] == []


def counts_requests(source: str) -> bool:
    """True if a source counts requests, or looks whether a report has an id."""
    counted = (
        r'\b_?(id|request|question)s? \+= 1|self\.\w+ = itertools\.count|getattr\([^\n]*, "id"'
    )
    return re.search(counted, source) is not None


def test_requests_are_counted_in_one_place():
    """The solver's client apart, whose processes take over from each other."""
    counting = {
        path.relative_to(SOURCE).as_posix()
        for floor in ("protocol", "application", "view")
        for path in files(floor)
        if counts_requests(path.read_text("utf-8"))
    }
    assert counting == {"application/questions/channel.py", "protocol/client.py"}


def test_folders_of_the_view_hold_few_modules():
    folders = [SOURCE / "view", *(p.parent for p in (SOURCE / "view").rglob("__init__.py"))]
    assert not [f for f in folders if len(list(f.glob("[!_]*.py"))) > MOST_MODULES]


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_of_the_view_do_not_see_each_other(room):
    assert not [
        fault
        for path in sorted((SOURCE / "view" / room).rglob("*.py"))
        for fault in room_faults(room, path.relative_to(SOURCE).as_posix(), read(path))
    ]


@pytest.mark.parametrize(("root", "most"), [(SOURCE, MOST_MODULES), (ROOT / "tests", MOST_TESTS)])
def test_no_folder_has_too_many_modules(root, most):
    counts = {
        folder.relative_to(root).as_posix(): len(
            [p for p in folder.glob("*.py") if p.stem[0] != "_"]
        )
        for folder in (root, *root.rglob("*"))
        if folder.is_dir()
    }
    assert {name: count for name, count in counts.items() if count > most} == {}


def test_no_module_is_too_long():
    lines = {
        path.relative_to(SOURCE).as_posix(): path.read_text("utf-8").count("\n")
        for path in SOURCE.rglob("*.py")
    }
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


def test_only_the_main_window_sees_all_rooms():
    for path in sorted((SOURCE / "view").glob("*.py")):
        seen = {
            r
            for r in ROOMS
            for _, module in read(path)
            if f"{module}.".startswith(f"mechstudio.view.{r}.")
        }
        assert path.name == "main_window.py" or len(seen) < len(ROOMS), f"{path.name} sees {seen}"


# the rules catch planted faults


def test_the_circle_rule_catches():
    around = {"m.a": "from m import b", "m.b": "import m.c", "m.c": "if 1:\n    from m.a import f"}
    assert set(circle(around)) == set(around)
    later = {**around, "m.c": "def f():\n    from m.a import f"}
    assert circle(later) == []
    checked = {**around, "m.c": "if TYPE_CHECKING:\n    from m.a import f"}
    assert circle(checked) == []


def test_the_rule_of_classes_catches():
    parts = "class Painting: ...\nclass Framing(QWidget): ...\nclass Seen(Protocol): ...\n"
    assert mixed([parts, "class View(scene.Painting, Framing, QWidget): ..."]) == ["View"]
    assert mixed([parts, "class View(Framing, Seen, ABC): ..."]) == []


@pytest.mark.parametrize(
    "source",
    [
        "self._request += 1",
        "self._ids = itertools.count(1)",
        'if getattr(report, "id", None) == self._last:',
    ],
)
def test_the_rule_of_requests_catches(source):
    assert counts_requests(source)


@pytest.mark.parametrize(
    ("floor", "package", "source"),
    [
        ("model", ("mechstudio", "model"), "import PySide6.QtCore"),
        ("model", ("mechstudio", "model"), "import numpy as np"),
        ("model", ("mechstudio", "model"), "from ..engine import rows"),
        ("engine", ("mechstudio", "engine"), "from mechstudio.view import theme"),
        (
            "engine",
            ("mechstudio", "engine"),
            "def f():\n    from mechstudio.symbolic.plan import x",
        ),
        ("files", ("mechstudio", "files"), "import yaml"),
        ("application", ("mechstudio", "application"), "from PySide6 import QtCore"),
        (
            "application",
            ("mechstudio", "application"),
            "import mechstudio.engine.integration.smooth_run",
        ),
        ("application", ("mechstudio", "application", "scene"), "from ...engine import run"),
        ("view", ("mechstudio", "view"), "import numba"),
        ("view", ("mechstudio", "view", "scene"), "from mechstudio.files.project_file import load"),
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


@pytest.mark.parametrize(
    ("floor", "part", "source"),
    [
        ("model", "geometry", "from mechstudio.model.mechanism import Mechanism"),
        ("model", "types", "from mechstudio.model import project"),
        ("engine", "kernels", "def f():\n    from mechstudio.engine.constraints import rows"),
        ("engine", "system", "from mechstudio.engine.contacts.cone import island_solution"),
        ("symbolic", "ring", "from ..derivation import Derivation"),
        ("application", "tools", "from mechstudio.application.studio import Studio"),
        ("view", "scene", "from mechstudio.view.free_body import card"),
    ],
)
def test_the_order_rule_catches(floor, part, source):
    assert rise(floor, part, inside(source, ("mechstudio", floor, part)))


@pytest.mark.parametrize(
    ("floor", "part", "source"),
    [
        ("model", "geometry", "from mechstudio.model.formulas import jets"),
        ("model", "edits", "from mechstudio.model import mechanism"),
        ("engine", "kernels", "from mechstudio.engine.kernels import columns"),
        ("symbolic", "exports", "from mechstudio.symbolic.ring import names"),
        ("view", "scene", "from mechstudio.view.widgets import svg"),
    ],
)
def test_the_order_rule_lets_pass(floor, part, source):
    assert not rise(floor, part, inside(source, ("mechstudio", floor, part)))


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
        for floor in ("model", "curves", "files", "protocol", "application", "view", "cli", "main")
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
        "mechstudio.engine.run, mechstudio.engine.system.system"
    )


def test_the_load_test_catches():
    assert HEAVY & loaded_after("import mechstudio.view\nimport scipy")
