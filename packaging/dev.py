"""Set everything up on a fresh machine, then run the program or its tests.

    python3 packaging/dev.py run [FILE]
        open the window (without FILE: with samples/four_bar.mech)
    python3 packaging/dev.py test [pytest arguments]
        run the tests (without arguments: all, in parts side by side)

Needs Python 3.11 or newer and the network the first time; nothing beside the standard library.
What it makes lies in
.venv beside the project.  On Debian and Ubuntu, as root, it also installs the system packages that
are missing.
"""

import codecs
import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
STAMP = VENV / "mechstudio-installed.json"
PYTHON = VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
PICTURE = ROOT / "build" / "window.png"
OLDEST = (3, 11)

# what Qt and OpenGL load at run time, and the Debian package of each
LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
}
SCREEN_PROGRAMS = {"Xvfb": "xvfb", "xauth": "xauth"}
TEST_PROGRAMS = {"xdotool": "xdotool"}


class Terminated(BaseException):
    """Somebody wants this program to end (SIGTERM)."""


class SetupError(Exception):
    """The machine cannot be set up; the message says why and what to do."""


def say(sentence):
    print(f"dev: {sentence}", flush=True)


def run_quietly(command):
    """Run a command; its output is shown only if it fails."""
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if done.returncode:
        print(done.stdout[-6000:], file=sys.stderr)
        raise SetupError(
            "this command failed, its words stand above: " + " ".join(map(str, command))
        )


# system packages


