// Fovea - why objects could not be looked for.
// SPDX-License-Identifier: Apache-2.0
public import FoveaImaging
public import FoveaRuntime

/// Why objects could not be looked for. That none were found is no error.
public enum DetectionError: Error, Hashable, Sendable {
  /// The picture could not be read.
  case picture(PictureError)
  /// The model could not be run.
  case runtime(FoveaError)
  /// The model runs but is no detector; what was found, what was expected and what to do.
  case unsuitableModel(String)
  /// A property of the request makes no sense; which, and what would.
  case invalidRequest(String)
  /// The network put out numbers that are no scores or boxes; where.
  case invalidOutput(String)
}

extension DetectionError: CustomStringConvertible {
  /// What was found, what was expected and what to do, in one line.
  public var description: String {
    switch self {
    case .picture(let error): error.description
    case .runtime(let error): error.description
    case .unsuitableModel(let text), .invalidRequest(let text), .invalidOutput(let text): text
    }
  }
}
