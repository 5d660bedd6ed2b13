"""STEP files that were made to do harm: each is refused in a sentence or read without harm, in
seconds, by a process whose memory is bounded.
"""

import re
import sys
import time

import numpy as np
import pytest

from mechstudio.files.meshes import MeshFileError, read_mesh
from mechstudio.files.step import step

pytest.importorskip("OCP", reason='pip install "mechstudio[step]"')

HEAD = """ISO-10303-21;
HEADER;
FILE_DESCRIPTION((''),'2;1');
FILE_NAME('','2026-01-01T00:00:00',(''),(''),'','','');
FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));
ENDSEC;
DATA;
"""
END = "ENDSEC;\nEND-ISO-10303-21;\n"
# a ball of 10 mm: #10 is its representation, #15 the solid, #22 the surface, #27 the units
BALL = """#1=APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,#2);
#2=APPLICATION_CONTEXT('core data for automotive mechanical design processes');
#3=SHAPE_DEFINITION_REPRESENTATION(#4,#10);
#4=PRODUCT_DEFINITION_SHAPE('','',#5);
#5=PRODUCT_DEFINITION('design','',#6,#9);
#6=PRODUCT_DEFINITION_FORMATION('','',#7);
#7=PRODUCT('ball','ball','',(#8));
#8=PRODUCT_CONTEXT('',#2,'mechanical');
#9=PRODUCT_DEFINITION_CONTEXT('part definition',#2,'design');
#10=ADVANCED_BREP_SHAPE_REPRESENTATION('',(#11,#15),#27);
#11=AXIS2_PLACEMENT_3D('',#12,#13,#14);
#12=CARTESIAN_POINT('',(0.,0.,0.));
#13=DIRECTION('',(0.,0.,1.));
#14=DIRECTION('',(1.,0.,0.));
#15=MANIFOLD_SOLID_BREP('',#16);
#16=CLOSED_SHELL('',(#17));
#17=ADVANCED_FACE('',(#18),#22,.T.);
#18=FACE_BOUND('',#19,.T.);
#19=VERTEX_LOOP('',#20);
#20=VERTEX_POINT('',#21);
#21=CARTESIAN_POINT('',(0.,0.,-10.));
#22=SPHERICAL_SURFACE('',#11,10.);
#27=(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((#31))
GLOBAL_UNIT_ASSIGNED_CONTEXT((#28,#29,#30))REPRESENTATION_CONTEXT('',''));
#28=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));
#29=(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.));
#30=(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT());
#31=UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-07),#28,'','');
"""
SIMPLE = BALL.replace("#3=SHAPE_DEFINITION_REPRESENTATION(#4,#10);\n", "")
REPRESENTED = "#3=SHAPE_DEFINITION_REPRESENTATION(#4,#{});\n"


def file(*parts):
    return "".join((HEAD, *parts, END)).encode()


def tower(levels, wide):
    """Representations each of which holds the one below `wide` times."""
    lines, below, number = [], 10, 100
    for _ in range(levels):
        items = []
        for k in range(wide):
            lines += [
                f"#{number}=CARTESIAN_POINT('',({30.0 * k},0.,0.));",
                f"#{number + 1}=AXIS2_PLACEMENT_3D('',#{number},#13,#14);",
                f"#{number + 2}=REPRESENTATION_MAP(#11,#{below});",
                f"#{number + 3}=MAPPED_ITEM('',#{number + 2},#{number + 1});",
            ]
            items.append(f"#{number + 3}")
            number += 4
        below, number = number, number + 1
        lines.append(f"#{below}=SHAPE_REPRESENTATION('',(#11,{','.join(items)}),#27);")
    return file(SIMPLE, REPRESENTED.format(below), "\n".join(lines), "\n")


