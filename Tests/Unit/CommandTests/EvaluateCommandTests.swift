// Fovea - tests of fovea evaluate and fovea compare.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaExampleModel
import FoveaTestSupport
import Testing

@Suite struct EvaluateCommandTests {
  /// The example's image with its objects as COCO annotations; categories in another order than the
  /// model's classes, and with gaps.
  static func annotations(_ files: ExampleFiles, width: Int = 480) throws -> String {
    let names = Array(ShapesDetector.labels.reversed())
    let categories = names.enumerated().map { #"{"id":\#(3 * $0 + 2),"name":"\#($1)"}"# }
    let objects = files.shapes.objects.enumerated().map { number, object in
      let category = 3 * (names.firstIndex(of: object.label) ?? -1) + 2
      return #"{"id":\#(number + 1),"image_id":9,"category_id":\#(category),"#
        + #""bbox":[\#(object.x),\#(object.y),\#(object.side),\#(object.side)],"iscrowd":0}"#
    }
    let text = """
      {"images":[{"id":9,"file_name":"shapes.png","width":\(width),"height":360}],
       "categories":[\(categories.joined(separator: ","))],
       "annotations":[\(objects.joined(separator: ","))]}
      """
    return try files.folder.write("instances.json", Array(text.utf8))
  }

  /// Every drawn object is found, and nothing else above 0.25: at the overlap of 0.5 all is right.
  @Test func exampleIsFoundEntirely() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let annotations = try Self.annotations(files)
    let run = try CommandRun.fovea([
      "evaluate", files.model, "--annotations", annotations, "--images", files.folder.url.path,
      "--confidence", "0.25", "--json",
    ])
    #expect(run.status == 0 && run.errors == "")
    let document = try run.json()
    let metrics = try #require(document["metrics"] as? [String: Double])
    #expect(metrics.count == 12)
    #expect(abs(try #require(metrics["AP50"]) - 1) < 1e-9)
    let precision = try #require(metrics["AP"])
    #expect(precision > 0.1 && precision <= 1)
    let settings = try #require(document["settings"] as? [String: Any])
    #expect(settings["categoriesBy"] as? String == "name")
    let categories = try #require(document["categories"] as? [[String: Any]])
    #expect(categories.compactMap { $0["objects"] as? Int }.reduce(0, +) == 6)
    #expect(Set(categories.compactMap { $0["name"] as? String }) == Set(ShapesDetector.labels))
  }

