// Fovea - requests on images: whoever imports this module also sees masks, points and corners.
// SPDX-License-Identifier: Apache-2.0
@_exported public import FoveaShapes
