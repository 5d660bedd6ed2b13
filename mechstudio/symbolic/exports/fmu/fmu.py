"""An FMU of a derivation: its description, its C, and a binary of this system where a compiler is
found.
"""

import hashlib
import html
import math
import platform
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from mechstudio.model.equations.terms import Equations, Known
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.types.forces import is_motor
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.units import SYSTEMS
from mechstudio.symbolic.errors import DerivationError
from mechstudio.symbolic.exports import c_code
from mechstudio.symbolic.exports.archive import zipped
from mechstudio.symbolic.exports.fmu.runtime import source
from mechstudio.symbolic.exports.law_functions import Pieces, of_course
from mechstudio.symbolic.exports.motion_laws import TIME, C, written
from mechstudio.symbolic.exports.simulation.motion import Motion
from mechstudio.symbolic.exports.simulation.rows import open_rows
from mechstudio.symbolic.exports.words import distinct, model_name, symbol_names
from mechstudio.symbolic.printers.printable import line
from mechstudio.translation import tr

LONGEST, SHORTEST = 5e-3, 1e-9  # [s] steps of the solver
MOST = 2_000_000  # steps in one of the importer
TOLERANCE = 1e-12  # of a step's error, of each coordinate and rate and SIZE
APART = 1e-6  # [m, rad, m^2] of a row that repeats others, where it no longer does
SIZE = 0.1  # [m, rad, m/s, rad/s]
COMPILERS = ("cc", "gcc", "clang")
PATIENCE = 300.0  # s that a compiler may take
_HEADER = """void equations(const double *q, const double *v, double t, const double *p,
               double *M, double *b, double *g_q, double *C, double *C_q, double *gamma);
void forces(const double *q, const double *v, double t, const double *p, double *tau);
void potential(const double *q, const double *v, double t, const double *p, double *U);
void law_readings(const double *q, const double *v, double t, const double *p, double *readings);
"""
_ENDINGS = {"linux": ".so", "darwin": ".dylib", "win32": ".dll"}


class Variable(NamedTuple):
    """A variable of the FMU.  causality, start: as in FMI; start None for outputs."""

    name: str
    reference: int
    causality: str
    start: float | None
    unit: str
    meaning: str


