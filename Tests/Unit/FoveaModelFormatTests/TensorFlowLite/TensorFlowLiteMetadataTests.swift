// Fovea - labels and normalization of TensorFlow Lite files.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

@Suite struct TensorFlowLiteMetadataTests {
  private func metadata(_ bytes: [UInt8]) throws -> ModelMetadata {
    try ModelDescription(anyFormat: bytes, fileName: "", folder: EmptyFolder()).metadata
  }

  /// Metadata that name a file of labels and a normalization.
  private static let described = FlatWriter.bytes(
    .table([
      1: .text("finds things"), 4: .text("somebody"),
      3: .tables([
        .table([
          2: .tables([
            .table([
              4: .tables([
                .table([
                  0: .byte(1), 1: .table([0: .floats([127.5]), 1: .floats([128])]),
                ])
              ])
            ])
          ]),
          3: .tables([
            .table([6: .tables([.table([0: .text("labels.txt"), 2: .byte(2)])])])
          ]),
        ])
      ]),
    ]), identifier: "M001")

  @Test func labelsOfTheArchiveBehindTheModelBecomeNames() throws {
    var file = TensorFlowLiteExamples.convolution
    file.add(metadata: "TFLITE_METADATA", Self.described)
    let archive = StoredArchive([("labels.txt", "cat, tabby\ndog's\n")])
    let metadata = try metadata(file.bytes() + archive.bytes)
    #expect(metadata.userDefined["names"] == "{0: 'cat, tabby', 1: \"dog's\"}")
    #expect(metadata.userDefined["normalization.mean"] == "127.5")
    #expect(metadata.userDefined["normalization.std"] == "128.0")
    #expect(metadata.shortDescription == "finds things")
    #expect(metadata.author == "somebody")
  }

  @Test func dictionaryOfAnExporterBecomesEntries() throws {
    let text = #"{"task": "detect", "names": {"0": "a b", "1": "c"}, "imgsz": [32, 32]}"#
    let archive = StoredArchive([("metadata.json", text)])
    let entries = try metadata(TensorFlowLiteExamples.convolution.bytes() + archive.bytes)
      .userDefined
    #expect(entries["task"] == "detect")
    #expect(entries["names"] == #"{"0": "a b", "1": "c"}"#)
    #expect(entries["imgsz"] == "[32, 32]")
  }

  @Test func codesOfTheInputTellTheNormalization() throws {
    let entries = try metadata(TensorFlowLiteExamples.codes.bytes()).userDefined
    #expect(entries["normalization.mean"] == "128")
    #expect(entries["normalization.std"] == "2.0")
  }

  @Test func damagedArchiveIsLeftOut() throws {
    let model = TensorFlowLiteExamples.convolution.bytes()
    let archive = StoredArchive([("metadata.json", "{'task': 'detect'}")]).bytes
    for place in archive.indices {
      for byte in [0, 0xFF] as [UInt8] {
        var changed = archive
        changed[place] = byte
        _ = try metadata(model + changed)
      }
    }
    for count in archive.indices { _ = try metadata(model + archive[..<count]) }
  }
}

/// A zip archive of files that are not compressed. Checksums are left out.
private struct StoredArchive {
  private(set) var bytes: [UInt8] = []

  init(_ files: [(name: String, content: String)]) {
    var list: [UInt8] = []
    for (name, content) in files {
      let place = bytes.count
      let sizes = Self.words([0, content.utf8.count, content.utf8.count], 4)
      let counts = Self.words([name.utf8.count, 0], 2)
      let common = Self.words([20, 0, 0, 0, 0], 2) + sizes + counts
      bytes += Self.words([0x0403_4B50], 4) + common + Array(name.utf8) + Array(content.utf8)
      list += Self.words([0x0201_4B50], 4) + Self.words([20], 2) + common
      list += Self.words([0, 0, 0], 2) + Self.words([0, place], 4) + Array(name.utf8)
    }
    let start = bytes.count
    bytes += list + Self.words([0x0605_4B50], 4)
    bytes += Self.words([0, 0, files.count, files.count], 2)
    bytes += Self.words([list.count, start], 4) + Self.words([0], 2)
  }

  private static func words(_ numbers: [Int], _ size: Int) -> [UInt8] {
    numbers.flatMap { number in (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
  }
}
