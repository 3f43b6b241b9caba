# Fovea - small sets of masks and key points that follow from a seed, and what pycocotools says of them.
# SPDX-License-Identifier: Apache-2.0
"""Cases for the average precision of masks and key points. `ShapeCase` in
Tests/Unit/FoveaEvaluationTests makes the same ones: every number is an integer or its quotient, so that
both languages have the same doubles."""
import contextlib
import io

from evaluation_cases import NAMES, SplitMix

POINT_NAMES = ["AP", "AP50", "AP75", "APmedium", "APlarge", "AR", "AR50", "AR75", "ARmedium", "ARlarge"]
POINTS = 17


class ShapeCase:
    """Outlines of one ring and two, some of which cross themselves; crowds as runs; people without
    labeled points; masks with and without a box beside them; ties."""

    def __init__(self, seed):
        self.random = SplitMix(seed)
        draw = self.random.draw
        self.categories = list(range(1, 2 + draw(3)))
        self.has_boxes, self.has_ties = draw(2) == 0, draw(2) == 0
        self.images = [dict(id=9 - k, width=40 + draw(260), height=40 + draw(200))
                       for k in range(1 + draw(4))]
        self.objects, self.masks, self.points = [], [], []
        for image in self.images:
            for _ in range(draw(6)):
                self.add_object(image)

    def add_object(self, image):
        draw = self.random.draw
        category = 1 + draw(len(self.categories))
        width, height = 4 + draw(image["width"]), 4 + draw(image["height"])
        x, y = draw(image["width"]), draw(image["height"])
        rings = [self.ring(x, y, width, height) for _ in range([1, 1, 1, 2][draw(4)])]
        crowd = draw(6) == 0
        points = []
        is_labeled = draw(6) > 0
        for _ in range(POINTS):
            seen = draw(3) if is_labeled else 0
            place = [x + draw(4 * width) / 4, y + draw(4 * height) / 4]
            points += [*place, seen] if seen else [0, 0, 0]
        self.objects.append(dict(
            id=len(self.objects) + 1, image_id=image["id"], category_id=category,
            bbox=[x, y, width, height], area=(1 + draw(4)) * width * height / 4, iscrowd=int(crowd),
            segmentation=self.runs(image) if crowd else rings, keypoints=points,
            num_keypoints=sum(seen > 0 for seen in points[2::3])))
        for _ in range([0, 1, 1, 1, 2][draw(5)]):
            reach = [0, 4, 16, 60][draw(4)]

            def moved(value):
                return value + (draw(2 * reach + 1) - reach) / 4
            score = draw(11) / 10 if self.has_ties else draw(1000000) / 1000000
            found = dict(image_id=image["id"], category_id=category, score=score)
            box = dict(bbox=[x, y, width, height]) if self.has_boxes else {}
            self.masks.append(dict(found, **box, outlines=[[moved(v) for v in ring] for ring in rings],
                                   size=[image["height"], image["width"]]))
            self.points.append(dict(found, keypoints=[
                v if place % 3 == 2 else moved(v) for place, v in enumerate(points)]))

    def ring(self, x, y, width, height):
        draw = self.random.draw
        return [side + draw(4 * length) / 4 for _ in range(3 + draw(6))
                for side, length in ((x, width), (y, height))]

    def runs(self, image):
        """A mask of random runs."""
        lengths, left = [], image["width"] * image["height"]
        while left > 0:
            lengths.append(min(left, self.random.draw(2000)))
            left -= lengths[-1]
        return dict(size=[image["height"], image["width"]], counts=lengths)

    def instances(self):
        return dict(images=self.images, categories=[dict(id=c) for c in self.categories],
                    annotations=self.objects)

    def results(self):
        """Masks as text, which is the form that pycocotools reads in results."""
        from pycocotools import mask
        found = []
        for result in self.masks:
            result = dict(result)
            runs = mask.merge(mask.frPyObjects(result.pop("outlines"), *result.pop("size")))
            found.append(dict(result, segmentation=dict(runs, counts=runs["counts"].decode())))
        return found


def shape_reference(case):
    """The 12 numbers of masks and the 10 of key points; none where nothing was found."""
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval
    numbers = []
    if not case.masks:
        return numbers
    with contextlib.redirect_stdout(io.StringIO()):
        truth = COCO()
        truth.dataset = case.instances()
        truth.createIndex()
        for kind, results in (("segm", case.results()), ("keypoints", case.points)):
            evaluation = COCOeval(truth, truth.loadRes(results), kind)
            evaluation.evaluate()
            evaluation.accumulate()
            evaluation.summarize()
            numbers += [float(v) for v in evaluation.stats]
    return numbers


def shape_table(count):
    """A line for each case: its seed, then the numbers."""
    lines = ["# Written by Benchmarks/Peers/evaluation --shape-table: a seed, then pycocotools' numbers",
             "# of masks: " + " ".join(NAMES),
             "# and of key points: " + " ".join(POINT_NAMES)]
    for seed in range(count):
        numbers = shape_reference(ShapeCase(seed))
        if numbers:
            lines.append(" ".join([str(seed)] + ["%.12g" % n for n in numbers]))
    return "\n".join(lines) + "\n"
