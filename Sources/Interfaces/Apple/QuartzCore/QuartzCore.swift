// Fovea - the module of this name: trees of layers.
// SPDX-License-Identifier: Apache-2.0
@_exported public import CoreGraphics
@_exported public import CoreImage
@_exported public import CoreVideo
@_exported public import Foundation
@_exported public import FoveaQuartzCore