class Model:
    """The numbers of an FMU, and its files.

    attitudes: per three angles psi, theta, phi of an attitude the first column, and the sum [rad]
    of theta and of the theta of the other three that mean the same.  remarks: sentences on where
    the functions hold.
    """

    def __init__(
        self,
        equations: Equations,
        mechanism: Mechanism,
        title: str,
        motion: Motion,
        functions: Mapping[str, Pieces],
        remarks: Sequence[str] = (),
    ) -> None:
        if not motion.is_started:
            raise DerivationError(motion.remark)
        self.e, self.title, self.motion = equations, title, motion
        self.accuracy, self.remarks = "", tuple(map(line, (*remarks, *motion.remarks)))
        self.attitudes = _attitudes(equations, mechanism)
        self.identifier = model_name(title)[:60].rstrip("_")
        self._symbols = symbol_names(equations)
        self.code = c_code.printed(equations, title, functions)
        self._index = {k.name.name: i for i, k in enumerate(equations.parameters)}
        self.courses = [c for c in motion.courses if c.name in self._index]
        self._motors = {f.id for f in mechanism.forces.values() if is_motor(f.type)}
        self.token = hashlib.sha256((self.code + self._data("")).encode()).hexdigest()

    # C

    def _data(self, token: str) -> str:
        """Constants of the model in C."""
        e, kept = self.e, self.motion.kept
        n, p = len(e.coordinates), len(e.parameters)
        rows = range(len(e.multipliers))
        lines = [
            f'#define TOKEN "{token}"',
            f"enum {{ N = {n}, R = {len(e.multipliers)}, K = {len(kept)}, P = {p}, "
            f"D = {len(self.courses)}, "
            f"OPEN = {open_rows(e)} }};",
            f"static const double longest_step = {LONGEST!r}, shortest_step = {SHORTEST!r};",
            f"static const double tolerance = {TOLERANCE!r}, size = {SIZE!r}, apart = {APART!r};",
            f"static const long most_steps = {MOST}L;",
            f"static const double start_potential = {self.motion.potential!r};",
            f"static const double course_ends = {self.motion.laws_end!r};",
            _array("double", "start_q", self.motion.q),
            _array("double", "start_v", self.motion.v),
            _array("double", "start_p", [self._start_of(k) for k in e.parameters]),
            _array("int", "start_kept", kept),
            _array("int", "rolling", [int(k in self.motion.rolling) for k in rows]),
            _array("int", "driven", [self._course_of(k) for k in rows]),
        ]
        for i, course in enumerate(self.courses):
            rows = of_course(course).rows
            body = ",\n".join("    {" + ", ".join(map(repr, row)) + "}" for row in rows)
            lines.append(f"static const double course_{i}[{len(rows)}][7] = {{\n{body}}};")
        rows = [
            f"{{course_{i}, {len(of_course(c).rows)}, {self._index[c.name]}, "
            f"{self._index.get(c.rate, -1)}, {self._index.get(c.acceleration, -1)}}}"
            for i, c in enumerate(self.courses)
        ]
        lines.append(
            "static const struct { const double (*rows)[7]; int count, place, rate, acceleration; "
            f"}} courses[{max(1, len(rows))}] = {{{', '.join(rows) or '{0, 0, 0, 0, 0}'}}};"
        )
        return "\n".join([*lines, *self._motion_laws()]) + "\n"

    def _motion_laws(self) -> list[str]:
        """The function that puts what laws make of the motion into the parameters."""
        head = "static void read_motion(const double *q, const double *v, double t, double *p)"
        laws = self.motion.laws
        if not laws.laws:
            return [head, "{", "    (void)q; (void)v; (void)t; (void)p;", "}"]
        out = [head, "{", f"    double x[{max(1, 2 * len(laws.readings))}];"]
        out.append("    law_readings(q, v, t, p, x);" if laws.readings else "    (void)q; (void)v;")
        for law in laws.laws:
            done = written(
                law,
                C,
                lambda x: "t" if x.of == TIME else f"x[{2 * x.of + x.is_rate}]",
                "l{}".format,
            )
            out.append("    {")
            out += [f"        const double {name} = {text};" for name, text in done.lines]
            out.append(f"        p[{self._index[law.name]}] = {done.value};")
            if law.rate in self._index:
                out.append(f"        p[{self._index[law.rate]}] = {done.slope};")
            out.append("    }")
        return [*out, "}"]

    def _start_of(self, known: Known) -> float:
        return self.motion.held.get(known.name.name, known.value)

    def _course_of(self, row: int) -> int:
        """Number of the course that a row of C prescribes, -1 for none."""
        course = self.motion.driven.get(row)
        return next((i for i, c in enumerate(self.courses) if c is course), -1)

    def sources(self) -> dict[str, str]:
        """C files by name."""
        return {
            "equations.h": _HEADER,
            "equations.c": self.code,
            "model.c": source(self._data(self.token)),
        }

    # description

    def variables(self) -> list[Variable]:
        """All variables, in the order of their references."""
        e = self.e
        follow = {x for c in self.courses for x, _ in c.symbols}
        follow |= {x for law in self.motion.laws.laws for x in (law.name, law.rate)}
        own = ("time", "kinetic_energy", "potential_energy", "gap")
        names = distinct(self._symbols, own)
        out = [Variable("time", 0, "independent", None, "s", tr("time"))]
        taken: set[str] = set(own)

        def fresh(name: str) -> str:
            while name in taken:
                name += "_"
            taken.add(name)
            return name

        for k in e.parameters:
            of_motor = bool(self._motors & set(k.sources)) and not k.name.name.startswith("k_")
            causality = "input" if of_motor else "parameter"
            if k.name.name in follow:
                causality = "local"
            name = fresh(names[k.name.name])
            unit = _unit(k.dimension)
            out.append(Variable(name, len(out), causality, self._start_of(k), unit, k.meaning))
        for c in self.courses:
            known = e.parameters[self._index[c.name]]
            name = fresh(f"set_{names[c.name]}")
            meaning = (
                tr("place that the drive is led to, in place of its law")
                if c.drive
                else tr("value to use in place of the law: {meaning}", meaning=known.meaning)
            )
            out.append(
                Variable(name, len(out), "input", c.values[0], _unit(known.dimension), meaning)
            )
        for rate in (False, True):
            for u in e.coordinates:
                symbol = names[(u.velocity if rate else u.position).name]
                unit = _unit(u.dimension) + ("/s" if rate else "")
                meaning = f"{tr('rate')}: {u.meaning}" if rate else u.meaning
                out.append(Variable(fresh(symbol), len(out), "output", None, unit, meaning))
        out.append(Variable("kinetic_energy", len(out), "output", None, "J", tr("kinetic energy")))
        meaning = tr("potential energy of weights and of springs that follow no law")
        out.append(Variable("potential_energy", len(out), "output", None, "J", meaning))
        out.append(Variable("gap", len(out), "output", None, "m", tr("how far loops stand open")))
        return out

    def description(self) -> bytes:
        """modelDescription.xml."""
        said = " ".join(
            x for x in (tr("Equations of motion by mechstudio."), self.accuracy, *self.remarks) if x
        )
        root = ET.Element(
            "fmiModelDescription",
            {
                "fmiVersion": "3.0",
                "modelName": self.title,
                "instantiationToken": self.token,
                "description": said,
                "generationTool": "mechstudio",
                "variableNamingConvention": "flat",
            },
        )
        ET.SubElement(
            root,
            "CoSimulation",
            {
                "modelIdentifier": self.identifier,
                "canHandleVariableCommunicationStepSize": "true",
                "canGetAndSetFMUState": "true",
            },
        )
        variables = self.variables()
        units = ET.SubElement(root, "UnitDefinitions")
        for unit in sorted({v.unit for v in variables if v.unit}):
            ET.SubElement(units, "Unit", {"name": unit})
        ET.SubElement(
            root,
            "DefaultExperiment",
            {"startTime": "0.0", "stopTime": repr(self.motion.duration), "stepSize": "0.01"},
        )
        listed = ET.SubElement(root, "ModelVariables")
        for v in variables:
            attributes = {
                "name": v.name,
                "valueReference": str(v.reference),
                "causality": v.causality,
                "description": v.meaning,
            }
            if v.causality == "parameter":
                attributes["variability"] = "tunable"
            elif v.causality != "independent":
                attributes["variability"] = "continuous"
            if v.causality in ("parameter", "input"):
                attributes["start"] = repr(float(v.start or 0.0))
            if v.unit:
                attributes["unit"] = v.unit
            ET.SubElement(listed, "Float64", attributes)
        structure = ET.SubElement(root, "ModelStructure")
        for tag in ("Output", "InitialUnknown"):
            for v in variables:
                if v.causality == "output":
                    ET.SubElement(structure, tag, {"valueReference": str(v.reference)})
        ET.indent(root)
        return b'<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="utf-8")

    def build_description(self) -> bytes:
        """sources/buildDescription.xml."""
        root = ET.Element("fmiBuildDescription", {"fmiVersion": "3.0"})
        build = ET.SubElement(root, "BuildConfiguration", {"modelIdentifier": self.identifier})
        files = ET.SubElement(build, "SourceFileSet", {"language": "C99"})
        for name in ("model.c", "equations.c"):
            ET.SubElement(files, "SourceFile", {"name": name})
        ET.indent(root)
        return b'<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="utf-8")


