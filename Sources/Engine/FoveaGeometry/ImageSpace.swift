// Fovea - the images between which coordinates are converted.
// SPDX-License-Identifier: Apache-2.0

/// The image in which a position is given.
///
/// Positions in pixels are continuous: pixel i covers i to i + 1, and its center is i + 0.5.
public enum ImageSpace: String, Hashable, Codable, Sendable, CaseIterable {
  /// The network's input, with its padding.
  case model
  /// The full image as a person sees it. Results are in this space.
  case upright
  /// The full image as the file or the camera stores it, before it is turned.
  case stored
}
