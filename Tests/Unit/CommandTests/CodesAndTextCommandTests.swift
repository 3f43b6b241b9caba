// Fovea - tests of the commands with the detector that Fovea ships.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing

@Suite struct CodesAndTextCommandTests {
  static let model = path("Sources/Models/CCodesAndText/CodesAndText.mlmodel")
  static let example = path("Sources/Models/CCodesAndText/Examples/table-3.jpg")

  static func path(_ name: String) -> String {
    SharedData.packageRoot.appendingPathComponent(name).path
  }

  @Test func detectNeedsNoModel() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let drawing = folder.path("found.png")
    let run = try CommandRun.fovea(["detect", Self.example, "--draw", drawing])
    #expect(run.status == 0 && run.complaints == "")
    for label in ["qrCode", "barcode", "document"] {
      #expect(run.output.contains("  \(label)"), "\(run.output)")
    }
    let size = try FileManager.default.attributesOfItem(atPath: drawing)[.size] as? Int
    #expect(try #require(size) > 10_000)
  }

  /// The detector inside is the file: the same boxes, under its own name.
  @Test func detectorInsideIsTheFile() throws {
    func objects(_ arguments: [String]) throws -> (model: String?, objects: NSArray?) {
      let run = try CommandRun.fovea(["detect", "--json", Self.example] + arguments)
      let image = (try run.json()["images"] as? [[String: Any]])?.first
      return (image?["model"] as? String, image?["objects"] as? NSArray)
    }
    let inside = try objects([])
    let file = try objects(["--model", Self.model])
    #expect(inside.model == "CodesAndText" && file.model == Self.model)
    #expect(try #require(inside.objects).count > 0)
    #expect(inside.objects == file.objects)
  }

  @Test(.enabled(if: BuildConfiguration.isOptimized))
  func detectorInsideCanBeCalibrated() throws {
    let run = try CommandRun.fovea([
      "detect", "--json", "--calibrate", Self.path("Sources/Models/CCodesAndText/Examples"),
      Self.example,
    ])
    #expect(run.status == 0)
    let image = (try run.json()["images"] as? [[String: Any]])?.first
    #expect(image?["backend"] as? String == "int8")
    #expect((image?["objects"] as? NSArray)?.count ?? 0 > 0)
  }

  @Test func seeNeedsNoModel() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let run = try CommandRun.fovea(["see", Self.example, "-o", folder.path("seen.png")])
    #expect(run.status == 0 && run.complaints == "")
    #expect(run.output.contains("416 x 416"))
  }
}

@Suite struct HeldOutAccuracyTests {
  /// On images whose seeds were never trained on: what the model card promises.
  @Test(.enabled(if: BuildConfiguration.isSwiftOptimized, "a hundred images take minutes"))
  func averagePrecisionIsWhatTheModelCardSays() throws {
    let float = try Self.metrics("float"), int8 = try Self.metrics("int8")
    #expect(float.all["AP50"] ?? 0 >= 0.898, "\(float)")
    #expect(float.all["AP"] ?? 0 >= 0.62, "\(float)")
    let least = [
      "qrCode": 0.93, "barcode": 0.96, "dataMatrix": 0.885, "textLine": 0.85, "document": 0.84,
    ]
    for (name, least) in least { #expect(float.classes[name] ?? 0 >= least, "\(float)") }
    #expect(abs((float.all["AP"] ?? 0) - (int8.all["AP"] ?? 1)) <= 0.005, "\(int8)")
  }

  /// COCO's numbers, and AP50 of each class.
  static func metrics(_ backend: String) throws -> (
    all: [String: Double], classes: [String: Double]
  ) {
    let folder = CodesAndTextCommandTests.path("Benchmarks/HeldOut")
    let run = try CommandRun.fovea([
      "evaluate", CodesAndTextCommandTests.model, "--annotations", folder + "/instances.json",
      "--images", folder + "/images", "--backend", backend, "--json",
    ])
    let document = try run.json()
    let categories = document["categories"] as? [[String: Any]] ?? []
    let classes = categories.map { category in
      let metrics = category["metrics"] as? [String: Double]
      return (category["name"] as? String ?? "", metrics?["AP50"] ?? 0)
    }
    return (
      document["metrics"] as? [String: Double] ?? [:], Dictionary(uniqueKeysWithValues: classes)
    )
  }
}
