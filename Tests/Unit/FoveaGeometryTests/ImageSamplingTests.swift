// Fovea - tests of what a resampler is told.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaTestSupport
import Foundation
import Testing

@Suite struct ImageSamplingTests {
  private let hd = ImageSize(width: 1920, height: 1080)
  private let square = ImageSize(width: 416, height: 416)

  @Test func axesAreExchangedAndNeverMixed() throws {
    var generator = SplitMix(seed: 21)
    for _ in 0..<40 {
      let upright = generator.size(upTo: 65535)
      let (model, region) = (generator.size(upTo: 1280), generator.region())
      for choice in GeometryChoice.all {
        let geometry = try choice.geometry(upright: upright, region: region, model: model)
        let map = try geometry.sampling().map
        let turns = choice.action.rawValue.hasSuffix("Rotation")
        #expect(map.exchangesAxes == (choice.orientation.swapsSides != turns))
        #expect(map.exchangesAxes ? map.a == 0 && map.d == 0 : map.b == 0 && map.c == 0)
      }
    }
  }

  @Test func rangesStayInsideAndHoldEverySample() throws {
    var generator = SplitMix(seed: 22)
    for _ in 0..<60 {
      let upright = generator.size(upTo: 5000)
      let (model, region) = (generator.size(upTo: 640), generator.region())
      for choice in GeometryChoice.all {
        let geometry = try choice.geometry(upright: upright, region: region, model: model)
        let eighths = Int.random(in: 1...8, using: &generator)
        let stored = geometry.storedSize
        let decoded = ImageSize(
          width: (stored.width * eighths + 7) / 8, height: (stored.height * eighths + 7) / 8)
        let sampling = try geometry.sampling(
          decodedSize: decoded, decodedScale: Double(eighths) / 8)
        #expect((0..<decoded.width).isSuperset(of: sampling.sourceColumns))
        #expect((0..<decoded.height).isSuperset(of: sampling.sourceRows))
        #expect(!sampling.sourceColumns.isEmpty && !sampling.sourceRows.isEmpty)
        #expect((0..<model.width).isSuperset(of: sampling.contentColumns))
        #expect((0..<model.height).isSuperset(of: sampling.contentRows))
        guard let i = sampling.contentColumns.last, let j = sampling.contentRows.last else {
          continue
        }
        let first = (sampling.contentColumns.lowerBound, sampling.contentRows.lowerBound)
        for (i, j) in [(i, j), first] {
          let (x, y) = sampling.map(x: Double(i) + 0.5, y: Double(j) + 0.5)
          #expect(x > Double(sampling.sourceColumns.lowerBound) - 1e-5)
          #expect(x < Double(sampling.sourceColumns.upperBound) + 1e-5)
          #expect(y > Double(sampling.sourceRows.lowerBound) - 1e-5)
          #expect(y < Double(sampling.sourceRows.upperBound) + 1e-5)
        }
      }
    }
  }

  @Test func reducedDecodingScalesTheMap() throws {
    let geometry = try ImageGeometry(
      storedSize: hd, cropAndScaleAction: .centerCrop, modelSize: square)
    let half = try geometry.sampling(decodedSize: ImageSize(width: 960, height: 540))
    #expect(half.sourceColumns == 210..<750 && half.sourceRows == 0..<540)
    let scale = 540.0 / 416
    #expect(abs(half.map.a - scale) < 1e-15 && abs(half.map.d - scale) < 1e-15)
    #expect(half.map.tx == 210 && half.map.ty == 0)
    #expect(try geometry.sampling() == geometry.sampling(decodedSize: hd, decodedScale: 1))
  }

  /// libjpeg rounds sizes up: 1001 columns at 1/2 are 501, the last of them half outside.
  @Test func aStatedScaleIsExact() throws {
    let geometry = try ImageGeometry(
      storedSize: ImageSize(width: 1001, height: 1001),
      modelSize: ImageSize(width: 1001, height: 1001))
    let decoded = ImageSize(width: 501, height: 501)
    let stated = try geometry.sampling(decodedSize: decoded, decodedScale: 0.5)
    #expect(stated.map == .scaling(x: 0.5, y: 0.5))
    #expect(stated.sourceColumns == 0..<501)
    let fitted = try geometry.sampling(decodedSize: decoded)
    #expect(fitted.map == .scaling(x: 501.0 / 1001, y: 501.0 / 1001))
  }

  @Test func whatIsNotTheStoredImageIsRefused() throws {
    let geometry = try ImageGeometry(storedSize: hd, orientation: .right, modelSize: square)
    let sizes: [(Int, Int, Double?)] = [
      (1080, 1920, nil), (0, 0, nil), (960, 0, nil), (960, 543, nil), (963, 540, nil),
      (960, 540, 0.25), (962, 540, 0.5), (960, 542, 0.5), (960, 540, .nan), (960, 540, -0.5),
      (1920, 1080, .infinity),
      (Int.max, Int.max, nil),
    ]
    for (width, height, scale) in sizes {
      let size = ImageSize(width: width, height: height)
      #expect(throws: GeometryError.invalidDecodedSize(size, stored: hd)) {
        try geometry.sampling(decodedSize: size, decodedScale: scale)
      }
    }
    for eighths in 1...8 {
      let size = ImageSize(width: 1920 * eighths / 8, height: 1080 * eighths / 8)
      #expect(throws: Never.self) { try geometry.sampling(decodedSize: size) }
    }
  }

  @Test func fractionsThatRoundAddNoColumn() throws {
    // 0.29 * 100 is a little less than 29 in binary; the columns meant are 29..<79.
    let region = NormalizedRect(x: 0.29, y: 0, width: 0.5, height: 1)
    #expect(region.x * 100 < 29)
    let geometry = try ImageGeometry(
      storedSize: ImageSize(width: 100, height: 10), regionOfInterest: region, modelSize: square)
    #expect(try geometry.sampling().sourceColumns == 29..<79)
  }

  @Test func halfPixelsOfPaddingFallOnCenters() throws {
    // 383 of 416 columns: 16.5 on each side. The center of column 16 lies on the image's edge
    // and counts; that of column 399 lies on the far edge and does not.
    let geometry = try ImageGeometry(
      storedSize: ImageSize(width: 383, height: 416), cropAndScaleAction: .scaleToFit,
      modelSize: square)
    #expect(geometry.padding == ImagePadding(top: 0, left: 16.5, bottom: 0, right: 16.5))
    #expect(geometry.contentColumns == 16..<399)
  }

  @Test func aThreadOfAnImageMayFallBetweenCenters() throws {
    let thread = ImageSize(width: 65535, height: 1)
    let geometry = try ImageGeometry(
      storedSize: thread, cropAndScaleAction: .scaleToFit, modelSize: square)
    #expect(geometry.contentRect.height == 416.0 / 65535)
    #expect(geometry.contentRows.isEmpty && geometry.contentColumns == 0..<416)
    let sampling = try geometry.sampling()
    #expect(sampling.sourceRows == 0..<1 && sampling.sourceColumns == 0..<65535)
  }

  @Test func codable() throws {
    let sampling = try ImageGeometry(storedSize: hd, modelSize: square).sampling()
    let data = try JSONEncoder().encode(sampling)
    #expect(try JSONDecoder().decode(ImageSampling.self, from: data) == sampling)
  }
}

extension Range<Int> {
  /// Whether all of `other` lies in this range.
  fileprivate func isSuperset(of other: Range<Int>) -> Bool {
    other.lowerBound >= lowerBound && other.upperBound <= upperBound
  }
}
