// Fovea - a network that reads lines of text.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc
internal import FoveaModelValues
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

  private let path: String
  private let model: Model
  private let input: String
  private let output: String
  private let decoder: CTCDecoder
  /// The network in integers of 8 bits, made at first use.
  private let fastModel = Locked<Model?>(nil)
  /// All that there can be are kept: their number is small.
  private let models = ModelVariants<Form, Model>(keepingAtMost: 2 * TextRecognizer.widths.count)
  private let sessions = ModelVariants<Way, SessionCache>(
    keepingAtMost: 4 * TextRecognizer.widths.count)

  /// A width of the network's input, in one arithmetic.
  struct Form: Hashable {
    var width: Int
    var isFast: Bool
  }

  /// How strips of one form are read.
  struct Way: Hashable {
    var form: Form
    /// Whether a thread reads a strip alone, beside others.
    var isAlone: Bool
  }

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
    (self.path, self.model, self.input, self.output) = (path, model, input, output)
    decoder = CTCDecoder(table: table)
  }

  /// What stands in lines of a picture; lines in which nothing can be read are left out.
  ///
  /// `fast` makes lines narrower and computes in integers of 8 bits.
  ///
  /// - Parameter groups: Lines that were found in several ways; see `TextSearch.groups(in:isThorough:)`.
  /// - Throws: `.detection`.
  package func read(
    _ groups: [[TextLine]], of picture: StillPicture, level: RecognizeTextRequest.RecognitionLevel
  ) throws(StillError) -> [ReadLine] {
    let found =
      switch level {
      case .fast: try readFast(groups, of: picture)
      case .accurate: try readCarefully(groups.flatMap(\.self), of: picture)
      }
    return found.compactMap(\.self).filter { $0.confidence >= 0.5 }
  }

  private func readCarefully(
    _ lines: [TextLine], of picture: StillPicture
  ) throws(StillError) -> [ReadLine?] {
    let found = try readFull(lines, of: picture)
    if certainty(of: found) >= 0.6 || lines.isEmpty { return found }
    // Nothing of the geometry tells up from down.
    let turned = try readFull(lines.reversed().map(\.upsideDown), of: picture)
    return certainty(of: turned) > certainty(of: found) + 0.1 ? turned : found
  }

  private func certainty(of lines: [ReadLine?]) -> Double {
    lines.reduce(0) { $0 + ($1?.confidence ?? 0) } / Double(max(1, lines.count))
  }

  private func readFull(
    _ lines: [TextLine], of picture: StillPicture
  ) throws(StillError) -> [ReadLine?] {
    let isAlone = Self.readsAlone(lines.count)
    return try Self.map(lines, isAlone: isAlone) { line throws(StillError) in
      try self.read(line, of: picture, isAlone: isAlone)
    }
  }

  /// Whether each thread reads lines of its own, with sessions of its own. It waits for no other one
  /// then, but a few lines would leave threads idle.
  static func readsAlone(_ lineCount: Int) -> Bool {
    stillThreads > 1 && lineCount >= stillThreads
  }

  /// What is made of each line, on several threads where they read alone. The longest lines come first,
  /// so that no thread waits long for another one at the end.
  static func map<Made: Sendable>(
    _ lines: [TextLine], isAlone: Bool,
    _ body: @escaping @Sendable (TextLine) throws(StillError) -> Made
  ) throws(StillError) -> [Made] {
    func length(_ line: TextLine) -> Double {
      line.quad.meanWidth / max(line.quad.meanHeight, 1e-3)
    }
    let order = lines.indices.sorted { length(lines[$0]) > length(lines[$1]) }
    let made = try concurrentMap(
      order.map { lines[$0] }, threads: isAlone ? stillThreads : 1, body)
    return zip(order, made).sorted { $0.0 < $1.0 }.map(\.1)
  }

  static let inkRows = (Double(rows) / (1 + 2 * margin)).rounded(.down)

  private func read(
    _ line: TextLine, of picture: StillPicture, isAlone: Bool
  ) throws(StillError) -> ReadLine? {
    guard
      let strip = NetworkStrip(line, of: picture, rows: Self.rows, inkRows: Self.inkRows),
      let width = Self.widths.first(where: { $0 >= strip.pixels.width }) ?? Self.widths.last
    else { return nil }
    return try read(strip, Way(form: Form(width: width, isFast: false), isAlone: isAlone))
  }

  func read(_ strip: NetworkStrip, _ way: Way) throws(StillError) -> ReadLine? {
    let width = way.form.width
    let cache = try sessions(way)
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

  private func sessions(_ way: Way) throws(StillError) -> SessionCache {
    do throws(FoveaError) {
      return try sessions.variant(for: way) { () throws(FoveaError) in
        let pool = way.isAlone ? try ThreadPool(threadCount: 1) : nil
        return try SessionCache(model: model(of: way.form), pool: pool)
      }
    } catch {
      throw .detection(.runtime(error))
    }
  }

  private func model(of form: Form) throws(FoveaError) -> Model {
    try models.variant(for: form) { () throws(FoveaError) in
      let source = form.isFast ? try integerModel() : model
      return try source.reshaped(images: [:], arrays: [input: [1, 3, Self.rows, form.width]])
    }
  }

  private func integerModel() throws(FoveaError) -> Model {
    try fastModel.withLock { model throws(FoveaError) in
      if let model { return model }
      let made = try Model(contentsOf: path, options: .init(backend: .int8))
      model = made
      return made
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
