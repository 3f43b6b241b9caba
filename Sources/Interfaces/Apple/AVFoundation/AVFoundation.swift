// Fovea - the module of this name: cameras and films.
// SPDX-License-Identifier: Apache-2.0
@_exported public import CoreImage
@_exported public import CoreMedia
@_exported public import Foundation
@_exported public import FoveaCapture
@_exported public import QuartzCore
