// Fovea - tests of the agreement of two detectors.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaEvaluation
import FoveaGeometry
import FoveaShapes
import FoveaTestSupport
import Testing

@Suite struct DetectionAgreementTests {
  static func object(
    _ x: Double, _ width: Double = 50, category: Int = 0, score: Double = 0.5
  ) -> DetectedObject {
    DetectedObject(
      category: category, box: PixelBox(x: x, y: 10, width: width, height: 50), score: score)
  }

  @Test func sameObjectsAgree() {
    let objects = [Self.object(0), Self.object(100, category: 1), Self.object(200)]
    let agreement = DetectionAgreement(reference: objects, candidate: objects.reversed())
    #expect(agreement.matchedCount == 3 && agreement.lostCount == 0 && agreement.newCount == 0)
    #expect(agreement.meanOverlap == 1 && agreement.leastOverlap == 1)
    #expect(agreement.largestShift == 0 && agreement.meanScoreDifference == 0)
    #expect(agreement.share == 1)
    let nothing = DetectionAgreement(reference: [], candidate: [])
    #expect(nothing.share == 1 && nothing.meanOverlap == nil && nothing == DetectionAgreement())
  }

  /// A square moved by 10 of its 50 pixels overlaps 2/3; by 20, 3/7, which is no pair.
  @Test func shiftsAndLosses() throws {
    let agreement = DetectionAgreement(
      reference: [Self.object(0, score: 0.9), Self.object(100), Self.object(200, category: 1)],
      candidate: [Self.object(10, score: 0.8), Self.object(120), Self.object(200, category: 2)])
    #expect(agreement.matchedCount == 1 && agreement.lostCount == 2 && agreement.newCount == 2)
    #expect(abs(try #require(agreement.meanOverlap) - 2.0 / 3) < 1e-12)
    #expect(agreement.largestShift == 10 && agreement.meanShift == 10)
    #expect(abs(try #require(agreement.meanScoreDifference) + 0.1) < 1e-12)
    #expect(abs(agreement.largestScoreDifference - 0.1) < 1e-12)
    #expect(abs(agreement.share - 1.0 / 3) < 1e-12)
  }

  /// The edge that moved most counts: here the right one, by 12.
  @Test func shiftIsThatOfAnEdge() {
    let agreement = DetectionAgreement(
      reference: [Self.object(100, 50)], candidate: [Self.object(98, 64)])
    #expect(agreement.largestShift == 12)
  }

  /// Masks of two and four columns of which two are shared; points that moved by 3 and 5; a turned box
  /// whose corners begin elsewhere.
  @Test func masksAndPointsOfPairsAreCompared() throws {
    var (one, other) = (Self.object(0), Self.object(0))
    let size = ImageSize(width: 10, height: 4)
    one.mask = MaskRunLengths(imageSize: size, lengths: [8, 8, 24])
    other.mask = MaskRunLengths(imageSize: size, lengths: [8, 16, 16])
    one.keypoints = [PixelPoint(x: 1, y: 1), PixelPoint(x: 5, y: 5)]
    other.keypoints = [PixelPoint(x: 1, y: 4), PixelPoint(x: 0, y: 5)]
    let agreement = DetectionAgreement(reference: [one], candidate: [other])
    #expect(agreement.masks.mean == 0.5 && agreement.masks.least == 0.5)
    #expect(agreement.largestPointShift == 5)
    let corners = [(0.0, 0.0), (4, 0), (4, 2), (0, 2)].map { PixelPoint(x: $0, y: $1) }
    var (box, turned) = (Self.object(0), Self.object(0))
    box.corners = corners
    turned.corners = corners[2...].map { PixelPoint(x: $0.x + 1, y: $0.y) } + corners[..<2]
    var total = DetectionAgreement(reference: [box], candidate: [turned])
    #expect(total.largestPointShift == 1 && total.masks.mean == nil)
    total.add(agreement)
    #expect(total.largestPointShift == 5 && total.masks.count == 1)
    let plain = DetectionAgreement(reference: [Self.object(0)], candidate: [Self.object(0)])
    #expect(plain.largestPointShift == nil && plain.masks.count == 0)
  }

