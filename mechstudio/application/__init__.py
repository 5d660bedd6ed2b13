"""What the program does for its user, without Qt: document, selection, playback, the session with
the worker, the abstract scene.
"""
