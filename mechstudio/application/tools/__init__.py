"""Drawing tools as state machines without Qt: pointer and keys go in, previews and committed edits
come out.
"""
