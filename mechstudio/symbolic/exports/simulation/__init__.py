"""Data that an external simulation needs beside the equations."""
