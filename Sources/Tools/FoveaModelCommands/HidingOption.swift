// Fovea - the objects that are hidden in pictures that commands write.
// SPDX-License-Identifier: Apache-2.0
package import Fovea
package import FoveaCommandLine

/// The objects that are hidden in pictures that a command writes.
package struct HidingOption: Sendable {
  package static let option = CommandDescription.Option(
    name: "--blur", value: "A,B",
    help: "pixelate objects of these classes in all that is written or shown, for good")

  private let labels: Set<String>

  /// Reads the option; `nil` without it.
  ///
  /// - Parameter outputs: The options that write or show pictures.
  /// - Throws: `UsageError` where none of them is there.
  package init?(_ arguments: ArgumentList, outputs: [String]) throws(UsageError) {
    guard let names = try arguments.names("--blur") else { return nil }
    guard outputs.contains(where: arguments.has) else {
      throw UsageError(
        "--blur is for pictures that are written; add \(outputs.joined(separator: " or "))")
    }
    labels = Set(names)
  }

  /// Refuses classes that the detector does not find.
  package func check(_ request: DetectObjectsRequest) throws(DetectionError) {
    try request.check(labels)
  }

  /// Whether objects of a class are hidden.
  package func hides(_ label: String?) -> Bool { label.map(labels.contains) ?? false }
}
