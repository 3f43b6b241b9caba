// Fovea - the masks of a picture's objects, as both kinds of observations show them.
// SPDX-License-Identifier: Apache-2.0
package import FoveaApple
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaShapes
internal import FoveaVision

/// The masks of objects, each of which has a number from 1, in the size of the upright picture.
/// Where two masks overlap, a pixel belongs to the object with more confidence.
package struct InstanceMasks: Hashable, Codable, Sendable {
  package let width, height: Int
  /// How many objects there are.
  package let count: Int
  /// The confidence of the surest object.
  package let confidence: Float
  /// The number of the object that each pixel belongs to, row by row; 0 for the background.
  package let numbers: Data

  /// A byte holds this many numbers beside 0.
  private static let greatestCount = 255

  /// The masks of the objects whose label is wanted, found by the network of
  /// `VisionModels.instanceMasks`; `nil` where there are none.
  package init?(in picture: VisionImage, region: CGRect, _ isWanted: (String) -> Bool) throws {
    let request = try VisionModels.masks.request()
    guard request.findsMasks else {
      throw VisionFailure(
        .invalidModel, "the network of VisionModels.instanceMasks finds boxes without masks")
    }
    guard request.classLabels.contains(where: isWanted) else {
      throw VisionFailure(
        .invalidModel,
        "the network of VisionModels.instanceMasks has no class 'person'; it has "
          + request.classLabels.prefix(20).joined(separator: ", "))
    }
    let objects = try picture.found(request, in: region).filter {
      isWanted($0.bestLabel?.identifier ?? "") && $0.mask?.area ?? 0 > 0
    }.prefix(Self.greatestCount)
    let masks = objects.compactMap(\.mask)
    guard let best = objects.first, let size = masks.first?.imageSize else { return nil }
    var numbers = Data(count: size.width * size.height)
    for (place, mask) in masks.enumerated().reversed() {
      for row in mask.rows {
        for stretch in mask.stretches(inRow: row) {
          for column in stretch { numbers[row * size.width + column] = UInt8(place + 1) }
        }
      }
    }
    (width, height, self.numbers) = (size.width, size.height, numbers)
    (count, confidence) = (masks.count, best.confidence)
  }

  /// The same for people alone.
  package init?(ofPeopleIn picture: VisionImage, region: CGRect) throws {
    try self.init(in: picture, region: region) { $0.lowercased() == "person" }
  }

  /// The numbers of all objects, without the background.
  package var all: IndexSet { IndexSet(integersIn: 1...count) }

  /// The number of each pixel's object, as bytes.
  package func numbered() throws(VisionFailure) -> CVPixelBuffer {
    try MaskBuffer.filled(width, height, kCVPixelFormatType_OneComponent8) {
      numbers[$1 * width + $0]
    }
  }

  /// The object at a point in fractions of the picture from the lower left; empty for the background
  /// and outside the picture.
  package func instances(at point: CGPoint) -> IndexSet {
    guard (0...1).contains(point.x), (0...1).contains(point.y) else { return IndexSet() }
    let column = min(Int(point.x * CGFloat(width)), width - 1)
    let row = min(Int((1 - point.y) * CGFloat(height)), height - 1)
    let number = Int(numbers[row * width + column])
    return number == 0 ? IndexSet() : IndexSet(integer: number)
  }

  /// Which pixels belong to some of the objects: 1 for these, 0 for others, as floats.
  ///
  /// - Throws: `.invalidArgument` for a number that no object has; `.outOfMemory`.
  package func mask(of instances: IndexSet) throws(VisionFailure) -> CVPixelBuffer {
    let chosen = try chosen(instances)
    return try MaskBuffer.shares(
      width: width, height: height, format: kCVPixelFormatType_OneComponent32Float
    ) { chosen[Int(numbers[$1 * width + $0])] }
  }

  /// The same for a picture, which is the one that was looked at.
  ///
  /// - Throws: As above, also for a picture of another size.
  package func mask(of instances: IndexSet, for picture: VisionImage) throws -> CVPixelBuffer {
    _ = try source(picture)
    return try mask(of: instances)
  }

  /// The pixels of some of the objects in blue, green, red and opacity. Others are transparent.
  ///
  /// - Parameter isCropped: Whether the least rectangle around the pixels is made.
  /// - Throws: As above; `.invalidArgument` for a rectangle around objects that others cover.
  package func pixels(
    of instances: IndexSet, from picture: VisionImage, isCropped: Bool
  ) throws -> CVPixelBuffer {
    let chosen = try chosen(instances)
    let rgb = try source(picture).uprightImage(picture.orientation).rgb
    let (columns, rows) = isCropped ? try extent(of: chosen) : (0..<width, 0..<height)
    return try MaskBuffer.filled(columns.count, rows.count, kCVPixelFormatType_32BGRA) { x, y in
      let place = (y + rows.lowerBound) * width + x + columns.lowerBound
      guard chosen[Int(numbers[place])] else { return 0 as UInt32 }
      let (red, green, blue) = (rgb[3 * place], rgb[3 * place + 1], rgb[3 * place + 2])
      return (UInt32(blue) | UInt32(green) << 8 | UInt32(red) << 16 | 0xFF00_0000).littleEndian
    }
  }

  /// Whether pixels of each number belong to the objects.
  private func chosen(_ instances: IndexSet) throws(VisionFailure) -> [Bool] {
    guard !instances.isEmpty, instances.allSatisfy({ (1...count).contains($0) }) else {
      throw VisionFailure(
        .invalidArgument, "instances are 1 to \(count); choose some of allInstances")
    }
    return (0...Self.greatestCount).map(instances.contains)
  }

  /// The columns and rows around the pixels that belong to the objects.
  private func extent(
    of chosen: [Bool]
  ) throws(VisionFailure) -> (columns: Range<Int>, rows: Range<Int>) {
    var (columns, rows) = (width...width, height...height)
    var isEmpty = true
    for (place, number) in numbers.enumerated() where chosen[Int(number)] {
      let (x, y) = (place % width, place / width)
      columns = isEmpty ? x...x : min(columns.lowerBound, x)...max(columns.upperBound, x)
      rows = isEmpty ? y...y : min(rows.lowerBound, y)...max(rows.upperBound, y)
      isEmpty = false
    }
    guard !isEmpty else {
      throw VisionFailure(.invalidArgument, "other objects cover all pixels of these instances")
    }
    return (Range(columns), Range(rows))
  }

  /// The picture that the masks are for, before anything is decoded.
  private func source(_ picture: VisionImage) throws -> ImageSource {
    let source = try picture.image().imageSource
    let size = picture.orientation.uprightSize(of: try source.storedSize())
    guard (size.width, size.height) == (width, height) else {
      throw VisionFailure(
        .invalidArgument,
        "the picture is \(size.width) x \(size.height), and the masks are for "
          + "\(width) x \(height)")
    }
    return source
  }
}
