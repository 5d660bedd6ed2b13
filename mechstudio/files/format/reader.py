"""Taking the text of a project apart, section by section, so that nothing of it is lost: what is
not understood is kept as it stands.
"""

import math
from collections.abc import Callable
from typing import Any

import msgspec

from mechstudio.files.format import checks, mechanism_schemas, project_schemas, schema, sections
from mechstudio.files.format.entry_types import NOTE, QUANTITY, VECTOR, NotUnderstood, clean, is_odd
from mechstudio.files.format.json_text import dump, encoded, is_list, is_object
from mechstudio.files.format.lesson_schema import STEP_SCHEMA
from mechstudio.files.format.schema import Schema, read_element
from mechstudio.files.format.study_schema import STUDY_SCHEMA
from mechstudio.model import end_conditions, fields
from mechstudio.model.contact import ContactPair, Contacts
from mechstudio.model.findings import Finding, Severity, listed
from mechstudio.model.formulas import expression
from mechstudio.model.laws import texts
from mechstudio.model.mechanism import GROUND, Body, Mechanism
from mechstudio.model.naming import is_shown, presentable, quoted
from mechstudio.model.project import (
    Camera,
    Gauge,
    Group,
    Lesson,
    Mark,
    Measurement,
    Plot,
    PlotLayout,
    Project,
    ReportChoice,
    Settings,
    Step,
    Unread,
    View,
)
from mechstudio.model.quantity import ZERO, Parameter, Quantity
from mechstudio.model.studies.setup import StudySetup
from mechstudio.translation import comma, tr

APART = (
    "plots",
    "marks",
    "views",
    "measurements",
    "steps",
    "studies",
)  # sections whose ids are their own


