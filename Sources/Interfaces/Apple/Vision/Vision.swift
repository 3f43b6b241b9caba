// Fovea - the module of this name: requests on pictures.
// SPDX-License-Identifier: Apache-2.0
@_exported public import CoreImage
@_exported public import CoreML
@_exported public import CoreMedia
@_exported public import Foundation
@_exported public import FoveaAppleVision
@_exported public import FoveaSwiftVision
@_exported public import ImageIO
