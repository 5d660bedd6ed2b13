"""JSON Schema of project files, made from the same tables that read and write them."""

from mechstudio.files.format import sections
from mechstudio.files.format.entry_types import Definitions, Json
from mechstudio.files.format.migrations import FORMAT
from mechstudio.files.format.schema import described


def json_schema() -> Json:
    """Schema of files as this version writes them, by JSON Schema 2020-12.  A file of a newer
    version may hold more.
    """
    definitions: Definitions = {}
    listed = {
        name: {"type": "array", "items": described(schema, definitions)}
        for name, schema in sections.LISTS.items()
    }
    lone = {
        name: described(schema, definitions, "Ground" if name == "ground" else "")
        for name, schema in sections.OBJECTS.items()
    }
    values = {name: kind.described(definitions) for name, kind in sections.VALUES.items()}
    known = {**listed, **lone, **values}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "mechstudio project",
        "type": "object",
        "required": [sections.HEADER],
        "properties": {
            sections.HEADER: {"const": FORMAT},
            "written_by": {"type": "string"},
            **{name: known[name] for name in sections.ORDER},
        },
        "additionalProperties": False,
        "$defs": dict(sorted(definitions.items())),
    }
