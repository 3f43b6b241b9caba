// Fovea - why annotations cannot be read or written.
// SPDX-License-Identifier: Apache-2.0

/// The reason why annotations cannot be read or written. `description` names the file, the place, the
/// cause and the remedy.
public struct AnnotationError: Error, Hashable, Sendable {
  /// A place in a file.
  public enum Place: Hashable, Sendable {
    /// The number of bytes before the place.
    case byte(Int)
    /// The line, counted from 1.
    case line(Int)
  }

  /// What went wrong.
  public enum Kind: Hashable, Sendable {
    /// The file cannot be read or written.
    case file
    /// The file is not what it seems to be.
    case malformed
    /// No annotations were found, or those of several forms.
    case unclear
    /// The system has no library that reads the form, or this build leaves it out.
    case libraryUnavailable
    /// The form cannot say what the set holds.
    case notWritable
  }

  /// What went wrong.
  public var kind: Kind
  /// The file, as it was given or found.
  public var file: String
  /// The place in the file, where there is one.
  public var place: Place?
  /// The cause, in words.
  public var cause: String
  /// What to do.
  public var remedy: String

  init(_ kind: Kind, _ file: String, at place: Place? = nil, _ cause: String, _ remedy: String) {
    (self.kind, self.file, self.place) = (kind, file, place)
    (self.cause, self.remedy) = (cause, remedy)
  }
}

extension AnnotationError: CustomStringConvertible {
  /// One line with the file, the place, the cause and the remedy.
  public var description: String {
    let place =
      switch place {
      case .byte(let offset): "at byte \(offset): "
      case .line(let number): "line \(number): "
      case nil: ""
      }
    return "\(file): \(place)\(cause); \(remedy)"
  }
}
