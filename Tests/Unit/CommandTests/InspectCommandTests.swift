// Fovea - tests of fovea inspect.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing

@Suite struct InspectCommandTests {
  @Test func reportSaysWhatTheExampleIs() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let run = try CommandRun.fovea(["inspect", "--backend", "blas", files.model])
    #expect(run.status == 0)
    for text in [
      "neuralNetwork", "nonMaximumSuppression", "image rgb", "iouThreshold", "optional",
      "red square, green square, blue square", "confidence 0.25, IoU 0.45, within each class",
      "8-bit lookup table", "planned memory", "classes: red square,green square,blue square",
    ] {
      #expect(run.output.contains(text), "\(text) is missing in \(run.output)")
    }
  }

  @Test func jsonAddsUp() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let document = try CommandRun.fovea(["inspect", "--json", files.model]).json()
    let layers = try #require(document["layers"] as? [[String: Any]])
    let work = layers.compactMap { $0["multiplyAccumulates"] as? Int }.reduce(0, +)
    #expect(work == document["multiplyAccumulates"] as? Int)
    // The products of the four convolutions: 1 x 1 at 160 x 160, then three windows of 12 x 12.
    let convolutions = 160 * 160 * 9 + 40 * 40 * 144 * (3 + 2 * 3 + 2 * 3)
    #expect(work >= convolutions && work < convolutions * 11 / 10)
    let memory = try #require(document["memory"] as? [String: Int])
    let parts = (memory["weightBytes"] ?? 0) + (memory["arenaBytes"] ?? 0)
    let total = try #require(memory["totalBytes"])
    #expect(parts < total && total < parts + 65_536, "bookkeeping is a few bytes an operation")
    #expect(try #require(memory["workspaceBytes"]) <= memory["arenaBytes"] ?? 0)
    #expect((document["stages"] as? [Any])?.count == 2)
    #expect((document["labels"] as? [String])?.count == 3)
  }

  @Test(arguments: ["reference", "blas"])
  func profileAccountsForTheTime(_ backend: String) throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let options = ["--profile", "--runs", "2", "--threads", "2", "--backend", backend]
    let text = try CommandRun.fovea(["inspect", files.model] + options)
    #expect(text.status == 0)
    #expect(text.output.contains("inside sgemm"))
    let document = try CommandRun.fovea(["inspect", "--json", files.model] + options).json()
    let profile = try #require(document["profile"] as? [String: Any])
    #expect(profile["runs"] as? Int == 2 && profile["threads"] as? Int == 2)
    let share = try #require(profile["multiplicationShare"] as? Double)
    // Small convolutions are no matrix products in any backend; in `reference` none is.
    #expect((0...1).contains(share) && (backend != "reference" || share == 0))
    let layers = try #require(profile["layers"] as? [[String: Any]])
    #expect(layers.count == (document["layers"] as? [Any])?.count)
  }

  static let sharedModels: [String] = {
    guard SharedData.isPresent else { return [] }
    return ["models", "models/fixtures", "odd"].flatMap { folder in
      ((try? SharedData.files(in: folder, suffix: ".mlmodel")) ?? []).map { folder + "/" + $0 }
    }
  }()

  @Test(.enabled(if: SharedData.isPresent), arguments: sharedModels)
  func everyModelCanBeInspected(_ model: String) throws {
    let run = try CommandRun.fovea(["inspect", SharedData.url(model).path])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors == "")
    #expect(run.output.contains("layers:\n  index  operation"))
    #expect(run.output.contains("planned memory"))
  }

  @Test(.enabled(if: SharedData.isPresent))
  func packedWeightsOfTheLargeModelFitTheirBudget() throws {
    let path = SharedData.url("models/yolov3-tiny-random-Int8LUT.mlmodel").path
    let document = try CommandRun.fovea(["inspect", "--json", "--backend", "blas", path]).json()
    let memory = try #require(document["memory"] as? [String: Int])
    #expect(try #require(memory["totalBytes"]) < 24 * 1024 * 1024)
  }
}
