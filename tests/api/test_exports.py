"""ms.export_equations: the format of the ending, sentences for what cannot be."""

import pytest

import mechstudio as ms
from mechstudio.model.project import Project
from tests import mechanisms


@pytest.fixture
def project():
    return Project(mechanisms.double_pendulum())


def test_the_ending_says_the_format(project, tmp_path):
    reported = []
    ms.export_equations(
        project, tmp_path / "arm.c", progress=lambda fraction, step: reported.append(fraction)
    )
    ms.export_equations(project, str(tmp_path / "arm.mo"))
    ms.export_equations(project, tmp_path / "page", "report-html", units="inch-lbf")
    assert (tmp_path / "arm.c").read_text().startswith("/* arm\n") and (
        tmp_path / "arm.mo"
    ).read_text().startswith("model arm ")
    assert (
        "<h1>page</h1>" in (tmp_path / "page").read_text()
        and reported
        and all(0 <= x <= 1 for x in reported)
    )


def test_invalid_exports_raise_with_the_reason_and_write_no_file(project, tmp_path):
    with pytest.raises(ValueError, match=r"The ending of .* stands for no format"):
        ms.export_equations(project, tmp_path / "arm.docx")
    with pytest.raises(KeyError, match="There is no format word"):
        ms.export_equations(project, tmp_path / "arm.c", "word")
    with pytest.raises(OSError, match="because the folder"):
        ms.export_equations(project, tmp_path / "none" / "arm.c")
    with pytest.raises(ValueError, match="There is no moving body"):
        ms.export_equations(Project(), tmp_path / "arm.c")
    assert not list(tmp_path.iterdir())
