// Fovea - the sizes and shapes that features allow.
// SPDX-License-Identifier: Apache-2.0

extension MultiArrayFeature {
  /// The shape of the file; the first or least allowed one where the file leaves it out.
  package var defaultShape: [Int] {
    guard shape.isEmpty else { return shape }
    return switch allowedShapes {
    case .fixed: []
    case .enumerated(let shapes): shapes.first ?? []
    case .ranges(let ranges): ranges.map { max($0.lower, 1) }
    }
  }

  /// Whether the model can be run on arrays of a shape.
  package func allows(_ wanted: [Int]) -> Bool {
    guard wanted.allSatisfy({ $0 >= 1 }) else { return false }
    if wanted == shape { return true }
    return switch allowedShapes {
    case .fixed: false
    case .enumerated(let shapes): shapes.contains(wanted)
    case .ranges(let ranges):
      ranges.count == wanted.count && zip(ranges, wanted).allSatisfy { $0.contains($1) }
    }
  }

  /// The allowed shapes for people.
  package var allowedShapesText: String {
    switch allowedShapes {
    case .fixed: "only \(shape)"
    case .enumerated(let shapes):
      (shape.isEmpty ? shapes : [shape] + shapes.filter { $0 != shape }).map { "\($0)" }.joined(
        separator: ", ")
    case .ranges(let ranges): "[\(ranges.map(\.text).joined(separator: ", "))]"
    }
  }
}

extension ImageFeature {
  /// Whether the model can be run on images of a size.
  package func allows(_ size: Size) -> Bool {
    if size == Size(width: width, height: height) { return true }
    return switch allowedSizes {
    case .fixed: false
    case .enumerated(let sizes): sizes.contains(size)
    case .range(let widths, let heights):
      size.width >= 1 && size.height >= 1 && widths.contains(size.width)
        && heights.contains(size.height)
    }
  }

  /// The allowed sizes for people, width before height.
  package var allowedSizesText: String {
    let own = "\(width)x\(height)"
    return switch allowedSizes {
    case .fixed: "only \(own)"
    case .enumerated(let sizes):
      ([own] + sizes.map { "\($0.width)x\($0.height)" }.filter { $0 != own })
        .joined(separator: ", ")
    case .range(let widths, let heights):
      "a width of \(widths.text) and a height of \(heights.text)"
    }
  }
}

extension SizeRange {
  fileprivate var text: String {
    guard let upper else { return "at least \(lower)" }
    return lower == upper ? "\(lower)" : "\(lower) to \(upper)"
  }
}
