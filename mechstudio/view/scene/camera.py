"""The camera's mathematics: matrices, rays, fitting, standard views; no Qt."""

import math
from typing import NamedTuple

import numpy as np

from mechstudio.model.geometry.rotation import (
    IDENTITY,
    Pose,
    conjugate,
    minus,
    multiply,
    normalise,
    plus,
    rotate,
)
from mechstudio.model.geometry.rotation import matrix as rotation_matrix
from mechstudio.model.geometry.work_plane import WorkPlane
from mechstudio.model.project import Camera

LENS = math.tan(
    math.radians(13.0)
)  # half height of the picture at distance one: a lens of 26 degrees
NARROW = 1.25  # below this ratio of width to height the width decides
# fields of a camera that say where it looks, beside those of the work plane
POINT_OF_VIEW = (
    "target",
    "azimuth",
    "elevation",
    "distance",
    "perspective",
    "body",
    "turns",
    "frame",
)
# azimuth and elevation [deg] of the standard views
VIEWS = {
    "front": (-90.0, 0.0),
    "back": (90.0, 0.0),
    "right": (0.0, 0.0),
    "left": (180.0, 0.0),
    "top": (-90.0, 90.0),
    "bottom": (-90.0, -90.0),
    "corner": (-60.0, 20.0),
    "iso": (-60.0, 20.0),
}


class Ray(NamedTuple):
    """origin [m, W]; direction, unit."""

    origin: np.ndarray
    direction: np.ndarray


def axes(camera: Camera) -> np.ndarray:
    """Rows right, up, back of the camera in W (3, 3)."""
    own = own_axes(camera)
    return own if camera.frame == IDENTITY else own @ np.array(rotation_matrix(camera.frame)).T


def own_axes(camera: Camera) -> np.ndarray:
    """Rows right, up, back of the camera in the frame that it is turned in (3, 3)."""
    a, e = math.radians(camera.azimuth), math.radians(camera.elevation)
    ca, sa, ce, se = math.cos(a), math.sin(a), math.cos(e), math.sin(e)
    return np.array([(-sa, ca, 0.0), (-ca * se, -sa * se, ce), (ca * ce, sa * ce, se)])


def eye(camera: Camera) -> np.ndarray:
    """Position of the camera [m, W]."""
    return np.array(camera.target) + camera.distance * axes(camera)[2]


def half_extent(camera: Camera, size: tuple[float, float]) -> tuple[float, float]:
    """Half width and half height [m] of the view in the plane through the target."""
    ratio = size[0] / size[1]
    tall = camera.distance * LENS / min(1.0, ratio / NARROW)
    return tall * ratio, tall


def pixel(camera: Camera, size: tuple[float, float]) -> float:
    """Size of a pixel [m] in the plane through the target."""
    return 2 * half_extent(camera, size)[1] / size[1]


def facing(camera: Camera, plane: WorkPlane) -> Camera:
    """The camera turned so that it sees a work plane from straight before it, its u to the right
    where that lies level.
    """
    turned = conjugate(camera.frame)
    n, u = rotate(turned, plane.normal), rotate(turned, plane.u)
    azimuth = math.atan2(-u[0], u[1]) if abs(n[2]) > 0.999 else math.atan2(n[1], n[0])
    return replaced(
        camera,
        azimuth=math.degrees(azimuth),
        elevation=math.degrees(math.asin(min(1.0, max(-1.0, n[2])))),
    )


def matrix(camera: Camera, size: tuple[float, float], near: float, far: float) -> np.ndarray:
    """Points of W as columns to clip coordinates (4, 4); near, far: depths along the view [m]."""
    R = axes(camera)
    V = np.eye(4)
    V[:3, :3], V[:3, 3] = R, -R @ eye(camera)
    wide, tall = half_extent(camera, size)
    if camera.perspective:
        d = camera.distance
        P = np.array(
            [
                [d / wide, 0, 0, 0],
                [0, d / tall, 0, 0],
                [0, 0, -(far + near) / (far - near), -2 * far * near / (far - near)],
                [0, 0, -1, 0],
            ]
        )
    else:
        P = np.array(
            [
                [1 / wide, 0, 0, 0],
                [0, 1 / tall, 0, 0],
                [0, 0, -2 / (far - near), -(far + near) / (far - near)],
                [0, 0, 0, 1],
            ]
        )
    return P @ V


def finite(points: np.ndarray) -> np.ndarray:
    """The points (k, 3) that a picture can show: absurd drawings put others beyond all bounds."""
    with np.errstate(invalid="ignore"):
        return points[(np.abs(points) < 1e12).all(axis=1)]


def depth_range(camera: Camera, points: np.ndarray, margin: float) -> tuple[float, float]:
    """Near and far [m], tight about points (k, 3) with a margin [m]."""
    points = finite(points)
    depth = (eye(camera) - points) @ axes(camera)[2] if len(points) else np.array([camera.distance])
    near, far = float(depth.min()) - margin, float(depth.max()) + margin
    if camera.perspective:
        near = max(near, 0.02 * camera.distance)
    return near, max(far, near + margin)


