"""Defaults: an entry that a file leaves out is what a new element has, and stays so, since every
file that was ever written leaves it out.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from mechstudio.files.format import (
    lesson_schema,
    mechanism_schemas,
    project_schemas,
    study_schema,
)
from mechstudio.files.format.schema import REQUIRED, Entry, Schema
from mechstudio.model.mechanism import Mechanism, Placement

MODULES = (mechanism_schemas, project_schemas, lesson_schema, study_schema)
SCHEMAS = {
    name.lower(): value
    for module in MODULES
    for name, value in vars(module).items()
    if isinstance(value, Schema)
}
GROUND = Mechanism().ground  # a body with defaults of its own


def fields(schema: Schema) -> dict[str, Any]:
    """Defaults of a struct by its fields; REQUIRED for those without."""
    found: dict[str, Any] = {}
    for field in msgspec.structs.fields(schema.make):
        if schema is mechanism_schemas.GROUND_SCHEMA:
            found[field.name] = getattr(GROUND, field.name)
        elif field.default is not msgspec.NODEFAULT:
            found[field.name] = field.default
        elif field.default_factory is not msgspec.NODEFAULT:
            found[field.name] = field.default_factory()
        else:
            found[field.name] = REQUIRED
    return found


def entries(schema: Schema) -> Iterator[tuple[Entry, Any]]:
    """Entries with the default of what they stand for."""
    known, placement = fields(schema), Placement()
    for entry in schema.entries:
        attribute = entry.attribute or entry.key
        part, _, inner = attribute.partition(".")
        yield entry, getattr(placement, inner) if inner else known[part]


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_is_left_out_is_what_a_new_element_has(name):
    for entry, of_struct in entries(SCHEMAS[name]):
        if entry.default is not REQUIRED and of_struct is not REQUIRED:
            assert entry.default == of_struct, entry.key


def test_defaults_of_the_format_are_as_approved(approved):
    lines: list[str] = []
    for name, schema in sorted(SCHEMAS.items()):
        lines.append(f"# {name}")
        for entry in schema.entries:
            default = "required" if entry.default is REQUIRED else repr(entry.default)
            lines.append(f"{entry.key}: {default}" + (", soft" if entry.soft else ""))
    approved.holds("format_defaults.txt", "\n".join(lines) + "\n")
