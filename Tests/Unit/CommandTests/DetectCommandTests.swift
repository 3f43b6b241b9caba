// Fovea - tests of fovea detect on the example.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaExampleModel
import FoveaTestSupport
import Testing

@Suite struct DetectCommandTests {
  /// A picture most of which is transparent is looked at with a word, or on a color.
  @Test(.enabled(if: SharedData.isPresent)) func transparencyIsTold() throws {
    let picture = SharedData.url("reports/h1-codes/transparent.png").path
    let plain = try CommandRun.fovea(["detect", picture])
    #expect(plain.status == 0 && plain.errorLines.count == 1)
    #expect(plain.errors.contains("transparent.png: 72.9 % of the pixels are transparent"))
    for color in ["white", "FFFFFF", "#ffffff"] {
      let white = try CommandRun.fovea(["detect", picture, "--background", color])
      #expect(white.status == 0 && white.errors.isEmpty)
      #expect(white.output.contains("qrCode"))
    }
    let wrong = try CommandRun.fovea(["detect", picture, "--background", "greenish"])
    #expect(wrong.status == 2 && wrong.errors.contains("expected white, black or RRGGBB"))
  }

  @Test func exampleGeneratorAndDetectFindWhatIsDrawn() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let made = try CommandRun.fovea([folder.path("example")], product: "FoveaExample")
    #expect(made.status == 0)
    let run = try CommandRun.fovea(
      ["detect", "--model", "shapes.mlmodel", "shapes.png"],
      in: folder.url.appendingPathComponent("example"))
    #expect(run.status == 0)
    #expect(run.errors == "")
    let lines = run.output.split(separator: "\n")
    #expect(lines.first == "shapes.png  480 x 360")
    let objects = ShapesImage().objects
    #expect(lines.count == 2 + objects.count)
    var rest = objects
    for line in lines.dropFirst(2) {
      // label (two words), percent, "%", x, y, width, height
      let words = line.split(separator: " ")
      #expect(words.count == 8 && words[3] == "%")
      let box = words.suffix(4).compactMap { Double($0) }
      let label = words.prefix(2).joined(separator: " ")
      let match = rest.firstIndex { $0.label == label && ExampleFiles.matches(box, $0) }
      if let match { rest.remove(at: match) } else { Issue.record("invented: \(line)") }
    }
    #expect(rest == [])
  }

  @Test(arguments: ["reference", "blas", "auto"])
  func jsonHasThePromisedKeys(_ backend: String) throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let run = try CommandRun.fovea([
      "detect", "--json", "--backend", backend, "--threads=2", "--model", files.model,
      files.image, files.image,
    ])
    #expect(run.status == 0)
    let document = try run.json()
    #expect(Set(document.keys) == ["images"])
    let images = try #require(document["images"] as? [[String: Any]])
    #expect(images.count == 2)
    let image = images[0]
    #expect(
      Set(image.keys) == [
        "image", "width", "height", "orientation", "model", "backend", "milliseconds", "geometry",
        "objects",
      ])
    #expect(image["image"] as? String == files.image)
    #expect(image["model"] as? String == files.model)
    #expect(image["width"] as? Int == 480 && image["height"] as? Int == 360)
    #expect(image["orientation"] as? Int == 1)
    #expect(image["backend"] as? String == (backend == "auto" ? "float" : backend))
    let times = try #require(image["milliseconds"] as? [String: Double])
    #expect(Set(times.keys) == ["decode", "prepare", "inference", "postprocess"])
    #expect(times.values.allSatisfy { $0 >= 0 && $0.isFinite })
    try Self.check(try #require(image["objects"] as? [[String: Any]]), files)
  }

  static func check(_ objects: [[String: Any]], _ files: ExampleFiles) throws {
    #expect(objects.count == files.shapes.objects.count)
    for object in objects {
      #expect(
        Set(object.keys) == ["label", "labelIndex", "confidence", "bbox", "boundingBox"])
      let label = try #require(object["label"] as? String)
      #expect(ShapesDetector.labels.firstIndex(of: label) == object["labelIndex"] as? Int)
      let confidence = try #require(object["confidence"] as? Double)
      #expect((0.25...1).contains(confidence))
      let pixels = try #require(object["bbox"] as? [Double])
      let box = try #require(object["boundingBox"] as? [Double])
      #expect(
        files.shapes.objects.contains { $0.label == label && ExampleFiles.matches(pixels, $0) })
      // The same box, normalized and counted from the lower left.
      #expect(abs(box[0] * 480 - pixels[0]) < 0.01 && abs(box[2] * 480 - pixels[2]) < 0.01)
      #expect(abs((1 - box[1] - box[3]) * 360 - pixels[1]) < 0.01)
      #expect(abs(box[3] * 360 - pixels[3]) < 0.01)
    }
  }

  @Test func optionsReachTheDetector() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    func count(_ options: String...) throws -> Int {
      let run = try CommandRun.fovea(
        ["detect", "--json", "--model", files.model] + options + [files.image])
      let images = try run.json()["images"] as? [[String: Any]]
      return (images?.first?["objects"] as? [Any])?.count ?? -1
    }
    #expect(try count() == 6)
    #expect(try count("--max", "2") == 2)
    #expect(try count("--only", "red square,blue square") == 4)
    #expect(try count("--iou", "1") > 6)
    #expect(try count("--confidence", "1") == 0)
    #expect(try count("--class-agnostic") == 6)
  }

  @Test func orientationTurnsTheImage() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let run = try CommandRun.fovea([
      "detect", "--json", "--orientation", "6", "--model", files.model, files.image,
    ])
    let image = try #require((try run.json()["images"] as? [[String: Any]])?.first)
    #expect(image["width"] as? Int == 360 && image["height"] as? Int == 480)
    #expect(image["orientation"] as? Int == 6)
  }

  @Test func imageWithoutObjectsIsAResult() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let run = try CommandRun.fovea(
      ["detect", "--confidence", "1", "--model", files.model, files.image])
    #expect(run.status == 0 && run.errors == "")
    #expect(run.output.contains("no objects"))
  }

  /// Whoever finds nothing with the detector inside reads what it knows, unless a program reads along.
  @Test func detectorInsideSaysWhatItKnows() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let call = ["detect", files.image, files.image, "--draw", files.folder.path("{}-drawn.png")]
    let run = try CommandRun.fovea(call)
    #expect(run.status == 0 && run.output.contains("no objects"))
    let hints = run.errorLines.filter { $0.contains("knows only codes, lines of text") }
    #expect(hints.count == 1 && hints[0].contains("--model"), "\(run.errors)")
    for more in [["--json"], ["--only", "qrCode"]] {
      let quiet = try CommandRun.fovea(["detect", files.image] + more)
      #expect(quiet.status == 0 && quiet.errors == "", "\(quiet.errors)")
    }
  }

  @Test func otherImagesAreDoneWhenOneFails() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let broken = try files.folder.write("broken.png", Array("no image".utf8))
    let arguments = ["detect", "--model", files.model, broken, files.image]
    let run = try CommandRun.fovea(arguments)
    #expect(run.status == 1)
    #expect(run.output.contains("red square"))
    #expect(run.errorLines.count == 1 && run.errors.contains(broken))
    let json = try CommandRun.fovea(arguments + ["--json"])
    #expect(json.status == 1)
    let document = try json.json()
    #expect((document["images"] as? [Any])?.count == 1)
    #expect((document["errors"] as? [[String: String]])?.first?["image"] == broken)
  }

  @Test func readerThatGoesAwayIsNoCrash() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let line =
      "set -o pipefail; \"$FOVEA\" detect --json --iou 1 --model '\(files.model)' "
      + Array(repeating: "'\(files.image)'", count: 3).joined(separator: " ")
      + " | exec true"
    let run = try CommandRun.shell(line)
    #expect(run.status == 0)
    #expect(run.errors == "")
  }
}
