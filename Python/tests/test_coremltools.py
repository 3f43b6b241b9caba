# Fovea - tests: predict() of coremltools.
# SPDX-License-Identifier: Apache-2.0
"""``predict`` of coremltools, to the letter of what it does on a Mac.

| matter | test |
|---|---|
| constructor, compute units | ``test_constructor`` |
| data | ``test_data_must_be_dictionaries`` |
| names | ``test_names`` |
| picture inputs | ``test_pictures_must_be_pillow_images`` |
| arrays | ``test_types_of_arrays`` |
| numbers | ``test_numbers`` |
| result | ``test_types_of_results``, ``test_classifiers``, ``test_classifiers_of_numbers`` |
| batch | ``test_lists_give_lists`` |
| states, compiled models, others | ``test_what_is_not_there_is_refused`` |
| descriptions, saving | ``test_specifications_work`` |
| models of the shared data | ``test_stored_outputs`` |
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
from typing import Any

from support import load, needs, needs_shared, python, shared

numpy: Any = load("numpy")
if importlib.util.find_spec("coremltools") and load("PIL"):
    with contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import fovea.coremltools  # noqa: F401
        import coremltools as ct
    from coremltools.models import MLModel
    from PIL import Image

RAW = "models/yolo-fastest-1.1-raw.mlmodel"
PIPELINE = "models/yolo-fastest-1.1-xl-Int8LUT.mlmodel"


def network(features: list[tuple[str, tuple[int, ...], str]]) -> Any:
    """A network that adds 1 to each of its arrays."""
    from coremltools.models import datatypes
    from coremltools.models.neural_network import NeuralNetworkBuilder

    builder = NeuralNetworkBuilder(
        [(name, datatypes.Array(*shape)) for name, shape, _ in features],
        [(f"{name}_out", datatypes.Array(*shape)) for name, shape, _ in features],
        disable_rank5_shape_mapping=True)
    for name, _, _ in features:
        builder.add_elementwise(
            name, mode="ADD", input_names=[name], output_name=f"{name}_out", alpha=1.0)
    kinds = ct.proto.FeatureTypes_pb2.ArrayFeatureType
    for described in (builder.spec.description.input, builder.spec.description.output):
        for feature, (_, _, type) in zip(described, features):
            feature.type.multiArrayType.dataType = kinds.ArrayDataType.Value(type)
    return builder.spec


@needs("coremltools", "PIL", "numpy")
class PredictTests(unittest.TestCase):
    """Inputs, outputs and errors."""

    def setUp(self) -> None:
        warnings.simplefilter("ignore")

    def dog(self) -> Any:
        """The picture that references were computed from."""
        return Image.fromarray(numpy.load(shared("references/inputs/dog-320x320.npy")))

    def test_import_is_silent(self) -> None:
        run = python(
            "import fovea.coremltools, coremltools; print(coremltools.models.MLModel.__name__)")
        self.assertEqual(run.stdout, "MLModel\n")
        self.assertNotIn("_MLModelProxy", run.stderr)
        late = python("import coremltools, fovea.coremltools")
        self.assertIn("must be imported before coremltools", late.stderr)

    def test_scripts_run_without_a_change(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "script.py")
            with open(script, "w", encoding="utf-8") as file:
                file.write(
                    "import sys, coremltools.models.model as m\n"
                    "print(__name__, sys.argv[1:], m._MLModelProxy.__module__)\n")
            run = python(
                "import subprocess, sys; sys.exit(subprocess.call("
                "[sys.executable, '-m', 'fovea.coremltools', sys.argv[1], 'a', '--b']))", script)
        self.assertEqual(run.stdout, "__main__ ['a', '--b'] fovea.coremltools._framework\n")

    @needs_shared()
    def test_constructor(self) -> None:
        for unit in ct.ComputeUnit:
            model = MLModel(shared(RAW), compute_units=unit)
            self.assertEqual(model.compute_unit, unit)
        with self.assertRaises(TypeError):
            MLModel(shared(RAW), compute_units="CPU_ONLY")
        with self.assertRaisesRegex(TypeError, "Expected model to be"):
            MLModel(5)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            MLModel(shared("mlprogram/stateful/model.mlpackage"))
        words = [str(one.message) for one in caught if "Underlying" in str(one.message)]
        self.assertEqual(len(words), 1)
        self.assertIn("You will not be able to run predict()", words[0])

    @needs_shared()
    def test_data_must_be_dictionaries(self) -> None:
        model = MLModel(shared(RAW))
        for data in (3, None, "a", numpy.zeros(3)):
            with self.assertRaisesRegex(TypeError, "must be either a dict or list of dict"):
                model.predict(data)
        with self.assertRaisesRegex(TypeError, "must contain only dictionaries"):
            model.predict([1])

    @needs_shared()
    def test_names(self) -> None:
        model = MLModel(shared(PIPELINE))
        with self.assertRaisesRegex(KeyError, "does not match any of the model input name"):
            model.predict({"image": self.dog(), "x": 1})
        arrays = MLModel(network([("a", (3,), "FLOAT32"), ("b", (3,), "FLOAT32")]))
        with self.assertRaisesRegex(RuntimeError, "'b' is missing"):
            arrays.predict({"a": numpy.zeros(3, numpy.float32)})

    @needs_shared()
    def test_pictures_must_be_pillow_images(self) -> None:
        model = MLModel(shared(RAW))
        for data in ({}, {"image": 5}, {"image": numpy.zeros((320, 320, 3), numpy.uint8)}):
            with self.assertRaisesRegex(TypeError, "must be of type PIL.Image.Image"):
                model.predict(data)
        with self.assertRaisesRegex(TypeError, "mode=='RGB'"):
            model.predict({"image": self.dog().convert("L")})
        with self.assertRaisesRegex(RuntimeError, r"\[10, 10, 3\] was given"):
            model.predict({"image": self.dog().resize((10, 10))})

    def test_types_of_arrays(self) -> None:
        model = MLModel(network([("a", (2, 3), "FLOAT32")]))
        values = numpy.arange(6).reshape(2, 3)
        for type in ("float32", "float64", "int32", "int8", "float16"):
            data = {"a": values.astype(type)}
            numpy.testing.assert_array_equal(model.predict(data)["a_out"], values + 1)
        # float16 becomes float32, and the dictionary of the caller is changed in place.
        self.assertEqual(data["a"].dtype, numpy.float32)
        for type in ("int64", "uint8", "bool"):
            with self.assertRaisesRegex(RuntimeError, f"Unsupported array type: {type}"):
                model.predict({"a": values.astype(type)})
        turned = numpy.asfortranarray(values.astype("float64"))[::-1][::-1]
        numpy.testing.assert_array_equal(model.predict({"a": turned})["a_out"], values + 1)
        nested = [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
        numpy.testing.assert_array_equal(model.predict({"a": nested})["a_out"], values + 1)
        with self.assertRaisesRegex(RuntimeError, r"\[3\] was given"):
            model.predict({"a": numpy.zeros(3, numpy.float32)})

    def test_types_of_results(self) -> None:
        for kind, type in (("FLOAT32", "float32"), ("DOUBLE", "float64"), ("INT32", "int32"),
                           ("FLOAT16", "float32")):
            spec = network([("a", (2,), kind)])
            if kind == "FLOAT16":
                spec.specificationVersion = 7
            out = MLModel(spec).predict({"a": numpy.array([1, 2], numpy.float32)})["a_out"]
            self.assertEqual(out.dtype.name, type)
            numpy.testing.assert_array_equal(out, [2, 3])
            self.assertTrue(out.flags.owndata or out.base.flags.owndata)

    @needs_shared()
    def test_numbers(self) -> None:
        model = MLModel(shared(PIPELINE))
        few = model.predict({"image": self.dog(), "confidenceThreshold": 0.9})
        many = model.predict({"image": self.dog(), "confidenceThreshold": 0.01})
        self.assertLess(len(few["confidence"]), len(many["confidence"]))
        self.assertEqual(few["confidence"].dtype, numpy.float64)
        for value in ("a", {"a": 1}, object(), [0.5]):
            with self.assertRaises(RuntimeError):
                model.predict({"image": self.dog(), "iouThreshold": value})

    @needs_shared("mlprogram/mobilenetv2-classifier-int8")
    def test_classifiers(self) -> None:
        folder = shared("mlprogram/mobilenetv2-classifier-int8")
        with open(f"{folder}/info.json", encoding="utf-8") as file:
            examples = json.load(file)["examples"]
        model = MLModel(f"{folder}/model.mlpackage")
        for example in examples:
            image = Image.fromarray(numpy.load(f"{folder}/{example['inputs']['image']['file']}"))
            found = model.predict({"image": image})
            self.assertEqual(found["classLabel"], example["outputs"]["classLabel"]["value"])
            expected = example["outputs"]["classLabel_probs"]["value"]
            self.assertEqual(list(found["classLabel_probs"]), list(expected))
            for label, value in expected.items():
                self.assertAlmostEqual(found["classLabel_probs"][label], value, delta=1e-4)

    def test_classifiers_of_numbers(self) -> None:
        builder = ct.models.neural_network.NeuralNetworkBuilder(
            [("x", ct.models.datatypes.Array(2))], [("p", ct.models.datatypes.Array(2))],
            mode="classifier")
        builder.add_activation("relu", "RELU", "x", "p")
        builder.set_class_labels([3, 7], predicted_feature_name="digit", prediction_blob="p")
        found = MLModel(builder.spec).predict({"x": numpy.array([0.25, 0.75])})
        self.assertEqual(found["digit"], 7)
        self.assertEqual(found["p"], {3: 0.25, 7: 0.75})

    @needs_shared()
    def test_lists_give_lists(self) -> None:
        model = MLModel(shared(RAW))
        one = model.predict({"image": self.dog()})
        many = model.predict([{"image": self.dog()}, {"image": self.dog()}])
        self.assertEqual(len(many), 2)
        numpy.testing.assert_array_equal(many[1]["confidence"], one["confidence"])
        self.assertEqual(model.predict([]), [])
        with self.assertRaises(AssertionError):
            model.predict([{"image": self.dog()}], state=object())

    @needs_shared()
    def test_what_is_not_there_is_refused(self) -> None:
        model = MLModel(shared(RAW))
        with self.assertRaisesRegex(Exception, "macOS 15"):
            model.make_state()
        with self.assertRaisesRegex(Exception, "macOS 10.13"):
            ct.models.CompiledMLModel("a.mlmodelc")
        with self.assertRaisesRegex(Exception, "macOS 10.13"):
            ct.models.utils.compile_model(shared(RAW))
        self.assertEqual(model.get_compiled_model_path(), shared(RAW))
        self.assertEqual(len(MLModel.get_available_compute_devices()), 1)

    @needs_shared()
    def test_specifications_work(self) -> None:
        model = MLModel(shared(RAW))
        again = MLModel(model.get_spec())
        one, other = (each.predict({"image": self.dog()}) for each in (model, again))
        numpy.testing.assert_array_equal(one["coordinates"], other["coordinates"])
        self.assertIn("image", list(model.input_description))
        model.author = "somebody"
        with tempfile.TemporaryDirectory() as folder:
            model.save(f"{folder}/saved.mlmodel")
            saved = MLModel(f"{folder}/saved.mlmodel")
        self.assertEqual(saved.author, "somebody")
        numpy.testing.assert_array_equal(
            saved.predict({"image": self.dog()})["confidence"], one["confidence"])

    @needs_shared()
    def test_stored_outputs(self) -> None:
        found = MLModel(shared(RAW)).predict({"image": self.dog()})
        for name, values in found.items():
            stored = numpy.load(shared(f"references/yolo-fastest-1.1/dog-{name}.npy"))
            numpy.testing.assert_allclose(values, stored, atol=1e-5)
        done = 0
        for name in sorted(os.listdir(shared("mlprogram"))):
            folder = shared(f"mlprogram/{name}")
            if os.path.exists(f"{folder}/model.mlpackage") and self.check(folder):
                done += 1
        self.assertGreaterEqual(done, 40)

    def check(self, folder: str) -> bool:
        """Compares the stored examples of a program; whether coremltools opened it."""
        with open(f"{folder}/info.json", encoding="utf-8") as file:
            info = json.load(file)
        if not info["expect"] == "run" or "examples" not in info:
            return False
        for example in info["examples"]:
            options = {"function_name": example["function"]} if "function" in example else {}
            try:
                model = MLModel(f"{folder}/model.mlpackage", **options)
            except RuntimeError as error:
                # coremltools opens no package without weights, here as everywhere.
                self.assertIn("Item does not exist", str(error))
                return False
            feed: dict[str, Any] = {}
            for name, given in example["inputs"].items():
                values = numpy.load(f"{folder}/{given['file']}") if "file" in given else (
                    given["value"])
                feed[name] = Image.fromarray(values) if "image" in given.get("kind", "") else values
            outputs = model.predict(feed)
            for name, stored in example["outputs"].items():
                if "file" not in stored:
                    continue
                expected = numpy.load(f"{folder}/{stored['file']}")
                self.assertEqual(outputs[name].shape, expected.shape, (folder, name))
                tolerance = stored.get("tolerance") or 1e-4
                error = numpy.abs(outputs[name] - expected).max(initial=0)
                self.assertLessEqual(error, tolerance, (folder, name))
        return True


if __name__ == "__main__":
    unittest.main()
