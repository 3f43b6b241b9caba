// Fovea - how an image is brought to the size of a network's input.
// SPDX-License-Identifier: Apache-2.0

/// How an image, or its region of interest, is brought to the size of a network's input.
///
/// The names and meanings are Vision's. Whatever the action, Fovea gives boxes on the upright full
/// image: nobody has to undo it.
public enum ImageCropAndScaleAction: String, Hashable, Codable, Sendable, CaseIterable {
  /// Both axes are scaled apart so that everything is seen and fills the input. The default, as in
  /// Vision's Swift interface.
  case scaleToFill
  /// Both axes are scaled alike so that everything is seen; what remains of the input is padding,
  /// whose place `PaddingAnchor` says.
  case scaleToFit
  /// Both axes are scaled alike so that the input is filled; what is too much of the longer side is
  /// cut off, half at each end.
  case centerCrop
  /// As `scaleToFit`, with the upright image first turned by 90 degrees counterclockwise: its
  /// right edge becomes the top of the input.
  case scaleToFitPlus90CCWRotation
  /// As `scaleToFill`, with the upright image first turned by 90 degrees counterclockwise: its
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

/// Where an image lies that is smaller than the network's input along one axis.
///
/// Only the actions that scale to fit leave anything to pad.
public enum PaddingAnchor: String, Hashable, Codable, Sendable, CaseIterable {
  /// In the middle: half of the padding at each end. The default, as in Vision; the halves are not
  /// rounded to whole pixels.
  case centered
  /// At the upper left: all padding at the bottom or at the right.
  case upperLeft
}
