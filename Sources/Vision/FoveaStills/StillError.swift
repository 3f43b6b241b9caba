// Fovea - why a picture could not be looked at.
// SPDX-License-Identifier: Apache-2.0
public import FoveaVision

/// The reason why a request on a picture failed. A picture in which nothing is found is no error.
public enum StillError: Error, Hashable, Sendable {
  /// The picture cannot be read, the detector cannot be run, or the task was cancelled.
  case detection(DetectionError)
  /// A property of the request is invalid. The message names it and says what is valid.
  case invalidRequest(String)
  /// The model is not of the kind that the request needs. The message says what was expected.
  case unsuitableModel(String)
  /// Fovea was built without the trait.
  case traitDisabled(String)
  /// A library, or data that it needs, is not installed. The message names the package.
  case libraryUnavailable(String)
  /// A library failed, ended its process or took too long. The message says what it was doing.
  case libraryFailed(String)
}

extension StillError: CustomStringConvertible {
  /// What was found, what was expected and what to do, in one line.
  public var description: String {
    switch self {
    case .detection(let error): error.description
    case .invalidRequest(let text), .unsuitableModel(let text), .libraryUnavailable(let text),
      .libraryFailed(let text):
      text
    case .traitDisabled(let trait):
      "this build of Fovea has no \(trait); build it with the trait \(trait)"
    }
  }
}
