// Fovea - which category of a data set a class of a model is.
// SPDX-License-Identifier: Apache-2.0

/// The category of a data set for each class of a model.
///
/// Classes and categories are matched by name, without regard to case, spaces, hyphens and
/// underscores. Darknet's spellings of seven of COCO's names, which are those of Pascal VOC, match,
/// too. If no name matches, class 0 is the first category in the list of the file, and so on.
public struct CategoryMapping: Hashable, Sendable {
  /// The rule that matched classes and categories.
  public enum Rule: String, Hashable, Codable, Sendable {
    /// By name.
    case name
    /// By place: class 0 is the first category that the file lists, whatever its id.
    case place
  }

  /// The rule that matched classes and categories.
  public let rule: Rule
  /// The category of each class; `nil` if the data set does not have it.
  public let categories: [Int?]

  /// Matches classes, given by their names, with categories in the order in which the file lists them.
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
      rule = .place
      self.categories = labels.indices.map { $0 < categories.count ? categories[$0].id : nil }
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
