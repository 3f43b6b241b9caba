// Fovea - the whole library in one import.
// SPDX-License-Identifier: Apache-2.0
@_exported public import FoveaCore
@_exported public import FoveaDrawing
@_exported public import FoveaGeometry
@_exported public import FoveaImaging
@_exported public import FoveaRuntime
@_exported public import FoveaShapes
@_exported public import FoveaVision
