"""A project as the text of a file and back.

    {"mechstudio": 2, "written_by": "0.1.0",
    "settings": {…},
    "bodies": [
     {"id": "crank", …},
     {"id": "coupler", …}
    ]
    }

Line one holds the format number; every element stands on a line of its own.  Reading keeps
everything: entries that are not understood stay in `extra`, elements that are not understood in
Project.unread, and both are written back.
"""

from collections.abc import Iterable
from typing import Any, cast

import msgspec

from mechstudio.files.format import checks, mechanism_schemas, project_schemas, sections
from mechstudio.files.format.entry_types import QUANTITY, VECTOR, clean
from mechstudio.files.format.json_text import (
    Doubled,
    JsonError,
    dump,
    encoded,
    is_list,
    is_object,
    parse,
)
from mechstudio.files.format.migrations import FORMAT, migrate
from mechstudio.files.format.reader import Reader
from mechstudio.files.format.schema import write_element
from mechstudio.files.format.sections import HEADER
from mechstudio.model.findings import Finding
from mechstudio.model.naming import quoted
from mechstudio.model.project import Camera, Lesson, Project, Settings, Unread
from mechstudio.model.quantity import ZERO
from mechstudio.model.version import VERSION
from mechstudio.translation import tr

MOST_ENTRIES = 20_000  # of a section; each costs some 30 us to read


class ProjectFileError(ValueError):
    """Reason why a file cannot be read or written, in one sentence."""


class Loaded(msgspec.Struct, frozen=True):
    """Contents of a file.  camera: None if the file has no view.  findings: what was not understood
    or does not agree.
    """

    project: Project
    camera: Camera | None = None
    findings: tuple[Finding, ...] = ()


# writing


def encode(project: Project, camera: Camera | None = None) -> bytes:
    """The file's text; equal projects give equal bytes.

    Raises ProjectFileError for a project that no file can hold, such as one with a length that is
    not finite.
    """
    try:
        return encoded(_text(project, camera))
    except (TypeError, ValueError) as error:
        raise ProjectFileError(
            tr("The project cannot be written: {error}", error=checks.lowered(str(error)))
        ) from error


def _text(project: Project, camera: Camera | None) -> str:
    version = project.extra.get(HEADER, FORMAT)
    parts = [f'"{HEADER}": {dump(version)}, "written_by": {dump(VERSION)}']
    lone, lists = _objects(project, camera)
    keys = [
        *sections.ORDER,
        *(k for k in project.extra if k not in (*sections.ORDER, HEADER, "written_by")),
    ]
    keys += [u.section for u in project.unread if u.section not in keys]
    for key in dict.fromkeys(keys):
        kept = [u for u in project.unread if u.section == key]
        if key in sections.LISTS:
            lines = [dump(o) for o in lists[key]]
            for u in sorted(kept, key=lambda u: u.index):
                lines.insert(u.index, _canonical(u))
            if lines:
                parts.append(f'"{key}": [\n ' + ",\n ".join(lines) + "\n]")
        elif key in lone:
            parts.append(f'"{key}": {dump(lone[key])}')
        elif kept:
            parts.append(f"{dump(key)}: {_canonical(kept[0])}")
        elif key in project.extra and key not in sections.ORDER:
            parts.append(f"{dump(key)}: {_lines(project.extra[key])}")
    return "{" + ",\n".join(parts) + "\n}\n"


def _canonical(unread: Unread) -> str:
    """Text of an entry that was not understood, checked once more, since it goes into the file as
    it stands.
    """
    return dump(parse(unread.raw))


def _lines(value: Any) -> str:
    """An unknown section: a list of objects one per line, like our own; anything else on one
    line.
    """
    if is_list(value) and value and all(map(is_object, value)):
        return "[\n " + ",\n ".join(map(dump, value)) + "\n]"
    return dump(value)


