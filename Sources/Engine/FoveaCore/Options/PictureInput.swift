// Fovea - a picture in the place of an array that a model reads.
// SPDX-License-Identifier: Apache-2.0

/// A wish to give a picture to a model that reads an array. What it leaves open follows from the
/// model, see `PictureNumbers`.
///
///     element of the array = pixel * scale + bias      pixels are 0 to 255
package struct PictureInput: Sendable, Hashable {
  /// The order of the channels in the array.
  package enum ColorOrder: String, Sendable, Hashable, CaseIterable {
    case rgb
    case bgr
    case gray
  }

  /// One number, or three for red, green and blue; one for gray. No number is 0.
  package var scale: [Float]?
  /// As many as `scale` may have.
  package var bias: [Float]?
  /// The order of the channels in the array.
  package var color: ColorOrder?
  /// Whether a model keeps its arrays unless it is plainly a detector or a classifier.
  package var needsEvidence = false
  /// Whether inputs whose values follow from the size of the picture stay inputs.
  package var keepsOtherInputs = false
  /// Whether a model without an array that can be a picture passes over the numbers.
  package var mayBeIdle = false

  /// Creates a wish; by default everything follows from the model.
  package init(scale: [Float]? = nil, bias: [Float]? = nil, color: ColorOrder? = nil) {
    self.scale = scale
    self.bias = bias
    self.color = color
  }

  /// Whether something is said that a model without such an array cannot follow.
  package var isSpecific: Bool { scale != nil || bias != nil || color != nil }
}
