"""Names in any language, with whatever means something to some program, break no export and put
nothing into one.
"""

import ast
import ctypes
import io
import json
import re
import subprocess
import zipfile
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import mechstudio as ms
from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import load
from mechstudio.model.equations.terms import Block, Entry, Name, Term
from mechstudio.model.project import Lesson, Project
from mechstudio.model.types.exports import EXPORTS
from mechstudio.symbolic import derive
from mechstudio.symbolic.exports.words import ascii_word, distinct, model_name
from mechstudio.symbolic.printers.printable import clean, line
from tests import mechanisms
from tests.symbolic.exports.test_exports import COMPILER, FLAGS, latex_fault
from tests.symbolic.modelica_reader import Reader

PIECES = [
    "*/",
    "/*",
    "//",
    "??/",
    "\\",
    "\\\\",
    '"',
    "'",
    '"""',
    "'''",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "\x1b[31m",
    "\u2028",
    "\u202e",
    "\ufeff",
    "\ud800",
    "$",
    "$$",
    "#",
    "%",
    "&",
    "{",
    "}",
    "^",
    "_",
    "~",
    "</script>",
    "<script>alert(1)</script>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "&amp;",
    "#panic()",
    "#import",
    "#{",
    "*/ int main",
    "\nimport os\n",
    "\\input{x}",
    "\\end{document}",
    "$)",
    "θ",
    "é",
    "漢字",
    "Ж",
    "ß",
    "ﬁ",
    "عربى",
    "🦾",
    "m",
    "sin",
    "double",
    "end",
    "lambda",
    "time",
    "M",
    "q",
    "1",
    " ",
    ";",
    ",",
    "%s",
    "{0}",
    "`",
    "|",
    "__",
    "@",
]
wild = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=5).map("".join)


def named(bodies, joints, title):
    """A double pendulum with a spring and given names."""
    m = mechanisms.double_pendulum()
    rename = lambda section, names: {
        k: msgspec.structs.replace(x, name=n) for (k, x), n in zip(section.items(), names)
    }
    return Project(
        msgspec.structs.replace(
            m, bodies=rename(m.bodies, bodies), joints=rename(m.joints, joints)
        ),
        lesson=Lesson(title=title),
    )


