// Fovea - how an image becomes a network's input.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaRuntime

/// All that the bytes of an input depend on, beside the image.
package struct InputPreparation: Hashable, Sendable {
  package var geometry: ImageGeometry
  package var filter: ResamplingFilter
  /// Rows, columns and channels.
  package var shape: [Int]

  package init(geometry: ImageGeometry, filter: ResamplingFilter, shape: [Int]) {
    (self.geometry, self.filter, self.shape) = (geometry, filter, shape)
  }
}
