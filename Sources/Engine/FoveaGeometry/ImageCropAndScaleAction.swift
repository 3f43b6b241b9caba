// Fovea - how an image is brought to the size of a network's input.
// SPDX-License-Identifier: Apache-2.0

/// How an image, or its region of interest, is brought to the size of a network's input.
///
/// The names and meanings are Vision's. Boxes are on the upright full image whatever the action:
/// you never undo it.
public enum ImageCropAndScaleAction: String, Hashable, Codable, Sendable, CaseIterable {
  /// Each axis is scaled for itself. The whole region is seen and fills the input. This is the
  /// default, as in Vision's Swift interface.
  case scaleToFill
  /// Both axes are scaled alike. The whole region is seen, and the rest of the input is padding.
  /// `PaddingAnchor` says where.
  case scaleToFit
  /// Both axes are scaled alike. The input is filled, and the longer side is cut at both ends
  /// alike.
  case centerCrop
  /// Like `scaleToFit`, after a turn of the upright image by 90 degrees counterclockwise: its right
  /// edge becomes the top of the input.
  case scaleToFitPlus90CCWRotation
  /// Like `scaleToFill`, after a turn of the upright image by 90 degrees counterclockwise: its
  /// right edge becomes the top of the input.
  case scaleToFillPlus90CCWRotation

  /// How the upright image is turned before it is scaled.
  var turn: ImageOrientation {
    switch self {
    case .scaleToFill, .scaleToFit, .centerCrop: .up
    case .scaleToFitPlus90CCWRotation, .scaleToFillPlus90CCWRotation: .left
    }
  }
}

/// Where an image lies in a network's input that has padding.
///
/// Only the actions that scale to fit leave padding.
public enum PaddingAnchor: String, Hashable, Codable, Sendable, CaseIterable {
  /// In the middle: half of the padding is at each end. This is the default, as in Vision. The
  /// halves are not rounded to whole pixels.
  case centered
  /// At the upper left: all padding is at the bottom or at the right.
  case upperLeft
}