def check(format, content, d):
    """Check a name as a reader of the format does."""
    if format.endswith("pdf"):
        assert content.startswith(b"%PDF-")
        return
    if format == "fmu":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            root = ElementTree.fromstring(archive.read("modelDescription.xml"))
            names = [v.get("name") for v in root.iter("Float64")]
            assert len(set(names)) == len(names) and all(n.isidentifier() for n in names)
            # what a name breaks does not compile
            made = [n for n in archive.namelist() if n.startswith("binaries/")]
            assert bool(made) == bool(COMPILER)
        return
    content.encode()
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u2028\u2029\u202e\ufeff]", content), (
        "nothing that cannot be seen"
    )
    if format == "latex":
        read = re.sub(r"(?<!\\)%.*", "", content)
        assert (
            latex_fault(content) == "" and "\\input" not in read and "\\end{document}" not in read
        )
    elif format == "mathml":
        assert {e.tag.rpartition("}")[2] for e in ElementTree.fromstring(content).iter()} <= {
            "math",
            "mrow",
            "mi",
            "mn",
            "mo",
            "mspace",
            "mtable",
            "mtr",
            "mtd",
            "mfrac",
            "msub",
            "msup",
            "mover",
            "msubsup",
        }
    elif format in ("python", "sympy"):
        tree = ast.parse(content)
        assert {
            a.name if isinstance(n, ast.Import) else n.module
            for n in ast.walk(tree)
            if isinstance(n, ast.Import | ast.ImportFrom)
            for a in n.names
        } <= {"math", "numpy", "sympy"}
        assert not {"print", "exec", "eval", "alert"} & {
            n.func.id
            for n in ast.walk(tree)
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
        }
        namespace = {}
        exec(compile(tree, format, "exec"), namespace)
        assert "equations" in namespace or namespace["M"].shape == (2, 2)
    elif format == "c":
        body = re.sub(r"/\*.*?\*/", "", content, flags=re.S)
        assert (
            not re.search(r"^ \*", body, re.M)
            and body.isascii()
            and body.count("{") == body.count("}")
            and not re.search(r"\bmain\b", body)
            and '"' not in body
            and "#" not in body
        )
    elif format == "modelica":
        model = Reader(content)
        assert len(model.starts) == 4 and model.functions == []
    elif format == "notebook":
        for cell in json.loads(content)["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "code":
                compile(source, "cell", "exec")
            else:
                assert (
                    source.count("$$") % 2 == 0
                    and "<" not in source.replace("\\lt", "")
                    and latex_fault("\n".join(re.findall(r"\$\$(.*?)\$\$", source, re.S))) == ""
                )
    elif format == "report-html":
        outside = re.sub(
            r'<img src="data:image/svg\+xml;base64,[A-Za-z0-9+/=]*" alt="[^"<>]*"( '
            r'style="width:100%")?>',
            "",
            content,
        )
        pictures = re.findall(r"<svg.*?</svg>", outside, re.S)
        allowed = {"svg", "defs", "symbol", "path", "g", "use", "rect"}
        for picture in pictures:
            assert {e.tag.rpartition("}")[2] for e in ElementTree.fromstring(picture).iter()} <= (
                allowed
            )
            assert not re.search(r"\b(on\w+|xlink:href)=|href=\"[^#]", picture)
            outside = outside.replace(picture, "", 1)
        assert pictures
        tags = set(re.findall(r"<(/?\w+)", outside))
        assert tags <= {
            f"{s}{t}"
            for s in ("", "/")
            for t in (
                "html",
                "head",
                "meta",
                "title",
                "style",
                "body",
                "h1",
                "h2",
                "div",
                "table",
                "tr",
                "td",
                "p",
                "i",
                "sub",
            )
        }
        assert "<img" not in outside and "</script" not in content


WILD = (st.tuples(wild, wild), st.tuples(wild, wild), wild)
ANY_PACE = [HealthCheck.too_slow]


@settings(max_examples=4, deadline=None, suppress_health_check=ANY_PACE)
@given(*WILD)
@example(("*/ int main(void){} /*", "</script>"), ('"""\nimport os\n"""', "x\\"), '$#{panic()}"')
@example(("", ""), ("", ""), "")
@example(("a", "a"), ("a", "a"), "漢字 🦾")
@example(("\ud800\0\u202e", "end"), ("sin", "lambda"), "\\end{document}%")
def test_wild_names_break_no_export(bodies, joints, title):
    _check_all(bodies, joints, title)


@pytest.mark.slow
@settings(max_examples=50, deadline=None, suppress_health_check=ANY_PACE)
@given(*WILD)
def test_many_wild_names_break_no_export(bodies, joints, title):
    _check_all(bodies, joints, title)


def _check_all(bodies, joints, title):
    d = derive(named(bodies, joints, title), coordinates="link")
    for f in EXPORTS:
        if not f.report:
            check(f.id, d.export(f.id), d)


@pytest.mark.parametrize(
    ("module", "escape", "format"), [("c_code", "comment", "c"), ("modelica", "quoted", "modelica")]
)
def test_the_check_sees_what_is_not_escaped(module, escape, format, monkeypatch):
    from mechstudio.symbolic import exports

    __import__(f"mechstudio.symbolic.exports.{module}")
    monkeypatch.setattr(
        getattr(exports, module), escape, lambda text: f'"{text}"' if escape == "quoted" else text
    )
    d = derive(named(("*/ int x; /*", '"; model b'), ("a", "b"), "*/ x"))
    with pytest.raises((AssertionError, ValueError)):
        check(format, d.export(format), d)


@pytest.mark.parametrize(
    "names",
    [
        (
            ("*/ int main(void){} /*", "</script><b>"),
            ('"""\nimport os\n"""', "x\\"),
            '$#{panic()}" onerror="',
        ),
        (("漢字", "🦾 arm"), ("ж", "\ud800\0"), "</title>"),
    ],
)
def test_wild_names_break_no_report(names):
    d = derive(named(*names), coordinates="link")
    for format in ("report-html", "report-pdf"):
        check(format, d.export(format), d)


@pytest.mark.skipif(COMPILER is None, reason="no C compiler on this machine")
@pytest.mark.parametrize(
    "name",
    ["*/ int x; /*", "??/", "\\", "漢字", "double", "é θ", "\u202e", "a\nb", "sin", "/*", ""],
)
def test_c_with_wild_names_compiles_without_warnings(name, tmp_path):
    d = derive(named((name, name), (name, name), name))
    (tmp_path / "f.c").write_text(d.export("c"), encoding="utf-8")
    done = subprocess.run(
        [COMPILER, *FLAGS, "-o", str(tmp_path / "f.so"), str(tmp_path / "f.c"), "-lm"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and done.stderr == "", done.stderr
    q, v, M = np.array([0.1, 0.2]), np.array([0.3, 0.4]), np.zeros((2, 2))
    tau = np.zeros(2)
    pointer = lambda a: a.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    library = ctypes.CDLL(str(tmp_path / "f.so"))
    b, g = np.zeros(2), np.zeros(2)
    library.equations(
        pointer(q),
        pointer(v),
        ctypes.c_double(0),
        None,
        pointer(M),
        pointer(b),
        pointer(g),
        None,
        None,
        None,
    )
    library.forces(pointer(q), pointer(v), ctypes.c_double(0), None, pointer(tau))
    assert np.allclose(M, d.function()(q, v)[0]) and np.array_equal(tau, d.forces_function()(q, v))


def test_typst_reads_words_as_words():
    """A name that is Typst code stands in the page as it is written: the page has no more than one
    without it.
    """
    d = derive(
        named(("#panic()", '"#panic()"'), ("$#panic()$", "\\#panic()"), "#panic()"),
        coordinates="link",
    )
    assert d.export("pdf").startswith(b"%PDF-")


@given(st.text())
def test_words_are_one_line_and_identifiers_are_ascii(text):
    shown = line(text)
    assert len(shown.splitlines()) <= 1 and line(shown) == shown and shown.encode() is not None
    word = ascii_word(text)
    assert word.isascii() and word.isidentifier() and not word.startswith("_")


@given(
    wild | st.text(),
    wild
    | st.sampled_from(
        [" é", "é ", "é  é", "é", "\x7f", "\u200d", "\u202e", "\ud800", "θ\u00a0θ", "a  b"]
    ),
)
@example("plain", "\x7f")
@example("plain", " é")
@example("plain", "é ")
@example("plain", "é  é")
@example("plain", "θ\u00a0θ")
def test_a_tree_is_cleaned_text_by_text(one, other):
    block = Block("M", one, ((Entry((Term(1, 1, (Name("m", other),)),)),),), (other,), ((one,),))
    kept = lambda text: text if text.isascii() and text.isprintable() else line(text)
    assert clean(block) == Block(
        "M",
        kept(one),
        ((Entry((Term(1, 1, (Name("m", kept(other)),)),)),),),
        (kept(other),),
        ((kept(one),),),
    )


@given(st.lists(st.text(max_size=4), max_size=6))
def test_distinct_names_stay_apart(names):
    found = distinct(names, ("q", "sin"))
    assert len(set(found.values())) == len(found) == len(set(names)) and not {"q", "sin"} & set(
        found.values()
    )


@given(st.text())
@example("Crane & hook (2)")
@example(" ")
def test_models_have_single_underscores(text):
    name = model_name(text)
    assert name.isascii() and name.isidentifier() and "__" not in name and name[-1] != "_"


def test_models_are_named_after_their_titles():
    titles = {"Crane & hook (2)": "Crane_hook_2", "": "mechanism", "2nd θ": "p_2nd_theta", "p": "p"}
    assert {title: model_name(title) for title in titles} == titles
    d = derive(named(("a", "b"), ("a", "b"), "Crane & hook (2)"))
    assert d.export("modelica").startswith("model Crane_hook_2 ")
    with zipfile.ZipFile(io.BytesIO(d.export("fmu"))) as archive:
        described = archive.read("modelDescription.xml").decode()
    assert 'modelIdentifier="Crane_hook_2"' in described


def test_one_letter_has_one_meaning(tmp_path):
    """Gravity is g in every export; equal moments of inertia are J_t, products of inertia J_xy; φ
    is one letter.
    """
    disc = derive(load(sample_folder() / "rolling_disc.mech").project)
    for format in ("modelica", "python", "c", "text"):
        text = disc.export(format)
        assert "g_2" not in text and re.search(r"\bg\b", text), format
        assert "J_t" in text and "J_xy" not in text, format
    assert {"g", "J_t", "J_z"} <= {k.name.name for k in disc.equations.known}
    assert "\\phi" not in disc.export("latex").replace(
        "\\varphi", ""
    ) and "\\varphi" in disc.export("latex")
    arm = derive(load(sample_folder() / "six_axis_arm.mech").project, "projected").export("text")
    assert "J_elbow_xy" in arm and "minus the product of inertia" in arm


@pytest.mark.skipif(COMPILER is None, reason="no C compiler on this machine")
def test_parameters_called_as_words_of_newer_c_and_cpp_compile_as_both(tmp_path):
    m = ms.Builder("Words")
    words = ("nullptr", "and", "typeof", "last")
    end = (0.0, 0.0, 0.0)
    before = m.ground
    for word in words:
        m.parameter(word, "100 mm")
        link = m.link(f"of {word}", end, length=word, angle="0 deg")
        m.pin(f"pin {word}", before, link, at=end)
        before, end = link, (end[0] + 0.1, 0.0, 0.0)
    written = derive(m.project(), coordinates="link").export("c")
    assert all(word in written for word in words[:-1])
    for language, standard in (("c", "c2x"), ("c++", "c++20")):
        path = tmp_path / f"f.{language[0]}"
        path.write_text(written, encoding="utf-8")
        done = subprocess.run(
            [COMPILER, "-x", language, f"-std={standard}", "-fsyntax-only", str(path)],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
