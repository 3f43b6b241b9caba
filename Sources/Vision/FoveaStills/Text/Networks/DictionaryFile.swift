// Fovea - dictionaries of networks of text.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc
internal import FoveaRuntime
internal import FoveaVision

/// Dictionaries of networks of text.
enum DictionaryFile {
  private static let mostBytes = 8 << 20

  /// The content of a dictionary.
  ///
  /// - Throws: `.unsuitableModel` for a file that cannot be read, or is too long.
  static func bytes(of path: String) throws(StillError) -> [UInt8] {
    guard let file = fopen(path, "rb") else {
      throw .unsuitableModel(
        "the dictionary \(path) cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: mostBytes + 1) { target, count in
      count = fread(target.baseAddress, 1, mostBytes + 1, file)
    }
    if bytes.count > mostBytes || ferror(file) != 0 {
      throw .unsuitableModel("the dictionary \(path) is no file of at most 8 MiB")
    }
    return bytes
  }
}

extension StillError {
  /// Runs what can fail in the runtime.
  static func translating<Result>(
    _ body: () throws(FoveaError) -> Result
  ) throws(StillError) -> Result {
    do throws(FoveaError) {
      return try body()
    } catch {
      throw .detection(.runtime(error))
    }
  }
}
