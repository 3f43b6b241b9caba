// Fovea - a network that reads lines of text.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc
internal import FoveaModelFormat
internal import FoveaRuntime
internal import FoveaVision

/// A network that reads lines of text, from a file: a recognizer of PP-OCR, or one like it.
///
/// It reads an array of 1 x 3 x 48 rows x any number of columns, levels from -1 to 1, and gives scores of
/// characters for some columns (CTC). The characters are in the file's metadata as "character", or in a
/// dictionary with one character a line.
public final class TextRecognizer: Sendable {
  /// Lines are cut into pictures of some widths, so that few sessions are needed.
  private static let widths = [
    128, 192, 256, 320, 416, 512, 640, 800, 1024, 1280, 1600, 2048, 2560,
  ]
  /// The rows of the networks that are known.
  static let rows = 48
  /// Around the ink of a line, in heights of it.
  static let margin = 0.14

  private let model: Model
  private let input: String
  private let output: String
  private let decoder: CTCDecoder
  private let sessions = Locked<[Int: SessionCache]>([:])

  /// Loads a network.
  ///
  /// - Parameters:
  ///   - path: An ONNX file, or a Core ML one.
  ///   - dictionary: A file with one character a line; `nil` for the one in the metadata.
  /// - Throws: `.detection` for a file that cannot be read; `.unsuitableModel` for a network of another
  ///   kind, or characters that do not fit it.
  public init(contentsOf path: String, dictionary: String? = nil) throws(StillError) {
    let model = try StillError.translating { () throws(FoveaError) in try Model(contentsOf: path) }
    let (input, output) = try model.recognizerPorts(rows: Self.rows)
    let lines: [UInt8]
    if let dictionary {
      lines = try DictionaryFile.bytes(of: dictionary)
    } else if let text = model.metadata.userDefined["character"] {
      lines = Array(text.utf8)
    } else {
      throw .unsuitableModel(
        "\(model.name) does not say which characters it reads; name its dictionary")
    }
    let classes = model.outputs.first { $0.name == output }?.shape.last ?? 0
    guard let table = CharacterTable(lines: lines, classes: classes) else {
      let count = lines.split(separator: UInt8(ascii: "\n")).count
      throw .unsuitableModel(
        "\(model.name) tells \(classes) characters apart, and the dictionary has \(count);"
          + " expected one or two less than the network")
    }
    (self.model, self.input, self.output) = (model, input, output)
    decoder = CTCDecoder(table: table)
  }

  /// What stands in lines of a picture; lines in which nothing can be read are left out.
  ///
  /// - Throws: `.detection`.
  func read(
    _ lines: [TextLine], of picture: StillPicture, level: RecognizeTextRequest.RecognitionLevel
  ) throws(StillError) -> [ReadLine] {
    var found = try read(lines, of: picture)
    if level == .accurate, certainty(of: found) < 0.6, !lines.isEmpty {
      // Nothing of the geometry tells up from down.
      let turned = try read(lines.reversed().map(\.upsideDown), of: picture)
      if certainty(of: turned) > certainty(of: found) + 0.1 { found = turned }
    }
    return found.compactMap { $0 }.filter { $0.confidence >= 0.5 }
  }

  private func certainty(of lines: [ReadLine?]) -> Double {
    lines.reduce(0) { $0 + ($1?.confidence ?? 0) } / Double(max(1, lines.count))
  }

  private func read(
    _ lines: [TextLine], of picture: StillPicture
  ) throws(StillError) -> [ReadLine?] {
    var result: [ReadLine?] = []
    for line in lines {
      let height = (Double(Self.rows) / (1 + 2 * Self.margin)).rounded(.down)
      guard
        let strip = NetworkStrip(line, of: picture, rows: Self.rows, inkRows: height),
        let width = Self.widths.first(where: { $0 >= strip.pixels.width }) ?? Self.widths.last
      else {
        result.append(nil)
        continue
      }
      result.append(try read(strip, width: width))
    }
    return result
  }

  private func read(_ strip: NetworkStrip, width: Int) throws(StillError) -> ReadLine? {
    let cache = try sessions(width: width)
    let characters: [CTCDecoder.Character]
    let columns: Int
    do throws(DetectionError) {
      (characters, columns) = try cache.withSession { session, _ throws(DetectionError) in
        do throws(FoveaError) {
          try strip.write(to: session, input: input, width: width)
          session.run()
          return try session.withOutput(output) { scores throws(FoveaError) in
            let columns = scores.count / decoder.table.texts.count
            return (decoder.characters(scores, columns: columns), columns)
          }
        } catch {
          throw .runtime(error)
        }
      }
    } catch {
      throw .detection(error)
    }
    let squeeze = max(1, Double(strip.pixels.width) / Double(width))
    return strip.line(
      characters, pixelsPerColumn: squeeze * Double(width) / Double(max(1, columns)))
  }

  private func sessions(width: Int) throws(StillError) -> SessionCache {
    try sessions.withLock { sessions throws(StillError) in
      if let cache = sessions[width] { return cache }
      let cache = try StillError.translating { () throws(FoveaError) in
        let sized = try model.reshaped(images: [:], arrays: [input: [1, 3, Self.rows, width]])
        return try SessionCache(model: sized, pool: nil)
      }
      sessions[width] = cache
      return cache
    }
  }
}

extension Model {
  /// The input and the output of a network that reads lines of so many rows.
  ///
  /// - Throws: `.unsuitableModel`.
  fileprivate func recognizerPorts(
    rows: Int
  ) throws(StillError) -> (input: String, output: String) {
    guard inputs.count == 1, let input = inputs.first, input.image == nil, input.shape.count == 4,
      input.shape[1] == 3, isFlexible
    else {
      throw .unsuitableModel(
        "\(name) is no recognizer of text; expected one array of 1 x 3 x \(rows) x any width, and found"
          + " \(inputs.map { "\($0.name) \($0.shape)" }.joined(separator: ", "))")
    }
    guard outputs.count == 1, let output = outputs.first, output.shape.count == 3,
      output.shape[0] == 1
    else {
      throw .unsuitableModel(
        "\(name) is no recognizer of text; expected scores of 1 x columns x characters, and found"
          + " \(outputs.map { "\($0.name) \($0.shape)" }.joined(separator: ", "))")
    }
    return (input.name, output.name)
  }
}
