// Fovea - the module of this name: pictures as recipes.
// SPDX-License-Identifier: Apache-2.0
@_exported public import CoreGraphics
@_exported public import CoreVideo
@_exported public import FoveaApple
@_exported public import Foundation
@_exported public import ImageIO
internal import _Testing_CoreImage
