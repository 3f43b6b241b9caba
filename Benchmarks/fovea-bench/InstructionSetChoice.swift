// Fovea - forcing the instructions that kernels use.
// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import Fovea
internal import FoveaCommandLine

/// Forcing the instructions that kernels use, through the variable that the library reads.
enum InstructionSetChoice {
  static let option = CommandDescription.Option(
    name: "--instruction-set", value: "SET",
    help: "instructions to use instead of the best: " + names.joined(separator: ", "))

  private static let names = InstructionSet.allCases.filter { $0 != .automatic }.map(\.rawValue)

  /// Forces what the arguments ask for. To be called before a model is loaded.
  ///
  /// - Throws: `UsageError` for an unknown set, or a backend that has no kernels of its own.
  static func apply(_ arguments: ArgumentList, to backends: [Backend]) throws(UsageError) {
    guard let name = arguments.value(option.name) else { return }
    guard names.contains(name) else {
      throw UsageError(
        "there is no instruction set '\(name)'; the sets are \(names.joined(separator: ", "))")
    }
    if let other = backends.first(where: { $0 == .reference || $0 == .blas }) {
      throw UsageError("backend '\(other.rawValue)' has no kernels to choose from")
    }
    setenv("FOVEA_FORCE_ISA", name, 1)
  }
}
