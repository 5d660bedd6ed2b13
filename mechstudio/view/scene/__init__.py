"""The 3D viewport: renderer, camera, pointer, labels and furniture."""
