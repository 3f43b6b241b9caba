// Fovea - what fovea evaluate says of networks that find no objects.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaLibc

/// What an evaluation of a classifier or of maps found. Numbers that there are not are -1.
struct TaskDocument: Encodable {
  /// A number of the whole.
  struct Metric {
    var name: String
    var value: Double?
    var meaning: String

    init(_ name: String, _ value: Double?, _ meaning: String) {
      (self.name, self.value, self.meaning) = (name, value, meaning)
    }
  }

  /// A class.
  struct Category: Encodable {
    var name: String
    /// Images or pixels of the class.
    var count: Int
    var metrics: [String: Double]
  }

  var model: String
  var backend: String
  var images: Int
  var metrics: [Metric]
  var categories: [Category]?
  /// "name" or "place"; absent where classes are numbers.
  var categoriesBy: String?
  var note: String?

  private enum CodingKeys: CodingKey {
    case model, backend, images, metrics, categories, categoriesBy, note
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(model, forKey: .model)
    try container.encode(backend, forKey: .backend)
    try container.encode(images, forKey: .images)
    let numbers = metrics.map { ($0.name, $0.value ?? -1) }
    try container.encode(Dictionary(uniqueKeysWithValues: numbers), forKey: .metrics)
    try container.encodeIfPresent(categories, forKey: .categories)
    try container.encodeIfPresent(categoriesBy, forKey: .categoriesBy)
    try container.encodeIfPresent(note, forKey: .note)
  }

  /// The same for people.
  var text: String {
    var heading = "\(images) images, backend \(backend)"
    if let categoriesBy { heading += ", classes and folders by \(categoriesBy)" }
    var table = TextTable([.left("measure"), .right("value"), .left("of")])
    for metric in metrics {
      table.rows.append([metric.name, Self.cell(metric.value), metric.meaning])
    }
    var text = heading + "\n\n" + table.text()
    if let categories, let names = categories.first?.metrics.keys.sorted() {
      var table = TextTable(
        [.left("class"), .right("count")] + names.map { .right($0) })
      for category in categories {
        table.rows.append(
          [category.name, "\(category.count)"] + names.map { Self.cell(category.metrics[$0]) })
      }
      text += "\n" + table.text()
    }
    return text + (note.map { "\n\($0)\n" } ?? "")
  }

  private static func cell(_ value: Double?) -> String {
    guard let value, value >= 0 else { return "-" }
    return NumberText.fixed(value, digits: 4)
  }
}
