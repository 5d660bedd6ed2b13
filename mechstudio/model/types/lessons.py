"""Topics and levels that lessons are found by."""

from mechstudio.translation import Words

TOPICS: dict[str, Words] = {
    "linkages": "Linkages",
    "lines": "Straight lines",
    "machines": "Machines",
    "gears": "Gears and cams",
    "dynamics": "Dynamics",
    "rolling": "Rolling and sliding",
    "contact": "Contact and friction",
    "space": "In space",
    "numerics": "Numerical methods",
    "derivations": "Derivations",
}
# from the first hour to the last term
LEVELS: dict[int, Words] = {1: "Easy", 2: "Medium", 3: "Hard"}
