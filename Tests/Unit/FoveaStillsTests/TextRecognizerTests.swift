// Fovea - tests of lines that a network reads, carefully and fast.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import FoveaStills
import FoveaTestSupport
import Testing

@Suite struct TextRecognizerTests {
  /// A network that reads a dark column of 48 x 8 pixels as "i". The score of a column is the mean of its
  /// levels, so that columns that are half dark are in doubt.
  private func recognizer(in folder: TemporaryFolder) throws -> TextRecognizer {
    var writer = ONNXWriter()
    writer.input("x", [1, 3, 48, nil])
    let mean = 3.0 / Float(3 * 48 * 8)
    writer.floats(
      "w",
      [Float](repeating: mean, count: 3 * 48 * 8) + [Float](repeating: -mean, count: 3 * 48 * 8),
      [2, 3, 48, 8])
    writer.floats("b", [0, 0])
    writer.add("Conv", ["x", "w", "b"], ["scores"], ["strides": .ints([48, 8])])
    writer.integers("rows", [2])
    writer.add("Squeeze", ["scores", "rows"], ["flat"])
    writer.add("Transpose", ["flat"], ["columns"], ["perm": .ints([0, 2, 1])])
    writer.add("Softmax", ["columns"], ["y"], ["axis": .int(2)])
    writer.output("y", [1, nil, 2])
    writer.metadata("character", "i\n")
    return try TextRecognizer(contentsOf: folder.write("bars.onnx", writer.bytes))
  }

  /// Dark bars on light paper, one strip's height high, from column 43 on; and the line around them, which
  /// ends `rest` columns behind the last gap.
  private func bars(
    _ count: Int, width: Int, rest: Double = 0
  ) throws -> (StillPicture, TextLine) {
    let size = (80 + 2 * width * count, 100)
    var rgb = [UInt8](repeating: 235, count: 3 * size.0 * size.1)
    for row in 24..<76 {
      for bar in 0..<count {
        for column in 0..<width {
          let pixel = row * size.0 + 43 + 2 * width * bar + column
          for channel in 0..<3 { rgb[3 * pixel + channel] = 15 }
        }
      }
    }
    // 37 rows become the 37 rows of ink of the network, so that columns of pixels stay what they are.
    let quad = PixelQuad(x: 40, y: 30, width: Double(2 * width * count) + rest, height: 37)
    let image = try Image(width: size.0, height: size.1, rgb: rgb)
    return (StillPicture(image), TextLine(quad: quad, xHeightShare: 0.5, isLight: false))
  }

  /// Wide bars stay apart when they are made narrower. Narrow ones do not: the network is in doubt, and
  /// `fast` has to read them again. Their line is as wide as one of the inputs of `fast`.
  @Test(arguments: [(6, 32, 0), (12, 16, 0), (21, 8, 5.5)])
  func bothLevelsReadAllBars(_ count: Int, _ width: Int, _ rest: Double) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let recognizer = try recognizer(in: folder)
    let (picture, line) = try bars(count, width: width, rest: rest)
    let text = String(repeating: "i", count: count)
    for level in RecognizeTextRequest.RecognitionLevel.allCases {
      let found = try recognizer.read([[line]], of: picture, level: level)
      #expect(found.map(\.text) == [text])
      let characters = found.first?.words.first?.characters ?? []
      #expect(characters.count == count)
      for (index, character) in characters.enumerated() where width >= 16 {
        let left = Double(43 + 2 * width * index)
        #expect(abs(character.quad.corners[0].x - left) < 3)
        #expect(abs(character.quad.corners[1].x - left - Double(width)) < 3)
      }
    }
  }

  @Test func manyLinesKeepTheirOrder() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let recognizer = try recognizer(in: folder)
    let (picture, line) = try bars(12, width: 16)
    // Ever shorter parts of the line, which end between two bars: their number tells which was which.
    let lines = (1...12).reversed().map { count in
      var part = line
      part.quad = PixelQuad(x: 40, y: 30, width: Double(32 * count - 8), height: 37)
      return part
    }
    for level in RecognizeTextRequest.RecognitionLevel.allCases {
      let counts = try recognizer.read([lines], of: picture, level: level).map(\.text.count)
      #expect(counts == (1...12).reversed())
    }
    // What was read surely is not read again where it was found in another way, too.
    #expect(try recognizer.read([lines, lines], of: picture, level: .fast).count == 12)
  }

  @Test(arguments: [1, 2, 5]) func threadsShareWorkAndKeepItsOrder(_ threads: Int) throws {
    let squares = try concurrentMap(Array(0..<100), threads: threads) { $0 * $0 }
    #expect(squares == (0..<100).map { $0 * $0 })
    #expect(try concurrentMap([Int](), threads: threads) { $0 }.isEmpty)
    do {
      _ = try concurrentMap(Array(0..<100), threads: threads) { index throws(StillError) in
        if index % 40 == 7 { throw .libraryFailed("\(index)") }
        return index
      }
      Issue.record("no error")
    } catch {
      #expect("\(error)".contains("7") && !"\(error)".contains("47"))
    }
  }
}
