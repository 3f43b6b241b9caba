// Fovea - zxing-cpp, as a system library that a reader's process opens.
// SPDX-License-Identifier: Apache-2.0
#ifndef FOVEA_ZXING_SHIM_H
#define FOVEA_ZXING_SHIM_H

// Its headers are C++, which CFoveaCodes includes. With pkg-config the library would be linked,
// which every start would pay for.

#endif
