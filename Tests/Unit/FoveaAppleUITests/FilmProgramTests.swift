// Fovea - tests of programs that watch films and cameras, and report faces.
// SPDX-License-Identifier: Apache-2.0
import AppleSamples
import AVFoundation
import Foundation
import FoveaCapture
import FoveaExampleModel
import FoveaImaging
import FoveaTestSupport
import Testing
import UIKit
import Vision

/// What a program told its delegate.
private final class Listener: CameraPipelineDelegate, FilmFollowerDelegate, @unchecked Sendable {
  private let lock = NSLock()
  private var told: [(time: Double, boxes: [CGRect], labels: [String])] = []
  private var places: [[UUID: CGRect]] = []

  var sightings: [(time: Double, boxes: [CGRect], labels: [String])] { lock.withLock { told } }
  var ways: [[UUID: CGRect]] { lock.withLock { places } }

  func pipeline(_ pipeline: CameraPipeline, found: [Prediction], at time: CMTime) {
    lock.withLock { told.append((time.seconds, found.map(\.rect), found.map(\.label))) }
  }

  func follower(_ follower: FilmFollower, didFind boxes: [UUID: CGRect], lost: Int) {
    lock.withLock { places.append(boxes) }
  }
}

@Suite("Programs that watch", .serialized) struct FilmProgramTests {
  private static let side = 40

  /// Where the red square of a frame lies, in pixels from the upper left.
  private static func square(_ frame: Int) -> CGRect {
    CGRect(x: 15 + 24 * frame, y: 60, width: side, height: side)
  }

  /// A film of 240 x 180 pixels, of what is drawn into each frame.
  private static func film(
    _ folder: TemporaryFolder, frames: Int = 6, _ draw: (CGContext, Int) -> Void
  ) throws -> URL {
    var bytes: [UInt8] = []
    for frame in 0..<frames {
      let format = UIGraphicsImageRendererFormat()
      format.scale = 1
      let size = CGSize(width: 240, height: 180)
      let picture = UIGraphicsImageRenderer(size: size, format: format).image { context in
        context.cgContext.setFillColor(UIColor(white: 110 / 255, alpha: 1).cgColor)
        context.cgContext.fill(CGRect(origin: .zero, size: size))
        draw(context.cgContext, frame)
      }
      bytes += try #require(picture.jpegData(compressionQuality: 0.95))
    }
    return URL(fileURLWithPath: try folder.write("film.mjpeg", bytes))
  }

  private static func redSquares(_ folder: TemporaryFolder) throws -> URL {
    try film(folder) { context, frame in
      context.setFillColor(red: 217 / 255, green: 33 / 255, blue: 31 / 255, alpha: 1)
      context.fill(square(frame))
    }
  }

  private static func isNear(_ found: CGRect, _ expected: CGRect, within: CGFloat) -> Bool {
    abs(found.minX - expected.minX) <= within && abs(found.minY - expected.minY) <= within
      && abs(found.maxX - expected.maxX) <= within && abs(found.maxY - expected.maxY) <= within
  }

