"""A project as the text of a file and back.

    {"mechstudio": 1, "written_by": "0.1.0",
    "settings": {…},
    "bodies": [
     {"id": "crank", …},
     {"id": "coupler", …}
    ]
    }

Line one holds the format number; every element stands on a line of its own.  Reading keeps everything: entries that are not
understood stay in `extra`, elements that are not understood in Project.unread, and both are written back.
"""

import math
from collections.abc import Callable
from typing import Any

import msgspec

from mechstudio.model import expression, fields, law_texts
from mechstudio.model.findings import Finding, Severity
from mechstudio.model.mechanism import GROUND, Body, Mechanism
from mechstudio.model.project import Camera, Group, Lesson, Parameter, Plot, Project, Settings, Unread
from mechstudio.model.quantity import Quantity
from mechstudio.model.version import VERSION
from mechstudio.model.work_plane import is_sound

from . import checks, schema
from .json_text import Doubled, JsonError, dump, encoded, parse
from .kinds import NOTE, VECTOR, NotUnderstood, clean, is_odd
from .migrations import FORMAT, migrate
from .schema import Schema, read_element, write_element

HEADER = "mechstudio"
_MECHANISM = {"bodies": schema.BODY_SCHEMA, "joints": schema.JOINT_SCHEMA, "couplings": schema.COUPLING_SCHEMA, "drives": schema.DRIVE_SCHEMA, "forces": schema.FORCE_SCHEMA}
_LISTS = ("parameters", *_MECHANISM, "groups", "pictures", "plots")
_ORDER = ("note", "lesson", "settings", "gravity", "view", "parameters", "ground", *_MECHANISM, "groups", "pictures", "plots")
_WORDS = {"parameters": "Parameter", "bodies": "Body", "joints": "Joint", "couplings": "Coupling", "drives": "Drive", "forces": "Force", "groups": "Group", "pictures": "Picture", "plots": "Plot", "note": "The note", "lesson": "The lesson",
          "settings": "The settings", "gravity": "Gravity", "view": "The view", "ground": "Ground"}
_GRAVITY = Mechanism().gravity
_GROUND = Mechanism().ground


class ProjectFileError(ValueError):
    """Why a file cannot be read or written, in one sentence."""


class Loaded(msgspec.Struct, frozen=True):
    """What a file holds.  camera: None if the file has no view.   findings: what was not understood or does not agree."""

    project: Project
    camera: Camera | None = None
    findings: tuple[Finding, ...] = ()


# writing

def encode(project: Project, camera: Camera | None = None) -> bytes:
    """The file's text; equal projects give equal bytes.

    Raises ProjectFileError for a project that no file can hold, such as one with a length that is not finite.
    """
    try:
        return encoded(_text(project, camera))
    except (TypeError, ValueError) as error:
        raise ProjectFileError(f"The project cannot be written: {checks.lowered(str(error))}") from error


def _text(project: Project, camera: Camera | None) -> str:
    version = project.extra.get(HEADER, FORMAT)
    sections = [f'"{HEADER}": {dump(version)}, "written_by": {dump(VERSION)}']
    lone, lists = _objects(project, camera)
    keys = [*_ORDER, *(k for k in project.extra if k not in (*_ORDER, HEADER, "written_by"))]
    keys += [u.section for u in project.unread if u.section not in keys]
    for key in dict.fromkeys(keys):
        kept = [u for u in project.unread if u.section == key]
        if key in _LISTS:
            lines = [dump(o) for o in lists[key]]
            for u in sorted(kept, key=lambda u: u.index):
                lines.insert(u.index, _canonical(u))
            if lines:
                sections.append(f'"{key}": [\n ' + ",\n ".join(lines) + "\n]")
        elif key in lone:
            sections.append(f'"{key}": {dump(lone[key])}')
        elif kept:
            sections.append(f"{dump(key)}: {_canonical(kept[0])}")
        elif key in project.extra and key not in _ORDER:
            sections.append(f"{dump(key)}: {_lines(project.extra[key])}")
    return "{" + ",\n".join(sections) + "\n}\n"


def _canonical(unread: Unread) -> str:
    """What was not understood, checked once more, since it goes into the file as it stands."""
    return dump(parse(unread.raw))


def _lines(value: Any) -> str:
    """An unknown section: a list of objects one per line, like our own; anything else on one line."""
    if isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
        return "[\n " + ",\n ".join(map(dump, value)) + "\n]"
    return dump(value)


