# Fovea - YOLO networks of the zoo, from the definitions in the package ultralytics.
# SPDX-License-Identifier: Apache-2.0
"""YOLOv5n with anchors, YOLOv8n, YOLO11n and YOLO26n, with random weights.

Names that end in -seg give masks, in -pose key points, in -cls classes of pictures.

The package brings the definitions; nothing is downloaded.
"""
import os
import tempfile

import torch
from torch import nn

from zoo_statistics import aim, classifier, finished, settle

# Before the package is imported: no settings in the home folder, no look at the network.
os.environ.setdefault("YOLO_CONFIG_DIR", os.path.join(tempfile.gettempdir(), "fovea-zoo-yolo"))
os.environ.setdefault("YOLO_OFFLINE", "true")
os.environ.setdefault("YOLO_AUTOINSTALL", "false")

CLASSES = 80
SCORES, DISTANCES, OFFSETS = (-4.0, 1.8), (1.0, 1.6), (2.2, 1.2)
# Last layers of what a network says beside boxes: weights of prototypes, or places and scores of
# points.
EXTRAS = (0.0, 1.0)
# The numbers that the package's files state. People are the one class of networks of key points.
CLASSES_BY_TASK = {"pose": 1, "cls": 1000}


def definition(name, seed):
    """A network of the package's YAML file, fresh."""
    from ultralytics.nn import tasks
    torch.manual_seed(seed)
    task = name.partition("-")[2]
    kind = {"": tasks.DetectionModel, "seg": tasks.SegmentationModel, "pose": tasks.PoseModel,
            "cls": tasks.ClassificationModel}[task]
    network = kind(tasks.yaml_model_load(name + ".yaml"), ch=3,
                   nc=CLASSES_BY_TASK.get(task, CLASSES), verbose=False)
    for module in network.modules():
        if type(module).__name__ in ("C2f", "C3k2"):
            module.forward = module.forward_split      # as in every export of the package
    return network


def export_form(network):
    """Normalizations folded, and one tensor with boxes and scores as the only output."""
    network = network.fuse(verbose=False)
    head = network.model[-1]
    head.export, head.format, head.shape = True, "onnx", None
    return finished(network)


def yolo(name):
    """A builder of an anchor-free YOLO. YOLO26 ends with its 300 best boxes, as it is exported."""
    def build(pictures, seed):
        network = definition(name, seed)
        settle(network, pictures, seed)
        head = network.model[-1]
        heads = [(head.cv2, head.cv3)]
        if getattr(head, "one2one_cv2", None) is not None:
            heads.append((head.one2one_cv2, head.one2one_cv3))
            head.end2end = True
        for boxes, classes in heads:
            has_distribution = head.reg_max > 1
            aim([b[-1] for b in boxes], lambda: network(pictures),
                *(DISTANCES if has_distribution else OFFSETS))
            aim([c[-1] for c in classes], lambda: network(pictures), *SCORES)
            if has_distribution:
                for b in boxes:      # distributions that fall: boxes smaller than the picture
                    b[-1].bias.data -= 0.35 * torch.arange(head.reg_max).float().repeat(4)
        if hasattr(head, "cv4"):
            aim([extra[-1] for extra in head.cv4], lambda: network(pictures), *EXTRAS)
        return export_form(network)
    return build


def yolo11n_cls(pictures, seed):
    network = definition("yolo11n-cls", seed)
    return export_form(classifier(network, network.model[-1].linear, pictures, seed))


def core_ml_form(network):
    """Change a YOLO as the package does before it is converted for Core ML."""
    for module in network.modules():
        if type(module).__name__ == "Attention":
            module.format = "coreml"
        if type(module).__name__ == "Detect":
            module.format = "coreml"
            # Rows by index instead of torch.gather, so that indices stay whole numbers.
            module._gather = lambda x, index: x[torch.arange(x.shape[0])[..., None], index]


def without_choice(network):
    """Change a YOLO26 so that it gives all boxes, as the package does for ncnn: it has no topk."""
    network.model[-1].postprocess = lambda rows: rows


class AnchorYolo(nn.Module):
    """YOLOv5 up to release 7: anchors; rows of center, size, confidence and classes in pixels."""

    ANCHORS = [[(10, 13), (16, 30), (33, 23)], [(30, 61), (62, 45), (59, 119)],
               [(116, 90), (156, 198), (373, 326)]]
    STRIDES = (8, 16, 32)

    def __init__(self, network, side):
        super().__init__()
        *self.layers, head = network.model
        self.layers = nn.ModuleList(self.layers)
        self.sources = head.f
        channels = [branch[0].conv.in_channels for branch in head.cv2]
        self.heads = nn.ModuleList(nn.Conv2d(c, 3 * (5 + CLASSES), 1) for c in channels)
        for level, (stride, anchors) in enumerate(zip(self.STRIDES, self.ANCHORS)):
            cells = torch.arange(side // stride).float() - 0.5
            rows, columns = torch.meshgrid(cells, cells, indexing="ij")
            self.register_buffer(f"grid{level}", torch.stack((columns, rows), 2)[None, None])
            self.register_buffer(f"anchors{level}",
                                 torch.tensor(anchors).float().view(1, 3, 1, 1, 2))

    def features(self, x):
        kept = []
        for layer in self.layers:
            if layer.f != -1:
                x = kept[layer.f] if isinstance(layer.f, int) else [
                    x if source == -1 else kept[source] for source in layer.f]
            x = layer(x)
            kept.append(x)
        return [kept[source] for source in self.sources]

    def forward(self, x):
        rows = []
        for level, (head, feature) in enumerate(zip(self.heads, self.features(x))):
            values = head(feature)
            count, _, height, width = values.shape
            values = values.view(count, 3, 5 + CLASSES, height, width).permute(0, 1, 3, 4, 2)
            center, size, scores = values.sigmoid().split((2, 2, CLASSES + 1), 4)
            center = (center * 2 + getattr(self, f"grid{level}")) * self.STRIDES[level]
            # A product: LiteRT has no whole powers.
            size = size * size * 4 * getattr(self, f"anchors{level}")
            rows.append(torch.cat((center, size, scores), 4).view(count, -1, 5 + CLASSES))
        return torch.cat(rows, 1)


def yolov5n(pictures, seed):
    """YOLOv5n with anchors: the package's backbone and neck, and the head of release 7."""
    network = AnchorYolo(definition("yolov5n", seed), pictures.shape[-1])
    settle(network, pictures, seed)
    aim(network.heads, lambda: network(pictures), -1.6, 1.8)
    return finished(network)
