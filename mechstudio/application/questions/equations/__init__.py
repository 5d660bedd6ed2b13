"""Questions about equations: derivations, chapters, numbers of an instant."""
