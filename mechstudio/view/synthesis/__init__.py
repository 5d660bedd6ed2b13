"""The page on which a path, a motion or a function is requested and linkages answer."""
