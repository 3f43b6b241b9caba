# Fovea - runs networks by Fovea and by the runtime of their format, and compares what they give.
# SPDX-License-Identifier: Apache-2.0
"""compare_outputs.py COMMAND TABLE FOLDER SHARED

Each line of TABLE names a network and how it wants pictures, in columns between blanks:

    pattern of a path below FOLDER   least value   greatest value   rows x columns, or -   pictures

The size is for networks that take pictures of any. The first three pictures of the folder below
SHARED are taken: with text for networks that find or read it, whose outputs are else near 0. Compared is the greatest difference of an output,
over its greatest number, with 1e-4. Prints a line for each network; exits 1 if one differs.
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image

TOLERANCE = 1e-4


class LiteRT:
    def __init__(self, path):
        from ai_edge_litert.interpreter import Interpreter
        self.interpreter = Interpreter(str(path))
        self.interpreter.allocate_tensors()
        details = self.interpreter.get_input_details()[0]
        self.index, self.name, self.shape = (details[key] for key in ("index", "name", "shape"))
        self.channels_last = True

    def run(self, array):
        self.interpreter.set_tensor(self.index, array)
        self.interpreter.invoke()
        return {details["name"]: self.interpreter.get_tensor(details["index"])
                for details in self.interpreter.get_output_details()}


class OnnxRuntime:
    def __init__(self, path):
        import onnxruntime
        self.session = onnxruntime.InferenceSession(
            str(path), providers=["CPUExecutionProvider"])
        feature = self.session.get_inputs()[0]
        self.name, self.shape = feature.name, feature.shape
        self.channels_last = False

    def run(self, array):
        names = [feature.name for feature in self.session.get_outputs()]
        return dict(zip(names, self.session.run(names, {self.name: array})))


PEERS = {".tflite": LiteRT, ".onnx": OnnxRuntime}


def picture(path, peer, least, greatest, size):
    """A picture as the network's input, in its order."""
    rows, columns = peer.shape[1:3] if peer.channels_last else peer.shape[2:4]
    if size:
        rows, columns = size
    image = Image.open(path).convert("RGB").resize((int(columns), int(rows)), Image.BILINEAR)
    array = np.asarray(image, np.float32)[None] / 255 * (greatest - least) + least
    return np.ascontiguousarray(array if peer.channels_last else array.transpose(0, 3, 1, 2))


def outputs_of_fovea(command, path, name, array, folder):
    given = folder / "input.npy"
    np.save(given, array)
    subprocess.run(
        [command, "run", str(path), "--backend", "float", "--input", f"{name}={given}",
         "--output-dir", str(folder / "outputs")], check=True, stdout=subprocess.DEVNULL)
    return folder / "outputs"


def difference(command, path, peer, array):
    """The greatest difference of all outputs, each over its greatest number."""
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        found = outputs_of_fovea(command, path, peer.name, array, pathlib.Path(folder))
        for name, wanted in peer.run(array).items():
            got = np.load(found / (name.replace("/", "_") + ".npy"))
            if got.shape != wanted.shape:
                raise ValueError(f"{name}: shape {got.shape}, and {wanted.shape} was expected")
            scale = max(float(np.abs(wanted).max()), 1e-30)
            worst = max(worst, float(np.abs(got - wanted).max()) / scale)
    return worst


def main():
    command, table, folder, shared = sys.argv[1:5]
    failures = 0
    for line in pathlib.Path(table).read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        pattern, least, greatest, size, pictures = line.split()
        names = sorted((pathlib.Path(shared) / pictures).glob("*.[jp][pn]g"))[:3]
        if len(names) < 3:
            print(f"*** SKIPPED: {pattern}; there are no pictures in {pictures} ***")
            continue
        paths = sorted(pathlib.Path(folder).glob(pattern))
        if not paths:
            print(f"*** SKIPPED: {pattern} is not there ***")
        for path in paths:
            try:
                peer = PEERS[path.suffix](path)
                sides = None if size == "-" else [int(side) for side in size.split("x")]
                worst = max(
                    difference(command, path, peer,
                               picture(name, peer, float(least), float(greatest), sides))
                    for name in names)
            except Exception as error:
                print(f"{path.name}: {error}")
                failures += 1
                continue
            verdict = "" if worst <= TOLERANCE else "   DIFFERS"
            print(f"{path.name}: {worst:.1e} of the greatest number{verdict}")
            failures += worst > TOLERANCE
    sys.exit(failures > 0)


main()
