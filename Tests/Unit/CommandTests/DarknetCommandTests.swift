// Fovea - tests of the command on Darknet's networks, and on files that are no models.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct DarknetCommandTests {
  private static let cfg = SharedData.url("models/yolo-fastest-1.1.cfg").path
  private static let weights = SharedData.url("models/yolo-fastest-1.1.weights").path
  private static let coreML = SharedData.url("models/yolo-fastest-1.1-raw.mlmodel").path
  private static let picture = SharedData.url("images/dog.jpg").path

  private struct Found {
    var label: String
    var confidence: Double
    var box: [Double]
  }

  private func detect(_ model: String, _ options: String...) throws -> [Found] {
    let run = try CommandRun.fovea(
      ["detect", "--json", "--model", model, Self.picture] + options)
    #expect(run.status == 0, "\(run.errors)")
    let images = try #require(try run.json()["images"] as? [[String: Any]])
    return try #require(images[0]["objects"] as? [[String: Any]]).map { object in
      Found(
        label: try #require(object["label"] as? String),
        confidence: try #require(object["confidence"] as? Double),
        box: try #require(object["bbox"] as? [Double]))
    }
  }

  /// The same weights as a Core ML model find the same objects.
  @Test func objectsAreThoseOfCoreML() throws {
    let expected = try detect(Self.coreML)
    #expect(expected.count >= 3)
    for path in [Self.cfg, Self.weights] {
      let found = try detect(path)
      #expect(found.map(\.label) == expected.map(\.label))
      for (one, other) in zip(found, expected) {
        #expect(abs(one.confidence - other.confidence) < 1e-3)
        #expect(zip(one.box, other.box).allSatisfy { abs($0 - $1) < 0.5 })
      }
    }
  }

  @Test func picturesOfOtherSizesAreDetectedIn() throws {
    #expect(try detect(Self.cfg, "--size", "416x416").contains { $0.label == "dog" })
    #expect(try detect(Self.cfg, "--match-aspect").contains { $0.label == "dog" })
    let run = try CommandRun.fovea([
      "detect", "--model", Self.cfg, Self.picture, "--size", "100x100",
    ])
    #expect(run.status == 1)
    #expect(run.errors.contains("multiples of 32"), "\(run.errors)")
  }

  @Test func inspectAndRunReadBothFiles() throws {
    let inspected = try CommandRun.fovea(["inspect", "--json", Self.cfg])
    #expect(inspected.status == 0, "\(inspected.errors)")
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let run = try CommandRun.fovea([
      "run", Self.weights, "--input", "image=\(Self.picture)", "--output-dir", folder.path("out"),
    ])
    #expect(run.status == 0, "\(run.errors)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
    #expect(Set(files).isSuperset(of: ["confidence.npy", "coordinates.npy"]), "\(files)")
  }

  static let badNetworks: [String] = {
    guard SharedData.isPresent else { return [] }
    return (try? SharedData.files(in: "mlprogram/bad/darknet", suffix: ".cfg")) ?? []
  }()

  @Test(arguments: badNetworks)
  func brokenNetworkIsRefused(_ name: String) throws {
    let path = SharedData.url("mlprogram/bad/darknet/\(name)").path
    BadFileTests.expectOneClearLine(try CommandRun.fovea(["inspect", path]), path)
  }

  @Test func otherFilesAreNamed() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let alone = folder.path("alone.cfg")
    _ = try folder.write("alone.cfg", Array("[net]\nwidth=32\n".utf8))
    try FileManager.default.createDirectory(
      atPath: folder.path("saved"), withIntermediateDirectories: true)
    _ = try folder.write("saved/saved_model.pb", [8, 1])
    for (path, words) in [
      (alone, "no alone.weights"), (Self.picture, "a picture (JPEG)"),
      (SharedData.url("models/coco.names").path, "a text file"),
      (folder.path("saved"), "a SavedModel of TensorFlow"),
    ] {
      let run = try CommandRun.fovea(["inspect", path])
      BadFileTests.expectOneClearLine(run, path)
      #expect(run.errors.contains(words), "\(run.errors)")
    }
  }
}
