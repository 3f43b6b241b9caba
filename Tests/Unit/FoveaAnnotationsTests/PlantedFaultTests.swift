// Fovea - tests: faults that were planted in a sound set.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaAnnotations
import FoveaTestSupport
import Testing

@Suite struct PlantedFaultTests {
  /// A sound set: 12 pictures, each with a cat and a dog.
  private struct Planted {
    let folder: PictureFolder
    /// What Create ML's file says of each picture.
    var boxes: [String: [String]] = [:]

    static func box(_ label: String, _ x: Double, _ y: Double, _ size: Double = 30) -> String {
      """
      {"label": "\(label)", "coordinates": \
      {"x": \(x), "y": \(y), "width": \(size), "height": \(size)}}
      """
    }

    /// The pictures, which take longer to draw than to check.
    private static let pictures = (0..<12).map { number in
      (try? PictureFolder.jpeg(width: 120, height: 80, shade: number * 20 + 5)) ?? []
    }

    init() throws {
      folder = try PictureFolder()
      for number in 0..<12 {
        let name = "p\(number).jpg"
        try folder.write(name, Self.pictures[number])
        boxes[name] = [Self.box("cat", 30, 30), Self.box("dog", 80, 40)]
      }
    }

    func check() throws -> AnnotationCheck {
      let items = boxes.sorted { $0.key < $1.key }.map { name, boxes in
        "{\"image\": \"\(name)\", \"annotations\": [\(boxes.joined(separator: ","))]}"
      }
      try folder.write("a.json", "[\(items.joined(separator: ","))]")
      return AnnotationCheck(try folder.read())
    }
  }

  @Test func aSoundSetHasNone() throws {
    let planted = try Planted()
    defer { planted.folder.remove() }
    #expect(try planted.check().findings == [])
  }

  /// A fault, and what is to be said about it.
  private struct Plant {
    var kind: AnnotationFinding.Kind
    var words: String
    var put: (inout Planted) throws -> Void

    init(
      _ kind: AnnotationFinding.Kind, _ words: String,
      _ put: @escaping (inout Planted) throws -> Void
    ) {
      (self.kind, self.words, self.put) = (kind, words, put)
    }
  }

  private static var plants: [Plant] {
    [
      Plant(.missingEntry, "p0.jpg: the annotations do not name it; left out") {
        $0.boxes["p0.jpg"] = nil
      },
      Plant(.missingPicture, "gone.jpg: no such picture") { $0.boxes["gone.jpg"] = [] },
      Plant(.boxCut, "p1.jpg: a box reaches 10 pixels beyond the lower edge; cut") {
        $0.boxes["p1.jpg"]?.append(Planted.box("cat", 60, 75))
      },
      Plant(.boxOutside, "p1.jpg: a box lies outside; left out") {
        $0.boxes["p1.jpg"]?.append(Planted.box("cat", 600, 75))
      },
      Plant(.boxWithoutArea, "p1.jpg: a box has no area; left out") {
        $0.boxes["p1.jpg"]?.append(Planted.box("cat", 60, 40, 0))
      },
      Plant(.tinyBox, "p1.jpg: a box has 1.5 x 1.5 pixels") {
        $0.boxes["p1.jpg"]?.append(Planted.box("cat", 60, 40, 1.5))
      },
      Plant(.smallForNetwork, "p1.jpg: a box has 2.5 x 2.5 pixels, 6.7 x 6.7 in an input of 320") {
        $0.boxes["p1.jpg"]?.append(Planted.box("cat", 60, 40, 2.5))
      },
      Plant(
        .boxTwice, "p1.jpg: the same box twice: two boxes of one label overlap by more than 0.9"
      ) {
        $0.boxes["p1.jpg"]?.append(Planted.box("cat", 30.5, 30))
      },
      Plant(.similarLabels, "labels that differ in case or spaces only: 'Cat' (12), 'cat' (12)") {
        for name in $0.boxes.keys { $0.boxes[name]?.append(Planted.box("Cat", 50, 60)) }
      },
      Plant(.fewBoxes, "'cup' has 2 boxes") {
        for name in ["p0.jpg", "p1.jpg"] { $0.boxes[name]?.append(Planted.box("cup", 50, 60)) }
      },
      Plant(.unreadablePicture, "p2.jpg: ") { try $0.folder.write("p2.jpg", "no picture") },
      Plant(.unequalClasses, "'cat' has 252 boxes, 'dog' 12: 21 times as many") { planted in
        for name in planted.boxes.keys {
          planted.boxes[name]? += (0..<20).map {
            Planted.box("cat", 15 + Double($0 % 10) * 10, $0 < 10 ? 20 : 55)
          }
        }
      },
      Plant(.unitsAreNotPixels, "every box is smaller than two pixels; say --units normalized") {
        for name in $0.boxes.keys {
          $0.boxes[name] = [Planted.box("cat", 0.5, 0.5, 0.3), Planted.box("dog", 0.2, 0.4, 0.2)]
        }
      },
    ]
  }

