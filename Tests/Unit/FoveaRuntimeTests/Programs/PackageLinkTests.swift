// Fovea - links in packages lead to files inside, or are refused.
// SPDX-License-Identifier: Apache-2.0
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

@Suite struct PackageLinkTests {
  /// A package on the disk, in a folder of its own that holds what links lead to.
  private final class DiskPackage {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("fovea-links-\(UUID().uuidString)")
    var path: String { folder.appendingPathComponent("test.mlpackage").path }

    init() throws {
      let example = try #require(ProgramExamples.all.first { $0.name == "network" })
      for (name, bytes) in example.files {
        let file = URL(fileURLWithPath: path).appendingPathComponent(name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
      }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func url(_ name: String) -> URL {
      URL(fileURLWithPath: path).appendingPathComponent(name)
    }

    /// Moves a file and puts a link in its place.
    func replace(_ name: String, byLinkTo target: URL) throws {
      try FileManager.default.moveItem(at: url(name), to: target)
      try link(name, to: target.path)
    }

    func link(_ name: String, to target: String) throws {
      try? FileManager.default.removeItem(at: url(name))
      try FileManager.default.createSymbolicLink(
        atPath: url(name).path, withDestinationPath: target)
    }

    func inside(_ name: String) -> URL { url(name) }
    func outside(_ name: String) -> URL { folder.appendingPathComponent(name) }

    func remove(_ name: String) throws { try FileManager.default.removeItem(at: url(name)) }

    /// The words with which the package is refused.
    func refusal() throws -> String {
      try #require(#expect(throws: FoveaError.self) { try Model(contentsOf: self.path) }).message
    }
  }

  @Test func packageWithoutLinksLoads() throws {
    let package = try DiskPackage()
    _ = try Model(contentsOf: package.path)
  }

  @Test(arguments: [ProgramExamples.weightsPath, ProgramExamples.modelPath])
  func linkOutOfThePackageIsRefused(_ name: String) throws {
    let package = try DiskPackage()
    try package.replace(name, byLinkTo: package.outside("elsewhere"))
    let words = try package.refusal()
    #expect(words.contains("leads out of the model's folder"), "\(words)")
    #expect(words.contains((name as NSString).lastPathComponent))
  }

  @Test func linkedFolderOutOfThePackageIsRefused() throws {
    let package = try DiskPackage()
    try package.replace("Data/com.apple.CoreML/weights", byLinkTo: package.outside("weights"))
    #expect(try package.refusal().contains("leads out of the model's folder"))
  }

  @Test func folderWhoseNameBeginsAsThePackageIsOutside() throws {
    let package = try DiskPackage()
    try FileManager.default.createDirectory(
      at: package.outside("test.mlpackage2"), withIntermediateDirectories: true)
    try package.replace(
      ProgramExamples.weightsPath, byLinkTo: package.outside("test.mlpackage2/weight.bin"))
    #expect(try package.refusal().contains("leads out of the model's folder"))
  }

  @Test func linkToItselfIsRefused() throws {
    let package = try DiskPackage()
    try package.link(ProgramExamples.weightsPath, to: "weight.bin")
    #expect(try package.refusal().contains("a link that leads nowhere"))
  }

  @Test func linkThatStaysInsideIsFollowed() throws {
    let package = try DiskPackage()
    try package.replace(ProgramExamples.weightsPath, byLinkTo: package.inside("Data/shared.bin"))
    _ = try Model(contentsOf: package.path)
    try package.link(ProgramExamples.weightsPath, to: "../../shared.bin")
    _ = try Model(contentsOf: package.path)
  }

  @Test func packageThatIsItselfALinkLoads() throws {
    let package = try DiskPackage()
    let link = package.outside("link.mlpackage")
    try FileManager.default.createSymbolicLink(
      atPath: link.path, withDestinationPath: package.path)
    _ = try Model(contentsOf: link.path)
  }

  @Test(arguments: [ProgramExamples.weightsPath, ProgramExamples.modelPath])
  func pipeIsRefusedWithoutWaiting(_ name: String) throws {
    let package = try DiskPackage()
    try package.remove(name)
    #expect(mkfifo(package.inside(name).path, 0o600) == 0)
    #expect(try package.refusal().contains("no regular file"))
  }

  @Test(arguments: [ProgramExamples.manifestPath, ProgramExamples.modelPath])
  func sparseFileOfManyBytesIsRefused(_ name: String) throws {
    let package = try DiskPackage()
    let file = try FileHandle(forWritingTo: package.inside(name))
    try file.truncate(atOffset: 1 << 40)
    try file.close()
    #expect(try package.refusal().contains("1099511627776 bytes"))
  }

  @Test func folderInPlaceOfAFileIsRefused() throws {
    let package = try DiskPackage()
    try package.remove(ProgramExamples.weightsPath)
    try FileManager.default.createDirectory(
      at: package.inside(ProgramExamples.weightsPath), withIntermediateDirectories: true)
    #expect(try package.refusal().contains("is a folder"))
  }
}
