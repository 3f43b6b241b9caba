// Fovea - why objects could not be looked for.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
public import FoveaImaging
public import FoveaRuntime

/// The reason why a detection failed. An image without objects is not an error.
public enum DetectionError: Error, Hashable, Sendable {
  /// The image cannot be read.
  case image(ImageError)
  /// The model cannot be run.
  case runtime(FoveaError)
  /// The model is not a detector. The message says what was found, what was expected and what to
  /// do.
  case unsuitableModel(String)
  /// A property of the request is invalid. The message names it and says what is valid.
  case invalidRequest(String)
  /// The network's output is not valid: for example, a score is NaN. The message says where.
  case invalidOutput(String)
  /// The task was cancelled.
  case cancelled
}

extension DetectionError: CustomStringConvertible {
  /// What was found, what was expected and what to do, in one line.
  public var description: String {
    switch self {
    case .image(let error): error.description
    case .runtime(let error): error.description
    case .unsuitableModel(let text), .invalidRequest(let text), .invalidOutput(let text): text
    case .cancelled: "the task was cancelled"
    }
  }
}

// MARK: Translating

extension DetectionError {
  /// Ends here what a cancelled task asked for. Outside of tasks nothing is cancelled.
  package static func checkCancellation() throws(DetectionError) {
    if Task.isCancelled { throw .cancelled }
  }

  /// Runs what can fail in the runtime.
  package static func translatingRuntime<Result>(
    _ body: () throws(FoveaError) -> Result
  ) throws(DetectionError) -> Result {
    do throws(FoveaError) {
      return try body()
    } catch {
      throw .runtime(error)
    }
  }

  /// Runs what can fail for an image, a region or an input without geometry.
  static func translatingGeometry<Result>(
    _ body: () throws(GeometryError) -> Result
  ) throws(DetectionError) -> Result {
    do throws(GeometryError) {
      return try body()
    } catch {
      throw .invalidRequest(error.description)
    }
  }
}
