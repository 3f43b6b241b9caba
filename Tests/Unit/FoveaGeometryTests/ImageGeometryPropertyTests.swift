// Fovea - tests of geometry on random sizes, regions, orientations and actions.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaTestSupport
import Testing

@Suite struct ImageGeometryPropertyTests {
  /// Calls `body` with every choice on random sizes and regions.
  private func forRandomGeometries(
    seed: UInt64, rounds: Int = 60, imageUpTo: Int = 65535, modelUpTo: Int = 1280,
    _ body: (ImageGeometry, GeometryChoice, inout SplitMix) throws -> Void
  ) throws {
    var generator = SplitMix(seed: seed)
    for _ in 0..<rounds {
      let upright = generator.size(upTo: imageUpTo)
      let model = generator.size(upTo: modelUpTo)
      let region = generator.region()
      for choice in GeometryChoice.all {
        let geometry = try choice.geometry(upright: upright, region: region, model: model)
        try body(geometry, choice, &generator)
      }
    }
  }

  /// A point of the network's input or a little beside it.
  private func point(
    in size: ImageSize, _ generator: inout SplitMix
  ) -> (x: Double, y: Double) {
    (
      Double.random(in: -0.25...1.25, using: &generator) * Double(size.width),
      Double.random(in: -0.25...1.25, using: &generator) * Double(size.height)
    )
  }

  @Test func toTheImageAndBackIsTheIdentity() throws {
    try forRandomGeometries(seed: 11, imageUpTo: 16384) { geometry, choice, generator in
      let model = point(in: geometry.modelSize, &generator)
      for space in ImageSpace.allCases {
        let there = geometry.map(from: .model, to: space)(x: model.x, y: model.y)
        let back = geometry.map(from: space, to: .model)(x: there.x, y: there.y)
        #expect(distance(back, model) < 1e-6, "\(geometry)")
      }
    }
  }

  @Test func theGreatestSizesLoseNoMoreThanRoundingDoes() throws {
    try forRandomGeometries(
      seed: 12, imageUpTo: ImageGeometry.maximumSide, modelUpTo: 65535
    ) { geometry, choice, generator in
      let model = point(in: geometry.modelSize, &generator)
      for space in ImageSpace.allCases {
        let map = geometry.map(from: .model, to: space)
        let there = map(x: model.x, y: model.y)
        let back = geometry.map(from: space, to: .model)(x: there.x, y: there.y)
        // Eight roundings of a coordinate of the image, in pixels of the input.
        let side = Double(max(geometry.storedSize.width, geometry.storedSize.height))
        let least = [map.a, map.b, map.c, map.d].map(abs).filter { $0 > 0 }.min() ?? .nan
        let bound = 8 * (side * 0x1p-52 / least + 65535 * 0x1p-52)
        #expect(distance(back, model) < bound, "\(geometry)")
      }
    }
  }

  @Test func storedUprightAndModelAgree() throws {
    try forRandomGeometries(seed: 13) { geometry, choice, generator in
      let model = point(in: geometry.modelSize, &generator)
      let upright = geometry.map(from: .model, to: .upright)(x: model.x, y: model.y)
      let stored = geometry.map(from: .model, to: .stored)(x: model.x, y: model.y)
      // The orientation's own table, which an image turned by hand has checked.
      let size = (
        Double(geometry.uprightSize.width), Double(geometry.uprightSize.height)
      )
      let (u, v) = choice.orientation.stored(x: upright.x / size.0, y: upright.y / size.1)
      let side = (Double(geometry.storedSize.width), Double(geometry.storedSize.height))
      #expect(abs(u * side.0 - stored.x) < 1e-9 && abs(v * side.1 - stored.y) < 1e-9)
      let again = geometry.map(from: .stored, to: .upright)(x: stored.x, y: stored.y)
      #expect(distance(again, upright) < 1e-9)
      let uprightToStored = geometry.map(from: .upright, to: .stored)
      #expect([-1, 0, 1].contains(uprightToStored.a) && [-1, 0, 1].contains(uprightToStored.b))
    }
  }

