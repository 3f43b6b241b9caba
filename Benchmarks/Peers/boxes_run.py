# Fovea - one program of boxes_from, measured in a process of its own.
# SPDX-License-Identifier: Apache-2.0
"""boxes_run.py PROGRAM FOLDER PICTURE RUNS START: one line of JSON.

START: when this process was started, in seconds of the system's clock.
"""
import importlib.util
import json
import pathlib
import resource
import sys
import time


def load_program(path):
    """The module of a file whose name may be that of a package."""
    sys.path.append(str(path.parent / "shared"))
    specification = importlib.util.spec_from_file_location(f"boxes_from_{path.stem}", path)
    program = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(program)
    return program


def main():
    path, folder, picture, runs, started = sys.argv[1:6]
    begin = time.perf_counter()
    program = load_program(pathlib.Path(path))
    imported = time.perf_counter() - begin
    model = program.load(pathlib.Path(folder))
    boxes = program.detect(model, picture)
    first = time.time() - float(started)
    times = []
    for _ in range(int(runs)):
        begin = time.perf_counter()
        program.detect(model, picture)
        times.append(time.perf_counter() - begin)
    print(json.dumps({"boxes": len(boxes), "import": imported, "first": first, "times": times,
                      "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


if __name__ == "__main__":
    main()
