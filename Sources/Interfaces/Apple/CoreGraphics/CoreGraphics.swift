// Fovea - the module of this name: pictures, paths and drawing.
// SPDX-License-Identifier: Apache-2.0
@_exported public import FoveaApple
@_exported public import Foundation
internal import _Testing_CoreGraphics
