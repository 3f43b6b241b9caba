// Fovea - the allowed size of an image that suits a picture best.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaModelValues

extension ImageFeature {
  /// Whether the model allows other sizes than its own.
  package var isFlexible: Bool {
    switch allowedSizes {
    case .fixed: false
    case .enumerated(let sizes): sizes.contains { $0 != size }
    case .range(let widths, let heights):
      widths.upper != widths.lower || heights.upper != heights.lower
    }
  }

  /// The allowed size that is nearest to an aspect.
  ///
  /// Of enumerated sizes it is the one whose ratio of width to height differs least; among equal
  /// ones, the one with the number of pixels nearest to the default. A range allows many sizes of
  /// nearly the same aspect. Of those with at most 17/16 of the default's pixels it is the one in
  /// which a picture of the aspect, scaled to fit, has the most pixels; then the smaller one.
  ///
  /// - Parameters:
  ///   - aspect: Width over height of the picture, more than 0.
  ///   - step: What widths and heights in a range are multiples of, in pixels: the network's stride.
  /// - Complexity: Linear in the number of sizes, or of heights in the range.
  package func size(nearestTo aspect: Double, step: Int) -> Size {
    guard aspect > 0, aspect.isFinite else { return size }
    switch allowedSizes {
    case .fixed: return size
    case .enumerated(let sizes):
      return ([size] + sizes).min { left, right in
        let differences = (left.difference(from: aspect), right.difference(from: aspect))
        if differences.0 != differences.1 { return differences.0 < differences.1 }
        return abs(left.area - size.area) < abs(right.area - size.area)
      } ?? size
    case .range(let widths, let heights):
      return sizes(in: widths, heights, step: max(step, 1), aspect: aspect).max { left, right in
        let pixels = (left.pixels(ofAspect: aspect), right.pixels(ofAspect: aspect))
        return pixels.0 != pixels.1 ? pixels.0 < pixels.1 : left.area > right.area
      } ?? size
    }
  }

  /// What sizes in a range are multiples of where nothing else is known: the largest power of two up
  /// to 32 that divides both sides of the default size.
  package var usualStep: Int {
    1 << min(5, width.trailingZeroBitCount, height.trailingZeroBitCount)
  }

  /// Allowed sizes with fewer pixels than `most`, the largest first.
  package func sizes(below most: ImageSize, step: Int) -> [ImageSize] {
    // A file may state any stride.
    guard step <= max(most.width, most.height) else { return [] }
    let candidates: [ImageSize]
    switch allowedSizes {
    case .fixed: candidates = []
    case .enumerated(let sizes):
      candidates = ([size] + sizes).map { ImageSize(width: $0.width, height: $0.height) }
    case .range(let widths, let heights):
      candidates = [0.75, 0.5, 0.375].compactMap { share in
        guard let width = widths.nearest(to: share * Double(most.width), step: max(step, 1)),
          let height = heights.nearest(to: share * Double(most.height), step: max(step, 1))
        else { return nil }
        return ImageSize(width: width, height: height)
      }
    }
    var sizes = Array(Set(candidates)).filter {
      $0.width * $0.height < most.width * most.height
    }
    sizes.sort { ($0.width * $0.height, $0.width) > ($1.width * $1.height, $1.width) }
    return sizes
  }

  private var size: Size { Size(width: width, height: height) }

  /// For every allowed height, the two allowed widths around the one that the aspect asks for.
  private func sizes(
    in widths: SizeRange, _ heights: SizeRange, step: Int, aspect: Double
  ) -> [Size] {
    let most = size.area + size.area / 16
    guard widths.lower <= most, heights.lower <= most, step <= most else { return [] }
    let least = (max(widths.lower, 1) + step - 1) / step * step
    let first = (max(heights.lower, 1) + step - 1) / step * step
    let last = min(heights.upper ?? most, most / least)
    guard first <= last else { return [] }
    return stride(from: first, through: last, by: step).flatMap { height -> [Size] in
      let greatest = min(widths.upper ?? most, most / height) / step * step
      guard least <= greatest else { return [] }
      let wanted = Int(min(aspect * Double(height), Double(greatest))) / step * step
      return [wanted, wanted + step].map { width in
        Size(width: min(max(width, least), greatest), height: height)
      }
    }
  }
}

extension ImageFeature.Size {
  fileprivate var area: Int { width * height }

  /// How far the ratio of width to height is from an aspect, whichever of them is larger.
  fileprivate func difference(from aspect: Double) -> Double {
    let ratio = Double(width) / Double(height) / aspect
    return max(ratio, 1 / ratio)
  }

  /// The pixels that a picture of an aspect has when it is scaled to fit.
  fileprivate func pixels(ofAspect aspect: Double) -> Double {
    let width = min(Double(width), Double(height) * aspect)
    return width * width / aspect
  }
}

extension SizeRange {
  /// The multiple of `step` in the range that is nearest to `wish`; `nil` where there is none.
  fileprivate func nearest(to wish: Double, step: Int) -> Int? {
    let least = (max(lower, 1) + step - 1) / step * step
    let nearest = max(least, Int((wish / Double(step)).rounded()) * step)
    if let upper, nearest > upper {
      let greatest = upper / step * step
      return greatest >= least ? greatest : nil
    }
    return nearest
  }
}
