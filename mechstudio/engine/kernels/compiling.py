"""How Numba is made to compile the kernels in half the time, without any difference in what they compute.

It looks for the types of each sum, product and table entry among a dozen templates, the most of which fail at the price of a coloured message; of numbers and
tables the answer is always the same and is kept.  And it optimises every function that is inlined into others for itself, though nobody calls it there: that is
done slightly, since all of it is optimised again where it is inlined.
"""

import operator

import numba
from numba import types
from numba.core import dispatcher
from numba.core.types import functions

_OPERATORS = {operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.neg, operator.iadd, operator.isub, operator.imul,
              operator.itruediv, operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.getitem, operator.setitem, abs, min, max, bool}
_known: dict = {}


def _plain(kind) -> bool:
    return isinstance(kind, (types.Integer, types.Float, types.Boolean)) or getattr(kind, "plain", False) or isinstance(kind, types.BaseTuple) and all(map(_plain, kind))


def _remember(find):
    def get_call_type(self, context, args, kws):
        if kws or self.typing_key not in _OPERATORS:
            return find(self, context, args, kws)
        key = self.typing_key, args
        if key in _known:
            found, self._impl_keys[found.args] = _known[key]
            return found
        found = find(self, context, args, kws)
        if all(_plain(a) for a in args):
            _known[key] = found, self._impl_keys[found.args]
        return found
    return get_call_type


def _slightly(compile):
    def compile_it(self, signature):
        config = numba.core.config
        before = config.OPT, config.LOOP_VECTORIZE
        inlined = self.targetoptions.get("forceinline", False)
        config.OPT, config.LOOP_VECTORIZE = (config._OptLevel(1), 0) if inlined else _THOROUGH
        try:
            return compile(self, signature)
        finally:
            config.OPT, config.LOOP_VECTORIZE = before
    return compile_it


_THOROUGH = numba.core.config.OPT, numba.core.config.LOOP_VECTORIZE
functions.BaseFunction.get_call_type = _remember(functions.BaseFunction.get_call_type)
dispatcher.Dispatcher.compile = _slightly(dispatcher.Dispatcher.compile)
