// Fovea - small sets of masks and key points that follow from a seed.
// SPDX-License-Identifier: Apache-2.0
import FoveaEvaluation
import FoveaGeometry
import FoveaShapes
import FoveaTestSupport
import Testing

/// A set of masks and key points that follows from a seed: that of
/// `Benchmarks/Peers/evaluation_shape_cases.py`, where it is described. Its annotations and results are
/// text as files hold it.
struct ShapeCase {
  private(set) var objects: [String] = []
  private(set) var masks: [String] = []
  private(set) var points: [String] = []

  private var categoryCount = 0
  private var hasBoxes = false
  private var hasTies = false
  private var images: [(id: Int, width: Int, height: Int)] = []
  private var random: SplitMix

  init(seed: UInt64) throws {
    random = SplitMix(seed: seed)
    categoryCount = 1 + draw(3)
    hasBoxes = draw(2) == 0
    hasTies = draw(2) == 0
    images = (0..<1 + draw(4)).map { (9 - $0, 40 + draw(260), 40 + draw(200)) }
    for image in images {
      for _ in 0..<draw(6) { try addObject(image) }
    }
  }

  var instances: [UInt8] {
    let images = images.map { #"{"id":\#($0.id),"width":\#($0.width),"height":\#($0.height)}"# }
    let categories = (1...categoryCount).map { #"{"id":\#($0)}"# }
    return Array(
      #"{"images":\#(Self.list(images)),"categories":\#(Self.list(categories)),"#.utf8)
      + Array(#""annotations":\#(Self.list(objects))}"#.utf8)
  }

  static func list(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }

  private static func list(_ numbers: [Double]) -> String { list(numbers.map { "\($0)" }) }

  // MARK: Drawing numbers, in the order of the other language

  private mutating func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  private mutating func addObject(_ image: (id: Int, width: Int, height: Int)) throws {
    let category = 1 + draw(categoryCount)
    let (width, height) = (4 + draw(image.width), 4 + draw(image.height))
    let (x, y) = (draw(image.width), draw(image.height))
    let rings = (0..<[1, 1, 1, 2][draw(4)]).map { _ in ring(x, y, width, height) }
    let isCrowd = draw(6) == 0
    let isLabeled = draw(6) > 0
    var points: [Double] = []
    for _ in 0..<17 {
      let seen = isLabeled ? draw(3) : 0
      let place = [
        Double(x) + Double(draw(4 * width)) / 4, Double(y) + Double(draw(4 * height)) / 4,
      ]
      points += seen > 0 ? place + [Double(seen)] : [0, 0, 0]
    }
    let area = Double((1 + draw(4)) * width * height) / 4
    let mask = isCrowd ? runs(image) : Self.list(rings.map(Self.list))
    let box = "[\(x),\(y),\(width),\(height)]"
    objects.append(
      #"{"id":\#(objects.count + 1),"image_id":\#(image.id),"category_id":\#(category),"#
        + #""bbox":\#(box),"area":\#(area),"iscrowd":\#(isCrowd ? 1 : 0),"#
        + #""segmentation":\#(mask),"keypoints":\#(Self.list(points))}"#)
    for _ in 0..<[0, 1, 1, 1, 2][draw(5)] {
      let reach = [0, 4, 16, 60][draw(4)]
      func moved(_ value: Double) -> Double { value + Double(draw(2 * reach + 1) - reach) / 4 }
      let score = hasTies ? Double(draw(11)) / 10 : Double(draw(1_000_000)) / 1_000_000
      let found = #"{"image_id":\#(image.id),"category_id":\#(category),"score":\#(score),"#
      let outlines = rings.map { $0.map(moved) }
      let mask = try #require(
        MaskRunLengths(
          imageSize: ImageSize(width: image.width, height: image.height), outlines: outlines))
      let text = mask.text.replacing("\\", with: "\\\\")
      masks.append(
        found + (hasBoxes ? #""bbox":\#(box),"# : "")
          + #""segmentation":{"size":[\#(image.height),\#(image.width)],"counts":"\#(text)"}}"#)
      let near = points.enumerated().map { $0 % 3 == 2 ? $1 : moved($1) }
      self.points.append(found + #""keypoints":\#(Self.list(near))}"#)
    }
  }

  private mutating func ring(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [Double] {
    (0..<3 + draw(6)).flatMap { _ in
      [Double(x) + Double(draw(4 * width)) / 4, Double(y) + Double(draw(4 * height)) / 4]
    }
  }

  private mutating func runs(_ image: (id: Int, width: Int, height: Int)) -> String {
    var lengths: [Int] = []
    var left = image.width * image.height
    while left > 0 {
      lengths.append(min(left, draw(2000)))
      left -= lengths.last!
    }
    return #"{"size":[\#(image.height),\#(image.width)],"counts":\#(lengths)}"#
  }
}