  @Test("One frame at a time goes to the detector; the others are left out") func camera() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let model = URL(
      fileURLWithPath: try folder.write("Shapes.mlmodel", ShapesDetector.modelBytes()))
    let film = try Self.redSquares(folder)
    for threshold in [0.3, 1] {
      let listener = Listener()
      let pipeline = try CameraPipeline(modelURL: model, confidence: threshold)
      pipeline.delegate = listener
      let isSetUp = DispatchSemaphore(value: 0)
      pipeline.setUp(camera: AVCaptureDevice(.file(film.path))) { success in
        if success { isSetUp.signal() }
      }
      #expect(isSetUp.wait(timeout: .now() + 10) == .success)
      #expect(pipeline.bufferSize == CGSize(width: 240, height: 180))
      pipeline.start()
      let end = Date(timeIntervalSinceNow: 20)
      while pipeline.isRunning, Date() < end { Thread.sleep(forTimeInterval: 0.02) }
      pipeline.drain()
      #expect(!pipeline.isRunning)
      let sightings = listener.sightings
      #expect(sightings.count + pipeline.skipped == 6 && !sightings.isEmpty)
      for sighting in sightings {
        if threshold == 1 {
          #expect(sighting.boxes.isEmpty)
        } else {
          let frame = Int((sighting.time / 0.04).rounded())
          #expect(sighting.labels == ["red square"])
          #expect(Self.isNear(sighting.boxes[0], Self.square(frame), within: 5))
        }
      }
    }
  }

  @Test("Two objects are followed to the end of a film") func following() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    func places(_ frame: Int) -> [CGRect] {
      [
        CGRect(x: 20 + 5 * frame, y: 30, width: 32, height: 32),
        CGRect(x: 180 - 4 * frame, y: 110 - 2 * frame, width: 32, height: 32),
      ]
    }
    let film = try Self.film(folder, frames: 12) { context, frame in
      for (place, color) in zip(places(frame), [UIColor.red, .blue]) {
        context.setFillColor(UIColor.white.cgColor)
        context.fill(place)
        context.setFillColor(color.cgColor)
        context.fill(CGRect(x: place.minX + 8, y: place.minY + 10, width: 11, height: 9))
      }
    }
    func fractions(_ rect: CGRect) -> CGRect {
      VNNormalizedRectForImageRect(
        CGRect(x: rect.minX, y: 180 - rect.maxY, width: rect.width, height: rect.height), 240, 180)
    }
    let listener = Listener()
    let follower = FilmFollower(videoURL: film)
    follower.delegate = listener
    try follower.performTracking(objectsToTrack: places(0).map(fractions))
    let ways = listener.ways
    #expect(ways.count == 12 && ways.allSatisfy { Set($0.keys) == Set(ways[0].keys) })
    for (frame, boxes) in ways.enumerated() {
      for place in places(frame).map(fractions) {
        let near = boxes.values.filter { Self.isNear($0, place, within: 0.03) }
        #expect(near.count == 1, "frame \(frame)")
      }
    }
    #expect(VideoReader(url: URL(fileURLWithPath: "/no/such/film.mp4")) == nil)
  }

  @Test("A processor of films gives every frame's objects with its time") func processor()
    async throws
  {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let model = URL(
      fileURLWithPath: try folder.write("Shapes.mlmodel", ShapesDetector.modelBytes()))
    let film = try Self.redSquares(folder)
    let tenth = CMTime(value: 1, timescale: 10)
    let stretch = CMTimeRange(
      start: CMTime(value: 2, timescale: 25), duration: CMTime(value: 2, timescale: 25))
    let size = CGSize(width: 240, height: 180)
    let cases: [(VideoProcessor.Cadence?, CMTimeRange?, [Int])] = [
      (nil, nil, [0, 1, 2, 3, 4, 5]), (.frameInterval(2), nil, [0, 2, 4]),
      (.timeInterval(tenth), nil, [0, 3, 5]), (nil, stretch, [2, 3]),
    ]
    for (cadence, stretch, frames) in cases {
      let found = try await FilmAnalysis(film).sightings(
        modelURL: model, cadence: cadence, in: stretch)
      #expect(found.map { Int(($0.time / 0.04).rounded()) } == frames)
      for (sighting, frame) in zip(found, frames) {
        #expect(sighting.label == "red square")
        let box = sighting.box.toImageCoordinates(size, origin: .upperLeft)
        #expect(Self.isNear(box, Self.square(frame), within: 5))
      }
    }
    let start = NormalizedRect(
      imageRect: CGRect(x: 15, y: 80, width: 40, height: 40), in: size)
    let way = try await FilmAnalysis(film).way(of: start)
    #expect(way.boxes.count == 6 && way.frames == 6)
  }

  @Test("A processor says why there are no frames, and lets requests go") func noFilm() async throws
  {
    let processor = VideoProcessor(URL(fileURLWithPath: "/no/such/film.mp4"))
    let request = DetectRectanglesRequest()
    let results = try await processor.addRequest(request)
    #expect(await processor.removeRequest(request))
    #expect(await processor.removeRequest(request) == false)
    for try await _ in results { Issue.record("a frame of no film") }
    let others = try await processor.addRequest(request)
    processor.startAnalysis()
    do {
      for try await _ in others { Issue.record("a frame of no film") }
      Issue.record("a missing film was read")
    } catch VisionError.ioError(let text) {
      #expect(text.contains("/no/such/film.mp4"))
    }
    await processor.cancel()
  }

  @Test("Frames of a film that is stored turned are upright", .enabled(if: SharedData.isPresent))
  func turned() async throws {
    let film = SharedData.url("video/clips/orientation-6.mp4")
    let model = SharedData.url("models/yolo-fastest-1.1-xl.mlmodel")
    let found = try await FilmAnalysis(film).sightings(
      modelURL: model, cadence: .frameInterval(1000))
    let generator = AVAssetImageGenerator(asset: AVURLAsset(url: film))
    generator.appliesPreferredTrackTransform = true
    let image = try generator.copyCGImage(at: .zero, actualTime: nil)
    let container = try CoreMLModelContainer(model: MLModel(contentsOf: model))
    let expected = try await CoreMLRequest(model: container).perform(on: image)
      .compactMap { $0 as? RecognizedObjectObservation }
    #expect(!found.isEmpty && found.map(\.label) == expected.map { $0.labels[0].identifier })
    for (sighting, object) in zip(found, expected) {
      #expect(Self.isNear(sighting.box.cgRect, object.boundingBox.cgRect, within: 0.02))
    }
  }

  @Test("Errors of films are caught as AVError and as NSError") func errors() throws {
    let asset = AVURLAsset(url: URL(fileURLWithPath: "/no/such/film.mp4"))
    do {
      _ = try AVAssetReader(asset: asset)
      Issue.record("a missing film was read")
    } catch let error as NSError {
      #expect(
        error.domain == AVFoundationErrorDomain && error.localizedDescription.contains("film"))
      #expect(error.code == AVError.Code.deviceNotConnected.rawValue)
    }
    do {
      _ = try AVAssetReader(asset: asset)
    } catch let error as AVError where error.code == .deviceNotConnected {
      #expect((error as any Error as? AVError)?.code == .deviceNotConnected)
    }
    do {
      throw AVError(.noImageAtTime)
    } catch AVError.decodeFailed {
      Issue.record("matched another code")
    } catch AVError.noImageAtTime {
    }
  }

  @Test("A command-line tool reports faces, or that it has no model") func faces() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let format = UIGraphicsImageRendererFormat()
    format.scale = 1
    let size = CGSize(width: 240, height: 200)
    let picture = UIGraphicsImageRenderer(size: size, format: format).image { context in
      // A red disk with a green and a blue eye.
      let disks: [(CGFloat, CGFloat, CGFloat, UIColor)] = [
        (150, 90, 40, .red), (132, 70, 8, .green), (168, 70, 8, .blue),
      ]
      UIColor.black.setFill()
      context.fill(CGRect(origin: .zero, size: size))
      for (x, y, radius, color) in disks {
        color.setFill()
        UIBezierPath(
          ovalIn: CGRect(x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius)
        ).fill()
      }
    }
    let path = try folder.write("face.png", [UInt8](try #require(picture.pngData())))
    let models = [
      "FOVEA_FACE_MODEL": try folder.write("faces.onnx", DrawnFaceNetwork.detector()),
      "FOVEA_FACE_LANDMARK_MODEL": try folder.write("mesh.onnx", DrawnFaceNetwork.landmarks()),
    ]
    func run(_ environment: [String: String]) throws -> (status: Int32, lines: [[Substring]]) {
      let process = Process()
      let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
      let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.executableURL = (bundle ?? executable).deletingLastPathComponent()
        .appendingPathComponent("FaceSample")
      process.arguments = [path]
      process.environment = ProcessInfo.processInfo.environment
        .filter { !$0.key.hasPrefix("FOVEA_FACE") }.merging(environment) { $1 }
      let pipe = Pipe()
      (process.standardOutput, process.standardError) = (pipe, pipe)
      try process.run()
      let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (
        process.terminationStatus, output.split(separator: "\n").map { $0.split(separator: " ") }
      )
    }
    let found = try run(models)
    try #require(found.status == 0 && found.lines.count == 2)
    for line in found.lines {
      let numbers = line[..<4].compactMap { Double($0) }
      #expect(zip(numbers, [110, 50, 80, 80]).allSatisfy { abs($0 - $1) <= 4 }, "\(line)")
      #expect(abs(try #require(Int(line[5]))) <= 2)
    }
    #expect(found.lines[0].count == 6 && found.lines[1][6...7] == ["all", "468"])
    #expect(try #require(Int(found.lines[1][9])) > 4)
    let missing = try run(["FOVEA_FACE_MODEL": folder.path("none.onnx")])
    #expect(missing.status == 1 && missing.lines.contains { $0[0] == "faces:" })
    let none = try run([:])
    #expect(none.status == 1 && none.lines.contains { $0[..<2] == ["no", "model:"] })
  }
}
