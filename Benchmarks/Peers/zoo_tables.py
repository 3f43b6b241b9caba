# Fovea - the figures of the zoo as tables and as a CSV file.
# SPDX-License-Identifier: Apache-2.0
"""Print what `zoo` measured: a table of each kind for each number of threads."""
import csv
import statistics

from zoo_measuring import best

RUNTIMES = ("openvino", "onnxruntime", "ncnn", "litert")
FLOAT = ["fovea float", "fovea float, NeuralNetwork", *(f"{name} fp32" for name in RUNTIMES)]
INT8 = ["fovea int8", "openvino int8", "onnxruntime int8", "litert int8"]
# Runtimes without a column "default" compute in float anyway.
DEFAULT = ["fovea float", "openvino default", "onnxruntime fp32", "ncnn default", "litert fp32"]
SHORT = {"fovea float": "fovea", "fovea float, NeuralNetwork": "(NN)", "fovea int8": "fovea",
         "onnxruntime": "ort"}


def heading(name):
    return SHORT.get(name) or SHORT.get(name.split()[0], name.split()[0])


def cell(row, key, digits=2, width=9):
    value = (row or {}).get(key)
    return ("-" if value is None else f"{value:.{digits}f}").rjust(width)


def print_times(title, networks, names, kinds):
    """Least times, and the quotient of Fovea with the best peer."""
    print(f"\n{title}\n{'ms':27s}{'MMAC':>6s}" + "".join(heading(n).rjust(9) for n in names)
          + "   x best")
    quotients = []
    for network, (mmac, figures) in networks.items():
        peer = best(figures, kinds)
        quotient = figures[peer]["fovea_quotient"] if peer else None
        quotients += [quotient] if peer else []
        print(f"{network:27s}{mmac:6.0f}"
              + "".join(cell(figures.get(name), "min") for name in names)
              + (f"{quotient:9.2f} {heading(peer)}" if peer else "        -"))
    if quotients:
        print(f"{'median over networks':{33 + 9 * len(names)}s}{statistics.median(quotients):9.2f}",
              flush=True)


def print_column(title, networks, names, key):
    print(f"\n{title}\n{'':27s}" + "".join(heading(n).rjust(9) for n in names))
    for network, (_, figures) in networks.items():
        print(f"{network:27s}" + "".join(cell(figures.get(n), key, 1) for n in names))
    print(end="", flush=True)


def print_tables(networks, threads):
    """`networks` has for each name its million products and the figures of everybody."""
    count = f"{threads} thread{'s' * (threads > 1)}"
    print_times(f"float32, {count}", networks, FLOAT, ("float",))
    print_times(f"int8, {count}", networks, INT8, ("int8",))
    print_times(f"float in the runtime's own precision, {count}", networks, DEFAULT,
                ("float", "default"))
    for kind, names in (("float32", FLOAT), ("int8", INT8)):
        print_column(f"peak of the process after its runs, MiB, {kind}, {count}", networks, names,
                     "peak_mib")
    for kind, names in (("float32", FLOAT), ("int8", INT8)):
        print_column("files to first result, ms (Python and its imports left out), "
                     f"{kind}, {count}", networks, names, "first_result_ms")


COLUMNS = {"minimum_ms": "min", "median_ms": "median", "fovea_quotient": "fovea_quotient",
           "peak_mib": "peak_mib", "first_result_ms": "first_result_ms"}


def write_csv(path, document, machine):
    """A line for every network, number of threads and runtime."""
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["network", "machine", "date", "mmac", "runtime", "threads", *COLUMNS])
        for network, one in document["networks"].items():
            for threads, figures in one["threads"].items():
                for name, row in figures.items():
                    writer.writerow(
                        [network, machine, document["machine"]["time"][:10], f"{one['mmac']:.1f}",
                         name, threads, *("" if row[key] is None else f"{row[key]:.3f}"
                                          for key in COLUMNS.values())])
