// Fovea - the module of this name: times and pictures that have one.
// SPDX-License-Identifier: Apache-2.0
@_exported public import CoreGraphics
@_exported public import CoreVideo
@_exported public import FoveaApple
@_exported public import Foundation
