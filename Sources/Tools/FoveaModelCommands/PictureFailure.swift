// Fovea - why a picture cannot be looked at, with a way for those that are videos.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCommandLine
internal import FoveaLibc

extension CommandFailure {
  /// The failure of a picture. Names of videos, streams and cameras get the command for them.
  package init(_ error: any Error, picture path: String) {
    self.init(error, file: path)
    if Self.isVideo(path) { message += "; 'fovea watch' looks at videos, cameras and streams" }
  }

  private static func isVideo(_ path: String) -> Bool {
    let lower = path.lowercased()
    let endings = [
      ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".ts", ".mjpg", ".mjpeg",
      ".3gp", ".wmv", ".flv",
    ]
    return lower.includes("://") || lower.hasPrefix("camera:") || lower.hasPrefix("/dev/video")
      || endings.contains { lower.hasSuffix($0) }
  }
}
