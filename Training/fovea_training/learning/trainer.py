"""Fovea - the loop: batches in, steps of the optimiser, an average that is evaluated and kept.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import json
import math
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from fovea_training.learning import evaluation
from fovea_training.learning.batches import Batches
from fovea_training.learning.checkpoint import TrainingState
from fovea_training.learning.loss import detection_loss
from fovea_training.learning.network import TinyDetector
from fovea_training.scenes.shards import StoredScene


@dataclass(frozen=True)
class TrainingOptions:
    """How to train."""

    checkpoint: Path
    learning_rate: float = 1e-3
    weight_decay: float = 0.02
    warm_up: int = 200
    evaluate_every: int = 1000
    save_every: int = 200
    report_every: int = 50
    stop_after_minutes: float = math.inf
    half_precision: bool = True
    workers: int = 1
    pictures_without_codes: Path | None = None


def optimiser_for(network: TinyDetector, options: TrainingOptions) -> torch.optim.AdamW:
    """AdamW; what scales and shifts does not decay."""
    decaying = [p for p in network.parameters() if p.ndim > 1]
    others = [p for p in network.parameters() if p.ndim <= 1]
    groups = [{"params": decaying, "weight_decay": options.weight_decay}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=options.learning_rate, betas=(0.9, 0.99))


def learning_rate(options: TrainingOptions, step: int, steps: int) -> float:
    """Linear warm-up, then half a cosine down to a fiftieth."""
    if step < options.warm_up:
        return options.learning_rate * (step + 1) / options.warm_up
    share = (step - options.warm_up) / max(1, steps - options.warm_up)
    return options.learning_rate * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, share))))


def _report(path: Path, line: dict) -> None:
    text = json.dumps(line)
    print(text, flush=True)
    with open(path, "a") as log:
        log.write(text + "\n")


def evaluate(state: TrainingState, validation: list[StoredScene], options: TrainingOptions, side: int) -> dict[str, float | None]:
    """The averaged network on the validation scenes, and on pictures without codes where a folder of them is given."""
    network = state.average.network
    found = evaluation.detections_of(network, validation, side)
    objects = [scene.objects for scene in validation]
    numbers = evaluation.average_precision(objects, found) | evaluation.recall_at_work(objects, found)
    if options.pictures_without_codes is not None:
        numbers |= evaluation.false_codes(network, options.pictures_without_codes, side)
    return evaluation.rounded(numbers)


class _Interruption:
    """Whether the process was asked to end (interrupt or terminate): the step in hand is finished and saved first."""

    def __init__(self) -> None:
        self.asked = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._ask)

    def _ask(self, *_: object) -> None:
        self.asked = True


def train(state: TrainingState, batches: Batches, validation: list[StoredScene], options: TrainingOptions) -> None:
    """Trains from `state.step` to the last batch, or until the time is over or a signal comes; saves in between and at the end."""
    log = options.checkpoint.with_suffix(".jsonl")
    network, steps = state.network, len(batches)
    device = network.anchors.device
    loader = DataLoader(batches, batch_size=None, sampler=range(state.step, steps), num_workers=options.workers, prefetch_factor=4)
    interruption = _Interruption()
    started, sums, steps_since, since = time.monotonic(), torch.zeros(4), 0, time.monotonic()
    for images, objects in loader:
        network.train()
        for group in state.optimiser.param_groups:
            group["lr"] = learning_rate(options, state.step, steps)
        inputs = images.to(device).contiguous(memory_format=torch.channels_last)
        # Levels are exact in bfloat16, to which the first convolution would round their quotients.
        inputs = inputs.to(torch.bfloat16 if options.half_precision else torch.float32).div_(255)
        with torch.autocast(device.type, torch.bfloat16, enabled=options.half_precision):
            heads = network(inputs)
        loss = detection_loss(heads, network.anchors_at(images.shape[-1]), objects.to(device))
        state.optimiser.zero_grad(set_to_none=True)
        loss.total.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 10.0)
        state.optimiser.step()
        state.average.update(network)
        state.step += 1
        sums += torch.tensor([float(loss.total.detach()), loss.box, loss.objectness, loss.classes])
        over = interruption.asked or (time.monotonic() - started) / 60 > options.stop_after_minutes
        steps_since += 1
        if state.step % options.report_every == 0:
            means = [round(value, 4) for value in (sums / steps_since).tolist()]
            seconds = (time.monotonic() - since) / steps_since
            _report(log, {"step": state.step, "side": images.shape[-1], "loss": means, "seconds": round(seconds, 3)})
            sums, steps_since, since = torch.zeros(4), 0, time.monotonic()
        if state.step % options.save_every == 0 or state.step == steps or over:
            state.save(options.checkpoint)
        if validation and (state.step % options.evaluate_every == 0 or state.step == steps):
            side = batches.phase_of(state.step - 1).side
            _report(log, {"step": state.step, "side": side} | evaluate(state, validation, options, side))
            since = time.monotonic()
        if over:
            return
