// Fovea - which kernels a benchmark uses instead of the best.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// Which kernels a benchmark uses instead of the best.
struct KernelChoice {
  static let options = [
    CommandDescription.Option(
      name: "--instruction-set", value: "SET",
      help: "instructions to use instead of the best: " + names.joined(separator: ", ")),
    CommandDescription.Option(
      name: "--without-winograd", help: "3x3 convolutions with all their products"),
  ]

  private static let names = InstructionSet.allCases.filter { $0 != .automatic }.map(\.rawValue)

  private let instructionSet: InstructionSet
  private let usesWinograd: Bool

  /// Reads the options.
  ///
  /// - Throws: `UsageError` for an unknown set, or a backend that has no kernels of its own.
  init(_ arguments: ArgumentList, for backends: [Backend]) throws(UsageError) {
    usesWinograd = !arguments.has("--without-winograd")
    guard let name = arguments.value("--instruction-set") else {
      instructionSet = .automatic
      return
    }
    guard Self.names.contains(name), let set = InstructionSet(rawValue: name) else {
      throw UsageError(
        "there is no instruction set '\(name)'; "
          + "the sets are \(Self.names.joined(separator: ", "))")
    }
    if let other = backends.first(where: { $0 == .reference || $0 == .blas }) {
      throw UsageError("backend '\(other.rawValue)' has no kernels to choose from")
    }
    instructionSet = set
  }

  /// How to load a model.
  func modelOptions(_ backend: Backend) -> Model.Options {
    var options = Model.Options(
      backend: BackendOptions(backend), instructionSet: instructionSet)
    options.usesWinograd = usesWinograd
    // Core ML packages read pictures; other formats of the same network do, too.
    options.pictures = PictureInput()
    return options
  }
}
