// Fovea - tests of commands about maps, pictures and embeddings.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaTestSupport
import Testing

/// Networks of one operation: maps are known without running them.
@Suite struct MapCommandTests {
  private static let (rows, columns) = (8, 10)

  /// A network on a picture of 10 x 8 pixels whose levels it reads as they are.
  private static func network(
    _ shape: [Int], _ metadata: [String: String] = [:], _ add: (inout ONNXWriter) -> Void
  ) -> [UInt8] {
    var writer = ONNXWriter()
    writer.input("x", [1, 3, rows, columns])
    add(&writer)
    writer.output("y", shape)
    writer.metadata("fovea.picture.scale", "1")
    for (key, value) in metadata { writer.metadata(key, value) }
    return writer.bytes
  }

  /// Scores of the classes red, green and blue: the picture itself.
  private static let colors = network(
    [1, 3, rows, columns], ["task": "semantic", "names": "{0: 'red', 1: 'green', 2: 'blue'}"]
  ) { $0.add("Identity", ["x"]) }

  /// The greatest color, as a depth of unknown measure.
  private static let depth = network([1, 1, rows, columns]) { writer in
    writer.integers("axes", [1])
    writer.add("ReduceMax", ["x", "axes"], ["y"], ["keepdims": .int(1)])
  }

  /// The picture upside down in color.
  private static let negative = network([1, 3, rows, columns]) { writer in
    writer.floats("white", [255], [])
    writer.floats("low", [0], [])
    writer.add("Sub", ["white", "x"], ["n"])
    writer.add("Clip", ["n", "low", "white"])
  }

  /// The mean color, of length 1.
  private static let embedding = network([1, 3]) { writer in
    writer.integers("axes", [2, 3])
    writer.integers("row", [1])
    writer.add("ReduceMean", ["x", "axes"], ["mean"], ["keepdims": .int(0)])
    writer.add("ReduceL2", ["mean", "row"], ["length"], ["keepdims": .int(1)])
    writer.add("Div", ["mean", "length"])
  }

  /// Red on the left, green on the right.
  private static func picture(_ width: Int = columns) throws -> Image {
    let row = (0..<width).flatMap { $0 < width / 2 ? [200, 10, 20] : [30, 180, 5] as [UInt8] }
    return try Image(
      width: width, height: rows, rgb: (0..<rows).flatMap { _ in row })
  }

  private struct Files {
    let folder: TemporaryFolder
    let model: String
    let picture: String

    init(_ model: [UInt8]) throws {
      folder = try TemporaryFolder()
      self.model = try folder.write("network.onnx", model)
      picture = folder.path("picture.png")
      try MapCommandTests.picture().write(to: picture, as: .png)
    }
  }

  @Test func segmentPrintsAndWritesClasses() throws {
    let files = try Files(Self.colors)
    defer { files.folder.remove() }
    let (map, drawing) = (files.folder.path("map.png"), files.folder.path("drawn.jpg"))
    let run = try CommandRun.fovea([
      "segment", files.model, files.picture, "-o", map, "--draw", drawing,
    ])
    #expect(run.status == 0 && run.output.contains("red    50.0 %      40"), "\(run)")
    #expect(run.errors.contains("wrote \(map)"))
    // Classes 0 and 1 of Pascal VOC's palette.
    let written = try Image(contentsOf: map)
    #expect(written.rgb[0..<3] == [0, 0, 0] && written.rgb[27..<30] == [128, 0, 0])
    #expect(try Image(contentsOf: drawing).width == Self.columns)
    let json = try CommandRun.fovea([
      "segment", "--model", files.model, files.picture, files.folder.path("none.png"), "--json",
      "--roi", "0,0,0.5,1",
    ])
    #expect(json.status == 1)
    let document = try json.json()
    #expect(document["because"] as? String == "its metadata have task = semantic")
    #expect((document["errors"] as? [Any])?.count == 1)
    let image = try #require((document["images"] as? [[String: Any]])?.first)
    let classes = try #require(image["classes"] as? [[String: Any]])
    #expect(classes.count == 1 && classes[0]["label"] as? String == "red")
    #expect(image["unassignedPixels"] as? Int == 40)
  }

  /// The legend lies in the upper left corner; elsewhere are the colors of the classes.
  @Test func drawnClassesHaveALegend() throws {
    let files = try Files(Self.colors)
    defer { files.folder.remove() }
    let picture = files.folder.path("large.png")
    let red = [UInt8](repeating: 0, count: 320 * 240 * 3).indices.map {
      $0 % 3 == 0 ? 200 : 0 as UInt8
    }
    try Image(width: 320, height: 240, rgb: red).write(to: picture, as: .png)
    let drawing = files.folder.path("drawn.png")
    let run = try CommandRun.fovea(["segment", files.model, picture, "--draw", drawing])
    #expect(run.status == 0 && run.complaints == "", "\(run.errors)")
    let drawn = try Image(contentsOf: drawing)
    let plain = Array(drawn.rgb.suffix(3))
    let places = (0..<320 * 240).filter { Array(drawn.rgb[3 * $0..<3 * $0 + 3]) != plain }
    #expect(places.count > 300)
    #expect(places.allSatisfy { $0 % 320 < 160 && $0 / 320 < 60 })
  }

