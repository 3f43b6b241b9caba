// Fovea - dictionaries of networks of text.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles
internal import FoveaRuntime
internal import FoveaVision

/// Dictionaries of networks of text.
enum DictionaryFile {
  private static let mostBytes = 8 << 20

  /// The content of a dictionary.
  ///
  /// - Throws: `.unsuitableModel` for a file that cannot be read, or is too long.
  static func bytes(of path: String) throws(StillError) -> [UInt8] {
    do throws(FileError) {
      return try FileBytes.read(path, maximumCount: mostBytes)
    } catch {
      throw .unsuitableModel("the dictionary \(path): \(error.explanation)")
    }
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
