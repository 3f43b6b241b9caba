// Fovea - backends by name, as the library spells them.
// SPDX-License-Identifier: Apache-2.0
internal import CPeakLoop
package import Fovea
package import FoveaCommandLine

/// Backends by name, as the library spells them: a new case of `Backend` needs no change here.
package enum BackendName {
  /// All names.
  package static var all: [String] { Backend.allCases.map(\.rawValue) }

  /// Those that a comparison shows unless told otherwise: `auto` is one of the others, and
  /// `reference` is there to be right.
  package static var compared: [Backend] {
    Backend.allCases.filter { $0 != .auto && $0 != .reference }
  }

  /// The names of `compared`, for help.
  package static var comparedNames: String { compared.map(\.rawValue).joined(separator: ",") }

  /// The same for a model's file: a compiled one has a single backend. Files that cannot be read
  /// are left to who loads them.
  package static func list(_ text: String?, of model: String) throws(UsageError) -> [Backend] {
    guard text == nil, model.hasSuffix(".fovea"),
      let compiled = try? Model(contentsOf: model)
    else { return try list(text) }
    return [compiled.backend]
  }

  /// The backends of a list with commas; those of `compared` without one.
  package static func list(_ text: String?) throws(UsageError) -> [Backend] {
    guard let text else { return compared }
    var backends: [Backend] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let backend = Backend(rawValue: String(name)) else {
        throw UsageError(
          "there is no backend '\(name)'; the backends are \(all.joined(separator: ", "))")
      }
      if !backends.contains(backend) { backends.append(backend) }
    }
    return backends
  }
}

extension Backend {
  /// Multiply-adds per second of one thread from registers alone, for this backend's arithmetic,
  /// measured now; `nil` where no loop is written for the processor.
  package func measuredPeak() -> Double? {
    let peak = rawValue.hasPrefix("int8") ? fov_peak_int8() : fov_peak_float32()
    return peak > 0 ? peak : nil
  }
}
