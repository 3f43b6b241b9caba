// Fovea - tests of the average precision of masks, key points and turned boxes.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaEvaluation
import FoveaGeometry
import FoveaShapes
import FoveaTestSupport
import Testing

@Suite struct ShapeEvaluationTests {
  /// Seeds and pycocotools' numbers of masks and key points, written by
  /// `Benchmarks/Peers/evaluation --shape-table`.
  static let table: [(seed: UInt64, masks: [Double], points: [Double])] = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("coco_shape_cases.txt")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      let words = line.split(separator: " ")
      guard let seed = UInt64(words[0]) else { return nil }
      let numbers = words.dropFirst().compactMap { Double($0) }
      return (seed, Array(numbers.prefix(12)), Array(numbers.dropFirst(12)))
    }
  }()

  @Test func casesHaveTheNumbersOfPycocotools() throws {
    #expect(Self.table.count > 80)
    for (seed, masks, points) in Self.table {
      let random = try ShapeCase(seed: seed)
      let instances = try CocoInstances(json: random.instances, keepsShapes: true)
      let foundMasks = try CocoResults(json: Array(ShapeCase.list(random.masks).utf8))
      let foundPoints = try CocoResults(json: Array(ShapeCase.list(random.points).utf8))
      #expect(foundMasks.shapes == [.masks])
      #expect(foundPoints.shapes == [.keypoints(.coco)])
      try Self.expect(
        foundMasks.metrics(against: instances, overlap: .masks).summary.values, masks,
        CocoSummary.names, seed)
      try Self.expect(
        foundPoints.metrics(against: instances, overlap: .keypoints(.coco)).keypointSummary.values,
        points, KeypointSummary.names, seed)
    }
    for place in 0..<12 { #expect(Self.table.count { $0.masks[place] > 0 } > 15) }
    for place in 0..<10 { #expect(Self.table.count { $0.points[place] > 0 } > 15) }
  }

  private static func expect(
    _ values: [Double], _ numbers: [Double], _ names: [String], _ seed: UInt64
  ) throws {
    try #require(values.count == numbers.count)
    for (name, (value, number)) in zip(names, zip(values, numbers)) {
      #expect(abs(value - number) < 1e-9, "seed \(seed), \(name)")
    }
  }

  // MARK: Outlines

  @Test func outlinesHoldThePixelsWhoseCentersTheyHold() throws {
    let size = ImageSize(width: 30, height: 20)
    let mask = try #require(
      MaskRunLengths(imageSize: size, outlines: [[3, 4, 10, 4, 10, 12, 3, 12]]))
    #expect(mask.area == 7 * 8)
    #expect(mask.lengths.prefix(4) == [64, 8, 12, 8])
    // A ring inside another adds nothing, and one that lies apart is added.
    let both = try #require(
      MaskRunLengths(
        imageSize: size,
        outlines: [
          [3, 4, 10, 4, 10, 12, 3, 12], [5, 5, 6, 5, 6, 6, 5, 6], [20, 0, 40, 0, 40, 5, 20, 5],
        ]))
    #expect(both.area == 56 + 10 * 5)
    #expect(MaskRunLengths(imageSize: size, outlines: [])?.area == 0)
    #expect(MaskRunLengths(imageSize: size, outlines: [[3, 4, 7, 8]])?.area == 0)
    #expect(MaskRunLengths(imageSize: size, outlines: [[-9, -9, -3, -9, -3, -2]])?.area == 0)
  }

  @Test func outlinesThatCannotBeAreRefused() {
    let size = ImageSize(width: 30, height: 20)
    #expect(MaskRunLengths(imageSize: size, outlines: [[1, 2, 3]]) == nil)
    #expect(MaskRunLengths(imageSize: size, outlines: [[1, 2, .nan, 3, 4, 5]]) == nil)
    #expect(MaskRunLengths(imageSize: size, outlines: [[0, 0, 1e300, 3, 4, 5]]) == nil)
    // A walk of four million steps ends; a longer one is not begun.
    let wide = [[Double]](repeating: [0, 0, 9e5, 3, 0, 1], count: 1)
    #expect(MaskRunLengths(imageSize: size, outlines: wide) == nil)
    let huge = ImageSize(width: 1 << 20, height: 1 << 20)
    #expect(MaskRunLengths(imageSize: huge, outlines: []) == nil)
  }

  // MARK: Turned boxes

  private static func box(x: Double, y: Double, width: Double, height: Double, turn: Double)
    -> [PixelPoint]
  {
    [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { u, v in
      let (a, b) = (u * width / 2, v * height / 2)
      return PixelPoint(x: x + a * cos(turn) - b * sin(turn), y: y + a * sin(turn) + b * cos(turn))
    }
  }

  /// The average precision of one box that was found near an object, by the definition of the
  /// overlap: boxes of one shape and turn, d apart along a side w, have the Bhattacharyya distance
  /// d^2 / (8 w^2 / 12).
  @Test(arguments: [0.0, 0.4, 1.3]) func turnedBoxesOverlapAsDefined(_ turn: Double) throws {
    for distance in stride(from: 0.0, through: 30, by: 2.5) {
      let there = Self.box(x: 100, y: 90, width: 60, height: 20, turn: turn)
      let found = Self.box(
        x: 100 + distance * cos(turn), y: 90 + distance * sin(turn), width: 60, height: 20,
        turn: turn)
      var object = GroundTruthObject(category: 1, box: PixelBox(x: 0, y: 0, width: 9, height: 9))
      object.corners = there
      var detection = DetectedObject(category: 1, box: object.box, score: 1)
      // Wherever the corners begin.
      detection.corners = Array(found[2...] + found[..<2])
      var evaluator = AveragePrecisionEvaluator(categories: [1], overlap: .corners)
      try evaluator.add(image: 1, objects: [object], detections: [detection])
      let overlap = 1 - (1 - exp(-distance * distance / (8 * 300))).squareRoot()
      let wanted = CocoProtocol.overlapThresholds.count { $0 <= overlap }
      let values = evaluator.metrics().summary
      #expect(abs((values.averagePrecision ?? -1) - Double(wanted) / 10) < 1e-9)
    }
  }

  // MARK: What is missing

  @Test func whatIsMissingIsNamed() throws {
    let text = """
      {"images": [{"id": 1, "width": 20, "height": 10}], "categories": [{"id": 3}],
       "annotations": [{"id": 5, "image_id": 1, "category_id": 3, "bbox": [0, 0, 10, 10],
       "segmentation": [[0, 0, 5, 0, 5, 5]], "keypoints": [1, 2, 2]}]}
      """
    let instances = try CocoInstances(json: Array(text.utf8), keepsShapes: true)
    #expect(instances.obstacle(to: .boxes) == nil)
    #expect(instances.obstacle(to: .masks) == nil)
    #expect(instances.obstacle(to: .keypoints(PointSimilarity(pointCount: 1))) == nil)
    #expect(
      instances.obstacle(to: .keypoints(.coco))?.description
        == "image 1: an object has 1 key points; expected 17")
    #expect(instances.obstacle(to: .corners)?.description == "image 1: an object has no corners")
    let without = try CocoInstances(json: Array(text.utf8))
    #expect(without.obstacle(to: .masks)?.description == "image 1: an object has no mask")
    let results = try CocoResults(
      json: Array(#"[{"image_id":1,"category_id":3,"score":1,"bbox":[0,0,1,1]}]"#.utf8))
    #expect(results.shapes.isEmpty)
    #expect(throws: EvaluationError.invalidObject(image: 1, reason: "a detection has no mask")) {
      _ = try results.metrics(against: instances, overlap: .masks)
    }
  }

  @Test(arguments: [
    (#""segmentation": [[0, 0, 5]]"#, "an outline of an odd number of coordinates"),
    (#""segmentation": [[3, 4, 7, 8]]"#, "an outline of 4 numbers; expected three corners"),
    (#""segmentation": {"size": [10], "counts": "x"}"#, "a mask without counts"),
    (#""segmentation": {"size": [10, 20], "counts": [5, 5]}"#, "is damaged"),
    (#""segmentation": {"size": [20, 10], "counts": [200]}"#, "is for 10 x 20"),
    (#""keypoints": [1, 2]"#, "key points have three numbers each"),
  ]) func damagedShapesAreRefused(_ member: String, _ reason: String) {
    let text = """
      {"images": [{"id": 1, "width": 20, "height": 10}], "categories": [{"id": 3}],
       "annotations": [{"id": 5, "image_id": 1, "category_id": 3, "bbox": [0, 0, 10, 10],
       \(member)}]}
      """
    let error = #expect(throws: EvaluationError.self) {
      _ = try CocoInstances(json: Array(text.utf8), keepsShapes: true)
    }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    #expect(throws: Never.self) { _ = try CocoInstances(json: Array(text.utf8)) }
  }
}
