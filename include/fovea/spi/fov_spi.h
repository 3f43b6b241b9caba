// Fovea - what its own Swift, tests and benchmarks see beyond the C interface.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_SPI_H
#define FOVEA_SPI_H

#include "fovea/spi/fov_cpu_quota.h"
#include "fovea/spi/fov_parallel.h"
#include "fovea/spi/fov_plan.h"
#include "fovea/spi/fov_candidates.h"
#include "fovea/spi/fov_graph_reading.h"
#include "fovea/spi/fov_suppression.h"

#endif
