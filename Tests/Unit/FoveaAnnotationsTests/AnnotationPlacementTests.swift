// Fovea - tests: pictures found by name, and boxes placed in them.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaAnnotations
import FoveaTestSupport
import Testing

@Suite struct AnnotationPlacementTests {
  private static func createML(_ name: String, _ x: Int = 40, _ y: Int = 30) -> String {
    """
    [{"image": "\(name)", "annotations": [{"label": "box", "coordinates": \
    {"x": \(x), "y": \(y), "width": 40, "height": 40}}]}]
    """
  }

  @Test func pathsNeverLeadOutOfTheFolder() throws {
    let folder = try PictureFolder()
    defer { folder.remove() }
    try folder.draw("in/a.jpg")
    try folder.draw("secret.jpg")
    for (name, kinds) in [
      ("../secret.jpg", [AnnotationFinding.Kind.missingPicture, .missingEntry]),
      (folder.path("secret.jpg"), [.missingPicture, .missingEntry]),
      ("../../x/a.jpg", [.foreignPath]), ("/home/me/a.jpg", [.foreignPath]),
      (#"C:\\me\\a.jpg"#, [.foreignPath]), ("./a.jpg", []), (folder.path("in/a.jpg"), []),
      ("a.png", [.missingPicture, .missingEntry]),
    ] {
      try folder.write("in/a.json", Self.createML(name))
      let set = try folder.read("in")
      #expect(set.findings.map(\.kind) == kinds, "\(name): \(set.findings)")
      let isFound = kinds.isEmpty || kinds == [.foreignPath]
      #expect(set.pictures.map(\.name) == (isFound ? ["a.jpg"] : []), "\(name)")
    }
  }

  @Test func picturesOfOneNameAreToldApartByTheirFolders() throws {
    let folder = try PictureFolder()
    defer { folder.remove() }
    try folder.draw("one/a.jpg")
    try folder.draw("two/a.jpg")
    try folder.write("a.json", Self.createML("x/two/a.jpg"))
    #expect(try folder.read().pictures.map(\.name) == ["two/a.jpg"])
    try folder.write("a.json", Self.createML("a.jpg"))
    #expect(try folder.read().findings.first?.kind == .ambiguousPicture)
    // Beside the annotations is near enough.
    try folder.write("two/b.json", Self.createML("a.jpg"))
    #expect(try folder.read("", "two/b.json").pictures.map(\.name) == ["two/a.jpg"])
  }

  /// A picture that is stored lying: 80 x 120, upright 120 x 80.
  @Test func boxesOfStoredRowsAreTurnedAndSaid() throws {
    let folder = try PictureFolder()
    defer { folder.remove() }
    try folder.draw("a.jpg", width: 80, height: 120, orientation: 6)
    // Upright: as it is.
    try folder.write("a.json", Self.createML("a.jpg"))
    var set = try folder.read()
    #expect(set.pictures[0].width == 120 && set.findings == [])
    // A box that reaches to row 115 only fits the 120 rows that are stored.
    try folder.write("a.json", Self.createML("a.jpg", 40, 95))
    set = try folder.read()
    #expect(set.findings.map(\.kind) == [.storedRows])
    expect(set.pictures[0].boxes[0], x: 5, y: 20)
    // A stated size says the same.
    let coco = """
      {"images": [{"id": 1, "file_name": "a.jpg", "width": 80, "height": 120}],
       "categories": [{"id": 1, "name": "box"}],
       "annotations": [{"image_id": 1, "category_id": 1, "bbox": [20, 20, 40, 40]}]}
      """
    try folder.write("a.json", coco)
    set = try folder.read()
    #expect(set.findings.map(\.kind) == [.storedRows])
    expect(set.pictures[0].boxes[0], x: 60, y: 20)
  }

  private func expect(_ box: AnnotatedSet.Box, x: Double, y: Double) {
    let differences = [box.x - x, box.y - y, box.width - 40, box.height - 40]
    #expect(differences.allSatisfy { abs($0) < 1e-9 }, "\(box)")
  }

  @Test func whatIsNoFileOfAnnotationsIsSaid() throws {
    let folder = try PictureFolder()
    defer { folder.remove() }
    try folder.draw("a.jpg")
    let forms = "Create ML, COCO, Pascal VOC, YOLO, LabelMe, CVAT, CSV, Label Studio, VIA"
    #expect(
      folder.refusal("", "a.jpg").hasSuffix(
        "a.jpg: is a picture (JPEG), no file of annotations; these are read: \(forms)"))
    #expect(
      folder.refusal().hasSuffix(
        "holds no annotations; name them by --annotations; these are read: \(forms)"))
    #expect(folder.refusal("none").contains("there is no such folder"))
    #expect(folder.refusal("", "none.json").contains("there is no such file"))
    for (text, words) in [
      ("", "is empty"), ("\u{1}", "is no text"), ("hello", "is text, but of no form"),
      ("<html/>", "is XML of 'html', neither"), ("[1]", "is no list of pictures"),
      ("{}", "neither a list (Create ML) nor an object"),
      ("[{\"a\":", "at byte 6: expected a number"),
      (#"[{"image_id": 1, "bbox": [], "score": 1, "id": 2}]"#, "neither a list"),
    ] {
      try folder.write("odd", text)
      #expect(folder.refusal("", "odd").contains(words), "\(text): \(folder.refusal("", "odd"))")
    }
    // Other documents in the folder are no obstacle.
    try folder.write("package.json", "{\"name\": {\"a\": 1}}")
    try folder.write("odd", "<html/>")
    try folder.write("a.json", Self.createML("a.jpg"))
    #expect(try folder.read().boxCount == 1)
    try folder.write("b.json", Self.createML("a.jpg"))
    #expect(folder.refusal().contains("holds two files of Create ML"))
  }

