// Fovea - the images between which coordinates are converted.
// SPDX-License-Identifier: Apache-2.0

/// One of the images that a detection knows, in which a place can be stated.
///
/// In pixels all of them are continuous: pixel i covers i to i + 1 and its center is i + 0.5.
public enum ImageSpace: String, Hashable, Codable, Sendable, CaseIterable {
  /// The network's input, padding included.
  case model
  /// The full image as a person sees it. Results are given here.
  case upright
  /// The full image as the file or the camera has it, before it is turned.
  case stored
}
