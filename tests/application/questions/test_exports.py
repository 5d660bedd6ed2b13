"""Exports of the open document: copied or written by a process of their own, reported when they
take long, cancelled at once.  Real processes, no window.
"""

import os
import signal
import time
from pathlib import Path

import pytest

from mechstudio.application.document import Document
from mechstudio.application.questions.exports import LONG, Exports
from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import load
from mechstudio.model.types.exports import EXPORTS
from mechstudio.protocol.process import derive_command
from tests.patience import within


class Driver:
    def __init__(self, folder, name="cart_pole", *arguments):
        self.document = Document(load(sample_folder() / f"{name}.mech").project)
        self.messages, self.copied, self.saved = [], [], []
        self.it = Exports(
            self.document, self.say, self.withdraw, folder, [*derive_command(), *arguments]
        )
        self.it.copied.connect(lambda text, format: self.copied.append((text, format)))
        self.it.saved.connect(self.saved.append)

    def say(self, message):
        self.messages = [m for m in self.messages if m.key != message.key] + [message]

    def withdraw(self, key):
        self.messages = [m for m in self.messages if m.key != key]

    def until(self, condition, limit=60.0):
        start = time.monotonic()
        while not condition():
            assert time.monotonic() - start < limit, self.messages
            self.it.poll()
            time.sleep(0.005)
        return time.monotonic() - start

    def settle(self):
        self.until(lambda: not self.it.is_working)


@pytest.fixture
def drive(tmp_path):
    made = []

    def make(*arguments):
        made.append(Driver(tmp_path / "log", *arguments))
        return made[-1]

    yield make
    for driver in made:
        driver.it.close()


def test_copies_and_files(drive, tmp_path):
    d = drive()
    d.it.request("c", "lagrange", "mm-N-deg")
    d.it.request("latex", "lagrange", "mm-N-deg", tmp_path / "x.tex")
    assert d.it.is_working
    d.settle()
    ((text, format),) = d.copied
    assert format == "c" and text.startswith("/* Cart and pole") and d.saved == [tmp_path / "x.tex"]
    assert r"\begin{bmatrix}" in (tmp_path / "x.tex").read_text("utf-8")
    assert [(m.kind, m.text) for m in d.messages] == [("info", f"x.tex is saved in {tmp_path}.")]


def test_an_unwritable_path_is_reported_in_words(drive, tmp_path):
    d = drive()
    (tmp_path / "there").write_text("kept")
    d.it.request("text", "lagrange", "mm-N-deg", tmp_path / "none" / "x.txt")
    d.settle()
    assert (
        d.messages[-1].kind == "error"
        and "x.txt could not be saved because the folder" in d.messages[-1].text
        and not d.saved
    )
    d.it.request("text", "lagrange", "mm-N-deg", tmp_path)
    d.settle()
    assert d.messages[-1].kind == "error" and len(d.messages) == 1


def test_a_drawing_that_cannot_be_derived_says_why(drive, tmp_path):
    d = drive()
    d.document = d.it._document = Document()
    d.it.request("pdf", "lagrange", "mm-N-deg", tmp_path / "x.pdf")
    d.settle()
    assert (
        d.messages[-1].text.startswith("x.pdf cannot be made. There is no moving body")
        and not (tmp_path / "x.pdf").exists()
    )


def test_a_long_export_reports_progress_and_is_cancelled_at_once(drive, tmp_path):
    d = drive("cart_pole", "--slow", "0.4")
    d.it.request("report-pdf", "lagrange", "mm-N-deg", tmp_path / "x.pdf")
    assert d.until(lambda: d.messages) > LONG
    assert d.messages[0].text.startswith("Making x.pdf: ") and d.messages[0].buttons == (
        ("Cancel", d.it.cancel),
    )
    start = time.monotonic()
    d.it.cancel()
    assert time.monotonic() - start < within(0.2, 0.4) and not d.it.is_working and not d.messages
    d.it.request("text", "lagrange", "mm-N-deg")
    d.settle()
    assert d.copied and not (tmp_path / "x.pdf").exists()


def test_a_lost_process_is_reported(drive):
    d = drive("cart_pole", "--slow", "0.5")
    d.it.request("c", "lagrange", "mm-N-deg")
    d.it.poll()
    os.kill(d.it.channel.process.pid, signal.SIGKILL)
    d.settle()
    assert (
        d.messages[-1].kind == "error" and "The export stopped unexpectedly" in d.messages[-1].text
    )


def test_suggested_names(drive):
    d = drive()
    assert (
        d.it.suggested("latex") == "cart_and_pole_equations.tex"
        and d.it.suggested("report-pdf") == "cart_and_pole_report.pdf"
    )
    assert len({d.it.suggested(f.id) for f in EXPORTS}) == len(EXPORTS) - 1, "two are .py"


def test_suggested_names_have_single_underscores(drive):
    d = drive()
    d.it._document = Document(path=Path("Crane & hook (2).mech"))
    assert d.it.suggested("fmu") == "crane_hook_2_equations.fmu"
