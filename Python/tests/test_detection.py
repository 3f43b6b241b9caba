# Fovea - tests: what Model finds is what the command finds.
# SPDX-License-Identifier: Apache-2.0
"""What ``Model`` finds is what the command finds, to the last digit."""

from __future__ import annotations

import json
import os
import pickle
import unittest

import fovea
from support import EXAMPLE, IMAGE, MODEL, detected, needs_shared, python, shared


class DetectionTests(unittest.TestCase):
    """Detections of files."""

    def check(self, model: str, image: str, *arguments: str, **options: object) -> None:
        """Compares a detection with the command's, whose times are its own."""
        expected = detected(image, "--model", model, *arguments)
        opened = fovea.Model(model, backend=str(options.pop("backend", "auto")))
        results = opened(image, **options)
        found = json.loads(results.json())
        for document in (expected, found):
            self.assertEqual(
                set(document.pop("milliseconds")), {"decode", "prepare", "inference", "postprocess"})
        self.assertEqual(found, expected)
        self.assertEqual(len(results), len(expected["objects"]))
        for one, other in zip(results, expected["objects"]):
            self.assertEqual(one.label, other["label"])
            self.assertAlmostEqual(one.confidence, other["confidence"], delta=1e-6)
            x, y, width, height = other["bbox"]
            for value, wanted in zip(one.box, (x, y, x + width, y + height)):
                self.assertAlmostEqual(value, wanted, delta=0.002)

    def test_example_is_found(self) -> None:
        self.check(MODEL, IMAGE)
        found = [(one.label, round(one.box.width)) for one in fovea.Model(MODEL)(IMAGE)]
        self.assertEqual(len(found), 6)

    def test_options_reach_the_detector(self) -> None:
        self.check(MODEL, IMAGE, "--max", "2", max_objects=2)
        self.check(MODEL, IMAGE, "--only", "red square,blue square",
                   only=["red square", "blue square"])
        self.check(MODEL, IMAGE, "--iou", "1", iou=1)
        self.check(MODEL, IMAGE, "--confidence", "1", confidence=1)
        self.check(MODEL, IMAGE, "--class-agnostic", class_agnostic=True)
        self.check(MODEL, IMAGE, "--orientation", "6", orientation=6)
        self.check(MODEL, IMAGE, "--backend", "int8", backend="int8")
        for action in ("scaleToFit", "centerCrop", "scaleToFillPlus90CCWRotation"):
            self.check(MODEL, IMAGE, "--crop-and-scale", action, crop_and_scale=action)
        self.check(MODEL, IMAGE, "--crop-and-scale", "scaleToFit", "--padding", "upperLeft",
                   crop_and_scale="scaleToFit", padding="upperLeft")
        self.check(MODEL, IMAGE, "--soft-suppression", "0.5", soft_suppression=0.5)
        self.check(MODEL, IMAGE, "--filter", "area", filter="area")
        # The command counts regions from the lower left, Python from the upper left.
        self.check(MODEL, IMAGE, "--roi", "0.25,0.5,0.5,0.5", region=(0.25, 0, 0.5, 0.5))

    @needs_shared()
    def test_photographs_are_found(self) -> None:
        for model in ("yolo-fastest-1.1-xl-Int8LUT.mlmodel", "yolo-fastest-1.1-xl.mlpackage"):
            for image in ("dog.jpg", "person.jpg", "exif/orientation-6.jpg"):
                self.check(shared(f"models/{model}"), shared(f"images/{image}"))

    @needs_shared()
    def test_three_lines_of_the_readme(self) -> None:
        model = shared("models/yolo-fastest-1.1-xl-Int8LUT.mlmodel")
        readme = os.path.join(os.path.dirname(__file__), "..", "README.md")
        with open(readme, encoding="utf-8") as file:
            program = file.read().split("```python\n")[1].split("```")[0]
        self.assertEqual(len(program.splitlines()), 3)
        program = program.replace('"YOLOv3TinyInt8LUT.mlmodel"', repr(model)).replace(
            '"dog.jpg"', repr(shared("images/dog.jpg")))
        run = python(program)
        self.assertEqual(run.stderr, "")
        expected = detected(shared("images/dog.jpg"), "--model", model)["objects"]
        lines = run.stdout.splitlines()
        self.assertEqual(
            [line.split()[0] for line in lines], [one["label"] for one in expected])

    def test_detector_inside_is_the_default(self) -> None:
        model = fovea.Model()
        self.assertEqual(model.labels[0], "qrCode")
        self.assertEqual(len(model(IMAGE)), len(detected(IMAGE)["objects"]))

    def test_bytes_of_files_are_models_and_pictures(self) -> None:
        with open(MODEL, "rb") as file:
            model = fovea.Model(file.read(), name="mine")
        with open(IMAGE, "rb") as file:
            content = file.read()
        expected = list(fovea.Model(MODEL)(IMAGE))
        self.assertEqual(model.path, "mine")
        for picture in (content, bytearray(content), memoryview(content)):
            self.assertEqual(list(model(picture)), expected)

    def test_lists_and_streams(self) -> None:
        model = fovea.Model(MODEL)
        self.assertEqual([len(one) for one in model([IMAGE, IMAGE])], [6, 6])
        self.assertEqual([len(one) for one in model.stream(iter([IMAGE]))], [6])
        self.assertEqual(model([]), [])

    def test_models_describe_themselves(self) -> None:
        model = fovea.Model(MODEL, threads=1)
        self.assertTrue(model.detects)
        self.assertEqual(model.threads, 1)
        self.assertEqual(model.backend, "float")
        self.assertIn("red square", model.labels)
        image = model.inputs[0]
        self.assertEqual((image.kind, image.run_type), ("image", "uint8"))
        self.assertEqual(model.input_size, (image.shape[1], image.shape[0]))

    @needs_shared("mlprogram/yolo11-pose-nms-fp16")
    def test_heads_say_what_they_read(self) -> None:
        model = fovea.Model(shared("mlprogram/yolo11-pose-nms-fp16/model.mlpackage"))
        assert model.head is not None
        self.assertEqual((model.head.name, model.head.left_out), ("suppressed", None))
        self.assertIn("non_maximum_suppression", model.head.because or "")
        self.assertIn("17 key points", model.head.because or "")
        self.assertIsNone(model(IMAGE).left_out)
        plain = fovea.Model(MODEL)
        self.assertIsNone(plain.head)
        self.assertIsNone(plain(IMAGE).left_out)

    def test_results_outlive_the_model(self) -> None:
        with fovea.Model(MODEL) as model:
            results = model(IMAGE)
        self.assertEqual(len(results), 6)
        self.assertEqual(results[0].label, pickle.loads(pickle.dumps(results[0])).label)
        with self.assertRaises(fovea.ClosedError):
            model(IMAGE)

    @needs_shared("mlprogram/mobilenetv2-classifier-int8")
    def test_classifiers_name_what_is_there(self) -> None:
        path = shared("mlprogram/mobilenetv2-classifier-int8/model.mlpackage")
        model = fovea.Model(path)
        self.assertTrue(model.classifies)
        found = model.classify(IMAGE)
        self.assertAlmostEqual(sum(one.confidence for one in found), 1, delta=1e-4)
        self.assertEqual(found, sorted(found, key=lambda one: -one.confidence))
        self.assertEqual(found.probs.top1, found[0].class_id)
        self.assertEqual(found.probs.top5, [one.class_id for one in found[:5]])
        self.assertAlmostEqual(found.probs.data[found[1].class_id], found[1].confidence, places=6)
        # The picture is wider than high: the center is looked at unless something else is wanted.
        self.assertEqual(found, model.classify(IMAGE, crop_and_scale="centerCrop"))
        self.assertNotEqual(found, model.classify(IMAGE, crop_and_scale="scaleToFill"))
        with self.assertRaisesRegex(fovea.UnsuitableModelError, "is a classifier"):
            model(IMAGE)

    def test_example_folder_is_named(self) -> None:
        self.assertTrue(os.path.isdir(EXAMPLE), "FOVEA_EXAMPLE names no folder")


if __name__ == "__main__":
    unittest.main()
