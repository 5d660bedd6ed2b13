"""Equations as one C99 file that includes nothing: equations() and forces() over plain arrays."""

import re
from collections.abc import Mapping

from mechstudio.model.equations.terms import Block, Equations
from mechstudio.symbolic.exports.arithmetic import arithmetic
from mechstudio.symbolic.exports.law_functions import Pieces
from mechstudio.symbolic.exports.program import Program, names_in, program
from mechstudio.symbolic.exports.words import VECTORS, distinct, symbol_names
from mechstudio.symbolic.methods.law_readings import READINGS
from mechstudio.symbolic.printers.line_breaks import broken, in_lines
from mechstudio.symbolic.printers.printer import Printer
from mechstudio.symbolic.printers.python import FUNCTIONS, code_meaning, trigs

_KEYWORDS = (
    "auto break case char const continue default do double else enum extern float for goto "
    "if inline int long register restrict return short "
    "signed sizeof static struct switch typedef union unsigned void volatile while _Bool "
    "_Complex _Imaginary asm main"
).split()
# of C23 and C++ too, since such files are often compiled as these
_NEWER = (
    "alignas alignof and and_eq bitand bitor bool catch char8_t char16_t char32_t class compl "
    "concept const_cast consteval constexpr constinit co_await co_return co_yield decltype delete "
    "dynamic_cast explicit export false friend mutable namespace new noexcept not not_eq nullptr "
    "operator or or_eq private protected public reinterpret_cast requires static_assert "
    "static_cast template this thread_local throw true try typeid typename typeof typeof_unqual "
    "using virtual wchar_t xor xor_eq"
).split()
# what the file declares
_DECLARED = (
    f"q v t p {' '.join(FUNCTIONS)} floor piecewise equations forces default_parameters M b g_q "
    "C C_q gamma tau coordinate_count row_count parameter_count NULL U potential readings "
    "law_readings"
).split()
_TAKEN = (*_KEYWORDS, *_NEWER, *_DECLARED)
_ALWAYS = ("sin", "cos", "sqrt")
_MATRICES = ("M", "C_q", READINGS)

_HEAD = """/* {title}
 *
 *   M(q) a + b(q, v) + g_q(q) = tau + C_q(q)^T lambda,   C(q) = 0,   C_q a = gamma
 *
 * SI units, angles in radians; matrices row by row.  The file needs only the mathematics of the
 * C library (-lm).
 *
 * q, v: coordinates and their rates ({n}):
{coordinates}
 * p: parameters ({p}), or a null pointer for default_parameters:
{parameters}
{rows}{notes} */
"""

_NOT_A_NUMBER = "1e300*1e300*0.0"  # a constant of any compiler, without <math.h>
_PRESCRIBED = """\
/* What laws prescribe is no number here (infinity times zero), and neither is what follows from it:
 * give p, with the values of the instant. */"""

_PIECEWISE = """/* f, f', f'' at s of polynomial pieces: rows of where a piece begins and its \
coefficients; they repeat after a period, if it is not zero, higher by an advance. */
static void piecewise(const double (*x)[7], int count, double period, double advance, double s, \
double *f)
{
    const double turns = period > 0.0 ? floor((s - x[0][0])/period) : 0.0, u = s - period*turns;
    int k = 0;
    while (k + 1 < count && u >= x[k + 1][0]) k++;
    {
        const double w = u - x[k][0], *c = x[k] + 1;
        f[0] = advance*turns + c[0] + w*(c[1] + w*(c[2] + w*(c[3] + w*(c[4] + w*c[5]))));
        f[1] = c[1] + w*(2.0*c[2] + w*(3.0*c[3] + w*(4.0*c[4] + w*5.0*c[5])));
        f[2] = 2.0*c[2] + w*(6.0*c[3] + w*(12.0*c[4] + w*20.0*c[5]));
    }
}
"""

# further functions: the block of each, and what it is
_MORE = (
    (
        "U",
        "potential",
        "/* U (1): energy of weights and springs without laws and what nothing moves. */",
    ),
    (READINGS, "law_readings", "/* What laws of forces read of the motion, with its rates. */"),
)


def comment(text: str) -> str:
    """A line that ends no comment and means nothing to the preprocessor."""
    return text.replace("*/", "* /").replace("/*", "/ *").replace("\\", "/").replace("??", "? ?")


