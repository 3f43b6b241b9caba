// Fovea - tests of requests for maps, pictures and embeddings.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaMaps
import FoveaTestSupport
import Testing

/// Networks of a few operations give maps that are known without running them.
@Suite struct MapRequestTests {
  private let pool: ThreadPool

  init() throws { pool = try ThreadPool(threadCount: 1) }

  /// The strongest color of each pixel, however the picture is stored.
  @Test func everyOrientationGivesTheSameMap() throws {
    let request = try SegmentImageRequest(model: MapNetworks.colors(), pool: pool)
    let picture = try MapNetworks.picture()
    let expected = MapNetworks.strongest(picture)
    for orientation in ImageOrientation.allCases {
      let map = try request.perform(on: picture.stored(orientation))
      #expect(map.width == picture.width && map.height == picture.height)
      #expect(map.classes == expected, "\(orientation)")
    }
    // A turn that the caller names counts more than the picture's own.
    let turned = try request.perform(on: picture.stored(.down), orientation: .up)
    #expect(turned.classes == expected.reversed())
  }

  @Test func turnedActionsGiveTheSamePlaces() throws {
    var request = try SegmentImageRequest(model: MapNetworks.colors(), pool: pool)
    let picture = try MapNetworks.picture(width: 12, height: 16)
    request.cropAndScaleAction = .scaleToFillPlus90CCWRotation
    #expect(try request.perform(on: picture).classes == MapNetworks.strongest(picture))
  }

  /// What the network did not see has no class, and does not count in shares.
  @Test func whatIsNotSeenHasNoClass() throws {
    var request = try SegmentImageRequest(model: MapNetworks.colors(), pool: pool)
    let picture = try MapNetworks.picture()
    request.regionOfInterest = NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 1)
    let map = try request.perform(on: picture)
    #expect(map.unassigned == 255)
    for y in 0..<map.height {
      for x in 0..<map.width { #expect((map[x: x, y: y] == nil) == (x < 8)) }
    }
    #expect(map.areas.reduce(0, +) == 96)
    #expect(abs((0..<3).map { map.share(of: $0) }.reduce(0, +) - 1) < 1e-12)
    request.regionOfInterest = NormalizedRect(x: 0.5, y: 0, width: 0.6, height: 1)
    let error = #expect(throws: DetectionError.self) { try request.perform(on: picture) }
    guard case .invalidRequest = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func namesAndColorsComeFromTheFile() throws {
    let named = try SegmentImageRequest(
      model: MapNetworks.colors([
        "com.apple.coreml.model.preview.type": "imageSegmenter",
        "com.apple.coreml.model.preview.params":
          "{\"labels\": [\"red\", \"green\"], \"colors\": [\"#FF0000\", \"no color\"]}",
      ]), pool: pool)
    let map = try named.perform(on: MapNetworks.picture())
    #expect(map.labels == ["red", "green", "class 2"])
    #expect(map.colors[0] == DrawingColor(red: 255, green: 0, blue: 0))
    // The second color of Pascal VOC's maps.
    #expect(map.colors[1] == DrawingColor(red: 128, green: 0, blue: 0))
    let damaged = try SegmentImageRequest(
      model: MapNetworks.colors([
        "task": "semantic", "com.apple.coreml.model.preview.params": "{\"labels\": [\"red\"",
      ]), pool: pool)
    #expect(damaged.classLabels == ["class 0", "class 1", "class 2"])
  }

  /// One number for each place is compared with 0, and a share with one half.
  @Test func onePlaneHasTwoClasses() throws {
    let picture = try MapNetworks.picture()
    let shares = try SegmentImageRequest(
      model: MapNetworks.model([1, 1, 12, 16]) { writer in
        writer.integers("axes", [1])
        writer.floats("middle", [100], [])
        writer.add("ReduceMean", ["x", "axes"], ["mean"], ["keepdims": .int(1)])
        writer.add("Sub", ["mean", "middle"], ["over"])
        writer.add("Sigmoid", ["over"])
      }, pool: pool)
    #expect(shares.classLabels == ["background", "foreground"])
    let expected = (0..<192).map { pixel -> UInt16 in
      picture.rgb[pixel * 3..<pixel * 3 + 3].reduce(0) { $0 + Int($1) } > 300 ? 1 : 0
    }
    #expect(Set(expected).count == 2)
    #expect(try shares.perform(on: picture).classes == expected)
    let numbers = try SegmentImageRequest(
      model: MapNetworks.model([1, 1, 12, 16], metadata: ["task": "semantic"]) { writer in
        writer.integers("axes", [1])
        writer.floats("middle", [100], [])
        writer.add("ReduceMean", ["x", "axes"], ["mean"], ["keepdims": .int(1)])
        writer.add("Sub", ["mean", "middle"])
      }, pool: pool)
    #expect(try numbers.perform(on: picture).classes == expected)
  }

  @Test func depthsAreMixedAndHaveAUnit() throws {
    var request = try EstimateDepthRequest(model: MapNetworks.gray(), pool: pool)
    #expect(request.unit == .relative)
    let picture = try MapNetworks.picture()
    let map = try request.perform(on: picture.stored(.right))
    for pixel in 0..<192 {
      let mean = picture.rgb[pixel * 3..<pixel * 3 + 3].reduce(0) { $0 + Float($1) } / 3
      #expect(abs(map.values[pixel] - mean) < 1e-3)
    }
    request.cropAndScaleAction = .centerCrop
    let wide = try request.perform(on: MapNetworks.picture(width: 32, height: 12))
    #expect(wide[x: 7, y: 3].isNaN && !wide[x: 8, y: 3].isNaN && !wide[x: 23, y: 11].isNaN)
    #expect(wide[x: 24, y: 0].isNaN && wide.values.count { $0.isNaN } == 192)
    let meters = try EstimateDepthRequest(model: MapNetworks.gray(["task": "depth"]), pool: pool)
    #expect(meters.unit == .meters)
    #expect(try meters.perform(on: picture).levels.step == 0.001)
    #expect(abs(map.levels.step * 65_535 + map.levels.least - (map.range?.upperBound ?? 0)) < 1e-2)
  }

  @Test func picturesComeBackAsTheyWere() throws {
    var request = try TransformImageRequest(model: MapNetworks.clipped(), pool: pool)
    let picture = try MapNetworks.picture()
    #expect(try request.perform(on: picture).rgb == picture.rgb)
    request.returnsToImage = true
    #expect(try request.perform(on: picture.stored(.leftMirrored)).rgb == picture.rgb)
    request.regionOfInterest = NormalizedRect(x: 0, y: 0, width: 0.5, height: 1)
    let half = try request.perform(on: picture)
    #expect(half.width == 16 && half.height == 12)
    for y in 0..<12 {
      let start = (y * 16 + 8) * 3
      #expect(half.rgb[start..<start + 24].allSatisfy { $0 == 0 })
    }
    #expect(half.rgb[0..<3] != [0, 0, 0])
  }

  @Test func unknownRangesNeedAScale() throws {
    let model = try MapNetworks.colors([:])
    let refusal = #expect(throws: DetectionError.self) {
      try TransformImageRequest(model: model, pool: pool)
    }
    #expect(refusal?.description.contains("--task image") == true, "\(String(describing: refusal))")
    var request = try TransformImageRequest(model: model, requiresEvidence: false, pool: pool)
    let picture = try MapNetworks.picture()
    let error = #expect(throws: DetectionError.self) { try request.perform(on: picture) }
    #expect(error?.description.contains("--output-scale") == true)
    (request.outputScale, request.outputBias) = (-1, 255)
    #expect(try request.perform(on: picture).rgb == picture.rgb.map { 255 - $0 })
    request.outputScale = 0
    #expect(throws: DetectionError.self) { try request.perform(on: picture) }
  }