  /// Other names, ids from 0 with gaps, in the order of the model's classes.
  @Test func categoriesOfOtherNamesAreTakenByTheirPlace() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let labels = ShapesDetector.labels
    var text = String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: Self.annotations(files))), as: UTF8.self)
    // The ids of "annotations" belong to the names in turned order.
    let list = labels.enumerated().map { place, name in
      let id = 3 * (labels.count - 1 - place) + 2
      return #"{"id":\#(id),"name":"thing \#(place)"}"#
    }
    let start = try #require(text.range(of: #""categories":["#)).upperBound
    let end = try #require(text.range(of: #"],\#n "annotations""#)).lowerBound
    text.replaceSubrange(start..<end, with: list.joined(separator: ","))
    let other = try files.folder.write("other.json", Array(text.utf8))
    let arguments = [
      "evaluate", files.model, "--annotations", other, "--images", files.folder.url.path,
      "--confidence", "0.25",
    ]
    let document = try CommandRun.fovea(arguments + ["--json"]).json()
    let metrics = try #require(document["metrics"] as? [String: Double])
    #expect(abs(try #require(metrics["AP50"]) - 1) < 1e-9)
    let settings = try #require(document["settings"] as? [String: Any])
    #expect(settings["categoriesBy"] as? String == "place")
    let lines = try CommandRun.fovea(arguments).output.split(separator: "\n")
    #expect(lines[0].hasSuffix("classes and categories by place"))
    #expect(
      lines[1].hasPrefix("no names agree, so classes are categories in the order of"))
    #expect(lines[1].contains("\(labels[0]) = thing 0, \(labels[1]) = thing 1"))
  }

  /// The same objects as YOLO's labels, counted in fractions of the image.
  @Test func labelsOfYOLOGiveTheSameNumbers() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let labels = files.folder.url.appendingPathComponent("labels")
    try FileManager.default.createDirectory(at: labels, withIntermediateDirectories: true)
    let lines = files.shapes.objects.map { object in
      let half = Double(object.side) / 2
      let numbers = [
        (Double(object.x) + half) / 480, (Double(object.y) + half) / 360,
        Double(object.side) / 480, Double(object.side) / 360,
      ]
      return "\(ShapesDetector.labels.firstIndex(of: object.label) ?? -1) "
        + numbers.map { "\($0)" }.joined(separator: " ")
    }
    try lines.joined(separator: "\n").write(
      to: labels.appendingPathComponent("shapes.txt"), atomically: true, encoding: .utf8)
    func metrics(_ annotations: String) throws -> [String: Double] {
      let run = try CommandRun.fovea([
        "evaluate", files.model, "--annotations", annotations, "--images", files.folder.url.path,
        "--json",
      ])
      return try #require(try run.json()["metrics"] as? [String: Double])
    }
    let (coco, yolo) = (try metrics(Self.annotations(files)), try metrics(labels.path))
    for (name, value) in coco { #expect(abs(value - (yolo[name] ?? .nan)) < 1e-9, "\(name)") }
  }

  @Test func filesThatDoNotFitAreFailures() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    func message(_ annotations: String) throws -> String {
      let run = try CommandRun.fovea([
        "evaluate", files.model, "--annotations", annotations, "--images", files.folder.url.path,
      ])
      #expect(run.status == 1 && run.output == "" && run.errorLines.count == 1)
      return run.errors
    }
    #expect(try message(Self.annotations(files, width: 481)).contains("480 x 360"))
    let picture = try message(files.image)
    #expect(
      picture.contains("is a picture (PNG), no file of annotations; these are read: Create ML"))
    #expect(try message(files.folder.path("none")).contains("no such file"))
    let empty = try TemporaryFolder()
    defer { empty.remove() }
    #expect(try message(empty.url.path).contains("holds no annotations"))
    let outside = #"{"images":[{"id":1,"file_name":"../a.png"}],"annotations":[],"categories":[]}"#
    let path = try files.folder.write("outside.json", Array(outside.utf8))
    #expect(try message(path).contains("inside the folder"))
  }

  @Test func wrongUsageIsToldApart() throws {
    for arguments in [
      ["evaluate"], ["evaluate", "m"], ["evaluate", "m", "--annotations", "a"],
      ["evaluate", "--annotations", "a"], ["evaluate", "m", "n", "--annotations", "a"],
      ["evaluate", "m", "--annotations", "a", "--detections", "d"],
      ["evaluate", "m", "--annotations", "a", "--images", "i", "--iou", "2"],
      ["compare"], ["compare", "m", "--images", "i"], ["compare", "m", "--backends", "float,int8"],
      ["compare", "m", "--backends", "float", "--images", "i"],
      ["compare", "m", "--backends", "float,", "--images", "i"],
      ["compare", "m", "n", "--backends", "float,int8,blas", "--images", "i"],
      ["compare", "m", "--backends", "float,blas", "--calibrate", "c", "--images", "i"],
    ] {
      let run = try CommandRun.fovea(arguments)
      #expect(run.status == 2 && run.output == "", "\(arguments)")
    }
  }

  @Test func exactBackendsAgree() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let run = try CommandRun.fovea([
      "compare", files.model, "--backends", "reference,float", "--images", files.folder.url.path,
      "--json",
    ])
    #expect(run.status == 0 && run.errors == "")
    let document = try run.json()
    let total = try #require(document["total"] as? [String: Any])
    #expect(
      total["matched"] as? Int == 6 && total["lost"] as? Int == 0 && total["new"] as? Int == 0)
    #expect(try #require(total["leastIoU"] as? Double) > 0.9999)
    #expect((document["images"] as? [Any])?.count == 1)
    #expect(
      (document["sides"] as? [[String: String]])?.map { $0["backend"] } == ["reference", "float"])
    let text = try CommandRun.fovea([
      "compare", files.model, files.model, "--images", files.folder.url.path,
    ])
    #expect(text.status == 0 && text.output.contains("shapes.png"))
  }

  @Test func layersAreComparedToo() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let arguments = ["compare", files.model, "--images", files.folder.url.path, "--layers"]
    let exact = try CommandRun.fovea(arguments + ["--backends", "reference,float", "--json"]).json()
    let layers = try #require(exact["layers"] as? [[String: Any]])
    #expect(layers.contains { $0["layer"] as? String == "evidence" })
    for layer in layers {
      #expect(layer["isExact"] as? Bool == true || layer["decibels"] as? Double ?? 0 > 90)
      #expect(layer["loss"] as? Double == 0)
    }
    #expect((exact["worstLayers"] as? [String])?.isEmpty == true)
    let text = try CommandRun.fovea(arguments + ["--backends", "float,int8"])
    #expect(text.status == 0 && text.output.contains("evidence"))
    let plain = try CommandRun.fovea(arguments.dropLast() + ["--backends", "float,int8", "--json"])
    #expect(try plain.json()["layers"] == nil)
    // A compiled file has forgotten what its values were.
    let compiled = files.folder.path("shapes.fovea")
    let made = try CommandRun.fovea(["compile", files.model, "-o", compiled])
    #expect(made.status == 0, "\(made.errors)")
    let refused = try CommandRun.fovea([
      "compare", files.model, compiled, "--images", files.folder.url.path, "--layers",
    ])
    #expect(refused.status == 1 && refused.errorLines.count == 1)
    #expect(refused.errors.contains("compiled file"))
  }

  /// The stored reference: torch, the README's sampling, pycocotools.
  @Test(.enabled(if: SharedData.isPresent), arguments: ["best_class", "multi_label"])
  func referenceOfPrecisionIsMet(_ rule: String) throws {
    let data = SharedData.url("coco128-train").path
    let run = try CommandRun.fovea(
      [
        "evaluate", SharedData.url("models/yolo-fastest-1.1-xl.mlmodel").path, "--annotations",
        data + "/instances.json", "--images", data + "/images", "--json",
      ] + (rule == "multi_label" ? ["--multi-label"] : []))
    let metrics = try #require(try run.json()["metrics"] as? [String: Double])
    let reference = try SharedData.json("references/map-coco128-train.json") as? [String: Any]
    let model = try #require(reference?["yolo-fastest-1.1-xl float32"] as? [String: Any])
    let expected = try #require(model[rule] as? [String: Double])
    #expect(expected.count == 12)
    for (name, value) in expected {
      #expect(abs(try #require(metrics[name]) - value) < 0.001, "\(name)")
    }
  }
}
