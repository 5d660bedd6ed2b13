"""The drawing and all tables of types are frozen values: what is shared cannot be changed."""

import importlib
import inspect
import pkgutil

import msgspec
import pytest

import mechstudio.model
from mechstudio.model.types.joints import JOINT_TYPES


def structs():
    """Every struct of the floor of the model."""
    found = {}
    for module in pkgutil.walk_packages(mechstudio.model.__path__, "mechstudio.model."):
        for _, kind in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if issubclass(kind, msgspec.Struct) and kind.__module__.startswith("mechstudio.model"):
                found[f"{kind.__module__}.{kind.__qualname__}"] = kind
    return found


def test_every_struct_of_the_model_is_frozen():
    found = structs()
    assert len(found) > 60
    assert [name for name, kind in found.items() if not kind.__struct_config__.frozen] == []


def test_a_row_cannot_be_changed():
    with pytest.raises(AttributeError):
        JOINT_TYPES["revolute"].label = "Hinge"
