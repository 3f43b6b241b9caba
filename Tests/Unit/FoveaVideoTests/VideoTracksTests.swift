// Fovea - tests of objects that keep their identifiers in videos.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaExampleModel
import FoveaGeometry
import FoveaRuntime
import FoveaShapes
import FoveaTestSupport
import FoveaVideo
import FoveaVision
import Testing

@Suite("Tracks in videos", .tags(.startsThreads)) struct VideoTracksTests {
  /// Objects of one class whose lower left corners are at (`x`, 0.3), in fractions.
  private func objects(at places: [Double]) -> [RecognizedObjectObservation] {
    places.map { x in
      RecognizedObjectObservation(
        boundingBox: NormalizedRect(x: x, y: 0.3, width: 0.1, height: 0.2), confidence: 0.9,
        labels: [ClassificationObservation(identifier: "cup", classIndex: 4, confidence: 1)])
    }
  }

  /// Two objects; pictures become half as large, and some are missing.
  @Test func tracksGoOnAtAnotherResolution() {
    var tracking = VideoTracking()
    for index in 0..<20 where index % 5 != 3 {
      let step = 0.01 * Double(index)
      let found = objects(at: [0.1 + step, 0.8 - step])
      let size =
        index < 10 ? ImageSize(width: 640, height: 480) : ImageSize(width: 320, height: 240)
      tracking.update(found, size: size, seconds: Double(index) / 25)
      let tracks = tracking.tracks
      #expect(tracks.map(\.identifier) == [1, 2])
      for (track, observation) in zip(tracks, found) {
        #expect(track.label == "cup" && track.observation == observation && !track.isPredicted)
        #expect(track.boundingBox.intersectionOverUnion(with: observation.boundingBox) > 0.9)
      }
    }
    tracking.update([], size: ImageSize(width: 320, height: 240), seconds: 0.8)
    #expect(tracking.tracks.map(\.isPredicted) == [true, true])
    #expect(tracking.tracks[0].boundingBox.x > 0.28)
    tracking.update(objects(at: [0.5]), size: ImageSize(width: 320, height: 240), seconds: 9)
    #expect(tracking.tracks.isEmpty)
  }

  /// Feet are the middle between the ankles that are seen.
  @Test(
    arguments: [([0.9, 0.8], 0.3), ([0.9, 0.2], 0.2), ([0.1, 0.2], nil)] as [([Float], Double?)])
  func feetOfTracks(_ sure: [Float], _ x: Double?) {
    var person = objects(at: [0.1])[0]
    person.keypoints = zip(["left_ankle", "right_ankle"], zip([0.2, 0.4], sure)).map {
      name, point in
      RecognizedPoint(
        name: name, location: NormalizedPoint(x: point.0, y: 0.25), confidence: point.1)
    }
    var tracking = VideoTracking()
    for frame in 0..<3 {
      tracking.update(
        [person], size: ImageSize(width: 200, height: 100), seconds: Double(frame) / 25)
    }
    let feet = tracking.objects.first?.feet
    #expect((feet?.x).map { abs($0 - 200 * (x ?? 9)) < 1e-9 } ?? (x == nil))
    #expect(feet.map { abs($0.y - 75) < 1e-9 } ?? (x == nil))
    #expect(tracking.objects.count == 1 && (feet == nil) == (x == nil))
  }

  /// The same picture again and again: each of its objects has one identifier.
  @Test func resultsHaveTracks() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let image = ShapesImage(seed: 3)
    let bytes = UncompressedPNG.encode(
      width: ShapesImage.width, height: ShapesImage.height, pixels: image.pixels)
    for number in 0..<4 { _ = try folder.write("shapes-\(number).png", bytes) }
    let model = try Model(bytes: ShapesDetector.modelBytes(), name: "shapes.mlmodel")
    let request = try DetectObjectsRequest(model: model, pool: ThreadPool(threadCount: 1))
    let source = VideoSource.pictures(folder.path("shapes-%d.png"))
    var count = 0
    for try await picture in request.results(in: source).tracked() {
      #expect(picture.result.index == count)
      #expect(picture.tracks.map(\.identifier) == Array(1...image.objects.count))
      #expect(picture.tracks.allSatisfy { !$0.isPredicted && $0.confidence > 0.5 })
      count += 1
    }
    #expect(count == 4)
    // Turned by the caller, sides are exchanged.
    var options = SequenceOptions()
    options.orientation = .right
    try request.forEachResult(in: source, options: options) { result in
      #expect(result.imageSize == ImageSize(width: ShapesImage.height, height: ShapesImage.width))
      return false
    }
  }

  /// The camera jumps by most of an object's width. Who knows of it keeps the identifiers; who does
  /// not takes the objects for others.
  @Test(arguments: [true, false]) func jumpsOfTheCameraAreTakenOut(_ isKnown: Bool) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    for number in 0..<6 {
      let bytes = UncompressedPNG.encode(
        width: ShapesImage.width, height: ShapesImage.height,
        pixels: shapes(movedLeftBy: number < 3 ? 0 : 64))
      _ = try folder.write("shapes-\(number).png", bytes)
    }
    let model = try Model(bytes: ShapesDetector.modelBytes(), name: "shapes.mlmodel")
    let request = try DetectObjectsRequest(model: model, pool: ThreadPool(threadCount: 1))
    let results = request.results(in: .pictures(folder.path("shapes-%d.png")))
    var tracks: [VideoTrack] = []
    for try await picture in results.tracked(cameraMoves: isKnown) { tracks = picture.tracks }
    // The objects of two columns are still there as a whole.
    let seen = tracks.filter { !$0.isPredicted && $0.boundingBox.x > 0.03 }
    #expect(seen.count >= 4)
    #expect(seen.allSatisfy { $0.identifier <= 6 } == isKnown)
  }

  /// The picture of a camera that has turned to the right; what it sees new is black.
  private func shapes(movedLeftBy shift: Int) -> [UInt8] {
    let pixels = ShapesImage(seed: 3).pixels
    let width = ShapesImage.width * 3
    var moved = [UInt8](repeating: 0, count: pixels.count)
    for row in 0..<ShapesImage.height {
      for byte in 0..<width - shift * 3 {
        moved[row * width + byte] = pixels[row * width + byte + shift * 3]
      }
    }
    return moved
  }
}
