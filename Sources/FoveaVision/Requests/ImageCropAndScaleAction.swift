// Fovea - how a picture is brought to the size of a network's input.
// SPDX-License-Identifier: Apache-2.0

/// How a picture is brought to the size of a network's input.
public enum ImageCropAndScaleAction: String, Hashable, Codable, Sendable, CaseIterable {
  /// Both axes are scaled apart so that the whole picture fills the input (bilinear, half-pixel
  /// centres, no low-pass filter). The default, as in Vision's Swift interface.
  case scaleToFill
}
