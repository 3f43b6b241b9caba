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
