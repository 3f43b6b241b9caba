// Fovea - tests that run the commands of a page of the documentation.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing

@Suite(.enabled(if: TestTier.isThorough && SharedData.isPresent)) struct TutorialTests {
  private static let page = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appendingPathComponent("Sources/Fovea/Fovea.docc/YourOwnDetector.md")

  /// What the page tells a shell, in its order.
  private static func commands() throws -> String {
    let parts = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```")
    return parts.enumerated().filter { $0.offset % 2 == 1 && $0.element.hasPrefix("shell\n") }
      .map { $0.element.dropFirst("shell\n".count) }.joined()
  }

  /// The pictures, the boxes and the fetched start that the page speaks of.
  private static func prepare(_ folder: TemporaryFolder) throws {
    let files = FileManager.default
    func copy(_ name: String, to path: String) throws {
      try files.copyItem(at: SharedData.url(name), to: URL(fileURLWithPath: folder.path(path)))
    }
    let start = "cache/fovea/yolo-fastest-1.1-xl"
    for path in ["pictures", start] {
      try files.createDirectory(atPath: folder.path(path), withIntermediateDirectories: true)
    }
    let trees = "training/trees/train"
    let names = try files.contentsOfDirectory(atPath: SharedData.url("\(trees)/images").path)
    for name in names { try copy("\(trees)/images/\(name)", to: "pictures/\(name)") }
    try copy("\(trees)/images/\(names.sorted()[0])", to: "photo.jpg")
    try copy("\(trees)/createml.json", to: "labels.json")
    for name in ["yolo-fastest-1.1-xl.cfg", "yolo-fastest-1.1-xl.weights", "coco.names"] {
      try copy("models/\(name)", to: "\(start)/\(name)")
    }
  }

  /// All of it in one shell, as a reader would type it; only the training is shorter.
  @Test func theTutorialRuns() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try Self.prepare(folder)
    let commands = try Self.commands()
    #expect(commands.contains("--minutes 20"))
    let run = try CommandRun.shell(
      """
      set -e
      cd '\(folder.url.path)'
      export XDG_CACHE_HOME=$PWD/cache
      fovea() { "$FOVEA" "$@"; }
      \(commands.replacingOccurrences(of: "--minutes 20", with: "--steps 30"))
      """)
    #expect(run.status == 0, "\(run.errors)")
    for name in ["sheet.png", "found.png", "parts/training.json", "Mine-int8.mlmodel"] {
      #expect(FileManager.default.fileExists(atPath: folder.path(name)), "\(name)")
    }
    #expect(run.output.contains("Create ML, "))
    #expect(run.output.contains("AP50"))
  }
}
