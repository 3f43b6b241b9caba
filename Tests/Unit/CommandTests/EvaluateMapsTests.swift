// Fovea - tests of fovea evaluate on classifiers and maps.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaExampleModel
import FoveaImaging
import FoveaTestSupport
import Testing

@Suite struct EvaluateMapsTests {
  private static func evaluate(_ arguments: [String]) throws -> [String: Any] {
    let run = try CommandRun.fovea(["evaluate"] + arguments + ["--json"])
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    return try run.json()
  }

  private static func metrics(_ document: [String: Any]) throws -> [String: Double] {
    try #require(document["metrics"] as? [String: Double])
  }

  private static func plain(_ color: [UInt8]) -> [UInt8] {
    UncompressedPNG.encode(width: 4, height: 4, pixels: (0..<16).flatMap { _ in color })
  }

  /// A picture of one color is of the class of its color.
  @Test func classifiersAreMeasuredOnFoldersOfClasses() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let model = try folder.write("colors.mlmodel", ColorClassifier.bytes())
    _ = try folder.write("images/green/a.png", Self.plain([0, 255, 0]))
    _ = try folder.write("images/green/b.png", Self.plain([255, 0, 0]))
    _ = try folder.write("images/Red/c.png", Self.plain([255, 0, 0]))
    let document = try Self.evaluate([model, "--images", folder.path("images")])
    #expect(document["images"] as? Int == 3 && document["categoriesBy"] as? String == "name")
    #expect(try Self.metrics(document) == ["top1": 2.0 / 3, "top5": 1])
    let classes = try #require(document["categories"] as? [[String: Any]])
    #expect(Set(classes.compactMap { $0["name"] as? String }) == ["green", "red"])

    let text = try CommandRun.fovea(["evaluate", model, "--images", folder.path("images")])
    #expect(text.status == 0 && text.output.contains("top1     0.6667"))
    let annotated = try CommandRun.fovea([
      "evaluate", model, "--images", folder.path("images"), "--annotations", "x.json",
    ])
    #expect(annotated.status == 2 && annotated.errors.contains("MODEL is a classifier"))
    for (options, purpose) in [
      (["--report", "page"], "networks that find objects"),
      (["--confidence", "0.5"], "networks that find objects"),
      (["--levels-per-meter", "256"], "networks of depths"),
    ] {
      let run = try CommandRun.fovea(
        ["evaluate", model, "--images", folder.path("images")] + options)
      #expect(run.status == 2 && run.errors.contains("\(options[0]) is for \(purpose)"))
    }
    _ = try folder.write("images/violet/d.png", Self.plain([255, 0, 255]))
    let stranger = try CommandRun.fovea(["evaluate", model, "--images", folder.path("images")])
    #expect(stranger.status == 1 && stranger.errors.contains("images/violet: is no class"))
    let flat = try CommandRun.fovea(["evaluate", model, "--images", folder.path("images/green")])
    #expect(flat.status == 1 && flat.errors.contains("holds no folders"))
  }

  private static func copy(_ name: String, to folder: TemporaryFolder) throws -> String {
    let source = SharedData.url("tasks/\(name)")
    for place in ["images", "maps"] {
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent(place), withIntermediateDirectories: true)
    }
    try FileManager.default.copyItem(
      atPath: source.path + "/input.png", toPath: folder.path("images/a.png"))
    return source.path
  }

  @Test(.enabled(if: SharedData.isPresent)) func mapsOfClassesAreMeasured() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let source = try Self.copy("semantic-yolo26-onnx-map", to: folder)
    try FileManager.default.copyItem(
      atPath: source + "/classes.png", toPath: folder.path("maps/a.png"))
    let arguments = [
      source + "/model.onnx", "--images", folder.path("images"), "--annotations",
      folder.path("maps"),
    ]
    let metrics = try Self.metrics(Self.evaluate(arguments))
    #expect(try #require(metrics["meanIoU"]) > 0.99)
    #expect(try #require(metrics["pixelAccuracy"]) > 0.995)
    // A picture of colors is no map of classes, and a missing map is named.
    try FileManager.default.removeItem(atPath: folder.path("maps/a.png"))
    let missing = try CommandRun.fovea(["evaluate"] + arguments)
    #expect(missing.status == 1 && missing.errors.contains("images/a.png: has no map in"))
    try FileManager.default.copyItem(
      atPath: folder.path("images/a.png"), toPath: folder.path("maps/a.png"))
    let colors = try CommandRun.fovea(["evaluate"] + arguments)
    #expect(colors.status == 1 && colors.errors.contains("its pixels are no plain numbers"))
  }

  @Test(.enabled(if: SharedData.isPresent)) func depthsAreMeasured() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let source = try Self.copy("depth-yolo26-onnx", to: folder)
    try FileManager.default.copyItem(
      atPath: source + "/depth.npy", toPath: folder.path("maps/a.npy"))
    let arguments = [
      source + "/model.onnx", "--images", folder.path("images"), "--annotations",
      folder.path("maps"),
    ]
    #expect(try #require(Self.metrics(Self.evaluate(arguments))["absoluteRelativeError"]) < 1e-3)
    // Levels of 1/256 of a meter, of depths that are all a fifth too large.
    try FileManager.default.removeItem(atPath: folder.path("maps/a.npy"))
    let run = try CommandRun.fovea([
      "depth", source + "/model.onnx", folder.path("images/a.png"), "-o", folder.path("own.npy"),
    ])
    #expect(run.status == 0)
    let own = try NPYFile.floats(folder.path("own.npy"))
    let levels = own.values.map { UInt16((Double($0) * 1.25 * 256).rounded()) }
    _ = try folder.write(
      "maps/a.png", PNGMaps.gray16(width: own.width, height: own.height, samples: levels))
    let far = try Self.metrics(Self.evaluate(arguments + ["--levels-per-meter", "256"]))
    #expect(abs(try #require(far["absoluteRelativeError"]) - 0.2) < 0.005, "\(far)")
    // Two maps of one image.
    _ = try folder.write("maps/a.npy", [1, 2, 3])
    let both = try CommandRun.fovea(["evaluate"] + arguments)
    #expect(both.status == 1 && both.errors.contains("a.npy is a map of the same image"))
  }
}

/// The floats of a .npy file of two dimensions, read by the layout of its format.
private enum NPYFile {
  static func floats(_ path: String) throws -> (width: Int, height: Int, values: [Float]) {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let length = Int(bytes[8]) | Int(bytes[9]) << 8
    let header = String(decoding: bytes[10..<10 + length], as: UTF8.self)
    try #require(header.contains("'<f4'"))
    let shape = header.split(separator: "(")[1].split(separator: ")")[0].split(separator: ",")
      .compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    let data = bytes[(10 + length)...]
    let values = stride(from: data.startIndex, to: data.endIndex, by: 4).map { place in
      Float(
        bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(data[place + $1]) << UInt32(8 * $1) })
    }
    return (shape[1], shape[0], values)
  }
}
