// Fovea - folding rules of functions of one element.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOV_FOLD_FUNCTIONS_H
#define FOV_FOLD_FUNCTIONS_H

#include "graph/fov_graph_users.h"

// Makes one function of several, where nothing else reads what lies between:
//
//   x * sigmoid(x)                    SiLU
//   x * min(max(x + 3, 0), 6) / 6     hard SiLU, in any of its spellings
//   a (b x + c) + d                   one linear function; none if it is x
//
// The node at the end stays, as another function. out_of_memory is the only failure.
FOV_INTERNAL fov_status fov_fold_functions(fov_graph_users *users, fov_graph_node *node);

#endif
