# Fovea - tests: results as other packages want them.
# SPDX-License-Identifier: Apache-2.0
"""Results as other packages want them."""

from __future__ import annotations

import json
import os
import tempfile
import unittest
from typing import Any

import fovea
from fovea import _documents
from support import IMAGE, MODEL, command, load, needs, python

numpy: Any = load("numpy")


class ResultTests(unittest.TestCase):
    """Attributes and documents."""

    def setUp(self) -> None:
        self.results = fovea.Model(MODEL)(IMAGE)

    def test_results_are_a_sequence(self) -> None:
        results = self.results
        self.assertEqual(len(results), 6)
        self.assertEqual(results[0], next(iter(results)))
        self.assertEqual(results[-1], results[5])
        self.assertEqual(len(results[1:3]), 2)
        with self.assertRaises(IndexError):
            results[6]
        self.assertIn(results[0].label, repr(results))
        scores = [one.confidence for one in results]
        self.assertEqual(scores, sorted(scores, reverse=True))

    def test_boxes_agree_with_one_another(self) -> None:
        boxes = self.results.boxes
        width, height = self.results.width, self.results.height
        rows = zip(boxes.xyxy, boxes.xywh, boxes.xyxyn, boxes.xywhn)
        for (x1, y1, x2, y2), (x, y, w, h), normal, centered in rows:
            self.assertAlmostEqual((x1 + x2) / 2, x, delta=1e-3)
            self.assertAlmostEqual((y1 + y2) / 2, y, delta=1e-3)
            self.assertAlmostEqual(x2 - x1, w, delta=1e-3)
            self.assertAlmostEqual(y2 - y1, h, delta=1e-3)
            self.assertAlmostEqual(normal[2] * width, x2, delta=1e-3)
            self.assertAlmostEqual(centered[3] * height, h, delta=1e-3)
        self.assertEqual(len(boxes), 6)
        self.assertEqual([self.results.names[int(c)] for c in boxes.cls],
                         [one.label for one in self.results])

    def test_rows_are_those_of_the_command(self) -> None:
        run = command("detect", "--model", MODEL, "--jsonl", "-", IMAGE)
        self.assertEqual(json.loads(run.stdout), self.results.to_row())

    def test_dictionaries_of_pipelines(self) -> None:
        found = self.results.to_dicts()
        self.assertEqual(set(found[0]), {"score", "label", "box"})
        self.assertEqual(set(found[0]["box"]), {"xmin", "ymin", "xmax", "ymax"})

    def test_numbers_are_rounded_as_by_the_command(self) -> None:
        for value, digits, expected in (
            (0.5, 0, 1.0), (-0.5, 0, -1.0), (2.5, 0, 3.0), (0.49999999999999994, 0, 0.0),
            (1.0005, 3, 1.0 if 1.0005 * 1000 < 1000.5 else 1.001), (1e300, 9, 1e300),
        ):
            self.assertEqual(_documents.rounded(value, digits), expected)

    def test_results_without_objects(self) -> None:
        results = fovea.Model(MODEL)(IMAGE, confidence=1)
        self.assertEqual(list(results), [])
        self.assertEqual(len(results.xyxy), 0)
        self.assertIn("no objects", repr(results))
        self.assertEqual(results.to_dicts(), [])
        self.assertEqual(json.loads(results.json())["objects"], [])
        if numpy:
            self.assertEqual(results.xyxy.shape, (0, 4))

    def test_speed_and_geometry(self) -> None:
        self.assertEqual(set(self.results.speed), {"preprocess", "inference", "postprocess"})
        self.assertEqual(self.results.orig_shape, (360, 480))
        self.assertEqual(self.results.path, IMAGE)
        self.assertEqual(self.results.geometry.seen, (0, 0, 480, 360))


class FileTests(unittest.TestCase):
    """Files and tables."""

    def setUp(self) -> None:
        self.results = fovea.Model(MODEL)(IMAGE)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_boxes_are_a_sequence(self) -> None:
        boxes = self.results.boxes
        self.assertEqual([len(one) for one in boxes], [1] * 6)
        self.assertEqual(list(boxes[-1].xyxy[0]), list(boxes.xyxy[5]))
        self.assertEqual((len(boxes[1:3]), len(boxes[::-1])), (2, 6))
        self.assertIsNone(boxes.id)
        with self.assertRaises(IndexError):
            boxes[6]

    def test_labels_of_yolo(self) -> None:
        path = self.results.save_txt(os.path.join(self.folder, "new", "a.txt"), save_conf=True)
        with open(path, encoding="utf-8") as file:
            rows = [[float(word) for word in line.split()] for line in file]
        for row, one in zip(rows, self.results):
            self.assertEqual((len(row), row[0]), (6, one.class_id))
            self.assertAlmostEqual(row[3] * 480, one.box.width, places=2)
            self.assertAlmostEqual(row[5], one.confidence, places=5)
        named = self.results.save_txt(self.folder)
        self.assertEqual(named, os.path.join(self.folder, "shapes.txt"))
        with open(named, encoding="utf-8") as file:
            self.assertEqual(len(file.read().split()), 30)
        with self.assertRaises(fovea.FileError):
            self.results.save_txt("/dev/null/a.txt")

    def test_crops(self) -> None:
        paths = self.results.save_crop(self.folder)
        self.assertEqual(len(paths), 6)
        self.assertEqual(os.path.relpath(paths[0], self.folder), "red square/shapes-1.jpg")
        picture, box = fovea.Picture.open(paths[0]), self.results[0].box
        self.assertAlmostEqual(picture.width, box.width, delta=1)
        self.assertAlmostEqual(picture.height, box.height, delta=1)
        whole = fovea.Picture.open(IMAGE)
        self.assertIsNone(whole.cropped(fovea.Box(500, 0, 600, 50)))
        part = whole.cropped(fovea.Box(-5, 10, 2, 12))
        assert part is not None
        self.assertEqual(part.tobytes()[:6], whole.tobytes()[480 * 30:480 * 30 + 6])

    @needs("pandas")
    def test_frames_of_pandas(self) -> None:
        frame = self.results.to_df()
        self.assertEqual(list(frame.name), [one.label for one in self.results])
        self.assertEqual(frame.shape, (6, 7))
        empty = fovea.Model(MODEL)(IMAGE, conf=1).to_df()
        self.assertEqual((len(empty), list(empty.dtypes)), (0, list(frame.dtypes)))

    def test_packages_that_are_missing_are_named(self) -> None:
        run = python(
            "import sys; sys.modules['pandas'] = None; import fovea\n"
            "results = fovea.Model(sys.argv[1])(sys.argv[2])\n"
            "try: results.to_df()\n"
            "except ImportError as error: print(error)", MODEL, IMAGE)
        self.assertEqual(run.stdout, "to_df needs pandas; install it with 'pip install pandas'\n")


