# Fovea - tests: what fovea convert writes, as coremltools sees it.
# SPDX-License-Identifier: Apache-2.0
"""coremltools opens what ``fovea convert`` writes, checks every operation, and runs it to the same.

| matter | test |
|---|---|
| types and arguments of all operations | ``test_operations_are_valid`` |
| results | ``test_results_are_those_that_are_stored`` |
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import tempfile
import unittest
import warnings
from typing import Any, Iterator

from support import command, load, needs, needs_shared, shared

numpy: Any = load("numpy")
if importlib.util.find_spec("coremltools") and load("PIL"):
    with contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import fovea.coremltools  # noqa: F401
        import coremltools as ct
        from coremltools.converters.mil.frontend.milproto import load as milproto
    from PIL import Image

# Networks of four formats, and what is asked for.
CASES: list[tuple[str, list[str]]] = [
    ("mlprogram/onnx-yolov8-opset18/model.onnx", ["--input", "arrays"]),
    ("mlprogram/onnx-yolov8-opset18/model.onnx", ["--nms"]),
    ("mlprogram/onnx-half/model.onnx", ["--input", "arrays"]),
    ("mlprogram/onnx-qdq-per-channel/model.onnx", ["--input", "arrays"]),
    ("mlprogram/onnx-rtdetr-opset16/model.onnx", ["--nms", "--head", "detr"]),
    ("mlprogram/onnx-yolo26-end2end/model.onnx", ["--nms"]),
    ("mlprogram/darknet/yolov4-tiny.cfg", []),
    ("mlprogram/darknet/yolov2-tiny.cfg", []),
    ("mlprogram/compiled-enc-palette4-ios16/model.mlmodelc", []),
    ("mlprogram/yolo11-fp16-ios18/model.mlpackage", ["--nms"]),
    ("mlprogram/yolov8-fp32/model.mlpackage", ["--bits", "6"]),
    ("models/yolo-fastest-1.1-raw.mlmodel", []),
]


def programs(spec: Any) -> Iterator[Any]:
    """The models of a pipeline that are programs."""
    if spec.WhichOneof("Type") == "mlProgram":
        yield spec
    elif spec.WhichOneof("Type") == "pipeline":
        for model in spec.pipeline.models:
            yield from programs(model)


@needs("coremltools", "numpy", "PIL")
@needs_shared("mlprogram")
class ConversionTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def convert(self, source: str, arguments: list[str], name: str = "out.mlpackage") -> str:
        path = os.path.join(self.folder.name, name)
        run = command("convert", shared(source), "-o", path, "--json", *arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(json.loads(run.stdout)["file"], path)
        return path

    def test_operations_are_valid(self) -> None:
        for index, (source, arguments) in enumerate(CASES):
            # One file is read as a package is: a third of the cases shows it.
            for name in ["out.mlpackage", "out.mlmodel"][:1 + (index % 3 == 1)]:
                with self.subTest(source=source, arguments=arguments, name=name):
                    path = self.convert(source, arguments, name)
                    spec = ct.models.utils.load_spec(path)
                    weights = os.path.join(path, "Data", "com.apple.CoreML", "weights")
                    for model in programs(spec):
                        version = max(model.specificationVersion, spec.specificationVersion)
                        milproto.load(model, version, file_weights_dir=weights)

    def test_results_are_those_that_are_stored(self) -> None:
        for source, arguments in CASES:
            folder = os.path.dirname(shared(source))
            if "darknet" in folder or not os.path.exists(f"{folder}/info.json") or (
                    "--nms" in arguments):
                continue
            with open(f"{folder}/info.json", encoding="utf-8") as file:
                example = json.load(file)["examples"][0]
            with self.subTest(source=source, arguments=arguments):
                model = ct.models.MLModel(self.convert(source, arguments))
                feed: dict[str, Any] = {}
                for name, given in example["inputs"].items():
                    values = numpy.load(f"{folder}/{given['file']}")
                    is_image = "image" in given.get("kind", "")
                    feed[name] = Image.fromarray(values) if is_image else values
                outputs = model.predict(feed)
                for name, stored in example["outputs"].items():
                    expected = numpy.load(f"{folder}/{stored['file']}")
                    error = numpy.abs(outputs[name].reshape(expected.shape) - expected)
                    if "--bits" in arguments:
                        self.assertLess(error.mean(), 0.05 * numpy.abs(expected).max())
                    elif "rms_tolerance" in stored:
                        self.assertLess(numpy.sqrt((error ** 2).mean()), stored["rms_tolerance"])
                    else:
                        self.assertLessEqual(error.max(), stored["tolerance"])


if __name__ == "__main__":
    unittest.main()
