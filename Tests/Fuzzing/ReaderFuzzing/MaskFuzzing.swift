// Fovea - fuzzing: masks as text, and masks of planes of any numbers.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaShapes
import FoveaTestSupport

enum MaskFuzzing {
  /// Texts of 90 x 100 pixels, and numbers.
  static var seeds: [[UInt8]] {
    let texts = ["Xi8", "0Xi8", ":5o20fb8", "7n0V21O1o0QO`[8"].map {
      [0, 90, 100] + Array($0.utf8)
    }
    let numbers = (0..<12).map { seed in
      var random = SplitMix(seed: UInt64(seed))
      return [1, 40, 30] + (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    return texts + numbers
  }

  static func read(_ bytes: [UInt8]) {
    guard bytes.count > 3 else { return }
    let size = ImageSize(width: Int(bytes[1]), height: Int(bytes[2]))
    if bytes[0] & 1 == 0 {
      readText(String(decoding: bytes[3...], as: UTF8.self), size)
    } else {
      sample(Array(bytes[3...]), size)
    }
  }

  /// What is read is what is written again, as text, as pixels and as outlines.
  private static func readText(_ text: String, _ size: ImageSize) {
    guard let runs = MaskRunLengths(imageSize: size, text: text) else { return }
    let pixels = size.width * size.height
    promise((0...pixels).contains(runs.area), "\(runs.area) of \(pixels) pixels")
    let again = MaskRunLengths(imageSize: size, text: runs.text)
    promise(again == runs, "another mask is read from what was written")
    let mask = InstanceMask(runs)
    promise(mask.area == runs.area, "\(mask.area) pixels of \(runs.area)")
    promise(mask.runLengths.area == runs.area, "run lengths have lost pixels")
    promise(InstanceMask(mask.runLengths) == mask, "masks of the same pixels differ")
    check(mask, size)
  }

  /// A mask lies in its box and in the image.
  private static func sample(_ bytes: [UInt8], _ size: ImageSize) {
    guard size.width > 0, size.height > 0 else { return }
    var numbers = FuzzedNumbers(bytes)
    let (columns, rows) = (Int(numbers.byte() % 7) + 1, Int(numbers.byte() % 7) + 1)
    let turns = numbers.byte()
    let edges = (0..<4).map { _ in numbers.double() * 100 }
    let planes = (0..<2 * columns * rows).map { _ in Float(numbers.double()) }
    let factors = (0..<2).map { _ in Float(numbers.double()) }
    guard let orientation = ImageOrientation(rawValue: Int(turns % 8) + 1),
      let geometry = try? ImageGeometry(
        storedSize: orientation.uprightSize(of: size), orientation: orientation,
        modelSize: ImageSize(width: 32, height: 24))
    else { return }
    var sampler = MaskSampler(
      imageSize: size, map: geometry.map(from: .upright, to: .model),
      inputSize: geometry.modelSize, planeColumns: columns, planeRows: rows)
    let box = CornerBox(minX: edges[0], minY: edges[1], maxX: edges[2], maxY: edges[3])
    let mask = sampler.mask(in: box, factors: factors.span, prototypes: planes.span)
    guard let mask else { return }
    promise(mask.area > 0, "a mask without pixels")
    check(mask, size)
    let isInside =
      Double(mask.columns.lowerBound) >= box.minX && Double(mask.columns.upperBound - 1) < box.maxX
      && Double(mask.rows.lowerBound) >= box.minY && Double(mask.rows.upperBound - 1) < box.maxY
    promise(isInside, "a mask leaves its box")
  }

  private static func check(_ mask: InstanceMask, _ size: ImageSize) {
    for corner in mask.polygons.joined() {
      let isSet = mask.contains(x: Int(corner.x), y: Int(corner.y))
      promise(isSet, "a corner of an outline is no pixel of the mask")
    }
    promise(
      mask.bars.reduce(0) { $0 + $1.columns.count * $1.rows.count } == mask.area,
      "bars of a mask of \(size) do not make it up")
  }
}
