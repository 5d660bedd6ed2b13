"""Parts of an MJCF file that have been read, as the readers of its sections share them."""

from typing import NamedTuple

from mechstudio.files.exchange.drawing import Drawing
from mechstudio.files.exchange.mjcf.hinges import Element, Placed
from mechstudio.files.exchange.mjcf.source import Source
from mechstudio.model.geometry.rotation import Pose


class Site(NamedTuple):
    """A named place.  body: id; pose: in its axes."""

    body: str
    pose: Pose


class Parts(NamedTuple):
    """Names of the file and what became of them.

    bodies: id of each name.  sites: by name.  placed: where each named joint went; elements: of
    the file.  reference: pose of each body in W at the reference values of its joints; relaxed: at
    those at which their springs rest, where those of tendons do, too.
    """

    source: Source
    drawing: Drawing
    bodies: dict[str, str]
    sites: dict[str, Site]
    placed: dict[str, Placed]
    elements: dict[str, Element]
    reference: dict[str, Pose]
    relaxed: dict[str, Pose]