def _objects(project: Project, camera: Camera | None) -> tuple[dict[str, Any], dict[str, list]]:
    """The JSON values of the sections that are not at their defaults."""
    m = project.mechanism
    lone: dict[str, Any] = {}
    if project.note:
        lone["note"] = project.note
    if project.lesson != Lesson():
        lone["lesson"] = write_element(schema.LESSON_SCHEMA, project.lesson)
    if project.settings != Settings():
        lone["settings"] = write_element(schema.SETTINGS_SCHEMA, project.settings)
    if m.gravity != _GRAVITY:
        lone["gravity"] = VECTOR.write(m.gravity)
    unknown = project.extra.get("view", {})
    if camera is not None or unknown:
        lone["view"] = {**(write_element(schema.CAMERA_SCHEMA, camera) if camera is not None else {}), **unknown}
    if m.ground != _GROUND:
        ground = write_element(schema.GROUND_SCHEMA, m.ground)
        if (m.ground.placement, m.ground.mass, m.ground.center_of_mass, m.ground.inertia, m.ground.initial_velocity) != (_GROUND.placement, None, None, None, None):
            raise ValueError("Ground has a place, mass or velocity, which ground cannot have.")
        lone["ground"] = ground
    lists = {"parameters": [write_element(schema.PARAMETER_SCHEMA, p) for p in project.parameters.values()],
             "groups": [write_element(schema.GROUP_SCHEMA, g) for g in project.groups.values()],
             "pictures": [write_element(schema.PICTURE_SCHEMA, p) for p in project.pictures.values()],
             "plots": [write_element(schema.PLOT_SCHEMA, p) for p in project.plots]}
    for section, known in _MECHANISM.items():
        lists[section] = [write_element(known, e) for e in getattr(m, section).values()]
    return lone, lists


# reading

def decode(data: bytes) -> Loaded:
    """The project of a file's text.

    Raises ProjectFileError, and nothing else, for what is no project at all; everything else that cannot be used is kept for
    the next save and named in the findings.
    """
    document, version, findings = _document(data)
    reader = _Reader(document, findings)
    project = reader.project()
    extra = dict(reader.extra)
    if version > FORMAT:
        extra = {HEADER: version, **extra}
    return Loaded(msgspec.structs.replace(project, unread=tuple(reader.unread), extra=extra), reader.camera, tuple(findings))


