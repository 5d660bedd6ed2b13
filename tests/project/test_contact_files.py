"""What touches, in a file and by script: surfaces of pairs and bodies that touch nothing come back as they were; a file without them is as before."""

import msgspec

from mechstudio.builder import Builder
from mechstudio.model import contact_edits
from mechstudio.model.contact import Surface
from mechstudio.model.mechanism import GROUND
from mechstudio.project.codec import decode, encode


def built():
    b = Builder("pair")
    a, c = b.body("a"), b.body("c")
    for body in (a, c):
        body.box(0.1, 0.1, 0.1)
    b.floor()
    b.pair(a, c, True, "ice", restitution=0.5)
    b.untouchable(c)
    return b


def test_pairs_and_untouchable_bodies_stand_in_the_file():
    project = built().project()
    pair, = project.mechanism.contacts.pairs
    assert pair.touch and pair.surface == Surface("ice", restitution=pair.surface.restitution) and pair.surface.number("restitution") == 0.5
    data = encode(project)
    loaded = decode(data if isinstance(data, bytes) else data.encode())
    assert loaded.findings == () and loaded.project == project
    assert [b.touches for b in loaded.project.mechanism.bodies.values()] == [True, False]


def test_a_pair_of_which_nothing_is_left_to_say_goes():
    """Edits of a pair keep its place, its surface and its switch apart, and write nothing that is so without a word."""
    project = built().project()
    a, c = project.mechanism.bodies
    said = contact_edits.set_pair(project, a, c, False)
    assert contact_edits.pair_surface(said.mechanism, a, c).type == "ice" and not contact_edits.touches(said.mechanism, a, c)
    plain = contact_edits.set_pair_surface(contact_edits.set_pair(said, a, c, True), a, c, "")
    assert plain.mechanism.contacts.pairs == ()
    other = contact_edits.set_pair_surface(plain, a, GROUND, "rubber")
    assert contact_edits.pair_surface(other.mechanism, GROUND, a).type == "rubber" and contact_edits.touches(other.mechanism, a, GROUND)
    assert msgspec.structs.replace(other.mechanism.contacts, pairs=()) == plain.mechanism.contacts
