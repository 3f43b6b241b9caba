// Fovea - how an image becomes a network's input.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaRuntime

/// All that the bytes of an input depend on, beside the image.
struct InputPreparation: Hashable, Sendable {
  var geometry: ImageGeometry
  var filter: ResamplingFilter
  /// Rows, columns and channels.
  var shape: [Int]
}
