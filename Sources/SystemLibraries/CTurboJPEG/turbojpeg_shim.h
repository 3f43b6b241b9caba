// Fovea - libjpeg-turbo, as a system library.
// SPDX-License-Identifier: Apache-2.0
#include <turbojpeg.h>