  @Test func eachIsFoundAndNothingElse() throws {
    for plant in Self.plants {
      var planted = try Planted()
      defer { planted.folder.remove() }
      try plant.put(&planted)
      let check = try planted.check()
      #expect(check.groups.map(\.kind) == [plant.kind], "\(plant.kind): \(check.findings)")
      #expect(
        check.findings.allSatisfy { $0.description.hasPrefix(plant.words) }, "\(check.findings)")
    }
  }

  @Test func equalPicturesAreFoundAcrossTheSplit() throws {
    var planted = try Planted()
    defer { planted.folder.remove() }
    let set = try {
      _ = try planted.check()
      return try planted.folder.read()
    }()
    let (training, validation) = set.split()
    #expect(!training.pictures.isEmpty && !validation.pictures.isEmpty)
    let (one, other) = (training.pictures[0], validation.pictures[0])
    // Other bytes, the same pixels: a comment behind the beginning.
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: one.path)))
    bytes.insert(contentsOf: [0xFF, 0xFE, 0, 4, 65, 66], at: 2)
    try planted.folder.write(other.name, bytes)
    let check = try planted.check()
    #expect(check.groups.map(\.kind) == [.equalPictures])
    let names = [one.name, other.name].sorted()
    #expect(
      check.findings.map(\.description) == [
        "\(names[0]): the same picture as \(names[1]); one trains, the other measures"
      ])
    planted.boxes = [:]
  }

  @Test func theSplitKeepsPicturesAndClasses() {
    func set(_ count: Int) -> AnnotatedSet {
      let pictures = (0..<count).map { number in
        let labels = number < 2 ? [0, 1] : [0]
        return AnnotatedSet.Picture(
          name: "f/\(number).jpg", path: "", width: 9, height: 9,
          boxes: labels.map { .init(classIndex: $0, x: 0, y: 0, width: 5, height: 5) })
      }
      return AnnotatedSet(classes: ["often", "rare"], pictures: pictures)
    }
    let (training, validation) = set(1000).split()
    #expect((160...240).contains(validation.pictures.count))
    #expect(training.pictures.count + validation.pictures.count == 1000)
    for part in [training, validation] {
      #expect(part.pictures.contains { $0.boxes.count == 2 }, "both sides have the rare class")
    }
    // Pictures stay on their side when others come.
    let more = set(1500).split().validation.pictures.map(\.name)
    let kept = validation.pictures.dropFirst(2).filter { more.contains($0.name) }
    #expect(kept.count >= validation.pictures.count - 3)
    #expect(set(1000).split(seed: 1).validation != validation)
    #expect(set(10).split(validationShare: 0).validation.pictures.isEmpty)
    #expect(
      set(1).split().training.pictures.count == 1 || set(1).split().validation.pictures.count == 1)
  }
}
