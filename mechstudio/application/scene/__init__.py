"""The abstract scene: what a viewport draws of a project, as plain arrays without Qt or a graphics
library.
"""

from mechstudio.application.scene.scene import (
    Scene,
    SceneSteps,
    build_scene,
    drawn_poses,
    only_placed,
    row_poses,
)

__all__ = ["Scene", "SceneSteps", "build_scene", "drawn_poses", "only_placed", "row_poses"]
