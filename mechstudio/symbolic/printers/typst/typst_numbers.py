"""The numbers of an instant as Typst markup: symbols and brackets with empty places, in which the
window writes the numbers of every instant.
"""

from collections.abc import Mapping, Sequence

from mechstudio.model.equations.terms import VALUE, Block, Equations, Name
from mechstudio.symbolic.printers.typst.typst_equations import Markup, _quoted, _Writer, bracketed

CELL = "="  # begins the name of a place that is as large as a letter, and not a note under a symbol
_WIDE, _NARROW = "6.4em", "3.7em"
_PLACES = """#let pl(n, w) = link(n, box(width: w, height: 0.72em))
#let no(w) = box(width: w, height: 0.72em, align(right + horizon, zz))
"""


def markup(equations: Equations, key: str, colors: Mapping[str, str]) -> Markup:
    """One part of the numbers.

    key: "state", "M", "C_q", "lambda", or "B:" and "embedded:" with the names of the independent
    coordinates, separated by commas.  Places are links to VALUE + CELL + the symbol's name, or a
    matrix's key and indices as "M.0.1".  Raises KeyError.
    """
    writer = _NowWriter(colors)
    kind, _, names = key.partition(":")
    independent = [
        u.position
        for name in names.split(",")
        for u in equations.coordinates
        if u.position.name == name
    ]
    n, m = len(equations.coordinates), len(equations.multipliers)
    blocks = {b.key: b for b in equations.blocks}
    if kind == "state":
        body = writer.state(equations)
    elif kind == "M":
        body = f"$ M = {writer.places('M', n, n, blocks.get('M'))} $"
    elif kind == "C_q":
        body = f"$ C_q = {writer.places('C_q', m, n, blocks.get('C_q'))} $"
    elif kind == "lambda":
        body = writer.multipliers(equations, blocks.get("C"))
    elif kind == "B":
        body = (
            f"$ {writer.columns(independent)} quad dot(q) = B dot(q)_i + β, quad B = "
            f"{writer.places('B', n, len(independent))} $"
        )
    elif kind == "embedded":
        f = len(independent)
        body = (
            f"$ underbrace({writer.places('M_i', f, f)}, B^upright(T) M B) thin "
            f"{writer.column_of(independent)} = underbrace({writer.places('Q_i', f, 1)}, "
            "B^upright(T) (Q - M c)) $"
        )
    else:
        raise KeyError(key)
    return writer.finished(body)


class _NowWriter(_Writer):
    """Writes places for numbers."""

    def place(self, name: str, width: str = _NARROW) -> str:
        return f"pl(#{self._link((VALUE + CELL + name,))}, #{width})"

    def words_place(self, name: str, width: str) -> str:
        """The same in running text."""
        return f"${self.place(name, width)}$"

    def preamble(self) -> str:
        # functions, because a hash in a matrix would swallow the semicolon behind it
        return super().preamble() + _PLACES

    def places(self, key: str, rows: int, columns: int, block: Block | None = None) -> str:
        """A matrix of places; entries that are zero in every position are dots."""
        lines = []
        for i in range(rows):
            cells = []
            sources = block.sources[i] if block is not None and i < len(block.sources) else ()
            for j in range(columns):
                zero = block is not None and block.rows[i][j].is_zero
                cells.append(
                    f"no(#{_NARROW})"
                    if zero
                    else self._linked(sources, self.place(f"{key}.{i}.{j}"))
                )
            lines.append(", ".join(cells))
        return bracketed(lines)

    def state(self, equations: Equations) -> str:
        heads = ["[]", "[#mu($q$)]", "[#mu($dot(q)$)]", "[#mu($dot.double(q)$)]"]
        lines = [", ".join(heads)]
        for u in equations.coordinates:
            name = f"${self.name(u.position)}$"
            words = f"#link({self._link(u.sources)})[{name}]" if u.sources else name
            lines.append(
                ", ".join(
                    [
                        f"[{words}]",
                        *(
                            f"[{self.words_place(x.name, _WIDE)}]"
                            for x in (u.position, u.velocity, u.acceleration)
                        ),
                    ]
                )
            )
        return self.grid(
            "(auto, auto, auto, auto)", "(left, right, right, right)", lines, gap="0.9em"
        )

    def multipliers(self, equations: Equations, rows: Block | None) -> str:
        lines = []
        for i, name in enumerate(equations.multipliers):
            label = rows.labels[i] if rows is not None else ""
            sources = rows.sources[i] if rows is not None and rows.sources else ()
            words = f"#mu({_quoted(label)})"
            lines.append(
                f"[${self.name(name)}$], [{self.words_place(name.name, '5em')}], "
                f"[{f'#link({self._link(sources)})[{words}]' if sources else words}]"
            )
        return self.grid("(auto, auto, 1fr)", "(left, right, left)", lines, gap="0.9em")

    def columns(self, names: Sequence[Name]) -> str:
        return f"q_i = {self.column_of(names, 0)}"

    def column_of(self, names: Sequence[Name], dots: int = 2) -> str:
        """The names of coordinates, or of their accelerations, one under the other."""
        shown = [self.name(Name(n.name, n.letter, n.subscript, dots, 1, n.source)) for n in names]
        return shown[0] if len(shown) == 1 else bracketed(shown) if shown else "()"


__all__ = ["CELL", "markup"]
