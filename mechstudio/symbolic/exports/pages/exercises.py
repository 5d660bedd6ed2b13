"""Lesson on a sheet: steps, questions with room for answers, and solutions."""

from collections.abc import Callable, Iterator
from xml.sax.saxutils import escape

from mechstudio.model.equations.report import Report
from mechstudio.symbolic.exports.pages.style import typst_string
from mechstudio.symbolic.printers.printable import line
from mechstudio.translation import tr

Lines = Iterator[str]
_AXES = "#rect(width: 100%, height: 4.5cm, stroke: (left: 0.8pt, bottom: 0.8pt), inset: 0.5em)"
_TICK = "#box(width: 0.75em, height: 0.75em, stroke: 0.6pt)"


def typst(report: Report) -> Lines:
    """The steps as Typst markup, each on one page."""
    for exercise in report.exercises:
        yield "#block(breakable: false, above: 1.8em)["
        yield f"#head[#{typst_string(exercise.title)}]"
        for words in exercise.text.splitlines():
            yield f"#{typst_string(words)}\n"
        for number, question in enumerate(exercise.questions, 1):
            yield "#v(0.5em)"
            yield f"#text(weight: 600, {typst_string(f'{number}  {question.text}')})\n"
            for choice in question.choices:
                yield f"{_TICK}#h(0.6em)#{typst_string(choice)}\n"
            if question.said:
                yield f"#{typst_string(question.said)}\n"
            elif question.axis:
                yield f"{_AXES}[#soft({typst_string(question.axis)})]\n"
            elif not question.choices:
                yield "#v(1.1em)\n#hair\n" * question.room
            if question.solution:
                solution = tr("Solution: {solution}", solution=question.solution)
                yield f"#soft({typst_string(solution)})\n"
        yield "]"


def _words(x: str) -> str:
    return escape(line(x), {'"': "&quot;", "'": "&#39;"})


def html(report: Report) -> Lines:
    """The steps as HTML; solutions are folded."""
    for exercise in report.exercises:
        yield f"<section><h3>{_words(exercise.title)}</h3>"
        for words in exercise.text.splitlines():
            yield f"<p>{_words(words)}</p>"
        yield "<ol>"
        for question in exercise.questions:
            yield f"<li><strong>{_words(question.text)}</strong>"
            if question.choices:
                rows = "".join(f"<li>{_words(choice)}</li>" for choice in question.choices)
                yield f'<ul class="choices">{rows}</ul>'
            if question.said:
                yield f"<p>{_words(question.said)}</p>"
            elif question.axis:
                yield f'<p class="axes soft">{_words(question.axis)}</p>'
            elif not question.choices:
                yield '<p class="room"><br></p>' * question.room
            if question.solution:
                head, text = _words(tr("Solution")), _words(question.solution)
                yield f"<details><summary>{head}</summary><p>{text}</p></details>"
            yield "</li>"
        yield "</ol></section>"


def latex(report: Report, words: Callable[[str], str]) -> Lines:
    """The steps as LaTeX.  words: a line for its text mode."""
    for exercise in report.exercises:
        yield rf"\subsection*{{{words(exercise.title)}}}"
        yield from (words(text) + r"\par" for text in exercise.text.splitlines())
        for number, question in enumerate(exercise.questions, 1):
            yield rf"\textbf{{{number}\quad {words(question.text)}}}\par"
            yield from (rf"$\square$\quad {words(choice)}\par" for choice in question.choices)
            if question.said:
                yield words(question.said) + r"\par"
            elif question.axis:
                yield rf"\textcolor{{note}}{{{words(question.axis)}}}\vspace{{45mm}}\hrule"
            elif not question.choices:
                yield r"\vspace{1.6em}\hrule" * question.room
            if question.solution:
                solution = tr("Solution: {solution}", solution=question.solution)
                yield rf"\textcolor{{note}}{{{words(solution)}}}\par"