  @Test func linksInACircleEnd() throws {
    let folder = try PictureFolder()
    defer { folder.remove() }
    try folder.draw("in/a.jpg")
    try folder.write("in/a.json", Self.createML("a.jpg"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("in/again"), withDestinationPath: folder.path("in"))
    #expect(try folder.read("in").pictures.count == 1)
  }

  @Test func shapesStandForTheBoxesAroundThem() throws {
    func boxes(_ form: AnnotationForm, _ text: String) throws -> [AnnotatedSet.Box] {
      let raw = try RawAnnotations(Array(text.utf8), of: form)
      return AnnotatedSet(raw, width: 120, height: 80).pictures[0].boxes
    }
    func studio(_ value: String) -> String {
      """
      [{"data": {"image": "a.jpg"}, "annotations": [{"was_cancelled": true, "result": []},
       {"result": [{"original_width": 120, "original_height": 80, "value": {\(value)}}]}]}]
      """
    }
    // Label Studio turns about the upper left corner: a quarter turn leads to the left of it.
    let turned = try boxes(
      .labelStudio,
      studio(#""x":50,"y":25,"width":10,"height":50,"rotation":90,"rectanglelabels":["b"]"#))
    #expect(abs(turned[0].x - 20) < 1e-9 && abs(turned[0].y - 20) < 1e-9)
    #expect(abs(turned[0].width - 40) < 1e-9 && abs(turned[0].height - 12) < 1e-9)
    let ellipse = try boxes(
      .labelStudio, studio(#""x":50,"y":50,"radiusX":10,"radiusY":25,"ellipselabels":["b"]"#))
    #expect(ellipse == [.init(classIndex: 0, x: 48, y: 20, width: 24, height: 40)])
    let cvat = try boxes(
      .cvat,
      """
      <annotations><image name="a.jpg" width="120" height="80">
        <box label="b" xtl="40" ytl="20" xbr="80" ybr="40" rotation="90"/><tag label="t"/>
        <ellipse label="b" cx="60" cy="40" rx="10" ry="5"/></image></annotations>
      """)
    #expect(abs(cvat[0].x - 50) < 1e-9 && abs(cvat[0].height - 40) < 1e-9 && cvat.count == 2)
  }
}
