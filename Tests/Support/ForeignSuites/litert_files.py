# Fovea - runs the TensorFlow Lite files of other packages beside LiteRT.
# SPDX-License-Identifier: Apache-2.0
"""litert_files.py FOLDER SEED

Runs each TensorFlow Lite file below FOLDER/networks on random numbers, and compares all outputs.
They may differ by 1e-3 of the greatest number: noise has no small outputs that pictures have, and
sums in another order move some networks by that much. Where weights are codes, LiteRT rounds what they
are multiplied with to 8 bits in every run, and Fovea does not: 5e-2.
"""
import pathlib
import sys

import numpy as np

import fovea
from verdicts import Verdicts

TOLERANCE = 1e-3
TOLERANCE_OF_CODES = 5e-2


def random_input(detail, chance):
    """Numbers as pictures have them, in the type of the input."""
    shape = [max(int(size), 1) for size in detail["shape"]]
    if detail["dtype"] == np.float32:
        return chance.random(shape, np.float32)
    if np.issubdtype(detail["dtype"], np.integer):
        most = min(np.iinfo(detail["dtype"]).max, 255)
        return chance.integers(0, most, shape).astype(detail["dtype"])
    return (chance.random(shape) < 0.5).astype(detail["dtype"])


def of_litert(path, chance):
    """Inputs and outputs by name, and how far from them others may be."""
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(str(path))
    interpreter.allocate_tensors()
    inputs = {}
    for detail in interpreter.get_input_details():
        inputs[detail["name"]] = random_input(detail, chance)
        interpreter.set_tensor(detail["index"], inputs[detail["name"]])
    interpreter.invoke()
    has_codes = any(detail["dtype"] == np.int8 for detail in interpreter.get_tensor_details())
    outputs = {detail["name"]: interpreter.get_tensor(detail["index"])
               for detail in interpreter.get_output_details()}
    return inputs, outputs, TOLERANCE_OF_CODES if has_codes else TOLERANCE


def verdict(path, seed):
    chance = np.random.default_rng(seed)
    try:
        inputs, wanted, tolerance = of_litert(path, chance)
    except Exception as error:
        return "else", f"LiteRT: {error}"
    try:
        outputs = fovea.Session(str(path)).run_named(inputs)
    except (fovea.Error, TypeError) as error:
        return "refused", str(error)
    worst = 0.0
    for name, array in wanted.items():
        if name not in outputs or outputs[name].shape != array.shape:
            return "wrong", f"{name} is missing or has another shape"
        array = array.astype(np.float64)
        scale = max(float(np.abs(array).max(initial=0)), 1e-30)
        difference = float(np.abs(outputs[name] - array).max(initial=0)) / scale
        # Also where one of them is no number.
        if not difference <= tolerance:
            return "wrong", f"{name} differs by {difference:.1e} of its greatest number"
        worst = max(worst, difference)
    return "pass", f"{worst:.1e}"


def main():
    folder, seed = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    verdicts = Verdicts(f"TensorFlow Lite files beside LiteRT, seed {seed}")
    for path in sorted((folder / "networks").glob("**/*.tflite")):
        verdicts.add(path.stem, str(path.relative_to(folder)), *verdict(path, seed))
    return verdicts.finish(folder / "litert.jsonl")


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
