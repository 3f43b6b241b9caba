// Fovea - tests of fovea annotations.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaAnnotations
import FoveaExampleModel
import FoveaTestSupport
import Testing

@Suite struct AnnotationsCommandTests {
  /// A set of one picture, the example's, with a box of each object in it.
  private static func set(_ files: ExampleFiles) throws {
    let boxes = files.shapes.objects.map { object in
      let half = Double(object.side) / 2
      return """
        {"label": "\(object.label)", "coordinates": {"x": \(Double(object.x) + half), \
        "y": \(Double(object.y) + half), "width": \(object.side), "height": \(object.side)}}
        """
    }
    let text = #"[{"image": "shapes.png", "annotations": [\#(boxes.joined(separator: ","))]}]"#
    _ = try files.folder.write("mine.json", Array(text.utf8))
  }

  @Test func aSetIsCheckedConvertedDrawnAndSplit() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    try Self.set(files)
    let folder = files.folder.url.path
    let check = try CommandRun.fovea(["annotations", "check", folder, "--json"])
    #expect(check.status == 0 && check.errors == "")
    let document = try check.json()
    #expect(document["form"] as? String == "createml" && document["boxes"] as? Int == 6)
    let findings = try #require(document["findings"] as? [[String: Any]])
    #expect(findings.map { $0["kind"] as? String } == ["fewBoxes"])
    #expect((findings[0]["first"] as? [String])?.first?.hasPrefix("'") == true)
    let text = try CommandRun.fovea(["annotations", "check", files.folder.path("mine.json")])
    #expect(text.output.contains("Create ML, 1 picture, 0 without boxes, 6 boxes"))
    #expect(text.output.contains("warnings\n  ") && text.output.contains("fewer than 10 boxes"))

    // What is drawn among the pictures would be one of them.
    let written = try TemporaryFolder()
    defer { written.remove() }
    let out = written.path("out/labels.csv")
    let convert = ["annotations", "convert", folder, "--to"]
    #expect(try CommandRun.fovea(convert + ["csv", "-o", out]).status == 0)
    let again = try CommandRun.fovea([
      "annotations", "check", folder, "--annotations", out, "--json",
    ])
    #expect(try again.json()["boxes"] as? Int == 6)

    let sheet = written.path("out/sheet.png")
    let draw = try CommandRun.fovea([
      "annotations", "draw", folder, "--annotations", out, "-o", sheet,
    ])
    #expect(draw.status == 0 && FileManager.default.fileExists(atPath: sheet))

