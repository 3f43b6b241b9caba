"""Asks `fovea serve` with the clients of detection services.

    ask_with_clients.py FOVEA SHARED_DATA
"""

import json
import os
import re
import signal
import subprocess
import sys

import numpy
import tritonclient.http as triton
import zmq
from deepstack.core import DeepstackObject
from PIL import Image
from pydoods import PyDOODS

CONFIDENCE = 0.4
# What boxes may differ: whole pixels of DeepStack, and pictures that are scaled before they are sent.
ROUNDED, EXACT = 0.51, 0.01

FOVEA, SHARED = sys.argv[1:3]
MODEL = os.path.join(SHARED, "models", "yolo-fastest-1.1-xl.mlmodel")
PICTURES = [os.path.join(SHARED, "images", name) for name in ("dog.jpg", "eagle.jpg")]
passed = failed = 0


def said(name, holds, detail=""):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    print(f"{'ok' if holds else 'FAILED'}: {name} {detail}", flush=True)


class Server:
    """A running `fovea serve` at ports that are free."""

    def __init__(self, endpoint):
        self.process = subprocess.Popen(
            [FOVEA, "serve", f"coco={MODEL}", "--listen", "0", "--zmq", endpoint],
            stderr=subprocess.PIPE, text=True)
        self.port = None
        for line in self.process.stderr:
            found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found.group(1))
                return
        raise SystemExit("clients: fovea serve ended before it listened")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)


def detected(picture, *options):
    """What `fovea detect` finds: label, score and edges in pixels."""
    rows = subprocess.run(
        [FOVEA, "detect", "--model", MODEL, "--confidence", str(CONFIDENCE), "--jsonl", "-", *options, picture],
        check=True, capture_output=True, text=True).stdout
    return [(o["label"], o["score"], o["xmin"], o["ymin"], o["xmax"], o["ymax"])
            for o in json.loads(rows)["objects"]]


def clipped(objects, width, height):
    return [(label, score, max(x1, 0), max(y1, 0), min(x2, width), min(y2, height))
            for label, score, x1, y1, x2, y2 in objects]


def compare(name, found, wanted, most):
    """All objects in the same order, and the greatest difference of an edge."""
    same = len(found) == len(wanted) and len(wanted) > 0
    same = same and all(f[0] == w[0] and abs(f[1] - w[1]) < 1e-4 for f, w in zip(found, wanted))
    difference = max((abs(a - b) for f, w in zip(found, wanted) for a, b in zip(f[2:], w[2:])), default=0)
    said(name, same and difference <= most, f"{len(found)} of {len(wanted)} objects, {difference:.4f} pixels")


def ask_deepstack(port, picture, data, size):
    client = DeepstackObject("127.0.0.1", port, "", min_confidence=CONFIDENCE)
    found = [(o["label"], o["confidence"], o["x_min"], o["y_min"], o["x_max"], o["y_max"]) for o in client.detect(data)]
    compare(f"deepstack-python {picture}", found, clipped(detected(picture), *size), ROUNDED)


def ask_doods(port, picture, data, size):
    client = PyDOODS(f"http://127.0.0.1:{port}", None, 60)
    answer = client.detect(data, dconfig={"*": 100 * CONFIDENCE}, detector_name="default")
    width, height = size
    found = [(o["label"], o["confidence"] / 100, o["left"] * width, o["top"] * height, o["right"] * width, o["bottom"] * height)
             for o in answer["detections"]]
    compare(f"pydoods {picture}", found, clipped(detected(picture), *size), EXACT)


def ask_triton(port, picture, data, size):
    client = triton.InferenceServerClient(f"127.0.0.1:{port}")
    said("tritonclient health", client.is_server_live() and client.is_server_ready() and client.is_model_ready("coco"))
    tensor = triton.InferInput("image", [1], "BYTES")
    tensor.set_data_from_numpy(numpy.array([data], dtype=object))
    answer = client.infer("coco", [tensor], parameters={"confidence": CONFIDENCE})
    found = [(label.decode(), float(score), *map(float, box)) for label, score, box in zip(
        answer.as_numpy("labels"), answer.as_numpy("scores"), answer.as_numpy("boxes"))]
    compare(f"tritonclient {picture}", found, detected(picture), EXACT)
    # The model's own tensors, as bytes and as numbers, give the same.
    config = client.get_model_config("coco")["input"][0]
    pixels = numpy.asarray(Image.open(picture).convert("RGB").resize((320, 320)))
    outputs = []
    for is_binary in (True, False):
        tensor = triton.InferInput(config["name"], list(pixels.shape), "UINT8")
        tensor.set_data_from_numpy(pixels, binary_data=is_binary)
        wanted = [triton.InferRequestedOutput(name, binary_data=is_binary) for name in ("confidence", "coordinates")]
        answer = client.infer("coco", [tensor], outputs=wanted)
        outputs.append([answer.as_numpy(name) for name in ("confidence", "coordinates")])
    same = all(a.shape == b.shape and numpy.array_equal(a, b) for a, b in zip(*outputs))
    said(f"tritonclient tensors {picture}", same and outputs[0][0].shape[0] > 0, str(outputs[0][0].shape))


def ask_frigate(endpoint, picture, folder):
    socket = zmq.Context.instance().socket(zmq.REQ)
    socket.connect(endpoint)
    name = "frigate.mlmodel"
    socket.send_json({"model_request": True, "model_name": name})
    known = socket.recv_json()
    if not known["model_available"]:
        socket.send_multipart([json.dumps({"model_data": True, "model_name": name}).encode(), open(MODEL, "rb").read()])
        said("Frigate's model", socket.recv_json()["model_loaded"])
    image = Image.open(picture).convert("RGB").resize((320, 320))
    header = {"shape": [1, 320, 320, 3], "dtype": "uint8", "model_type": "yologeneric"}
    socket.send_multipart([json.dumps(header).encode(), numpy.asarray(image).tobytes()])
    rows = numpy.frombuffer(socket.recv(), numpy.float32).reshape(20, 6)
    labels = PyDOODS(f"http://127.0.0.1:{folder[1]}", None, 60).get_detectors()["detectors"][0]["labels"]
    found = [(labels[int(r[0])], float(r[1]), *(320 * float(r[k]) for k in (3, 2, 5, 4))) for r in rows if r[1] > 0]
    path = os.path.join(folder[0], "small.png")
    image.save(path)
    compare(f"Frigate's messages {picture}", found, clipped(detected(path, "--max", "20"), 320, 320), EXACT)
    socket.close(0)


def main():
    folder = os.path.join("/tmp", f"fovea-clients-{os.getpid()}")
    os.mkdir(folder)
    endpoint = f"ipc://{folder}/detector"
    server = Server(endpoint)
    try:
        for picture in PICTURES:
            data = open(picture, "rb").read()
            size = Image.open(picture).size
            ask_deepstack(server.port, picture, data, size)
            ask_doods(server.port, picture, data, size)
            ask_triton(server.port, picture, data, size)
            ask_frigate(endpoint, picture, (folder, server.port))
    finally:
        status = server.stop()
    said("the end", status == 128 + signal.SIGTERM, f"status {status}")
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    os.rmdir(folder)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
