// Fovea - tests: converted models give the bits of their sources.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

@Suite struct ConversionTests {
  @Test(
    .enabled(if: SharedData.isPresent),
    arguments: ProgramCase.all(extension: "mlpackage") + ProgramCase.all(extension: "mlmodelc"))
  func programsGiveTheSameBits(_ stored: ProgramCase) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let source = SharedData.url(stored.model).path
    let path = folder.path("converted.mlpackage")
    try ModelConversion(contentsOf: source).files.write(to: path)
    let example = try #require(stored.examples.first)
    let expected = try example.run(source, backend: .float)
    let found = try example.run(path, backend: .float)
    #expect(found.count == expected.count && !found.isEmpty)
    for (name, tensor) in expected {
      let bits = tensor.floats().map(\.bitPattern)
      #expect(found[name]?.floats().map(\.bitPattern) == bits, "\(name)")
    }
  }
}
