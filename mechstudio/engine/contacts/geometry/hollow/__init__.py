"""Shapes with hollows that touch on all their sides: meshes with each other, tubes, and insides."""
