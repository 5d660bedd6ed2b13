"""Rows of messages between processes: each has a name of its own, and what a message leaves out is
nothing.
"""

import msgspec
import pytest

from mechstudio.protocol import (
    derivation_messages,
    solver_messages,
    study_messages,
    synthesis_messages,
)

MODULES = (solver_messages, derivation_messages, study_messages, synthesis_messages)
STRUCTS = {
    f"{module.__name__.rpartition('.')[2]}.{name}": value
    for module in MODULES
    for name, value in vars(module).items()
    if isinstance(value, type)
    and issubclass(value, msgspec.Struct)
    and value.__module__ == module.__name__
}
UNIONS = {"requests": solver_messages.Request, "reports": solver_messages.Report}


@pytest.mark.parametrize("name", UNIONS)
def test_messages_of_a_pipe_have_names_of_their_own(name):
    tags = [message.__struct_config__.tag for message in UNIONS[name].__args__]
    assert all(isinstance(tag, str) for tag in tags) and len(set(tags)) == len(tags)


def test_what_a_message_leaves_out_is_as_approved(approved):
    lines: list[str] = []
    for name, struct in sorted(STRUCTS.items()):
        config = struct.__struct_config__
        lines.append(f"# {name} {config.tag or '-'}{' frozen' if config.frozen else ''}")
        for field in msgspec.structs.fields(struct):
            if field.default is not msgspec.NODEFAULT:
                lines.append(f"{field.name} = {field.default!r}")
            elif field.default_factory is not msgspec.NODEFAULT:
                lines.append(f"{field.name} = {field.default_factory()!r}")
            else:
                lines.append(field.name)
    approved.holds("messages.txt", "\n".join(lines) + "\n")
