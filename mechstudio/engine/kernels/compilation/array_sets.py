"""Named sets of arrays that kernels take by one address.

Compiled code takes an array by value, as seven to ten numbers.  A set of thirty of them, passed
through six calls, cost more than a small right-hand side, and most of the compile time of the
kernels.  A set keeps a directory instead, (address, rows, columns) of each array; kernels get the
directory's address, and reading `T.node` in them reads two or three of its numbers.  These never
change and are declared invariant to the compiler, which reads them once.
The new types of values are described to Numba by instructions of llvmlite, the library beneath it.
"""

import operator
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, signature
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_builtin,
    lower_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.arrayobj import populate_array

WORD = ir.IntType(64)
ENTRY = 3  # numbers per array in the directory


class Kind(NamedTuple):
    """Type of an array in a set.  width: its number of columns, None where sizes differ or there
    are none.
    """

    integer: bool
    dimensions: int
    width: int | None = None

    @property
    def dtype(self) -> type:
        return np.int64 if self.integer else np.float64


NUMBERS, INTEGERS, MATRIX, INTEGER_MATRIX = (
    Kind(False, 1),
    Kind(True, 1),
    Kind(False, 2),
    Kind(True, 2),
)


def table(width: int) -> Kind:
    """Rows of `width` floating-point numbers."""
    return Kind(False, 2, width)


def integer_table(width: int) -> Kind:
    """Rows of `width` integers."""
    return Kind(True, 2, width)


class RowsType(types.Type):
    """Table of known width in compiled code.  `A[i, k]` is one address: no index counts from the
    end, which arrays would check each time.
    """

    def __init__(self, dtype: types.Type):
        self.dtype = dtype
        super().__init__(f"rows_{dtype}")


ROWS, INTEGER_ROWS = RowsType(types.float64), RowsType(types.int64)


class ArraySetType(types.Type):
    """Type of the set in compiled code: its name and the types of its arrays."""

    def __init__(self, name: str, kinds: dict[str, Kind]):
        number = lambda kind: types.int64 if kind.integer else types.float64
        self.places = {
            field: (
                place,
                (INTEGER_ROWS if kind.integer else ROWS)
                if kind.width
                else types.Array(number(kind), kind.dimensions, "C"),
                kind.width,
            )
            for place, (field, kind) in enumerate(kinds.items())
        }
        super().__init__(name)


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


class ArraySet:
    """Base of the sets; a subclass names its arrays in `kinds`.  The arrays cannot be exchanged,
    their numbers can.

    Raises ValueError for an array of another type or width than declared: kernels do not check.
    """

    kinds: dict[str, Kind] = {}
    beyond: tuple[
        np.ndarray, ...
    ] = ()  # arrays whose addresses follow the directory, for every set of this class
    compiled_type: ArraySetType
    _fields: tuple[str, ...] = ()
    _expected: tuple[tuple[np.dtype, int, int | None], ...] = ()

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(cls.kinds)
        cls._expected = tuple(
            (np.dtype(kind.dtype), kind.dimensions, kind.width) for kind in cls.kinds.values()
        )
        cls.compiled_type = ArraySetType(cls.__name__, cls.kinds)

    def __init__(self, *arrays: np.ndarray) -> None:
        entries = []
        for field, (dtype, dimensions, width), array in zip(
            self._fields, self._expected, arrays, strict=True
        ):
            shape = array.shape
            if (
                array.dtype != dtype
                or len(shape) != dimensions
                or not array.flags.carray
                or width not in (None, shape[-1])
            ):
                raise ValueError(
                    f"array {field} of {type(self).__name__} has type {array.dtype} and "
                    f"shape {shape}, not {self.kinds[field]}"
                )
            entries += (_address(array), shape[0], shape[1] if dimensions > 1 else 1)
        for array in self.beyond:
            entries += (_address(array), 1, 1)
        directory = np.array(entries, np.int64).reshape(-1, ENTRY)
        self.__dict__.update(
            zip(self._fields, arrays),
            _directory=directory,
            address=_address(directory),
        )

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self.__dict__[field] for field in self._fields)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{type(self).__name__} has no array {name}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            f"{type(self).__name__} keeps its arrays: write into {name}, or make another set"
        )

    def __reduce__(self):
        # addresses hold for this process and for these very arrays
        return type(self), tuple(self)

    def _replace(self, **arrays: np.ndarray):
        """The same set with other arrays in some places."""
        return type(self)(
            *(arrays.get(field, array) for field, array in zip(self._fields, self, strict=True))
        )

    @classmethod
    def example(cls):
        """A set of the right types with meaningless numbers."""
        return cls(
            *(
                np.zeros((1,) * (kind.dimensions - 1) + (kind.width or 1,), kind.dtype)
                for kind in cls.kinds.values()
            )
        )


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
    if width is not None:
        rows = cgutils.create_struct_proxy(array_type)(context, builder)
        rows.data, rows.count, rows.width = (
            builder.inttoptr(entry(0), rows.data.type),
            entry(1),
            WORD(width),
        )
        return rows._getvalue()
    array = context.make_array(array_type)(context, builder)
    shape = [entry(1 + d) for d in range(array_type.ndim)]
    strides = [builder.mul(shape[1], WORD(8)), WORD(8)] if array_type.ndim == 2 else [WORD(8)]
    populate_array(
        array,
        data=builder.inttoptr(entry(0), array.data.type),
        shape=shape,
        strides=strides,
        itemsize=WORD(8),
        meminfo=None,
    )
    return array._getvalue()


# tables

_PLACE = types.UniTuple(types.intp, 2)


@register_model(RowsType)
class _RowsModel(models.StructModel):
    def __init__(self, manager, kind):
        super().__init__(
            manager,
            kind,
            [("data", types.CPointer(kind.dtype)), ("count", types.intp), ("width", types.intp)],
        )


@infer_getattr
class _RowsAttributes(AttributeTemplate):
    key = RowsType

    def resolve_shape(self, kind):
        return _PLACE


@lower_getattr(RowsType, "shape")
def _shape(context, builder, kind, value):
    rows = cgutils.create_struct_proxy(kind)(context, builder, value)
    return context.make_tuple(builder, _PLACE, (rows.count, rows.width))


def _is_place(index) -> bool:
    return (
        isinstance(index, types.BaseTuple)
        and len(index) == 2
        and all(isinstance(i, types.Integer) for i in index)
    )


@infer_global(operator.getitem)
class _Read(AbstractTemplate):
    def generic(self, given, keywords):
        if len(given) == 2 and isinstance(given[0], RowsType) and _is_place(given[1]):
            return signature(given[0].dtype, given[0], _PLACE)
        return None


@infer_global(operator.setitem)
class _Write(AbstractTemplate):
    def generic(self, given, keywords):
        if len(given) == 3 and isinstance(given[0], RowsType) and _is_place(given[1]):
            return signature(types.none, given[0], _PLACE, given[0].dtype)
        return None


def _pointer(context, builder, kind, value, place):
    rows = cgutils.create_struct_proxy(kind)(context, builder, value)
    i, k = cgutils.unpack_tuple(builder, place, 2)
    return builder.gep(rows.data, [builder.add(builder.mul(i, rows.width), k)])


@lower_builtin(operator.getitem, RowsType, _PLACE)
def _read(context, builder, typed, values):
    return builder.load(_pointer(context, builder, typed.args[0], *values))


@lower_builtin(operator.setitem, RowsType, _PLACE, types.Any)
def _write(context, builder, typed, values):
    builder.store(values[2], _pointer(context, builder, typed.args[0], *values[:2]))
    return context.get_dummy_value()
