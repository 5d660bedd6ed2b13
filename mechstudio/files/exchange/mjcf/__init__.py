"""MJCF, the files of MuJoCo: written and read."""