def products(levels, wide):
    """An assembly of assemblies, each of which holds the one below `wide` times."""
    lines, number, below = [], 100, 5
    for level in range(levels):
        context = f"#{number}=PRODUCT('a{level}','a{level}','',(#8));"
        made = f"#{number + 1}=PRODUCT_DEFINITION_FORMATION('','',#{number});"
        definition = number + 2
        lines += [
            context,
            made,
            f"#{definition}=PRODUCT_DEFINITION('design','',#{number + 1},#9);",
            f"#{number + 3}=PRODUCT_DEFINITION_SHAPE('','',#{definition});",
            f"#{number + 4}=SHAPE_REPRESENTATION('',(#11),#27);",
            f"#{number + 5}=SHAPE_DEFINITION_REPRESENTATION(#{number + 3},#{number + 4});",
        ]
        number += 6
        for k in range(wide):
            lines.append(
                f"#{number}=NEXT_ASSEMBLY_USAGE_OCCURRENCE('{k}','','',#{definition},#{below},$);"
            )
            number += 1
        below = definition
    return file(BALL, "\n".join(lines), "\n")


def in_itself():
    """A representation that holds itself."""
    return file(
        SIMPLE,
        REPRESENTED.format(40),
        "#40=SHAPE_REPRESENTATION('',(#11,#15,#42),#27);\n#41=REPRESENTATION_MAP(#11,#40);\n"
        "#42=MAPPED_ITEM('',#41,#11);\n",
    )


def assembly_in_itself():
    return file(
        BALL,
        "#40=NEXT_ASSEMBLY_USAGE_OCCURRENCE('1','','',#5,#5,$);\n"
        "#41=PRODUCT_DEFINITION_SHAPE('','',#40);\n",
    )


def two_assemblies_in_each_other():
    return products(2, 1).replace(
        END.encode(), b"#900=NEXT_ASSEMBLY_USAGE_OCCURRENCE('z','','',#5,#108,$);\n" + END.encode()
    )


def knots(multiplicity, poles="(#12,#21,#12,#21)"):
    """The face on a surface of splines."""
    row = f"({poles},{poles})"
    spline = (
        f"#22=B_SPLINE_SURFACE_WITH_KNOTS('',1,3,{row},.UNSPECIFIED.,.F.,.F.,.F.,"
        f"(2,2),({multiplicity},4),(0.,1.),(0.,1.),.UNSPECIFIED.);"
    )
    return file(re.sub(r"#22=.*?;", spline, BALL))


def radius(text):
    return file(BALL.replace("'',#11,10.)", f"'',#11,{text})"))


def turned(turns):
    """The face on a surface turned from a spline of many corners."""
    points = "".join(
        f"#{1000 + k}=CARTESIAN_POINT('',({k % 7}.,{k % 5}.,{k}.));\n" for k in range(turns)
    )
    names = ",".join(f"#{1000 + k}" for k in range(turns))
    knot = ",".join(f"{k}." for k in range(turns))
    times = ",".join("2" if k in (0, turns - 1) else "1" for k in range(turns))
    curve = (
        f"#22=SURFACE_OF_REVOLUTION('',#60,#61);\n#61=AXIS1_PLACEMENT('',#12,#13);\n"
        f"#60=B_SPLINE_CURVE_WITH_KNOTS('',1,({names}),.UNSPECIFIED.,.F.,.F.,({times}),"
        f"({knot}),.UNSPECIFIED.);"
    )
    return file(points, re.sub(r"#22=.*?;", lambda _: curve, BALL))


def chain(length):
    """Representations, each in the next one."""
    return tower(length, 1)


def swept_by_each_other():
    return file(
        re.sub(r"#22=.*?;", "#22=OFFSET_SURFACE('',#40,1.,.F.);", BALL),
        "#40=OFFSET_SURFACE('',#22,1.,.F.);\n",
    )


