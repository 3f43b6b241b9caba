// Fovea - the module of this name: models and what they read and write.
// SPDX-License-Identifier: Apache-2.0
@_exported public import CoreGraphics
@_exported public import CoreVideo
@_exported public import Foundation
