// Fovea - opening a Motion JPEG without FFmpeg.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

extension VideoSource {
  /// Opens the source as a Motion JPEG, by libjpeg-turbo alone: a file or standard input that begins
  /// like one, or an address that answers with one.
  ///
  /// - Returns: `nil` for what is none.
  package func openMotionJPEG(_ options: VideoOptions) throws(VideoError) -> (any VideoReader)? {
    #if JPEG
      options.reading.allow(seconds: options.limits.openingSeconds)
      switch self {
      case .file(let path):
        try FileLook.check(path)
        guard FileLook.isMotionJPEG(path) else { return nil }
        let file = systemOpen(path)
        guard file >= 0 else {
          throw VideoError(.unreadable(String(cString: strerror(errno))), source: path)
        }
        return try MotionJPEGReader(ByteSource(file, options, source: name), of: self, options)
      case .standardInput:
        let file = dup(STDIN_FILENO)
        guard file >= 0 else {
          throw VideoError(.unreadable(String(cString: strerror(errno))), source: name)
        }
        return try MotionJPEGReader(ByteSource(file, options, source: name), of: self, options)
      case .network(let address):
        guard let place = PlainAddress(address) else { return nil }
        let bytes = try PlainConnection.open(place, options, source: name)
        return try MotionJPEGReader(bytes, of: self, options)
      case .pictures, .camera: return nil
      }
    #else
      return nil
    #endif
  }
}

// Outside the extension, where `open` means that of the C library.
private func systemOpen(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }

extension FileLook {
  /// Whether a file begins with a JPEG picture or with the boundary of a multipart answer.
  static func isMotionJPEG(_ path: String) -> Bool {
    let bytes = start(of: path)
    return bytes.starts(with: [0xFF, 0xD8, 0xFF]) || bytes.starts(with: "--".utf8)
      || bytes.starts(with: "\r\n--".utf8)
  }
}
