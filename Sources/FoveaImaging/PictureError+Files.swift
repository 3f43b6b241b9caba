// Fovea - failures of the file system as picture errors.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

extension PictureError {
  /// Runs what can fail in the file system.
  static func translating<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(PictureError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      switch error {
      case .missing: throw PictureError(.missingFile)
      case .isDirectory: throw PictureError(.isDirectory)
      case .unreadable(let words): throw PictureError(.unreadable(words))
      case .tooLarge(let limit): throw PictureError(.fileTooLarge(limit: limit))
      case .unwritable(let words): throw PictureError(.unwritable(words))
      }
    }
  }
}
