// Fovea - tests of the words about a file that is not there.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport
import Testing

@Suite struct MissingFileTests {
  /// Models, images, videos and annotations are opened by four modules.
  @Test func everyCommandUsesTheSameWords() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let path = files.folder.path("none")
    let images = files.folder.url.path
    for arguments in [
      ["inspect", path], ["detect", "--model", path, files.image],
      ["detect", "--model", files.model, path], ["watch", "--model", files.model, path],
      ["evaluate", files.model, "--annotations", path, "--images", images],
      ["evaluate", "--tracks", path, "--truth", path],
    ] {
      let run = try CommandRun.fovea(arguments)
      #expect(run.status == 1 && run.output.isEmpty)
      #expect(run.errors.contains("\(path): there is no such file; check the path\n"))
    }
  }
}
