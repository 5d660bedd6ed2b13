"""Equations as text, LaTeX, MathML, Typst, SymPy and Python."""
