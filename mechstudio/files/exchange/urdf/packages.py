"""Files that a URDF names: beside it, in its package, or in a package found above it."""

from pathlib import Path, PurePosixPath, PureWindowsPath

from mechstudio.files.exchange.xml_text import Node, fault
from mechstudio.model.naming import quoted
from mechstudio.translation import tr

ABOVE = 8  # folders above the file in which packages are looked for
PACKAGE = "package.xml"
SCHEMES = ("package://", "model://")


def found_file(said: str, urdf: Path, node: Node) -> Path | None:
    """The file that a URDF names; None where it is not there.  Raises ExchangeError for a path
    that leads out of the package.
    """
    name = said.replace("\\", "/")
    if not name or "\0" in name:
        raise fault(node, tr("it names no file."))
    scheme = next((s for s in SCHEMES if name.startswith(s)), "")
    name = name.removeprefix(scheme).removeprefix("file://")
    if scheme:
        name = name.lstrip("/")  # package:///name is found too
    rel = PurePosixPath(name)
    if not rel.parts:
        raise fault(node, tr("it names no file."))
    if rel.is_absolute() or PureWindowsPath(said).drive:
        raise fault(
            node, tr("{file} is an absolute path, and is not read.", file=quoted(said, 120))
        )
    folder = urdf.resolve().parent
    roots = [folder, *folder.parents][: ABOVE + 1]
    if scheme:
        if ".." in rel.parts:
            raise fault(
                node, tr("{file} leads out of its package, and is not read.", file=quoted(said))
            )
        # the package's folder may have its name, or lie under it
        tries = [root / rel for root in roots]
        tries += [root.joinpath(*rel.parts[1:]) for root in roots if root.name == rel.parts[0]]
        tries.append(folder.joinpath(*rel.parts[1:]))
        tries += [root.joinpath(*rel.parts[1:]) for root in roots[1:3]]
    else:
        home = next(
            (root for root in roots[:4] if (root / PACKAGE).is_file()),
            roots[min(2, len(roots) - 1)],
        )
        path = (folder / rel).resolve()
        if not path.is_relative_to(home):
            raise fault(
                node, tr("{file} leads out of its package, and is not read.", file=quoted(said))
            )
        tries = [path]
    return next((path for path in tries if path.is_file()), None)
