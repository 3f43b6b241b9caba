// Fovea - labels that a detector gives, and what learns from them.
// SPDX-License-Identifier: Apache-2.0
import FoveaAnnotations
import FoveaExampleModel
import FoveaTestSupport
import FoveaTraining
import Testing

@Suite("Labels of a teacher")
struct TeacherTests {
  private func options(_ confidence: Double, _ doubt: Double) -> TeacherOptions {
    var options = TeacherOptions(threads: 1)
    (options.confidence, options.doubt) = (confidence, doubt)
    return options
  }

  private func labeled(
    _ detector: SmallDetector, _ options: TeacherOptions
  ) throws -> TrainingSet {
    try TrainingSet(
      pictures: detector.folder.url.path, teacher: detector.path, options: options)
  }

  @Test("Objects count as much as their confidence; doubtful ones are ignored")
  func confidences() throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    let count = try detector.set(count: 4).pictures.count
    let all = try labeled(detector, options(0.2, 0.2))
    #expect(all.pictures.count == count && all.ignoredCount == 0)
    let weights = all.pictures.flatMap(\.objects).map(\.weight).sorted()
    let middle = weights[weights.count / 2]
    #expect(weights.count > 10 && weights.allSatisfy { $0 >= 0.2 && $0 <= 1 })
    #expect(middle > weights[0])
    // A picture that cannot be read is left out, and named.
    _ = try detector.folder.write("cut.png", Array("no picture".utf8))
    let some = try labeled(detector, options(0.2, 0.2))
    #expect(some.pictures.count == count && some.findings.map(\.kind) == [.unreadablePicture])
    #expect(some.findings.map(\.file) == ["cut.png"] && all.findings.isEmpty)
    // The same boxes, of which half are doubtful now.
    let half = try labeled(detector, options(middle, 0.2))
    #expect(half.objectCount == weights.count { $0 >= middle })
    #expect(half.objectCount + half.ignoredCount == weights.count)
    let boxes = all.pictures.flatMap(\.objects)
    for (whole, own) in zip(boxes, half.pictures.flatMap(\.objects)) {
      #expect(own.weight == (whole.weight >= middle ? whole.weight : 0))
      #expect((own.x, own.y, own.width) == (whole.x, whole.y, whole.width))
    }
  }

  @Test("Classes are those asked for, or those found")
  func classes() throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    _ = try detector.set(count: 2)
    var options = options(0.2, 0.2)
    options.labels = ["wide"]
    let set = try labeled(detector, options)
    #expect(set.labels == ["wide"])
    #expect(set.pictures.flatMap(\.objects).allSatisfy { $0.label == 0 })
    options.labels = ["wibe"]
    let error = try #require(throws: TrainingError.self) { try labeled(detector, options) }
    #expect(error.message.contains("did you mean 'wide'?"))
  }

  @Test("What cannot teach is named")
  func refusals() throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    #expect(
      try #require(throws: TrainingError.self) {
        try labeled(detector, options(0.5, 0.2))
      }.code == .unsuitablePictures)
    _ = try detector.set(count: 1)
    let nothing = try #require(throws: TrainingError.self) {
      try labeled(detector, options(1, 1))
    }
    #expect(nothing.code == .unsuitablePictures && nothing.message.contains("--threshold"))
    #expect(
      try #require(throws: TrainingError.self) {
        try labeled(detector, options(0.2, 0.3))
      }.code == .invalidOption)
    let stopped = try #require(throws: TrainingError.self) {
      try TrainingSet(
        pictures: detector.folder.url.path, teacher: detector.path, options: options(0.2, 0.2)
      ) { _, _ in false }
    }
    #expect(stopped.code == .interrupted)
  }
}
