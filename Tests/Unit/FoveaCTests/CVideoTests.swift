// Fovea - tests of videos through the C interface.
// SPDX-License-Identifier: Apache-2.0
import CFovea.Detect
import Fovea
import FoveaExampleModel
import FoveaLibc
import FoveaTestSupport
import FoveaVideo
import Testing

@Suite struct CVideoTests {
  /// A folder with the same picture four times, by number.
  private static func pictures() throws -> (folder: TemporaryFolder, source: String) {
    let folder = try TemporaryFolder()
    let png = UncompressedPNG.encode(
      width: ShapesImage.width, height: ShapesImage.height, pixels: ShapesImage().pixels)
    for number in 0..<4 { _ = try folder.write("shapes-\(number).png", png) }
    return (folder, folder.path("shapes-%d.png"))
  }

  private static func videoOptions(
    _ change: (inout fovea_video_options) -> Void = { _ in }
  ) -> fovea_video_options {
    var options = fovea_video_options()
    fovea_video_options_init(&options, MemoryLayout<fovea_video_options>.size)
    change(&options)
    return options
  }

  /// The next result; `nil` at the end.
  private static func next(_ video: OpaquePointer) -> OpaquePointer? {
    var result: OpaquePointer?
    #expect(answer { fovea_video_next(video, &result, $0) }.isOK)
    return result
  }

  @Test func objectsAreThoseOfSwift() async throws {
    let (folder, source) = try Self.pictures()
    defer { folder.remove() }
    let model = try openShapes()
    let video = try made { fovea_video_open(model, source, nil, nil, $0, $1) }
    // A video outlives its model.
    fovea_model_close(model)
    var count = 0
    for try await expected in try CDetectionTests.request().results(in: .pictures(source)) {
      let result = try #require(Self.next(video))
      let found = CDetectionTests.objects(result)
      #expect(found.map(\.label) == expected.observations.compactMap { $0.bestLabel?.identifier })
      #expect(found.map(\.confidence) == expected.observations.map(\.topConfidence))
      let frame = try #require(fovea_result_frame(result)?.pointee)
      #expect(frame.index == Int64(count) && frame.time == expected.time)
      #expect(frame.taken == Int64(count + 1) && frame.dropped == 0 && frame.is_late == 0)
      let picture = try #require(fovea_result_picture(result)?.pointee)
      #expect([picture.width, picture.height] == [480, 360])
      #expect([picture.input_width, picture.input_height] == [160, 160])
      #expect(fovea_result_track_count(result) == 0)
      fovea_result_free(result)
      count += 1
    }
    #expect(count == 4)
    #expect(Self.next(video) == nil && Self.next(video) == nil)
    fovea_video_close(video)
  }

  @Test func objectsKeepTheirIdentifiers() throws {
    let (folder, source) = try Self.pictures()
    defer { folder.remove() }
    var options = Self.videoOptions { $0.track = 1 }
    let model = try openShapes()
    let video = try made { fovea_video_open(model, source, nil, &options, $0, $1) }
    var pictures = 0
    while let result = Self.next(video) {
      let count = fovea_result_track_count(result)
      #expect(count == ShapesImage().objects.count)
      for index in 0..<count {
        let track = try #require(fovea_result_track(result, index)?.pointee)
        #expect(track.identifier == Int64(index + 1))
        let object = try #require(fovea_result_object(result, Int(track.object))?.pointee)
        #expect(String(cString: track.label) == String(cString: object.label))
        #expect(abs(track.x - object.x) < 3 && abs(track.width - object.width) < 3)
        #expect(abs(track.bounding_box.0 - track.x / 480) < 1e-9)
      }
      #expect(fovea_result_track(result, count) == nil)
      fovea_result_free(result)
      pictures += 1
    }
    #expect(pictures == 4)
    fovea_video_close(video)
  }

  @Test func optionsTurnAndChoose() throws {
    let (folder, source) = try Self.pictures()
    defer { folder.remove() }
    let model = try openShapes()
    var look = detectOptions {
      $0.orientation = 6
      $0.maximum_count = 2
    }
    let video = try made { fovea_video_open(model, source, &look, nil, $0, $1) }
    let result = try #require(Self.next(video))
    fovea_video_close(video)
    // A result outlives its video, and so does its picture.
    #expect(fovea_result_object_count(result) == 2)
    let picture = try made { fovea_result_copy_picture(result, $0, $1) }
    let pixels = try #require(fovea_picture_pixels(picture)?.pointee)
    #expect([pixels.width, pixels.height] == [360, 480])
    let stored = ShapesImage().pixels
    let bytes = UnsafeRawBufferPointer(start: pixels.data, count: pixels.byte_count)
    // The picture's left column is the stored one's lower row (6: turned clockwise).
    var largest = 0
    for row in 0..<480 {
      for channel in 0..<3 {
        let before = stored[(359 * 480 + row) * 3 + channel]
        largest = max(largest, abs(Int(bytes[row * 360 * 3 + channel]) - Int(before)))
      }
    }
    #expect(largest <= 2)
    fovea_picture_close(picture)
    fovea_result_free(result)
  }