def _attitudes(e: Equations, mechanism: Mechanism) -> tuple[tuple[int, float], ...]:
    """See Model: Rz(psi) Ry(theta) Rx(phi), or Rz(psi) Rx(theta) Rz(phi) of a disc on a floor."""
    names = [(u.position.letter, u.sources) for u in e.coordinates]
    out = []
    for k, (letter, sources) in enumerate(names[:-2]):
        three = [names[k + 1], names[k + 2]] == [("theta", sources), ("phi", sources)]
        if letter == "psi" and three:
            joint = mechanism.joints.get(sources[0])
            is_disc = joint is not None and JOINT_TYPES[joint.type].lies_on_floor
            out.append((k, 0.0 if is_disc else math.pi))
    return tuple(out)


def _array(kind: str, name: str, row: Sequence[float]) -> str:
    values = ", ".join(repr(float(x)) if kind == "double" else str(int(x)) for x in row) or "0"
    return f"static const {kind} {name}[{max(1, len(row))}] = {{{values}}};"


def _unit(dimension: str) -> str:
    """A unit as FMI names it."""
    symbol = SYSTEMS["m-N-rad"].get(dimension, "")
    return symbol.replace("·", ".").replace("²", "2").replace("³", "3")


def platform_folder() -> str:
    """Folder of this system's binaries, as FMI 3.0 names it."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(
        platform.machine().lower(), platform.machine().lower()
    )
    system = {"linux": "linux", "darwin": "darwin", "win32": "windows"}.get(sys.platform, "")
    return f"{machine}-{system}" if system else ""


def compiler() -> str:
    """Path of a C compiler of this system, "" where there is none."""
    if sys.platform not in _ENDINGS:
        return ""
    return next((found for name in COMPILERS if (found := shutil.which(name))), "")


def binary(model: Model) -> bytes | None:
    """The library of this system; None where no compiler is found or it fails."""
    path = compiler()
    if not path:
        return None
    with tempfile.TemporaryDirectory() as folder:
        for name, text in model.sources().items():
            Path(folder, name).write_text(text, "utf-8")
        out = Path(folder, f"model{_ENDINGS[sys.platform]}")
        shared = "-dynamiclib" if sys.platform == "darwin" else "-shared"
        command = [path, "-std=c99", "-O2", shared, "-fPIC", "-fvisibility=hidden", "-o", str(out)]
        try:
            subprocess.run(
                [*command, "model.c", "equations.c", "-lm"],
                cwd=folder,
                check=True,
                capture_output=True,
                timeout=PATIENCE,
            )
            return out.read_bytes()
        except (OSError, subprocess.SubprocessError):
            return None


def packed(model: Model) -> bytes:
    """The .fmu file: description, sources, and a binary of this system where one can be made."""
    from mechstudio.symbolic.exports.fmu.accuracy import accuracy_sentence

    library = binary(model)
    if library is not None:
        model.accuracy = accuracy_sentence(model, library)
    place = f"binaries/{platform_folder()}/{model.identifier}{_ENDINGS.get(sys.platform, '')}"
    contents = (
        tr("It holds a binary for {system}.", system=platform_folder())
        if library is not None
        else tr("It holds no binary, since no C compiler was found or it failed: compile sources/.")
    )
    files: dict[str, bytes] = {
        "modelDescription.xml": model.description(),
        "sources/buildDescription.xml": model.build_description(),
        **{f"sources/{name}": text.encode() for name, text in model.sources().items()},
        "documentation/index.html": _page(model, contents).encode(),
    }
    if library is not None:
        files[place] = library
    return zipped(files)


def _page(model: Model, contents: str) -> str:
    title = html.escape(model.title, quote=False)
    rule = tr(
        "Steps of at most {step:g} s by the Runge-Kutta method of fourth order, so short that a "
        "step and its two halves agree to {tolerance:g}.",
        step=LONGEST,
        tolerance=TOLERANCE,
    )
    closing = tr("Loops are closed again after each step.") if model.e.multipliers else ""
    sentences = (rule, closing, model.accuracy, *model.remarks, contents)
    said = "\n".join(f"<p>{html.escape(x, quote=False)}</p>" for x in sentences if x)
    return (
        f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>{title}</title></head>\n'
        f"<body><h1>{title}</h1>\n{said}</body></html>\n"
    )
