# Fovea - networks of the zoo as Core ML files, and compiled by Fovea.
# SPDX-License-Identifier: Apache-2.0
"""Write a network as an ML Program and as a NeuralNetwork, and compile it to int8."""
import copy
import subprocess
import warnings

import numpy as np

from peer_environment import OWN_PROGRAM

COMPILER = OWN_PROGRAM.with_name("fovea")
# Peers write what the network gives, and so does Fovea: no boxes and scores are made of it.
AS_IT_IS = ("--head", "none")


def traced(case):
    """The network in the form that its project converts, as TorchScript."""
    import torch
    network = copy.deepcopy(case.network)
    case.description.core_ml_form(network)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")      # about shapes that become constants
        network(case.example)                # anchors are made in the first run
        return torch.jit.trace(network, case.example, strict=False, check_trace=False)


def image_input(case):
    import coremltools
    bias = list(case.description.bias)
    return coremltools.ImageType(
        "image", shape=tuple(case.example.shape), scale=case.description.scale,
        bias=bias if any(bias) else None, color_layout=coremltools.colorlayout.RGB)


def write_program(case):
    import coremltools
    coremltools.convert(
        traced(case), inputs=[image_input(case)], convert_to="mlprogram", skip_model_load=True,
        minimum_deployment_target=coremltools.target.iOS16,
        compute_precision=coremltools.precision.FLOAT32).save(case.folder / "network.mlpackage")
    fovea("compile", case.folder / "network.mlpackage", *AS_IT_IS, "-o",
          case.folder / "network.float.fovea")


def write_neural_network(case):
    import coremltools
    coremltools.convert(traced(case), inputs=[image_input(case)], convert_to="neuralnetwork",
                        skip_model_load=True).save(case.folder / "network.mlmodel")


def write_compiled(case):
    fovea("compile", case.folder / "network.mlpackage", *AS_IT_IS, "--backend", "int8",
          "--calibrate", calibration(case), "-o", case.folder / "network.int8.fovea")


def calibration(case):
    """A list of the pictures, as fovea takes it."""
    images = case.folder / "calibration.txt"
    images.write_text("".join(f"{path}\n" for path in case.images))
    return images


def fovea(*words):
    if not COMPILER.exists():
        raise FileNotFoundError(f"{COMPILER}: build it with "
                                "`swift build -c release --product fovea`")
    run = subprocess.run([COMPILER, *map(str, words)], capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(run.stderr.strip().splitlines()[-1])


def run(file, backend):
    """A function that runs a file on the picture of the case and gives its outputs.

    int8 is run from the ML Program: a compiled detector gives boxes over the picture, which are not
    what the network gives.
    """
    def outputs(case):
        ranges = ["--calibrate", calibration(case)] if backend == "int8" else []
        results = case.folder / "outputs"
        for old in results.glob("*.npy"):
            old.unlink()
        fovea("run", case.folder / file, "--input", f"image={case.folder / 'picture.npy'}",
              "--output-dir", results, "--threads", "1", "--backend", backend, *ranges)
        return [np.load(path) for path in sorted(results.glob("*.npy"))]
    return outputs
