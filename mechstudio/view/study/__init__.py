"""Studies in the window: what varies, how far it is, and what came of it."""
