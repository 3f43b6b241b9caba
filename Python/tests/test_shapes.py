# Fovea - tests of masks, key points and turned boxes in Python.
# SPDX-License-Identifier: Apache-2.0
"""Masks, key points and turned boxes, against decodings by NumPy of another program's outputs."""

from __future__ import annotations

import json
import tempfile
import unittest
from typing import Any

import fovea
from support import needs_shared, shared

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]


def case(name: str) -> tuple[dict[str, Any], fovea.Results]:
    """What is expected, and what is found."""
    folder = f"tasks/{name}"
    with open(shared(f"{folder}/expected.json"), encoding="utf-8") as file:
        expected: dict[str, Any] = json.load(file)
    model = fovea.Model(shared(f"{folder}/{expected['model']}"))
    return expected, model.detect(
        shared(f"{folder}/input.png"), confidence=expected["options"]["confidence"],
        iou=expected["options"]["iou"], crop_and_scale=expected["crop_and_scale"])


class Shapes(unittest.TestCase):
    """What networks say beside boxes."""

    @needs_shared("tasks/segment-yolo11-onnx")
    def test_masks(self) -> None:
        expected, results = case("segment-yolo11-onnx")
        masks = results.masks
        assert masks is not None and results[0].mask is not None
        self.assertEqual(len(masks), len(expected["objects"]))
        self.assertEqual(
            [one.mask and one.mask.area for one in results],
            [one["mask_area"] for one in expected["objects"]])
        self.assertEqual(
            [one["segmentation"] for one in results.to_json_object()["objects"]],
            [one["mask"] for one in expected["objects"]])
        self.assertIsNone(results.keypoints)
        self.assertIsNone(results.obb)
        ring = results[0].mask.rings[0]
        self.assertTrue(all(x % 1 == 0.5 and y % 1 == 0.5 for x, y in ring))
        with tempfile.TemporaryDirectory() as folder:
            results.save(f"{folder}/found.png")

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    @needs_shared("tasks/segment-yolo11-onnx")
    def test_masks_as_arrays(self) -> None:
        expected, results = case("segment-yolo11-onnx")
        assert results.masks is not None
        data = results.masks.data
        self.assertEqual(data.shape, (len(results), results.height, results.width))
        self.assertEqual(
            data.sum(axis=(1, 2)).tolist(), [one["mask_area"] for one in expected["objects"]])
        self.assertEqual(len(results.masks.xy), len(results))
        self.assertTrue((results.masks.xyn[0] <= 1).all())

    @needs_shared("tasks/pose-yolo11-coreml-half")
    def test_key_points(self) -> None:
        expected, results = case("pose-yolo11-coreml-half")
        points = results.keypoints
        assert points is not None
        self.assertEqual(points.names[9], "left_wrist")
        for found, wanted in zip(results, expected["objects"]):
            for own, numbers in zip(found.keypoints, wanted["keypoints"]):
                self.assertAlmostEqual(own.x, numbers[0], delta=0.1)
                self.assertAlmostEqual(own.y, numbers[1], delta=0.1)
                self.assertAlmostEqual(own.confidence, numbers[2], delta=2e-3)
        if numpy is not None:
            self.assertEqual(points.data.shape, (len(results), 17, 3))
            self.assertEqual(points[0].xy.shape, (1, 17, 2))
            self.assertEqual(points.conf.shape, (len(results), 17))
        results.plot()

    @needs_shared("tasks/obb-yolo11-onnx")
    def test_turned_boxes(self) -> None:
        expected, results = case("obb-yolo11-onnx")
        turned = results.obb
        assert turned is not None
        self.assertEqual(len(turned), len(expected["objects"]))
        for found, wanted in zip(turned.xywhr, expected["objects"]):
            for own, number in zip(found, wanted["xywhr"]):
                self.assertAlmostEqual(float(own), number, delta=0.1)
        if numpy is not None:
            self.assertEqual(turned.xyxyxyxy.shape, (len(results), 4, 2))

    def test_detectors_of_boxes_have_none(self) -> None:
        from support import IMAGE, MODEL

        results = fovea.Model(MODEL)(IMAGE)
        self.assertEqual((results.masks, results.keypoints, results.obb), (None, None, None))
        self.assertNotIn("segmentation", results.to_json_object()["objects"][0])


if __name__ == "__main__":
    unittest.main()
