// Fovea - why a call of the C interface failed.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea.Detect
internal import FoveaDrawing
internal import FoveaImaging
internal import FoveaLibc
internal import FoveaRuntime
internal import FoveaVideo
internal import FoveaVision

/// Why a call of the C interface failed: a status and a message.
struct CallFailure: Error {
  var status: fovea_status
  /// What was found, what was expected and what to do.
  var message: String
  /// Whether it says what is wrong with a request, which has nothing to do with a file.
  private var concernsRequest = false

  init(_ status: fovea_status, _ message: String) {
    (self.status, self.message) = (status, message)
  }

  /// A handle that leads to nothing.
  static func closed(_ handle: OpaquePointer?, _ kind: String) -> CallFailure {
    CallFailure(
      fovea_status_closed,
      handle == nil
        ? "no \(kind) was given (NULL); open one first"
        : "the \(kind) is closed, or never was one; use it before it is closed")
  }

  static func invalid(_ message: String) -> CallFailure {
    CallFailure(fovea_status_invalid_argument, message)
  }

  /// The same failure with the file that it concerns before the message, as the command reports it.
  func naming(_ file: String?) -> CallFailure {
    guard let file, !concernsRequest, !message.hasPrefix(file) else { return self }
    return CallFailure(status, "\(file): \(message)")
  }
}

// MARK: Answers

/// The text that a failed call leaves with its caller.
public typealias OutMessage = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// Does the work of a call; returns its status and leaves the message of a failure.
func answer(
  _ outMessage: OutMessage?, _ body: () throws(CallFailure) -> Void
) -> fovea_status {
  outMessage?.pointee = nil
  do throws(CallFailure) {
    try body()
    return fovea_status_ok
  } catch {
    let line = error.message.split(whereSeparator: \.isNewline).joined(separator: " ")
    outMessage?.pointee = strdup(line.printable)
    return error.status
  }
}

// MARK: Errors of the layers below

extension CallFailure {
  init(_ error: FoveaError) {
    let status =
      switch error.code {
      case .invalidArgument: fovea_status_invalid_argument
      case .unsupported: fovea_status_unsupported
      case .shapeMismatch: fovea_status_shape_mismatch
      case .outOfMemory: fovea_status_out_of_memory
      case .bufferTooSmall: fovea_status_buffer_too_small
      case .threadFailure: fovea_status_thread_failure
      case .file: fovea_status_file
      case .invalidModel, .invalidWeights, .invalidGraph, .overflow: fovea_status_invalid_model
      }
    self.init(status, error.description)
  }

  init(_ error: ImageError) {
    self.init(error.reason.status, error.description)
  }

  init(_ error: VideoError) {
    let status =
      switch error.reason {
      case .libraryUnavailable, .libraryVersion, .traitDisabled, .unsupportedCodec,
        .unsupportedPixels:
        fovea_status_unsupported
      case .invalidSource: fovea_status_invalid_argument
      case .outOfMemory: fovea_status_out_of_memory
      case .cancelled: fovea_status_closed
      case .emptyFile, .gitLFSPointer, .notAVideo, .noVideoStream, .tooManyPixels, .tooManyBytes,
        .badAnswer:
        fovea_status_invalid_video
      case .missing, .isDirectory, .unreadable, .timedOut, .camera: fovea_status_file
      }
    self.init(status, error.description)
  }

  init(_ error: VideoResultError) {
    switch error {
    case .source(let error): self.init(error)
    case .detection(let error): self.init(error)
    }
  }

  init(_ error: DrawingError) {
    let status =
      switch error.reason {
      case .traitDisabled, .libraryUnavailable: fovea_status_unsupported
      case .image(let reason): reason.status
      default: fovea_status_invalid_argument
      }
    self.init(status, error.description)
  }

  init(_ error: DetectionError) {
    switch error {
    case .image(let error): self.init(error)
    case .runtime(let error):
      self.init(error)
      // The model is open: what does not fit into memory is the caller's picture or shape.
      if error.code == .overflow { status = fovea_status_invalid_argument }
    case .unsuitableModel: self.init(fovea_status_unsuitable_model, error.description)
    case .invalidRequest, .cancelled:
      self.init(fovea_status_invalid_argument, error.description)
      concernsRequest = true
    case .invalidOutput: self.init(fovea_status_invalid_output, error.description)
    }
  }
}

extension ImageError.Reason {
  fileprivate var status: fovea_status {
    switch self {
    case .missingFile, .isDirectory, .unreadable, .unwritable: fovea_status_file
    case .rawPhotograph, .traitDisabled, .libraryUnavailable: fovea_status_unsupported
    case .invalidQuality, .notEncodable: fovea_status_invalid_argument
    default: fovea_status_invalid_picture
    }
  }
}
