// Fovea - why objects could not be looked for.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
public import FoveaImaging
public import FoveaRuntime

/// Why objects could not be looked for. That none were found is no error.
public enum DetectionError: Error, Hashable, Sendable {
  /// The image could not be read.
  case image(ImageError)
  /// The model could not be run.
  case runtime(FoveaError)
  /// The model runs but is no detector; what was found, what was expected and what to do.
  case unsuitableModel(String)
  /// A property of the request makes no sense; which, and what would.
  case invalidRequest(String)
  /// The network put out numbers that are no scores or boxes; where.
  case invalidOutput(String)
  /// The task that asked was cancelled.
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
  static func checkCancellation() throws(DetectionError) {
    if Task.isCancelled { throw .cancelled }
  }

  /// Runs what can fail in the runtime.
  static func translatingRuntime<Result>(
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

  /// For calls that lend memory: they throw what their closure throws, and so without a type.
  static func translatingAnyError<Result>(
    _ body: () throws -> Result
  ) throws(DetectionError) -> Result {
    do {
      return try body()
    } catch let error as DetectionError {
      throw error
    } catch let error as FoveaError {
      throw .runtime(error)
    } catch {
      throw .invalidOutput("\(error)")
    }
  }
}
