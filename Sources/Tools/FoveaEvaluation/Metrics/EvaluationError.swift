// Fovea - why detections cannot be evaluated.
// SPDX-License-Identifier: Apache-2.0

/// The reason why detections cannot be evaluated.
public enum EvaluationError: Error, Hashable, Sendable {
  /// A file cannot be read, with the system's message.
  case unreadable(path: String, reason: String)
  /// A file is malformed at a place, for a reason.
  case malformed(path: String, place: Place, reason: String)
  /// A file contradicts itself or another file.
  case inconsistent(path: String, reason: String)
  /// The image with this id was added before.
  case repeatedImage(Int)
  /// An object of an image has a number that is not finite.
  case invalidObject(image: Int, reason: String)

  /// A place in a file.
  public enum Place: Hashable, Sendable {
    /// The number of bytes before the place.
    case byte(Int)
    /// The line, counted from 1.
    case line(Int)
  }
}

extension EvaluationError: CustomStringConvertible {
  /// One line that says what was found and what to do.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason), .inconsistent(let path, let reason):
      "\(path): \(reason)"
    case .malformed(let path, .byte(let offset), let reason):
      "\(path): at byte \(offset): \(reason)"
    case .malformed(let path, .line(let number), let reason):
      "\(path): line \(number): \(reason)"
    case .repeatedImage(let image):
      "image \(image) is added twice; add all its objects and detections at once"
    case .invalidObject(let image, let reason): "image \(image): \(reason)"
    }
  }
}
