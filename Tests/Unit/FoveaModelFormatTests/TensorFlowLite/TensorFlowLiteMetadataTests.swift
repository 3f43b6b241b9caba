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
    let archive = SmallArchive([.stored("labels.txt", "cat, tabby\ndog's\n")])
    let metadata = try metadata(file.bytes() + archive.bytes)
    #expect(metadata.userDefined["names"] == "{0: 'cat, tabby', 1: \"dog's\"}")
    #expect(metadata.userDefined["normalization.mean"] == "127.5")
    #expect(metadata.userDefined["normalization.std"] == "128.0")
    #expect(metadata.shortDescription == "finds things")
    #expect(metadata.author == "somebody")
  }

  @Test func dictionaryOfAnExporterBecomesEntries() throws {
    let text = #"{"task": "detect", "names": {"0": "a b", "1": "c"}, "imgsz": [32, 32]}"#
    let archive = SmallArchive([.stored("metadata.json", text)])
    let entries = try metadata(TensorFlowLiteExamples.convolution.bytes() + archive.bytes)
      .userDefined
    #expect(entries["task"] == "detect")
    #expect(entries["names"] == #"{"0": "a b", "1": "c"}"#)
    #expect(entries["imgsz"] == "[32, 32]")
  }

  @Test func deflatedDictionaryBecomesEntries() throws {
    let archive = SmallArchive([.deflated("metadata.json")])
    let model = TensorFlowLiteExamples.convolution.bytes()
    let entries = try metadata(model + archive.bytes).userDefined
    #expect(entries["task"] == "detect")
    #expect(entries["stride"] == "32")
    #expect(entries["end2end"] == "true")
    #expect(entries["kpt_shape"] == "[17, 3]")
    #expect(entries["names"] == #"{"0": "caf\u00e9", "1": "it's \"b\""}"#)
    // What the checksum does not vouch for is left out; so is what would be too large.
    for change in [{ $0.checksum += 1 }, { $0.size = 1 << 30 }, { $0.method = 9 }]
      as [(inout SmallArchive.File) -> Void]
    {
      var file = SmallArchive.File.deflated("metadata.json")
      change(&file)
      #expect(try metadata(model + SmallArchive([file]).bytes).userDefined["task"] == nil)
    }
  }

  /// Files of an exporter that deflates.
  @Test(
    .enabled(if: SharedData.isPresent),
    arguments: ["v5-fractions", "v8-fractions-int8", "v8-fractions-stored"])
  func metadataOfExportersAreRead(_ name: String) throws {
    let folder = "reports/a4-tflite-normalized"
    let bytes = try SharedData.bytes("\(folder)/\(name).tflite")
    let entries = try metadata(bytes).userDefined
    #expect(entries["task"] == "detect")
    #expect(entries["imgsz"] == "[96, 160]")
    #expect(entries["stride"] == "32")
    #expect(entries["names"]?.contains("kind2") == true)
  }

  @Test func codesOfTheInputTellTheNormalization() throws {
    let entries = try metadata(TensorFlowLiteExamples.codes.bytes()).userDefined
    #expect(entries["normalization.mean"] == "128")
    #expect(entries["normalization.std"] == "2.0")
  }

  @Test func damagedArchiveIsLeftOut() throws {
    let model = TensorFlowLiteExamples.convolution.bytes()
    let archive = SmallArchive([
      .stored("a.txt", "{'task': 'detect'}"), .deflated("metadata.json"),
    ]).bytes
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
