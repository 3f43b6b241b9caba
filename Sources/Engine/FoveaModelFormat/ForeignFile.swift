// Fovea - files of other kinds, by their bytes.
// SPDX-License-Identifier: Apache-2.0

/// A kind of file that Fovea does not open, and what a person can do with it.
struct ForeignFile: Sendable {
  /// What people call such a file.
  var name: String
  /// How to come from it to a model that can be opened.
  var remedy: String
  /// Whether bytes are those of such a file.
  var recognizes: @Sendable (FileStart) -> Bool

  /// The kind of a file; `nil` for one that is none of these.
  init?(_ bytes: [UInt8]) {
    let start = FileStart(bytes)
    guard let found = Self.all.first(where: { $0.recognizes(start) }) else { return nil }
    self = found
  }

  private init(
    _ name: String, _ remedy: String, _ recognizes: @escaping @Sendable (FileStart) -> Bool
  ) {
    self.name = name
    self.remedy = remedy
    self.recognizes = recognizes
  }

  /// A kind whose files begin with one of some texts.
  private init(_ name: String, _ remedy: String, begins: [String]) {
    self.init(name, remedy) { start in begins.contains { start.has($0) } }
  }

  // MARK: Remedies

  private static let exportTorch =
    "Export it to ONNX in Python: torch.onnx.export, or with Ultralytics"
    + " model.export(format='onnx')."
  private static let convertTensorFlow =
    "Convert it to TensorFlow Lite in Python: tf.lite.TFLiteConverter."
  private static let takeOriginal =
    "Take the model that it was made from, and export that to ONNX or Core ML."
  private static let openFolder = "Open the folder that the file is in."
  private static let unpack = "Unpack the archive and open the model inside."
  private static let picture = "Name the picture behind the model: --model MODEL PICTURE."
  private static let download =
    "Check that the download gave the model and not a page about it."

  // MARK: Kinds

  /// All kinds, the ones with the strongest evidence first.
  static let all: [ForeignFile] = networks + compiled + archives + pictures + texts

  private static let networks: [ForeignFile] = [
    ForeignFile(
      "a PyTorch checkpoint (.pt, a zip archive with data.pkl)", exportTorch
    ) { $0.zipHas("/data.pkl") || $0.zipHas("/constants.pkl") },
    ForeignFile(
      "an old PyTorch checkpoint (.pt)", exportTorch,
      // A pickle of the number that such files begin with.
      begins: ["\u{80}\u{2}\u{8A}\u{A}l\u{FC}\u{9C}F\u{F9} j\u{A8}P\u{19}."]),
    ForeignFile("a pickle of Python (.pkl, .pt)", exportTorch) { start in
      start.bytes.first == 0x80 && start.bytes.count > 2 && (2...5).contains(start.bytes[1])
        && start.bytes.last == UInt8(ascii: ".")
    },
    ForeignFile("a Keras model (.keras)", convertTensorFlow) { $0.zipHas("model.weights.h5") },
    ForeignFile(
      "a Keras model (.h5, an HDF5 file)", convertTensorFlow,
      begins: ["\u{89}HDF\r\n\u{1A}\n"]),
    ForeignFile("a model of TensorFlow (.pb)", convertTensorFlow) { $0.isTensorFlow },
    ForeignFile("weights alone (.safetensors)", exportTorch) { start in
      start.bytes.count > 9 && start.bytes[8] == UInt8(ascii: "{")
        && start.bytes[4..<8].allSatisfy { $0 == 0 }
    },
    ForeignFile("a TensorRT engine", takeOriginal) { start in
      ["ftrt", "ptrt"].contains { start.has($0) }
        // Ultralytics puts a text of some length before the engine.
        || (start.bytes.count > 6 && start.bytes[2..<6].elementsEqual([0, 0, 0x7B, 0x22]))
    },
    ForeignFile(
      "a network of ncnn (.param)", takeOriginal,
      begins: ["7767517\n", "7767517\r\n", "\u{DD}\u{85}v\0"]
    ),
    ForeignFile(
      "weights of ncnn (.bin)", takeOriginal,
      begins: ["\u{47}\u{6B}\u{30}\u{1}", "\u{38}\u{4B}\u{D}\0", "\u{56}\u{C0}\u{2}\0"]),
    ForeignFile("an OpenVINO network (.xml)", takeOriginal) { start in
      start.isText && start.mentions("<net ")
    },
    ForeignFile("a language model (.gguf)", takeOriginal, begins: ["GGUF"]),
    ForeignFile("a network for Rockchip processors (.rknn)", takeOriginal, begins: ["RKNN"]),
    ForeignFile("a TensorFlow.js model (model.json)", convertTensorFlow) { start in
      start.isText && start.has("{") && start.mentions("\"modelTopology\"")
    },
  ]

