# Fovea - runs ONNX's own tests of single nodes.
# SPDX-License-Identifier: Apache-2.0
"""onnx_nodes.py FOLDER FORM [--only TEXT]

Each test is a model of one node with inputs and what they give. FORM is one of

    given      as ONNX has them
    shapes     inputs that state shapes, places or numbers are constants, as exporters write them
    weights    all inputs but the first are constants
    extremes   as before, with numbers changed to what no exporter writes: only a crash is a fault

All but the first declare operation set 25 where a newer one is declared, whose nodes mean the same.
Tests run in a process of their own, which begins anew behind a test that ends it.
"""
import json
import os
import pathlib
import pickle
import random
import subprocess
import sys
import tempfile
import warnings

import numpy as np

from verdicts import Verdicts

NEWEST_SET = 25
SECONDS_OF_A_TEST = 120
CHANGES_OF_A_TEST = 6
INTEGERS = [0, -1, 1, 2, 7, -(1 << 63), (1 << 63) - 1, 1 << 31, -(1 << 31), 1 << 20, 65536, -3]
FLOATS = [0.0, -1.0, float("nan"), float("inf"), float("-inf"), 1e-45, 1e38, -1e38, 0.3]
# Inputs by name that are numbers of the operation, not data, whatever their type.
NUMBERS = {
    "scales", "sizes", "roi", "axes", "axis", "pads", "constant_value", "value", "starts", "ends",
    "steps", "shape", "split", "repeats", "k", "depth", "values", "start", "limit", "delta", "min",
    "max", "ratio", "training_mode", "t", "max_output_boxes_per_class", "iou_threshold",
    "score_threshold", "output_shape", "tensor", "dft_length", "image_shape", "block_shape", "size",
    "r", "keep_prob", "num_classes", "alpha", "beta",
}


