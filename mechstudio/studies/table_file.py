"""Tables of stored studies beside their project, and whether they are still of its drawing."""

import json
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mechstudio.model.edits.elements import parameter_values
from mechstudio.model.project import Project
from mechstudio.model.studies.setup import TARGET, StudySetup
from mechstudio.studies import measures, variations
from mechstudio.studies.table import StudyTable, digest_of, replaced
from mechstudio.translation import tr

SUFFIX = ".studies"  # of the folder beside the project
# what moves nothing
_WORDS = {"name", "color", "visible", "note", "kept", "extra", "minimum", "maximum", "slider"}
_TEXT = {"value", "text"}


class TableUnreadable(ValueError):
    """A table that cannot be read, and why, in one sentence."""


def folder_of(project_path: str | os.PathLike[str]) -> Path:
    """Folder of the tables of a project file."""
    return Path(project_path).with_suffix(SUFFIX)


def path_of(project_path: str | os.PathLike[str], id: str) -> Path:
    """File of the table of a study."""
    plain = "".join(c if c.isalnum() else "_" for c in id)
    return folder_of(project_path) / f"{plain}.npz"


def bare(project: Project, varied: Sequence[str]) -> bytes:
    """The part of a project that its runs depend on, without the values of the varied parameters:
    a number with a text is represented by the text.
    """
    parameters: dict[str, Any] = {
        name: p for name, p in project.parameters.items() if name not in varied
    }
    made = (project.mechanism, parameters, project.settings, project.gauges)
    return json.dumps(_bare(msgspec.to_builtins(made)), sort_keys=True).encode()


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        if value.keys() == _TEXT and value["text"]:
            return value["text"]
        # a typed law holds the present values of the parameters that it names
        law = value.get("type") == "expression" and "parameters" in value
        return {
            k: sorted(v) if law and k == "parameters" else _bare(v)
            for k, v in value.items()
            if k not in _WORDS
        }
    return [_bare(v) for v in value] if isinstance(value, list | tuple) else value


def fingerprint(project: Project, setup: StudySetup) -> str:
    """Digest of all that the rows of a stored study depend on; "" where it cannot be read as the
    project is.
    """
    try:
        found = [variations.read(f"{v.parameter}={v.values}", project) for v in setup.vary]
        of_setup = () if setup.is_fit else setup.measures
        measured = [measures.read_stored(m, project) for m in of_setup]
        searched = _searched(project, setup) if setup.is_search else ()
    except ValueError:
        return ""
    known = parameter_values(project)
    centre = [known[v.name][0] for v in found] if setup.one_at_a_time else []
    drawn = [(v.name, v.kind, v.numbers) for v in found]
    # the name of a quantity is none of its bits
    unnamed = [msgspec.structs.replace(m, text="", sign="", limit=0.0) for m in measured]
    rest = (
        setup.correlations,
        setup.method,
        setup.samples,
        setup.seed,
        setup.one_at_a_time,
        setup.duration,
        setup.sample_step,
        *((setup.runs, setup.data, setup.clock, setup.columns) if setup.is_fit else ()),
    )
    made = msgspec.msgpack.encode((drawn, centre, unnamed, rest, *searched))
    return digest_of(bare(project, [v.name for v in found]), made)


def _searched(project: Project, setup: StudySetup) -> tuple[Any, ...]:
    """Parts of a search that its rows depend on beside those of every study."""
    goals = [
        (m.goal, measures.target_of(m, project) if m.goal == TARGET else 0.0)
        for m in setup.measures
    ]
    limits = [(m.sign, m.limit) for m in (measures.read_stored(k, project) for k in setup.measures)]
    return (goals, limits, setup.runs)


def write(table: StudyTable, path: Path, digest: str) -> None:
    """Write a table, finished or not, with the digest of its study.  Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    words = {
        "digest": digest,
        "parameters": table.parameters,
        "measures": [m.text for m in table.measures],
        "title": list(table.title),
        "systems": table.system_names,
        "reasons": table.reasons,
        "notes": table.notes,
        "remarks": table.remarks,
    }
    arrays = {"varied": table.varied, "measured": table.measured, "systems": table.systems}
    if table.indices is not None:
        arrays["indices"] = np.stack(table.indices)
    with replaced(path) as file:
        np.savez(file, words=np.array(json.dumps(words, ensure_ascii=False)), **arrays)


def take_rows(table: StudyTable, path: Path, digest: str) -> None:
    """Put the rows of a table that was written before, of the same study, into those that are
    missing; a damaged one has none.
    """
    try:
        if digest_in(path) != digest:
            return
        words, arrays = _words(path)
        measured, systems = arrays["measured"], arrays["systems"]
        if measured.shape != table.measured.shape:
            return
    except (TableUnreadable, KeyError):
        return
    for number, name in enumerate(words["systems"]):
        places = np.flatnonzero((systems == number) & (table.systems < 0))
        if len(places):
            table.measured[places] = measured[places]
            table.mark(places, name)
            own = set(map(str, places.tolist()))
            table.reasons.update({int(k): v for k, v in words["reasons"].items() if k in own})
            table.notes.update({int(k): v for k, v in words["notes"].items() if k in own})


def digest_in(path: Path) -> str:
    """Digest of the study of a table; "" where there is no table.  Raises TableUnreadable."""
    return _words(path)[0].get("digest", "") if path.exists() else ""


def _words(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    try:
        with np.load(path, allow_pickle=False) as held:
            arrays: dict[str, np.ndarray] = {name: held[name] for name in held.files}
        words = json.loads(str(arrays.pop("words")))
        if not isinstance(words, dict):
            raise ValueError
        return words, arrays
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise TableUnreadable(
            tr("The table {file} cannot be read; run the study again.", file=path.name)
        ) from error


def read(path: Path, project: Project, setup: StudySetup) -> tuple[StudyTable, str]:
    """The table of a study and the digest that it was written with.  Raises TableUnreadable where
    it is damaged, or is not of these parameters and measures.
    """
    words, arrays = _words(path)
    try:
        varied, measured, systems = (arrays[n] for n in ("varied", "measured", "systems"))
        unnamed = tuple(measures.read_stored(m, project) for m in setup.measures)
        names = [v.parameter for v in setup.vary]
        if (
            names != list(words["parameters"])
            or measured.shape != (len(varied), len(unnamed))
            or systems.shape != (len(varied),)
            or varied.shape[1:] != (len(names),)
            or not (len(varied) and systems.min() >= -1 and systems.max() < len(words["systems"]))
        ):
            raise ValueError
        dimensions = {n: project.parameters[n].dimension for n in names}
        table = StudyTable(dimensions, unnamed, varied.astype(float), tuple(words["title"]))
        table.measured, table.systems = measured.astype(float), systems.astype(np.int16)
        table.system_names = [str(s) for s in words["systems"]]
        table.reasons = {int(k): str(v) for k, v in words["reasons"].items()}
        table.notes = {int(k): str(v) for k, v in words["notes"].items()}
        table.remarks = tuple(map(str, words.get("remarks", ())))
        if "indices" in arrays:
            first, total = arrays["indices"]
            table.indices = (first, total)
        return table, str(words["digest"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise TableUnreadable(
            tr(
                "The table {file} is of other parameters or measures; run the study again.",
                file=path.name,
            )
        ) from None
