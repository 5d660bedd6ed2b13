"""The formats in which equations are exported, for the window, the command line and the printers
(symbolic/exports/registry.py), and those of paths of points (application/marks/path_files.py).
"""

import msgspec

from mechstudio.translation import Words

EQUATIONS, MODEL, REPORT = "equations", "model", "report"  # pages of the export sheet


class ExportFormat(msgspec.Struct, frozen=True):
    """One format.

    id: as in commands.  label: as in menus, after "Copy as" or "Save as".  suffix: ending of its
    files.  text: whether it can be copied as text; others are files only.  kind: the files' kind in
    a dialog.  page: where the sheet of exports lists it.  short: in a row of choices.  simulates:
    it moves by itself, and holds all that is drawn or is refused.  cannot: content that it cannot
    hold.  group: its heading in a list.
    """

    id: str
    label: Words
    suffix: str
    kind: Words
    text: bool = True
    page: str = EQUATIONS
    short: Words = ""
    simulates: bool = False
    cannot: Words = ""
    group: Words = ""

    @property
    def report(self) -> bool:
        """True if it describes the mechanism beside its equations."""
        return self.page == REPORT


_UNSIMULATED: Words = "Contacts, stops and friction that sticks; shapes and colours."
EXPORTS: tuple[ExportFormat, ...] = (
    ExportFormat("latex", "LaTeX", ".tex", "LaTeX files"),
    ExportFormat("mathml", "MathML", ".mml", "MathML files"),
    ExportFormat("text", "Plain text", ".txt", "Text files"),
    ExportFormat("typst", "Typst", ".typ", "Typst files"),
    ExportFormat("pdf", "PDF", ".pdf", "PDF files", text=False),
    ExportFormat("sympy", "SymPy script", ".py", "Python files"),
    ExportFormat("python", "Python function", ".py", "Python files"),
    ExportFormat("c", "C function", ".c", "C files"),
    ExportFormat(
        "modelica",
        "Modelica model",
        ".mo",
        "Modelica files",
        page=MODEL,
        group="Simulation",
        simulates=True,
        cannot=_UNSIMULATED,
    ),
    ExportFormat(
        "fmu",
        "FMU for co-simulation (FMI 3.0)",
        ".fmu",
        "FMUs",
        text=False,
        page=MODEL,
        group="Simulation",
        simulates=True,
        cannot=_UNSIMULATED,
    ),
    ExportFormat(
        "notebook",
        "Jupyter notebook",
        ".ipynb",
        "Jupyter notebooks",
        text=False,
        simulates=True,
        cannot=_UNSIMULATED,
    ),
    ExportFormat("report-html", "Report as HTML", ".html", "HTML files", False, REPORT, "HTML"),
    ExportFormat("report-pdf", "Report as PDF", ".pdf", "PDF files", False, REPORT, "PDF"),
    ExportFormat(
        "report-typst",
        "Report as Typst, with its pictures",
        ".typ.zip",
        "Zip archives",
        text=False,
        page=REPORT,
        short="Typst",
    ),
    ExportFormat(
        "report-latex",
        "Report as LaTeX, with its pictures",
        ".tex.zip",
        "Zip archives",
        text=False,
        page=REPORT,
        short="LaTeX",
    ),
)
PATH_EXPORTS: tuple[ExportFormat, ...] = (
    ExportFormat("csv", "Table", ".csv", "Tables of comma-separated values"),
    ExportFormat("dxf", "DXF", ".dxf", "DXF drawings for CAD"),
    ExportFormat("svg", "SVG", ".svg", "SVG drawings true to scale"),
)
BY_ID = {f.id: f for f in EXPORTS}


def by_suffix(suffix: str) -> ExportFormat | None:
    """The format that a file's ending stands for, the first one of several; None for an unknown
    ending.
    """
    return next((f for f in EXPORTS if f.suffix == suffix.lower()), None)


def stem_of(name: str) -> str:
    """A file's name without the ending of any format, or without its own."""
    found = [f.suffix for f in EXPORTS if name.lower().endswith(f.suffix)]
    return name[: -len(max(found, key=len))] if found else name.rpartition(".")[0] or name
