// Fovea - tests of several requests on one image, and of many images at once.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaExampleModel
import FoveaTestSupport
import Testing

@Suite(.tags(.startsThreads)) struct ImageRequestHandlerTests {
  static func pngBytes(seed: UInt64 = 7) -> [UInt8] {
    UncompressedPNG.encode(
      width: ShapesImage.width, height: ShapesImage.height,
      pixels: ShapesImage(seed: seed).pixels)
  }

  static func png(seed: UInt64 = 7) throws -> ImageFile {
    try ImageFile(bytes: pngBytes(seed: seed))
  }

  @Test func requestsThatAgreeShareDecodingAndSampling() throws {
    let request = try ExampleDetector.request()
    var strict = request
    strict.minimumConfidence = 0.9
    var cropped = request
    cropped.cropAndScaleAction = .centerCrop
    let handler = try ImageRequestHandler(Self.png())
    #expect(handler.counts.decoded == 0 && handler.counts.sampled == 0)
    let together = try handler.results(of: [request, strict, cropped])
    #expect(handler.counts.decoded == 1 && handler.counts.sampled == 2)
    #expect(together[0].timings.decode > .zero && together[1].timings.decode == .zero)
    for (result, alone) in zip(together, [request, strict, cropped]) {
      #expect(try alone.perform(on: Self.png()) == result.observations)
    }
    #expect(try handler.perform([strict, request]) == [1, 0].map { together[$0].observations })
    #expect(handler.counts.decoded == 1 && handler.counts.sampled == 3)
    #expect(try handler.perform([]).isEmpty)
  }

  @Test func requestsOfDifferentModelsShareWhatTheyAgreeOn() throws {
    let first = try ExampleDetector.request()
    let second = try ExampleDetector.request(backend: .reference)
    let handler = try ImageRequestHandler(Self.png())
    let found = try handler.perform([first, second])
    #expect(handler.counts.decoded == 1 && handler.counts.sampled == 1)
    #expect(ExampleDetector.mismatches(found[0], ShapesImage(seed: 7).objects) == [])
    #expect(ExampleDetector.mismatches(found[1], ShapesImage(seed: 7).objects) == [])
  }

  /// A request that is wrong is found before anything is read.
  @Test func senselessRequestsReadNothing() throws {
    var wrong = try ExampleDetector.request()
    wrong.iouThreshold = 7
    let handler = try ImageRequestHandler(Self.png())
    #expect(throws: DetectionError.self) {
      try handler.perform([ExampleDetector.request(), wrong])
    }
    #expect(handler.counts.decoded == 0 && handler.counts.sampled == 0)
  }

  // MARK: Many images

  @Test func sixtyFourImagesOnTwoThreadsAreThoseOfOne() async throws {
    let request = try ExampleDetector.request(threads: 1)
    // Without optimization an image takes half a second, and the sanitizers see as much in sixteen.
    let files = try (0..<(BuildConfiguration.isOptimized ? 64 : 16)).map { try Self.png(seed: $0) }
    let serial = try Self.performEach(request, on: files)
    let parallel = try await withThrowingTaskGroup(
      of: [(Int, [RecognizedObjectObservation])].self,
      returning: [Int: [RecognizedObjectObservation]].self
    ) { group in
      for lane in 0..<2 {
        group.addTask {
          try stride(from: lane, to: files.count, by: 2).map {
            ($0, try Self.performEach(request, on: [files[$0]])[0])
          }
        }
      }
      return try await group.reduce(into: [:]) { found, lane in
        for (index, objects) in lane { found[index] = objects }
      }
    }
    #expect(parallel.count == files.count)
    for (index, found) in parallel { #expect(found == serial[index]) }
  }

  private static func performEach(
    _ request: DetectObjectsRequest, on files: [ImageFile]
  ) throws -> [[RecognizedObjectObservation]] {
    try files.map { try request.perform(on: $0) }
  }

  @Test func oneHandlerServesManyTasks() async throws {
    let request = try ExampleDetector.request()
    let handler = try ImageRequestHandler(Self.png())
    let expected = try await request.perform(on: Self.png())
    try await withThrowingTaskGroup(of: [RecognizedObjectObservation].self) { group in
      for _ in 0..<16 { group.addTask { try await handler.perform(request) } }
      for try await found in group { #expect(found == expected) }
    }
    #expect(handler.counts.decoded == 1)
  }

  // MARK: Cancellation

  @Test func cancelledTasksEndWithoutWork() async throws {
    let request = try ExampleDetector.request()
    let handler = try ImageRequestHandler(Self.png())
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await handler.perform(request)
    }
    task.cancel()
    await #expect(throws: DetectionError.cancelled) { try await task.value }
    #expect(handler.counts.decoded == 0 && handler.counts.sampled == 0)
    // The handler and the request are as good as before.
    #expect(try await handler.perform(request) == request.perform(on: Self.png()))
  }

  /// Of tasks that share one request half are cancelled at any moment; the others find what they find alone.
  @Test func cancelledTasksDisturbNobody() async throws {
    let request = try ExampleDetector.request(threads: 2)
    let files = try (0..<(BuildConfiguration.isOptimized ? 32 : 8)).map { try Self.png(seed: $0) }
    let expected = try Self.performEach(request, on: files)
    let tasks = files.map { file in Task { try await request.perform(on: file) } }
    for (place, task) in tasks.enumerated() where place % 2 == 1 {
      await Task.yield()
      task.cancel()
    }
    for (place, task) in tasks.enumerated() {
      switch await task.result {
      case .success(let found): #expect(found == expected[place])
      case .failure(let error):
        #expect(place % 2 == 1 && error as? DetectionError == .cancelled, "\(error)")
      }
    }
  }

  // MARK: Pixels in memory

  @Test(arguments: [PixelFormat.rgb, .bgr, .rgba, .bgra])
  func pixelsInMemoryGiveWhatAFileGives(_ format: PixelFormat) throws {
    let request = try ExampleDetector.request()
    let image = try ExampleDetector.image()
    let (order, bytes): ([Int], Int) =
      switch format {
      case .rgb: ([0, 1, 2], 3)
      case .bgr: ([2, 1, 0], 3)
      case .rgba: ([0, 1, 2], 4)
      default: ([2, 1, 0], 4)
      }
    // Rows that lie further apart than they are long.
    let rowBytes = image.width * bytes + 13
    var pixels = [UInt8](repeating: 99, count: rowBytes * image.height)
    for y in 0..<image.height {
      for x in 0..<image.width {
        for (channel, place) in order.enumerated() {
          pixels[y * rowBytes + x * bytes + place] =
            image.rgb[(y * image.width + x) * 3 + channel]
        }
      }
    }
    let layout = PixelLayout(
      format: format, width: image.width, height: image.height, rowBytes: rowBytes)
    let expected = try request.perform(on: image)
    #expect(try request.perform(onPixels: pixels.span.bytes, layout: layout) == expected)
    let handler = ImageRequestHandler(PixelBuffer(copying: pixels.span.bytes, layout: layout))
    #expect(try handler.perform(request) == expected)
    let short = pixels.span.bytes.extracting(0..<100)
    #expect(throws: DetectionError.self) {
      try request.perform(onPixels: short, layout: layout)
    }
  }
}