  @Test func depthWritesFloatsAndLevels() throws {
    let files = try Files(Self.depth)
    defer { files.folder.remove() }
    let (array, levels) = (files.folder.path("depth.npy"), files.folder.path("depth.png"))
    let run = try CommandRun.fovea(["depth", files.model, files.picture, "-o", array])
    #expect(run.status == 0 && run.output.contains("180.000 to 200.000 (relative)"), "\(run)")
    let depths = try Tensor(contentsOf: array)
    #expect(depths.shape == [Self.rows, Self.columns])
    #expect(depths.floats()[0] == 200 && depths.floats()[9] == 180)
    let json = try CommandRun.fovea([
      "depth", files.model, files.picture, "-o", levels, "--json", "--draw",
      files.folder.path("{}-seen.png"),
    ])
    let image = try #require((try json.json()["images"] as? [[String: Any]])?.first)
    let said = try #require(image["levels"] as? [String: Double])
    #expect(abs((said["step"] ?? 0) * 65_535 + (said["least"] ?? 0) - 200) < 1e-2)
    #expect(try Image(contentsOf: files.folder.path("picture-seen.png")).height == Self.rows)
    let wrong = try CommandRun.fovea(["depth", files.model, files.picture, "-o", "depth.tif"])
    #expect(wrong.status == 2 && wrong.errors.contains(".npy, .png"), "\(wrong.errors)")
  }

  @Test func transformWritesPictures() throws {
    let files = try Files(Self.negative)
    defer { files.folder.remove() }
    let output = files.folder.path("negative.png")
    let run = try CommandRun.fovea(["transform", files.model, files.picture, "-o", output])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Image(contentsOf: output).rgb == Self.picture().rgb.map { 255 - $0 })
    let wide = files.folder.path("wide.png")
    try Self.picture(20).write(to: wide, as: .png)
    let resized = try CommandRun.fovea([
      "transform", files.model, wide, "-o", output, "--resize", "--json",
    ])
    #expect(resized.status == 0)
    #expect(try Image(contentsOf: output).width == 20)
    // Three channels without a range are no picture by themselves.
    let plain = try files.folder.write(
      "plain.onnx", Self.network([1, 3, Self.rows, Self.columns]) { $0.add("Identity", ["x"]) })
    let refused = try CommandRun.fovea(["transform", plain, files.picture, "-o", output])
    #expect(refused.status == 1 && refused.errors.contains("--task image"), "\(refused.errors)")
    let insisting = try CommandRun.fovea([
      "transform", plain, files.picture, "-o", output, "--task", "image",
    ])
    #expect(insisting.status == 2 && insisting.errors.contains("--output-scale"))
    let scaled = try CommandRun.fovea([
      "transform", plain, files.picture, "-o", output, "--output-scale", "1",
    ])
    #expect(scaled.status == 0, "\(scaled.errors)")
    #expect(try Image(contentsOf: output).rgb == Self.picture().rgb)
  }

  @Test func embedComparesPictures() throws {
    let files = try Files(Self.embedding)
    defer { files.folder.remove() }
    let other = files.folder.path("other.png")
    try Image(width: 1, height: 1, rgb: [0, 0, 90]).write(to: other, as: .png)
    let array = files.folder.path("rows.npy")
    let run = try CommandRun.fovea(["embed", files.model, files.picture, other, "-o", array])
    #expect(run.status == 0, "\(run.errors)")
    let rows = try Tensor(contentsOf: array)
    #expect(rows.shape == [2, 3])
    let mean: [Float] = [115, 95, 12.5]
    let length = mean.reduce(0) { $0 + $1 * $1 }.squareRoot()
    for (found, expected) in zip(rows.floats(), mean.map { $0 / length } + [0, 0, 1]) {
      #expect(abs(found - expected) < 1e-5)
    }
    #expect(run.output.contains(String(format: "%.4f", 1 - mean[2] / length)), "\(run.output)")
    let classes = try CommandRun.fovea(["classify", files.model, files.picture])
    #expect(classes.status == 1 && classes.errors.contains("fovea embed"), "\(classes.errors)")
  }

  @Test func inspectSaysWhatANetworkIsFor() throws {
    let files = try Files(Self.depth)
    defer { files.folder.remove() }
    let run = try CommandRun.fovea(["inspect", files.model])
    #expect(run.output.contains("task: depth, because"), "\(run.output)")
    #expect(run.output.contains("'fovea depth'"))
    let scaled = try files.folder.write("colors.mlmodel", ColorClassifier.bytes())
    let classifier = try CommandRun.fovea(["inspect", scaled, "--json"])
    let task = try #require(try classifier.json()["task"] as? [String: Any])
    #expect(task["name"] as? String == "classify" && task["pixels"] is String, "\(task)")
  }
}
