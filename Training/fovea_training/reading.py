"""Fovea - the codes that a decoder reads in a picture: an answer that knows nothing of the generator or the detector.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import cv2
import numpy as np
import zxingcpp

_FORMATS = zxingcpp.BarcodeFormat

#: Classes of symbols that are not linear; `None` for those that the detector does not know.
_CLASSES = {
    _FORMATS.QRCode: "qrCode",
    _FORMATS.DataMatrix: "dataMatrix",
    _FORMATS.MicroQRCode: None,
    _FORMATS.RMQRCode: None,
    _FORMATS.Aztec: None,
    _FORMATS.PDF417: None,
    _FORMATS.MaxiCode: None,
}


def hull(corners: np.ndarray) -> np.ndarray:
    """Left, top, right and bottom of corners `[N, 2]`."""
    return np.concatenate([corners.min(axis=0), corners.max(axis=0)])


def around(boxes: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Which boxes `[N, 4]` (left, top, right, bottom) contain the middle of corners: of a linear code, of the line that was read."""
    middle = corners.mean(axis=0)
    return ((boxes[:, :2] <= middle) & (middle <= boxes[:, 2:])).all(axis=1)


def read_symbols(image: np.ndarray) -> list[tuple[str, np.ndarray]]:
    """Class and corners `[4, 2]` (x, y, pixels) of every symbol that zxing-cpp reads in a BGR picture.

    Those of a linear code are of the line that was read.
    """
    found = []
    for symbol in zxingcpp.read_barcodes(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)):
        label = _CLASSES.get(symbol.format, "barcode")
        place = symbol.position
        corners = [(corner.x, corner.y) for corner in (place.top_left, place.top_right, place.bottom_right, place.bottom_left)]
        if label is not None:
            found.append((label, np.array(corners, np.float64)))
    return found
