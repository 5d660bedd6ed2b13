"""Compiled kernels: kinematics, loop rows, factorisation, loads, integration, recording.  They see
arrays only, never a drawing.
"""
