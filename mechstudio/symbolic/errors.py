"""Errors that a derivation may raise instead of returning equations."""


class DerivationError(ValueError):
    """The drawing cannot be derived; the message names object, cause and cure."""


class TooLarge(DerivationError):
    """The closed form would be longer than anybody reads; its structure is still known."""
