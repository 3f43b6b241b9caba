// Fovea - the option that writes a page about results.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaFiles

/// The folder of a page about results.
struct ReportOption {
  static let option = CommandDescription.Option(
    name: "--report", value: "FOLDER",
    help: "write a page about the results, index.html with its pictures, into a folder")

  private let folder: String

  /// The option's value; `nil` without it.
  init?(_ arguments: ArgumentList) {
    guard let folder = arguments.value("--report") else { return nil }
    self.folder = folder
  }

  /// Writes what `write` makes, and says where the page is.
  ///
  /// - Throws: `CommandFailure`.
  func write(_ write: (String) throws -> Void) throws(CommandFailure) {
    do {
      try write(folder)
    } catch let error as FileError {
      throw CommandFailure("\(folder): \(error.explanation)")
    } catch {
      throw CommandFailure(error, file: folder)
    }
    SystemInterface.reportWritten("\(folder)/index.html")
  }
}