def missing_packages(purpose, screen):
    """Names of the Debian packages whose libraries and programs are not there."""
    loader = shutil.which("ldconfig") or next(
        (p for p in ("/sbin/ldconfig", "/usr/sbin/ldconfig") if os.path.exists(p)), None
    )
    missing = []
    if loader:
        known = subprocess.run(
            [loader, "-p"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ).stdout
        missing += [package for library, package in LIBRARIES.items() if library not in known]
    programs = {
        **({} if screen else SCREEN_PROGRAMS),
        **(TEST_PROGRAMS if purpose == "test" else {}),
    }
    return missing + [package for program, package in programs.items() if not shutil.which(program)]


def apt_install(packages):
    """Install Debian packages; True if it was tried (Debian, as root)."""
    apt = shutil.which("apt-get")
    if not apt or os.geteuid() != 0:
        return False
    say("installing system packages: " + " ".join(packages))
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    run_quietly([apt, "update", "-q"])
    run_quietly([apt, "install", "-y", "-q", "--no-install-recommends", *packages])
    return True


def prepare_system(purpose, screen):
    """Install what the system lacks.  Returns what was done, in words.  Raises SetupError with what
    is missing where it may not.
    """
    if not sys.platform.startswith("linux"):
        return "no system packages are needed here"
    missing = missing_packages(purpose, screen)
    if not missing:
        return "all system packages are there"
    if apt_install(missing):
        return "installed " + " ".join(missing)
    # before hundreds of megabytes are fetched that could not be used
    raise SetupError(
        "the window needs these system packages first (Debian's names): sudo apt-get install "
        + " ".join(missing)
    )


# the environment


def venv_works():
    """Whether .venv holds a Python that starts and is new enough."""
    if not PYTHON.exists():
        return False
    test = subprocess.run(
        [str(PYTHON), "-c", f"import sys; sys.exit(sys.version_info < {OLDEST})"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return test.returncode == 0


def works(*command):
    """Whether a command ends well; its words do not matter."""
    return (
        subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ).returncode
        == 0
    )


def make_venv():
    """Make .venv.  Debian's own Python makes one with pip only where python3-venv is installed, so
    the second way is without.
    """
    for attempt in range(2):
        if (
            works(sys.executable, "-m", "venv", "--clear", str(VENV))
            or works(sys.executable, "-m", "venv", "--clear", "--without-pip", str(VENV))
        ) and pip_command() is not None:
            return
        if attempt == 0 and not (
            sys.platform.startswith("linux") and apt_install(["python3-venv", "python3-pip"])
        ):
            break
    raise SetupError(
        f"{sys.executable} can make no environment with pip in {VENV}; on Debian and Ubuntu: "
        "sudo apt-get install python3-venv python3-pip."
    )


def pip_command():
    """The command that installs into .venv: its own pip, or the pip of the Python that runs this;
    None if there is neither.
    """
    if works(str(PYTHON), "-m", "pip", "--version"):
        return [str(PYTHON), "-m", "pip"]
    if works(sys.executable, "-m", "pip", "--python", str(PYTHON), "--version"):
        return [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    return None


def requested_stamp(extras):
    """What was installed, as the stamp file says it."""
    needs = b"".join((ROOT / name).read_bytes() for name in ("pyproject.toml", "setup.py"))
    return {
        "needs": hashlib.sha256(needs).hexdigest(),
        "place": str(ROOT),
        "extras": sorted(extras),
    }


def is_installed(extras):
    """Whether .venv already holds this project with these extras."""
    try:
        stamp = json.loads(STAMP.read_text("utf-8"))
    except (OSError, ValueError):
        return False
    requested = requested_stamp(extras)
    return (
        isinstance(stamp, dict)
        and all(stamp.get(k) == requested[k] for k in ("needs", "place"))
        and set(extras) <= set(stamp.get("extras", ()))
    )


def prepare_environment(extras):
    """Make .venv hold the project, editable, with what it needs.  Returns what was done, in
    words.
    """
    if venv_works() and is_installed(extras):
        return f"{VENV} is up to date"
    if not venv_works():
        say(f"making {VENV} with Python {sys.version.split()[0]}")
        make_venv()
    pip = pip_command()
    if pip is None:
        make_venv()
        pip = pip_command()
    look_for_packages(pip)
    say("installing mechstudio and what it needs (about 500 MB the first time, some minutes)")
    target = str(ROOT) + (f"[{','.join(extras)}]" if extras else "")
    run_quietly([*pip, "install", "--disable-pip-version-check", "--quiet", "--editable", target])
    STAMP.write_text(json.dumps(requested_stamp(extras)) + "\n", encoding="utf-8")
    return f"installed into {VENV}"


def look_for_packages(pip):
    """Ask for one small package.  Raises SetupError where none can be had: pip itself tries for
    half a minute and then tells of its internals.
    """
    ask = [
        "install",
        "--dry-run",
        "--ignore-installed",
        "--no-deps",
        "--retries",
        "0",
        "--timeout",
        "10",
        "--disable-pip-version-check",
        "--quiet",
    ]
    if not works(*pip, *ask, "msgspec"):
        raise SetupError(
            "Python packages cannot be fetched: the package index does not answer. Connect "
            "to the network, or set pip's proxy or mirror, and run this again."
        )


def prepare_catalogues():
    """Compile the catalogues of other languages where they are older than their sources.  Returns
    what was done, in words.
    """
    sources = list(ROOT.glob("mechstudio/locale/*/LC_MESSAGES/*.po"))
    compiled = [(p, p.with_suffix(".mo")) for p in sources]
    if all(mo.exists() and mo.stat().st_mtime >= po.stat().st_mtime for po, mo in compiled):
        return "all languages are there"
    if not works(str(PYTHON), "-c", "import babel"):
        pip = pip_command()
        if pip is None or not works(*pip, "install", "--disable-pip-version-check", "babel>=2.12"):
            return "languages are as they were: Babel, which compiles them, cannot be fetched"
    run_quietly([str(PYTHON), str(ROOT / "packaging" / "catalogue.py"), "compile"])
    return "compiled the catalogues of other languages"


# the two commands


def call(command, ask=signal.SIGTERM, **options):
    """Run a command and return its exit code; it does not outlive this program.  ask: the signal
    that asks it to end.
    """
    process = subprocess.Popen(command, **options)
    try:
        return process.wait()
    except Terminated:
        process.send_signal(ask)
        raise
    finally:
        end([process])


def has_screen():
    from mechstudio.virtual_screen import has_screen as found

    return found()


def run_program(arguments):
    """Open the window; without any screen open it on a virtual one, play, and keep a picture."""
    file = (
        Path(arguments[0]).expanduser().resolve()
        if arguments
        else ROOT / "samples" / "four_bar.mech"
    )
    if has_screen():
        return call([str(PYTHON), "-m", "mechstudio", str(file)])
    from mechstudio.virtual_screen import virtual_screen

    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.unlink(missing_ok=True)
    say(
        "there is no screen here: opening the window on a virtual one (the first time the "
        "solver is compiled, which takes a minute or two)"
    )
    with virtual_screen() as variables:
        code = call(
            [str(PYTHON), "-m", "mechstudio", "--picture", str(PICTURE), str(file)],
            env={**os.environ, **variables},
        )
    if PICTURE.exists():
        say(
            f"{f'played {file.name}; ' if code == 0 else ''}a picture of the window is in {PICTURE}"
        )
    return code or int(not PICTURE.exists())


@contextlib.contextmanager
def screen():
    """The environment of a program that opens windows: the machine's own screen, or a virtual one
    for the time of the block.
    """
    if has_screen():
        yield dict(os.environ)
        return
    from mechstudio.virtual_screen import virtual_screen

    with virtual_screen() as variables:
        yield {**os.environ, **variables}


def run_tests(arguments):
    """Run pytest in the project's folder, on a virtual screen where there is none; without
    arguments the whole of it in parts side by side.
    """
    if not arguments:
        return run_parts()
    with screen() as environment:
        return call([str(PYTHON), "-m", "pytest", *arguments], INTERRUPT, cwd=ROOT, env=environment)


# all tests, in processes side by side

EQUATIONS = ["tests/symbolic", "tests/samples"]
DRAWING = ["tests/model", "tests/files", "tests/protocol", "tests/application"]
# folders of the tests that open a window, in parts as long as each other; those that no list names
# are a third part
PANELS, SCENE = (
    [f"tests/view/{folder}" for folder in folders.split()]
    for folders in (
        "access actions bars dialogs docks equations exports films free_body help inspector",
        "marks panels plots present scene sizing study",
    )
)
# in this order: the first one asks hardly anything of the solver, which is compiled beside it; then
# the longest first, so that all places end together
PARTS = {
    "drawing": DRAWING,
    "everything else": [
        "tests",
        *(f"--ignore={folder}" for folder in ("tests/view", "tests/engine", *EQUATIONS, *DRAWING)),
    ],
    "engine": ["tests/engine"],
    "equations": EQUATIONS,
    "panels": PANELS,
    "windows": ["tests/view", *(f"--ignore={folder}" for folder in (*PANELS, *SCENE))],
    "scene": SCENE,
}
# only these open a window: others would fail without a screen, and two on one screen would take the
# keys away from each other
ON_SCREEN = ("panels", "scene", "windows")
# parts that run side by side, two more than processors: each waits now and then for processes that
# it has started or ended, or for the screen; memory is enough for six
AT_ONCE = min(os.cpu_count() or 2, 4) + 2
BESIDE_COMPILER = 1  # parts that run while the solver is compiled, which others would compile too
SLOWEST = ("--durations=20", "--durations-min=4")  # tests that each part names at its end
COMPILE = "from mechstudio.engine.contacts.warmup import compile_everything; compile_everything()"
GRACE = 10.0  # seconds that a process may take to end
TURN = 0.2  # seconds between two looks at the parts
# what pytest ends by in good order, as by Ctrl-C; Windows knows no such signal between processes
INTERRUPT = signal.SIGTERM if sys.platform == "win32" else signal.SIGINT


def run_parts():
    """Compile the solver and run all tests in parts, some at a time; the words of the parts are
    printed in their order.
    """
    began = time.monotonic()
    say("preparing the solver (the first time it is compiled, which takes a minute or two)")
    with (
        tempfile.TemporaryDirectory(
            prefix="mechstudio-tests-", ignore_cleanup_errors=True
        ) as folder,
        contextlib.ExitStack() as screens,
    ):
        seeing = {name: screens.enter_context(screen()) for name in PARTS if name in ON_SCREEN}
        blind = dict(os.environ)
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            blind.pop(name, None)
        for environment in (blind, *seeing.values()):
            # tests start many processes, which read bytecode faster than sources
            environment.pop("PYTHONDONTWRITEBYTECODE", None)
        words = {name: Path(folder, f"{k}.txt") for k, name in enumerate(PARTS)}
        reports = {name: Path(folder, f"{k}.xml") for k, name in enumerate(PARTS)}
        # otherwise every part would compile it
        compiler = subprocess.Popen([str(PYTHON), "-c", COMPILE], cwd=ROOT, env=blind)
        parts = {}

        def start():
            """Start parts that wait for a place."""
            if compiler.poll():
                raise SetupError("the solver cannot be compiled; the reason stands above.")
            places = BESIDE_COMPILER if compiler.poll() is None else AT_ONCE
            for name in (name for name in PARTS if name not in parts):
                busy = [other for other, part in parts.items() if part.poll() is None]
                if len(busy) >= places:
                    return
                if name in ON_SCREEN and has_screen() and set(busy) & set(ON_SCREEN):
                    continue  # one screen for all of them
                with words[name].open("wb") as file:
                    parts[name] = subprocess.Popen(
                        [
                            *(str(PYTHON), "-m", "pytest", f"--junitxml={reports[name]}"),
                            *(*SLOWEST, *PARTS[name]),
                        ],
                        cwd=ROOT,
                        env=seeing.get(name, blind),
                        stdin=subprocess.DEVNULL,
                        stdout=file,
                        stderr=subprocess.STDOUT,
                    )

        try:
            for name in PARTS:
                while name not in parts:
                    start()
                    time.sleep(TURN)
                follow(parts[name], words[name], start)
        except Terminated:
            compiler.terminate()
            for part in parts.values():
                part.send_signal(INTERRUPT)
            raise
        finally:
            end([compiler, *parts.values()])
        outcomes = [outcome(report) for report in reports.values()]
    codes = [parts[name].returncode for name in PARTS]
    for name, code, found in zip(PARTS, codes, outcomes):
        if found is None or (code and not found["failed"]):
            say(f"the tests of {name} did not come to their end (exit code {code})")
    say(summary(outcomes, time.monotonic() - began))
    return next((1 if code < 0 else code for code in codes if code), 0)


def follow(process, path, meanwhile):
    """Print what a process writes into a file, from its beginning and until the process ends.
    meanwhile(): called again and again.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    with path.open("rb") as words:
        ended = False
        while not ended:
            meanwhile()
            ended = process.poll() is not None  # asked first: what is read next is then all
            print(decoder.decode(words.read()), end="", flush=True)
            if not ended:
                time.sleep(TURN)


def end(processes):
    """End what still runs; Ctrl-C, or a signal, has reached it already, so that it may say its last
    words.
    """
    limit = time.monotonic() + GRACE
    for process in processes:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, limit - time.monotonic()))
    for process in processes:
        if process.poll() is None:
            process.kill()
            process.wait()


def outcome(report):
    """Numbers of tests and their seconds out of pytest's report; None if it was never written."""
    try:
        suite = xml.etree.ElementTree.parse(report).getroot().find("testsuite")
    except (OSError, xml.etree.ElementTree.ParseError):
        return None
    run, bad, skipped = (
        int(suite.get("tests")),
        int(suite.get("failures")) + int(suite.get("errors")),
        int(suite.get("skipped")),
    )
    return {
        "run": run,
        "failed": bad,
        "skipped": skipped,
        "passed": run - bad - skipped,
        "seconds": float(suite.get("time")),
    }


def summary(outcomes, seconds):
    """One line: what was run, how it ended and how long it took."""
    known = [found for found in outcomes if found is not None]
    counts = ", ".join(
        f"{sum(found[word] for found in known)} {word}" for word in ("passed", "failed", "skipped")
    )
    parts = "; ".join(
        f"{name}: " + (f"{found['run']} in {duration(found['seconds'])}" if found else "not ended")
        for name, found in zip(PARTS, outcomes)
    )
    return (
        f"{sum(found['run'] for found in known)} tests: {counts}, in {duration(seconds)} ({parts})"
    )


def duration(seconds):
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def main(arguments):
    if (
        not arguments
        or arguments[0] not in ("run", "test")
        or (arguments[0] == "run" and ({"-h", "--help"} & set(arguments) or len(arguments) > 2))
    ):
        print(__doc__.strip())
        return 0 if {"-h", "--help"} & set(arguments) else 2
    if sys.version_info < OLDEST:
        say("Python {}.{} or newer is needed; this is {}.".format(*OLDEST, sys.version.split()[0]))
        return 2
    purpose = arguments[0]
    sys.path.insert(0, str(ROOT))
    try:
        system = prepare_system(purpose, has_screen())
        environment = prepare_environment(["test"] if purpose == "test" else [])
        languages = prepare_catalogues()
        say(f"{system}; {environment}; {languages}")
        return (run_program if purpose == "run" else run_tests)(arguments[1:])
    except (SetupError, RuntimeError, OSError) as problem:
        say(str(problem))
        return 2
    except KeyboardInterrupt:
        return 130
    except Terminated:
        return 143


def listen():
    """From now on SIGTERM ends this program in good order, and all that it started."""

    def terminated(number, frame):
        raise Terminated

    signal.signal(signal.SIGTERM, terminated)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # a shell starts what runs in the background like this; inherited, it would keep pytest from
        # ending in good order
        signal.signal(signal.SIGINT, lambda number, frame: None)


if __name__ == "__main__":
    listen()
    sys.exit(main(sys.argv[1:]))
