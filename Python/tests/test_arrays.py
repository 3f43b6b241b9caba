# Fovea - tests: pictures in the place of arrays.
# SPDX-License-Identifier: Apache-2.0
"""Detectors that read arrays are given pictures, and arrays where a session runs them."""

from __future__ import annotations

import unittest
from typing import Any

import fovea
from support import detected, load, needs, needs_shared, shared

numpy: Any = load("numpy")

MODEL = shared("mlprogram/nanodet-fp32-ios17-array/model.mlpackage")
IMAGE = shared("images/dog.jpg")


@needs_shared("mlprogram/nanodet-fp32-ios17-array")
class ArrayTests(unittest.TestCase):
    """A detector without a word about pictures."""

    def test_objects_are_those_of_the_command(self) -> None:
        model = fovea.Model(MODEL)
        self.assertTrue(model.detects)
        self.assertEqual(model.inputs[0].kind, "array")
        assert model.picture is not None
        self.assertEqual((model.picture.input, model.picture.color), ("image", "bgr"))
        self.assertAlmostEqual(model.picture.scale[0], 1 / 57.375, places=6)
        self.assertIn("NanoDet", model.picture.reason)
        found = model(IMAGE, confidence=0.02)
        expected = detected(IMAGE, "--model", MODEL, "--confidence", "0.02")["objects"]
        self.assertGreater(len(expected), 0)
        self.assertEqual(
            [(one.label, round(float(one.confidence), 6)) for one in found],
            [(one["label"], one["confidence"]) for one in expected])

    def test_numbers_can_be_named(self) -> None:
        named = fovea.Model(
            MODEL, scale=[1 / 58.395, 1 / 57.12, 1 / 57.375],
            bias=[-123.675 / 58.395, -116.28 / 57.12, -103.53 / 57.375], color="bgr")
        assert named.picture is not None
        self.assertIn("options", named.picture.reason)
        own = fovea.Model(MODEL)
        self.assertEqual(
            [round(float(one.confidence), 4) for one in named(IMAGE, confidence=0.02)],
            [round(float(one.confidence), 4) for one in own(IMAGE, confidence=0.02)])
        for options in (
            {"scale": 0}, {"scale": [1, 2]}, {"bias": 1}, {"color": "hsv"},
            {"scale": float("nan")}, {"color": "gray"},
        ):
            with self.assertRaises(fovea.ArgumentError, msg=str(options)):
                fovea.Model(MODEL, **options)  # type: ignore[arg-type]

    @needs("numpy")
    def test_sessions_keep_arrays(self) -> None:
        folder = "mlprogram/nanodet-fp32-ios17-array"
        array = numpy.load(shared(f"{folder}/input-image-0.npy"))
        session = fovea.Session(MODEL)
        self.assertEqual(session.get_inputs()[0].shape, [1, 3, 96, 96])
        names = [one.name for one in session.get_outputs()]
        self.assertEqual(sorted(names), ["boxes", "scores"])
        for name, values in zip(names, session.run(None, {"image": array})):
            stored = numpy.load(shared(f"{folder}/output-{name}-0.npy"))
            numpy.testing.assert_allclose(values, stored, atol=2e-3)
