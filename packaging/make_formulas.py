"""Writes the pictures of the formulas in the help, resources/help/formulas, which the program shows
where GitHub typesets the LaTeX of the page:

python packaging/make_formulas.py
"""

import re
import sys
from pathlib import Path

import typst

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from mechstudio.application.help.pages import formula_name, formulas  # noqa: E402

TARGET = ROOT / "resources" / "help" / "formulas"
PAGE = """#set page(width: auto, height: auto, margin: (x: 0pt, y: 2pt), fill: none)
#show math.equation: set text(font: "New Computer Modern Math", size: 10pt, weight: 450)
#show math.equation.where(block: true): set align(left)
"""
# LaTeX of a block on a page: the same as Typst markup
TYPST = {
    r"F = -\mu \int p\, \frac{u}{|u|}\, dA, \qquad M = -\mu \int p\, r \times \frac{u}{|u|}\, dA, "
    r"\qquad u = v + \omega \times r": (
        "F = -mu integral p u/(|u|) dif A, quad M = -mu integral p r times u/(|u|) dif A, "
        "quad u = v + omega times r"
    ),
    r"R(\varepsilon) = (e_0^2 - e \cdot e)\, I + 2\, e\, e^\mathsf{T} + 2\, e_0\, \tilde{e}": (
        "R(epsilon) = (e_0^2 - e dot e) I + 2 e e^sans(T) + 2 e_0 tilde(e)"
    ),
    r"G(\varepsilon) = [\,-e \mid e_0 I - \tilde{e}\,], \qquad "
    r"\bar\omega = 2\, G\, \dot\varepsilon, \qquad "
    r"\dot\varepsilon = \tfrac{1}{2}\, G^\mathsf{T} \bar\omega": (
        "G(epsilon) = [-e mid(|) e_0 I - tilde(e)], quad overline(omega) = 2 G dot(epsilon), "
        "quad dot(epsilon) = 1/2 G^sans(T) overline(omega)"
    ),
    r"\dot C = J\, v + C_t, \qquad \ddot C = J\, \dot v - \gamma, \qquad "
    r"M\, \dot v = Q + J^\mathsf{T} \lambda": (
        "dot(C) = J v + C_t, quad dot.double(C) = J dot(v) - gamma, "
        "quad M dot(v) = Q + J^sans(T) lambda"
    ),
    r"d = n - q, \qquad h = n_s - q": "d = n - q, quad h = n_s - q",
    r"M(q)\, \ddot q + b(q, \dot q) + g(q) = \tau + J^\mathsf{T} \lambda": (
        "M(q) dot.double(q) + b(q, dot(q)) + g(q) = tau + J^sans(T) lambda"
    ),
    r"\begin{bmatrix} M & -J^\mathsf{T} \\ J & 0 \end{bmatrix} "
    r"\begin{bmatrix} \dot v \\ \lambda \end{bmatrix} = "
    r"\begin{bmatrix} Q \\ \gamma \end{bmatrix}": (
        'mat(delim: "[", M, -J^sans(T); J, 0) vec(delim: "[", dot(v), lambda) '
        '= vec(delim: "[", Q, gamma)'
    ),
    r"B = \begin{bmatrix} I \\ -C_{q_d}^{-1} C_{q_i} \end{bmatrix}, \qquad "
    r"\dot q = B\, \dot q_i + \beta, \qquad \ddot q = B\, \ddot q_i + c, \qquad "
    r"B^\mathsf{T} M B\, \ddot q_i = B^\mathsf{T} (Q - M c)": (
        'B = vec(delim: "[", I, -C_(q_d)^(-1) C_(q_i)), quad dot(q) = B dot(q)_i + beta, '
        "quad dot.double(q) = B dot.double(q)_i + c, "
        "quad B^sans(T) M B dot.double(q)_i = B^sans(T) (Q - M c)"
    ),
    r"\ddot C + 2 \alpha\, \dot C + \beta^2 C = 0": (
        "dot.double(C) + 2 alpha dot(C) + beta^2 C = 0"
    ),
    r"v^+ = v + h\, a + W D\, \gamma": "v^+ = v + h a + W D gamma",
    r"f = f(q \oplus \tfrac{h}{2} v,\, v) - \left(\tfrac{h}{4}\, k + \tfrac{1}{2}\, c\right) "
    r"J\, (v^+ - v)": "f = f(q plus.o h/2 v, v) - (h/4 k + 1/2 c) J (v^+ - v)",
    r"0 \le \gamma_n \;\perp\; \frac{\gamma_n}{h k} + g + \tfrac{h}{4}\,(u + u^+) "
    r"+ \tfrac{a}{2}\,(u + u^+) \ge 0": (
        "0 <= gamma_n perp gamma_n/(h k) + g + h/4 (u + u^+) + a/2 (u + u^+) >= 0"
    ),
    r"K \ni \gamma \;\perp\; D^\mathsf{T} v^+ + b + \mu\, |u_t|\, e_n \in K^*": (
        "K in.rev gamma perp D^sans(T) v^+ + b + mu |u_t| e_n in K^*"
    ),
}


def main() -> None:
    """Write one picture for each block, and take away those that no page has any more."""
    TARGET.mkdir(exist_ok=True)
    compiler = typst.Compiler(ignore_system_fonts=True)
    made = set()
    for latex in formulas():
        picture = compiler.compile(f"{PAGE}$ {TYPST[latex]} $".encode(), format="svg")
        # the ink is that of the theme
        text = re.sub(r'fill="#000000"', 'fill="currentColor"', picture.decode())
        text = re.sub(r'stroke="#000000"', 'stroke="currentColor"', text)
        path = TARGET / f"{formula_name(latex)}.svg"
        path.write_text(text, "utf-8")
        made.add(path)
    for path in set(TARGET.glob("*.svg")) - made:
        path.unlink()


if __name__ == "__main__":
    main()
