# Fovea - tests: the rest of the program, as functions.
# SPDX-License-Identifier: Apache-2.0
"""Functions that run the program: none is forgotten, and they say what the program says."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import shutil
import tempfile
import types
import unittest
from typing import Any

import fovea
from fovea import _command_table, _command_words, _program
from support import COMMAND, IMAGE, MODEL, command, message_of, needs, needs_shared, shared


def table_writer() -> types.ModuleType:
    """The program that wrote the table; it is no part of the package."""
    path = os.path.join(os.path.dirname(__file__), "..", "command_table.py")
    found = importlib.util.spec_from_file_location("command_table", path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


class TableTests(unittest.TestCase):
    """The one table of commands and options."""

    def test_table_is_that_of_the_program(self) -> None:
        with open(_command_table.__file__, encoding="utf-8") as file:
            self.assertEqual(
                file.read(), table_writer().table(COMMAND),
                f"run: python3 Python/command_table.py {COMMAND}")

    def test_each_command_is_a_function(self) -> None:
        for name in _command_table.COMMANDS:
            self.assertTrue(callable(getattr(fovea, name)), name)
            self.assertIn(name, dir(fovea))
            self.assertTrue((getattr(fovea, name).__doc__ or "").strip(), name)
        with self.assertRaises(AttributeError):
            fovea.nothing  # type: ignore[attr-defined]

    def test_values_become_words(self) -> None:
        for name, options, expected in (
            ("codes", {"one": True, "fast": False, "symbology": ["qr", "upce"], "roi": None},
             ["--one", "--symbology=qr,upce"]),
            ("watch", {"track_buffer": 3, "size": (640, 480), "line": (0, 0, 1, 1.5)},
             ["--track_buffer=3", "--size=640x480", "--line=0,0,1,1.5"]),
            ("watch", {"zone": {"a": [0, 0, 1, 1, 2, 0]}, "line": ["b:1,2,3,4", (5, 6, 7, 8)]},
             ["--zone=a:0,0,1,1,2,0", "--line=b:1,2,3,4", "--line=5,6,7,8"]),
            ("convert", {"shape": {"x": (1, 3)}, "metadata": {"author": "me"}, "scale": -0.5},
             ["--shape=x=1x3", "--metadata=author=me", "--scale=-0.5"]),
            ("text", {"word": ["-a", "b"], "min_height": 1e-5},
             ["--word=-a", "--word=b", "--min-height=1e-05"]),
        ):
            self.assertEqual(_command_words.words(name, options), expected)
        for options in ({"one": 1}, {"roi": object()}, {"symbology": b"qr"}, {"symbology": "a\0"}):
            with self.assertRaises(fovea.ArgumentError, msg=str(options)):
                _command_words.words("codes", options)


class FunctionTests(unittest.TestCase):
    """What functions give."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_documents_are_those_of_the_program(self) -> None:
        expected = json.loads(command("rectangles", "--json", "--maximum", "2", IMAGE).stdout)
        self.assertEqual(fovea.rectangles(IMAGE, maximum=2), expected["images"][0])
        with open(IMAGE, "rb") as file:
            content = file.read()
        found = fovea.rectangles([content, io.BytesIO(content), fovea.Picture.open(IMAGE)],
                                 maximum=2)
        for one in found:
            self.assertEqual(one, {**expected["images"][0], "image": None})
        self.assertEqual(fovea.codes([]), [])
        inspected = json.loads(command("inspect", "--json", MODEL).stdout)
        self.assertEqual(set(fovea.inspect(MODEL)), set(inspected))

    def test_errors_are_those_of_the_program(self) -> None:
        cases: list[tuple[Any, type[Exception], tuple[str, ...]]] = [
            (lambda: fovea.codes("/none.png"), fovea.MissingFileError, ("codes", "/none.png")),
            (lambda: fovea.codes(["/none.png", IMAGE]), fovea.MissingFileError,
             ("codes", "/none.png")),
            (lambda: fovea.codes(MODEL), fovea.CommandError, ("codes", MODEL)),
            (lambda: fovea.inspect("-x"), fovea.FileError, ("inspect", "--", "-x")),
            (lambda: fovea.codes(IMAGE, symbology="x"), fovea.ArgumentError,
             ("codes", "--symbology", "x", IMAGE)),
            (lambda: fovea.evaluate(MODEL), fovea.ArgumentError, ("evaluate", MODEL)),
            (lambda: fovea.compile(MODEL, "/none/a.fovea"), fovea.Error,
             ("compile", MODEL, "-o", "/none/a.fovea")),
        ]
        for attempt, kind, arguments in cases:
            with self.assertRaises(kind) as caught:
                attempt()
            self.assertEqual(str(caught.exception), message_of(command(*arguments).stderr))
        for attempt, words in (
            (lambda: fovea.codes(IMAGE, symbolgy="qr"), "did you mean 'symbology'"),
            (lambda: fovea.evaluate(MODEL, "a", images="b"), "given twice"),
        ):
            with self.assertRaisesRegex(fovea.OptionError, words):
                attempt()
        with self.assertRaisesRegex(fovea.ArgumentError, "is a video"):
            fovea.codes("a.mp4")

    def test_pictures_are_written_or_returned(self) -> None:
        corners = [0, 0, 80, 0, 80, 40, 0, 40]
        picture = fovea.rectify(IMAGE, corners=corners)
        path = fovea.rectify(IMAGE, os.path.join(self.folder, "a.png"), corners=corners)
        self.assertEqual((picture.width, picture.height), (80, 40))
        self.assertEqual(fovea.Picture.open(path).tobytes(), picture.tobytes())
        self.assertEqual(fovea.preview(IMAGE, model=MODEL).width, 160)

    @needs("numpy")
    @needs_shared("tasks")
    def test_networks_write_maps_and_pictures(self) -> None:
        case = shared("tasks/semantic-yolo26-onnx-map")
        path = os.path.join(self.folder, "classes.png")
        found = fovea.segment(f"{case}/model.onnx", f"{case}/input.png", path)
        self.assertEqual(found["classes"][0]["label"], "airplane")
        self.assertEqual(fovea.Picture.open(found["map"]).width, 320)
        classes = fovea.Model(f"{case}/model.onnx").segment(f"{case}/input.png")
        self.assertEqual((classes.shape, str(classes.dtype)), ((256, 320), "uint8"))
        self.assertEqual(int((classes == 4).sum()), found["classes"][0]["pixels"])
        case = shared("tasks/depth-yolo26-onnx")
        both = fovea.depth(f"{case}/model.onnx", [f"{case}/input.png"] * 2)
        self.assertEqual([one["unit"] for one in both], ["meters", "meters"])
        case = shared("tasks/image-style-coreml")
        picture = fovea.transform(f"{case}/model.mlpackage", f"{case}/input.png")
        self.assertEqual((picture.width, picture.height), (128, 96))
        painted = fovea.Model(f"{case}/model.mlpackage").transform(f"{case}/input.png")
        self.assertEqual(painted.tobytes(), picture.tobytes())
        with self.assertRaisesRegex(fovea.Error, "fovea transform"):
            fovea.embed(f"{case}/model.mlpackage", f"{case}/input.png")

    def test_models_are_written(self) -> None:
        path = fovea.compile(MODEL, os.path.join(self.folder, "a.fovea"))
        self.assertEqual(len(fovea.Model(path)(IMAGE)), 6)
        both = fovea.compare(MODEL, path, images=os.path.dirname(IMAGE), threads=1)
        self.assertIn("images", json.dumps(both))
        package = os.path.join(self.folder, "a.mlpackage")
        self.assertEqual(fovea.convert(MODEL, package)["file"], package)
        with self.assertRaisesRegex(fovea.CommandError, "has codes for weights already"):
            fovea.quantize(MODEL, os.path.join(self.folder, "small.mlmodel"), bits=6)

    def test_videos_give_rows(self) -> None:
        for number in range(3):
            shutil.copy(IMAGE, f"{self.folder}/{number}.png")
        rows = fovea.watch(
            f"{self.folder}/%d.png", model=MODEL, track=True, line={"door": (0, 180, 480, 180)})
        self.assertEqual([len(row["tracks"]) for row in rows], [6] * 3)
        self.assertEqual(rows[-1]["lines"][0]["name"], "door")
        with self.assertRaises(fovea.MissingFileError):
            fovea.watch("/none.mp4")

    @needs_shared("coco-eval/plain")
    def test_precision_is_a_document(self) -> None:
        folder = shared("coco-eval/plain")
        names = {name.split(".")[0]: os.path.join(folder, name) for name in os.listdir(folder)}
        found = fovea.evaluate(detections=names["detections"], annotations=names["instances"])
        self.assertIn("AP", json.dumps(found).upper())

    @needs_shared("models")
    def test_a_small_detector_learns_from_a_large_one(self) -> None:
        pictures, path = self.folder + "/pictures", self.folder + "/tiny.mlmodel"
        os.mkdir(pictures)
        for name in ["dog", "person"]:
            shutil.copy(shared(f"images/{name}.jpg"), pictures)
        found = fovea.distill(
            shared("models/yolo-fastest-1.1-xl.cfg"), pictures, path, threads=1, steps=1, size=96,
            student=shared("models/yolo-fastest-1.1.cfg"), only=["dog", "person"], threshold=0.3)
        self.assertEqual(found["labels"], ["dog", "person"])
        self.assertEqual(fovea.Model(path).labels, ["dog", "person"])
        cut = self.folder + "/dogs.mlmodel"
        fovea.convert(path, cut, only=["dog"])
        self.assertEqual(fovea.Model(cut).labels, ["dog"])

    @needs_shared("training/trees")
    def test_training_gives_a_model_and_says_how_good_it_is(self) -> None:
        path = os.path.join(self.folder, "trees.mlmodel")
        trees, start = shared("training/trees/train"), shared("models/yolo-fastest-1.1.cfg")
        found = fovea.train(
            os.path.join(trees, "images"), path, annotations=os.path.join(trees, "coco.json"),
            start_from=start, steps=2, size=224, batch=2)
        self.assertEqual((found["steps"], found["labels"]), (2, ["Tree"]))
        self.assertEqual(fovea.Model(path).labels, ["Tree"])
        with self.assertRaises(fovea.MissingFileError):
            fovea.train(os.path.join(self.folder, "none"), path, start_from=start)

    @needs_shared("training/trees")
    def test_turi_creates_words_train(self) -> None:
        trees, start = shared("training/trees/train"), shared("models/yolo-fastest-1.1.cfg")
        labels = os.path.join(trees, "coco.json")
        pictures = os.path.join(trees, "images")
        model = fovea.ObjectDetector.create(
            pictures, annotations=labels, max_iterations=2, batch_size=2, start_from=start,
            size=224)
        self.assertEqual((model.training["steps"], model.classes), (2, ["Tree"]))
        self.assertEqual(repr(model), "<fovea.ObjectDetector of Tree>")
        picture = os.path.join(pictures, sorted(os.listdir(pictures))[0])
        found = model.predict(picture, confidence_threshold=0.001)
        self.assertEqual({one.label for one in found}, {"Tree"})
        self.assertIn("AP", json.dumps(model.evaluate(pictures, annotations=labels)))
        path = os.path.join(self.folder, "trees.mlmodel")
        self.assertEqual(fovea.Model(model.export_coreml(path)).labels, ["Tree"])
        with self.assertRaisesRegex(fovea.ArgumentError, "name such a file"):
            model.export_coreml(os.path.join(self.folder, "trees.onnx"))
        with self.assertRaisesRegex(fovea.OptionError, "are the same"):
            fovea.ObjectDetector.create(pictures, max_iterations=2, steps=3)

    @needs_shared("models/yolo-fastest-1.1.cfg")
    def test_one_picture_of_a_thing_trains(self) -> None:
        options: Any = {
            "start_from": shared("models/yolo-fastest-1.1.cfg"), "max_iterations": 1,
            "batch_size": 2, "size": 96, "threads": 1}
        output = os.path.join(self.folder, "shapes.mlmodel")
        model = fovea.OneShotObjectDetector.create(IMAGE, "a drawing", output=output, **options)
        self.assertEqual((model.classes, model.training["steps"]), (["a drawing"], 1))
        self.assertEqual(repr(model), "<fovea.OneShotObjectDetector of a drawing>")
        self.assertIsInstance(model, fovea.ObjectDetector)
        # The run goes on, with the picture by the name of its class.
        again = fovea.train(resume=os.path.join(self.folder, "shapes-run"), steps=2)
        self.assertEqual((again["labels"], again["steps"]), (["a drawing"], 2))
        cards, table = (os.path.join(self.folder, name) for name in ("cards", "table"))
        for path in (f"{cards}/one.png", f"{cards}/two/1.png", f"{table}/1.png"):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            shutil.copy(IMAGE, path)
        model = fovea.OneShotObjectDetector.create(cards, backgrounds=table, **options)
        self.assertEqual(model.classes, ["one", "two"])
        for arguments, words in (
                ((cards, "card"), "leave target out"), ((IMAGE, "a/b"), "name of a class"),
                ((os.path.join(self.folder, "none.png"), "card"), "cannot be copied")):
            with self.assertRaisesRegex(fovea.Error, words):
                fovea.OneShotObjectDetector.create(*arguments, **options)
        with self.assertRaisesRegex(fovea.OptionError, "data names the pictures"):
            fovea.OneShotObjectDetector.create(cards, annotations="a.json", **options)

    def test_annotations_are_checked_and_written(self) -> None:
        shutil.copy(IMAGE, f"{self.folder}/a.png")
        path = os.path.join(self.folder, "a.json")
        proposed = fovea.annotations("propose", self.folder, path, model=MODEL, confidence=0.25)
        self.assertEqual(proposed["boxes"], 6)
        checked = fovea.annotations("check", self.folder)
        self.assertEqual((checked["form"], checked["boxes"]), ("createml", 6))
        table = os.path.join(self.folder, "a.csv")
        written = fovea.annotations("convert", path, table, to="csv")
        self.assertEqual((written["form"], os.path.exists(table)), ("csv", True))
        with self.assertRaisesRegex(fovea.Error, "is none of check"):
            fovea.annotations("shred", self.folder)

    def test_program_that_is_missing_is_named(self) -> None:
        before = _program.PROGRAM
        self.addCleanup(setattr, _program, "PROGRAM", before)
        _program.PROGRAM = "/none/fovea"
        with self.assertRaisesRegex(fovea.FileError, "/none/fovea: the program cannot be started"):
            fovea.codes(IMAGE)


if __name__ == "__main__":
    unittest.main()
