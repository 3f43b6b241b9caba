# Fovea - boxes by Fovea.
# SPDX-License-Identifier: Apache-2.0
import fovea


def load(folder):
    return fovea.Model(folder / "network.mlpackage")


def detect(model, path):
    return [(found.label, found.confidence, found.box) for found in model(path, confidence=0.7)]
