// Fovea - a first look at a file that should be a video.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Tells what is no video before a library sees it, so that errors name the cause.
enum FileLook {
  /// - Throws: `.missing`, `.isDirectory`, `.unreadable`, `.emptyFile`, `.gitLFSPointer`.
  static func check(_ path: String) throws(VideoError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let number = errno
      throw VideoError(
        number == ENOENT ? .missing : .unreadable(String(cString: strerror(number))), source: path)
    }
    if status.st_mode & S_IFMT == S_IFDIR { throw VideoError(.isDirectory, source: path) }
    guard status.st_mode & S_IFMT == S_IFREG else { return }
    guard access(path, R_OK) == 0 else {
      throw VideoError(.unreadable(String(cString: strerror(errno))), source: path)
    }
    if status.st_size == 0 { throw VideoError(.emptyFile, source: path) }
    if start(of: path).starts(with: "version https://git-lfs".utf8) {
      throw VideoError(.gitLFSPointer, source: path)
    }
  }

  /// Whether a path leads to a regular file, not to a pipe, say; `nil` where nothing is there.
  static func isRegular(_ path: String) -> Bool? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT == S_IFREG : nil
  }

  /// Whether a regular file begins like text.
  static func isText(_ path: String) -> Bool {
    let bytes = start(of: path)
    return !bytes.isEmpty && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (9...13).contains($0) }
  }

  static func start(of path: String) -> [UInt8] {
    guard isRegular(path) == true else { return [] }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    return [UInt8](unsafeUninitializedCapacity: 256) { bytes, count in
      count = max(0, read(file, bytes.baseAddress, 256))
    }
  }
}
