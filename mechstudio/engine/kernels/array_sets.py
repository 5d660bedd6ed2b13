"""Named sets of arrays that kernels take by one address.

Compiled code takes an array by value, as seven to ten numbers.  A set of thirty of them, handed through six calls, cost more than a small right-hand side does,
and most of the time in which the kernels are compiled.  A set keeps a directory instead, (address, rows, columns) of each array; kernels get the directory's
address, and reading `T.node` in them reads two or three of its numbers.  Those never change, which the compiler is told, so that it reads them once.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, lower_getattr_generic, models, register_model, typeof_impl, unbox
from numba.np.arrayobj import populate_array

WORD = ir.IntType(64)
ENTRY = 3            # numbers per array in the directory


class Kind(NamedTuple):
    """What an array of a set is.   width: its columns, None where sizes differ or there are none."""

    integer: bool
    dimensions: int
    width: int | None = None

    @property
    def dtype(self) -> type:
        return np.int64 if self.integer else np.float64


NUMBERS, INTEGERS, MATRIX, INTEGER_MATRIX = Kind(False, 1), Kind(True, 1), Kind(False, 2), Kind(True, 2)


def table(width: int) -> Kind:
    """Rows of `width` floating-point numbers."""
    return Kind(False, 2, width)


def integer_table(width: int) -> Kind:
    """Rows of `width` integers."""
    return Kind(True, 2, width)


class ArraySetType(types.Type):
    """The set as compiled code knows it: by its name, with the types of its arrays."""

    def __init__(self, name: str, kinds: dict[str, Kind]):
        self.places = {field: (place, types.Array(types.int64 if kind.integer else types.float64, kind.dimensions, "C"), kind.width)
                       for place, (field, kind) in enumerate(kinds.items())}
        super().__init__(name)


class ArraySet:
    """Base of the sets; a subclass names its arrays in `kinds`.   The arrays cannot be exchanged, their numbers can.

    Raises ValueError for an array of another type or width than is written there: kernels do not look.
    """

    kinds: dict[str, Kind] = {}
    beyond: tuple[np.ndarray, ...] = ()         # arrays whose addresses stand behind the directory, for every set of this class
    compiled_type: ArraySetType
    _fields: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(cls.kinds)
        cls.compiled_type = ArraySetType(cls.__name__, cls.kinds)

    def __init__(self, *arrays: np.ndarray) -> None:
        directory = np.ones((len(arrays) + len(self.beyond), ENTRY), np.int64)
        directory[len(arrays):, 0] = [array.__array_interface__["data"][0] for array in self.beyond]
        for place, ((field, kind), array) in enumerate(zip(self.kinds.items(), arrays, strict=True)):
            if array.dtype != kind.dtype or array.ndim != kind.dimensions or not array.flags.carray or kind.width not in (None, array.shape[-1]):
                raise ValueError(f"array {field} of {type(self).__name__} has type {array.dtype} and shape {array.shape}, not {kind}")
            directory[place, 0] = array.__array_interface__["data"][0]
            directory[place, 1:1 + array.ndim] = array.shape
        self.__dict__.update(zip(self._fields, arrays), _directory=directory, address=directory.__array_interface__["data"][0])

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self.__dict__[field] for field in self._fields)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{type(self).__name__} has no array {name}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} keeps its arrays: write into {name}, or make another set")

    def __reduce__(self):
        # addresses are of this process and of these very arrays
        return type(self), tuple(self)

    def _replace(self, **arrays: np.ndarray):
        """The same set with other arrays in some places."""
        return type(self)(*(arrays.get(field, array) for field, array in zip(self._fields, self, strict=True)))

    @classmethod
    def example(cls):
        """A set of the right types and of no meaning."""
        return cls(*(np.zeros((1,) * (kind.dimensions - 1) + (kind.width or 1,), kind.dtype) for kind in cls.kinds.values()))


@typeof_impl.register(ArraySet)
def _typeof(value, context):
    return value.compiled_type


@register_model(ArraySetType)
class _Model(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, WORD.as_pointer())


@unbox(ArraySetType)
def _unbox(kind, value, c):
    address = c.pyapi.object_getattr_string(value, "address")
    pointer = c.builder.bitcast(c.pyapi.long_as_voidptr(address), WORD.as_pointer())
    c.pyapi.decref(address)
    return NativeValue(pointer)


@infer_getattr
class _Arrays(AttributeTemplate):
    key = ArraySetType

    def generic_resolve(self, kind, name):
        return kind.places[name][1] if name in kind.places else None


def read_entry(builder, directory, place, k):
    """The k-th number of an array's entry in the directory, which never changes."""
    number = builder.load(builder.gep(directory, [WORD(ENTRY * place + k)]))
    number.set_metadata("invariant.load", builder.module.add_metadata([]))
    return number


@lower_getattr_generic(ArraySetType)
def _array(context, builder, kind, directory, name):
    place, array_type, width = kind.places[name]

    entry = lambda k: read_entry(builder, directory, place, k)
    array = context.make_array(array_type)(context, builder)
    shape = [entry(1)]
    strides = [WORD(8)]
    if array_type.ndim == 2:
        shape.append(entry(2) if width is None else WORD(width))
        strides.insert(0, builder.mul(shape[1], WORD(8)) if width is None else WORD(8 * width))
    populate_array(array, data=builder.inttoptr(entry(0), array.data.type), shape=shape, strides=strides, itemsize=WORD(8), meminfo=None)
    return array._getvalue()
