// Fovea - tests of average precision against the numbers of pycocotools.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaEvaluation
import FoveaTestSupport
import Testing

@Suite struct ReferenceEvaluatorTests {
  /// Seeds and pycocotools' twelve numbers, written by `Benchmarks/Peers/evaluation --table`.
  static let table: [(seed: UInt64, numbers: [Double])] = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("coco_cases.txt")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      let words = line.split(separator: " ")
      guard let seed = UInt64(words[0]) else { return nil }
      return (seed, words.dropFirst().compactMap { Double($0) })
    }
  }()

  @Test func randomCasesHaveTheNumbersOfPycocotools() throws {
    #expect(Self.table.count == 200)
    for (seed, numbers) in Self.table {
      let random = RandomCase(seed: seed)
      let values = try random.evaluator(of: random.images).metrics().summary.values
      try #require(numbers.count == 12)
      for (name, (value, number)) in zip(CocoSummary.names, zip(values, numbers)) {
        #expect(abs(value - number) < 1e-9, "seed \(seed), \(name)")
      }
    }
  }

  /// What the table is worth: that its cases have what they are there for.
  @Test func randomCasesHaveWhatIsHard() {
    let cases = Self.table.map { RandomCase(seed: $0.seed) }
    func count(_ property: (RandomCase) -> Bool) -> Int { cases.count(where: property) }
    #expect(count { $0.objects.contains { $0.object.isCrowd } } > 50)
    #expect(count { $0.objects.contains { $0.object.annotation == 0 } } > 20)
    #expect(count { $0.objects.contains { $0.object.area < $0.object.box.area } } > 50)
    #expect(count { $0.detections.count > 120 } > 10)
    #expect(count { $0.detections.isEmpty || $0.objects.isEmpty } > 10)
    #expect(count { Set($0.detections.map(\.object.score)).count < $0.detections.count } > 50)
    for place in 0..<12 {
      #expect(Self.table.count { $0.numbers[place] > 0 } > 50)
      #expect(Self.table.count { $0.numbers[place] == -1 } > 10)
    }
  }

  @Test(.enabled(if: SharedData.isPresent), arguments: ["plain", "crowd", "ties"])
  func storedCasesHaveTheNumbersOfPycocotools(_ name: String) throws {
    let folder = SharedData.url("coco-eval/\(name)").path
    let instances = try CocoInstances(contentsOf: folder + "/instances.json")
    let results = try CocoResults(contentsOf: folder + "/detections.json")
    let metrics = try results.metrics(against: instances)
    let expected = try #require(
      try SharedData.json("coco-eval/\(name)/expected.json") as? [String: Any])
    for (name, value) in zip(CocoSummary.names, metrics.summary.values) {
      #expect(abs(value - (try #require(expected[name] as? Double))) < 1e-9, "\(name)")
    }
    let byCategory = try #require(expected["AP_per_category"] as? [String: Double])
    #expect(metrics.categories.count == byCategory.count)
    for category in metrics.categories {
      let value = try #require(byCategory["\(category.category)"])
      #expect(abs((category.averagePrecision() ?? -1) - value) < 1e-9)
    }
  }

  @Test func orderOfImagesDoesNotMatter() throws {
    for seed in UInt64(0)..<40 {
      let random = RandomCase(seed: seed)
      let forward = try random.evaluator(of: random.images).metrics()
      let backward = try random.evaluator(of: random.images.reversed()).metrics()
      #expect(forward == backward)
    }
  }

  @Test func annotationZeroCountsWhereItIsAskedTo() throws {
    var differences = 0
    for seed in UInt64(0)..<200 {
      let random = RandomCase(seed: seed)
      var unnumbered = AveragePrecisionEvaluator(categories: random.categories)
      for image in random.images {
        let objects = random.objects(in: image).map { object in
          var object = object
          object.annotation = nil
          return object
        }
        try unnumbered.add(
          image: image, objects: objects, detections: random.detections(in: image))
      }
      let matched = try random.evaluator(of: random.images, annotationZero: .matched).metrics()
      #expect(matched == unnumbered.metrics())
      if try random.evaluator(of: random.images).metrics() != matched { differences += 1 }
    }
    #expect(differences > 3)
  }
}
