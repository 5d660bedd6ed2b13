"""The table of known answers: the rows of all fields."""

from tests.known_answers import contacts, forces, integrators, joints, laws, loops

ROWS = (*joints.ROWS, *forces.ROWS, *laws.ROWS, *integrators.ROWS, *loops.ROWS, *contacts.ROWS)
