"""mechstudio check FILE: what is counted of a mechanism and everything that is worth a remark."""

from collections.abc import Iterator, Sequence
from typing import Any

from mechstudio.cli.arguments import file_command
from mechstudio.model.findings import Finding
from mechstudio.model.project import Project
from mechstudio.model.results.analysis import Structure

_SEVERITIES = {"error": "Error", "warning": "Warning", "info": "Note"}


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "check",
        "mobility, hyperstaticity and findings",
        "Tell the structure and mobility of a mechanism and "
        "everything that is worth a remark. Exit status: 0 it can be simulated, 1 it has "
        "errors, 2 the file cannot be read.",
    )
    command.add_argument("--json", action="store_true", help="one JSON object on standard output")


def check_report(project: Project, structure: Any, findings: Sequence[Finding]) -> dict[str, Any]:
    """Report that `check --json` prints; the numbers that an unreadable structure does not have are
    null.
    """
    names = (
        "mobility",
        "mobility_drawn",
        "configuration_freedom",
        "hyperstaticity",
        "loops",
        "structure",
        "count",
    )
    return {
        "bodies": len(project.mechanism.bodies),
        "joints": len(project.mechanism.joints),
        **{n: getattr(structure, n, None) for n in names},
        "findings": [
            {
                "severity": f.severity,
                "element": f.element,
                "message": f.message,
                "cure": f.cure,
                **({"kept": kept} if (kept := _kept(project, f)) else {}),
            }
            for f in findings
        ],
    }


def check_lines(
    project: Project,
    structure: Structure | None,
    report: dict[str, Any],
    findings: Sequence[Finding],
) -> Iterator[str]:
    """The same in lines for a terminal."""
    shown = {k: "–" if v is None else v for k, v in report.items()}
    if project.lesson.title:
        yield project.lesson.title
    yield (
        f"{_count(report['bodies'], 'moving body', 'moving bodies')}, "
        f"{_count(report['joints'], 'joint', 'joints')}, {shown['structure']} structure"
    )
    of = (
        f" of {shown['configuration_freedom']}" if structure is not None and structure.rolls else ""
    )
    driven = f" (driven {structure.driven})" if structure is not None and structure.drives else ""
    yield (
        f"Mobility {shown['mobility']}{of}{driven} · Hyperstatic {shown['hyperstaticity']} · "
        f"Loops {shown['loops']} · Count {shown['count']}"
    )
    if report["mobility"] != report["mobility_drawn"]:
        yield f"As drawn the mobility is {shown['mobility_drawn']}: a special pose."
    for f in findings:
        kept = _kept(project, f)
        cure = f"Kept: {kept}." if kept else f.cure
        yield f"{_SEVERITIES[f.severity]}: {f.message} {cure}".rstrip()


def _kept(project: Project, finding: Finding) -> str:
    """Reason why the redundancy of a finding was kept; empty if it was not, or is none."""
    m = project.mechanism
    element = m.joints.get(finding.element) or m.couplings.get(finding.element)
    return element.kept if element is not None and finding.redundancy >= 0 else ""


def _count(n: int, one: str, many: str) -> str:
    return f"{n} {one if n == 1 else many}"