class Reader:
    """Takes a document apart.  known: parameter values for the texts.  moved: parameters whose
    value is not the stored one.  taken: ids in use.
    """

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
        ground = self.lone("ground", self.ground, sections.DEFAULT_GROUND)
        bodies = self.elements("bodies", mechanism_schemas.BODY_SCHEMA, checks.check_body)
        all_bodies = {**bodies, GROUND: ground}
        joints = self.elements(
            "joints", mechanism_schemas.JOINT_SCHEMA, lambda j: checks.check_joint(j, all_bodies)
        )
        # drives, cams and laws take their dimensions from the joints
        self.mechanism = Mechanism(bodies, joints, ground=ground)
        couplings = self.elements(
            "couplings",
            mechanism_schemas.COUPLING_SCHEMA,
            lambda c: checks.check_coupling(c, joints),
        )
        drives = self.elements(
            "drives", mechanism_schemas.DRIVE_SCHEMA, lambda d: checks.check_drive(d, joints)
        )
        forces = self.elements(
            "forces",
            mechanism_schemas.FORCE_SCHEMA,
            lambda f: checks.check_force(f, all_bodies, joints),
        )
        grouped: set[str] = set()
        groups = self.elements(
            "groups", project_schemas.GROUP_SCHEMA, lambda g: checks.check_group(g, bodies, grouped)
        )
        pictures = self.elements("pictures", project_schemas.PICTURE_SCHEMA)
        gauges = self.elements(
            "gauges",
            project_schemas.GAUGE_SCHEMA,
            lambda gauge: checks.check_gauge(gauge, all_bodies, joints),
        )
        self.taken = set[str]()
        plots = self.elements("plots", project_schemas.PLOT_SCHEMA)
        self.taken = set[str]()
        marks = self.elements(
            "marks",
            project_schemas.MARK_SCHEMA,
            lambda mark: checks.check_mark(mark, all_bodies, joints),
        )
        self.taken = set[str]()
        views = self.elements(
            "views",
            project_schemas.VIEW_SCHEMA,
            lambda view: checks.check_camera(view.camera, bodies),
        )
        self.taken = set[str]()
        measurements = self.elements(
            "measurements", project_schemas.MEASUREMENT_SCHEMA, checks.check_measurement
        )
        self.taken = set[str]()
        steps = self.elements("steps", STEP_SCHEMA, checks.check_step)
        self.taken = set[str]()
        studies = self.elements("studies", STUDY_SCHEMA)
        layout = self.lone("plot_layout", self.plot_layout, None)
        report = self.lone("report", self.report, None)
        contacts = self.lone("contacts", self.contacts, sections.DEFAULT_CONTACTS)
        gravity = self.lone("gravity", self.gravity, sections.DEFAULT_GRAVITY)
        start = self.lone("start", self.start, ZERO)
        settings = self.lone("settings", self.settings, Settings())
        lesson = self.lone(
            "lesson",
            lambda json: self.complete(project_schemas.LESSON_SCHEMA, json, "", tr("The lesson")),
            Lesson(),
        )
        note = self.lone("note", lambda json: NOTE.read(json, "note"), "")
        self.camera = self.lone("view", self.view, None)
        self.rest()
        # the numbers that typed laws take from parameters are not in the file
        mechanism = texts.bound_mechanism(
            Mechanism(bodies, joints, forces, ground, gravity, couplings, drives, contacts, start),
            self.known,
        )
        return Project(
            mechanism,
            parameters,
            settings,
            tuple(plots.values()),
            lesson,
            note,
            groups=groups,
            pictures=pictures,
            marks=tuple(marks.values()),
            plot_layout=layout,
            views=tuple(views.values()),
            measurements=tuple(measurements.values()),
            gauges=gauges,
            steps=tuple(steps.values()),
            studies=tuple(studies.values()),
            report=report,
        )

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

    def entries(self, section: str) -> list[Any]:
        """A list section; anything else counts as a list of one, which then is not understood."""
        value = self.document.get(section, [])
        return value if is_list(value) else [value]

    def elements(
        self, section: str, known: Schema, check: Callable[[Any], None] = lambda element: None
    ) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for index, json in enumerate(self.entries(section)):
            id = _id(json)
            before = len(self.findings)
            try:
                entry = self.named(json, id, section)
                if id in self.taken:
                    raise NotUnderstood(
                        tr("its id is already taken")
                        if section not in APART
                        else tr(
                            "another {section} has its id", section=sections.WORDS[section].lower()
                        )
                    )
                element = self.complete(
                    known, entry, id, f"{sections.WORDS[section]} {_id(entry, 'name') or id}"
                )
                check(element)
                element = self.settled(
                    element, id, f"{sections.WORDS[section]} {getattr(element, 'name', id)}"
                )
            except NotUnderstood as error:
                del self.findings[before:]
                self.refuse(section, index, json, error)
            else:
                out[id] = element
            if id:
                self.taken.add(id)
        return out

    def named(self, json: Any, id: str, section: str) -> Any:
        """The entry of an element, its name as a label can show it; a finding says where that
        changes it.
        """
        name = json.get("name") if is_object(json) else None
        if not is_object(json) or not isinstance(name, str) or is_odd(name) or is_shown(name):
            return json
        shown = presentable(name) or id
        self.findings.append(
            Finding(
                "info",
                id,
                tr(
                    "{section} {shown} had a name that cannot be shown; it is called so now.",
                    section=sections.WORDS[section],
                    shown=quoted(shown),
                ),
                tr("Saving keeps the new name."),
            )
        )
        return json | {"name": shown}

    def complete(self, known: Schema, json: Any, id: str, title: str) -> Any:
        """An element with its unknown entries; a finding names them."""
        element, unknown = read_element(known, json)
        element = schema.keep(element, unknown)
        names = [*_odd_names(element), *_nested(element)]
        if names:
            self.unknown(id, title, names)
        return element

    def settled(self, element: Any, id: str, title: str) -> Any:
        if not isinstance(
            element, Gauge | Group | Plot | Mark | View | Measurement | Step | StudySetup
        ):  # which have no numbers
            element, findings = checks.settle(
                element, id, title, self.known, self.moved, self.mechanism
            )
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
                _check_name(name)
                if name in self.taken:
                    raise NotUnderstood(tr("its name is already taken"))
                raw[name] = self.complete(
                    project_schemas.PARAMETER_SCHEMA, json, name, tr("Parameter {name}", name=name)
                )
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
        self.moved = {
            name
            for name, p in resolved.items()
            if not checks.same(p.value.value, raw[name].value.value)
        }
        for name, parameter in resolved.items():
            for field in fields.fields(parameter, name):
                before, after = (fields.read(p, field.path) for p in (raw[name], parameter))
                if before is None or after is None or not before.text:
                    continue
                if checks.same(before.value, after.value):
                    resolved[name] = parameter = fields.write(parameter, field.path, before)
                elif (
                    math.isfinite(before.value)
                    and not expression.names_in(before.text) & self.moved
                ):
                    self.findings.append(
                        checks.disagreement(name, tr("Parameter {name}", name=name), field, before)
                    )
            if name in problems:
                self.findings.append(
                    Finding(
                        "warning",
                        name,
                        tr(
                            "Parameter {name} keeps the number stored in the file: {problem}.",
                            name=name,
                            problem=str(problems[name]).rstrip("."),
                        ),
                        tr("Type its value again."),
                    )
                )
        self.known = {name: (p.value.value, p.dimension) for name, p in resolved.items()}
        return resolved

    def hopeless(
        self,
        raw: dict[str, Parameter],
        resolved: dict[str, Parameter],
        problems: dict[str, expression.ExpressionError],
        places: dict[str, tuple[int, Any]],
    ) -> set[str]:
        """Parameters without any value, or with one out of bounds; they are refused."""
        refused: set[str] = set()
        for name, parameter in resolved.items():
            for field in fields.fields(parameter, name):
                q: Quantity | None = fields.read(parameter, field.path)
                reason = (
                    ""
                    if q is None
                    else str(problems.get(name, tr("it has no value")))
                    if math.isnan(q.value)
                    else fields.problem(field, q.value)
                )
                if reason and name not in refused:
                    refused.add(name)
                    self.refuse(
                        "parameters",
                        places[name][0],
                        places[name][1],
                        NotUnderstood(checks.lowered(reason)),
                        name,
                    )
        return refused

    def ground(self, json: Any) -> Body:
        forbidden = (
            "position",
            "orientation",
            "mass",
            "center_of_mass",
            "inertia",
            "initial_velocity",
        )
        for key in forbidden if isinstance(json, dict) else ():
            if key in json:
                raise NotUnderstood(tr('it has a "{key}", which ground cannot have', key=key))
        ground = self.complete(mechanism_schemas.GROUND_SCHEMA, json, GROUND, "Ground")
        checks.check_body(ground)
        return self.settled(ground, GROUND, "Ground")

    def settings(self, json: Any) -> Settings:
        settings = self.complete(
            project_schemas.SETTINGS_SCHEMA, json, fields.SETTINGS, tr("The settings")
        )
        if odd := end_conditions.unknown(settings.until, self.mechanism):
            raise NotUnderstood(
                tr(
                    'it shall end a run by "{channel}", which is no quantity of this mechanism',
                    channel=odd.channel[:40],
                )
            )
        return self.settled(settings, fields.SETTINGS, tr("The settings"))

    def contacts(self, json: Any) -> Contacts:
        contacts = self.complete(
            mechanism_schemas.CONTACTS_SCHEMA, json, fields.CONTACTS, "Contacts"
        )
        # a body that could not be used is in the file, and so is what was said of it
        there = {GROUND, *map(_id, self.entries("bodies"))}
        kept: dict[frozenset[str], ContactPair] = {}
        for pair in contacts.pairs:
            ends = frozenset((pair.body_a, pair.body_b))
            shown = listed([quoted(pair.body_a), quoted(pair.body_b)])
            wrong = (
                tr("but not both are there")
                if ends - there
                else tr("which are one body")
                if len(ends) < 2
                else tr("twice, of which the last counts")
                if ends in kept
                else ""
            )
            if wrong:
                self.findings.append(
                    Finding(
                        "warning",
                        fields.CONTACTS,
                        tr("Contacts name a pair of {shown}, {wrong}.", shown=shown, wrong=wrong),
                        tr("Switch the pair as it should be; saving writes what counts."),
                    )
                )
            if len(ends) == 2 and ends <= there:
                kept[ends] = pair
        return self.settled(
            msgspec.structs.replace(contacts, pairs=tuple(kept.values())),
            fields.CONTACTS,
            "Contacts",
        )

    def plot_layout(self, json: Any) -> PlotLayout:
        return self.complete(
            project_schemas.PLOT_LAYOUT_SCHEMA, json, "", tr("The layout of the plots")
        )

    def report(self, json: Any) -> ReportChoice:
        return self.complete(
            project_schemas.REPORT_SCHEMA, json, "", tr("The choice of the report")
        )

    def gravity(self, json: Any) -> Any:
        return self.settled(VECTOR.read(json, "gravity"), fields.GRAVITY, "Gravity")

    def start(self, json: Any) -> Any:
        return self.settled((QUANTITY.read(json, "start"),), fields.START, "The start")[0]

    def view(self, json: Any) -> Camera:
        camera, unknown = read_element(project_schemas.CAMERA_SCHEMA, json)
        checks.check_camera(camera, self.mechanism.bodies)
        if is_odd(unknown):
            raise NotUnderstood(tr("it holds something that is no number"))
        if unknown:
            self.extra["view"] = unknown
        return camera

    def rest(self) -> None:
        """Sections that this version does not know."""
        names: list[str] = []
        for key, json in self.document.items():
            if key in sections.ORDER:
                continue
            if is_odd(json) or is_odd(key):
                self.unread.append(Unread(key, 0, encoded(dump(json))))
            else:
                self.extra[key] = json
            names.append(key)
        if names:
            self.unknown("", tr("The file"), names)

    # findings

    def refuse(
        self, section: str, index: int, json: Any, error: NotUnderstood, id: str | None = None
    ) -> None:
        id = _id(json) if id is None else id
        name = _id(json, "name") or id or str(index + 1)
        what = (
            f"{sections.WORDS[section]} {name}"
            if section in sections.LISTS
            else sections.WORDS[section]
        )
        self.unread.append(
            Unread(section, index, encoded(dump(json)), id if section != "plots" else "")
        )
        severity: Severity = (
            "error" if section in ("parameters", "ground", *sections.MECHANISM) else "warning"
        )
        self.findings.append(
            Finding(
                severity,
                id if section in sections.LISTS else "",
                tr("{what} cannot be used: {error}.", what=what, error=str(error).rstrip(".")),
                error.cure,
            )
        )

    def unknown(self, id: str, title: str, names: list[str]) -> None:
        listed = comma().join(quoted(n) for n in dict.fromkeys(names[:8])) + (
            tr(" and more") if len(names) > 8 else ""
        )
        self.findings.append(
            Finding(
                "warning",
                id,
                tr(
                    "{title} has entries that this version does not know: {listed}.",
                    title=title,
                    listed=listed,
                ),
                tr("They are kept in the file; a newer mechstudio can use them."),
            )
        )


