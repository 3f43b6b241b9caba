// Fovea - pictures of a camera, by the kernel's interface.
// SPDX-License-Identifier: Apache-2.0
#if os(Linux) && JPEG
  internal import CFovea
  internal import CVideoDevice
  internal import FoveaGeometry
  internal import FoveaLibc

  /// A buffer of the driver that a picture lies in.
  private final class CameraBuffer: @unchecked Sendable {  // holds memory, and writes nothing
    let index: UInt32
    private let device: CameraDevice

    init(_ index: UInt32, of device: CameraDevice) {
      self.index = index
      self.device = device
    }
  }

  /// Reads a camera. A picture lies in the driver's memory as long as somebody holds it. If the
  /// driver would be left with one buffer, the picture is copied.
  package final class CameraReader: VideoReader {
    package private(set) var description = VideoDescription()
    package private(set) var damage = VideoDamage()
    private let device: CameraDevice
    private let options: VideoOptions
    private let picture: CameraImage
    private let decoder: PlanarJPEGDecoder
    private var clock = FrameClock(start: nil, duration: nil)
    private var count = 0
    /// Buffers whose pictures may still be held.
    private var lent: [CameraBuffer] = []
    private var copies: [PlaneMemory] = []
    private var errorsInARow = 0

    /// Opens a camera and starts it.
    ///
    /// - Throws: `.missing`, `.unreadable`, `.camera`.
    package init(
      _ path: String, _ options: VideoOptions, _ system: CameraSystem = .kernel
    ) throws(VideoError) {
      self.options = options
      guard let decoder = PlanarJPEGDecoder(maximumPixels: options.limits.maximumPixels) else {
        throw VideoError(.outOfMemory, source: path)
      }
      self.decoder = decoder
      let device = try CameraDevice(path, system)
      self.device = device
      try device.checkCapabilities()
      let size = options.cameraSize ?? ImageSize(width: 1280, height: 720)
      let format = try Self.choose(device.formats(), size, path)
      picture = try device.agree(on: format, size, maximumPixels: options.limits.maximumPixels)
      if let rate = options.cameraRate { device.ask(forRate: rate) }
      try device.start()
      description.format = "video4linux2"
      description.codec = picture.format.rawValue
      description.size = ImageSize(width: picture.width, height: picture.height)
      description.tickSeconds = 1e-6
      description.isLive = true
    }

    deinit { device.stop() }

    /// Large pictures as Motion JPEG, which a slow bus carries at full rate; small ones as they are.
    private static func choose(
      _ offered: [CameraFormat], _ size: ImageSize, _ path: String
    ) throws(VideoError) -> CameraFormat {
      let isLarge = size.width * size.height > 640 * 480
      let plain: [CameraFormat] = [
        .nv12, .nv21, .yu12, .yv12, .yuyv, .uyvy, .yvyu, .rgb, .bgr, .gray,
      ]
      let jpeg: [CameraFormat] = [.motionJPEG, .jpeg]
      let order = isLarge ? jpeg + plain : plain + jpeg
      guard let best = order.first(where: offered.contains) else {
        throw VideoError(.camera("the camera offers no format that is read"), source: path)
      }
      return best
    }

    // MARK: Pictures

    package func next() throws(VideoError) -> VideoFrame? {
      options.reading.allow(seconds: options.limits.readingSeconds)
      while true {
        try takeBack()
        guard let buffer = try dequeue() else { continue }
        if let frame = try frame(buffer) { return frame }
        damage.lostPictures += 1
      }
    }

    /// Gives the driver the buffers that nobody holds any more.
    private func takeBack() throws(VideoError) {
      var index = 0
      while index < lent.count {
        if isKnownUniquelyReferenced(&lent[index]) {
          try device.queue(lent[index].index)
          lent.remove(at: index)
        } else {
          index += 1
        }
      }
    }

    /// The next buffer that the driver has written; `nil` for none yet.
    private func dequeue() throws(VideoError) -> v4l2_buffer? {
      let left = options.reading.millisecondsLeft(most: 50)
      if left == 0 {
        throw VideoError(
          options.reading.isCancelled
            ? .cancelled : .timedOut(seconds: options.limits.readingSeconds),
          source: device.path)
      }
      let ready = device.wait(milliseconds: left)
      if ready < 0 { throw unplugged(-ready) }
      if ready == 0 { return nil }
      var buffer = device.blankBuffer(0)
      let number = device.call(fov_camera_dequeue, &buffer)
      switch number {
      case 0:
        errorsInARow = 0
        guard Int(buffer.index) < device.buffers.count else {
          throw VideoError(
            .camera("the camera names buffer \(buffer.index), which it does not have"),
            source: device.path)
        }
        return buffer
      case EAGAIN:
        // A driver that is ready and has nothing would keep a processor busy.
        MonotonicClock.sleep(milliseconds: 1)
        return nil
      case EIO where errorsInARow < 16:
        // The driver lost a picture, which may pass.
        errorsInARow += 1
        damage.lostPictures += 1
        MonotonicClock.sleep(milliseconds: 1)
        return nil
      default: throw unplugged(number)
      }
    }

    private func unplugged(_ number: Int32) -> VideoError {
      let words = String(cString: strerror(number))
      return VideoError(
        number == ENODEV
          ? .camera("the camera was unplugged") : .unreadable(words), source: device.path)
    }

    /// The picture in a buffer; `nil` where there is none that can be read.
    private func frame(_ buffer: v4l2_buffer) throws(VideoError) -> VideoFrame? {
      let memory = device.buffers[Int(buffer.index)]
      let count = min(Int(buffer.bytesused), memory.count)
      guard buffer.flags & fov_camera_buffer_error == 0, count > 0,
        let start = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
      else {
        try device.queue(buffer.index)
        return nil
      }
      if picture.format.isCompressed {
        let outcome = decoder.decode(UnsafeBufferPointer(start: start, count: count))
        try device.queue(buffer.index)
        guard case .frame(let frame) = outcome else { return nil }
        return finished(frame, buffer)
      }
      guard picture.image(start, count: count) != nil else {
        try device.queue(buffer.index)
        return nil
      }
      if device.buffers.count - lent.count <= 2 {
        let copy = unusedCopy()
        copy.reserve(count)
        copy.bytes.update(from: start, count: count)
        try device.queue(buffer.index)
        return picture.image(copy.bytes, count: count).map {
          finished(VideoFrame(memory: copy, image: $0), buffer)
        }
      }
      let holder = CameraBuffer(buffer.index, of: device)
      lent.append(holder)
      return picture.image(start, count: count).map {
        finished(VideoFrame(memory: holder, image: $0), buffer)
      }
    }

    private func unusedCopy() -> PlaneMemory {
      for index in copies.indices where isKnownUniquelyReferenced(&copies[index]) {
        return copies[index]
      }
      copies.append(PlaneMemory(capacity: 0))
      return copies[copies.count - 1]
    }

    private func finished(_ decoded: VideoFrame, _ buffer: v4l2_buffer) -> VideoFrame {
      var frame = decoded
      let stamp = buffer.timestamp
      let (microseconds, overflow) = Int64(stamp.tv_sec).multipliedReportingOverflow(by: 1_000_000)
      let ticks = microseconds &+ Int64(stamp.tv_usec)
      let now = MonotonicClock.nanoseconds()
      let isMonotonic = buffer.flags & fov_camera_clock_mask == fov_camera_monotonic
      frame.ticks = overflow ? nil : ticks
      // The driver stamps when light fell, which is before the picture was there.
      let isUsable = isMonotonic && !overflow && ticks > 0 && UInt64(ticks) <= now / 1000
      frame.arrival = isUsable ? UInt64(ticks) * 1000 : now
      (frame.time, frame.isTimeEstimated) = clock.time(of: Double(frame.arrival) / 1e9)
      frame.index = count
      frame.isKey = true
      frame.pixelName = picture.format.rawValue
      count += 1
      if frame.isDamaged { damage.damagedPictures += 1 }
      return frame
    }
  }
#endif
