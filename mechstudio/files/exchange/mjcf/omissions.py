"""Settings of an MJCF file that change its motion and have no counterpart here, each listed."""

from mechstudio.files.exchange.drawing import Drawing
from mechstudio.files.exchange.mjcf.source import Source
from mechstudio.files.exchange.xml_text import Node, number, numbers
from mechstudio.model.naming import quoted
from mechstudio.translation import tr

# flags of the option element by which MuJoCo leaves something out; gravity and contact are read
FLAGS = (
    "constraint",
    "equality",
    "frictionloss",
    "limit",
    "passive",
    "spring",
    "damper",
    "actuation",
)
MASSES = ("boundmass", "boundinertia")
# attributes of actuators, with the value at which they change nothing
ACTUATOR_EXTRAS = ("dampratio", "timeconst", "inheritrange")


def report_settings(source: Source, drawing: Drawing) -> None:
    """Masses that the compiler changes, and flags that switch something off."""
    if number(source.compiler, "settotalmass", -1.0) > 0.0:
        drawing.say(tr("Masses were not scaled to the total mass that the file wants."))
    changed = [name for name in MASSES if number(source.compiler, name, 0.0) > 0.0]
    if source.compiler.get("balanceinertia") == "true":
        changed.append("balanceinertia")
    low, high = (numbers(source.compiler, "inertiagrouprange", 2) or (0.0, 5.0))[:2]
    if low > 0.0 or high < 5.0:
        changed.append("inertiagrouprange")
    for name in changed:
        drawing.leave(tr("Settings of the compiler that change masses were left out"), quoted(name))
    for option in source.root.all("option"):
        if groups := option.get("actuatorgroupdisable"):
            drawing.leave(
                tr("Groups of actuators that are switched off, and which drive here"), groups
            )
        for flag in option.all("flag"):
            for name in FLAGS:
                if flag.get(name) == "disable":
                    drawing.leave(
                        tr("Flags that switch something off, which stays on here"), quoted(name)
                    )


def report_joint(drawing: Drawing, node: Node, kind: str, name: str) -> None:
    """Forces and limits of a joint element that were left out."""
    if number(node, "armature", 0.0):
        drawing.leave(tr("Armatures (inertia of rotors) were left out"), quoted(name))
    if any(numbers(node, "springdamper")):
        drawing.leave(
            tr("Springs and dampers that are given by a time constant were left out"), quoted(name)
        )
    if any(any(numbers(node, key)[1:]) for key in ("stiffness", "damping")):
        drawing.leave(
            tr("Springs and dampers that are not linear, of which the linear part was taken"),
            quoted(name),
        )
    if kind == "free" and any(
        any(numbers(node, key)) for key in ("stiffness", "damping", "frictionloss")
    ):
        drawing.leave(tr("Springs, dampers and frictions of free joints were left out"), name)
    if kind == "ball" and any(numbers(node, "range")) and node.get("limited") != "false":
        drawing.leave(tr("Limits of balls were left out"), quoted(name))
    if numbers(node, "actuatorfrcrange") and node.get("actuatorfrclimited") != "false":
        drawing.leave(tr("Largest forces of actuators were left out"), quoted(name))


def report_actuator(drawing: Drawing, node: Node, name: str) -> None:
    """Bounds and filters of an actuator that were left out."""
    if numbers(node, "forcerange") and node.get("forcelimited") != "false":
        drawing.leave(tr("Largest forces of actuators were left out"), quoted(name))
    for key in ACTUATOR_EXTRAS:
        if number(node, key, 0.0):
            drawing.leave(tr("Settings of actuators were left out"), f"{quoted(name)} ({key})")
