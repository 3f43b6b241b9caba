#include "fovea/fovea.h"
int fov_placeholder(void); int fov_placeholder(void) { return 0; }
