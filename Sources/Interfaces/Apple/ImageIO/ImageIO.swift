// Fovea - the module of this name: files of pictures.
// SPDX-License-Identifier: Apache-2.0
@_exported public import CoreGraphics
@_exported public import FoveaApple
@_exported public import Foundation
