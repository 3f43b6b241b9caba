// Fovea - which corner of an image is (0, 0).
// SPDX-License-Identifier: Apache-2.0

/// The corner of an image from which coordinates are counted.
///
/// The x axis always points right; only the direction of y differs. Vision counts from the lower
/// left. Files, COCO and screens count from the upper left.
public enum CoordinateOrigin: String, Hashable, Codable, Sendable, CaseIterable {
  /// y grows upwards, as in Vision's normalized rectangles.
  case lowerLeft
  /// y grows downwards, as in the rows of an image file.
  case upperLeft
}
