"""URDF, the files of robots in ROS: written and read."""
