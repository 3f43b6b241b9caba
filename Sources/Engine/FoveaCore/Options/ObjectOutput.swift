// Fovea - the outputs in which detectors give more than scores and boxes.
// SPDX-License-Identifier: Apache-2.0

/// An output of a decoded detector beside `confidence` and `coordinates`. N is the number of boxes.
///
/// Compiled files keep these names: they say by themselves what an output is.
package enum ObjectOutput: String, Sendable, CaseIterable {
  /// [N, points, 2 or 3]: x and y in fractions of the input, y from the top, and confidences.
  case points = "object_points"
  /// [N, m]: the factors of the prototypes of a mask.
  case maskFactors = "object_mask_factors"
  /// [m, rows, columns]: planes over the whole input, whose sum by a row's factors is above 0 where
  /// the object is.
  case maskPrototypes = "object_mask_prototypes"
  /// [N, rows, columns]: one such sum for each box.
  case maskPlanes = "object_mask_planes"
  /// [N, 5]: center and size of a turned box in pixels of the input, and the angle of the width's
  /// axis in radians, clockwise on the screen.
  case turnedBoxes = "object_turned_boxes"
}
