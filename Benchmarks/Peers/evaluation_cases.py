# Fovea - small evaluation sets that follow from a seed, and what pycocotools says of them.
# SPDX-License-Identifier: Apache-2.0
"""Cases for average precision. `RandomCase` in Tests/Unit/FoveaEvaluationTests makes the same ones: every
number is an integer or its quotient, so that both languages have the same doubles."""
import contextlib
import io

NAMES = ["AP", "AP50", "AP75", "APsmall", "APmedium", "APlarge",
         "AR1", "AR10", "AR100", "ARsmall", "ARmedium", "ARlarge"]
MASK = (1 << 64) - 1


class SplitMix:
    """The generator of Tests/Support/FoveaTestSupport/SplitMix.swift."""

    def __init__(self, seed):
        self.state = seed

    def draw(self, count):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return (z ^ (z >> 31)) % count


class RandomCase:
    """Crowds, ties, gaps between numbers, numbers that nobody declared, empty images, images
    with more than 100 detections, areas below those of boxes, and annotations numbered from 0."""

    def __init__(self, seed):
        self.random = SplitMix(seed)
        draw = self.random.draw
        count, step, first = 1 + draw(4), 1 + draw(3), draw(2)
        self.categories = [first + k * step for k in range(count)]
        self.images = [100 - 7 * k for k in range(draw(7))]
        self.next_annotation = 0 if draw(4) == 0 else 1
        self.has_ties = draw(2) == 0
        self.objects, self.detections = [], []
        for image in self.images:
            for _ in range(draw(6)):
                self.add_object(image)
            for _ in range(draw(4)):
                self.detect(image, self.category(), self.box())
        if self.images and draw(8) == 0:
            x, y, w, h = self.box()
            for k in range(120):
                self.detect(self.images[0], self.categories[0], [x + k / 4, y, w, h])

    def category(self):
        place = self.random.draw(len(self.categories) + 1)
        return 999 if place == len(self.categories) else self.categories[place]

    def box(self):
        draw = self.random.draw
        side = [120, 360, 1200][draw(3)]
        return [draw(1600) / 4, draw(1200) / 4, (1 + draw(side)) / 4, (1 + draw(side)) / 4]

    def add_object(self, image):
        draw = self.random.draw
        category, box, crowd = self.category(), self.box(), draw(6) == 0
        area = box[2] * box[3] * (1 + draw(4)) / 4 if draw(2) == 0 else None
        self.objects.append(dict(id=self.next_annotation, image_id=image, category_id=category,
                                 bbox=box, area=area, iscrowd=int(crowd)))
        self.next_annotation += 1
        if crowd:
            for _ in range(4):
                inside = [box[0] + draw(40) / 4, box[1] + draw(40) / 4, (1 + draw(80)) / 4, (1 + draw(80)) / 4]
                self.detect(image, category, inside)
        for _ in range([0, 1, 1, 1, 1, 2][draw(6)]):
            reach = [0, 4, 16, 60][draw(4)]
            moved = [v + (draw(2 * reach + 1) - reach) / 4 for v in box]
            found = [moved[0], moved[1], max(moved[2], 0.25), max(moved[3], 0.25)]
            self.detect(image, self.category() if draw(8) == 0 else category, found)

    def detect(self, image, category, box):
        score = self.random.draw(11) / 10 if self.has_ties else self.random.draw(1000000) / 1000000
        self.detections.append(dict(image_id=image, category_id=category, bbox=box, score=score))

    def instances(self):
        """The document; a missing area is left out."""
        return dict(
            images=[dict(id=i) for i in self.images], categories=[dict(id=c) for c in self.categories],
            annotations=[{k: v for k, v in o.items() if v is not None} for o in self.objects])


def reference(instances, detections):
    """The 12 numbers of pycocotools. It cannot read annotations without an area, nor no results."""
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    def area(box):
        return box[2] * box[3]

    with contextlib.redirect_stdout(io.StringIO()):
        truth, found = COCO(), COCO()
        truth.dataset = dict(instances, annotations=[
            dict(dict(area=area(o["bbox"]), iscrowd=0), **o) for o in instances["annotations"]])
        # What `loadRes` does.
        found.dataset = dict(instances, annotations=[
            dict(d, id=k + 1, area=area(d["bbox"]), iscrowd=0) for k, d in enumerate(detections)])
        truth.createIndex()
        found.createIndex()
        evaluation = COCOeval(truth, found, "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return [float(v) for v in evaluation.stats]
