"""The drawing as frozen values: bodies, joints, forces, parameters, and the tables that give their
types meaning.
"""