HOSTILE = {
    "no step": lambda: bytes(range(256)) * 100,
    "nothing inside": lambda: file("#1=#1;\n"),
    "cut off": lambda: file(BALL)[:900],
    "ten thousand million balls": lambda: tower(10, 10),
    "two to the thirty": lambda: tower(30, 2),
    "ten thousand million parts": lambda: products(10, 10),
    "a representation in itself": in_itself,
    "an assembly in itself": assembly_in_itself,
    "two assemblies in each other": two_assemblies_in_each_other,
    "a chain of thousands": lambda: chain(20_000),
    "a chain of parts": lambda: products(5_000, 1),
    "offsets of each other": swept_by_each_other,
    "a knot two thousand million times": lambda: knots(2_000_000_000),
    "a knot more than can be counted": lambda: knots(10**30),
    "knots below zero": lambda: knots(-5),
    "a spline of many corners": lambda: turned(30_000),
    "no radius": lambda: radius("0."),
    "a radius below zero": lambda: radius("-10."),
    "a radius of light years": lambda: radius("1.E30"),
    "a radius beyond numbers": lambda: radius("1.E999"),
    "a radius of nothing": lambda: radius("1.E-300"),
    "a radius of a word": lambda: radius("'large'"),
    "a radius without end": lambda: radius("1" * 1_000_000 + "."),
    "lists in lists": lambda: file(BALL, "#50=LINE(" + "(" * 500_000, ");\n"),
    "closed lists in lists": lambda: file(BALL, "#50=LINE(" + "(" * 99_999 + ")" * 99_999, ");\n"),
    "a long name": lambda: file(BALL.replace("'ball'", "'" + "b" * 3_000_000 + "'")),
    "a number of an entity": lambda: file(BALL, f"#{'9' * 400}=CARTESIAN_POINT('',(0.,0.,0.));\n"),
    "an entity twice": lambda: file(BALL, BALL),
    "an entity of itself": lambda: file(BALL.replace("#16=CLOSED_SHELL('',(#17))", "#16=#16")),
    "a shell in its shell": lambda: file(BALL.replace("(#17))", "(#17,#16))")),
    "a face many times": lambda: file(
        BALL.replace("'',(#17)", "'',(" + ",".join(["#17"] * 100_000) + ")")
    ),
    "a solid many times": lambda: file(
        BALL.replace("(#11,#15)", "(#11," + ",".join(["#15"] * 100_000) + ")")
    ),
    "nuls": lambda: file(BALL).replace(b"ball", bytes(4)),
    "an unclosed text": lambda: file(BALL).replace(b"'ball'", b"'ball", 1),
    "a million points": lambda: file(
        BALL, *(f"#{k}=CARTESIAN_POINT('',(0.,0.,0.));\n" for k in range(100, 200_000))
    ),
    "another unit": lambda: file(BALL.replace(".MILLI.", ".EXA.")),
    "a file of the system": lambda: file(
        BALL, "#50=DOCUMENT_FILE('/etc/passwd','',$,#51,'',$);\n#51=DOCUMENT_TYPE('');\n"
    ),
}
SECONDS = 40.0  # beside other tests; a file of some kilobytes has step.SECONDS
# what took longest, a crash of the library by its stack, and a file that is read
ALWAYS = {"ten thousand million balls", "a representation in itself", "a solid many times"}


def test_a_ball_is_read_as_it_is():
    points, triangles = step.read_step(file(BALL))
    assert np.allclose(np.linalg.norm(points, axis=1), 10.0, atol=1e-6)
    a, b, c = (points[triangles[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
    assert volume == pytest.approx(4 / 3 * np.pi * 1000, rel=5e-3)
    # and three of them in a representation that holds it so often
    assert len(step.read_step(tower(1, 3))[1]) == 3 * len(triangles)


@pytest.mark.parametrize(
    "name", [n if n in ALWAYS else pytest.param(n, marks=pytest.mark.slow) for n in HOSTILE]
)
def test_a_file_made_to_do_harm_is_refused_in_a_sentence_in_time(name):
    data, begun = HOSTILE[name](), time.monotonic()
    try:
        read_mesh(data, "part.step", "mm")
        said = ""
    except MeshFileError as error:
        said = str(error)
        assert said.startswith("part.step ") and said.endswith(".") and "\n" not in said
    seconds = time.monotonic() - begun
    print(f"{name}: {seconds:.1f} s, at most {largest() / 1e6:.0f} MB: {said}")
    assert seconds < SECONDS and largest() < step.MEMORY


def largest():
    """Most memory [bytes] that a process of these tests held; 0 where it is not known."""
    if sys.platform != "linux":
        return 0
    import resource

    return 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


@pytest.mark.skipif(sys.platform != "linux", reason="the system cannot bound a process's memory")
@pytest.mark.parametrize(
    ("memory", "words"), [(600_000_000, "memory|breaks off"), (10_000_000, "breaks off")]
)
def test_a_process_without_memory_ends_in_a_sentence(monkeypatch, memory, words):
    monkeypatch.setattr(step, "MEMORY", memory)
    with pytest.raises(MeshFileError, match=words):
        read_mesh(file(BALL), "part.step", "mm")
