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

  /// Reads the option. Without it, nothing is hidden.
  ///
  /// - Parameter outputs: The options that write or show pictures.
  /// - Throws: `UsageError` where none of them is there.
  package init(_ arguments: ArgumentList, outputs: [String]) throws(UsageError) {
    labels = Set(try arguments.names("--blur") ?? [])
    guard labels.isEmpty || outputs.contains(where: arguments.has) else {
      throw UsageError(
        "--blur is for pictures that are written; add \(outputs.joined(separator: " or "))")
    }
  }

  /// Refuses classes that the detector does not find.
  package func check(_ request: DetectObjectsRequest) throws(DetectionError) {
    try request.check(labels)
  }

  /// The objects that are hidden.
  package func hidden(_ objects: [RecognizedObjectObservation]) -> [HiddenObject] {
    objects.filter { hides($0.bestLabel?.identifier) }
      .map { HiddenObject(box: $0.boundingBox, mask: $0.mask) }
  }

  /// The objects that are not hidden.
  package func shown(
    _ objects: [RecognizedObjectObservation]
  ) -> [RecognizedObjectObservation] {
    objects.filter { !hides($0.bestLabel?.identifier) }
  }

  /// Whether objects of a class are hidden.
  package func hides(_ label: String?) -> Bool { label.map(labels.contains) ?? false }
}
