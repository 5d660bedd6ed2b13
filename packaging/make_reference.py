"""Writes the reference of the Python interface, resources/help/reference.md, from its docstrings:

python packaging/make_reference.py
"""

import ast
import copy
import inspect
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

sys.path.insert(0, str(ROOT / "packaging"))

import window_calls  # noqa: E402

import mechstudio as ms  # noqa: E402

WIDTH = 90
TARGET = ROOT / "resources" / "help" / "reference.md"
HEAD = """# Python reference

Everything that `import mechstudio as ms` gives. The words are those of the docstrings, which
`help` shows too. Numbers are SI, or texts with units.
"""
CALLED = """Every action of the menus. A name after `Builder`, `BodyHandle` or `Result` is called
on one; every analysis of the window is a word of `ms.analyse`."""


def signature(node):
    """Call of a function or method, without what it is called on."""
    arguments = Annotations().visit(copy.deepcopy(node.args))
    for row in (arguments.posonlyargs, arguments.args):
        if row and row[0].arg in ("self", "cls"):
            del row[0]
    returned = "" if node.returns is None else f" -> {ast.unparse(unquoted(node.returns))}"
    line = f"{node.name}({ast.unparse(arguments)}){returned}"
    if len(line) <= WIDTH:
        return line
    lines = "".join(f"    {part},\n" for part in pieces(ast.unparse(arguments)))
    return f"{node.name}(\n{lines}){returned}"


def pieces(text):
    """Arguments one by one: parts between commas that stand in no bracket and no text."""
    found, depth, quote, begin = [], 0, "", 0
    for k, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == "," and depth == 0:
            found.append(text[begin:k].strip())
            begin = k + 1
    return [*found, text[begin:].strip()]


def unquoted(annotation):
    """An annotation without the quotes of names that are imported late."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return ast.parse(annotation.value, mode="eval").body
    return annotation


class Annotations(ast.NodeTransformer):
    """Takes the quotes from annotations of arguments."""

    def visit_arg(self, node):
        if node.annotation is not None:
            node.annotation = unquoted(node.annotation)
        return node


def paragraphs(docstring):
    """A docstring with each paragraph in one line."""
    text = inspect.cleandoc(docstring or "")
    blocks = []
    for block in text.split("\n\n"):
        # what is indented is code, and so are examples
        is_code = block.startswith(("    ", ">>> "))
        blocks.append(f"```\n{inspect.cleandoc(block)}\n```" if is_code else joined(block))
    return "\n\n".join(blocks)


def joined(block):
    """Lines of a paragraph in one; what Markdown would read as markup stands as it is."""
    text = " ".join(" ".join(block.split("\n")).split())
    pieces = text.split("`")
    for k in range(0, len(pieces), 2):  # the others stand between backticks
        pieces[k] = pieces[k].replace("*", "\\*").replace("<", "&lt;").replace("_", "\\_")
    return "`".join(pieces)


def found(value):
    """Syntax of a function or class."""
    tree = ast.parse(Path(inspect.getsourcefile(value)).read_text("utf-8"))
    return next(n for n in tree.body if getattr(n, "name", "") == value.__name__)


def methods(node, owner):
    """Syntax of the methods of a class in order, functions of other modules that it lists
    included.
    """
    for each in node.body:
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Attribute):
            method = getattr(owner, each.targets[0].id)
            if inspect.isfunction(method):
                yield found(method)
        if isinstance(each, ast.FunctionDef):
            yield each


def entry(name):
    """A name with its signature, its words and its methods."""
    value = getattr(ms, name)
    node = found(value)
    if isinstance(node, ast.FunctionDef):
        call = signature(node).replace(node.name, name, 1)
        return [f"## {name}", f"```\nms.{call}\n```", paragraphs(ast.get_docstring(node))]
    parts = [f"## {name}", paragraphs(ast.get_docstring(node))]
    for method in methods(node, value):
        if method.name.startswith("_") and method.name != "__init__":
            continue
        is_property = any(ast.unparse(d) == "property" for d in method.decorator_list)
        words = paragraphs(ast.get_docstring(method))
        if method.name == "__init__":
            if words:
                call = signature(method).removeprefix("__init__").split(" -> ")[0]
                parts += [f"```\nms.{name}{call}\n```", words]
            continue
        call = method.name if is_property else signature(method)
        parts += [f"### {name}.{method.name}", f"```\n{call}\n```", words]
    return parts


def text():
    parts = [HEAD.strip()]
    for name in ms.__all__:
        parts += entry(name)
    parts += ["## What the window does, as calls", CALLED, window_calls.table()]
    return "\n\n".join(part for part in parts if part) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), "utf-8")
    print(f"{TARGET.relative_to(ROOT)} is written")