def project(camera: Camera, size: tuple[float, float], points: np.ndarray) -> np.ndarray:
    """Pixels (k, 3): x to the right, y down, and depth [m]; a point behind the camera has depth
    below zero and x = y = nan.
    """
    d = (np.asarray(points, float).reshape(-1, 3) - eye(camera)) @ axes(camera).T
    wide, tall = half_extent(camera, size)
    depth = -d[:, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = (
            np.where(depth > 1e-9, camera.distance / depth, np.nan)
            if camera.perspective
            else np.ones(len(d))
        )
    return np.column_stack(
        [
            (d[:, 0] * scale / wide + 1) * size[0] / 2,
            (1 - d[:, 1] * scale / tall) * size[1] / 2,
            depth,
        ]
    )


def ray(camera: Camera, size: tuple[float, float], x: float, y: float) -> Ray:
    """The line of sight through a pixel."""
    R = axes(camera)
    wide, tall = half_extent(camera, size)
    across = (2 * x / size[0] - 1) * wide * R[0] + (1 - 2 * y / size[1]) * tall * R[1]
    if camera.perspective:
        d = across - camera.distance * R[2]
        return Ray(eye(camera), d / np.linalg.norm(d))
    return Ray(eye(camera) + across, -R[2])


def on_plane(r: Ray, point: np.ndarray, normal: np.ndarray) -> np.ndarray | None:
    """Intersection of a ray with a plane; None if there is none, or only one behind the camera."""
    slope = float(r.direction @ normal)
    if abs(slope) < 1e-9:
        return None
    t = float((point - r.origin) @ normal) / slope
    return None if t < 0 else r.origin + t * r.direction


def section(camera: Camera, plane: WorkPlane, slack: float) -> tuple[float, float, float, float]:
    """Normal and offset [m] of a cut at a plane: what lies beyond it, on the camera's side, is cut
    away.  slack [m]: faces that lie in the plane stay.
    """
    n = np.array(plane.normal)
    before = eye(camera) - plane.origin if camera.perspective else axes(camera)[2]
    n = n if before @ n >= 0.0 else -n
    return (float(n[0]), float(n[1]), float(n[2]), float(n @ plane.origin) + slack)


def from_section(r: Ray, cut: tuple[float, float, float, float]) -> Ray:
    """A ray that begins where it leaves what is cut away."""
    n, offset = np.array(cut[:3]), cut[3]
    slope, before = float(n @ r.direction), float(n @ r.origin) - offset
    return Ray(r.origin - before / slope * r.direction, r.direction) if before > 0 > slope else r


def zoomed(camera: Camera, point: np.ndarray, factor: float) -> Camera:
    """The camera moved towards a point, which stays where it is in the picture; factor below one
    comes closer.
    """
    target = point + (np.array(camera.target) - point) * factor
    return replaced(camera, target=tuple(target), distance=camera.distance * factor)


def replaced(camera: Camera, **changes) -> Camera:
    """A camera with other values, plain floats."""
    values = {f: getattr(camera, f) for f in POINT_OF_VIEW} | changes
    values["target"] = tuple(float(c) for c in values["target"])
    values["distance"] = float(min(max(values["distance"], 1e-6), 1e6))
    values["elevation"] = float(min(max(values["elevation"], -90.0), 90.0))
    values["azimuth"] = float((values["azimuth"] + 180.0) % 360.0 - 180.0)
    return Camera(**values)


def carried(camera: Camera, pose: Pose) -> Camera:
    """The camera in W of one that follows a body at a pose."""
    place, turn = pose
    target, frame = camera.target, camera.frame
    if camera.turns:
        target, frame = rotate(turn, target), normalise(multiply(turn, frame))
    return replaced(camera, target=plus(place, target), frame=frame)


def held(camera: Camera, pose: Pose) -> Camera:
    """The camera in W in the axes of its body at a pose, the reverse of `carried`."""
    place, turn = pose
    target, frame = minus(camera.target, place), camera.frame
    if camera.turns:
        back = conjugate(turn)
        target, frame = rotate(back, target), normalise(multiply(back, frame))
    return replaced(camera, target=target, frame=frame)


def fitted(
    camera: Camera, size: tuple[float, float], points: np.ndarray, fill: float = 0.72
) -> Camera:
    """The camera turned as it is, moved so that points (k, 3) fill that share of the picture as
    tightly as they go.
    """
    points = finite(points)
    if not len(points):
        return camera
    R = axes(camera)
    p = points @ R.T
    unit_wide, unit_tall = (h / camera.distance for h in half_extent(camera, size))
    middle, back = np.zeros(3), []
    for k, slope in ((0, unit_wide * fill), (1, unit_tall * fill)):
        if camera.perspective:  # the tightest pyramid: each side touches one point
            plus, minus = (p[:, k] / slope + p[:, 2]).max(), (-p[:, k] / slope + p[:, 2]).max()
            middle[k] = slope * (plus - minus) / 2
            back.append((plus + minus) / 2)
        else:
            middle[k] = (p[:, k].min() + p[:, k].max()) / 2
            back.append((p[:, k].max() - p[:, k].min()) / 2 / slope)
    middle[2] = (p[:, 2].min() + p[:, 2].max()) / 2
    distance = max(back) - (middle[2] if camera.perspective else 0.0)
    spread = float(np.ptp(points, axis=0).max())
    return replaced(
        camera,
        target=tuple(middle @ R),
        distance=max(distance, 0.05 * spread, 1e-4) if spread > 0 else camera.distance,
    )


def between(a: Camera, b: Camera, share: float) -> Camera:
    """A camera on the way from a to b, turning the short way round; share 0 to 1."""
    turn = (b.azimuth - a.azimuth + 180.0) % 360.0 - 180.0
    mix = lambda x, y: x + (y - x) * share
    near = 1.0 if sum(x * y for x, y in zip(a.frame, b.frame)) >= 0.0 else -1.0
    w, x, y, z = (mix(near * p, q) for p, q in zip(a.frame, b.frame))
    return replaced(
        b,
        target=tuple(mix(x, y) for x, y in zip(a.target, b.target, strict=True)),
        azimuth=a.azimuth + turn * share,
        elevation=mix(a.elevation, b.elevation),
        frame=normalise((w, x, y, z)),
        distance=math.exp(mix(math.log(a.distance), math.log(b.distance))),
    )
