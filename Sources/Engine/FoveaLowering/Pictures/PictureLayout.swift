// Fovea - which arrays can be pictures.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// How a picture lies in an array of a network: one picture of 1 or 3 channels, first or last.
///
///     [1, 3, rows, columns]   [1, rows, columns, 3]   [3, rows, columns]   [rows, columns, 3]
package struct PictureLayout: Sendable, Hashable {
  /// 3 or 4.
  let rank: Int
  /// 1 or 3.
  let channels: Int
  /// Whether the channels of a pixel lie together.
  let isChannelsLast: Bool

  /// Arrays with fewer rows or columns are no pictures.
  static let leastSide = 8

  /// The layout of an array whose sizes are within ranges; `nil` for what is no picture. A size that
  /// stands for the channels by itself counts before one that may be theirs.
  init?(_ sizes: [SizeRange]) {
    guard (3...4).contains(sizes.count), sizes.count == 3 || sizes[0].contains(1) else {
      return nil
    }
    let plane = sizes.suffix(3).map { $0 }
    for (channels, isExact) in [(3, true), (1, true), (3, false)] {
      for (axis, isLast) in [(0, false), (2, true)] {
        let size = plane[axis]
        let fits = isExact ? size.lower == channels && size.upper == channels : size.upper == nil
        let sides = isLast ? plane[..<2] : plane[1...]
        guard fits, size.contains(channels),
          sides.allSatisfy({ $0.upper.map { $0 >= Self.leastSide } ?? true })
        else { continue }
        self.init(rank: sizes.count, channels: channels, isChannelsLast: isLast)
        return
      }
    }
    return nil
  }

  private init(rank: Int, channels: Int, isChannelsLast: Bool) {
    self.rank = rank
    self.channels = channels
    self.isChannelsLast = isChannelsLast
  }

  /// The rows and the columns among the sizes of an array.
  package func sides<Size>(of shape: [Size]) -> (rows: Size, columns: Size) {
    let first = rank - (isChannelsLast ? 3 : 2)
    return (shape[first], shape[first + 1])
  }

  /// The shape of an array of a picture.
  package func shape(rows: Int, columns: Int) -> [Int] {
    let sizes = isChannelsLast ? [rows, columns, channels] : [channels, rows, columns]
    return rank == 4 ? [1] + sizes : sizes
  }
}

extension ImageFeature {
  /// The picture that an array can be; `nil` for one that can be none.
  ///
  /// A size that the file leaves open is that of "imgsz" in the metadata, as Ultralytics writes it,
  /// else 640.
  static func picture(
    in array: MultiArrayFeature, _ type: TensorType, metadata: [String: String]
  ) -> (PictureLayout, ImageFeature)? {
    let shapes = array.possibleShapes(type)
    guard let sizes = shapes.first?.ranges, let layout = PictureLayout(sizes) else { return nil }
    let (rows, columns) = layout.sides(of: sizes)
    let usual = usualSides(metadata)
    // A default of 1 stands for a size that is open.
    let own = array.shape.count == sizes.count ? layout.sides(of: array.shape) : (0, 0)
    var image = ImageFeature(
      width: columns.side(own.1, usual.columns), height: rows.side(own.0, usual.rows),
      colorSpace: layout.channels == 1 ? .grayscale : .rgb)
    if shapes.count > 1 {
      image.allowedSizes = .enumerated(
        shapes.compactMap { shape in
          guard shape.ranges.count == sizes.count else { return nil }
          let (rows, columns) = layout.sides(of: shape.ranges)
          return Size(width: columns.lower, height: rows.lower)
        })
    } else if rows.isOpen || columns.isOpen {
      image.allowedSizes = .range(width: columns.sides, height: rows.sides)
    }
    return (layout, image)
  }

  private static func usualSides(_ metadata: [String: String]) -> (rows: Int, columns: Int) {
    let numbers = (metadata["imgsz"] ?? "").split { !$0.isNumber }.compactMap { Int($0) }
      .filter { PictureLayout.leastSide...1 << 15 ~= $0 }
    return switch numbers.count {
    case 1: (numbers[0], numbers[0])
    case 2: (numbers[0], numbers[1])
    default: (640, 640)
    }
  }
}

extension SizeRange {
  /// Whether there are several sizes.
  fileprivate var isOpen: Bool { lower != upper }

  /// The sizes that pictures may have.
  fileprivate var sides: SizeRange {
    SizeRange(lower: max(lower, min(PictureLayout.leastSide, upper ?? .max)), upper: upper)
  }

  /// A size of a side: the file's own, or the usual one as far as it is allowed.
  fileprivate func side(_ own: Int, _ usual: Int) -> Int {
    guard isOpen else { return lower }
    if own > 1, contains(own) { return own }
    return min(max(usual, lower), upper ?? .max)
  }
}

/// One of the shapes that an array may have.
private struct PossibleShape {
  var ranges: [SizeRange]
}

extension MultiArrayFeature {
  /// The shapes that the file allows; several for a list, else one of ranges.
  fileprivate func possibleShapes(_ type: TensorType) -> [PossibleShape] {
    func fixed(_ shape: [Int]) -> PossibleShape {
      PossibleShape(ranges: shape.map { SizeRange(lower: $0, upper: $0) })
    }
    switch allowedShapes {
    case .ranges(let ranges): return [PossibleShape(ranges: ranges)]
    case .enumerated(let shapes) where !shapes.isEmpty:
      return (shape.isEmpty ? [] : [fixed(shape)]) + shapes.filter { $0 != shape }.map(fixed)
    case .enumerated, .fixed:
      if !shape.isEmpty { return [fixed(shape)] }
      let sizes = (type.shape ?? []).map { size in
        SizeRange(lower: size ?? 1, upper: size)
      }
      return [PossibleShape(ranges: sizes)]
    }
  }
}