  /// A pair counts by the least of what its masks, points and corners share; an object without any
  /// counts whole, and one without a partner not at all.
  @Test func pairsCountByTheirShapes() {
    let size = ImageSize(width: 10, height: 4)
    var (one, other) = (Self.object(0), Self.object(0))
    one.mask = MaskRunLengths(imageSize: size, lengths: [8, 8, 24])
    other.mask = MaskRunLengths(imageSize: size, lengths: [8, 16, 16])
    let half = DetectionAgreement(reference: [one], candidate: [other])
    #expect(half.share == 1 && half.shapeShare == 0.5)
    #expect(DetectionAgreement(reference: [one], candidate: [one]).shapeShare == 1)
    // Two points of which one moved by twice the root of the area: exp(-2) of it is left.
    var (left, right) = (Self.object(0), Self.object(0))
    left.keypoints = [PixelPoint(x: 0, y: 0), PixelPoint(x: 50, y: 50)]
    right.keypoints = [PixelPoint(x: 0, y: 0), PixelPoint(x: 150, y: 50)]
    let moved = DetectionAgreement(reference: [left], candidate: [right])
    #expect(abs(moved.shapeShare - (1 + exp(-2.0)) / 2) < 1e-12)
    // Other masks whose points are the same count by their masks.
    (left.mask, right.mask) = (one.mask, other.mask)
    right.keypoints = left.keypoints
    #expect(DetectionAgreement(reference: [left], candidate: [right]).shapeShare == 0.5)
    // A mask beside none is lost.
    #expect(DetectionAgreement(reference: [one], candidate: [Self.object(0)]).shapeShare == 0)
    var total = half
    total.add(
      DetectionAgreement(
        reference: [Self.object(0), Self.object(300)], candidate: [Self.object(0)]))
    #expect(total.share == 0.8 && total.shapeShare == 0.6)
    #expect(DetectionAgreement().shapeShare == 1)
  }

  /// 0 and 8 both overlap 6; the nearer one is the pair, whichever stands first.
  @Test func nearestPairsComeFirst() {
    for first in [[Self.object(0), Self.object(8)], [Self.object(8), Self.object(0)]] {
      let agreement = DetectionAgreement(reference: first, candidate: [Self.object(6)])
      #expect(agreement.matchedCount == 1 && agreement.lostCount == 1)
      #expect(agreement.largestShift == 2)
    }
  }

  @Test func imagesAddUp() throws {
    var total = DetectionAgreement()
    total.add(DetectionAgreement(reference: [Self.object(0)], candidate: [Self.object(10)]))
    total.add(
      DetectionAgreement(
        reference: [Self.object(0), Self.object(300)], candidate: [Self.object(0)]))
    #expect(total.matchedCount == 2 && total.lostCount == 1 && total.newCount == 0)
    let mean = try #require(total.meanOverlap)
    #expect(abs(mean - 5.0 / 6) < 1e-12)
    #expect(total.largestShift == 10 && total.meanShift == 5)
    #expect(abs(total.leastOverlap - 2.0 / 3) < 1e-12)
  }

  @Test func sidesMayBeExchanged() {
    var random = SplitMix(seed: 3)
    for _ in 0..<200 {
      func objects() -> [DetectedObject] {
        (0..<random.next() % 12).map { _ in
          Self.object(
            Double(random.next() % 100_000) / 997, 20 + Double(random.next() % 50_000) / 991,
            category: Int(random.next() % 2), score: Double(random.next() % 1000) / 1000)
        }
      }
      let (first, second) = (objects(), objects())
      let forward = DetectionAgreement(reference: first, candidate: second)
      let backward = DetectionAgreement(reference: second, candidate: first)
      #expect(forward.matchedCount == backward.matchedCount)
      #expect(forward.lostCount == backward.newCount && forward.newCount == backward.lostCount)
      #expect(forward.largestShift == backward.largestShift)
      #expect(forward.matchedCount + forward.lostCount == first.count)
    }
  }
}