  @Test func pacedPicturesAreDroppedAndCounted() throws {
    let (folder, source) = try Self.pictures()
    defer { folder.remove() }
    let model = try openShapes()
    var options = Self.videoOptions {
      $0.paced = 1
      $0.deadline = 1e-9
    }
    let video = try made { fovea_video_open(model, source, nil, &options, $0, $1) }
    MonotonicClock.sleep(milliseconds: 1000)
    var last = fovea_frame()
    while let result = Self.next(video) {
      last = try #require(fovea_result_frame(result)?.pointee)
      #expect(last.is_late == 1 && last.late == last.taken)
      #expect(last.index == last.taken + last.dropped - 1)
      fovea_result_free(result)
    }
    // The last picture is never dropped, and after a second not all of the others are left.
    #expect(last.index == 3 && last.decoded == 4 && last.dropped > 0)
    fovea_video_close(video)
  }

  // MARK: Wrong use

  @Test func sourcesThatAreNoVideosAreNamed() throws {
    let files = try CInterfaceFiles()
    defer { files.remove() }
    let text = try files.folder.write("notes.mp4", Array("Just some words.\n".utf8))
    let empty = try files.folder.write("empty.mp4", [])
    let model = try openShapes()
    for (source, status) in [
      ("", fovea_status_invalid_argument), ("gopher://a/b", fovea_status_invalid_argument),
      (files.folder.path("none.mp4"), fovea_status_file),
      (files.folder.url.path, fovea_status_file),
      (text, fovea_status_invalid_video), (empty, fovea_status_invalid_video),
    ] {
      let refused = failure { fovea_video_open(model, source, nil, nil, $0, $1) }
      #expect(refused.status == status, "\(source)")
      if source.hasPrefix("/") { #expect(refused.message?.hasPrefix(source + ": ") == true) }
    }
    #expect(
      failure { fovea_video_open(model, nil, nil, nil, $0, $1) }.status
        == fovea_status_invalid_argument)
    #expect(String(cString: fovea_status_name(fovea_status_invalid_video)) == "invalid video")
  }

  @Test func wrongOptionsAreRefused() throws {
    let (folder, source) = try Self.pictures()
    defer { folder.remove() }
    let model = try openShapes()
    let changes: [(inout fovea_video_options) -> Void] = [
      { $0.size = 8 }, { $0.keep = 3 }, { $0.paced = 2 }, { $0.track = -1 },
      { $0.camera_moves = 1 }, { $0.maximum_reconnects = -1 }, { $0.decoder_threads = 0 },
      { $0.deadline = 0 }, { $0.camera_width = 640 }, { $0.camera_rate = .infinity },
      { $0.camera_rate = .nan },
    ]
    for (index, change) in changes.enumerated() {
      var options = Self.videoOptions(change)
      let refused = failure { fovea_video_open(model, source, nil, &options, $0, $1) }
      #expect(refused.status == fovea_status_invalid_argument, "\(index)")
    }
    var look = detectOptions { $0.confidence = 2 }
    let refused = failure { fovea_video_open(model, source, &look, nil, $0, $1) }
    #expect(refused.status == fovea_status_invalid_argument)
  }

