"""Compiled kernels: kinematics, loop rows, factorisation, loads, integration, recording.  They read
arrays only, never a drawing.
"""
