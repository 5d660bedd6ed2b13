"""Parts from other programs, whatever their format: surfaces of triangles, and profiles that become
plates.
"""

from pathlib import Path
from typing import NamedTuple

from mechstudio.files import meshes
from mechstudio.files.meshes import UNITS, MeshFile, load_mesh, rescaled
from mechstudio.files.profiles import profile
from mechstudio.files.profiles.profile import Profile, load_profile, plate
from mechstudio.model.rounding import round_near

MESHES, PROFILES = meshes.SUFFIXES, profile.SUFFIXES
READ = "mm"  # unit in which a surface is read
GLTF = (".glb", ".gltf")  # in metres
SHARE = 0.05  # of a profile's extent, for the thickness of a plate before it is typed


class Part(NamedTuple):
    """A part as it was read.

    source: surface read in millimetres, or a profile in the file's unit.  unit: key of UNITS that
    the file names, or "mm".
    """

    source: MeshFile | Profile
    unit: str = READ

    @property
    def is_profile(self) -> bool:
        """True if it needs a thickness."""
        return isinstance(self.source, Profile)

    def usual_thickness(self, unit: str) -> float:
        """A round thickness [m] for a plate of a profile in a unit; zero for a surface."""
        if not isinstance(self.source, Profile):
            return 0.0
        return round_near(SHARE * self.source.extent * UNITS[unit])

    def made(self, unit: str, thickness: float) -> MeshFile:
        """The part in a unit, a plate with a thickness [m].  Raises MeshFileError."""
        if isinstance(self.source, Profile):
            return plate(self.source, thickness, unit)
        return rescaled(self.source, READ, unit)


def load_part(path: str | Path) -> Part:
    """The part of a file.  Raises MeshFileError."""
    if Path(path).suffix.lower() in PROFILES:
        found = load_profile(path)
        return Part(found, found.unit)
    return Part(load_mesh(path, READ), "m" if Path(path).suffix.lower() in GLTF else READ)