class DrawingTests(unittest.TestCase):
    """Pictures with boxes."""

    def test_boxes_are_drawn(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            drawn = os.path.join(folder, "command.png")
            run = command("detect", "--model", MODEL, "--draw", drawn, IMAGE)
            if run.returncode != 0:
                self.skipTest(f"*** SKIPPED: {run.stderr.strip()}")
            path = os.path.join(folder, "python.png")
            self.assertEqual(fovea.Model(MODEL)(IMAGE).save(path), path)
            with open(drawn, "rb") as one, open(path, "rb") as other:
                self.assertEqual(
                    fovea.Picture.open(one.read()).tobytes(),
                    fovea.Picture.open(other.read()).tobytes())
            with open(IMAGE, "rb") as file:
                plotted = fovea.Model(MODEL)(file.read()).plot()
            self.assertEqual(plotted.tobytes(), fovea.Picture.open(path).tobytes())
            self.assertEqual(plotted.encode("jpeg", 80)[:2], b"\xff\xd8")
            self.assertEqual(plotted._repr_png_()[:4], b"\x89PNG")
            self.check_styles(path)
            for name, error in (("a.gif", fovea.ArgumentError), ("none/a.png", fovea.FileError)):
                with self.assertRaises(error):
                    plotted.save(os.path.join(folder, name))
            with self.assertRaises(fovea.ArgumentError):
                plotted.save(path, quality=1 << 33)

    def check_styles(self, path: str) -> None:
        """Lines, letters and words as they are asked for."""
        results = fovea.Model(MODEL)(IMAGE)
        plain = fovea.Picture.open(path).tobytes()
        drawn = [
            results.plot(**options).tobytes() for options in (
                {"line_width": 9}, {"font_size": 30}, {"labels": False}, {"conf": False})
        ]
        self.assertEqual(len({plain, *drawn}), 5)
        self.assertEqual(results.plot(labels=True, line_width=None).tobytes(), plain)
        self.assertEqual(results._repr_png_(), results.plot().encode())
        with self.assertRaisesRegex(fovea.ArgumentError, "line_width is -1"):
            results.plot(line_width=-1)
        with self.assertRaisesRegex(fovea.OptionError, "did you mean 'line_width'"):
            results.plot(line_with=1)  # type: ignore[call-arg]


@needs("numpy")
class ArrayTests(unittest.TestCase):
    """Arrays, and readers of them."""

    def test_arrays_pass_for_tensors(self) -> None:
        boxes = fovea.Model(MODEL)(IMAGE).boxes
        self.assertEqual((boxes.xyxy.shape, boxes.xyxy.dtype), ((6, 4), numpy.float32))
        self.assertIs(type(boxes.conf.cpu().numpy()), numpy.ndarray)
        self.assertEqual(boxes.cls.cpu().numpy().astype(int).shape, (6,))

    def test_gradio_gets_whole_pixels_inside(self) -> None:
        results = fovea.Model(MODEL)(IMAGE, region=(0, 0, 1, 1))
        picture, boxes = results.to_gradio()
        self.assertEqual(picture.shape, (360, 480, 3))
        for (x1, y1, x2, y2), label in boxes:
            self.assertTrue(0 <= x1 < x2 <= 480 and 0 <= y1 < y2 <= 360)
            self.assertTrue(all(isinstance(value, int) for value in (x1, y1, x2, y2)))
            self.assertIsInstance(label, str)

    @needs("supervision")
    def test_supervision_reads_both_ways(self) -> None:
        import supervision

        results = fovea.Model(MODEL)(IMAGE)
        direct, read = results.to_supervision(), supervision.Detections.from_ultralytics(results)
        self.assertEqual(len(direct), 6)
        for one in (direct, read):
            numpy.testing.assert_array_equal(one.xyxy, results.xyxy)
            numpy.testing.assert_array_equal(one.confidence, results.boxes.conf)
            self.assertEqual(list(one.data["class_name"]), [found.label for found in results])
        self.assertEqual(len(supervision.Detections.from_ultralytics(
            fovea.Model(MODEL)(IMAGE, confidence=1))), 0)


if __name__ == "__main__":
    unittest.main()