    let parts = written.path("parts")
    let split = try CommandRun.fovea([
      "annotations", "split", folder, "--annotations", out, "-o", parts, "--json",
    ]).json()
    let counts = ["training", "validation"].map {
      (split[$0] as? [String: Any])?["pictures"] as? Int ?? 0
    }
    #expect(counts.reduce(0, +) == 1)
    #expect(FileManager.default.fileExists(atPath: parts + "/training.json"))
  }

  /// What is proposed is found again as it was drawn, the most doubtful picture first.
  @Test func whatAModelFindsIsProposed() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let out = try TemporaryFolder()
    defer { out.remove() }
    let arguments = [
      "annotations", "propose", files.folder.url.path, "-m", files.model, "-o", out.path("a.json"),
    ]
    let document = try CommandRun.fovea(arguments + ["--json"]).json()
    #expect(document["boxes"] as? Int == 6 && document["form"] as? String == "createml")
    let pictures = try #require(document["pictures"] as? [[String: Any]])
    let doubts = pictures.map { $0["doubt"] as? Double ?? .infinity }
    #expect(pictures.first?["name"] as? String == "shapes.png" && doubts == doubts.sorted())
    let text = try CommandRun.fovea(arguments + ["--only", "circl"])
    #expect(text.status == 2 && text.errors.contains("has no label 'circl'"))
    let checked = try CommandRun.fovea([
      "annotations", "check", files.folder.url.path, "--annotations", out.path("a.json"), "--json",
    ])
    #expect(try checked.json()["boxes"] as? Int == 6)
  }

  /// The numbers of a model do not depend on the form of the annotations.
  @Test func evaluationReadsEveryForm() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    try Self.set(files)
    let folder = files.folder.url.path
    let out = try TemporaryFolder()
    defer { out.remove() }
    var precisions: Set<Double> = []
    for form in ["createml", "coco", "voc", "yolo", "labelme", "cvat", "csv"] {
      let path = out.path(form) + (form == "voc" || form == "yolo" || form == "labelme" ? "" : ".x")
      let converted = try CommandRun.fovea([
        "annotations", "convert", folder, "--to", form, "-o", path,
      ])
      #expect(converted.status == 0, "\(converted.errors)")
      let run = try CommandRun.fovea([
        "evaluate", files.model, "--annotations", path, "--images", folder, "--json",
      ])
      #expect(run.status == 0, "\(form): \(run.errors)")
      let metrics = try #require(try run.json()["metrics"] as? [String: Double])
      precisions.insert((try #require(metrics["AP"]) * 1e9).rounded())
    }
    #expect(precisions.count == 1 && precisions.first ?? 0 > 1e8)
  }

  @Test func wrongUsageSaysWhatIsMissing() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    try Self.set(files)
    let folder = files.folder.url.path
    for (arguments, status, words) in [
      (["check"], 2, "an argument is missing"),
      (["shred", folder], 2, "is none of check, convert"),
      (["convert", folder, "-o", "x"], 2, "--to is missing: name one of createml, coco"),
      (["draw", folder], 2, "-o is missing"), (["draw", folder, "-o", "x.txt"], 2, "-o:"),
      (["split", folder, "-o", "x", "--to", "yolo"], 2, "would be background"),
      (["check", folder, "--units", "inch"], 2, "expected one of pixel, normalized"),
      (["check", folder + "/none"], 1, "there is no such folder"),
      (["check", files.image], 1, "is a picture (PNG), no file of annotations"),
      (["convert", folder, "-o", "x", "--to", "via"], 1, "VIA is read only"),
    ] {
      let run = try CommandRun.fovea(["annotations"] + arguments)
      #expect(
        run.status == Int32(status) && run.errors.contains(words), "\(arguments): \(run.errors)")
    }
  }

  /// Two squares that are boxed in the first picture have boxes in every third one.
  @Test func boxesOfOnePictureBecomeThoseOfAClip() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let squares = try MovingSquares(in: folder)
    func text(_ corner: (x: Int, y: Int)) -> String {
      "\(corner.x),\(corner.y),\(MovingSquares.side),\(MovingSquares.side)"
    }
    let out = folder.path("boxed")
    let arguments = [
      "annotations", "follow", squares.pattern, "--box", text(MovingSquares.red(0)), "--box",
      text(MovingSquares.blue(0)), "--label", "red", "--every", "3", "-o", out, "--json",
    ]
    let run = try CommandRun.fovea(arguments + ["--label", "blue"])
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    let document = try run.json()
    #expect(document["pictures"] as? Int == 10 && document["boxes"] as? Int == 20)
    #expect((document["leftOut"] as? [Double])?.isEmpty == true)

    let set = try AnnotatedSet(pictures: out)
    #expect(set.classes == ["blue", "red"] && set.pictures.count == 10 && set.findings.isEmpty)
    for (index, picture) in set.pictures.enumerated() {
      #expect(picture.boxes.count == 2)
      for box in picture.boxes {
        let corner =
          set.classes[box.classIndex] == "red"
          ? MovingSquares.red(3 * index) : MovingSquares.blue(3 * index)
        #expect(abs(box.x - Double(corner.x)) < 8 && abs(box.y - Double(corner.y)) < 8)
        #expect(abs(box.width - Double(MovingSquares.side)) < 12)
      }
    }

    let again = try CommandRun.fovea(arguments)
    #expect(again.status == 1 && again.errors.contains("is not empty; name a new folder"))
    let labels = try CommandRun.fovea(
      Array(arguments.dropLast(3)) + ["--label", "a", "--label", "b", "-o", folder.path("other")])
    #expect(labels.status == 2 && labels.errors.contains("2 --box and 3 --label are named"))
    let outside = try CommandRun.fovea([
      "annotations", "follow", squares.pattern, "--box", "900,40,80,80", "--label", "red", "-o",
      folder.path("other"),
    ])
    #expect(outside.status == 2 && outside.errors.contains("in a picture of 480 x 360 pixels"))
  }
}
