// Fovea - the coarse categories of ML Kit, by the labels of detectors.
// SPDX-License-Identifier: Apache-2.0

/// The categories that ML Kit's object detector tells apart.
public enum CoarseCategory: String, CaseIterable, Sendable {
  /// Clothes, shoes, bags.
  case fashionGoods = "Fashion good"
  /// What is eaten and drunk.
  case food = "Food"
  /// Furniture, dishes, devices.
  case homeGoods = "Home good"
  /// Buildings and sights. No label of COCO is one.
  case places = "Place"
  /// Plants.
  case plants = "Plant"

  /// The category of one of COCO's labels, in any letters; `nil` for what has none, such as people,
  /// animals and vehicles.
  public init?(label: String) {
    guard let category = Self.categories[label.lowercased()] else { return nil }
    self = category
  }

  private static let categories: [String: CoarseCategory] = {
    var table: [String: CoarseCategory] = ["potted plant": .plants, "pottedplant": .plants]
    for label in fashionLabels { table[label] = .fashionGoods }
    for label in foodLabels { table[label] = .food }
    for label in homeLabels { table[label] = .homeGoods }
    return table
  }()

  private static let fashionLabels = ["backpack", "umbrella", "handbag", "tie", "suitcase"]
  private static let foodLabels = [
    "banana", "apple", "sandwich", "orange", "broccoli", "carrot", "hot dog", "pizza", "donut",
    "cake",
  ]
  private static let homeLabels = [
    "bottle", "wine glass", "cup", "fork", "knife", "spoon", "bowl", "chair", "couch", "sofa",
    "bed",
    "dining table", "diningtable", "toilet", "tv", "tvmonitor", "laptop", "mouse", "remote",
    "keyboard", "cell phone", "microwave", "oven", "toaster", "sink", "refrigerator", "book",
    "clock", "vase", "scissors", "teddy bear", "hair drier", "toothbrush",
  ]
}
