// Fovea - the module of this name: images, colors, and views as models.
// SPDX-License-Identifier: Apache-2.0
@_exported public import CoreImage
@_exported public import Foundation
@_exported public import QuartzCore
internal import _Testing_UIKit
