// Fovea - an open camera and the memory that it writes.
// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
  internal import CVideoDevice
  internal import FoveaGeometry
  internal import FoveaLibc

  /// An open camera. Its mapped memory lives as long as a picture in it is held.
  final class CameraDevice: @unchecked Sendable {  // pictures only keep it alive
    let path: String
    private let system: CameraSystem
    private let device: Int32
    private(set) var buffers: [UnsafeMutableRawBufferPointer] = []

    init(_ path: String, _ system: CameraSystem) throws(VideoError) {
      self.path = path
      self.system = system
      device = system.open(path)
      guard device >= 0 else {
        let number = errno
        throw VideoError(
          number == ENOENT ? .missing : .unreadable(String(cString: strerror(number))),
          source: path)
      }
    }

    deinit {
      for buffer in buffers {
        if let start = buffer.baseAddress { system.unmap(start, buffer.count) }
      }
      system.close(device)
    }

    /// Makes a request; returns 0 or an error number.
    func call<Argument>(_ request: UInt, _ argument: inout Argument) -> Int32 {
      withUnsafeMutableBytes(of: &argument) { bytes in
        bytes.baseAddress.map { system.call(device, request, $0) } ?? EINVAL
      }
    }

    /// Makes a request that must succeed.
    func require<Argument>(
      _ request: UInt, _ argument: inout Argument, _ action: String
    ) throws(VideoError) {
      let number = call(request, &argument)
      guard number == 0 else {
        throw VideoError(
          .camera("the camera does not \(action): \(String(cString: strerror(number)))"),
          source: path)
      }
    }

    /// Waits for a picture; 1, 0 for none yet, or a negative error number.
    func wait(milliseconds: Int32) -> Int32 { system.wait(device, milliseconds) }

    /// Maps a buffer of the driver.
    func map(count: Int, offset: Int) throws(VideoError) {
      guard count > 0, count <= 1 << 30, let start = system.map(device, count, offset) else {
        throw VideoError(.camera("the memory of the camera cannot be mapped"), source: path)
      }
      buffers.append(UnsafeMutableRawBufferPointer(start: start, count: count))
    }

    // MARK: Asking

    /// Refuses what takes no pictures.
    func checkCapabilities() throws(VideoError) {
      var capability = v4l2_capability()
      try require(fov_camera_query_capability, &capability, "say what it can do")
      let all = capability.capabilities
      let can = all & fov_camera_has_device_capabilities != 0 ? capability.device_caps : all
      guard can & fov_camera_can_capture != 0 else {
        throw VideoError(.camera("the device takes no pictures"), source: path)
      }
      guard can & fov_camera_can_stream != 0 else {
        throw VideoError(.camera("the device does not stream"), source: path)
      }
    }

    /// The kinds of pixels that the camera offers and that are read.
    func formats() -> [CameraFormat] {
      var found: [CameraFormat] = []
      for index in 0..<UInt32(64) {
        var entry = v4l2_fmtdesc()
        entry.index = index
        entry.type = fov_camera_capture
        guard call(fov_camera_list_format, &entry) == 0 else { break }
        if let format = CameraFormat(code: entry.pixelformat) { found.append(format) }
      }
      return found
    }

    /// Asks for a picture size; the driver may agree to another.
    func agree(
      on format: CameraFormat, _ size: ImageSize, maximumPixels: Int
    ) throws(VideoError) -> CameraImage {
      var answer = v4l2_format()
      answer.type = fov_camera_capture
      answer.fmt.pix.width = UInt32(clamping: size.width)
      answer.fmt.pix.height = UInt32(clamping: size.height)
      answer.fmt.pix.pixelformat = format.code
      answer.fmt.pix.field = fov_camera_any_field
      try require(fov_camera_set_format, &answer, "take a format")
      guard let picture = CameraImage(answer.fmt.pix, maximumPixels: maximumPixels) else {
        throw VideoError(
          .camera(
            "the camera answers with a picture of \(answer.fmt.pix.width) x"
              + " \(answer.fmt.pix.height) that cannot be read"), source: path)
      }
      return picture
    }

    /// Asks for a frame rate; a camera that has only one says so or does not.
    func ask(forRate rate: Double) {
      var parameters = v4l2_streamparm()
      parameters.type = fov_camera_capture
      parameters.parm.capture.timeperframe.numerator = 1000
      parameters.parm.capture.timeperframe.denominator = UInt32(max(1, min(rate, 1e6)) * 1000)
      _ = call(fov_camera_set_parameters, &parameters)
    }

    /// Gets and queues the driver's buffers, and starts.
    func start() throws(VideoError) {
      var request = v4l2_requestbuffers()
      request.count = 4
      request.type = fov_camera_capture
      request.memory = fov_camera_mapped
      try require(fov_camera_request_buffers, &request, "give memory")
      guard (1...32).contains(request.count) else {
        throw VideoError(.camera("the camera gives \(request.count) buffers"), source: path)
      }
      for index in 0..<request.count {
        var buffer = blankBuffer(index)
        try require(fov_camera_query_buffer, &buffer, "describe its memory")
        try map(count: Int(buffer.length), offset: Int(buffer.m.offset))
      }
      for index in 0..<request.count { try queue(index) }
      var kind = fov_camera_capture
      try require(fov_camera_start, &kind, "start")
    }

    /// Stops, as far as the camera is still there.
    func stop() {
      var kind = fov_camera_capture
      _ = call(fov_camera_stop, &kind)
    }

    /// Lets the driver write a buffer again.
    func queue(_ index: UInt32) throws(VideoError) {
      var buffer = blankBuffer(index)
      try require(fov_camera_queue, &buffer, "take a buffer back")
    }

    /// A buffer of the kind that is used.
    func blankBuffer(_ index: UInt32) -> v4l2_buffer {
      var buffer = v4l2_buffer()
      buffer.index = index
      buffer.type = fov_camera_capture
      buffer.memory = fov_camera_mapped
      return buffer
    }
  }
#endif
