// Fovea - whole files in and out.
// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Whole files, read and written by the system's calls.
enum WholeFile {
  /// The kind of thing a path leads to.
  enum Kind { case file, directory }

  /// What a path leads to.
  static func kind(of path: String) throws(FoveaError) -> Kind {
    var information = stat()
    guard stat(path, &information) == 0 else {
      throw failure(path, "cannot be opened", errno, remedy: "Check the path.")
    }
    return information.st_mode & S_IFMT == S_IFDIR ? .directory : .file
  }

  /// The bytes of a file.
  static func read(_ path: String) throws(FoveaError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw failure(path, "cannot be opened", errno, remedy: "Check the path and the permissions.")
    }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else {
      throw failure(path, "cannot be examined", errno)
    }
    guard information.st_mode & S_IFMT != S_IFDIR else {
      throw FoveaError(.file, "\(path): is a directory; a file was expected")
    }
    var bytes: [UInt8] = []
    // One byte more than the size, so that the read that finds the end needs no new memory.
    bytes.reserveCapacity(max(0, min(Int(clamping: information.st_size), Int.max - 1)) + 1)
    try append(to: &bytes, from: descriptor, path: path)
    return bytes
  }

  /// Reads to the end, so that pipes and growing files work as well.
  private static func append(
    to bytes: inout [UInt8], from descriptor: Int32, path: String
  ) throws(FoveaError) {
    let chunk = 1 << 20
    while true {
      let start = bytes.count
      let room = max(bytes.capacity - start, 0)
      let wanted = room > 0 ? min(room, 1 << 28) : chunk
      var code: Int32 = 0
      var received = 0
      bytes.append(contentsOf: repeatElement(0, count: wanted))
      bytes.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return }
        repeat {
          #if canImport(Glibc)
            received = Glibc.read(descriptor, base + start, wanted)
          #elseif canImport(Musl)
            received = Musl.read(descriptor, base + start, wanted)
          #else
            received = Darwin.read(descriptor, base + start, wanted)
          #endif
          code = errno
        } while received < 0 && code == EINTR
      }
      bytes.removeLast(wanted - max(received, 0))
      if received < 0 { throw failure(path, "cannot be read", code) }
      if received == 0 { return }
    }
  }

  /// Writes a file, replacing what was there.
  static func write(_ bytes: [UInt8], to path: String) throws(FoveaError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw failure(
        path, "cannot be written", errno, remedy: "Check that its folder exists and is writable.")
    }
    var code: Int32 = 0
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count, let base = buffer.baseAddress {
        #if canImport(Glibc)
          let written = Glibc.write(descriptor, base + done, buffer.count - done)
        #elseif canImport(Musl)
          let written = Musl.write(descriptor, base + done, buffer.count - done)
        #else
          let written = Darwin.write(descriptor, base + done, buffer.count - done)
        #endif
        if written < 0 && errno == EINTR { continue }
        guard written >= 0 else {
          code = errno
          return
        }
        done += written
      }
    }
    // The last bytes of a full disk are sometimes refused only here.
    if close(descriptor) != 0 && code == 0 { code = errno }
    if code != 0 { throw failure(path, "cannot be written", code) }
  }

  private static func failure(
    _ path: String, _ what: String, _ code: Int32, remedy: String = ""
  ) -> FoveaError {
    let reason = String(cString: strerror(code))
    return FoveaError(.file, "\(path): \(what): \(reason)" + (remedy.isEmpty ? "" : ". \(remedy)"))
  }
}
