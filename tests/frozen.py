"""Values that must not change: those shared by several parts, or kept by a table by their value."""

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "mechstudio"


def is_declared(node: ast.expr) -> bool | None:
    """True if a base class or a decorator declares frozen values, None if it declares none."""
    call = node if isinstance(node, ast.Call) else None
    name = ast.unparse(node if call is None else call.func).rpartition(".")[2]
    if name not in ("dataclass", "Struct"):
        return None
    return call is not None and any(
        k.arg == "frozen" and ast.literal_eval(k.value) for k in call.keywords
    )


def changeable(floor: str) -> Iterator[str]:
    """Classes of a floor, a folder of the package, with fields that can be set again."""
    paths = sorted((SOURCE / floor).rglob("*.py"))
    assert paths, floor
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.ClassDef):
                continue
            frozen = [is_declared(d) for d in node.decorator_list]
            if any("Struct" in ast.unparse(base) for base in node.bases):
                frozen.append(
                    any(k.arg == "frozen" and ast.literal_eval(k.value) for k in node.keywords)
                )
            if any(f is False for f in frozen):
                yield f"{path.relative_to(SOURCE / floor).with_suffix('').as_posix()}.{node.name}"
