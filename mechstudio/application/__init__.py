"""Application layer, without Qt: document, selection, playback, the session with the worker, the
abstract scene.
"""
