// Fovea - the one way from a C status to a Swift error.
// SPDX-License-Identifier: Apache-2.0
package import CFovea

extension FoveaError {
  /// Runs a C call and throws what its status and its diagnostic say.
  ///
  /// Every call into the core that can fail passes here, and nowhere else is a status looked at.
  package static func check(
    _ call: (UnsafeMutablePointer<fov_diagnostic>) -> fov_status
  ) throws(FoveaError) {
    var diagnostic = fov_diagnostic()
    let status = call(&diagnostic)
    guard status != .ok else { return }
    throw FoveaError(status, detail: diagnostic.text)
  }

  /// Runs a C call that writes no diagnostic.
  package static func check(
    _ status: fov_status, _ action: @autoclosure () -> String
  ) throws(FoveaError) {
    guard status != .ok else { return }
    throw FoveaError(status, detail: action())
  }

  /// What a C call complains about, for an error of another kind; `nil` where it succeeds.
  static func complaint(
    of call: (UnsafeMutablePointer<fov_diagnostic>) -> fov_status
  ) -> String? {
    var diagnostic = fov_diagnostic()
    return call(&diagnostic) == .ok ? nil : diagnostic.text
  }

  /// A status that is not ok, with the sentence that explains it.
  package init(_ status: fov_status, detail: String) {
    let name = String(cString: fov_status_name(status))
    self.init(Code(status), detail.isEmpty ? name : "\(name): \(detail)")
  }
}

extension FoveaError.Code {
  /// The cause that a status of the core stands for.
  package init(_ status: fov_status) {
    self =
      switch status {
      case .unsupported: .unsupported
      case .shape_mismatch: .shapeMismatch
      case .invalid_weights: .invalidWeights
      case .overflow: .overflow
      case .invalid_graph: .invalidGraph
      case .out_of_memory: .outOfMemory
      case .buffer_too_small: .bufferTooSmall
      case .thread_failure: .threadFailure
      case .invalid_file: .invalidModel
      case .write_failure: .file
      case .invalid_output: .invalidModel
      case .ok, .invalid_argument: .invalidArgument
      }
  }
}

extension fov_diagnostic {
  /// The message up to its first zero byte.
  package var text: String {
    withUnsafeBytes(of: message) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
