// Fovea - tests of fovea evaluate on masks, key points and turned boxes.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing

/// Networks measured on what they find themselves: all of it is right.
@Suite(.enabled(if: SharedData.isPresent)) struct EvaluateShapesTests {
  /// What a network finds in the picture of its case, the best twenty.
  private struct Found {
    let folder: TemporaryFolder
    let model: String
    let objects: [[String: Any]]
    let size: (width: Double, height: Double)

    init(_ name: String, _ options: [String] = []) throws {
      let source = SharedData.url("tasks/\(name)")
      let files = try FileManager.default.contentsOfDirectory(atPath: source.path)
      model =
        source.appendingPathComponent(
          try #require(files.first { $0.hasPrefix("model.") })
        ).path
      folder = try TemporaryFolder()
      let images = folder.url.appendingPathComponent("images")
      try FileManager.default.createDirectory(at: images, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: source.appendingPathComponent("input.png"),
        to: images.appendingPathComponent("input.png"))
      let run = try CommandRun.fovea(
        ["detect", "--model", model, images.path + "/input.png", "--json"] + options)
      let image = try #require((try run.json()["images"] as? [[String: Any]])?.first)
      size = (
        try #require(image["width"] as? Double), try #require(image["height"] as? Double)
      )
      objects = Array(try #require(image["objects"] as? [[String: Any]]).prefix(20))
      #expect(objects.count == 20)
    }

    /// COCO's annotations of the objects, with the members that are named.
    func annotations(_ members: [String]) throws -> String {
      let labels = Set(objects.compactMap { $0["label"] as? String }).sorted()
      let annotations = try objects.enumerated().map { number, object in
        let box = try #require(object["bbox"] as? [Double])
        // Evaluations cut boxes at the edges of the picture.
        let (left, top) = (max(0, box[0]), max(0, box[1]))
        let right = min(size.width, box[0] + box[2])
        let bottom = min(size.height, box[1] + box[3])
        var annotation: [String: Any] = [
          "id": number + 1, "image_id": 4, "bbox": [left, top, right - left, bottom - top],
          "category_id": 1 + (labels.firstIndex { $0 == object["label"] as? String } ?? -1),
        ]
        for member in members { annotation[member] = object[member] }
        return annotation
      }
      let document: [String: Any] = [
        "images": [
          ["id": 4, "file_name": "input.png", "width": Int(size.width), "height": Int(size.height)]
        ],
        "categories": labels.enumerated().map { ["id": $0 + 1, "name": $1] as [String: Any] },
        "annotations": annotations,
      ]
      return try folder.write(
        "instances.json", [UInt8](try JSONSerialization.data(withJSONObject: document)))
    }

    /// The lines of YOLO's labels of the objects.
    func labels(_ numbers: ([String: Any]) throws -> [Double]) throws -> String {
      let lines = try objects.map { object in
        let shares = try numbers(object).map { "\($0)" }.joined(separator: " ")
        return "\(try #require(object["labelIndex"] as? Int)) \(shares)"
      }
      _ = try folder.write("labels/input.txt", Array(lines.joined(separator: "\n").utf8))
      return folder.path("labels")
    }

    func evaluated(_ annotations: String) throws -> [String: Any] {
      let run = try CommandRun.fovea([
        "evaluate", model, "--annotations", annotations, "--images", folder.path("images"),
        "--json",
      ])
      #expect(run.status == 0 && run.errors == "", "\(run.errors)")
      return try run.json()
    }
  }

  private static func expect(_ document: [String: Any], _ kind: String, _ least: Double) throws {
    let boxes = try #require(document["metrics"] as? [String: Double])
    #expect(try #require(boxes["AP"]) > 0.999)
    let metrics = try #require(document[kind] as? [String: Double], "\(document)")
    #expect(try #require(metrics["AP"]) > least, "\(metrics)")
    #expect(metrics.count == (kind == "keypointMetrics" ? 10 : 12))
  }

  @Test func masksAreMeasured() throws {
    let found = try Found("segment-yolo11-onnx")
    defer { found.folder.remove() }
    let document = try found.evaluated(found.annotations(["segmentation"]))
    try Self.expect(document, "maskMetrics", 0.999)
    #expect(document["notes"] == nil && document["keypointMetrics"] == nil)
    // Without masks there is a word about it, and boxes are measured.
    let without = try found.evaluated(found.annotations([]))
    #expect(without["maskMetrics"] == nil)
    #expect(
      without["notes"] as? [String]
        == ["masks are not measured: image 4: an object has no mask"])
  }

  @Test func outlinesInLabelsOfYOLOAreMeasured() throws {
    let found = try Found("segment-yolo11-onnx", ["--masks", "polygon"])
    defer { found.folder.remove() }
    let labels = try found.labels { object in
      // The longest ring: labels have one.
      let rings = try #require(object["segmentation"] as? [[Double]])
      let ring = try #require(rings.max { $0.count < $1.count })
      return ring.enumerated().map { $1 / ($0 % 2 == 0 ? found.size.width : found.size.height) }
    }
    let document = try found.evaluated(labels)
    let metrics = try #require(document["maskMetrics"] as? [String: Double])
    #expect(try #require(metrics["AP50"]) > 0.8, "\(metrics)")
  }

  @Test func keyPointsAreMeasured() throws {
    let found = try Found("pose-yolo11-coreml-half")
    defer { found.folder.remove() }
    try Self.expect(
      found.evaluated(found.annotations(["keypoints"])), "keypointMetrics", 0.999)
  }

  @Test func turnedBoxesInLabelsOfYOLOAreMeasured() throws {
    let found = try Found("obb-yolo11-onnx")
    defer { found.folder.remove() }
    let labels = try found.labels { object in
      try #require(object["corners"] as? [[Double]]).flatMap {
        [$0[0] / found.size.width, $0[1] / found.size.height]
      }
    }
    let document = try found.evaluated(labels)
    let metrics = try #require(document["cornerMetrics"] as? [String: Double], "\(document)")
    #expect(try #require(metrics["AP"]) > 0.999, "\(metrics)")
  }
}
