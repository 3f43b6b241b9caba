# Fovea - the files of one network of the zoo, each compared with the network itself.
# SPDX-License-Identifier: Apache-2.0
"""Build a network, write it for everybody, and compare what everybody makes of one picture.

Called by `zoo`; by hand: zoo_files.py NETWORK FOLDER CALIBRATION
"""
import contextlib
import dataclasses
import json
import pathlib
import sys
import time

import numpy as np

import peers
import zoo_core_ml
import zoo_writers
from zoo_networks import NETWORKS, Network, multiply_accumulates, tensors

SEED = 7
# Pictures that statistics are settled with, and pictures that calibrate int8.
SETTLING, CALIBRATION = 4, 32
# Mean relative error of an output beyond which a file does not compute the network. Random
# networks are harder to quantize than trained ones, whose layers have learned to ignore noise.
FLOAT_LIMIT, REDUCED_LIMIT, INT8_LIMIT = 2e-3, 0.2, 0.8


@dataclasses.dataclass
class Case:
    """What writers need of a network."""
    folder: pathlib.Path
    description: Network
    network: object
    example: object
    inputs: list
    images: list
    expected: dict = dataclasses.field(default_factory=dict)

    def expect(self, runtime, network):
        """Note what a runtime should give: by default what the network gives."""
        import torch
        with torch.no_grad():
            self.expected[runtime] = [output.numpy() for output in tensors(network(self.example))]


def pictures(paths, side):
    """Pictures of the network's size, uint8 [side, side, 3]."""
    from PIL import Image
    for path in paths:
        with Image.open(path) as image:
            yield np.asarray(image.convert("RGB").resize((side, side), Image.BILINEAR))


def network_input(picture, description):
    """A picture as every peer is given it, [1, 3, side, side]."""
    planes = picture.astype(np.float32).transpose(2, 0, 1) * np.float32(description.scale)
    return np.ascontiguousarray(
        (planes + np.array(description.bias, np.float32)[:, None, None])[None])


def calibration_paths(folder):
    paths = sorted(p for p in folder.iterdir() if p.suffix.lower() in (".jpg", ".jpeg", ".png"))
    if len(paths) < SETTLING:
        raise SystemExit(f"{folder}: expected at least {SETTLING} .jpg or .png images")
    return paths[:CALIBRATION]


def make_case(name, calibration, folder):
    import torch
    description = NETWORKS[name]
    images = calibration_paths(calibration)
    found = list(pictures(images, description.side))
    inputs = [network_input(picture, description) for picture in found]
    network = description.build(torch.from_numpy(np.concatenate(inputs[:SETTLING])), SEED)
    np.save(folder / "picture.npy", found[0])
    np.save(folder / "input.npy", inputs[0])
    return Case(folder, description, network, torch.from_numpy(inputs[0]), inputs, images)


def parts(output, description):
    """An output as arrays that are comparable each: boxes in pixels would hide all scores."""
    axis = description.box_axis
    if axis is None or output.ndim <= axis:
        return [output]
    return np.split(output, [4], axis)


def distance(found, expected, description):
    """Mean absolute difference over mean absolute value, the worst of all parts of all outputs.

    Outputs are matched by their count of values: peers name and order them differently. The best
    of many are compared as sorted columns, since small errors change their order.
    """
    worst = 0.0
    if len(found) < len(expected):
        raise ValueError(f"{len(found)} outputs instead of {len(expected)}")
    for own in expected:
        other = next(o for o in found if o.size == own.size).reshape(own.shape).astype(np.float32)
        if description.is_ranked:
            own, other = np.sort(own, axis=-2), np.sort(other, axis=-2)
        for a, b in zip(parts(own, description), parts(other, description)):
            worst = max(worst, float(np.abs(a - b).mean() / np.abs(a).mean()))
    return worst


def limit(name):
    return INT8_LIMIT if "int8" in name else REDUCED_LIMIT if "default" in name else FLOAT_LIMIT


def say(text):
    print(text, file=sys.__stdout__, flush=True)


def peer(name):
    return lambda case: peers.MAKERS[name](case.folder, 1)()


# Who runs a network: how its file is written, if it has one of its own, and how it is run once.
STEPS = {
    "fovea float": (zoo_core_ml.write_program, zoo_core_ml.run("network.mlpackage", "float")),
    "fovea float, NeuralNetwork": (zoo_core_ml.write_neural_network,
                                   zoo_core_ml.run("network.mlmodel", "float")),
    "fovea int8": (zoo_core_ml.write_compiled, zoo_core_ml.run("network.mlpackage", "int8")),
    **{name: (write, peer(name)) for name, write in zoo_writers.WRITERS.items()},
}


def prepare(name, calibration, folder, compiler="unknown", part="all"):
    """Write all files of a network; notes the error of each, or why it is left out.

    `compiler` names the program that compiles for Fovea: the facts say what they are true for. With
    `part` "fovea" the files of the others stay as they are.
    """
    import torch
    torch.set_num_threads(1)
    folder.mkdir(parents=True, exist_ok=True)
    case = make_case(name, calibration, folder)
    case.expect("everybody", case.network)
    facts = {"network": name, "mmac": multiply_accumulates(case.network, case.example),
             "error": {}, "skipped": {}}
    if part == "fovea":
        facts = json.loads((folder / "facts.json").read_text())
    facts["compiler"] = compiler
    say(f"{name}: {facts['mmac']:.0f} MMAC")
    for one, (write, run) in STEPS.items():
        if part == "fovea" and not one.startswith("fovea"):
            continue
        facts["skipped"].pop(one, None)
        facts["error"].pop(one, None)
        start = time.perf_counter()
        basis = one.replace("int8", "fp32").replace("default", "fp32")
        try:
            if basis != one and basis in facts["skipped"]:
                raise ValueError(f"it is made from {basis}, which is skipped")
            if write:
                write(case)
            expected = case.expected.get(one.split()[0], case.expected["everybody"])
            error = distance(run(case), expected, case.description)
            if not error <= limit(one):
                raise ValueError(f"mean relative error {error:.3g}, more than {limit(one):g}")
            facts["error"][one] = error
            say(f"  {one}: error {error:.1e} ({time.perf_counter() - start:.0f} s)")
        except Exception as error:  # noqa: BLE001  (whatever a converter throws)
            lines = f"{type(error).__name__}: {error}".strip().splitlines()
            facts["skipped"][one] = lines[0][:200]
            say(f"  SKIPPED {one}: {facts['skipped'][one]}")
    # Everybody in the order of the table, whoever was written last.
    facts["error"] = {one: facts["error"][one] for one in STEPS if one in facts["error"]}
    (folder / "facts.json").write_text(json.dumps(facts, indent=1))


if __name__ == "__main__":
    # What converters print is no part of the report.
    with contextlib.redirect_stdout(sys.stderr):
        prepare(sys.argv[1], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[2]), *sys.argv[4:])
