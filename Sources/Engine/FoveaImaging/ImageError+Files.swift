// Fovea - failures of the file system as image errors.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

extension ImageError {
  /// Runs what can fail in the file system.
  static func translating<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(ImageError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      switch error {
      case .missing: throw ImageError(.missingFile)
      case .isDirectory: throw ImageError(.isDirectory)
      case .unreadable(let words): throw ImageError(.unreadable(words))
      case .tooLarge(let limit): throw ImageError(.fileTooLarge(limit: limit))
      case .unwritable(let words): throw ImageError(.unwritable(words))
      }
    }
  }
}
