"""The chapters of a derivation's lecture and its proofs, each made when it is asked for."""

from typing import TYPE_CHECKING

from mechstudio.model.lectures import CONSTRAINTS, CONTACTS, EQUILIBRIA, KINEMATICS, METHODS, PARTITION, RECURSIVE, TORSORS, Chapter, Proof

if TYPE_CHECKING:
    from .derivation import Derivation


def chapter(derivation: "Derivation", key: str, **choices) -> Chapter:
    """A chapter by key.  Raises KeyError.

    choices of "partition": independent, names or places of coordinates; of "torsors": body, an id, and point, a name; of "contacts": row and sample of an instant of a run, and chosen, a contact.
    """
    derivation.equations        # names come from the equations first
    if key in METHODS:
        from .chapter_methods import method_chapter
        return method_chapter(derivation, key)
    if key in (CONSTRAINTS, PARTITION):
        from .chapter_constraints import constraints_chapter, partition_chapter
        return constraints_chapter(derivation) if key == CONSTRAINTS else partition_chapter(derivation, **choices)
    if key == RECURSIVE:
        from .chapter_recursive import recursive_chapter
        return recursive_chapter(derivation)
    if key == KINEMATICS:
        from .chapter_kinematics import kinematics_chapter
        return kinematics_chapter(derivation)
    if key == TORSORS:
        from .chapter_torsors import torsors_chapter
        return torsors_chapter(derivation, **choices)
    if key == EQUILIBRIA:
        from .chapter_equilibria import equilibria_chapter
        return equilibria_chapter(derivation)
    if key == CONTACTS:
        from .chapter_contacts import contacts_chapter
        return contacts_chapter(derivation, **choices).chapter
    raise KeyError(key)


def proofs(derivation: "Derivation") -> tuple[Proof, ...]:
    """All proofs but the engine's verdict."""
    from .proofs import proofs
    return proofs(derivation)
