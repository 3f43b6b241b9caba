// Fovea - tests: sets written in one form and read in another.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaAnnotations
import FoveaTestSupport
import Testing

@Suite struct AnnotationWritingTests {
  private static let forms: [AnnotationForm] = [
    .createML, .coco, .voc, .yolo, .labelMe, .cvat, .csv,
  ]

  /// Writes a set in a form and reads it again, with the same pictures.
  private static func again(
    _ set: AnnotatedSet, as form: AnnotationForm, _ pictures: String, _ out: String
  ) throws -> AnnotatedSet {
    try set.write(as: form, to: out)
    let read = try AnnotatedSet(pictures: pictures, annotations: out)
    #expect(read.form == form && read.findings == [], "\(form): \(read.findings)")
    return read
  }

  @Test(.enabled(if: SharedData.isPresent)) func everyPairOfFormsKeepsAllBoxes() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let all = try Trees.read("train", "createml.json")
    for form in Self.forms {
      let again = try Self.again(all, as: form, Trees.folder("train"), folder.path("\(form)-all/"))
      #expect(distance(all, again) < 0.01, "\(form)")
    }
    // Of pairs, a twelfth of the pictures.
    let pictures = folder.path("pictures")
    var first = all
    first.pictures = stride(from: 3, to: 85, by: 12).map { all.pictures[$0] }
    #expect(first.boxCount > 10)
    for place in first.pictures.indices {
      let link = pictures + "/" + first.pictures[place].name
      try FileManager.default.createDirectory(
        atPath: pictures + "/images", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: first.pictures[place].path)
      first.pictures[place].path = link
    }
    for one in Self.forms {
      let written = try Self.again(first, as: one, pictures, folder.path("\(one)/"))
      #expect(distance(first, written) < 0.01, "\(one)")
      for other in Self.forms {
        let twice = try Self.again(written, as: other, pictures, folder.path("\(one)-\(other)/"))
        #expect(distance(first, twice) < 0.01, "\(one) to \(other)")
      }
    }
  }

  @Test func labelsAndFoldersOfAnyLettersAreKept() throws {
    let folder = try PictureFolder()
    defer { folder.remove() }
    let labels = [" Box", "a,b;c", "rock & \"roll\" <1>", "é\u{1F333}'", "x\ty", "-1: [a]", "#no"]
    let boxes = labels.indices.map { label in
      AnnotatedSet.Box(
        classIndex: label, x: 0.5 + Double(label), y: 0.25, width: 2.125, height: 3.3333333,
        isIgnored: label == 1)
    }
    let pictures = try ["one.jpg", "sub, &/images/two.jpg"].map { name in
      try folder.draw("in/" + name)
      return AnnotatedSet.Picture(
        name: name, path: folder.path("in/" + name), width: 120, height: 80, boxes: boxes)
    }
    let set = AnnotatedSet(classes: labels, pictures: pictures)
    for form in Self.forms {
      let out = folder.path("\(form)-out/")
      let said = try set.write(as: form, to: out)
      let read = try AnnotatedSet(pictures: folder.path("in"), annotations: out)
      #expect(distance(set, read) < 1e-5, "\(form)")
      let keepsIgnored = form == .coco || form == .voc
      #expect(said.isEmpty == keepsIgnored, "\(form)")
      #expect(read.pictures[0].boxes[1].isIgnored == keepsIgnored, "\(form)")
    }
  }

  @Test func whatCannotBeWrittenIsRefused() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var set = AnnotatedSet(
      classes: ["a\u{1}"],
      pictures: ["a.jpg", "a.png"].map {
        .init(name: $0, path: $0, width: 8, height: 8, boxes: [])
      })
    func message(_ form: AnnotationForm) -> String {
      do throws(AnnotationError) {
        try set.write(as: form, to: folder.path("out"))
        return ""
      } catch {
        return error.description
      }
    }
    #expect(message(.via).contains("VIA is read only; these are written: createml"))
    #expect(message(.cvat).contains("XML cannot hold the control characters"))
    set.classes = ["a"]
    #expect(message(.voc).contains("a.xml: would belong to a.jpg and a.png; give the pictures"))
    #expect(message(.createML) == "")
  }
}
