# Fovea - how others get from a detector's arrays to the boxes that survive.
# SPDX-License-Identifier: Apache-2.0
"""Run one peer of `suppression` in a process of its own, by the protocol of `peers.py`.

    suppression_peers.py NAME FOLDER THRESHOLD IOU RULE
"""
import pathlib
import sys

import numpy as np


class Problem:
    """The arrays of a detector, and which boxes count as candidates."""

    def __init__(self, folder, threshold, iou, rule):
        self.confidence = np.load(folder / "confidence.npy")
        self.coordinates = np.load(folder / "coordinates.npy")
        self.classes = self.confidence.shape[1]
        # Fovea compares in float32, as the scores are, and equal stays.
        self.threshold, self.iou, self.rule = np.float32(threshold), iou, rule

    def candidates(self):
        """Rows and classes in the order of the scores, the scores, and boxes as OpenCV wants them:
        the upper left corner, width and height, in double as Fovea has them."""
        if self.rule == "bestClass":
            best = self.confidence.argmax(1)
            scores = self.confidence[np.arange(len(best)), best]
            rows = np.nonzero(scores >= self.threshold)[0]
            classes, scores = best[rows], scores[rows]
        else:
            rows, classes = np.nonzero(self.confidence >= self.threshold)
            scores = self.confidence[rows, classes]
        boxes = self.coordinates[rows].astype(np.float64)
        boxes[:, :2] -= boxes[:, 2:] / 2
        return rows, classes, scores, boxes


def batched(problem):
    """NMSBoxesBatched: moves every class to a place of its own, and compares all with all."""
    import cv2

    def run():
        rows, classes, scores, boxes = problem.candidates()
        kept = cv2.dnn.NMSBoxesBatched(boxes, scores, classes, 0.0, problem.iou)
        return rows[kept], classes[kept]
    return run


def class_by_class(problem):
    """NMSBoxes, one call for every class that has candidates."""
    import cv2

    def run():
        rows, classes, scores, boxes = problem.candidates()
        order = np.argsort(classes, kind="stable")
        ends = np.searchsorted(classes[order], np.arange(problem.classes + 1))
        kept = [np.empty(0, np.intp)]
        for begin, end in zip(ends, ends[1:]):
            if begin < end:
                members = order[begin:end]
                kept.append(members[
                    cv2.dnn.NMSBoxes(boxes[members], scores[members], 0.0, problem.iou)])
        kept = np.concatenate(kept)
        return rows[kept], classes[kept]
    return run


def candidates_alone(problem):
    """What comes before suppression in the two others."""
    return problem.candidates


MAKERS = {
    "cv2 NMSBoxesBatched": batched,
    "cv2 NMSBoxes by class": class_by_class,
    "numpy, candidates alone": candidates_alone,
}


def kept_by(name, problem):
    """Pairs of row and class, as a set; None for a peer that suppresses nothing."""
    if name == "numpy, candidates alone":
        return None
    rows, classes = MAKERS[name](problem)()
    return set(zip(rows.tolist(), classes.tolist()))


if __name__ == "__main__":
    from peers import serve
    serve(MAKERS[sys.argv[1]](Problem(pathlib.Path(sys.argv[2]), float(sys.argv[3]),
                                      float(sys.argv[4]), sys.argv[5])))
