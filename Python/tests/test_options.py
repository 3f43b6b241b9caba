# Fovea - tests: names of options, classes by number, and errors as Python expects them.
# SPDX-License-Identifier: Apache-2.0
"""Names of options, classes by number, and errors as Python expects them."""

from __future__ import annotations

import os
import pickle
import tempfile
import unittest
from typing import Any

import fovea
from support import IMAGE, MODEL, needs, python


class NameTests(unittest.TestCase):
    """Names that people know, and names that are misspelt."""

    model: fovea.Model

    @classmethod
    def setUpClass(cls) -> None:
        cls.model = fovea.Model(MODEL)

    def test_names_from_elsewhere(self) -> None:
        for one, other in (
            ({"conf": 0.96}, {"confidence": 0.96}), ({"max_det": 2}, {"max_objects": 2}),
            ({"classes": [2]}, {"only": ["blue square"]}), ({"agnostic_nms": True, "iou": 0.1},
                                                           {"class_agnostic": True, "iou": 0.1}),
            ({"classes": 0}, {"only": "red square"}),
            ({"only": [0, "blue square"]}, {"only": ["red square", "blue square"]}),
        ):
            found = list(self.model(IMAGE, **one))
            self.assertEqual(found, list(self.model(IMAGE, **other)))
            self.assertTrue(0 < len(found) <= 6)

    def test_names_that_are_no_options(self) -> None:
        cases: list[tuple[dict[str, Any], str]] = [
            ({"confidense": 0.5}, "did you mean 'confidence'"), ({"imgsz": 640}, "size="),
            ({"xyz": 1}, "it takes"), ({"conf": 0.5, "confidence": 0.5}, "conf and confidence"),
            ({"classes": [0], "only": [0]}, "one option"),
        ]
        for options, words in cases:
            with self.assertRaisesRegex(fovea.OptionError, words):
                self.model(IMAGE, **options)
        with self.assertRaisesRegex(fovea.OptionError, "did you mean 'threads'"):
            fovea.Model(MODEL, thread=1)  # type: ignore[call-arg]
        with self.assertRaisesRegex(fovea.OptionError, "did you mean 'deadline'"):
            self.model.watch("a.mp4", deadlin=1)  # type: ignore[call-arg]
        with self.assertRaises(fovea.OptionError):
            self.model.classify(IMAGE, conf=1)  # type: ignore[call-arg]

    def test_classes_that_are_none(self) -> None:
        for value, words in (
            ([3], "class 3; the model's classes are 0 to 2"), ([-1], "class -1"),
            ([True], "only has True"), ([1.5], "only has 1.5"), (object(), "only has"), ([], "one"),
        ):
            with self.assertRaisesRegex(fovea.ArgumentError, words):
                self.model(IMAGE, only=value)

    def test_errors_are_what_python_expects(self) -> None:
        for attempt in (lambda: fovea.Model("/none.mlmodel"), lambda: self.model("/none.png")):
            with self.assertRaises(FileNotFoundError) as caught:
                attempt()
            self.assertIsInstance(caught.exception, fovea.FileError)
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(fovea.FileError) as other:
            self.model.detect(folder)
        self.assertNotIsInstance(other.exception, FileNotFoundError)
        for name in fovea.__all__:
            value = getattr(fovea, name)
            if isinstance(value, type) and issubclass(value, fovea.Error):
                self.assertEqual(f"{value.__module__}.{value.__qualname__}", f"fovea.{name}")
                again = pickle.loads(pickle.dumps(value("words")))
                self.assertEqual((type(again), str(again)), (value, "words"))

    def test_nothing_found_by_the_detector_inside(self) -> None:
        found = fovea.Model(threads=1)(fovea.Picture.open(IMAGE), confidence=1)
        self.assertRegex(repr(found), r"no objects; .*codes and text \(qrCode, .*fovea.Model\(")
        self.assertNotIn("inside", repr(self.model(IMAGE, confidence=1)))


class TypeTests(unittest.TestCase):
    """Editors and mypy know the options."""

    @needs("mypy", "numpy")
    def test_mypy_refuses_what_is_misspelt(self) -> None:
        right = (
            "import fovea\n"
            "model = fovea.Model('m', backend='float')\n"
            "results = model('a.jpg', conf=0.5, classes=[1, 'cat'])\n"
            "print(results[0].label, results.boxes.xyxy.tolist(), results.plot(line_width=2).width)\n"
            "for found in model.track('a.mp4', keep='all'): print(found.boxes.id)\n"
            "print(fovea.codes('a.jpg', one=True)['codes'])\n"
            "fovea.evaluate('m', 'images', annotations='a.json', box_voting=0.5)\n")
        wrong = (
            "model('a.jpg', confidense=0.5)", "model(['a.jpg'], confidence='high')",
            "fovea.Model('m', beckend='float')", "model.track('a.mp4', kep='all')",
            "results.plot(line_with=2)", "fovea.codes('a.jpg', symbolgy='qr')",
            "fovea.evaluate('m', box_votin=1)", "fovea.detec('a.jpg')",
        )
        package = os.path.dirname(os.path.dirname(fovea.__file__))
        if os.path.basename(package) == "site-packages":
            package = ""  # mypy looks there itself
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(right + "\n".join(wrong) + "\n")
            run = python(
                "import sys; from mypy.main import main; main(args=sys.argv[1:])", "--strict",
                "--no-incremental", "--follow-imports=silent", path, MYPYPATH=package)
        begin = right.count("\n") + 1
        lines = {int(line.split(":")[1]) for line in run.stdout.splitlines() if ": error:" in line}
        self.assertEqual(lines, set(range(begin, begin + len(wrong))), run.stdout + run.stderr)



if __name__ == "__main__":
    unittest.main()
