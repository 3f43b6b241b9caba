// Fovea - a program of 60 lines of C against `fovea detect`.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import Foundation
import FoveaTestSupport
import Testing

@Suite struct DetectInCTests {
  private struct Object: Equatable, CustomStringConvertible {
    var label: String
    var numbers: [Double]

    var description: String { "\(label) \(numbers)" }

    /// Both sides round: the score to a millionth, the box to a thousandth of a pixel.
    func agrees(with other: Object) -> Bool {
      label == other.label && numbers.count == 5 && other.numbers.count == 5
        && zip(zip(numbers, other.numbers), [2e-6, 0.002, 0.002, 0.002, 0.002]).allSatisfy {
          abs($0.0 - $0.1) <= $1
        }
    }
  }

  /// A model compiled, and the pixels of an image as a PPM for C and as a PNG for `fovea detect`.
  private func expectTheSameObjects(
    model: String, compile options: [String] = [], image path: String, atLeast count: Int
  ) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let compiled = folder.path("model.fovea")
    let compilation = try CommandRun.fovea(["compile", model, "-o", compiled] + options)
    try #require(compilation.status == 0, "\(compilation.errors)")
    let image = try Image(contentsOf: path)
    let png = try folder.write("image.png", image.pngBytes())
    let header = Array("P6\n\(image.width) \(image.height)\n255\n".utf8)
    let ppm = try folder.write("image.ppm", header + image.rgb)

    let inC = try CommandRun.fovea([compiled, ppm], product: "DetectInC")
    try #require(inC.status == 0 && inC.errors == "", "\(inC.errors)")
    let found = inC.output.split(separator: "\n").map { line in
      // A label may have spaces; the numbers are the last five words.
      let words = line.split(separator: " ")
      return Object(
        label: words.dropLast(5).joined(separator: " "),
        numbers: words.suffix(5).compactMap { Double($0) })
    }

    let inSwift = try CommandRun.fovea(["detect", "--json", "--model", compiled, png])
    let images = try #require(try inSwift.json()["images"] as? [[String: Any]])
    let objects = try #require(images.first?["objects"] as? [[String: Any]])
    let expected = objects.map { object in
      Object(
        label: object["label"] as? String ?? "",
        numbers: [object["confidence"] as? Double ?? -1] + (object["bbox"] as? [Double] ?? []))
    }
    #expect(found.count == expected.count && found.count >= count, "\(found) \(expected)")
    for (found, expected) in zip(found, expected) {
      #expect(found.agrees(with: expected), "\(found), expected \(expected)")
    }
  }

  /// Its metadata ask for box voting and soft suppression.
  @Test func theShippedDetectorFindsTheSame() throws {
    try expectTheSameObjects(
      model: CodesAndTextCommandTests.model, image: CodesAndTextCommandTests.example, atLeast: 3)
  }

  @Test(.enabled(if: BuildConfiguration.isOptimized))
  func integersFindTheSame() throws {
    try expectTheSameObjects(
      model: CodesAndTextCommandTests.model, compile: ["--backend", "int8"],
      image: CodesAndTextCommandTests.path("Sources/Models/CCodesAndText/Examples/table-1.jpg"),
      atLeast: 10)
  }

  /// The first has random weights and 127 objects in 80 classes, some labels of two words.
  @Test(
    .enabled(if: SharedData.isPresent),
    arguments: [("yolov3-tiny-random-Int8LUT", 100), ("yolo-fastest-1.1-xl", 3)])
  func realDetectorsFindTheSame(_ model: String, atLeast count: Int) throws {
    try expectTheSameObjects(
      model: SharedData.url("models/\(model).mlmodel").path,
      image: SharedData.url("images/dog.jpg").path, atLeast: count)
  }

  @Test func filesThatAreNoModelAreRefused() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let ppm = try folder.write("image.ppm", Array("P6 1 1 255\nabc".utf8))
    let model = try folder.write("model.fovea", [UInt8](repeating: 1, count: 200))
    let run = try CommandRun.fovea([model, ppm], product: "DetectInC")
    #expect(run.status == 1)
    #expect(run.errors == "invalid file: the bytes are no compiled model\n")
    #expect(try CommandRun.fovea([model, model], product: "DetectInC").status == 1)
    #expect(try CommandRun.fovea([], product: "DetectInC").status == 2)
  }

  @Test func theProgramIsShort() throws {
    let source = CodesAndTextCommandTests.path("Tests/Native/DetectInC/main.c")
    let lines = try String(contentsOfFile: source, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count - 1 <= 60)
  }
}