  @Test func fractionsAndPixelsAgree() throws {
    try forRandomGeometries(seed: 14) { geometry, choice, generator in
      let box = generator.region()
      for source in ImageSpace.allCases {
        for target in ImageSpace.allCases {
          let converted = geometry.convert(box, from: source, to: target)
          for origin in CoordinateOrigin.allCases {
            let pixels = geometry.convert(
              box.toImageCoordinates(geometry.size(of: source), origin: origin), from: source,
              to: target)
            #expect(pixels.origin == origin)
            let fractions = NormalizedRect(imageRect: pixels, in: geometry.size(of: target))
            let size = max(1, abs(converted.x), abs(converted.y), converted.width, converted.height)
            #expect(distance(fractions, converted) < 1e-9 * size, "\(geometry)")
          }
          let center = geometry.convert(box.center, from: source, to: target)
          let size = max(1, abs(center.x), abs(center.y))
          #expect(
            distance((center.x, center.y), (converted.midX, converted.midY)) < 1e-9 * size)
          let fromTop = geometry.normalizedMap(from: source, to: target, origin: .upperLeft)
          let flipped = NormalizedRect(
            fromTop(CornerBox(box, origin: .upperLeft)), origin: .upperLeft)
          #expect(distance(flipped, converted) < 1e-9 * size)
        }
      }
    }
  }

  /// The table of features.md 1.D, in fractions from the upper left: x' = ax x + ox.
  private func tableMap(_ geometry: ImageGeometry) -> (Double, Double) -> (Double, Double) {
    let turns = geometry.cropAndScaleAction.rawValue.hasSuffix("Plus90CCWRotation")
    let upright = geometry.uprightSize
    let region = geometry.regionOfInterest
    var width = region.width * Double(upright.width)
    var height = region.height * Double(upright.height)
    if turns { swap(&width, &height) }
    let sx = Double(geometry.modelSize.width) / width
    let sy = Double(geometry.modelSize.height) / height
    let (ax, ay): (Double, Double) =
      switch geometry.cropAndScaleAction {
      case .scaleToFill, .scaleToFillPlus90CCWRotation: (1, 1)
      case .centerCrop: (sx / max(sx, sy), sy / max(sx, sy))
      case .scaleToFit, .scaleToFitPlus90CCWRotation: (sx / min(sx, sy), sy / min(sx, sy))
      }
    let isCentered =
      geometry.paddingAnchor == .centered || geometry.cropAndScaleAction == .centerCrop
    let (ox, oy) = isCentered ? ((1 - ax) / 2, (1 - ay) / 2) : (0, 0)
    let regionTop = 1 - region.y - region.height
    return { x, y in
      var (u, v) = (x * ax + ox, y * ay + oy)
      // Turned counterclockwise, what was at the right is on top: v runs from right to left.
      if turns { (u, v) = (1 - v, u) }
      return (u * region.width + region.x, v * region.height + regionTop)
    }
  }

  @Test func mapsAreThoseOfTheTable() throws {
    try forRandomGeometries(seed: 15) { geometry, choice, generator in
      let map = geometry.normalizedMap(from: .model, to: .upright, origin: .upperLeft)
      let table = tableMap(geometry)
      for (x, y) in [(0.0, 0.0), (1, 0), (0, 1), (0.3, 0.8)] {
        let expected = table(x, y)
        let size = max(1, abs(expected.0), abs(expected.1))
        #expect(distance(map(x: x, y: y), expected) < 1e-12 * size, "\(geometry)")
      }
    }
  }

  @Test func cropContentAndPaddingFitTogether() throws {
    try forRandomGeometries(seed: 16) { geometry, choice, generator in
      let (crop, content, padding) = (geometry.cropRect, geometry.contentRect, geometry.padding)
      let (columns, rows) = (Double(geometry.modelSize.width), Double(geometry.modelSize.height))
      let shown = geometry.convert(content, from: .model, to: .upright)
      #expect(distance(shown, crop) < 1e-9 * max(1, crop.maxX, crop.maxY), "\(geometry)")
      #expect(abs(padding.left + content.width + padding.right - columns) < 1e-9)
      #expect(abs(padding.top + content.height + padding.bottom - rows) < 1e-9)
      #expect(padding.left >= 0 && padding.top >= 0 && padding.right >= 0 && padding.bottom >= 0)
      #expect(content.minX >= 0 && content.minY >= 0)

      let region = geometry.regionRect
      let slack = 1e-9 * max(1, region.maxX, region.maxY)
      #expect(crop.minX >= region.minX - slack && crop.maxX <= region.maxX + slack)
      #expect(crop.minY >= region.minY - slack && crop.maxY <= region.maxY + slack)
      #expect(region.minX >= 0 && region.maxX <= Double(geometry.uprightSize.width) + slack)
      #expect(region.minY >= 0 && region.maxY <= Double(geometry.uprightSize.height) + slack)

      let map = geometry.map(from: .model, to: .upright)
      let scales = [map.a, map.b, map.c, map.d].map(abs).filter { $0 > 0 }
      #expect(scales.count == 2)
      switch choice.action {
      case .scaleToFill, .scaleToFillPlus90CCWRotation:
        #expect(padding == .none && distance(crop, region) < slack)
      case .scaleToFit, .scaleToFitPlus90CCWRotation:
        #expect(scales[0] == scales[1] && distance(crop, region) < slack)
        #expect(content.width == columns || content.height == rows)
        if choice.anchor == .upperLeft { #expect(content.x == 0 && content.y == 0) }
        if choice.anchor == .centered {
          #expect(abs(padding.left - padding.right) < 1e-9)
          #expect(abs(padding.top - padding.bottom) < 1e-9)
        }
      case .centerCrop:
        #expect(scales[0] == scales[1] && padding == .none)
        #expect(crop.width == region.width || crop.height == region.height)
        #expect(abs(crop.midX - region.midX) < slack && abs(crop.midY - region.midY) < slack)
      }
    }
  }
}
