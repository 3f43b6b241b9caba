// Fovea - the outputs of a network about masks, key points and turned boxes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaRuntime

/// Whoever holds the outputs of a network about its objects.
protocol ObjectNumbers {
  /// Lends an output.
  func withNumbers<Result>(
    _ output: ObjectOutput, _ body: (Span<Float>) throws(DetectionError) -> Result
  ) throws(DetectionError) -> Result
}

/// The outputs of a session's last run.
struct SessionNumbers: ObjectNumbers {
  let session: Session

  func withNumbers<Result>(
    _ output: ObjectOutput, _ body: (Span<Float>) throws(DetectionError) -> Result
  ) throws(DetectionError) -> Result {
    let found = try DetectionError.translatingRuntime { () throws(FoveaError) in
      try session.withOutput(output.rawValue) { numbers in
        Swift.Result { () throws(DetectionError) in try body(numbers) }
      }
    }
    return try found.get()
  }

  /// Copies of outputs.
  func kept(_ outputs: [ObjectOutput]) throws(DetectionError) -> KeptNumbers {
    var arrays: [ObjectOutput: [Float]] = [:]
    for output in outputs {
      arrays[output] = try withNumbers(output) { numbers in numbers.copied() }
    }
    return KeptNumbers(arrays: arrays)
  }
}

/// Outputs that were kept.
struct KeptNumbers: ObjectNumbers, Hashable, Sendable {
  var arrays: [ObjectOutput: [Float]] = [:]

  func withNumbers<Result>(
    _ output: ObjectOutput, _ body: (Span<Float>) throws(DetectionError) -> Result
  ) throws(DetectionError) -> Result {
    let array = arrays[output] ?? []
    return try body(array.span)
  }
}

extension Span where Element == Float {
  /// The elements as an array.
  func copied() -> [Float] {
    withUnsafeBufferPointer { Array($0) }
  }
}
