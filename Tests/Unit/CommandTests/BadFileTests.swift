// Fovea - tests of the command on broken files.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct BadFileTests {
  static func names(_ folder: String) -> [String] {
    guard SharedData.isPresent else { return [] }
    return ((try? SharedData.files(in: "bad/" + folder)) ?? []).map { "bad/\(folder)/\($0)" }
  }

  /// Exit code 1, nothing on standard output, one line that names the file.
  static func expectOneClearLine(_ run: CommandRun, _ path: String) {
    #expect(run.status == 1, "\(path): \(run.errors)")
    #expect(run.output == "")
    #expect(run.errorLines.count == 1, "\(run.errors)")
    #expect(run.errors.contains(path))
    #expect(run.errors.utf8.count < 1500)
  }

  @Test func allBrokenFilesAreTested() throws {
    #expect(Self.names("models").count + Self.names("images").count == 91)
  }

  @Test(arguments: names("models"))
  func brokenModelIsRefused(_ name: String) throws {
    let path = SharedData.url(name).path
    Self.expectOneClearLine(try CommandRun.fovea(["inspect", path]), path)
    let image = SharedData.url("images/1x1.png").path
    Self.expectOneClearLine(try CommandRun.fovea(["detect", "--model", path, image]), path)
  }

  @Test(arguments: names("images"))
  func brokenImageIsRefused(_ name: String) throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let path = SharedData.url(name).path
    Self.expectOneClearLine(try CommandRun.fovea(["detect", "--model", files.model, path]), path)
  }

  static let packages: [String] = {
    guard SharedData.isPresent else { return [] }
    return ["models", "models/fixtures"].flatMap { folder in
      ((try? SharedData.files(in: folder, suffix: ".mlpackage")) ?? []).map { folder + "/" + $0 }
    }
  }()

  @Test(arguments: packages)
  func packageIsInspected(_ name: String) throws {
    let run = try CommandRun.fovea(["inspect", SharedData.url(name).path])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("mlProgram"))
  }

  @Test func everyGoodImageIsDetectedIn() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let names = try SharedData.files(in: "images").filter {
      [".jpg", ".png"].contains(String($0.suffix(4)))
    }
    let run = try CommandRun.fovea(
      ["detect", "--json", "--model", files.model]
        + names.map { SharedData.url("images/\($0)").path })
    #expect(run.status == 0, "\(run.errors)")
    #expect((try run.json()["images"] as? [Any])?.count == names.count)
  }
}
