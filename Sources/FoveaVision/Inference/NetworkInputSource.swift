// Fovea - what a network's input is filled from.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaRuntime

/// What a network's input is filled from.
enum NetworkInputSource: Sendable {
  /// A picture, which has yet to be sampled.
  case picture(StoredPicture)
  /// The bytes that another request with the same `InputPreparation` had.
  case prepared(Tensor)
}

/// All that the bytes of an input depend on, beside the picture.
struct InputPreparation: Hashable, Sendable {
  var geometry: ImageGeometry
  var filter: ResamplingFilter
  /// Rows, columns and channels.
  var shape: [Int]
}
