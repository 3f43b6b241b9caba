// Fovea - averages over windows.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_BOX_FILTER_H
#define FOV_BOX_FILTER_H

// Replaces each of width x height values by the mean of the (2 radius + 1) x (2 radius + 1) around
// it, cut at the edges. `line` holds as many values as the longer side. Time does not depend on the
// radius.
void fov_box_filter(float *values, int width, int height, int radius, float *line);

#endif
