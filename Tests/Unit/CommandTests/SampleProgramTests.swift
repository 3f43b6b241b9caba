// Fovea - tests that programs that import Fovea alone do what the documents say.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct SampleProgramTests {
  static let model = "models/yolo-fastest-1.1-xl-Int8LUT.mlmodel"

  private func lines(_ path: String) throws -> [Substring] {
    try String(contentsOf: SharedData.packageRoot.appendingPathComponent(path), encoding: .utf8)
      .split(separator: "\n")
  }

  /// The program of README.md, but for where its lines break.
  @Test func theSampleOfTheReadmeIsTheProgram() throws {
    func code(_ lines: some Sequence<Substring>) -> String {
      lines.joined().filter { !$0.isWhitespace }
    }
    let program = try lines("Examples/Swift/PhotographSample/main.swift").drop {
      $0 != "import Fovea"
    }
    let sample = try lines("README.md").drop { $0 != "import Fovea" }
      .prefix { !$0.hasPrefix("```") }
    #expect(!sample.isEmpty && code(sample) == code(program))
  }

  @Test func thePhotographsObjectsAreFound() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    _ = try folder.write("YOLOv3TinyInt8LUT.mlmodel", SharedData.bytes(Self.model))
    _ = try folder.write("dog.jpg", SharedData.bytes("images/dog.jpg"))
    let run = try CommandRun.fovea([], product: "PhotographSample", in: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("dog ") })
    for line in lines {
      // A label of words, then the confidence.
      let confidence = line.split(separator: " ").lazy.compactMap { Float($0) }.first
      #expect((0...1).contains(try #require(confidence)), "\(line)")
    }
  }

  @Test func theFramesObjectsAreThoseOfTheImage() throws {
    let image = SharedData.url("images/dog.jpg").path
    let model = SharedData.url(Self.model).path
    let run = try CommandRun.fovea([model, image], product: "CameraSample")
    #expect(run.status == 0, "\(run.errors)")
    // Half of the color is lost on the way, and weak objects may be lost with it.
    let expected = try CommandRun.fovea(
      ["detect", "--model", model, image, "--confidence", "0.6", "--json"]
    ).json()
    let images = try #require(expected["images"] as? [[String: Any]])
    let objects = try #require(images.first?["objects"] as? [[String: Any]])
    let labels = objects.compactMap { $0["label"] as? String }
    #expect(Set(labels) == ["dog", "bicycle", "car"])
    for label in labels { #expect(run.output.contains("\(label) "), "\(label)") }
  }

  /// The programs of the article on live pictures are what is run.
  @Test func theLiveSamplesAreThePrograms() throws {
    let article = try lines("Sources/Fovea/Fovea.docc/LivePictures.md")
    let samples = article.split { $0.hasPrefix("```") }.filter { $0.first == "import Fovea" }
    #expect(samples.count == 2)
    for (sample, name) in zip(samples, ["LiveSample", "TrackingSample"]) {
      let program = try lines("Examples/Swift/\(name)/main.swift").drop { $0 != "import Fovea" }
      #expect(Array(sample) == Array(program) && program.count <= 20)
    }
  }

  @Test func livePicturesHaveObjectsAndIdentifiers() throws {
    // The beginning of a video of people who walk: what was read enough of ends.
    func beginning(of program: String) throws -> [Substring] {
      let files = [Self.model, "video/clips/pets-768x576.mp4"]
        .map { "'\(SharedData.url($0).path)'" }
      let run = try CommandRun.shell(
        "\"$(dirname \"$FOVEA\")/\(program)\" \(files.joined(separator: " ")) | head -n 300")
      #expect(run.errors == "", "\(run.errors)")
      return run.output.split(separator: "\n")
    }
    #expect(try beginning(of: "LiveSample").contains { $0.contains(" person ") })
    let columns = try beginning(of: "TrackingSample").map { $0.split(separator: " ") }
    let people = columns.filter { $0.count > 3 && $0[2] == "person" }
    let times = Dictionary(grouping: people, by: { $0[1] }).mapValues { Set($0.map { $0[0] }) }
    // Somebody keeps an identifier through many pictures, and has it once in each.
    #expect((times.values.map(\.count).max() ?? 0) > 30)
    #expect(times.values.map(\.count).reduce(0, +) == people.count)
  }
}
