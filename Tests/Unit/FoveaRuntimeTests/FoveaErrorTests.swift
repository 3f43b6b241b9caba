// Fovea - errors keep their cause, and files are named.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import Foundation
import Testing

@Suite struct FoveaErrorTests {
  static func failure(_ path: String) -> FoveaError? {
    #expect(throws: FoveaError.self) { try Model(contentsOf: path) }
  }

  @Test func filesThatAreNoModels() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("fovea-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["a.mlpackage", "b.MLMODELC", "c"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    #expect(Self.failure(path("missing.mlmodel"))?.code == .file)
    #expect(Self.failure(path("a.mlpackage"))?.message.contains("Manifest.json") == true)
    #expect(Self.failure(path("b.MLMODELC"))?.message.contains("model.mil") == true)
    #expect(Self.failure(path("c"))?.code == .file)
    try Data().write(to: folder.appendingPathComponent("empty.mlmodel"))
    let empty = try #require(Self.failure(path("empty.mlmodel")))
    #expect(empty.code == .invalidModel)
    #expect(empty.formatError?.code == .emptyFile)
    #expect(empty.message.hasPrefix(path("empty.mlmodel") + ": "))
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    try Data(pointer.utf8).write(to: folder.appendingPathComponent("pointer.mlmodel"))
    let stored = try #require(Self.failure(path("pointer.mlmodel")))
    #expect(stored.formatError?.code == .gitLargeFilePointer)
    #expect(stored.message.contains("git lfs pull"))
  }

  @Test func theCoreSaysWhatIsWrong() throws {
    let error = try LayerRunner().failure(.broadcastable(.add), [[2, 3], [4, 5]])
    #expect(error.code == .shapeMismatch)
    #expect(error.message.contains("shape mismatch: "))
    let ranks = try LayerRunner().failure(
      .expandDimensions(axes: [0, 1, 2, 3, 4, 5]), [[1, 2, 3]])
    #expect(ranks.code == .shapeMismatch)
    #expect(ranks.message.contains("at most 8"))
  }

  @Test func poolsAreChecked() throws {
    for count in [0, -1] {
      let error = #expect(throws: FoveaError.self) { try ThreadPool(threadCount: count) }
      #expect(error?.code == .invalidArgument)
    }
    #expect(try ThreadPool(threadCount: 3).threadCount == 3)
    #expect(try ThreadPool().threadCount == ThreadPool.defaultThreadCount)
  }
}