def _check_name(name: str) -> None:
    """Raises NotUnderstood where a parameter cannot be called so."""
    try:
        expression.check_name(name)
    except expression.ExpressionError as error:
        raise NotUnderstood(str(error).rstrip(".")) from None


def _id(json: Any, key: str = "id") -> str:
    """The id of an element as it stands in the file, empty if it has none that could be shown."""
    value = json.get(key, "") if is_object(json) else ""
    return value if clean(value, 200) else ""


def _odd_names(element: Any) -> list[str]:
    """Names of unknown parts of an element: entries, and choices among words with the word."""
    return [
        f'{name} "{value}"' if type(value) is str and hasattr(element, name) else name
        for name, value in getattr(element, "extra", {}).items()
    ]


def _nested(element: Any) -> list[str]:
    """Names of unknown entries in the parts of an element: shapes, points, frames, limits, laws,
    surfaces, pairs, the floor, settings of contacts, diagrams, styles.
    """
    parts = [
        getattr(element, key, None)
        for key in ("frame_a", "frame_b", "law", "surface", "floor", "contacts", "diagram")
    ]
    for key in ("laws", "styles"):
        parts += getattr(element, key, {}).values()
    for key in ("shapes", "points", "limits", "pairs", "parts"):
        many = getattr(element, key, ())
        parts += many if type(many) is tuple else ()
    return [
        name
        for part in parts
        if hasattr(part, "extra")
        for name in (*_odd_names(part), *_nested(part))
    ]
