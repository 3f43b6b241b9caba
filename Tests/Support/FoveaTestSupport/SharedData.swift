// Fovea - where the real models, photographs and reference answers lie.
// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The folder of models, photographs and known answers that is kept beside a checkout.
///
/// It is too large and too foreign for the repository. Tests that need it are enabled by
/// `SharedData.isPresent`, and the first such test that runs without it says so on standard
/// error: a green run must never hide that the golden tier was skipped.
public enum SharedData {
  /// `FOVEA_SHARED_DATA`, or `../shared/data` beside the checkout.
  public static let root: URL = {
    if let path = ProcessInfo.processInfo.environment["FOVEA_SHARED_DATA"] {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    return packageRoot.deletingLastPathComponent().appendingPathComponent("shared/data")
  }()

  /// The root of this package.
  public static let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Whether the folder exists. When it does not, says so once, loudly.
  public static let isPresent: Bool = {
    if FileManager.default.fileExists(atPath: root.path) { return true }
    let message =
      "\n*** SKIPPED: tests on real models and photographs; \(root.path) is absent ***\n\n"
    FileHandle.standardError.write(Data(message.utf8))
    return false
  }()

  /// The URL of a file or folder in the shared data.
  public static func url(_ path: String) -> URL { root.appendingPathComponent(path) }

  /// The bytes of a file in the shared data.
  public static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url(path)))
  }

  /// The parsed JSON of a file in the shared data.
  public static func json(_ path: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(contentsOf: url(path)))
  }

  /// Names of the files in a folder of the shared data, sorted; with a suffix, only those.
  public static func files(in folder: String, suffix: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url(folder).path)
      .filter { $0.hasSuffix(suffix) }.sorted()
  }
}
