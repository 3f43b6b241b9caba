// Fovea - tests: one set in nine forms.
// SPDX-License-Identifier: Apache-2.0
import FoveaAnnotations
import FoveaTestSupport
import Testing

/// The trees of the shared data, which lie there in nine forms.
enum Trees {
  static let files: [AnnotationForm: [String]] = [
    .createML: ["createml.json", "_annotations.createml.json"], .coco: ["coco.json"],
    .voc: ["voc"], .yolo: ["labels"], .labelMe: ["labelme"], .cvat: ["cvat.xml"],
    .labelStudio: ["label-studio.json"], .csv: ["sframe.csv"],
  ]

  static func folder(_ part: String) -> String { SharedData.url("training/trees/\(part)").path }

  static func read(_ part: String, _ file: String) throws -> AnnotatedSet {
    try AnnotatedSet(pictures: folder(part), annotations: folder(part) + "/" + file)
  }
}

/// The greatest distance between edges of two sets that have the same pictures and labels; infinite for
/// others.
func distance(_ one: AnnotatedSet, _ other: AnnotatedSet) -> Double {
  guard one.pictures.map(\.name) == other.pictures.map(\.name) else { return .infinity }
  var most = 0.0
  for (left, right) in zip(one.pictures, other.pictures) {
    guard left.boxes.count == right.boxes.count, left.width == right.width,
      left.height == right.height
    else { return .infinity }
    for (a, b) in zip(left.boxes, right.boxes) {
      guard one.classes[a.classIndex] == other.classes[b.classIndex] else { return .infinity }
      most = max(most, abs(a.x - b.x), abs(a.y - b.y), abs(a.maxX - b.maxX), abs(a.maxY - b.maxY))
    }
  }
  return most
}

@Suite(.enabled(if: SharedData.isPresent)) struct NineFormsTests {
  @Test(arguments: [("train", 85, 418), ("test", 53, 473)])
  func allGiveTheSameBoxes(part: String, pictures: Int, boxes: Int) throws {
    let first = try Trees.read(part, "createml.json")
    #expect(first.pictures.count == pictures && first.boxCount == boxes)
    #expect(first.classes == ["Tree"] && first.form == .createML)
    for (form, files) in Trees.files {
      for file in files {
        let set = try Trees.read(part, file)
        #expect(set.form == form && distance(first, set) < 0.01, "\(file)")
        var options = AnnotationCheck.Options()
        options.decodesPictures = form == .createML
        #expect(AnnotationCheck(set, options: options).findings == [], "\(file)")
      }
    }
  }

  @Test func aDescriptionOfBothPartsNamesThem() throws {
    let set = try AnnotatedSet(
      pictures: Trees.folder(""), annotations: Trees.folder("data.yaml"))
    #expect(set.pictures.count == 85 + 53 && set.boxCount == 418 + 473)
    #expect(set.classes == ["Tree"] && !set.hasNumbersForClasses && set.findings == [])
    let part = try AnnotatedSet(
      pictures: Trees.folder("test"), annotations: Trees.folder("data.yaml"))
    #expect(part.pictures.count == 53 && part.boxCount == 473)
  }

  @Test func severalFormsInOneFolderMustBeToldApart() {
    #expect {
      try AnnotatedSet(pictures: Trees.folder("train"))
    } throws: { error in
      guard let error = error as? AnnotationError else { return false }
      return error.kind == .unclear && error.description.contains("several forms")
        && error.description.contains("coco.json (COCO)")
    }
  }
}
