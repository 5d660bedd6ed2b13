"""Signatures of the public Python interface, and the defaults of all values of the model: what
holds where nothing is said.
"""

import importlib
import inspect
import pkgutil

import msgspec

import mechstudio as ms
from mechstudio import model
from mechstudio.builder.editing import Editing


def signature(function):
    """Parameters with their defaults; each Python writes annotations in its own way."""
    found = inspect.signature(function).parameters.values()
    return ", ".join(str(p.replace(annotation=inspect.Parameter.empty)) for p in found)


def signatures(name, thing):
    """Lines of a function, or of the public methods of a class."""
    if inspect.isfunction(thing):
        yield f"{name}({signature(thing)})"
    elif inspect.isclass(thing):
        if "__init__" in vars(thing):
            yield f"{name}({signature(thing.__init__)})"
        for word, method in inspect.getmembers(thing, inspect.isfunction):
            if not word.startswith("_"):
                yield f"{name}.{word}({signature(method)})"


def test_public_signatures_are_as_approved(approved):
    lines: list[str] = []
    for name in sorted(ms.__all__):
        lines += signatures(name, getattr(ms, name))
    lines += signatures("edit", Editing)
    approved.holds("signatures.txt", "\n".join(lines) + "\n")


def structs():
    """All values of the model, by module and name."""
    for found in pkgutil.walk_packages(model.__path__, "mechstudio.model."):
        module = importlib.import_module(found.name)
        for name, thing in inspect.getmembers(module, inspect.isclass):
            if issubclass(thing, msgspec.Struct) and thing.__module__ == module.__name__:
                yield f"{found.name.removeprefix('mechstudio.model.')}.{name}", thing


def test_defaults_of_the_model_are_as_approved(approved):
    lines: list[str] = []
    for name, struct in structs():
        reported = [
            f"{field.name}={field.default!r}"
            for field in msgspec.structs.fields(struct)
            if field.default is not msgspec.NODEFAULT
        ]
        if reported:
            lines.append(f"{name}: {', '.join(reported)}")
    approved.holds("model_defaults.txt", "\n".join(lines) + "\n")