def _objects(
    project: Project, camera: Camera | None
) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """The JSON values of the sections that are not at their defaults."""
    m = project.mechanism
    lone: dict[str, Any] = {}
    if project.note:
        lone["note"] = project.note
    if project.lesson != Lesson():
        lone["lesson"] = write_element(project_schemas.LESSON_SCHEMA, project.lesson)
    if project.settings != Settings():
        lone["settings"] = write_element(project_schemas.SETTINGS_SCHEMA, project.settings)
    if m.gravity != sections.DEFAULT_GRAVITY:
        lone["gravity"] = VECTOR.write(m.gravity)
    if m.start != ZERO:
        lone["start"] = QUANTITY.write(m.start)
    unknown = project.extra.get("view", {})
    if camera is not None or unknown:
        lone["view"] = {
            **(write_element(project_schemas.CAMERA_SCHEMA, camera) if camera is not None else {}),
            **unknown,
        }
    if m.ground != sections.DEFAULT_GROUND:
        ground = write_element(mechanism_schemas.GROUND_SCHEMA, m.ground)
        if (
            m.ground.placement,
            m.ground.mass,
            m.ground.center_of_mass,
            m.ground.inertia,
            m.ground.initial_velocity,
        ) != (sections.DEFAULT_GROUND.placement, None, None, None, None):
            raise ValueError(tr("Ground has a place, mass or velocity, which ground cannot have."))
        lone["ground"] = ground
    if m.contacts != sections.DEFAULT_CONTACTS:
        lone["contacts"] = write_element(mechanism_schemas.CONTACTS_SCHEMA, m.contacts)
    if project.report is not None:
        lone["report"] = write_element(project_schemas.REPORT_SCHEMA, project.report)
    if project.plot_layout is not None:
        lone["plot_layout"] = write_element(project_schemas.PLOT_LAYOUT_SCHEMA, project.plot_layout)
    lists: dict[str, list[Any]] = {}
    for section, known in sections.LISTS.items():
        held = getattr(m if section in sections.MECHANISM else project, section)
        is_table = isinstance(held, dict)  # by ids
        elements: Iterable[Any] = cast("dict[str, Any]", held).values() if is_table else held
        lists[section] = [write_element(known, element) for element in elements]
    return lone, lists


# reading


def decode(data: bytes) -> Loaded:
    """The project of a file's text.

    Raises ProjectFileError, and nothing else, for what is no project at all; everything else that
    cannot be used is kept for the next save and named in the findings.
    """
    document, version, findings = _document(data)
    reader = Reader(document, findings)
    project = reader.project()
    extra = dict(reader.extra)
    if version > FORMAT:
        extra = {HEADER: version, **extra}
    return Loaded(
        msgspec.structs.replace(project, unread=tuple(reader.unread), extra=extra),
        reader.camera,
        tuple(findings),
    )


def _document(data: bytes) -> tuple[dict[str, Any], int, list[Finding]]:
    """The top-level object as the present version would have written it, its own version, and
    findings about that.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ProjectFileError(
            tr("The project cannot be read: it is text in UTF-16, and a project is text in UTF-8.")
        )
    try:
        document = parse(data)
    except JsonError as error:
        if HEADER.encode() not in data[:4096]:
            raise ProjectFileError(tr("This is not a mechstudio project.")) from error
        raise ProjectFileError(tr("The project cannot be read: {error}.", error=error)) from error
    if isinstance(document, Doubled):
        document = _merged(document)
    if not is_object(document) or HEADER not in document:
        raise ProjectFileError(tr("This is not a mechstudio project."))
    for key, entries in document.items():
        if is_list(entries) and len(entries) > MOST_ENTRIES:
            raise ProjectFileError(
                tr(
                    "The project cannot be read: {key} has {count} entries, and at most {most} are "
                    "possible.",
                    key=quoted(str(key)[:40]),
                    count=len(entries),
                    most=MOST_ENTRIES,
                )
            )
    version = document.pop(HEADER)
    writer = document.pop("written_by", "")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise ProjectFileError(
            tr("The project cannot be read: its format number in line one is damaged.")
        )
    if version <= FORMAT:
        return migrate(document, version), version, []
    by = tr(", mechstudio {writer},", writer=writer) if clean(writer, 40) and writer else ""
    return (
        document,
        version,
        [
            Finding(
                "warning",
                "",
                tr(
                    "The file was written by a newer version{by} in format {version}; this one "
                    "knows format {format}.",
                    by=by,
                    version=version,
                    format=FORMAT,
                ),
                tr(
                    "What is not understood is kept in the file when you save; open it with the "
                    "newer version to use it."
                ),
            )
        ],
    )


def _merged(pairs: Doubled) -> dict[str, Any]:
    """Sections that stand twice, as a careless merge leaves them: lists follow one another, equal
    values are one.
    """
    out: dict[str, Any] = {}
    for key, value in pairs:
        if key not in out or out[key] == value:
            out[key] = value
        elif is_list(out[key]) and is_list(value):
            out[key] = out[key] + value
        else:
            raise ProjectFileError(
                tr(
                    'The project cannot be read: "{key}" stands twice in it, with different '
                    "contents.",
                    key=key[:40],
                )
            )
    return out
