// Fovea - which category of a data set a class of a model is.
// SPDX-License-Identifier: Apache-2.0

/// Which category of a data set each class of a model is.
///
/// By name where names match: without regard to case, spaces, hyphens and underscores, and knowing
/// the seven names of COCO's categories that Darknet spells in the manner of Pascal VOC. Where no
/// name matches, the class of index 0 is category 1, and so on.
public struct CategoryMapping: Hashable, Sendable {
  /// How classes and categories were brought together.
  public enum Rule: String, Hashable, Codable, Sendable {
    /// By name.
    case name
    /// By number: category = index + 1.
    case index
  }

  /// How classes and categories were brought together.
  public let rule: Rule
  /// For each class its category, or `nil` for one that the data set does not have.
  public let categories: [Int?]

  /// Brings the classes `labels` and `categories` together.
  public init(labels: [String], categories: [CocoInstances.Category]) {
    var named: [String: Int] = [:]
    for category in categories {
      guard let name = category.name else { continue }
      let key = Self.key(name)
      if named[key] == nil { named[key] = category.id }
    }
    let byName = labels.map { named[Self.key($0)] }
    if byName.contains(where: { $0 != nil }) {
      rule = .name
      self.categories = byName
    } else {
      rule = .index
      let known = Set(categories.map(\.id))
      self.categories = labels.indices.map { known.contains($0 + 1) ? $0 + 1 : nil }
    }
  }

  private static func key(_ name: String) -> String {
    let letters = name.lowercased().filter { $0.isLetter || $0.isNumber }
    return otherSpellings[letters] ?? letters
  }

  /// Pascal VOC's names for COCO's.
  private static let otherSpellings = [
    "motorbike": "motorcycle", "aeroplane": "airplane", "sofa": "couch",
    "diningtable": "diningtable", "tvmonitor": "tv", "pottedplant": "pottedplant",
    "hairdryer": "hairdrier",
  ]
}
