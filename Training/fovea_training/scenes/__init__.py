"""Fovea - pictures: surfaces placed before backgrounds, light, a camera, and the boxes that follow."""
