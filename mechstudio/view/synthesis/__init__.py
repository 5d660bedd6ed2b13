"""The page on which a path, a motion or a function is asked for and linkages answer."""