def printed(e: Equations, title: str, functions: Mapping[str, Pieces]) -> str:
    """The file.  Compiles without warnings under -std=c99 -Wall -Wextra -Werror.  functions: of the
    drawing, by name.  Without parameters of its caller what needs a value that a law prescribes is
    not a number.
    """
    names = distinct(symbol_names(e), _TAKEN)
    tables = distinct((f"{f}_pieces" for f in functions), (*names.values(), *_TAKEN))
    n, m, count = len(e.coordinates), len(e.multipliers), len(e.parameters)
    listed = lambda rows: "\n".join(f" *   {comment(r)}" for r in rows)
    closing = next((b for b in e.blocks if b.key == "C"), None)
    head = _HEAD.format(
        title=comment(title),
        n=n,
        p=count,
        coordinates=listed(
            f"{k}  {names[u.position.name]}: {u.meaning}" for k, u in enumerate(e.coordinates)
        ),
        parameters=listed(
            f"{k}  {names[x.name.name]}: {code_meaning(x)}" for k, x in enumerate(e.parameters)
        )
        or " *   none",
        rows=" * rows of C:\n"
        + listed(f"{k}  {label}" for k, label in enumerate(closing.labels))
        + "\n"
        if closing
        else "",
        notes=(" *\n" + listed(e.notes) + "\n") if e.notes else "",
    )
    more = sorted({f.function for f in trigs(d.entry for d in e.formulas)} - {*_ALWAYS})
    values = ", ".join(
        _NOT_A_NUMBER if k.prescribed else repr(float(k.value)) for k in e.parameters
    )
    out = [
        head,
        "".join(f"double {f}(double);\n" for f in (*_ALWAYS, *more, "floor")),
        f"enum {{ coordinate_count = {n}, row_count = {m}, parameter_count = {count} }};\n",
        "void equations(const double *q, const double *v, double t, const double *p,\n            "
        "   double *M, double *b, double *g_q, double *C, double *C_q, double *gamma);",
        "void forces(const double *q, const double *v, double t, const double *p, double *tau);\n",
        *([_PRESCRIBED] if any(k.prescribed for k in e.parameters) else []),
        *broken(
            f"static const double default_parameters[{max(count, 1)}] = {{{values or '0.0'}}};"
        ),
        "",
    ]
    bodies = [
        _function(
            e,
            names,
            functions,
            tables,
            ("M", "b", "g", "C", "C_q", "gamma"),
            (
                f"/* M ({n}, {n}), b ({n}), g_q ({n}), C ({m}), C_q ({m}, {n}), gamma ({m}) at "
                "q, v;\n * without rows the last three may be null. */"
            ),
            "void equations(const double *q, const double *v, double t, const double *p,\n"
            "               double *M, double *b, double *g_q, double *C, double *C_q, "
            "double *gamma)",
        ),
        _function(
            e,
            names,
            functions,
            tables,
            ("tau",),
            f"/* tau ({n}): motors, dampers and loads. */",
            "void forces(const double *q, const double *v, double t, const double *p, double *tau)",
        ),
    ]
    given = "const double *q, const double *v, double t, const double *p"
    for key, name, text in _MORE:
        if any(b.key == key for b in e.blocks):
            head = f"void {name}({given}, double *{key})"
            bodies.append(_function(e, names, functions, tables, (key,), text, head))
    # a compiler warns of a table that nothing reads
    read = set(re.findall(r"\w+", "\n".join(bodies)))
    laid = [
        _table(tables[f"{name}_pieces"], p)
        for name, p in functions.items()
        if tables[f"{name}_pieces"] in read
    ]
    return "\n".join([*out, *([_PIECEWISE, *laid] if laid else []), *bodies])


def _table(name: str, p: Pieces) -> str:
    return (
        f"static const double {name}[{len(p.rows)}][7] = {{\n"
        + ",\n".join(f"    {{{', '.join(map(repr, row))}}}" for row in p.rows)
        + "};\n"
    )


def _function(
    e: Equations,
    names: dict[str, str],
    functions: Mapping[str, Pieces],
    tables: dict[str, str],
    keys: tuple[str, ...],
    text: str,
    head: str,
) -> str:
    taken = {*names.values(), *names, *tables.values(), *_TAKEN}
    done: Program = program(e, keys, taken)
    local = distinct((f"{f}_at" for f in functions), (*taken, *(s.name for s in done.steps)))
    writer = arithmetic(names)
    used = names_in(done.steps, done.blocks)
    lines = ["{"]
    for of, symbols in (
        ("q", [u.position for u in e.coordinates]),
        ("v", [u.velocity for u in e.coordinates]),
        ("p", [k.name for k in e.parameters]),
    ):
        if of == "p":
            lines.append("    if (!p) p = default_parameters;")
        lines += [
            f"    const double {names[s.name]} = {of}[{k}];"
            for k, s in enumerate(symbols)
            if s.name in used
        ]
    called: set[str] = set()
    for s in done.steps:
        value = writer.sum(s.terms)
        if s.function == "pieces":
            place, table = local[f"{s.of}_at"], tables[f"{s.of}_pieces"]
            if s.of not in called:
                called.add(s.of)
                lines += [
                    f"    double {place}[3];",
                    (
                        f"    piecewise({table}, {len(functions[s.of].rows)}, "
                        f"{functions[s.of].period!r}, {functions[s.of].advance!r}, "
                        f"{value}, {place});"
                    ),
                ]
            lines.append(f"    const double {names.get(s.name, s.name)} = {place}[{s.order}];")
            continue
        lines.append(
            f"    const double {names.get(s.name, s.name)} = "
            f"{f'{s.function}({value})' if s.function else value};"
        )
    written = {b.key: b for b in done.blocks}
    for key in keys:
        lines += _assignments(written[key], writer) if key in written else []
    absent = [key for key in keys if key not in written]
    lines += [
        f"    (void){name};" for name in ("q", "v", "t", *(VECTORS.get(key, key) for key in absent))
    ]
    return "\n".join([text, head, *in_lines(lines), "}\n"])


def _assignments(b: Block, writer: Printer) -> list[str]:
    width = len(b.rows[0]) if b.key in _MATRICES else 1
    out = []
    for i, row in enumerate(b.rows):
        for j, cell in enumerate(row):
            name = VECTORS.get(b.key, b.key)
            value = f"{name}[{j * width + i}]" if b.symmetric and j < i else writer.sum(cell.terms)
            out.append(f"    {name}[{i * width + j}] = {value};")
    return out