def cases_in(folder):
    """The tests, made once."""
    place = pathlib.Path(folder) / "nodes"
    if not (place / "complete").exists():
        from onnx.backend.test.case.node import collect_testcases
        place.mkdir(parents=True, exist_ok=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            np.random.seed(0)
            found = collect_testcases(None)
        for index, case in enumerate(found):
            kinds = [node.op_type for node in case.model.graph.node]
            (place / f"{index:05}").write_bytes(pickle.dumps({
                "name": case.name, "kinds": kinds, "model": case.model.SerializeToString(),
                "data": case.data_sets, "rtol": case.rtol, "atol": case.atol}))
        (place / "complete").touch()
    return sorted(path for path in place.iterdir() if path.name != "complete")


def is_array(value):
    """Whether Fovea has arrays of this kind."""
    return isinstance(value, (np.ndarray, np.generic, int, float)) and (
        np.asarray(value).dtype.kind in "fiub")


def prepared(case, form):
    """The model and the inputs that are left, in a form."""
    import onnx

    model = onnx.ModelProto.FromString(case["model"])
    inputs = dict(zip([value.name for value in model.graph.input], case["data"][0][0]))
    if form == "given":
        return case["model"], inputs
    for entry in model.opset_import:
        if entry.domain in ("", "ai.onnx"):
            entry.version = min(entry.version, NEWEST_SET)
    for index, value in enumerate(list(model.graph.input)):
        array = np.asarray(inputs[value.name])
        is_number = value.name in NUMBERS or (
            index > 0 and array.dtype.kind == "i" and array.ndim <= 1)
        if is_number if form == "shapes" else index > 0:
            model.graph.initializer.append(onnx.numpy_helper.from_array(array, value.name))
            model.graph.input.remove(value)
            del inputs[value.name]
    return model.SerializeToString(), inputs


def changed(model, chance):
    """A model with one number, list or input changed to what no exporter writes."""
    import onnx

    model = onnx.ModelProto.FromString(model)
    lists = [values for node in model.graph.node for attribute in node.attribute
             for values in (attribute.ints, attribute.floats) if len(values)]
    numbers = [attribute for node in model.graph.node for attribute in node.attribute
               if attribute.type in (onnx.AttributeProto.INT, onnx.AttributeProto.FLOAT)]
    constants = list(model.graph.initializer)
    kind = chance.choice(["list"] * bool(lists) + ["number"] * bool(numbers)
                         + ["constant", "sizes"] * bool(constants) + ["input", "attribute"])
    if kind == "list":
        values = chance.choice(lists)
        place = chance.randrange(len(values))
        if chance.random() < 0.2:
            del values[place]
        else:
            values[place] = chance.choice(
                FLOATS if isinstance(values[place], float) else INTEGERS)
    elif kind == "number":
        attribute = chance.choice(numbers)
        attribute.i, attribute.f = chance.choice(INTEGERS), chance.choice(FLOATS)
    elif kind == "constant":
        constant = chance.choice(constants)
        array = onnx.numpy_helper.to_array(constant).copy()
        if array.size and array.dtype.kind in "fiu":
            if array.dtype.kind == "f":
                value = chance.choice(FLOATS)
            else:
                limits = np.iinfo(array.dtype)
                value = min(max(chance.choice(INTEGERS), int(limits.min)), int(limits.max))
            with np.errstate(all="ignore"):
                array.reshape(-1)[chance.randrange(array.size)] = value
            constant.CopyFrom(onnx.numpy_helper.from_array(array, constant.name))
    elif kind == "sizes":
        constant = chance.choice(constants)
        array = onnx.numpy_helper.to_array(constant)
        shape = chance.choice([(0,), (), (1,) * 9, array.shape[1:], (2,) + array.shape])
        array = np.resize(array, shape) if array.size else np.zeros(shape, array.dtype)
        constant.CopyFrom(onnx.numpy_helper.from_array(array, constant.name))
    else:
        node = chance.choice(list(model.graph.node))
        if kind == "input" and node.input:
            node.input[chance.randrange(len(node.input))] = chance.choice(
                ["", node.input[0], node.input[-1]])
        elif node.attribute:
            del node.attribute[chance.randrange(len(node.attribute))]
    return model.SerializeToString()


def check(got, wanted, case):
    """Raises where an output is another one."""
    wanted = np.asarray(wanted)
    # Numbers of half precision have three digits.
    least = 2e-3 if wanted.dtype == np.float16 else 2e-6
    if got.shape != wanted.shape and not (wanted.shape == () and got.shape == (1,)):
        raise AssertionError(f"shape {got.shape}, not {wanted.shape}")
    got = np.asarray(got, np.float64).reshape(wanted.shape)
    wanted = wanted.astype(np.float64)
    finite = np.abs(wanted[np.isfinite(wanted)])
    greatest = float(finite.max()) if finite.size else 0.0
    np.testing.assert_allclose(
        got, wanted, rtol=max(case["rtol"], least), atol=max(case["atol"], least * greatest))


def given(model, inputs):
    """What Fovea gives."""
    import fovea

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.onnx")
        pathlib.Path(path).write_bytes(model)
        return fovea.Session(path).run_named(
            {name: taken(np.asarray(array)) for name, array in inputs.items()})


def taken(array):
    """An array of a type that Fovea takes."""
    if array.dtype == bool:
        return array.astype(np.uint8)
    return array.astype(np.int64) if array.dtype.kind == "u" and array.itemsize > 1 else array


def verdict(case, form):
    """The status of one test and words about it."""
    import fovea

    arrays = [value for data in case["data"] for values in data for value in values]
    if not all(is_array(value) for value in arrays):
        return "else", "texts, sequences or types that Fovea has no arrays of"
    try:
        model, inputs = prepared(case, form)
    except Exception as error:  # the constants of a test that has none
        return "else", str(error)
    if form == "extremes":
        chance = random.Random(case["name"])
        for _ in range(CHANGES_OF_A_TEST):
            try:
                given(changed(model, chance), inputs)
            except (fovea.Error, TypeError, ValueError):
                continue
        return "pass", ""
    try:
        outputs = given(model, inputs)
    except (fovea.Error, TypeError) as error:
        return "refused", str(error)
    try:
        import onnx
        names = [value.name for value in onnx.ModelProto.FromString(model).graph.output]
        for name, wanted in zip(names, case["data"][0][1]):
            check(outputs[name], wanted, case)
    except (AssertionError, KeyError) as error:
        return "wrong", f"{type(error).__name__} {error}"
    return "pass", ""


def work(paths, form):
    """Runs tests, and writes a line before and behind each."""
    for path in paths:
        case = pickle.loads(pathlib.Path(path).read_bytes())
        print(json.dumps({"begins": path}), flush=True)
        status, words = verdict(case, form)
        print(json.dumps({"ends": path, "status": status, "words": words}), flush=True)


def run(paths, form, take):
    """Runs tests in processes; `take` gets the path of each, its status and words."""
    left = [str(path) for path in paths]
    while left:
        process = subprocess.Popen(
            [sys.executable, __file__, "--work", form], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            out, errors = process.communicate(
                "\n".join(left), timeout=SECONDS_OF_A_TEST + len(left))
        except subprocess.TimeoutExpired:
            process.kill()
            out, errors = process.communicate()
            errors = "it did not end in time"
        lines = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
        done = {line["ends"]: line for line in lines if "ends" in line}
        for path, line in done.items():
            take(path, line["status"], line["words"])
        begun = [line["begins"] for line in lines if "begins" in line]
        for path in begun:
            if path not in done:
                take(path, "crash", errors[-2000:])
        if not begun:
            raise SystemExit(errors)
        left = [path for path in left if path not in begun]


def main():
    if sys.argv[1] == "--work":
        return work(sys.stdin.read().split(), sys.argv[2])
    folder, form = sys.argv[1:3]
    paths = cases_in(folder)
    cases = {str(path): pickle.loads(path.read_bytes()) for path in paths}
    if "--only" in sys.argv:
        text = sys.argv[sys.argv.index("--only") + 1]
        paths = [path for path in paths if text in cases[str(path)]["name"]]
    verdicts = Verdicts(f"ONNX's tests of nodes, {form}")
    # A test whose node is written out in others is a test of the node that its name begins with.
    def take(path, status, words):
        case = cases[path]
        kind = case["kinds"][0] if len(case["kinds"]) == 1 else "several nodes"
        verdicts.add(kind, case["name"], status, words)
    run(paths, form, take)
    return verdicts.finish(pathlib.Path(folder) / f"onnx-{form}.jsonl")


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
