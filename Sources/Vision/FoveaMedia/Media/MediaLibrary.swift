// Fovea - FFmpeg's libraries, opened when a video is.
// SPDX-License-Identifier: Apache-2.0
#if Video
  internal import CLibAV

  /// The functions of FFmpeg's libraries. They are opened at first use: to link them would cost
  /// every start of a process 36 ms and 25 MiB, whether it reads a video or not.
  struct MediaLibrary: @unchecked Sendable {  // functions at fixed addresses
    let functions: fov_libav_functions

    private static let opened = Result { () throws(Failure) in try MediaLibrary() }

    /// Why the libraries cannot be used.
    struct Failure: Error {
      var reason: VideoError.Reason
    }

    private init() throws(Failure) {
      let result = withUnsafeTemporaryAllocation(of: fov_libav_functions.self, capacity: 1) {
        memory -> Result<fov_libav_functions, Failure> in
        guard let functions = memory.baseAddress else {
          return .failure(Failure(reason: .outOfMemory))
        }
        var opening = fov_libav_opening(
          failure: nil, found_major: 0, expected_major: 0, library: fov_libav_util_file)
        let isOpen =
          fov_libav_open_util(fov_libav_util_file, functions, &opening) != 0
          && fov_libav_open_codec(fov_libav_codec_file, functions, &opening) != 0
          && fov_libav_open_format(fov_libav_format_file, functions, &opening) != 0
        guard isOpen else { return .failure(Failure(reason: Self.reason(opening))) }
        return .success(functions.pointee)
      }
      functions = try result.get()
      MediaMessages.listen(functions)
    }

    private static func reason(_ opening: fov_libav_opening) -> VideoError.Reason {
      if let words = opening.failure { return .libraryUnavailable(String(cString: words)) }
      return .libraryVersion(
        String(cString: opening.library), found: Int(opening.found_major),
        expected: Int(opening.expected_major))
    }

    /// The functions of the system's libraries.
    ///
    /// - Throws: `.libraryUnavailable` or `.libraryVersion`, about `source`.
    static func shared(toRead source: String) throws(VideoError) -> fov_libav_functions {
      do throws(Failure) {
        return try opened.get().functions
      } catch {
        throw VideoError(error.reason, source: source)
      }
    }
  }

  extension fov_libav_functions {
    /// FFmpeg's words for an error number.
    func words(_ code: Int32) -> String {
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { words in
        guard let start = words.baseAddress, av_strerror(code, start, 128) >= 0 else {
          return "error \(code)"
        }
        return String(cString: start)
      }
    }
  }
#endif
