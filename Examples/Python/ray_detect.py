# Fovea - objects in a folder of pictures, found by Ray Data, written as Parquet.
# SPDX-License-Identifier: Apache-2.0
"""python ray_detect.py MODEL PICTURES ROWS [WORKERS]; needs fovea, pyarrow and ray[data]."""
import sys

import ray
from ray.data import ActorPoolStrategy

from fovea.batch import Detector

model, pictures, rows = sys.argv[1:4]
workers = int(sys.argv[4]) if len(sys.argv) > 4 else 2

ray.init(include_dashboard=False)
# Actors that hold all processors leave none to the task that reads: the job would wait for ever.
share = min(1.0, (ray.cluster_resources()["CPU"] - 1) / workers)
ray.data.read_binary_files(pictures, include_paths=True).map_batches(
    Detector,
    fn_constructor_args=(model,),
    compute=ActorPoolStrategy(size=workers),
    num_cpus=share,
    batch_size=32,
    zero_copy_batch=True,
    batch_format="pyarrow",
).write_parquet(rows)