  private static let compiled: [ForeignFile] = [
    ForeignFile(
      "the program of a compiled Core ML model (model.mil)", openFolder, begins: ["program("]),
    ForeignFile(
      "the description of a compiled Core ML model (coremldata.bin)", openFolder
    ) { start in
      start.bytes.count > 43 && start.bytes[8..<24].allSatisfy { $0 == 0 }
        && start.bytes[36..<43].elementsEqual("generic".utf8)
    },
    ForeignFile("a part of an espresso folder, a compiled neural network", openFolder) { start in
      start.isText && start.has("{") && start.mentions("espresso")
    },
    ForeignFile("the weights of a Core ML package (weight.bin)", openFolder) { start in
      start.bytes.count >= 68 && start.bytes[4..<8].elementsEqual([2, 0, 0, 0])
        && start.bytes[64..<68].elementsEqual([0xEF, 0xBE, 0xAD, 0xDE])
    },
    ForeignFile("the manifest of a Core ML package", openFolder) { start in
      start.isText && start.mentions("rootModelIdentifier")
    },
  ]

  private static let archives: [ForeignFile] = [
    ForeignFile("arrays of NumPy (.npz)", "Give a model, and arrays as its inputs.") {
      $0.zipEnds(".npy")
    },
    ForeignFile("a zip archive with a Core ML package (.mlpackage) inside", unpack) {
      $0.zipHas(".mlpackage/")
    },
    ForeignFile("a zip archive with a model inside", unpack) { start in
      [".mlmodel", ".onnx", ".tflite", ".cfg"].contains(where: start.zipEnds)
    },
    ForeignFile("a zip archive", unpack, begins: ["PK\u{3}\u{4}", "PK\u{5}\u{6}"]),
    ForeignFile("a gzip archive", unpack, begins: ["\u{1F}\u{8B}"]),
    ForeignFile("an xz archive", unpack, begins: ["\u{FD}7zXZ\0"]),
    ForeignFile("a bzip2 archive", unpack, begins: ["BZh"]),
    ForeignFile("a zstd archive", unpack, begins: ["(\u{B5}/\u{FD}"]),
    ForeignFile("a 7z archive", unpack, begins: ["7z\u{BC}\u{AF}\u{27}\u{1C}"]),
    ForeignFile("a tar archive", unpack) { start in
      start.bytes.count >= 262 && start.bytes[257..<262].elementsEqual("ustar".utf8)
    },
    ForeignFile(
      "an array of NumPy (.npy)", "Give a model, and arrays as its inputs.",
      begins: ["\u{93}NUMPY"]),
    ForeignFile("a program", takeOriginal, begins: ["\u{7F}ELF"]),
  ]

  private static let pictures: [ForeignFile] = [
    ForeignFile("a picture (JPEG)", picture, begins: ["\u{FF}\u{D8}\u{FF}"]),
    ForeignFile("a picture (PNG)", picture, begins: ["\u{89}PNG\r\n"]),
    ForeignFile("a picture (GIF)", picture, begins: ["GIF8"]),
    ForeignFile("a picture (TIFF)", picture, begins: ["II*\0", "MM\0*"]),
    ForeignFile("a picture (BMP)", picture) { start in
      start.has("BM") && start.bytes.count >= 14 && start.bytes[6..<10].allSatisfy { $0 == 0 }
    },
    ForeignFile("a picture (WebP)", picture) { start in
      start.has("RIFF") && start.bytes.count >= 12 && start.bytes[8..<12].elementsEqual("WEBP".utf8)
    },
    ForeignFile("a picture or a film (HEIC, MP4)", picture) { start in
      start.bytes.count >= 12 && start.bytes[4..<8].elementsEqual("ftyp".utf8)
    },
    ForeignFile("a document (PDF)", takeOriginal, begins: ["%PDF"]),
  ]

  private static let texts: [ForeignFile] = [
    ForeignFile("a web page (HTML)", download) { start in
      let words = start.text.drop(while: \.isWhitespace).prefix(200).lowercased()
      return start.isText
        && (words.hasPrefix("<!doctype html") || words.hasPrefix("<html")
          || FileStart.occurs("<head", in: words.utf8))
    },
    ForeignFile("a text file", download) { $0.isText },
  ]
}

