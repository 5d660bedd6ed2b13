"""Tables of all loads: of each force, and of each body cut free."""
