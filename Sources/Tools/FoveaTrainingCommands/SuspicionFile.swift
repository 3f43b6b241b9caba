// Fovea - suspicious labels as a file of annotations.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaEvaluation

/// Suspicious labels as a file in Create ML's form, with three numbers more for each box: programs
/// that label pictures open it, and so does `fovea annotations`.
struct SuspicionFile: Encodable {
  private struct Picture: Encodable {
    var imagefilename: String
    var annotation: [Box]
  }

  private struct Box: Encodable {
    var label: String
    var coordinates: Coordinates
    /// What is suspicious.
    var kind: String
    /// What is found in place of the label.
    var found: String?
    var confidence: Double
    var suspicion: Double
  }

  /// In pixels; `x` and `y` are the middle.
  private struct Coordinates: Encodable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    init(_ box: PixelBox) {
      func rounded(_ value: Double) -> Double { NumberText.rounded(value, digits: 3) }
      (x, y) = (rounded(box.x + box.width / 2), rounded(box.y + box.height / 2))
      (width, height) = (rounded(box.width), rounded(box.height))
    }
  }

  /// The pictures with the most suspicious boxes first.
  private var pictures: [Picture] = []

  /// - Parameters:
  ///   - suspicions: The most suspicious first.
  ///   - name: The name of an image; `nil` for one that is left out.
  init(
    _ suspicions: [LabelSuspicion], labels: [Int: String], name: (LabelSuspicion) -> String?
  ) {
    var places: [String: Int] = [:]
    for suspicion in suspicions {
      guard let name = name(suspicion) else { continue }
      let place = places[name] ?? pictures.count
      if place == pictures.count {
        places[name] = place
        pictures.append(Picture(imagefilename: name, annotation: []))
      }
      func label(_ category: Int) -> String { labels[category] ?? "\(category)" }
      pictures[place].annotation.append(
        Box(
          label: label(suspicion.category), coordinates: Coordinates(suspicion.box),
          kind: suspicion.kind.rawValue, found: suspicion.found.map(label),
          confidence: NumberText.rounded(suspicion.score, digits: 4),
          suspicion: NumberText.rounded(suspicion.suspicion, digits: 4)))
    }
  }

  func encode(to encoder: any Encoder) throws { try pictures.encode(to: encoder) }
}
