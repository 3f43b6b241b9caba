"""Fovea - the classes of the shipped detector, and from what size on they count.

SPDX-License-Identifier: Apache-2.0
"""

CLASS_NAMES: tuple[str, ...] = ("qrCode", "barcode", "dataMatrix", "textLine", "document")

#: Classes whose false detections count as "false codes".
CODE_CLASSES: tuple[str, ...] = ("qrCode", "barcode", "dataMatrix")

#: Side of the network's input that sizes below refer to, in pixels.
REFERENCE_SIDE = 416

#: Shorter side of a box, in pixels of the reference input, below which an object is neither to be found nor to be missed.
SMALLEST_SIDE: dict[str, float] = {
    "qrCode": 12.0,
    "barcode": 8.0,
    "dataMatrix": 12.0,
    "textLine": 12.0,
    "document": 24.0,
}

#: Share of an object that must be seen, or be left by a crop, for it to count: below, an object is neither to be found nor to be missed.
#: A code is known by any large part of it; a sheet of paper by its outline.
LEAST_SEEN: dict[str, float] = {
    "qrCode": 0.4,
    "barcode": 0.4,
    "dataMatrix": 0.4,
    "textLine": 0.4,
    "document": 0.6,
}