  @Test func closedAndWrongHandlesAreRefused() throws {
    let (folder, source) = try Self.pictures()
    defer { folder.remove() }
    let model = try openShapes()
    let video = try made { fovea_video_open(model, source, nil, nil, $0, $1) }
    let still = try withShapes { pixels in
      try made { fovea_detect_pixels(model, &pixels, nil, $0, $1) }
    }
    fovea_video_close(model)
    fovea_video_close(nil)
    #expect(fovea_result_frame(still) == nil && fovea_result_track(still, 0) == nil)
    #expect(
      failure { fovea_result_copy_picture(still, $0, $1) }.status == fovea_status_invalid_argument)
    fovea_video_close(video)
    fovea_video_close(video)
    for handle in [model, video, still, nil] {
      #expect(failure { fovea_video_next(handle, $0, $1) }.status == fovea_status_closed)
      var isReady: Int32 = 1
      #expect(answer { fovea_video_wait(handle, 0, &isReady, $0) }.status == fovea_status_closed)
      #expect(isReady == 0)
    }
    for handle in [model, video, nil] {
      #expect(failure { fovea_result_copy_picture(handle, $0, $1) }.status == fovea_status_closed)
      #expect(fovea_result_frame(handle) == nil && fovea_result_track_count(handle) == 0)
    }
    #expect(
      failure { fovea_video_open(video, source, nil, nil, $0, $1) }.status == fovea_status_closed)
  }

  /// A wait of a stream that says nothing more ends by itself, and one of a file is none.
  @Test func waitsEndByThemselves() throws {
    let model = try openShapes()
    let server = try Self.silentServer()
    let stream = try made { fovea_video_open(model, server.address, nil, nil, $0, $1) }
    var isReady: Int32 = 0
    #expect(answer { fovea_video_wait(stream, 20, &isReady, $0) }.isOK && isReady == 1)
    fovea_result_free(try #require(Self.next(stream)))
    let begin = MonotonicClock.nanoseconds()
    #expect(answer { fovea_video_wait(stream, 0.3, &isReady, $0) }.isOK && isReady == 0)
    #expect((290_000_000..<5_000_000_000).contains(MonotonicClock.nanoseconds() - begin))
    for seconds in [-1.0, .nan, .infinity, 86_401] {
      let refused = answer { fovea_video_wait(stream, seconds, &isReady, $0) }
      #expect(refused.status == fovea_status_invalid_argument)
      #expect(refused.message?.contains("expected 0 to 86400") == true)
    }
    #expect(
      answer { fovea_video_wait(stream, 0, nil, $0) }.status == fovea_status_invalid_argument)
    fovea_video_close(stream)
    withExtendedLifetime(server) {}

    let (folder, source) = try Self.pictures()
    defer { folder.remove() }
    let video = try made { fovea_video_open(model, source, nil, nil, $0, $1) }
    for count in 0...4 {
      #expect(answer { fovea_video_wait(video, 20, &isReady, $0) }.isOK && isReady == 1)
      let result = Self.next(video)
      #expect((result == nil) == (count == 4))
      fovea_result_free(result)
    }
    fovea_video_close(video)
  }

  /// A call that waits for a picture ends when another thread closes the video.
  @Test func closingEndsWhoWaits() throws {
    let model = try openShapes()
    let server = try Self.silentServer()
    let video = try made { fovea_video_open(model, server.address, nil, nil, $0, $1) }
    let first = try #require(Self.next(video))
    #expect(fovea_result_object_count(first) > 0)
    fovea_result_free(first)
    let ended = Locked<fovea_status?>(nil)
    let handle = UInt(bitPattern: video)
    let isStarted = startThread(stackBytes: 1 << 20) {
      var result: OpaquePointer?
      let status = fovea_video_next(OpaquePointer(bitPattern: handle), &result, nil)
      ended.withLock { $0 = result == nil ? status : fovea_status_invalid_output }
      ended.wakeAll()
    }
    #expect(isStarted)
    MonotonicClock.sleep(milliseconds: 200)
    fovea_video_close(video)
    // A thread that begins late finds it closed.
    #expect([fovea_status_ok, fovea_status_closed].contains(ended.wait { $0 }))
    withExtendedLifetime(server) {}
  }

  /// A server that sends one picture, and then nothing.
  private static func silentServer() throws -> LocalServer {
    let part = try part()
    return LocalServer { connection in
      connection.readRequest()
      connection.send(part)
      connection.waitForEnd(seconds: 20)
    }
  }

  /// A server's answer that begins a Motion JPEG stream, with the picture of squares.
  private static func part() throws -> [UInt8] {
    let picture = try withShapes { pixels in
      try made { fovea_picture_copy(&pixels, 0, $0, $1) }
    }
    defer { fovea_picture_close(picture) }
    var jpeg: UnsafeMutableRawPointer?
    var count = 0
    #expect(
      answer { fovea_picture_encode(picture, fovea_file_format_jpeg, 90, &jpeg, &count, $0) }.isOK)
    defer { fovea_free(jpeg) }
    let head =
      "HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=next\r\n\r\n"
      + "--next\r\nContent-Type: image/jpeg\r\nContent-Length: \(count)\r\n\r\n"
    let bytes = UnsafeRawBufferPointer(start: jpeg, count: count)
    return Array(head.utf8) + bytes + Array("\r\n--next\r\n".utf8)
  }
}
