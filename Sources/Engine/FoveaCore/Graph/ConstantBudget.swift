// Fovea - how much memory the constants of a model may take.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// Counts the numbers that constants of programs become while a model is loaded.
///
/// A few bytes can ask for many: one constant read by thousands of operations, arrays filled with
/// one value, constants repeated again and again. What all of them may take follows from what the
/// file holds. Codes of one bit become floats of 32 bits, once when they are decoded and once as
/// weights; half as much again is left for weights that several operations share. A large file may
/// not ask for more than a session may.
package final class ConstantBudget {
  private let maximum: Int
  private var allowed: Int
  private var spent = 0

  /// For grids, masks and anchors that follow from shapes.
  package static let fixedBytes = 128 << 20
  package static let bytesForEachStored = 96

  /// The budget of a model without programs.
  ///
  /// - Parameter maximum: The most bytes that are ever allowed.
  package init(maximum: Int) {
    self.maximum = maximum
    allowed = min(Self.fixedBytes, maximum)
  }

  /// Allows what belongs to a function. Stages often share files, so the largest one counts.
  package func allow(_ function: TensorProgram.Function) {
    let (bytes, overflow) = function.storedByteCount.multipliedReportingOverflow(
      by: Self.bytesForEachStored)
    let wanted = overflow ? .max : Self.fixedBytes.saturatingAdd(bytes)
    allowed = min(max(allowed, wanted), maximum)
  }

  /// Takes the memory of elements as floats.
  ///
  /// - Throws: `overflow` where too much has been taken.
  package func spend(_ elements: Int) throws(FoveaError) {
    let (bytes, overflow) = elements.multipliedReportingOverflow(by: MemoryLayout<Float>.size)
    guard !overflow, bytes <= allowed - spent else {
      throw FoveaError(
        .overflow,
        "the constants of the model become more than \(allowed) bytes of numbers;"
          + " \(FoveaError.damaged)")
    }
    spent += bytes
  }
}

extension Int {
  fileprivate func saturatingAdd(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
