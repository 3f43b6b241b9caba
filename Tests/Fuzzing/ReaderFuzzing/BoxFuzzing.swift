// Fovea - fuzzing: suppression and geometry on numbers of any bits.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaRuntime

/// Numbers read off bytes: often ordinary ones, else any bits.
struct FuzzedNumbers {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func double() -> Double {
    let kind = byte()
    if kind < 160 { return Double(kind) / 64 - 0.25 }
    let bits = (0..<8).reduce(UInt64(0)) { bits, _ in bits << 8 | UInt64(byte()) }
    return Double(bitPattern: bits)
  }

  mutating func integer() -> Int {
    let kind = byte()
    if kind < 200 { return Int(kind) }
    return Int(bitPattern: (0..<8).reduce(UInt(0)) { bits, _ in bits << 8 | UInt(byte()) })
  }
}

enum BoxFuzzing {
  static func compute(_ bytes: [UInt8]) {
    var numbers = FuzzedNumbers(bytes)
    if numbers.byte() & 1 == 0 { suppress(&numbers) } else { place(&numbers) }
  }

  // MARK: Suppression

  /// What stays is in order, passes the threshold, and competes with nothing that stays; what goes has lost against a box that stays.
  private static func suppress(_ numbers: inout FuzzedNumbers) {
    let isAgnostic = numbers.byte() & 1 == 1
    let (confidence, overlap) = (numbers.double(), numbers.double())
    let most = numbers.byte() < 128 ? nil : numbers.integer()
    var boxes: [CornerBox] = []
    var scores: [Float] = []
    var labels: [Int] = []
    while !numbers.isEmpty, boxes.count < 200 {
      boxes.append(
        CornerBox(
          minX: numbers.double(), minY: numbers.double(), maxX: numbers.double(),
          maxY: numbers.double()))
      scores.append(Float(numbers.double()))
      labels.append(numbers.integer())
    }
    let kept = nonMaximumSuppression(
      boxes: boxes, scores: scores, labels: labels, confidenceThreshold: confidence,
      iouThreshold: overlap, classAgnostic: isAgnostic, maximumCount: most)
    promise(kept.count <= max(0, most ?? .max), "\(kept.count) boxes stay of at most \(most ?? 0)")
    let places = Set(kept)
    promise(places.count == kept.count, "a box stays twice")
    for (one, next) in zip(kept, kept.dropFirst()) {
      promise(
        scores[one] > scores[next] || (scores[one] == scores[next] && one < next),
        "boxes \(one) and \(next) are not in order")
    }
    let threshold = Float(confidence)
    // `max` would make a number of NaN, which removes nothing.
    let mostOverlap = overlap < 0 ? 0 : overlap
    promise(kept.allSatisfy { scores[$0] >= threshold }, "a box below the threshold stays")
    func competes(_ a: Int, _ b: Int) -> Bool {
      (isAgnostic || labels[a] == labels[b])
        && boxes[a].intersectionOverUnion(with: boxes[b]) > mostOverlap
    }
    for (index, one) in kept.enumerated() {
      promise(
        !kept[..<index].contains { competes($0, one) },
        "box \(one) stays beside one that it overlaps")
    }
    guard most == nil else { return }
    for box in boxes.indices where scores[box] >= threshold && !places.contains(box) {
      promise(
        kept.contains { competes($0, box) }, "box \(box) went, and no box that stays overlaps it")
    }
  }

  // MARK: Geometry

  /// Regions are refused or lie in the image; maps are finite, and lead back.
  private static func place(_ numbers: inout FuzzedNumbers) {
    let choices = numbers.byte()
    let stored = ImageSize(width: numbers.integer(), height: numbers.integer())
    let model = ImageSize(width: numbers.integer(), height: numbers.integer())
    let region =
      choices & 1 == 0
      ? NormalizedRect.fullImage
      : NormalizedRect(
        x: numbers.double(), y: numbers.double(), width: numbers.double(), height: numbers.double())
    let action = ImageCropAndScaleAction.allCases[
      Int(choices >> 1) % ImageCropAndScaleAction.allCases.count]
    let orientation = ImageOrientation.allCases[Int(choices >> 4) % ImageOrientation.allCases.count]
    let rect = NormalizedRect(
      x: numbers.double(), y: numbers.double(), width: numbers.double(), height: numbers.double())
    _ = rect.clamped
    _ = rect.intersectionOverUnion(with: region)
    guard
      let geometry = try? ImageGeometry(
        storedSize: stored, orientation: orientation, regionOfInterest: region,
        cropAndScaleAction: action, paddingAnchor: choices & 8 == 0 ? .centered : .upperLeft,
        modelSize: model)
    else { return }
    for source in ImageSpace.allCases {
      for target in ImageSpace.allCases {
        let map = geometry.map(from: source, to: target)
        promise(map.isFinite, "the map from \(source) to \(target) is not finite")
        promise(map.inverse != nil, "the map from \(source) to \(target) leads nowhere")
        _ = geometry.convert(rect, from: source, to: target)
      }
    }
    let crop = geometry.cropRect
    promise(crop.width > 0 && crop.height > 0, "nothing is left of the image")
  }
}
