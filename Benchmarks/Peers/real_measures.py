# Fovea - how near quantized outputs are to those in float, and what the task makes of them.
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def decibels(found, exact):
    """10 log10 of the energy of `exact` over that of the difference."""
    noise = float(((found - exact) ** 2).sum())
    return 10 * np.log10(float((exact ** 2).sum()) / noise) if noise > 0 else np.inf


def rows(found, exact):
    """Rows that find something: paired, new, and the root mean square of the change of scores."""
    before, after = exact.max(axis=-1), found.max(axis=-1)
    there, looked_at = before > 0.3, before > 0.2
    shift = (found - exact)[exact > 0.2]
    return {"rows": int(there.sum()),
            "paired": float((after[there] > 0.2).mean()) if there.any() else None,
            "new": int(((after > 0.3) & ~looked_at).sum()),
            "shift": float(np.sqrt((shift ** 2).mean())) if shift.size else None}


def classes(found, exact):
    same = found.argmax(axis=-1) == exact.argmax(axis=-1)
    return {"top 1": float(same.mean()), "shift": float(np.sqrt(((found - exact) ** 2).mean()))}


def mask(found, exact):
    one, other = found > 0.3, exact > 0.3
    union = (one | other).sum()
    return {"IoU": float((one & other).sum() / union) if union else None}


def characters(found, exact):
    return {"same": float((found.argmax(axis=-1) == exact.argmax(axis=-1)).mean())}


def read(output):
    """The text of one picture, as numbers: repeated characters count once, and 0 is a gap."""
    best = output.reshape(-1, output.shape[-1]).argmax(axis=-1)
    return [int(one) for before, one in zip([0, *best], best) if one not in (0, before)]


TASKS = {"rows": rows, "class": classes, "mask": mask, "characters": characters}


def measures(network, found, exact):
    """Of all pictures together; each a list of first outputs."""
    pairs = list(zip(found, exact))
    found = np.concatenate([network.scores(output) for output in found])
    exact = np.concatenate([network.scores(output) for output in exact])
    result = {"dB": decibels(found, exact), **TASKS[network.task](found, exact)}
    if network.task == "characters":
        result["strings"] = sum(read(one) == read(other) for one, other in pairs) / len(pairs)
    return result
