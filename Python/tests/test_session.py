# Fovea - tests: networks on arrays.
# SPDX-License-Identifier: Apache-2.0
"""Networks on arrays."""

from __future__ import annotations

import unittest
from typing import Any

import fovea
from support import MODEL, load, needs, needs_shared, shared

numpy: Any = load("numpy")


@needs("numpy")
class SessionTests(unittest.TestCase):
    """Runs."""

    @needs_shared()
    def test_outputs_equal_the_stored_ones(self) -> None:
        session = fovea.Session(shared("models/yolo-fastest-1.1-raw.mlmodel"))
        name = session.get_inputs()[0].name
        pixels = numpy.load(shared("references/inputs/dog-320x320.npy"))
        self.assertEqual(session.get_inputs()[0].shape, list(pixels.shape))
        outputs = session.run(None, {name: pixels})
        self.assertEqual([one.name for one in session.get_outputs()], ["confidence", "coordinates"])
        for one, values in zip(session.get_outputs(), outputs):
            stored = numpy.load(shared(f"references/yolo-fastest-1.1/dog-{one.name}.npy"))
            numpy.testing.assert_allclose(values, stored, atol=1e-5)
        # Whatever the strides, and in the order asked for.
        turned = numpy.asfortranarray(pixels)
        again = session.run(["coordinates", "confidence"], {name: turned})
        numpy.testing.assert_array_equal(again[0], outputs[1])
        numpy.testing.assert_array_equal(again[1], outputs[0])
        back = pixels[::-1, ::-1].copy()[::-1, ::-1]
        numpy.testing.assert_array_equal(session.run(None, {name: back})[0], outputs[0])

    @needs_shared()
    def test_numbers_and_images_are_inputs(self) -> None:
        session = fovea.Session(shared("models/yolo-fastest-1.1-xl-Int8LUT.mlmodel"))
        pixels = numpy.load(shared("references/inputs/dog-320x320.npy"))
        few = session.run_named({"image": pixels, "confidenceThreshold": 0.9})
        for value in (numpy.float64(0.9), numpy.float32(0.9), numpy.array([0.9]), [0.9]):
            again = session.run_named({"image": pixels, "confidenceThreshold": value})
            numpy.testing.assert_array_equal(again["confidence"], few["confidence"])
        if load("PIL"):
            import PIL.Image

            image = PIL.Image.fromarray(pixels)
            again = session.run_named({"image": image, "confidenceThreshold": 0.9})
            numpy.testing.assert_array_equal(again["coordinates"], few["coordinates"])

    def test_what_is_wrong_is_said(self) -> None:
        session = fovea.Session(MODEL)
        node = session.get_inputs()[0]
        pixels = numpy.zeros(node.shape, dtype=numpy.uint8)
        cases: list[tuple[Any, str]] = [
            ({}, "is missing"), ({"x": pixels}, "no input 'x'"), ({3: pixels}, "expected a text"),
            ({node.name: pixels[:3]}, "was given"), ({node.name: "a"}, "array of numbers"),
            ({node.name: pixels.astype(float)}, "uint8"), ({node.name: [[1], [1, 2]]}, "no array"),
            ({node.name: numpy.zeros((1,) * 33 if numpy.__version__ >= "2" else (1,) * 30)}, ""),
            ({node.name: object()}, "array of numbers"),
            ({node.name: pixels, "iouThreshold": "a"}, "array of numbers"),
        ]
        for feed, words in cases:
            with self.assertRaises(fovea.ArgumentError, msg=words) as caught:
                session.run(None, feed)
            self.assertIn(words, str(caught.exception))
        with self.assertRaisesRegex(fovea.ArgumentError, "no output 'x'"):
            session.run(["x"], {node.name: pixels})
        session.close()
        with self.assertRaises(fovea.ClosedError):
            session.run(None, {node.name: pixels})


if __name__ == "__main__":
    unittest.main()
