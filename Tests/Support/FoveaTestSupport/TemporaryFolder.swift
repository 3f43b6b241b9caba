// Fovea - a folder of its own for a test.
// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A folder of its own for a test.
public struct TemporaryFolder {
  /// Where it is.
  public let url: URL

  /// Makes the folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("fovea-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// The path of a file in it.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file, and the folders around it; returns its path.
  public func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = url.appendingPathComponent(name)
    if name.contains("/") {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
    try Data(bytes).write(to: file)
    return path(name)
  }

  /// Removes the folder with all that is in it.
  public func remove() { try? FileManager.default.removeItem(at: url) }
}
