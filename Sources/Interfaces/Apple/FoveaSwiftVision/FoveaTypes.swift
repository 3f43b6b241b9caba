// Fovea - types of Fovea's that have the shape of Vision's.
// SPDX-License-Identifier: Apache-2.0
@_exported public import enum FoveaGeometry.CoordinateOrigin
@_exported public import enum FoveaGeometry.ImageCropAndScaleAction
