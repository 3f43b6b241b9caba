# Fovea - measuring one network of the zoo.
# SPDX-License-Identifier: Apache-2.0
"""Commands of everybody who runs a network, and figures of what they did in rounds."""
import pathlib
import statistics
import sys

import rounds
from peer_environment import OWN_PROGRAM

HERE = pathlib.Path(__file__).resolve().parent
OWN_FILES = {
    "fovea float": ("network.float.fovea",),
    "fovea float, NeuralNetwork": ("network.mlmodel", "--backend", "float"),
    "fovea int8": ("network.int8.fovea",),
}
# How a runtime is told to use no more than an instruction set. ONNX Runtime, ncnn and LiteRT have
# no such switch: they always use what the processor has. OpenVINO's convolutions and products
# follow it; up to a tenth of its operations, all of them small, do not.
LIMITS = {"openvino": {"avx2": ("env", "ONEDNN_MAX_CPU_ISA=AVX2")}}


def can_be_limited(name, instruction_set):
    """OpenVINO chooses bfloat16 in spite of the limit, and then cannot compute."""
    runtime = name.split()[0]
    if instruction_set and kind(name) == "default":
        return False
    return instruction_set is None or runtime == "fovea" or instruction_set in LIMITS.get(
        runtime, {})


def command(name, folder, threads, instruction_set):
    if name in OWN_FILES:
        file, *options = OWN_FILES[name]
        limit = ["--instruction-set", instruction_set] if instruction_set else []
        return [str(OWN_PROGRAM), "latency", str(folder / file), *options, "--threads",
                str(threads), "--protocol", *limit]
    limit = LIMITS[name.split()[0]][instruction_set] if instruction_set else ()
    return [*limit, sys.executable, str(HERE / "peers.py"), name, str(folder), str(threads)]


def kind(name):
    """What a runtime computes in: float, int8, or what it chooses itself."""
    return "int8" if "int8" in name else "default" if "default" in name else "float"


def measure(names, folder, threads, given, say):
    """Figures of everybody, a dictionary by name."""
    commands = {name: command(name, folder, threads, given.instruction_set) for name in names}
    found = rounds.measure(commands, threads, given.rounds, given.runs, say)
    more = rounds.first_results({one.name: commands[one.name] for one in found}, threads,
                                given.starts - 1)
    own = {one.name.split()[1]: one for one in found
           if one.name in ("fovea float", "fovea int8")}
    figures = {}
    for one in found:
        ours = own.get("int8" if kind(one.name) == "int8" else "float")
        figures[one.name] = {
            "min": min(one.times), "median": statistics.median(one.times),
            "processor": min(one.processor_times) if one.processor_times else None,
            "peak_mib": one.peak_resident,
            "first_result_ms": statistics.median([one.first_result, *more[one.name]]),
            "fovea_quotient": rounds.ratio(ours, one) if ours else None,
            "best_of_round": one.best}
    return figures


def best(figures, kinds):
    """Name of the peer of some kinds that Fovea has the hardest time with, or None."""
    names = [name for name, row in figures.items()
             if kind(name) in kinds and not name.startswith("fovea")
             and row["fovea_quotient"] is not None]
    return max(names, key=lambda name: figures[name]["fovea_quotient"], default=None)
