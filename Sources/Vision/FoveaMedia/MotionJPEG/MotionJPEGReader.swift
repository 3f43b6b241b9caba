// Fovea - pictures of a Motion JPEG that comes as bytes.
// SPDX-License-Identifier: Apache-2.0
#if JPEG
  internal import FoveaGeometry
  internal import FoveaLibc

  /// Reads a Motion JPEG from a file, a pipe or a connection, by libjpeg-turbo alone.
  final class MotionJPEGReader: VideoReader {
    private(set) var description = VideoDescription()
    private let source: VideoSource
    private let options: VideoOptions
    private let bytes: ByteSource
    private let decoder: PlanarJPEGDecoder
    private var splitter: MotionJPEGSplitter
    private var clock: FrameClock
    private var count = 0
    private var broken = 0
    private var damaged = 0
    private var ending: String?
    private let opening = MonotonicClock.nanoseconds()

    init(
      _ bytes: ByteSource, of source: VideoSource, _ options: VideoOptions
    ) throws(VideoError) {
      guard let decoder = PlanarJPEGDecoder(maximumPixels: options.limits.maximumPixels) else {
        throw VideoError(.outOfMemory, source: source.name)
      }
      self.decoder = decoder
      self.source = source
      self.options = options
      self.bytes = bytes
      splitter = MotionJPEGSplitter(maximumPictureBytes: options.limits.maximumPictureBytes)
      clock = FrameClock(start: nil, duration: 1 / 25)
      description.format = "mjpeg"
      description.codec = "mjpeg"
      description.tickSeconds = 1 / 25
      description.isLive = source.isLive
    }

    var damage: VideoDamage {
      var damage = VideoDamage()
      damage.lostPictures = splitter.lostPictures + broken
      damage.damagedPictures = damaged
      damage.ending = ending
      return damage
    }

    func next() throws(VideoError) -> VideoFrame? {
      options.reading.allow(seconds: options.limits.readingSeconds)
      while true {
        let decoder = decoder
        let outcome = splitter.withNextPicture { decoder.decode($0) }
        switch outcome {
        case .frame(let frame): return finished(frame)
        case .broken: broken += 1
        case .tooLarge:
          throw VideoError(
            .tooManyPixels(limit: options.limits.maximumPixels), source: source.name)
        case nil:
          if splitter.hasTooLongGap {
            throw VideoError(
              .tooManyBytes(of: "what lies between pictures", limit: 1 << 20), source: source.name)
          }
          guard try readMore() else { return nil }
        }
      }
    }

    /// - Returns: Whether the source goes on.
    private func readMore() throws(VideoError) -> Bool {
      let bytes = bytes
      let count: Int
      do throws(VideoError) {
        count = try splitter.append { memory throws(VideoError) in try bytes.read(into: memory) }
      } catch {
        // What ends a source after its first picture is no failure, unless nothing came.
        guard self.count > 0, case .unreadable(let words) = error.reason else { throw error }
        ending = words
        splitter.finish()
        return false
      }
      if count == 0 { splitter.finish() }
      return count > 0
    }

    private func finished(_ decoded: VideoFrame) -> VideoFrame {
      var frame = decoded
      let now = MonotonicClock.nanoseconds()
      let stated = source.isLive ? Double(now - opening) / 1e9 : nil
      (frame.time, frame.isTimeEstimated) = clock.time(of: stated)
      frame.arrival = now
      frame.index = count
      count += 1
      if frame.isDamaged { damaged += 1 }
      if description.size.isEmpty { description.size = frame.size }
      return frame
    }
  }
#endif
