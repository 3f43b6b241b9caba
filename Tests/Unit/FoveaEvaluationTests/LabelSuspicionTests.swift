// Fovea - tests of labels that a detector doubts, and of mistakes by their kinds.
// SPDX-License-Identifier: Apache-2.0
import FoveaEvaluation
import FoveaGeometry
import Testing

@Suite struct LabelSuspicionTests {
  private static let size = ImageSize(width: 200, height: 200)

  private static func box(_ x: Double, _ y: Double, _ side: Double = 30) -> PixelBox {
    PixelBox(x: x, y: y, width: side, height: side)
  }

  /// Images with two objects of two categories, which a good detector finds a little off, and weak
  /// detections of nothing.
  private static func images(_ count: Int = 30) -> [ExaminedImage] {
    (0..<count).map { place in
      let (first, second) = (box(20, Double(20 + place)), box(120, Double(100 - place)))
      let score = 0.7 + Double(place % 10) / 40
      return ExaminedImage(
        path: "\(place)", size: size,
        objects: [.init(category: 1, box: first), .init(category: 2, box: second)],
        detections: [
          .init(category: 1, box: box(22, Double(19 + place)), score: score),
          .init(category: 2, box: box(119, Double(102 - place)), score: score),
          .init(category: 1, box: box(160, 160), score: 0.02 + Double(place % 7) / 50),
        ])
    }
  }

  private func first(_ images: [ExaminedImage]) throws -> LabelSuspicion {
    try #require(LabelSuspicions(images).all.first)
  }

  @Test("A label that was taken away comes first")
  func missing() throws {
    var images = Self.images()
    let gone = images[7].objects.remove(at: 1)
    let suspicion = try first(images)
    #expect(suspicion.kind == .missingLabel && suspicion.image == 7)
    #expect(suspicion.category == 2 && suspicion.found == 2)
    #expect(suspicion.box.intersectionOverUnion(with: gone.box) > 0.5)
  }

  @Test("A label of another class comes first")
  func otherClass() throws {
    var images = Self.images()
    images[4].objects[0].category = 2
    let suspicion = try first(images)
    #expect(suspicion.kind == .otherClass && suspicion.image == 4)
    #expect(suspicion.category == 2 && suspicion.found == 1)
    #expect(suspicion.box == images[4].objects[0].box)
  }

  @Test("A box around nothing comes first")
  func nothingFound() throws {
    var images = Self.images()
    images[9].objects.append(.init(category: 1, box: Self.box(70, 160)))
    let suspicion = try first(images)
    #expect(suspicion.kind == .nothingFound && suspicion.image == 9)
    #expect(suspicion.found == nil && suspicion.score == 0)
  }

  @Test("What annotators leave out at the edges is less suspicious than the same inside")
  func edges() {
    var images = Self.images()
    for place in 0..<20 {
      images[place].detections.append(
        .init(category: 1, box: Self.box(0, 150), score: 0.8))
    }
    images[25].detections.append(.init(category: 1, box: Self.box(60, 160), score: 0.8))
    let all = LabelSuspicions(images).all.filter { $0.kind == .missingLabel }
    #expect(all.first?.image == 25)
    #expect((all.first?.suspicion ?? 0) > 2 * (all.dropFirst().first?.suspicion ?? 1))
  }

  @Test("What is neither to be found nor missed is not suspicious")
  func ignored() {
    var images = Self.images()
    images[3].objects[0].isCrowd = true
    let all = LabelSuspicions(images).all
    #expect(!all.contains { $0.image == 3 && $0.suspicion > 0.2 })
    #expect(LabelSuspicions([]).all.isEmpty)
  }

  // MARK: Mistakes

  private static func row(_ x: Double) -> PixelBox { PixelBox(x: x, y: 0, width: 10, height: 10) }

  /// Right, of another class, badly placed, on nothing; the last object is missed.
  private static let judged = ExaminedImage(
    path: "a", size: size,
    objects: [
      .init(category: 1, box: row(0)), .init(category: 1, box: row(40)),
      .init(category: 2, box: row(80)), .init(category: 2, box: row(120)),
    ],
    detections: [
      .init(category: 1, box: row(0), score: 0.9), .init(category: 2, box: row(40), score: 0.8),
      .init(category: 2, box: row(86), score: 0.7), .init(category: 1, box: row(160), score: 0.6),
    ])

  @Test("Mistakes have their kinds, and cost what their repair gives")
  func mistakes() throws {
    let mistakes = DetectionMistakes([Self.judged], confidence: 0.25)
    #expect(mistakes.ofKind.mapValues(\.count).values.sorted() == [1, 1, 1, 1])
    #expect(mistakes.ofKind[.wrongClass]?.first?.object == 1)
    #expect(mistakes.ofKind[.misplaced]?.first?.detection == 2)
    #expect(mistakes.ofKind[.invented]?.first?.detection == 3)
    #expect(mistakes.ofKind[.missed]?.first?.object == 3)
    let kinds = mistakes.worst(16).map(\.kind)
    #expect(kinds == DetectionMistake.Kind.allCases)
    #expect(mistakes.worst(2).count == 2)
    // Category 1: one of two is found before all others, and then both are: 51 of 101 recalls, then
    // all of them.
    let before = try mistakes.precision(repairing: .invented, categories: [1])
    #expect(try abs(#require(before) - 51.0 / 101) < 1e-9)
    let after = try mistakes.precision(repairing: .wrongClass, categories: [1])
    #expect(try abs(#require(after) - 1) < 1e-9)
    // Category 2: the wrong class stands first, so that one of two is found at a precision of 1/2.
    let placed = try mistakes.precision(repairing: .misplaced, categories: [2])
    #expect(try abs(#require(placed) - 51.0 / 101 / 2) < 1e-9)
  }
}
