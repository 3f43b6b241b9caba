// Fovea - what a network's input is filled from.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaRuntime

/// What a network's input is filled from.
enum NetworkInputSource: Sendable {
  /// An image, which has yet to be sampled.
  case image(StoredImage)
  /// The bytes that another request with the same `InputPreparation` had.
  case prepared(Tensor)
}

/// All that the bytes of an input depend on, beside the image.
struct InputPreparation: Hashable, Sendable {
  var geometry: ImageGeometry
  var filter: ResamplingFilter
  /// Rows, columns and channels.
  var shape: [Int]
}