def _document(data: bytes) -> tuple[dict[str, Any], int, list[Finding]]:
    """The top-level object as the present version would have written it, its own version, and findings about that."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ProjectFileError("The project cannot be read: it is text in UTF-16, and a project is text in UTF-8.")
    try:
        document = parse(data)
    except JsonError as error:
        if HEADER.encode() not in data[:4096]:
            raise ProjectFileError("This is not a mechstudio project.") from error
        raise ProjectFileError(f"The project cannot be read: {error}.") from error
    if isinstance(document, Doubled):
        document = _merged(document)
    if not isinstance(document, dict) or HEADER not in document:
        raise ProjectFileError("This is not a mechstudio project.")
    version = document.pop(HEADER)
    writer = document.pop("written_by", "")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise ProjectFileError("The project cannot be read: its format number in line one is damaged.")
    if version <= FORMAT:
        return migrate(document, version), version, []
    by = f", mechstudio {writer}," if clean(writer, 40) and writer else ""
    return document, version, [Finding("warning", "", f"The file was written by a newer version{by} in format {version}; this one knows format {FORMAT}.",
                                       "What is not understood is kept in the file when you save; open it with the newer version to use it.")]


def _merged(pairs: Doubled) -> dict[str, Any]:
    """Sections that stand twice, as a careless merge leaves them: lists follow one another, equal values are one."""
    out: dict[str, Any] = {}
    for key, value in pairs:
        if key not in out or out[key] == value:
            out[key] = value
        elif type(out[key]) is list and type(value) is list:
            out[key] = out[key] + value
        else:
            raise ProjectFileError(f'The project cannot be read: "{key[:40]}" stands twice in it, with different contents.')
    return out


class _Reader:
    """Takes a document apart.  known: parameter values for the texts.   moved: parameters whose value is not the stored one.   taken: ids in use."""

    def __init__(self, document: dict[str, Any], findings: list[Finding]) -> None:
        self.document = document
        self.findings = findings
        self.unread: list[Unread] = []
        self.extra: dict[str, Any] = {}
        self.camera: Camera | None = None
        self.taken = set(checks.RESERVED)
        self.mechanism = Mechanism()
        self.known: expression.Names = {}
        self.moved: set[str] = set()

    def project(self) -> Project:
        parameters = self.parameters()
        ground = self.lone("ground", self.ground, _GROUND)
        bodies = self.elements("bodies", schema.BODY_SCHEMA, checks.check_body)
        all_bodies = {**bodies, GROUND: ground}
        joints = self.elements("joints", schema.JOINT_SCHEMA, lambda j: checks.check_joint(j, all_bodies))
        # drives, cams and laws take their dimensions from the joints
        self.mechanism = Mechanism(bodies, joints, ground=ground)
        couplings = self.elements("couplings", schema.COUPLING_SCHEMA, lambda c: checks.check_coupling(c, joints))
        drives = self.elements("drives", schema.DRIVE_SCHEMA, lambda d: checks.check_drive(d, joints))
        forces = self.elements("forces", schema.FORCE_SCHEMA, lambda f: checks.check_force(f, all_bodies, joints))
        grouped: set[str] = set()
        groups = self.elements("groups", schema.GROUP_SCHEMA, lambda g: checks.check_group(g, bodies, grouped))
        pictures = self.elements("pictures", schema.PICTURE_SCHEMA)
        self.taken = set()
        plots = self.elements("plots", schema.PLOT_SCHEMA)
        gravity = self.lone("gravity", self.gravity, _GRAVITY)
        settings = self.lone("settings", self.settings, Settings())
        lesson = self.lone("lesson", lambda json: self.complete(schema.LESSON_SCHEMA, json, "", "The lesson"), Lesson())
        note = self.lone("note", lambda json: NOTE.read(json, "note"), "")
        self.camera = self.lone("view", self.view, None)
        self.rest()
        # the numbers that typed laws take from parameters are not in the file
        mechanism = law_texts.bound_mechanism(Mechanism(bodies, joints, forces, ground, gravity, couplings, drives), self.known)
        return Project(mechanism, parameters, settings, tuple(plots.values()), lesson, note, groups=groups, pictures=pictures)

    # one section

    def lone(self, section: str, read: Callable[[Any], Any], default: Any) -> Any:
        """A section that is no list of elements."""
        if section not in self.document:
            return default
        before = len(self.findings)
        try:
            return read(self.document[section])
        except NotUnderstood as error:
            del self.findings[before:]
            self.refuse(section, 0, self.document[section], error)
            return default

    def entries(self, section: str) -> list:
        """A list section; anything else counts as a list of one, which then is not understood."""
        value = self.document.get(section, [])
        return value if type(value) is list else [value]

    def elements(self, section: str, known: Schema, check: Callable[[Any], None] = lambda element: None) -> dict[str, Any]:
        out = {}
        for index, json in enumerate(self.entries(section)):
            id = _id(json)
            before = len(self.findings)
            try:
                if id in self.taken:
                    raise NotUnderstood("its id is already taken" if section != "plots" else "another plot has its id")
                element = self.complete(known, json, id, f"{_WORDS[section]} {_id(json, 'name') or id}")
                check(element)
                element = self.settled(element, id, f"{_WORDS[section]} {getattr(element, 'name', id)}")
            except NotUnderstood as error:
                del self.findings[before:]
                self.refuse(section, index, json, error)
            else:
                out[id] = element
            if id:
                self.taken.add(id)
        return out

    def complete(self, known: Schema, json: Any, id: str, title: str) -> Any:
        """An element with what it has besides; a finding names that."""
        element, unknown = read_element(known, json)
        element = schema.keep(element, unknown)
        names = [*unknown, *_nested(element)]
        if names:
            self.unknown(id, title, names)
        return element

    def settled(self, element: Any, id: str, title: str) -> Any:
        if not isinstance(element, Group | Plot):                      # which have no numbers
            element, findings = checks.settle(element, id, title, self.known, self.moved, self.mechanism)
            element, more = checks.settle_laws(element, id, title, self.known, self.mechanism)
            self.findings += findings + more
        return element

    # the special ones

    def parameters(self) -> dict[str, Parameter]:
        """All parameters, their texts evaluated in the order of their dependencies."""
        raw: dict[str, Parameter] = {}
        places: dict[str, tuple[int, Any]] = {}
        for index, json in enumerate(self.entries("parameters")):
            name = _id(json, "name")
            try:
                expression_name(name)
                if name in self.taken:
                    raise NotUnderstood("its name is already taken")
                raw[name] = self.complete(schema.PARAMETER_SCHEMA, json, name, f"Parameter {name}")
                places[name] = (index, json)
            except NotUnderstood as error:
                self.refuse("parameters", index, json, error, name)
            if name:
                self.taken.add(name)
        while True:
            resolved, problems = expression.resolve(raw)
            refused = self.hopeless(raw, resolved, problems, places)
            if not refused:
                break
            raw = {name: p for name, p in raw.items() if name not in refused}
        self.moved = {name for name, p in resolved.items() if not checks.same(p.value.value, raw[name].value.value)}
        for name, parameter in resolved.items():
            for field in fields.fields(parameter, name):
                before, after = (fields.read(p, field.path) for p in (raw[name], parameter))
                if before is None or after is None or not before.text:
                    continue
                if checks.same(before.value, after.value):
                    resolved[name] = parameter = fields.write(parameter, field.path, before)
                elif math.isfinite(before.value) and not expression.names_in(before.text) & self.moved:
                    self.findings.append(checks.disagreement(name, f"Parameter {name}", field, before))
            if name in problems:
                self.findings.append(Finding("warning", name, f"Parameter {name} keeps the number stored in the file: {str(problems[name]).rstrip('.')}.",
                                             "Type its value again."))
        self.known = {name: (p.value.value, p.dimension) for name, p in resolved.items()}
        return resolved

    def hopeless(self, raw: dict[str, Parameter], resolved: dict[str, Parameter], problems: dict[str, expression.ExpressionError],
                 places: dict[str, tuple[int, Any]]) -> set[str]:
        """Parameters without any value, or with one out of bounds; they are refused."""
        refused = set()
        for name, parameter in resolved.items():
            for field in fields.fields(parameter, name):
                q: Quantity | None = fields.read(parameter, field.path)
                reason = "" if q is None else str(problems.get(name, "it has no value")) if math.isnan(q.value) else fields.problem(field, q.value)
                if reason and name not in refused:
                    refused.add(name)
                    self.refuse("parameters", places[name][0], places[name][1], NotUnderstood(checks.lowered(reason)), name)
        return refused

    def ground(self, json: Any) -> Body:
        forbidden = ("position", "orientation", "mass", "center_of_mass", "inertia", "initial_velocity")
        for key in forbidden if isinstance(json, dict) else ():
            if key in json:
                raise NotUnderstood(f'it has a "{key}", which ground cannot have')
        ground = self.complete(schema.GROUND_SCHEMA, json, GROUND, "Ground")
        checks.check_body(ground)
        return self.settled(ground, GROUND, "Ground")

    def settings(self, json: Any) -> Settings:
        settings = self.complete(schema.SETTINGS_SCHEMA, json, fields.SETTINGS, "The settings")
        return self.settled(settings, fields.SETTINGS, "The settings")

    def gravity(self, json: Any) -> Any:
        return self.settled(VECTOR.read(json, "gravity"), fields.GRAVITY, "Gravity")

    def view(self, json: Any) -> Camera:
        camera, unknown = read_element(schema.CAMERA_SCHEMA, json)
        numbers = (*camera.target, camera.azimuth, camera.elevation, camera.distance)
        if any(abs(n) > fields.LARGEST for n in numbers) or not camera.distance > 0:
            raise NotUnderstood("its numbers are out of all bounds")
        if camera.plane is not None and (not is_sound(camera.plane) or any(abs(n) > fields.LARGEST for n in camera.plane.origin)):
            raise NotUnderstood("its work plane has no two directions across each other")
        if is_odd(unknown):
            raise NotUnderstood("it holds something that is no number")
        if unknown:
            self.extra["view"] = unknown
        return camera

    def rest(self) -> None:
        """Sections that this version does not know."""
        names = []
        for key, json in self.document.items():
            if key in _ORDER:
                continue
            if is_odd(json) or is_odd(key):
                self.unread.append(Unread(key, 0, encoded(dump(json))))
            else:
                self.extra[key] = json
            names.append(key)
        if names:
            self.unknown("", "The file", names)

    # findings

    def refuse(self, section: str, index: int, json: Any, error: NotUnderstood, id: str | None = None) -> None:
        id = _id(json) if id is None else id
        name = _id(json, "name") or id or str(index + 1)
        what = f"{_WORDS[section]} {name}" if section in _LISTS else _WORDS[section]
        self.unread.append(Unread(section, index, encoded(dump(json)), id if section != "plots" else ""))
        severity: Severity = "error" if section in ("parameters", "ground", *_MECHANISM) else "warning"
        self.findings.append(Finding(severity, id if section in _LISTS else "", f"{what} cannot be used: {str(error).rstrip('.')}.", error.cure))

    def unknown(self, id: str, title: str, names: list[str]) -> None:
        listed = ", ".join(checks.shown(n) for n in dict.fromkeys(names[:8])) + (" and more" if len(names) > 8 else "")
        self.findings.append(Finding("warning", id, f"{title} has entries that this version does not know: {listed}.",
                                     "They are kept in the file; a newer mechstudio can use them."))


def expression_name(name: str) -> None:
    """Raises NotUnderstood where a parameter cannot be called so."""
    try:
        expression.check_name(name)
    except expression.ExpressionError as error:
        raise NotUnderstood(str(error).rstrip(".")) from None


def _id(json: Any, key: str = "id") -> str:
    """The id of an element as it stands in the file, empty if it has none that could be shown."""
    value = json.get(key, "") if isinstance(json, dict) else ""
    return value if clean(value, 200) else ""


def _nested(element: Any) -> list[str]:
    """Unknown entries of the parts of an element: shapes, points, frames, limits, laws."""
    parts = [part for key in ("shapes", "points", "limits") for part in getattr(element, key, ())]
    parts += [getattr(element, key, None) for key in ("frame_a", "frame_b", "law")] + list(getattr(element, "laws", {}).values())
    return [name for part in parts if part is not None for name in part.extra]
