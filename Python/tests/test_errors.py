# Fovea - tests: what can be handed over wrongly ends in an exception.
# SPDX-License-Identifier: Apache-2.0
"""What can be handed over wrongly ends in an exception with the command's message."""

from __future__ import annotations

import hashlib
import os
import tempfile
import unittest
from typing import Any

import fovea
from support import IMAGE, MODEL, command, message_of, needs_shared, python, shared


class ErrorTests(unittest.TestCase):
    """Wrong models, pictures and options."""

    model: fovea.Model

    @classmethod
    def setUpClass(cls) -> None:
        cls.model = fovea.Model(MODEL)

    def test_pictures_fail_with_the_words_of_the_command(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            names = {"empty.png": b"", "text.png": b"hello", "cut.png": b""}
            with open(IMAGE, "rb") as file:
                names["cut.png"] = file.read(1000)
            paths = [os.path.join(folder, "none.png"), "/dev/null"]
            for name, content in names.items():
                paths.append(os.path.join(folder, name))
                with open(paths[-1], "wb") as file:
                    file.write(content)
            for path in paths:
                run = command("detect", "--model", MODEL, path)
                self.assertEqual(run.returncode, 1)
                with self.assertRaises((fovea.FileError, fovea.PictureError)) as caught:
                    self.model(path)
                self.assertEqual(str(caught.exception), message_of(run.stderr), path)

    def test_models_fail_with_the_words_of_the_command(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            cut = os.path.join(folder, "cut.mlmodel")
            with open(MODEL, "rb") as file:
                content = file.read()
            with open(cut, "wb") as file:
                file.write(content[: len(content) // 2])
            for path in (folder, IMAGE, "/none.mlmodel", __file__, cut):
                run = command("detect", "--model", path, IMAGE)
                self.assertEqual(run.returncode, 1)
                with self.assertRaises((fovea.FileError, fovea.ModelError)) as caught:
                    fovea.Model(path)
                self.assertEqual(str(caught.exception), message_of(run.stderr), path)

    def test_models_have_the_names_of_the_catalog(self) -> None:
        with open(MODEL, "rb") as file:
            content = file.read()
        lines = ["license free", "classes 2", "input 480 x 360", "ap -", "time -", "hash the test",
                 "from https://127.0.0.1:9/",
                 f"file shapes.mlmodel {len(content)} {hashlib.sha256(content).hexdigest()}"]
        program = """
import fovea
print(len(fovea.Model("here").labels))
for name in ("far", "nowhere"):
    try:
        fovea.Model(name)
    except fovea.MissingFileError as error:
        print(error)
"""
        with tempfile.TemporaryDirectory() as folder:
            catalog = os.path.join(folder, "catalog.txt")
            with open(catalog, "w", encoding="utf-8") as text:
                text.write("\n".join(["model here", *lines, "", "model far", *lines, ""]))
            os.makedirs(os.path.join(folder, "fovea", "here"))
            with open(os.path.join(folder, "fovea", "here", "shapes.mlmodel"), "wb") as file:
                file.write(content)
            run = python(program, FOVEA_CATALOG=catalog, XDG_CACHE_HOME=folder)
        labels, far, nowhere = run.stdout.splitlines()
        self.assertEqual(labels, "3", run.stderr)
        self.assertTrue(far.endswith("run 'fovea get far'"), far)
        self.assertEqual(nowhere, "nowhere: there is no such file; check the path")

    def test_videos_name_the_method_for_them(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "clip.mp4")
            with open(path, "wb") as file:
                file.write(b"\0\0\0\x18ftypisom" + bytes(100))
            with self.assertRaises(fovea.PictureError) as caught:
                self.model.detect(path)
        self.assertTrue(str(caught.exception).endswith(
            "; Model.watch looks at videos, cameras and streams"))

    @needs_shared("bad/expected.json")
    def test_broken_files_do_no_harm(self) -> None:
        for name in sorted(os.listdir(shared("bad"))):
            path = shared(f"bad/{name}")
            for attempt in (fovea.Model, self.model):
                try:
                    attempt(path)
                except fovea.Error as error:
                    self.assertIn(name, str(error))

    def test_options_outside_their_range(self) -> None:
        cases: list[tuple[dict[str, Any], str]] = [
            ({"confidence": 2}, "confidence is 2"), ({"confidence": float("nan")}, "confidence"),
            ({"iou": -0.1}, "iou is -0.1"), ({"max_objects": 0}, "max_objects is 0"),
            ({"max_objects": 1 << 70}, "max_objects"), ({"max_objects": 1.5}, "max_objects"),
            ({"only": ["cat"]}, "cat"), ({"only": []}, "at least one"),
            ({"crop_and_scale": "fit"}, "crop_and_scale is 'fit'; expected one of scaleToFill"),
            ({"padding": "x"}, "padding is 'x'"), ({"filter": "x"}, "filter is 'x'"),
            ({"region": (0, 0, 2, 1)}, ""), ({"region": (0, 0)}, "region is (0, 0)"),
            ({"orientation": 9}, "orientation is 9"), ({"orientation": 1 << 40}, "orientation"),
            ({"format": "yuv"}, "format is 'yuv'"),
        ]
        for options, words in cases:
            with self.assertRaises(fovea.ArgumentError) as caught:
                self.model(IMAGE, **options)
            self.assertIn(words, str(caught.exception))
        with self.assertRaises(TypeError):
            self.model(IMAGE, colour="red")
        with self.assertRaises((TypeError, ValueError)):
            self.model(IMAGE, confidence="a lot")

    def test_models_opened_wrongly(self) -> None:
        cases: list[dict[str, Any]] = [
            {"backend": "gpu"}, {"threads": -1}, {"threads": 1 << 40}, {"size": (0, 5)},
            {"size": (7,)}, {"last_stage": -2}, {"head": "nose"}, {"size": (64, 1 << 80)},
        ]
        for options in cases:
            with self.assertRaises(fovea.ArgumentError, msg=str(options)):
                fovea.Model(MODEL, **options)
        for value in (5, object(), ["a"]):
            with self.assertRaises(fovea.ArgumentError):
                fovea.Model(value)  # type: ignore[arg-type]
        for content in (b"", b"x" * 1000):
            with self.assertRaises(fovea.Error):
                fovea.Model(content)

    def test_what_is_no_picture(self) -> None:
        for value in (None, True, 1.5, object(), {}, set(), lambda: 0, type):
            with self.assertRaisesRegex(fovea.ArgumentError, "a picture cannot be a"):
                self.model(value)
        with self.assertRaisesRegex(fovea.ArgumentError, "zero byte"):
            self.model("a\0b")
        for content in (b"", b"\0" * 100, bytearray(3)):
            with self.assertRaises(fovea.PictureError):
                self.model(content)

    def test_exceptions_are_what_python_expects(self) -> None:
        with self.assertRaises(OSError):
            self.model("/none.jpg")
        with self.assertRaises(ValueError):
            self.model(IMAGE, confidence=3)
        self.assertTrue(issubclass(fovea.FileError, fovea.Error))


if __name__ == "__main__":
    unittest.main()
