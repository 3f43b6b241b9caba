// Fovea - small evaluation sets that follow from a seed.
// SPDX-License-Identifier: Apache-2.0
import FoveaEvaluation
import FoveaTestSupport

/// An evaluation set that follows from a seed: that of `Benchmarks/Peers/evaluation_cases.py`, where
/// it is described. Every number is an integer or its quotient, so both languages have the same doubles.
struct RandomCase {
  private(set) var categories: [Int] = []
  private(set) var images: [Int] = []
  private(set) var objects: [(image: Int, object: GroundTruthObject)] = []
  private(set) var detections: [(image: Int, object: DetectedObject)] = []

  private var random: SplitMix
  private var nextAnnotation = 0
  private var hasTies = false

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
    let count = 1 + draw(4)
    let step = 1 + draw(3)
    let first = draw(2)
    categories = (0..<count).map { first + $0 * step }
    images = (0..<draw(7)).map { 100 - 7 * $0 }
    nextAnnotation = draw(4) == 0 ? 0 : 1
    hasTies = draw(2) == 0
    for image in images {
      for _ in 0..<draw(6) { addObject(image) }
      for _ in 0..<draw(4) {
        let category = category()
        detect(image, category, box())
      }
    }
    if let image = images.first, draw(8) == 0 {
      let start = box()
      for step in 0..<120 {
        var moved = start
        moved.x += Double(step) / 4
        detect(image, categories[0], moved)
      }
    }
  }

  func objects(in image: Int) -> [GroundTruthObject] {
    objects.filter { $0.image == image }.map(\.object)
  }

  func detections(in image: Int) -> [DetectedObject] {
    detections.filter { $0.image == image }.map(\.object)
  }

  /// The evaluation of the set, its images added in the order given.
  func evaluator(
    of images: [Int], annotationZero: AveragePrecisionEvaluator.AnnotationZeroRule = .neverMatched
  ) throws -> AveragePrecisionEvaluator {
    var evaluator = AveragePrecisionEvaluator(
      categories: categories, annotationZero: annotationZero)
    for image in images {
      try evaluator.add(
        image: image, objects: objects(in: image), detections: detections(in: image))
    }
    return evaluator
  }

  // MARK: Drawing numbers, in the order of the other language

  private mutating func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  private mutating func category() -> Int {
    let place = draw(categories.count + 1)
    return place == categories.count ? 999 : categories[place]
  }

  private mutating func box() -> PixelBox {
    let side = [120, 360, 1200][draw(3)]
    let x = Double(draw(1600)) / 4
    let y = Double(draw(1200)) / 4
    let width = Double(1 + draw(side)) / 4
    let height = Double(1 + draw(side)) / 4
    return PixelBox(x: x, y: y, width: width, height: height)
  }

  private mutating func addObject(_ image: Int) {
    let category = category()
    let box = box()
    let isCrowd = draw(6) == 0
    let area = draw(2) == 0 ? box.width * box.height * Double(1 + draw(4)) / 4 : nil
    objects.append(
      (
        image,
        GroundTruthObject(
          category: category, box: box, area: area, isCrowd: isCrowd, annotation: nextAnnotation)
      ))
    nextAnnotation += 1
    if isCrowd {
      for _ in 0..<4 {
        let x = box.x + Double(draw(40)) / 4
        let y = box.y + Double(draw(40)) / 4
        let width = Double(1 + draw(80)) / 4
        let height = Double(1 + draw(80)) / 4
        detect(image, category, PixelBox(x: x, y: y, width: width, height: height))
      }
    }
    for _ in 0..<[0, 1, 1, 1, 1, 2][draw(6)] {
      let reach = [0, 4, 16, 60][draw(4)]
      let moved = [box.x, box.y, box.width, box.height].map {
        $0 + Double(draw(2 * reach + 1) - reach) / 4
      }
      let found = PixelBox(
        x: moved[0], y: moved[1], width: max(moved[2], 0.25), height: max(moved[3], 0.25))
      let foundCategory = draw(8) == 0 ? self.category() : category
      detect(image, foundCategory, found)
    }
  }

  private mutating func detect(_ image: Int, _ category: Int, _ box: PixelBox) {
    let score = hasTies ? Double(draw(11)) / 10 : Double(draw(1_000_000)) / 1_000_000
    detections.append((image, DetectedObject(category: category, box: box, score: score)))
  }
}
