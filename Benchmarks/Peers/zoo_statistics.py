# Fovea - random networks that behave: statistics from pictures, last layers that spread scores.
# SPDX-License-Identifier: Apache-2.0
"""Give a network with random weights realistic statistics.

A network fresh from its definition is no benchmark: its normalizations do nothing, and its scores
are all alike, so that everything or nothing passes a threshold and int8 has no range to find.
"""
import torch
from torch import nn

NORMALIZATIONS = (nn.BatchNorm1d, nn.BatchNorm2d)
# How far the statistics of a trained network lie from those of a few pictures, in deviations.
SPREAD = 0.12


def uniform(shape, least, most, generator):
    return torch.rand(shape, generator=generator) * (most - least) + least


def randomize(network, generator):
    """Random biases, and random scales of normalizations."""
    for module in network.modules():
        if isinstance(module, (nn.Conv2d, nn.Linear)) and module.bias is not None:
            module.bias.data = torch.randn(module.bias.shape, generator=generator) * 0.1
        if isinstance(module, (*NORMALIZATIONS, nn.LayerNorm)) and module.weight is not None:
            module.weight.data = uniform(module.weight.shape, 0.6, 1.5, generator)
            module.bias.data = torch.randn(module.bias.shape, generator=generator) * 0.25


def settle(network, pictures, seed, run=None):
    """Set the statistics of all batch normalizations to what the pictures give, with some noise.

    `run` runs the part of the network that has normalizations; by default it is the network.
    """
    generator = torch.Generator().manual_seed(seed + 77)
    randomize(network, generator)
    network.eval()
    found = [m for m in network.modules() if isinstance(m, NORMALIZATIONS)]
    momenta = [m.momentum for m in found]
    for module in found:
        module.reset_running_stats()
        module.momentum = None        # a plain average over the runs
        module.train()
    with torch.no_grad():
        (run or network)(pictures)
    network.eval()
    for module, momentum in zip(found, momenta):
        module.momentum = momentum
        mean, variance = module.running_mean, module.running_var
        mean += torch.randn(mean.shape, generator=generator) * variance.sqrt() * SPREAD
        variance *= uniform(variance.shape, 1 - 1.5 * SPREAD, 1 + 2 * SPREAD, generator)
        # Channels that hardly vary are not blown up: rounding errors stay small on their way.
        variance.clamp_(min=max(1e-3, 0.8 * float(variance.mean())))


def outputs_of(modules, run):
    """What each module gives while `run` runs, as one flat tensor each."""
    seen = [[] for _ in modules]
    hooks = [module.register_forward_hook(lambda _, __, output, k=k: seen[k].append(
        output.detach().reshape(-1))) for k, module in enumerate(modules)]
    try:
        with torch.no_grad():
            run()
    finally:
        for hook in hooks:
            hook.remove()
    return [torch.cat(parts) if parts else None for parts in seen]


def aim(modules, run, mean, deviation):
    """Scale last layers so that all their values have a mean and a deviation."""
    for module, values in zip(modules, outputs_of(modules, run)):
        if values is None:
            continue
        factor = deviation / float(values.std().clamp(min=1e-4))
        module.weight.data *= factor
        module.bias.data = module.bias.data * factor + (mean - factor * float(values.mean()))


# Logits of pictures' classes.
LOGITS = (0.0, 2.0)


def classifier(network, last, pictures, seed):
    """A network whose statistics and logits come from pictures; `last` is its last layer."""
    settle(network, pictures, seed)
    aim([last], lambda: network(pictures), *LOGITS)
    return finished(network)


def finished(network):
    """The network as it is converted: in evaluation mode and without gradients."""
    for parameter in network.parameters():
        parameter.requires_grad = False
    return network.eval()
