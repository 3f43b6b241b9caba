// Fovea - which operations of programs can be run.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore

/// Adds an operation to a graph and returns its results. It checks the operation's arguments; the
/// shapes of its results follow from the graph.
typealias OperationRule = @Sendable (OperationLowering) throws(FoveaError) -> [ProgramValue]

/// The rules of all operations by kind.
///
/// A new operation needs a method in the file of its family, and a line in that file's table.
package enum OperationTable {
  private static let rules: [String: OperationRule] = {
    var all: [String: OperationRule] = [:]
    for family in [
      OperationLowering.constantRules, OperationLowering.arithmeticRules,
      OperationLowering.activationRules, OperationLowering.windowRules,
      OperationLowering.productRules, OperationLowering.normalizationRules,
      OperationLowering.reductionRules, OperationLowering.shapeRules,
      OperationLowering.sliceRules, OperationLowering.gatheringRules,
      OperationLowering.resamplingRules, OperationLowering.detectionRules,
      OperationLowering.codeRules,
    ] {
      all.merge(family) { first, _ in first }
    }
    return all
  }()

  /// The rule of a kind of operations; `nil` for one that cannot be run.
  static func rule(for kind: String) -> OperationRule? { rules[kind] }

  /// All kinds that can be run, in alphabetical order.
  package static var kinds: [String] { (rules.keys + ["const"]).sorted() }
}
