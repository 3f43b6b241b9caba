"""Fovea - how the shipped detector is made: drawn scenes, a small network, a Core ML file."""
