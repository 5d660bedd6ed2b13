"""Tables of all loads: of each force, of joints, and of each body cut free."""
