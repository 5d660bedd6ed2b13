"""A pointer in space for tests of tools: a camera, and pixels of points of W."""

from mechstudio.application.tools.eye import on_plane
from mechstudio.application.tools.tool import Pointer
from mechstudio.model.project import Camera
from mechstudio.view.scene.eye import CameraEye

SIZE = (1000, 800)
CORNER = Camera((0.2, 0.1, 0.1), -60.0, 25.0, 1.8)


class Hand:
    """Points at points of W and clicks there, as the viewport would tell a tool."""

    def __init__(self, context, camera=CORNER):
        self.context, self.eye = context, CameraEye(camera, SIZE)

    def at(self, point, dx=0.0, dy=0.0, **keys):
        x, y = self.eye.pixel_of(point)
        x, y = x + dx, y + dy
        place = on_plane(self.eye, x, y, self.context.plane)
        return Pointer(place, self.eye.pixel_size(place or point), x=x, y=y, eye=self.eye, **keys)

    def click(self, tool, point, dx=0.0, dy=0.0, **keys):
        pointer = self.at(point, dx, dy, **keys)
        tool.move(pointer)
        tool.press(pointer)
        tool.release(pointer)

    def on_face(self, tool, point, normal, body, click=False, **keys):
        """Point at a place of a body's surface."""
        pointer = self.at(point, element=body, body=body, surface=point, normal=normal, **keys)
        tool.move(pointer)
        if click:
            tool.press(pointer)
        return pointer
