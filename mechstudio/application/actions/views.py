"""Points of view that are kept under names: kept and forgotten, each as one undo step."""

import itertools

import msgspec

from mechstudio.application.studio import Studio
from mechstudio.model.project import Camera, View
from mechstudio.translation import tr

replace = msgspec.structs.replace


def unused_name(studio: Studio) -> str:
    """A name that no view has."""
    taken = {v.name for v in studio.document.project.views}
    names = (tr("View {number}", number=k) for k in itertools.count(1))
    return next(name for name in names if name not in taken)


def keep_view(studio: Studio, name: str, camera: Camera) -> None:
    """Keep a camera under a name; one of that name is replaced."""
    project = studio.document.project
    name = name.strip() or unused_name(studio)
    old = next((v for v in project.views if v.name == name), None)
    taken = {v.id for v in project.views} | {u.id for u in project.unread}
    id = next(id for k in itertools.count(1) if (id := f"v{k}") not in taken)
    if old is None:
        views = (*project.views, View(id, name, camera))
    else:
        views = tuple(replace(v, camera=camera) if v is old else v for v in project.views)
    studio.document.commit(tr("Keep view {name}", name=name), replace(project, views=views))


def forget_view(studio: Studio, id: str) -> None:
    """Forget a kept view."""
    project = studio.document.project
    name = next(v.name for v in project.views if v.id == id)
    views = tuple(v for v in project.views if v.id != id)
    studio.document.commit(tr("Forget view {name}", name=name), replace(project, views=views))
