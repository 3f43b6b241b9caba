// Fovea - why detections cannot be evaluated.
// SPDX-License-Identifier: Apache-2.0

/// Why detections cannot be evaluated.
public enum EvaluationError: Error, Hashable, Sendable {
  /// A file cannot be read: its path, and the system's words.
  case unreadable(path: String, reason: String)
  /// A file is not what it should be: its path, the place, and what is wrong there.
  case malformed(path: String, place: Place, reason: String)
  /// A file contradicts itself or another one: its path, and how.
  case inconsistent(path: String, reason: String)
  /// The objects of an image were added before: the image's number.
  case repeatedImage(Int)
  /// An object of an image has a number that is not finite: the image's number, and which.
  case invalidObject(image: Int, reason: String)

  /// A place in a file.
  public enum Place: Hashable, Sendable {
    /// Bytes before it.
    case byte(Int)
    /// Counted from 1.
    case line(Int)
  }
}

extension EvaluationError: CustomStringConvertible {
  /// What was found and what to do, in one line.
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
