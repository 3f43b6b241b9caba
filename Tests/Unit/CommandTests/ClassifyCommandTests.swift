// Fovea - tests of fovea classify.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaExampleModel
import FoveaTestSupport
import Testing

@Suite struct ClassifyCommandTests {
  /// A classifier and a green picture.
  private func files() throws -> (folder: TemporaryFolder, model: String, picture: String) {
    let folder = try TemporaryFolder()
    let green = (0..<16).flatMap { _ in [0, 255, 0] as [UInt8] }
    return (
      folder, try folder.write("colors.mlmodel", ColorClassifier.bytes()),
      try folder.write("green.png", UncompressedPNG.encode(width: 4, height: 4, pixels: green))
    )
  }

  @Test func theMostProbableClassesArePrinted() throws {
    let (folder, model, picture) = try files()
    defer { folder.remove() }
    let text = try CommandRun.fovea(["classify", model, picture, "--top", "1"])
    #expect(text.status == 0 && text.output.contains("green"), "\(text.errors)")
    #expect(!text.output.contains("red"))
    let document = try CommandRun.fovea(
      ["classify", model, picture, folder.path("none.png"), "--json", "--backend", "reference"])
    #expect(document.status == 1)
    let json = try document.json()
    #expect(json["backend"] as? String == "reference")
    #expect((json["errors"] as? [Any])?.count == 1)
    let images = try #require(json["images"] as? [[String: Any]])
    let classes = try #require(images.first?["classes"] as? [[String: Any]])
    #expect(classes.compactMap { $0["label"] as? String } == ["green", "red", "blue"])
    let probability = try #require(classes.first?["probability"] as? Double)
    let expected = exp(1.0) / (exp(1.0) + 2)
    #expect(abs(probability - expected) < 1e-6)
  }

  @Test func eachCommandSendsToTheOther() throws {
    let (folder, model, picture) = try files()
    defer { folder.remove() }
    let detection = try CommandRun.fovea(["detect", "--model", model, picture])
    #expect(detection.status == 1 && detection.errors.contains("fovea classify"))
    let detector = try folder.write("shapes.mlmodel", ShapesDetector.modelBytes())
    let classification = try CommandRun.fovea(["classify", detector, picture])
    #expect(classification.status == 1 && classification.errors.contains("fovea detect"))
  }
}
