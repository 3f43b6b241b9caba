"""Fovea - which predictions answer for which objects, and what their errors cost.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from fovea_training.classes import CLASS_NAMES
from fovea_training.learning.network import STRIDES, decoded_boxes

#: An anchor answers for an object when neither side differs by more than this factor.
SHAPE_RATIO = 3.0

#: Predictions that overlap an object by this much without answering for it are not called wrong.
FORGIVEN_OVERLAP = 0.6

#: The same for sheets that may pass for documents or not.
FORGIVEN_SHEET_OVERLAP = 0.4

#: Predictions of which this share lies in something ignored of their class are not called wrong: COCO's rule.
FORGIVEN_COVER = 0.5

#: What is ignored still says where it is and what, from this many pixels of its shorter side on, and with this weight.
LEAST_KNOWN_SIDE, IGNORED_WEIGHT = 6.0, 0.25

BOX_WEIGHT, OBJECTNESS_WEIGHT, CLASS_WEIGHT = 2.5, 1.0, 1.0


@dataclass
class LossParts:
    """The whole loss (differentiable) and its parts as numbers."""

    total: Tensor
    box: float
    objectness: float
    classes: float


def centred(corners: Tensor) -> Tensor:
    """Boxes `[..., 4]` (left, top, right, bottom) as centre x, centre y, width, height."""
    low, high = corners[..., :2], corners[..., 2:]
    return torch.cat([(low + high) / 2, high - low], dim=-1)


def box_overlap(first: Tensor, second: Tensor) -> Tensor:
    """IoU of boxes `[..., 4]` (centre x, centre y, width, height), broadcast."""
    low = torch.maximum(first[..., :2] - first[..., 2:] / 2, second[..., :2] - second[..., 2:] / 2)
    high = torch.minimum(first[..., :2] + first[..., 2:] / 2, second[..., :2] + second[..., 2:] / 2)
    shared = (high - low).clamp(min=0).prod(dim=-1)
    return shared / (first[..., 2:].prod(dim=-1) + second[..., 2:].prod(dim=-1) - shared + 1e-9)


def complete_overlap(first: Tensor, second: Tensor) -> tuple[Tensor, Tensor]:
    """CIoU and IoU (Z. Zheng et al., Distance-IoU Loss, arXiv:1911.08287, equations 8 to 11)."""
    overlap = box_overlap(first, second)
    low = torch.minimum(first[..., :2] - first[..., 2:] / 2, second[..., :2] - second[..., 2:] / 2)
    high = torch.maximum(first[..., :2] + first[..., 2:] / 2, second[..., :2] + second[..., 2:] / 2)
    diagonal = (high - low).square().sum(dim=-1) + 1e-9
    distance = (first[..., :2] - second[..., :2]).square().sum(dim=-1) / diagonal
    angles = torch.atan(second[..., 2] / (second[..., 3] + 1e-9)) - torch.atan(first[..., 2] / (first[..., 3] + 1e-9))
    shape = (4 / math.pi**2) * angles.square()
    with torch.no_grad():
        weight = shape / (1 - overlap + shape + 1e-9)
    return overlap - distance - weight * shape, overlap


def answering(objects: Tensor, anchors: Tensor) -> Tensor:
    """Which of the six anchors `[2, 3, 2]` answer for which objects `[N, 2]` (width, height): `[N, 2, 3]`, at least one each."""
    ratio = objects[:, None, None, :] / anchors[None]
    worst = torch.maximum(ratio, 1 / ratio).amax(dim=-1)
    matches = worst < SHAPE_RATIO
    best = worst.flatten(1).argmin(dim=1)
    matches.view(len(objects), -1)[torch.arange(len(objects), device=best.device), best] = True
    return matches


def answering_cells(centres: Tensor, picture: Tensor, anchor: Tensor, heads: torch.Size) -> tuple[Tensor, Tensor, Tensor]:
    """Who answers in a head `[batch, anchors, _, rows, columns]`: index into `centres [M, 4]` of every answer, its row and its column.

    The cell of an object's middle answers, and the nearest cells beside and above or below it, whose predictions reach half a cell out of
    their own (as in YOLOv5), unless the cell is another object's own: lines of text lie closer together than cells.
    """
    batch, anchors, _, rows, columns = heads
    x, y = centres[:, 0] * columns, centres[:, 1] * rows
    column, row = x.long().clamp(0, columns - 1), y.long().clamp(0, rows - 1)
    owned = torch.zeros(batch, anchors, rows, columns, dtype=torch.bool, device=centres.device)
    owned[picture, anchor, row, column] = True
    beside = column + torch.where(x - column < 0.5, -1, 1)
    above = row + torch.where(y - row < 0.5, -1, 1)
    everyone = torch.arange(len(centres), device=centres.device)
    index, all_rows, all_columns = [everyone], [row], [column]
    for near_row, near_column in ((row, beside), (above, column)):
        inside = (near_row >= 0) & (near_row < rows) & (near_column >= 0) & (near_column < columns)
        free = inside.clone()
        free[inside] = ~owned[picture[inside], anchor[inside], near_row[inside], near_column[inside]]
        index.append(everyone[free])
        all_rows.append(near_row[free])
        all_columns.append(near_column[free])
    return torch.cat(index), torch.cat(all_rows), torch.cat(all_columns)


def _covered(boxes: Tensor, regions: Tensor) -> Tensor:
    """Shares `[N, M]` of boxes `[N, 4]` (centre x, centre y, width, height) that lie in regions `[M, 4]` of that kind."""
    low = torch.maximum((boxes[:, :2] - boxes[:, 2:] / 2)[:, None], (regions[:, :2] - regions[:, 2:] / 2)[None])
    high = torch.minimum((boxes[:, :2] + boxes[:, 2:] / 2)[:, None], (regions[:, :2] + regions[:, 2:] / 2)[None])
    return (high - low).clamp(min=0).prod(dim=-1) / (boxes[:, 2:].prod(dim=-1)[:, None] + 1e-12)


def _forgiven(boxes: Tensor, classes: Tensor, counted: Tensor, ignored: Tensor) -> Tensor:
    """Predictions `[batch, anchors, rows, columns]` that are not asked about their objectness; `classes`, of that shape, are their best.

    Those are what an evaluation does not count either, namely what lies in something ignored of its class by half or more, and those that
    fit a counted object or an ignored sheet: other things lie on a sheet, and what is wrongly taken for a code there stays wrong.
    """
    batch, anchors, _, rows, columns = boxes.shape
    forgiven = torch.zeros(batch, anchors * rows * columns, dtype=torch.bool, device=boxes.device)
    flat, classes = boxes.permute(0, 1, 3, 4, 2).flatten(1, 3), classes.flatten(1)
    sheets = ignored[:, 1] == CLASS_NAMES.index("document")
    small, fitting = ignored[~sheets], torch.cat([counted, ignored[sheets]])
    least = torch.where(fitting[:, 6] == 0, FORGIVEN_OVERLAP, FORGIVEN_SHEET_OVERLAP)
    for picture in small[:, 0].unique().long().tolist():
        mine = small[small[:, 0] == picture]
        covered = _covered(flat[picture], centred(mine[:, 2:6])) >= FORGIVEN_COVER
        forgiven[picture] |= (covered & (classes[picture][:, None] == mine[:, 1])).any(dim=1)
    for picture in fitting[:, 0].unique().long().tolist():
        mine = fitting[:, 0] == picture
        overlap = box_overlap(flat[picture][:, None], centred(fitting[mine, 2:6])[None])
        forgiven[picture] |= (overlap > least[mine]).any(dim=1)
    return forgiven.view(batch, anchors, rows, columns)


def detection_loss(raw_heads: tuple[Tensor, Tensor], anchors: Tensor, objects: Tensor) -> LossParts:
    """The loss of a batch. `objects [N, 7]`: picture, class, left, top, right, bottom (shares), ignored."""
    side = raw_heads[0].shape[-1] * STRIDES[0]
    counted, ignored = objects[objects[:, 6] == 0], objects[objects[:, 6] != 0]
    known = torch.cat([counted, ignored[(ignored[:, 4:6] - ignored[:, 2:4]).amin(dim=1) * side >= LEAST_KNOWN_SIDE]])
    centres = centred(known[:, 2:6])
    # Ratios of sides are taken, which are not to be infinite.
    centres[:, 2:].clamp_(min=1e-4)
    weights = torch.where(known[:, 6] == 0, 1.0, IGNORED_WEIGHT)
    matches = answering(centres[:, 2:], anchors)
    answers = 0
    box_loss = objectness_loss = class_loss = raw_heads[0].new_zeros(())
    for head, raw in enumerate(raw_heads):
        raw = raw.float()
        boxes = decoded_boxes(raw, anchors[head])
        target = torch.zeros_like(raw[:, :, 4])
        with torch.no_grad():
            forgiven = _forgiven(boxes.detach(), raw[:, :, 5:].argmax(dim=2), counted, ignored)
        number, anchor = matches[:, head].nonzero(as_tuple=True)
        if len(number):
            answer, row, column = answering_cells(centres[number], known[number, 0].long(), anchor, raw.shape)
            number, anchor = number[answer], anchor[answer]
            picture, weight = known[number, 0].long(), weights[number]
            complete, overlap = complete_overlap(boxes[picture, anchor, :, row, column], centres[number])
            box_loss = box_loss + (weight * (1 - complete)).sum()
            scores = raw[picture, anchor, 5:, row, column]
            wanted = functional.one_hot(known[number, 1].long(), scores.shape[1]).float()
            each = functional.binary_cross_entropy_with_logits(scores, wanted, reduction="none")
            class_loss = class_loss + (weight[:, None] * each).sum()
            counts = known[number, 6] == 0
            answers += int(counts.sum())
            place = (picture[counts], anchor[counts], row[counts], column[counts])
            # Half for being there, half for how well the box fits: confidence then ranks boxes by quality.
            target[place] = 0.5 + 0.5 * overlap[counts].detach().clamp(0, 1)
            forgiven[place] = False
        each = functional.binary_cross_entropy_with_logits(raw[:, :, 4], target, reduction="none")
        objectness_loss = objectness_loss + each.masked_fill(forgiven, 0).sum()
    answers = max(1, answers)
    parts = (BOX_WEIGHT * box_loss / answers, OBJECTNESS_WEIGHT * objectness_loss / answers, CLASS_WEIGHT * class_loss / answers)
    return LossParts(sum(parts), *(float(part.detach()) for part in parts))
