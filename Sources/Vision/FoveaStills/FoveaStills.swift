// Fovea - still pictures: whoever imports this module also sees corners.
// SPDX-License-Identifier: Apache-2.0
@_exported public import FoveaShapes
