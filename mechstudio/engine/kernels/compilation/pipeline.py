"""Compilation of the kernels with Numba in half the time, without any difference in what they
compute.

Kernels are plain: numbers, tables and tuples of them, no objects, no closures, no exceptions, and
no name that stands for a whole number here and a fraction there.
So only those of Numba's passes are run that such functions need. Whole numbers known by name are
folded before type inference. A function that is inlined into others is tidied up by itself, but
neither linked nor made machine code where nobody calls it. Nothing in Numba is changed for others.
"""

import gc
import operator
from collections import Counter
from collections.abc import Callable
from typing import Any

from numba._dynfunc import make_function
from numba.core import compiler, ir
from numba.core.codegen import JITCodeLibrary, ll
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.dispatcher import Dispatcher
from numba.core.ir_utils import replace_vars_stmt
from numba.core.lowering import Lower
from numba.core.runtime import rtsys
from numba.core.typed_passes import (
    BaseNativeLowering,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
)
from numba.core.untyped_passes import FixupArgs, GenericRewrites, IRProcessing, TranslateByteCode

from mechstudio.engine.cache import kernels_folder
from mechstudio.engine.kernels.compilation.kernel_cache import kernel as kept_in

FOLDER = kernels_folder()


def kernel(**options: Any) -> Callable[[Callable], Dispatcher]:
    """A decorator: a compiled function that is kept in the cache, beside the other kernels of
    smooth motion.
    """
    return kept_in(FOLDER, **options)


# the text of a kernel before its types are looked for

_FOLDED = {operator.add, operator.sub, operator.mul}
LOOK_BACK = (
    16  # statements between a result and the copy that names it; of a tuple all results come first
)


def _read(statement: ir.Stmt) -> list[ir.Var]:
    """The variables that a statement reads."""
    if not isinstance(statement, ir.Assign):
        return statement.list_vars()
    value = statement.value
    return (
        [value]
        if isinstance(value, ir.Var)
        else value.list_vars()
        if isinstance(value, ir.Expr)
        else []
    )


def _whole(statement: ir.Assign, numbers: dict[str, int]) -> int | None:
    """The whole number that is known before the kernel runs."""
    value = statement.value
    if isinstance(value, (ir.Const, ir.Global, ir.FreeVar)):
        return value.value if type(value.value) is int else None
    if (
        isinstance(value, ir.Expr)
        and value.op == "binop"
        and value.fn in _FOLDED
        and value.lhs.name in numbers
        and value.rhs.name in numbers
    ):
        return value.fn(numbers[value.lhs.name], numbers[value.rhs.name])
    return None


def _tidy(block: ir.Block, own: dict[str, int]) -> None:
    """Fold sums of known whole numbers, write each once, and give results their names at once
    instead of by a copy.

    own: names that are assigned once and read in this block only, and how often.
    """
    numbers: dict[str, int] = {}
    first: dict[int, ir.Var] = {}
    same: dict[str, ir.Var] = {}
    body: list[ir.Stmt] = []
    for statement in block.body:
        if same:
            replace_vars_stmt(statement, same)
        if isinstance(statement, ir.Assign):
            name, value = statement.target.name, statement.value
            number = _whole(statement, numbers) if name in own else None
            if number is not None:
                numbers[name] = number
                if number in first:
                    same[name] = first[number]
                    continue
                first[number] = statement.target
                statement = ir.Assign(
                    ir.Const(number, statement.loc), statement.target, statement.loc
                )
            elif (
                isinstance(value, ir.Var)
                and own.get(value.name) == 1
                and _renamed(body, value.name, statement.target)
            ):
                continue
        body.append(statement)
    read = {v.name for statement in body for v in _read(statement)}
    block.body = [
        s
        for s in body
        if not (isinstance(s, ir.Assign) and s.target.name in numbers and s.target.name not in read)
    ]


