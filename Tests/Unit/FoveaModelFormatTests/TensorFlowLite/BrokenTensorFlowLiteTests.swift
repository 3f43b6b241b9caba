// Fovea - broken TensorFlow Lite files are refused with place and remedy.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

@Suite struct BrokenTensorFlowLiteTests {
  /// The error with which a file is refused.
  private func refusal(
    _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ModelFormatError {
    do throws(ModelFormatError) {
      _ = try ModelDescription(anyFormat: bytes, fileName: "", folder: EmptyFolder())
    } catch {
      #expect(
        !error.found.isEmpty && !error.expected.isEmpty && !error.remedy.isEmpty,
        sourceLocation: sourceLocation)
      return error
    }
    Issue.record("the file is not refused", sourceLocation: sourceLocation)
    throw ModelFormatError(.notAModel, found: "", expected: "")
  }

  /// A file whose tensor "x" goes through one operation.
  private func file(
    _ fill: (inout TensorFlowLiteWriter, TensorFlowLiteWriter.Tensor) -> Void
  ) -> [UInt8] {
    var file = TensorFlowLiteWriter()
    let x = file.input("x", [1, 4])
    fill(&file, x)
    return file.bytes()
  }

  // MARK: Bytes

  @Test func everyBeginningOfAFileIsReadOrRefused() throws {
    for example in TensorFlowLiteExamples.all {
      let bytes = example.bytes()
      for count in 8..<bytes.count {
        _ = try? ModelDescription(
          anyFormat: Array(bytes[..<count]), fileName: "", folder: EmptyFolder())
      }
      #expect(try refusal(Array(bytes[..<(bytes.count / 2)])).code == .truncated)
    }
  }

  @Test func anyNumberInPlaceOfAnotherIsReadOrRefused() {
    for example in TensorFlowLiteExamples.all {
      let bytes = example.bytes()
      for place in stride(from: 0, to: bytes.count - 4, by: 2) {
        for number in [0, 1, 0x7F, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] as [UInt32] {
          var changed = bytes
          withUnsafeBytes(of: number.littleEndian) {
            for (index, byte) in $0.enumerated() { changed[place + index] = byte }
          }
          do throws(ModelFormatError) {
            _ = try ModelDescription(anyFormat: changed, fileName: "", folder: EmptyFolder())
          } catch {
            #expect(!error.found.isEmpty && !error.expected.isEmpty)
          }
        }
      }
    }
  }

  @Test func anotherVersionIsRefused() throws {
    var file = TensorFlowLiteExamples.convolution
    file.version = 4
    #expect(try refusal(file.bytes()).code == .unsupportedVersion)
  }

  // MARK: Numbers

  @Test func tensorThatNothingWritesIsRefused() throws {
    let bytes = file { file, x in
      let lost = file.tensor("lost", [1, 4])
      let y = file.tensor("y", [1, 4])
      file.add(.add, [x, lost], [y])
      file.outputs = [y]
    }
    let error = try refusal(bytes)
    #expect(error.code == .unknownBlob)
    #expect(error.found.contains("lost"))
    #expect(error.fieldPath == "model.subgraphs[0].operators[0].inputs")
  }

  @Test func numbersOfTensorsThatDoNotExistAreRefused() throws {
    for stranger in [99, -2] as [Int32] {
      let reading = file { file, x in
        let y = file.tensor("y", [1, 4])
        file.add(.add, [x, stranger], [y])
        file.outputs = [y]
      }
      #expect(try refusal(reading).found == "tensor \(stranger)")
      let writing = file { file, x in
        file.add(.relu, [x], [stranger])
        file.outputs = [x]
      }
      #expect(try refusal(writing).found == "tensor \(stranger)")
    }
  }

  @Test func tensorThatIsWrittenTwiceIsRefused() throws {
    let bytes = file { file, x in
      let y = file.tensor("y", [1, 4])
      file.add(.relu, [x], [y])
      file.add(.relu, [x], [y])
      file.outputs = [y]
    }
    #expect(try refusal(bytes).code == .duplicateBlob)
  }

  @Test func constantOfAnotherSizeThanItsShapeIsRefused() throws {
    let bytes = file { file, x in
      let short = file.constant("c", [1, 4], [1, 2, 3] as [Float])
      let y = file.tensor("y", [1, 4])
      file.add(.add, [x, short], [y])
      file.outputs = [y]
    }
    let error = try refusal(bytes)
    #expect(error.code == .invalidWeights)
    #expect(error.found == "a buffer of 12 bytes")
  }

  @Test func scalesThatDoNotFitTheirAxisAreRefused() throws {
    let bytes = file { file, x in
      let c = file.constant("c", [2, 2], codes: [1, 2, 3, 4], .init([1, 2, 3], axis: 1))
      let y = file.tensor("y", [1, 4])
      file.add(.add, [x, c], [y])
      file.outputs = [y]
    }
    #expect(try refusal(bytes).fieldPath.hasSuffix("quantization"))
  }

  @Test func zeroPointOutsideTheCodesIsRefused() throws {
    for zero in [Int64.max, .min, 128, -129] {
      let bytes = file { file, x in
        let y = file.tensor("y", [1, 4], .int8, codes: .init(0.5, zero))
        file.add(.quantize, [x], [y])
        file.outputs = [y]
      }
      #expect(try refusal(bytes).found == "a zero point of \(zero)")
    }
  }

  @Test func sparseConstantThatClaimsMoreThanItHasIsRefused() throws {
    func sparsity(_ segments: [Int32], _ indices: [Int32]) -> FlatValue {
      .table([
        0: .ints([0]),
        2: .tables([
          .table([
            0: .byte(1), 2: .byte(1), 3: .table([0: .ints(segments)]), 4: .byte(1),
            5: .table([0: .ints(indices)]),
          ])
        ]),
      ])
    }
    let cases: [([Int32], [Int32])] = [
      ([0, 2], [1, 9]), ([0, 5], [1, 2]), ([1, 2], [1, 2]), ([], []), ([0, 1], [1]),
    ]
    for (segments, indices) in cases {
      let bytes = file { file, x in
        let c = file.constant(
          "c", [4], .float32, bytes: [0, 0, 0, 0, 0, 0, 0, 0],
          sparsity: sparsity(segments, indices))
        let y = file.tensor("y", [1, 4])
        file.add(.add, [x, c], [y])
        file.outputs = [y]
      }
      #expect(try refusal(bytes).fieldPath.hasSuffix("sparsity"))
    }
  }

  @Test func smallFileThatAsksForManyZerosIsRefused() throws {
    let bytes = file { file, x in
      let c = file.constant(
        "c", [1 << 30], .float32, bytes: [0, 0, 0, 0],
        sparsity: .table([
          0: .ints([0]),
          2: .tables([
            .table([
              0: .byte(1), 2: .byte(1), 3: .table([0: .ints([0, 1])]), 4: .byte(1),
              5: .table([0: .ints([7])]),
            ])
          ]),
        ]))
      let y = file.tensor("y", [1, 4])
      file.add(.add, [x, c], [y])
      file.outputs = [y]
    }
    #expect(try refusal(bytes).code == .limitExceeded)
  }

  @Test func suppressionInTheMiddleOfAModelIsRefused() throws {
    var file = TensorFlowLiteExamples.detector
    let y = file.tensor("y", [1, 10])
    file.add(.relu, [4], [y])
    file.outputs = [y]
    #expect(try refusal(file.bytes()).code == .unsupportedLayer)
  }
}