  @Test func embeddingsHaveDistances() async throws {
    let request = try ImageEmbeddingRequest(model: MapNetworks.means("length"), pool: pool)
    let red = try Image(width: 2, height: 1, rgb: [200, 0, 0, 200, 0, 0])
    let both = try Image(width: 1, height: 2, rgb: [90, 90, 0, 90, 90, 0])
    let one = try await request.perform(on: red)
    let other = try await request.perform(on: both)
    #expect(one.values == [1, 0, 0])
    #expect(abs(try one.distance(to: other) - (1 - Float(0.5).squareRoot())) < 1e-6)
    #expect(try one.distance(to: one) == 0)
    #expect(try one.distance(to: ImageEmbedding([-2, 0, 0])) == 2)
    #expect(throws: DetectionError.self) { try one.distance(to: ImageEmbedding([1])) }
    #expect(throws: DetectionError.self) { try one.distance(to: ImageEmbedding([0, 0, 0])) }
  }

  /// No softmax over an embedding, and no boxes in a map.
  @Test func otherRequestsNameTheOneThatFits() throws {
    for (model, words) in [
      (try MapNetworks.means("length"), "fovea embed"), (try MapNetworks.gray(), "fovea depth"),
      (try MapNetworks.colors(), "fovea segment"), (try MapNetworks.clipped(), "fovea transform"),
    ] {
      let detection = #expect(throws: DetectionError.self) {
        try DetectObjectsRequest(model: model, pool: pool)
      }
      #expect(detection?.description.contains(words) == true, "\(String(describing: detection))")
      let classes = #expect(throws: DetectionError.self) {
        try ClassifyImageRequest(model: model, pool: pool)
      }
      #expect(classes?.description.contains(words) == true, "\(String(describing: classes))")
    }
    // Scores without names are still those of a classifier.
    let classifier = try ClassifyImageRequest(model: MapNetworks.means(nil), pool: pool)
    #expect(try classifier.perform(on: MapNetworks.picture()).count == 3)
  }

  @Test func numbersThatAreNoneAreRefused() throws {
    let model = try MapNetworks.model([1, 1, 12, 16]) { writer in
      writer.integers("axes", [1])
      writer.add("ReduceMean", ["x", "axes"], ["mean"], ["keepdims": .int(1)])
      writer.add("Sub", ["mean", "mean"], ["zero"])
      writer.add("Div", ["zero", "zero"])
    }
    let request = try EstimateDepthRequest(model: model, pool: pool)
    let error = #expect(throws: DetectionError.self) {
      try request.perform(on: MapNetworks.picture())
    }
    #expect(error?.description.contains("NaN") == true)
  }
}
