"""The scene that a viewport shows: a project's, with bodies where they are, ghosts, and what lies
along a line of sight.
"""

import time
from dataclasses import replace

import numpy as np

from mechstudio.application.scene import Scene, SceneSteps, drawn_poses, only_placed, row_poses
from mechstudio.application.scene.display_size import view_size
from mechstudio.application.scene.pictures import crossed, picture_planes
from mechstudio.application.scene.principal_axes import PrincipalCross, principal_crosses
from mechstudio.application.signal import Signal
from mechstudio.model.fields import CONTACTS
from mechstudio.model.geometry.rotation import Pose
from mechstudio.model.geometry.work_plane import WorkPlane
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Camera, Project
from mechstudio.translation import tr
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.look import Part
from mechstudio.view.scene.picking import Hit, Picker

CROSSES = 12  # selected elements up to which principal axes are shown
# parts of size, or of a quaternion, by which a body must be elsewhere to have a ghost
STANDS = 1e-6
FLOOR_REACH = 1.0  # how far the floor can be pointed at, in distances of the camera


class ShownScene:
    """Project with its scene, built when it is needed, and the poses of its bodies.

    ghost: poses of all rows (r, 8) and ids of the bodies drawn there once more, translucent; no
    ids: those that stand elsewhere than where they are shown.
    outdated(part): a part of the picture (look.Part) is out of date.
    """

    def __init__(self) -> None:
        self.outdated = Signal()
        self.project: Project | None = None
        self.ghost: tuple[np.ndarray, frozenset[str] | None] | None = None
        self._built: Scene | None = None  # of the project; None until it is needed
        self._steps = SceneSteps(Project())
        self._made_of: Mechanism | None = None  # with whose places of bodies the scene was made
        self._requested: np.ndarray | None = None  # poses of bodies, None as drawn
        self._placed: np.ndarray | None = None  # poses of rows; None until they are needed
        self._picker: Picker | None = None
        self._crosses: tuple[frozenset[str], dict[str, PrincipalCross]] | None = None

    def _outdate(self, part: Part) -> None:
        self.outdated.emit(part)

    # ---- the project

    def set_project(self, project: Project, standing: Project | None = None) -> None:
        """Show a project as drawn.  The camera stays, unless it was never set and there is now
        something to see.

        standing: the same with bodies where they will be shown, from which glyphs between bodies
        are made.
        """
        standing = standing or project
        # wheels and belts are made for the places of their axes, all else moves with the bodies
        moved = standing.mechanism.couplings and standing.mechanism is not self._made_of
        if self.project is not None and project.mechanism is self.project.mechanism and not moved:
            other, self.project = project.pictures is not self.project.pictures, project
            if other:
                self._built = replace(self.scene, pictures=picture_planes(project))
                self._outdate("pictures")
            return
        self.project = project
        # made in the next turns, or when it is requested: an edit has enough to do in one
        self._built, self._steps, self._made_of = None, SceneSteps(standing), standing.mechanism
        self._picker = self._requested = self._placed = self._crosses = self.ghost = None
        self._outdate("scene")

    @property
    def is_built(self) -> bool:
        """True if the scene of the project is there."""
        return self._built is not None

    def build(self, step: float) -> bool:
        """Make some of the scene, for so many seconds; returns whether it is complete."""
        end = time.thread_time() + step
        self._steps.go_on(lambda: time.thread_time() > end)
        self._built = self._steps.scene
        return self.is_built

    @property
    def scene(self) -> Scene:
        """The scene of the project."""
        if self._built is None:
            self._built = self._steps.finish()
        return self._built

    @property
    def size(self) -> float:
        """Display size of the mechanism [m]; it is known before the scene is made."""
        if self._built is not None:
            return self._built.size
        return view_size((self.project or Project()).mechanism)

    # ---- places of bodies

    def set_poses(self, poses: np.ndarray | None) -> None:
        """poses: (bodies, 7) place [m] and quaternion w x y z of every body in file order without
        ground; None: as drawn.
        """
        count = 0 if self.project is None else len(self.project.mechanism.bodies)
        if poses is not None and np.shape(poses) != (count, 7):
            raise ValueError(
                tr(
                    "The scene has {count} bodies and was given poses of shape {shape}.",
                    count=count,
                    shape=np.shape(poses),
                )
            )
        self._requested, self._placed = None if poses is None else np.array(poses, float), None
        self._outdate("poses")

    def pose_of(self, body: str) -> Pose | None:
        """Pose of a body in W as it is shown; None where there is none."""
        m = None if self.project is None else self.project.mechanism
        if m is None or body not in m.bodies:
            return None
        if self._requested is None:
            return m.bodies[body].placement.pose
        x, y, z, *turn = map(float, self._requested[list(m.bodies).index(body)])
        a, b, c, d = turn
        return (x, y, z), (a, b, c, d)

    @property
    def poses(self) -> np.ndarray:
        """Poses of all rows (r, 8) as they are shown."""
        if self._placed is None:
            requested = self._requested
            drawn = drawn_poses(self.project or Project()) if requested is None else requested
            self._placed = row_poses(self.scene.rows, drawn)
        return self._placed

    def set_placed(self, project: Project) -> None:
        """Show a project that is being dragged: by moving what is there where only places of bodies
        differ, which costs little, else again.
        """
        if self.project is not None and only_placed(self.project, project):
            self.set_poses(drawn_poses(project))
        else:
            self.set_project(project)
            self.set_poses(None)

    def set_ghost(self, poses: np.ndarray | None, bodies: frozenset[str] | None = None) -> None:
        """Draw bodies once more, translucent, at other poses (bodies, 7) as of set_poses, until
        None or another project is set.

        bodies: ids; None for those that stand elsewhere than where they are shown.
        """
        if poses is not None and np.shape(poses) != self.scene.drawn.shape:
            raise ValueError(
                tr(
                    "The scene has {count} bodies and was given a ghost of shape {shape}.",
                    count=len(self.scene.drawn),
                    shape=np.shape(poses),
                )
            )
        if poses is None and self.ghost is None:
            return
        self.ghost = None if poses is None else (row_poses(self.scene.rows, poses), bodies)
        self._outdate("ghost")

    def ghost_rows(self) -> tuple[np.ndarray | None, tuple[int, ...]]:
        """Poses of all rows and the rows of the bodies that are drawn as ghosts."""
        if self.ghost is None:
            return None, ()
        (rows, bodies), scene = self.ghost, self.scene
        if bodies is not None:
            return rows, tuple(k for k, id in enumerate(scene.bodies) if k and id in bodies)
        apart = np.abs(rows - self.poses)[: len(scene.bodies)]
        elsewhere = (apart > STANDS * np.repeat((1.0, scene.size), 4)).any(axis=1)
        return rows, tuple(np.flatnonzero(elsewhere).tolist())

    def crosses(self, selected: frozenset[str]) -> dict[str, PrincipalCross]:
        """Principal axes of the selection; those of many bodies would only clutter the view."""
        if self.project is None or len(selected) > CROSSES:
            return {}
        if self._crosses is None or self._crosses[0] != selected:
            crosses = principal_crosses(self.project.mechanism, selected, self.scene.glyph)
            self._crosses = (selected, crosses)
        return self._crosses[1]

    # ---- what lies along a line of sight

    @property
    def picker(self) -> Picker:
        """Picker of the scene."""
        if self._picker is None:
            self._picker = Picker(self.scene)
        return self._picker

    def hit(
        self,
        camera: Camera,
        size: tuple[float, float],
        x: float,
        y: float,
        glyphs: bool,
        section: WorkPlane | None = None,
    ) -> Hit | None:
        """The element under a pixel of a picture.  glyphs: True if marks are shown.  section: the
        plane before which everything is cut away.
        """
        ray = whole = lens.ray(camera, size, x, y)
        cut = None if section is None else lens.section(camera, section, 0.0)
        if cut is not None:
            ray = lens.from_section(whole, cut)
        found = self.picker.mark(self.poses, camera, size, x, y) if glyphs else None
        found = found or self.picker.surface(self.poses, ray)
        if found is not None and found.inside and cut is not None and ray is not whole:
            found = Hit(found.id, ray.origin, False, np.array(cut[:3]))
        found = found or self._floor_hit(camera, ray)
        if not self.scene.pictures or (found is not None and found.on_mark):
            return found
        picture = crossed(self.scene.pictures, ray.origin, ray.direction)
        if picture is None:
            return found
        id, point, normal = picture
        before = found is None or (point - found.point) @ ray.direction < 0
        return Hit(id, point, False, normal) if before else found

    def _floor_hit(self, camera: Camera, ray: lens.Ray) -> Hit | None:
        """The floor on which bodies stand, where it is seen: from above, and not beyond where it
        has faded.
        """
        scene, up = self.scene, np.array([0.0, 0.0, 1.0])
        if not scene.solid_floor or ray.direction[2] >= 0:
            return None
        point = lens.on_plane(ray, np.array([0.0, 0.0, scene.floor]), up)
        if point is None:
            return None
        away = float(np.linalg.norm(point - camera.target))
        near = away <= FLOOR_REACH * max(camera.distance, scene.size)
        return Hit(CONTACTS, point, False, up) if near else None
