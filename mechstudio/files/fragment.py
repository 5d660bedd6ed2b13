"""A part of a drawing as a short text, for the clipboard or a chat, and such a text back into a
part.

The text is a project file of just that part (format/codec.py), with an entry "kind": "part".  So a
part can be saved and opened as a file, and a whole file can be pasted.
"""

import re
from collections.abc import Collection

import msgspec

from mechstudio.files.format.codec import HEADER, ProjectFileError, decode, encode
from mechstudio.files.pictures import is_absolute
from mechstudio.model import fields
from mechstudio.model.edits.clipboard import SECTIONS, needed, part_of
from mechstudio.model.edits.elements import parameter_values, put_element
from mechstudio.model.findings import Finding
from mechstudio.model.formulas import expression
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.translation import Words, tr

KIND = "kind"
PART = "part"
LONGEST = 16 * 2**20  # characters of a text that is searched
_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
# what word processors and chats make of straight quotes and spaces
_TYPOGRAPHIC = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "\u00a0": " ", "\u202f": " ", "\u200b": "", "\ufeff": ""}
)

FOREIGN: Words = (
    "The clipboard holds no part of a mechanism: copy one here or in another window first."
)


class FragmentError(ValueError):
    """Reason why a text cannot be pasted, in one sentence."""


class Fragment(msgspec.Struct, frozen=True):
    """Contents of a text.  whole: it is a whole file, not a part.  findings: what of it was left
    out or changed.
    """

    project: Project
    whole: bool = False
    findings: tuple[Finding, ...] = ()


def write(project: Project, ids: Collection[str]) -> str:
    """The chosen elements with all that they stand on, and the parameters that they name, as a
    text.

    Raises ProjectFileError for what no file can hold.
    """
    part = part_of(project, needed(project.mechanism, ids))
    return encode(msgspec.structs.replace(part, extra={KIND: PART})).decode("utf-8")


def read(text: str) -> Fragment:
    """The part, or the whole project, of a text; what stands around it (quotation marks, fences, a
    greeting) is passed over.

    Raises FragmentError, and nothing else, with one sentence for a text that holds none.
    """
    if not text.strip():
        raise FragmentError(tr("The clipboard is empty: copy a part of a mechanism first."))
    if len(text) > LONGEST:
        raise FragmentError(
            tr(
                "The text in the clipboard has {count:.0f} million characters, which is too much "
                "for a paste: save it as a file and open that.",
                count=len(text) / 1e6,
            )
        )
    if HEADER not in text or "{" not in text:
        raise FragmentError(tr(FOREIGN))
    loaded, reason = None, tr(FOREIGN)
    for attempt in _readings(text):
        try:
            loaded = decode(attempt.encode("utf-8", "backslashreplace"))
            break
        except ProjectFileError as error:
            # the first attempt is the text as it came: its reason is the one that helps
            reason = _sentence(str(error)) if reason == tr(FOREIGN) else reason
    if loaded is None:
        raise FragmentError(reason)
    project, kind = loaded.project, loaded.project.extra.get(KIND)
    unknown = tr(
        "{title} has entries that this version does not know: {listed}.",
        title=tr("The file"),
        listed=KIND,
    )
    findings = [f for f in loaded.findings if f.message != unknown]
    if kind == PART:
        project = msgspec.structs.replace(
            project, extra={k: v for k, v in project.extra.items() if k != KIND}
        )
    project, more = _plain(project)
    project, lost = _without_stray_pictures(project)
    if not project.parameters and not any(getattr(project.mechanism, s) for s in SECTIONS):
        why = f": {findings[0].message}" if findings and project.unread else "."
        raise FragmentError(
            tr("The text in the clipboard holds no body, joint or force{why}", why=why)
        )
    return Fragment(project, kind != PART, (*findings, *more, *lost))


def _readings(text: str):
    """The text from the first brace to the last, as it stands; then without marks of quoting; then
    with straight quotes.
    """
    for candidate in (text, _QUOTED.sub("", text), _QUOTED.sub("", text).translate(_TYPOGRAPHIC)):
        begin, end = candidate.find("{"), candidate.rfind("}")
        yield candidate[begin : end + 1] if 0 <= begin < end else candidate.strip()


def _sentence(reason: str) -> str:
    """A reason of the codec, of a text that was pasted."""
    if tr("This is not a mechstudio project.") in reason:
        return tr(FOREIGN)
    inner = reason.removeprefix("The project cannot be read: ").rstrip(".")
    return tr(
        "The text in the clipboard is damaged ({inner}): copy it once more, from its first brace "
        "to its last.",
        inner=inner,
    )


def _without_stray_pictures(project: Project) -> tuple[Project, list[Finding]]:
    """The project without pictures whose paths start from a folder that a text does not name."""
    stray = [id for id, p in project.pictures.items() if not is_absolute(p.path)]
    findings = [
        Finding(
            "warning",
            id,
            tr(
                "The picture {picture} was left out: its file lies beside the project that the "
                "text comes from.",
                picture=project.pictures[id].name,
            ),
        )
        for id in stray
    ]
    return msgspec.structs.replace(
        project, pictures={id: p for id, p in project.pictures.items() if id not in stray}
    ), findings


def _plain(project: Project) -> tuple[Project, list[Finding]]:
    """The project with the number in place of each text that has no value, as of a parameter that
    did not come along.
    """
    known, findings = parameter_values(project), list[Finding]()
    for id, element in fields.elements(project):
        changed, lost = element, ""
        for field in fields.every(element, id, project.mechanism):
            q = fields.read(element, field.path)
            if q is None or not q.text:
                continue
            try:
                expression.evaluate(q.text, field.dimension, known)
            except expression.ExpressionError:
                changed, lost = fields.write(changed, field.path, Quantity(q.value)), q.text
        if changed is not element:
            project = put_element(project, id, changed)
            findings.append(
                Finding(
                    "warning",
                    id,
                    tr(
                        "{getattr}: {lost} has no value here; its number was pasted.",
                        getattr=getattr(element, "name", id),
                        lost=lost,
                    ),
                )
            )
    return project, findings
