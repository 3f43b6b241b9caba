// Fovea - requests: what is looked for.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaLibc

public typealias VNRequestCompletionHandler = (VNRequest, (any Error)?) -> Void

/// What is looked for in a picture. A request may be performed again and again.
open class VNRequest: NSObject {
  public let completionHandler: VNRequestCompletionHandler?
  public var preferBackgroundProcessing = false
  public var usesCPUOnly = false
  public var revision: Int
  private let state = Locked(State())

  private struct State {
    var isRunning = false
    var isCancelled = false
  }

  /// What was found last; `nil` before, and after a failure.
  package var found: [VNObservation]?

  public init(completionHandler: VNRequestCompletionHandler? = nil) {
    self.completionHandler = completionHandler
    revision = type(of: self).defaultRevision
    super.init()
  }

  public override convenience init() { self.init(completionHandler: nil) }

  open class var supportedRevisions: IndexSet { IndexSet(integer: 1) }
  open class var defaultRevision: Int { supportedRevisions.last ?? 1 }
  open class var currentRevision: Int { defaultRevision }

  /// Ends the request if it is being performed: its handler gets the error `requestCancelled`.
  public func cancel() {
    state.withLock { if $0.isRunning { $0.isCancelled = true } }
  }

  // MARK: For handlers

  /// What is found in a picture.
  ///
  /// - Throws: Any error; `VisionFailure` translates it.
  package func observations(in picture: VisionImage) throws -> [VNObservation] {
    throw VisionFailure(.unsupportedRequest, "\(type(of: self)) looks for nothing")
  }

  /// Performs the request and calls its handler.
  ///
  /// - Returns: Why it failed; `nil` if it did not.
  package func perform(in picture: VisionImage) -> NSError? {
    state.withLock { $0 = State(isRunning: true) }
    var failure: NSError?
    do {
      guard type(of: self).supportedRevisions.contains(revision) else {
        throw VisionFailure(
          .unsupportedRevision,
          "\(type(of: self)) has no revision \(revision); it has "
            + type(of: self).supportedRevisions.map(String.init).joined(separator: ", "))
      }
      let observations = try picture.dated(observations(in: picture))
      if state.withLock({ $0.isCancelled }) {
        throw VisionFailure(.requestCancelled, "the request was cancelled")
      }
      found = observations
    } catch {
      found = nil
      failure = VisionFailure(error).nsError
    }
    state.withLock { $0.isRunning = false }
    completionHandler?(self, failure)
    return failure
  }
}

/// The results of a request. Subclasses have a property of the same name with a narrower type.
public protocol VNResultsProviding {
}

extension VNRequest: VNResultsProviding {
}

extension VNResultsProviding where Self: VNRequest {
  public var results: [VNObservation]? { found }
}

/// A request on the pixels of a picture.
open class VNImageBasedRequest: VNRequest {
  /// The part that is looked at: fractions of the upright picture, from the lower left.
  public var regionOfInterest = CGRect(x: 0, y: 0, width: 1, height: 1)
}
