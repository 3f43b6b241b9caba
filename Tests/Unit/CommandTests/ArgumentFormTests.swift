// Fovea - tests of what arguments may look like: models, folders, short options, older spellings.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing

@Suite struct ArgumentFormTests {
  /// A model comes first or by its option, in every command.
  @Test func modelsComeInBothForms() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let (model, image) = (files.model, files.image)
    let expected = try CommandRun.fovea(["detect", "--model", model, image])
    #expect(expected.status == 0 && expected.output.contains("red square"))
    for call in [
      ["detect", model, image], ["detect", image, "-m", model], ["detect", "-m=" + model, image],
    ] {
      #expect(try CommandRun.fovea(call).output == expected.output)
    }
    let inspected = try CommandRun.fovea(["inspect", model])
    #expect(try CommandRun.fovea(["inspect", "-m", model]).output == inspected.output)
    let images = ["--images", files.folder.url.path]
    let compared = try CommandRun.fovea(["compare", "-m", model, "-m", model] + images)
    #expect(compared.status == 0, "\(compared.errors)")
    let both = try CommandRun.fovea(["inspect", model, "--model", model])
    #expect(both.status == 2 && both.errors.contains("unexpected argument"))
    let none = try CommandRun.fovea(["detect", model])
    #expect(none.status == 2 && none.errors.contains("an image is missing"))
  }

  /// Folders stand for their images in natural order; what is no image there is passed over.
  @Test func foldersStandForTheirImages() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: files.image)))
    let folder = files.folder.path("many")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let names = ["a2.png", "a02.png", "a10.png", "a10b.png", "b.PNG"]
    for name in names.reversed() { _ = try files.folder.write("many/\(name)", bytes) }
    _ = try files.folder.write("many/notes.txt", Array("no image".utf8))
    let natural = ["a02.png", "a2.png", "a10.png", "a10b.png", "b.PNG"].map { "\(folder)/\($0)" }
    let run = try CommandRun.fovea(["detect", "--json", files.model, folder + "/"])
    let images = try run.json()["images"] as? [[String: Any]]
    #expect(images?.map { $0["image"] as? String } == natural)
    let rows = try CommandRun.fovea(["detect", files.model, folder, "--jsonl", "-"])
    #expect(rows.output.split(separator: "\n").count == names.count)
    let found = try CommandRun.fovea(["rectangles", folder, files.image])
    #expect(
      found.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }
        == (natural + [files.image])[...].map { Substring($0) })
    try FileManager.default.createDirectory(
      atPath: files.folder.path("none"), withIntermediateDirectories: true)
    let empty = try CommandRun.fovea(["detect", files.folder.path("none")])
    #expect(empty.status == 1 && empty.errors.contains("none: holds no images (.jpg"))
    let draw = try CommandRun.fovea(["detect", files.model, folder, "-o", "found.png"])
    #expect(draw.status == 2 && draw.errors.contains("for 5 images"))
  }

  @Test func videosAreSentToWatch() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let clip = try folder.write("clip.MP4", [0, 0, 0, 24] + Array("ftypisom".utf8))
    for call in [["detect", clip], ["codes", clip], ["detect", "rtsp://camera/stream"]] {
      let run = try CommandRun.fovea(call)
      #expect(
        run.status == 1 && run.errors.contains("'fovea watch' looks at videos"), "\(run.errors)")
    }
  }

  /// Letters stand for what is typed most, and what was written is said.
  @Test func shortOptionsAndWhatWasWritten() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let found = files.folder.path("found.png")
    let run = try CommandRun.fovea(
      ["detect", "-m", files.model, "-c", "0.99", files.image, "-o", found])
    #expect(run.status == 0 && run.errors == "wrote \(found)\n", "\(run.errors)")
    #expect(FileManager.default.fileExists(atPath: found))
    let twice = try CommandRun.fovea(["detect", "-c", "0.5", "--confidence", "0.5", "a.png"])
    #expect(twice.status == 2 && twice.errors.contains("--confidence is given twice"))
    let value = try CommandRun.fovea(["detect", "a.png", "-c"])
    #expect(value.status == 2 && value.errors.contains("-c needs a value (0...1)"))
    #expect(try CommandRun.fovea(["help", "detect"]).output.contains("-m, --model FILE"))
    let compiled = files.folder.path("shapes.fovea")
    #expect(try CommandRun.fovea(["compile", files.model, "--output", compiled]).status == 0)
    let piped = try CommandRun.shell(
      "TERM=xterm \"$FOVEA\" detect -m '\(files.model)' '\(files.image)' nothing.png")
    #expect(!(piped.output + piped.errors).contains("\u{1B}"))
  }

  /// A flag that another option is called like says so.
  @Test(arguments: [
    ["preview", "a.png", "-o", "b.png", "--boxes"], ["preview", "-o", "b.png", "--boxes", "a.png"],
  ])
  func olderSpellingIsRefusedWithWords(_ call: [String]) throws {
    let run = try CommandRun.fovea(call)
    #expect(run.status == 2 && run.errors.contains("the sheet of test boxes is --sheet now"))
  }
}