def _renamed(body: list[ir.Stmt], old: str, new: ir.Var) -> bool:
    """Assign `new` directly where the body assigns the result `old`, which only a copy to `new`
    reads. True if that was possible.
    """
    for back in range(1, min(LOOK_BACK, len(body)) + 1):
        statement = body[-back]
        if isinstance(statement, ir.Assign) and statement.target.name == old:
            body[-back] = ir.Assign(statement.value, new, statement.loc)
            return True
        if any(v.name == new.name for v in statement.list_vars()):
            return False
    return False


@register_pass(mutates_CFG=False, analysis_only=False)
class _Tidied(FunctionPass):
    _name = "kernel_text"

    def __init__(self):
        super().__init__()

    def run_pass(self, state):
        blocks = state.func_ir.blocks
        assigned = Counter(
            s.target.name
            for block in blocks.values()
            for s in block.body
            if isinstance(s, ir.Assign)
        )
        reads = {
            label: Counter(v.name for s in block.body for v in _read(s))
            for label, block in blocks.items()
        }
        everywhere = sum(reads.values(), Counter())
        for label, block in blocks.items():
            names = {
                s.target.name
                for s in block.body
                if isinstance(s, ir.Assign) and s.target.name.startswith("$")
            }
            _tidy(
                block,
                {
                    name: reads[label][name]
                    for name in names
                    if assigned[name] == 1 and reads[label][name] == everywhere[name]
                },
            )
        return True


# linking


class _Together(JITCodeLibrary):
    """The code of a kernel with that of all functions inlined into it, which has not been looked at
    before.
    """

    def add_linking_library(self, library):
        # kernels do without Numba's memory management
        if library is not rtsys.library:
            self._linking_libraries.append(library)

    def closure(self):
        """All libraries that this one needs, each once."""
        found = dict.fromkeys(self._linking_libraries)
        for library in self._linking_libraries:
            if isinstance(library, _Inlined):
                found.update(library.closure())
        return found

    def finalize(self):
        self._linking_libraries = list(self.closure())
        super().finalize()


class _Inlined(_Together):
    """The code of a function that is only ever linked into that of its callers."""

    def finalize(self):
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == ll.Linkage.external:
                function.linkage = "linkonce_odr"
        self._shared_module = self._final_module
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowered(BaseNativeLowering):
    _name = "kernel_lowering"
    lowering_class = Lower

    def run_pass(self, state):
        inlined = state.flags.forceinline
        state.library = (_Inlined if inlined else _Together)(
            state.targetctx.codegen(), state.func_id.func_qualname
        )
        if not inlined:
            state.library.enable_object_caching()
            return super().run_pass(state)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        # a handle by which callers find the library; nothing stands behind it
        handle = make_function(
            lowered.fndesc.lookup_module(),
            state.func_id.func_name,
            "",
            0,
            lowered.env,
            (state.library,),
        )
        state["cr"] = lowered._replace(cfunc=handle)
        state.targetctx.insert_user_function(handle, lowered.fndesc, [state.library])
        return True


class Kernel(compiler.CompilerBase):
    """The passes that a kernel needs.  It has no closures, exceptions, comprehensions or arrays
    that are computed with as wholes, and counts no references.
    """

    def compile_extra(self, function):
        # what a compiler makes lives as long as the kernel: looking for rubbish in it takes a tenth
        # of the time
        collecting = gc.isenabled()
        gc.disable()
        try:
            return super().compile_extra(function)
        finally:
            if collecting:
                gc.enable()

    def define_pipelines(self):
        passes = PassManager("kernel")
        for one in (
            TranslateByteCode,
            FixupArgs,
            _Tidied,
            IRProcessing,
            GenericRewrites,
            NopythonTypeInference,
            _Lowered,
            NoPythonBackend,
        ):
            passes.add_pass(one, one.__name__)
        passes.finalize()
        return [passes]


class ManyNamed(Kernel):
    """All of Numba's own passes, for kernels in which a name may stand for a whole number here and
    a fraction there.
    """

    def define_pipelines(self):
        passes = PassManager("kernel of many names")
        for one, reason in compiler.DefaultPassBuilder.define_nopython_pipeline(self.state).passes:
            passes.add_pass(_Lowered if one is NativeLowering else one, reason)
        passes.finalize()
        return [passes]
