// Fovea - tests of readers of films.
// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import FoveaTestSupport
import Testing

@Suite("Films") struct FilmTests {
  /// The level of the luma, or of blue, at the fifth pixel of the fifth row.
  private func level(_ buffer: CVPixelBuffer) -> Int {
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    let isPlanar = CVPixelBufferIsPlanar(buffer)
    let bytes = isPlanar ? 1 : CVPixelBufferGetBytesPerRow(buffer) / CVPixelBufferGetWidth(buffer)
    let base =
      isPlanar ? CVPixelBufferGetBaseAddressOfPlane(buffer, 0) : CVPixelBufferGetBaseAddress(buffer)
    let rowBytes =
      isPlanar
      ? CVPixelBufferGetBytesPerRowOfPlane(buffer, 0) : CVPixelBufferGetBytesPerRow(buffer)
    return Int(base!.load(fromByteOffset: 5 * rowBytes + 5 * bytes, as: UInt8.self))
  }

  @Test(
    "Frames come in order, in the format that is asked for",
    arguments: [
      kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB,
      kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
      kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
    ])
  func reading(format: OSType) throws {
    let film = try GrayFilm()
    let asset = AVAsset(url: film.url)
    let track = try #require(asset.tracks(withMediaType: .video).first)
    #expect(track.naturalSize == CGSize(width: 64, height: 48))
    #expect(track.preferredTransform == .identity)
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: track, outputSettings: [kCVPixelBufferPixelFormatTypeKey as String: format])
    #expect(reader.canAdd(output) && reader.status == .unknown)
    reader.add(output)
    #expect(reader.startReading())
    var (levels, times): ([Int], [Double]) = ([], [])
    while let sample = output.copyNextSampleBuffer() {
      let buffer = try #require(CMSampleBufferGetImageBuffer(sample))
      #expect(CVPixelBufferGetPixelFormatType(buffer) == format)
      levels.append(level(buffer))
      times.append(sample.presentationTimeStamp.seconds)
    }
    #expect(reader.status == .completed && reader.error == nil)
    let expected = (0..<12).map { index -> Int in
      let level = 20 * index
      switch format {
      // ARGB: the first byte of a pixel is alpha.
      case kCVPixelFormatType_32ARGB: return 255
      case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: return 16 + level * 219 / 255
      default: return level
      }
    }
    #expect(levels.count == 12 && zip(levels, expected).allSatisfy { abs($0 - $1) <= 2 })
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 1e-6 })
    #expect(times.first == 0)
  }

  @Test("A stretch of a film, and films that are none") func stretches() throws {
    let film = try GrayFilm()
    let asset = AVURLAsset(url: film.url)
    let reader = try AVAssetReader(asset: asset)
    reader.timeRange = CMTimeRange(
      start: CMTime(value: 1, timescale: 10), duration: CMTime(value: 1, timescale: 10))
    let output = AVAssetReaderTrackOutput(track: asset.tracks[0], outputSettings: nil)
    reader.add(output)
    #expect(reader.startReading())
    var times: [Double] = []
    while let sample = output.copyNextSampleBuffer() {
      times.append(sample.presentationTimeStamp.seconds)
    }
    #expect(times.count == 2 && abs(times[0] - 0.12) < 1e-6)
    let missing = AVURLAsset(url: URL(fileURLWithPath: "/no/such/film.mp4"))
    #expect(missing.tracks(withMediaType: .video).isEmpty && missing.duration == .zero)
    #expect(throws: AVError.self) { _ = try AVAssetReader(asset: missing) }
    let other = try AVAssetReader(asset: asset)
    #expect(!other.startReading() && other.status == .failed)
    #expect((other.error as? AVError)?.code == .operationNotAllowed)
  }

  @Test("Pictures at moments are those that a viewer sees") func moments() async throws {
    let film = try GrayFilm()
    let asset = AVURLAsset(url: film.url)
    let duration = try await asset.load(.duration)
    #expect(abs(duration.seconds - 0.48) < 0.041)
    let generator = AVAssetImageGenerator(asset: asset)
    for moment in [0.3, 0.05, 0.0, 0.2] {
      var actual = CMTime.zero
      let image = try generator.copyCGImage(
        at: CMTime(seconds: moment, preferredTimescale: 600), actualTime: &actual)
      let index = (moment / 0.04 + 1e-6).rounded(.down)
      #expect(abs(actual.seconds - 0.04 * index) < 1e-6)
      let pixels = try #require(image.dataProvider?.data) as Data
      #expect(abs(Double(pixels[4 * 100]) - 20 * index) <= 2 || pixels[400] == 255)
      #expect(abs(Double(pixels[5 * image.bytesPerRow + 21]) - 20 * index) <= 2)
    }
    generator.maximumSize = CGSize(width: 32, height: 32)
    let (small, _) = try await generator.image(at: .zero)
    #expect(small.width == 32 && small.height == 24)
    let late = CMTime(seconds: 5, preferredTimescale: 600)
    #expect(throws: AVError.self) { _ = try generator.copyCGImage(at: late, actualTime: nil) }
  }

  @Test("A film that is stored turned", .enabled(if: SharedData.isPresent))
  func turned() async throws {
    let asset = AVURLAsset(url: SharedData.url("video/clips/orientation-6.mp4"))
    let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
    let (size, transform) = try await track.load(.naturalSize, .preferredTransform)
    #expect(track.nominalFrameRate > 20 && track.nominalFrameRate < 31)
    let upright = CGRect(origin: .zero, size: size).applying(transform)
    #expect(upright == CGRect(x: 0, y: 0, width: size.height, height: size.width))
    #expect((transform.a, transform.b, transform.c, transform.d) == (0, 1, -1, 0))
    let generator = AVAssetImageGenerator(asset: asset)
    #expect(try generator.copyCGImage(at: .zero, actualTime: nil).width == Int(size.width))
    generator.appliesPreferredTrackTransform = true
    #expect(try generator.copyCGImage(at: .zero, actualTime: nil).width == Int(size.height))
  }
}
