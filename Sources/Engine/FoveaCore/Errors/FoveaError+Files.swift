// Fovea - failures of the file system as errors of the runtime.
// SPDX-License-Identifier: Apache-2.0
package import FoveaFiles

extension FoveaError {
  /// A failure of the file system, with the file and what to do.
  package init(_ error: FileError, path: String) {
    self.init(.file, "\(path): \(error.explanation)")
  }

  /// The bytes of a file of arrays.
  package static func readFile(_ path: String) throws(FoveaError) -> [UInt8] {
    do throws(FileError) {
      return try FileBytes.read(path, maximumCount: Int(clamping: Int64(1) << 34))
    } catch {
      throw FoveaError(error, path: path)
    }
  }

  /// Writes a file, replacing what was there.
  package static func writeFile(_ bytes: [UInt8], to path: String) throws(FoveaError) {
    do throws(FileError) {
      try FileBytes.write(bytes, to: path)
    } catch {
      throw FoveaError(error, path: path)
    }
  }
}
