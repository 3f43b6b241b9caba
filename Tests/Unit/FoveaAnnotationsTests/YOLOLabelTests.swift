// Fovea - tests: YOLO's labels, and where they are looked for.
// SPDX-License-Identifier: Apache-2.0
import FoveaAnnotations
import FoveaTestSupport
import Testing

@Suite struct YOLOLabelTests {
  private static func objects(_ text: String) throws(AnnotationError) -> [YOLOLabelLines.Object] {
    try YOLOLabelLines.objects(in: text, file: "labels")
  }

  @Test func labelsAreFractionsOfTheImage() throws {
    let folder = try PictureFolder()
    defer { folder.remove() }
    try folder.draw("a.jpg", width: 200, height: 100)
    try folder.write("a.txt", "16 0.5 0.5 0.25 0.5\r\n\n  0.0 0.1 0.2 0.1 0.2  \n")
    let set = try folder.read()
    #expect(set.hasNumbersForClasses && set.classes == (0...16).map { "\($0)" })
    let box = AnnotatedSet.Box(classIndex: 16, x: 75, y: 25, width: 50, height: 50)
    #expect(set.pictures[0].boxes[0] == box && set.pictures[0].boxes[1].classIndex == 0)
    #expect(try Self.objects("").isEmpty)
  }

  @Test func whatIsNoLabelIsRefusedWithItsLine() {
    for wrong in [
      "16 0.5 0.5 0.25", "16 0.5 0.5 0.25 0.5 0.9", "dog 0.5 0.5 0.25 0.5", "-1 0.5 0.5 0.25 0.5",
      "1.5 0.5 0.5 0.25 0.5", "1 0.5 0.5 -0.25 0.5", "1 nan 0.5 0.25 0.5", "1 0.5 inf 0.25 0.5",
      "1e30 0.5 0.5 0.25 0.5", "1, 0.5, 0.5, 0.25, 0.5", "1 0.5 0.5 1e307 0.5",
    ] {
      #expect { try Self.objects("0 0 0 0 0\n" + wrong) } throws: {
        ($0 as? AnnotationError)?.place == .line(2)
      }
    }
  }

  @Test func aBrokenLabelIsNeverTakenForBackground() throws {
    let folder = try PictureFolder()
    defer { folder.remove() }
    for name in ["a", "b"] { try folder.draw("images/\(name).jpg") }
    try folder.write("labels/a.txt", "0 0.5 0.5 0.25 0.5\n")
    try folder.write("labels/b.txt", "dog 0.5 0.5 0.25 0.5\n")
    #expect(
      folder.refusal().contains("labels/b.txt: line 1: is no label of YOLO; expected a class"))
    try folder.write("labels/b.txt", "\n")
    try folder.write("labels/c.txt", "0 0.5 0.5 0.25 0.5\n")
    let set = try folder.read()
    #expect(set.pictures.map(\.boxes.count) == [1, 0])
    #expect(set.findings.map(\.kind) == [.missingPicture])
  }

  @Test func keyPointsBehindABoxAreNoPolygon() throws {
    let folder = try PictureFolder()
    defer { folder.remove() }
    try folder.draw("images/a.jpg")
    try folder.write("labels/a.txt", "0 0.5 0.5 0.5 0.5 0.1 0.1 2 0.9 0.9 2\n")
    #expect(try folder.read().pictures[0].boxes[0].width > 90)
    try folder.write("data.yaml", "names: [person]\nkpt_shape: [2, 3]\n")
    #expect(try folder.read().pictures[0].boxes[0].width == 60)
    try folder.write("data.yaml", "names: [person]\nkpt_shape: [2]\n")
    #expect(folder.refusal().contains("data.yaml: kpt_shape is no list of two numbers"))
  }

  /// The same boxes, published in two forms: the COCO file was made of the labels, in thousandths of
  /// a pixel.
  @Test(.enabled(if: SharedData.isPresent)) func bothFormsOfOneDataSetAgree() throws {
    let folder = SharedData.url("coco128-train").path
    let coco = try AnnotatedSet(
      pictures: folder + "/images", annotations: folder + "/instances.json")
    let yolo = try AnnotatedSet(pictures: folder + "/images", annotations: folder + "/labels")
    #expect(coco.pictures.count == 128 && yolo.pictures.count == 128)
    #expect(coco.boxCount == yolo.boxCount && coco.boxCount > 920)
    for (left, right) in zip(coco.pictures, yolo.pictures) {
      #expect(left.name == right.name && left.boxes.count == right.boxes.count)
      for (a, b) in zip(left.boxes, right.boxes) {
        let distances = [a.x - b.x, a.y - b.y, a.maxX - b.maxX, a.maxY - b.maxY]
        #expect(a.classIndex == b.classIndex && distances.allSatisfy { abs($0) < 0.0011 })
      }
    }
  }
}
