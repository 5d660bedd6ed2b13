"""Schemas of project files: an entry that a file omits has the default of its type."""

import importlib
import inspect
import pkgutil

import msgspec

from mechstudio.files import format
from mechstudio.files.format.schema import REQUIRED, Schema

# what a file may omit of ground, and a body has to say
OF_GROUND = {("GROUND_SCHEMA", key) for key in ("id", "name", "color")}


def schemas():
    """Every schema of a type, by its name."""
    modules = [
        importlib.import_module(f"{format.__name__}.{found.name}")
        for found in pkgutil.iter_modules(format.__path__)
    ]
    return {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, Schema) and inspect.isclass(value.make)
    }


def default_of(type, attribute):
    field = next(f for f in msgspec.structs.fields(type) if f.name == attribute)
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


def test_omitted_entries_have_the_default_of_their_type():
    compared = 0
    for name, schema in schemas().items():
        for entry in schema.entries:
            attribute = entry.attribute or entry.key
            if entry.default is REQUIRED or "." in attribute or (name, entry.key) in OF_GROUND:
                continue
            assert entry.default == default_of(schema.make, attribute), f"{name}: {entry.key}"
            compared += 1
    assert compared > 150