/// What is looked at to tell a file's kind.
struct FileStart: Sendable {
  let bytes: [UInt8]
  /// The names of the files in a zip archive.
  private let zipNames: [String]
  /// Whether the file begins as text does.
  let isText: Bool
  /// The beginning, where it is text.
  let text: String

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    zipNames = ZipNames(bytes).names
    // A model begins with a tag, and its version and lengths bring control characters soon.
    isText =
      bytes.count >= 8
      && bytes.prefix(256).allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
      && String(validating: bytes.prefix(256).dropLast(bytes.count > 256 ? 4 : 0), as: UTF8.self)
        != nil
    text = isText ? String(decoding: bytes.prefix(8192), as: UTF8.self) : ""
  }

  /// Whether the file begins with the bytes that are a text's characters, each below 256.
  func has(_ start: String) -> Bool {
    bytes.starts(with: start.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
  }

  /// Whether some words occur where the file is text.
  func mentions(_ words: String) -> Bool { Self.occurs(words, in: text.utf8) }

  fileprivate static func occurs(_ words: String, in text: String.UTF8View) -> Bool {
    text.indices.contains { text[$0...].starts(with: words.utf8) }
  }

  /// Whether a file in the zip archive has some words in its path.
  func zipHas(_ part: String) -> Bool { zipNames.contains { Self.occurs(part, in: $0.utf8) } }

  /// Whether a file in the zip archive has an extension.
  func zipEnds(_ part: String) -> Bool { zipNames.contains { $0.hasSuffix(part) } }

  /// Whether the file is a graph of TensorFlow: nodes (1) of a name (1) and an operation (2); or a
  /// saved model: a version (1) and graphs (2) that begin with their description (1), behind which
  /// nodes stand (2).
  var isTensorFlow: Bool {
    let file = ProtobufMessage(file: bytes)
    if let node = Self.message(1, in: file) {
      return Self.text(1, in: node) != nil && Self.text(2, in: node) != nil
    }
    guard let graph = Self.message(2, in: file), Self.message(1, in: graph) != nil,
      let nodes = Self.message(2, in: graph), let node = Self.message(1, in: nodes)
    else { return false }
    return Self.text(1, in: node) != nil && Self.text(2, in: node) != nil
  }

  /// The first field of a number, as a message, among the first few fields.
  private static func message(_ number: Int, in message: ProtobufMessage) -> ProtobufMessage? {
    var fields = ProtobufCursor(message)
    for _ in 0..<8 {
      guard let field = try? fields.next() else { return nil }
      guard field.number == number else { continue }
      guard field.wire == .bytes else { return nil }
      return ProtobufMessage(file: message.file, range: field.payload)
    }
    return nil
  }

  /// The same as a word that is not empty.
  private static func text(_ number: Int, in message: ProtobufMessage) -> String? {
    guard let field = Self.message(number, in: message) else { return nil }
    let bytes = field.file[field.first]
    guard (1...1000).contains(bytes.count), bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The names of the files in a zip archive.
private struct ZipNames {
  private(set) var names: [String] = []
  private let bytes: [UInt8]

  /// More names tell no more about an archive.
  private static let greatestCount = 1000

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]), let first = name(at: 30, countAt: 26) else {
      return
    }
    names = [first]
    // The directory at the end: 46 bytes, a name, other fields.
    guard var place = directory else { return }
    while names.count < Self.greatestCount, number(4, at: place) == 0x0201_4B50,
      let next = name(at: place + 46, countAt: place + 28)
    {
      names.append(next)
      // The sizes of the name, of extra fields and of a comment.
      place += 46 + [28, 30, 32].reduce(0) { $0 + (number(2, at: place + $1) ?? 0) }
    }
  }

  /// Where the directory begins, by the record at the end of the file.
  private var directory: Int? {
    let least = max(0, bytes.count - 22 - 65_535)
    var place = bytes.count - 22
    while place >= least {
      if number(4, at: place) == 0x0605_4B50 { return number(4, at: place + 16) }
      place -= 1
    }
    return nil
  }

  private func name(at place: Int, countAt: Int) -> String? {
    guard let count = number(2, at: countAt), place <= bytes.count - count else { return nil }
    return String(decoding: bytes[place..<place + count], as: UTF8.self)
  }

  private func number(_ count: Int, at place: Int) -> Int? {
    guard place >= 0, place <= bytes.count - count else { return nil }
    return (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }
}
