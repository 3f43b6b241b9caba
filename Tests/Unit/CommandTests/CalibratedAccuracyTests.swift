// Fovea - tests of what a calibrated detector finds in labeled images that its calibration has not seen.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing

/// Either half of the 128 images, by name, calibrates; COCO's numbers are those of the other half.
@Suite(.enabled(if: SharedData.isPresent && BuildConfiguration.isSwiftOptimized))
struct CalibratedAccuracyTests {
  private static let images = "coco128-train/images"

  /// The names of one half, written as a list of paths and as annotations of its images alone.
  private struct Half {
    var list: String
    var annotations: String

    init(_ names: Set<String>, in work: TemporaryFolder, called name: String) throws {
      let folder = CalibratedAccuracyTests.images
      let paths = names.sorted().map { SharedData.url("\(folder)/\($0)").path }
      list = try work.write(name + ".txt", Array(paths.joined(separator: "\n").utf8))
      var document = try #require(
        try SharedData.json("coco128-train/instances.json") as? [String: Any])
      let images = try #require(document["images"] as? [[String: Any]])
      let kept = images.filter { names.contains($0["file_name"] as? String ?? "") }
      let numbers = Set(kept.compactMap { $0["id"] as? Int })
      let objects = try #require(document["annotations"] as? [[String: Any]])
      document["images"] = kept
      document["annotations"] = objects.filter { numbers.contains($0["image_id"] as? Int ?? -1) }
      let bytes = try JSONSerialization.data(withJSONObject: document)
      annotations = try work.write(name + ".json", Array(bytes))
      #expect(kept.count == names.count)
    }
  }

  private func metrics(_ model: String, _ half: Half) throws -> [String: Double] {
    let run = try CommandRun.fovea([
      "evaluate", model, "--annotations", half.annotations, "--images",
      SharedData.url(Self.images).path, "--json",
    ])
    #expect(run.status == 0, "\(run.errors)")
    return try #require(try run.json()["metrics"] as? [String: Double])
  }

  /// Both models and both halves in the thorough tier; one of each in the others.
  @Test(
    arguments: ["yolo-fastest-1.1-xl", "yolo-fastest-1.1-xl-Int8LUT"].prefix(
      TestTier.isThorough ? 2 : 1))
  func denseLayersOf16BitsKeepThePrecision(_ name: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let model = SharedData.url("models/\(name).mlmodel").path
    let names = try SharedData.files(in: Self.images, suffix: ".jpg").sorted()
    let halves = [
      try Half(Set(names.prefix(64)), in: folder, called: "first"),
      try Half(Set(names.suffix(64)), in: folder, called: "last"),
    ]
    let turns = [(halves[0], halves[1]), (halves[1], halves[0])]
    for (seen, unseen) in turns.prefix(TestTier.isThorough ? 2 : 1) {
      let compiled = folder.path("detector.fovea")
      let run = try CommandRun.fovea([
        "compile", model, "-o", compiled, "--calibrate", seen.list, "--float-share", "0.05",
        "--int16-share", "0.95",
      ])
      #expect(run.status == 0, "\(run.errors)")
      let (float, integer) = (try metrics(model, unseen), try metrics(compiled, unseen))
      for (number, most) in [("AP", 0.004), ("AP50", 0.006)] {
        let change = try #require(integer[number]) - #require(float[number])
        #expect(abs(change) <= most, "\(number): \(change)")
      }
    }
  }
}
