# Fovea - how others get from an image file to the input of a network.
# SPDX-License-Identifier: Apache-2.0
"""Run one peer of `images` in a process of its own, by the protocol of `peers.py`.

    image_peers.py NAME FILE WIDTH HEIGHT
"""
import sys

import numpy as np


def opencv(flag, resizes=True):
    """imread and resize, bilinear; the channels stay blue, green, red."""
    def make(file, size):
        import cv2
        cv2.setNumThreads(1)
        mode = getattr(cv2, flag)

        def run():
            image = cv2.imread(file, mode)
            return cv2.resize(image, size) if resizes else image
        return run
    return make


def pillow(drafts=True, resizes=True):
    """open, draft and resize. Pillow's bilinear filter is wider when it shrinks: it averages."""
    def make(file, size):
        from PIL import Image

        def run():
            with Image.open(file) as image:
                if drafts:
                    image.draft("RGB", size)
                if resizes:
                    return np.asarray(image.resize(size, Image.Resampling.BILINEAR))
                image.load()
                return None
        return run
    return make


MAKERS = {
    "cv2 imread, resize": opencv("IMREAD_COLOR"),
    "cv2 REDUCED_COLOR_2, resize": opencv("IMREAD_REDUCED_COLOR_2"),
    "cv2 REDUCED_COLOR_2 alone": opencv("IMREAD_REDUCED_COLOR_2", resizes=False),
    "Pillow open, resize": pillow(drafts=False),
    "Pillow draft, resize": pillow(),
    "Pillow draft alone": pillow(resizes=False),
}


def sampled_by(name, file, size):
    """What a peer gives the network, height x width x 3, red first; None for one that only decodes."""
    if name.endswith("alone"):
        return None
    image = MAKERS[name](file, size)()
    return image[:, :, ::-1] if name.startswith("cv2") else image


def average(file, size):
    """The means of all pixels below each pixel of the input, parts of pixels by their area."""
    from PIL import Image
    with Image.open(file) as image:
        pixels = np.asarray(image.convert("RGB"), np.float64)
    for axis, wanted in ((0, size[1]), (1, size[0])):
        pixels = np.moveaxis(pixels, axis, 0)
        count = len(pixels)
        sums = np.concatenate([np.zeros((1, *pixels.shape[1:])), np.cumsum(pixels, 0)])
        edges = np.arange(wanted + 1) * (count / wanted)
        whole = np.minimum(edges.astype(int), count - 1)
        part = (edges - whole)[:, None, None]
        upto = sums[whole] + part * pixels[whole]
        pixels = np.moveaxis((upto[1:] - upto[:-1]) * (wanted / count), 0, axis)
    return pixels


if __name__ == "__main__":
    from peers import serve
    serve(MAKERS[sys.argv[1]](sys.argv[2], (int(sys.argv[3]), int(sys.argv[4]))))
