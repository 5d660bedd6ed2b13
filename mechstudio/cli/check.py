"""mechstudio check FILE: the counts of a mechanism and all findings."""

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from mechstudio.cli.arguments import file_command
from mechstudio.cli.outcome import AT_FAULT, DONE, CommandError, Render
from mechstudio.cli.terminal import json_text
from mechstudio.files.project_file import ProjectFileError
from mechstudio.files.project_file import load as load_file
from mechstudio.model.findings import Finding
from mechstudio.model.project import Project
from mechstudio.model.results.analysis import CHAINS, Structure
from mechstudio.translation import Words, tr, trn

_SEVERITIES: dict[str, Words] = {"error": "Error", "warning": "Warning", "info": "Note"}


def add_command(commands: Any) -> None:
    """Declare the command among the others (argparse's sub-parsers)."""
    command = file_command(
        commands,
        "check",
        tr("mobility, hyperstaticity and findings"),
        tr(
            "Tell the structure and mobility of a mechanism and everything that is worth a "
            "remark. Exit status: 0 it can be simulated, 1 it has errors, 2 the file cannot be "
            "read."
        ),
    )
    command.add_argument(
        "--json", action="store_true", help=tr("one JSON object on standard output")
    )


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
    yield tr(
        "{bodies}, {joints}, {chain}",
        bodies=trn("{count} moving body", "{count} moving bodies", report["bodies"]),
        joints=trn("{count} joint", "{count} joints", report["joints"]),
        chain=tr(CHAINS[report["structure"]]) if report["structure"] in CHAINS else "–",
    )
    of = (
        tr(" of {configuration_freedom}", configuration_freedom=shown["configuration_freedom"])
        if structure is not None and structure.rolls
        else ""
    )
    driven = (
        tr(" (driven {driven})", driven=structure.driven)
        if structure is not None and structure.drives
        else ""
    )
    yield tr(
        "Mobility {mobility}{of}{driven} · Hyperstatic {hyperstaticity} · Loops {loops} · Count "
        "{count}",
        mobility=shown["mobility"],
        of=of,
        driven=driven,
        hyperstaticity=shown["hyperstaticity"],
        loops=shown["loops"],
        count=shown["count"],
    )
    if report["mobility"] != report["mobility_drawn"]:
        yield tr(
            "As drawn the mobility is {mobility_drawn}: a special pose.",
            mobility_drawn=shown["mobility_drawn"],
        )
    for f in findings:
        kept = _kept(project, f)
        cure = tr("Kept: {kept}.", kept=kept) if kept else f.cure
        yield f"{tr(_SEVERITIES[f.severity])}: {f.message} {cure}".rstrip()


def _kept(project: Project, finding: Finding) -> str:
    """Reason why the redundancy of a finding was kept; empty if it was not, or is none."""
    m = project.mechanism
    element = m.joints.get(finding.element) or m.couplings.get(finding.element)
    return element.kept if element is not None and finding.redundancy >= 0 else ""


def command(options: argparse.Namespace, render: Render | None = None) -> int:
    """mechstudio check FILE [--json]."""
    from mechstudio.api.projects import check

    try:
        loaded = load_file(options.file)  # what was not understood stands among the findings
    except ProjectFileError as error:
        raise CommandError(str(error)) from None
    analysis = check(loaded.project)
    findings = (*loaded.findings, *analysis.findings)
    report = check_report(loaded.project, analysis.structure, findings)
    if options.json:
        print(json_text(report), end="")
    else:
        print("\n".join(check_lines(loaded.project, analysis.structure, report, findings)))
    return AT_FAULT if any(f.severity == "error" for f in findings) else DONE
