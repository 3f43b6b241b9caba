// Fovea - tests: files of other kinds are named for what they are.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

struct ForeignFileTests {
  /// The beginning of a file of some kind, and words that messages about it have.
  struct Case: Sendable, CustomTestStringConvertible {
    var words: String
    var bytes: [UInt8]
    var remedy: String
    var testDescription: String { words }

    init(_ words: String, _ bytes: [UInt8], _ remedy: String) {
      (self.words, self.bytes, self.remedy) = (words, bytes, remedy)
    }

    /// Bytes written as a text, whose characters are below 256.
    init(_ words: String, _ text: String, _ remedy: String) {
      self.init(words, text.unicodeScalars.map { UInt8($0.value) }, remedy)
    }
  }

  /// A zip archive of empty files.
  static func zip(_ names: String...) -> [UInt8] {
    var (bytes, directory): ([UInt8], [UInt8]) = ([], [])
    for name in names {
      let count: [UInt8] = [UInt8(name.utf8.count), 0]
      let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
      let place = UInt8(bytes.count)
      bytes += [0x50, 0x4B, 3, 4] + zeros(22) + count + zeros(2) + Array(name.utf8)
      directory += [0x50, 0x4B, 1, 2] + zeros(24) + count + zeros(12) + [place, 0, 0, 0]
      directory += Array(name.utf8)
    }
    let place = UInt8(bytes.count)
    return bytes + directory + [0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 12)
      + [place, 0, 0, 0, 0, 0]
  }

  /// A graph of TensorFlow of one node.
  static let frozenGraph = ProtobufWriter {
    $0.message(1) {
      $0.string(1, "input")
      $0.string(2, "Placeholder")
    }
  }.bytes

  static let savedModel = ProtobufWriter {
    $0.integer(1, 1)
    $0.message(2) {
      $0.message(1) { $0.string(4, "serve") }
      $0.data(2, frozenGraph)
    }
  }.bytes

  static let weightBlob =
    [1, 0, 0, 0, 2, 0, 0, 0] + [UInt8](repeating: 0, count: 56) + [0xEF, 0xBE, 0xAD, 0xDE]

  static let cases: [Case] = [
    Case("PyTorch checkpoint (.pt", zip("best/data.pkl", "best/version"), "format='onnx'"),
    Case("PyTorch checkpoint (.pt", zip("a", "b/data.pkl"), "torch.onnx.export"),
    Case(
      "old PyTorch checkpoint", "\u{80}\u{2}\u{8A}\nl\u{FC}\u{9C}F\u{F9} j\u{A8}P\u{19}.x", "ONNX"),
    Case("a pickle", "\u{80}\u{4}\u{95}\u{10}\0\0\0\0\0\0\0}.", "ONNX"),
    Case("Keras model (.keras)", zip("config.json", "model.weights.h5"), "TFLiteConverter"),
    Case("Keras model (.h5", "\u{89}HDF\r\n\u{1A}\n\0\0\0", "TFLiteConverter"),
    Case("model of TensorFlow (.pb)", frozenGraph, "TFLiteConverter"),
    Case("model of TensorFlow (.pb)", savedModel, "TFLiteConverter"),
    Case("safetensors", "\u{50}\0\0\0\0\0\0\0{\"conv.weight\":{}}", "ONNX"),
    Case("TensorRT engine", "ftrt\0\0\0\0", "ONNX"),
    Case("TensorRT engine", "\u{20}\u{1}\0\0{\"description\": \"YOLO\"}ptrt", "ONNX"),
    Case("ncnn (.param)", "7767517\n168 192\nInput in0 0 1 in0\n", "ONNX"),
    Case("ncnn (.param)", "\u{DD}\u{85}v\0\u{A8}\0\0\0", "ONNX"),
    Case("weights of ncnn (.bin)", "Gk0\u{1}\0\0\0\0", "ONNX"),
    Case("OpenVINO", "<?xml version=\"1.0\"?>\n<net name=\"main\" version=\"11\">", "ONNX"),
    Case("(.gguf)", "GGUF\u{3}\0\0\0", "ONNX"),
    Case(
      "TensorFlow.js", "{\"format\": \"graph-model\", \"modelTopology\": {}}", "TFLiteConverter"),
    Case("model.mil", "program(1.0)\n[buildInfo = dict", "folder"),
    Case(
      "coremldata.bin",
      "\u{F6}\u{1}\0\0\u{7}" + String(repeating: "\0", count: 31) + "generic\u{7}", "folder"),
    Case("espresso folder", "{\"storage\": \"model.espresso.weights\", \"layers\": []}", "folder"),
    Case("(weight.bin)", weightBlob, "folder"),
    Case("manifest of a Core ML package", "{\"rootModelIdentifier\": \"1\"}", "folder"),
    Case("(.npz)", zip("x.npy"), "inputs"),
    Case("(.mlpackage) inside", zip("a.mlpackage/", "a.mlpackage/Manifest.json"), "Unpack"),
    Case("a model inside", zip("readme.txt", "a.mlmodel"), "Unpack"),
    Case("a zip archive", zip("a.txt"), "Unpack"),
    Case("a zip archive", "PK\u{3}\u{4}", "Unpack"),
    Case("a gzip archive", "\u{1F}\u{8B}\u{8}\0\0\0\0\0\0", "Unpack"),
    Case("an xz archive", "\u{FD}7zXZ\0\0", "Unpack"),
    Case("a bzip2 archive", "BZh91AY", "Unpack"),
    Case("a tar archive", "a.mlmodel" + String(repeating: "\0", count: 248) + "ustar\0", "Unpack"),
    Case("(.npy)", "\u{93}NUMPY\u{1}\0", "inputs"),
    Case("a program", "\u{7F}ELF\u{2}\u{1}", "ONNX"),
    Case("picture (JPEG)", "\u{FF}\u{D8}\u{FF}\u{E0}\0\u{10}", "--model"),
    Case("picture (PNG)", "\u{89}PNG\r\n\u{1A}\n\0\0\0\rIHDR", "--model"),
    Case("picture (GIF)", "GIF89a\u{1}\0\u{1}\0", "--model"),
    Case("picture (TIFF)", "II*\0\u{8}\0\0\0", "--model"),
    Case("picture (BMP)", "BM6\u{3}\0\0\0\0\0\06\0\0\0(\0", "--model"),
    Case("picture (WebP)", "RIFF\u{24}\0\0\0WEBPVP8 ", "--model"),
    Case("HEIC", "\0\0\0\u{18}ftypheic\0\0\0\0", "--model"),
    Case("PDF", "%PDF-1.7\n", "ONNX"),
    Case("web page", "\n\n<!doctype HTML>\n<html lang=en>", "download"),
    Case("a text file", "person\nbicycle\ncar\n", "download"),
    Case("begins with 0F", [0x0F], "export the model again"),
    Case("begins with 0C FF", [0x0C, 0xFF], "export the model again"),
  ]

  @Test(arguments: cases)
  func filesAreNamed(_ test: Case) throws {
    let reads: [() throws -> Void] = [
      { _ = try ModelDescription(anyFormat: test.bytes, fileName: "model", folder: EmptyFolder()) },
      { _ = try ModelDescription(bytes: test.bytes) },
    ]
    for read in reads {
      let error = try formatError(read)
      #expect(error.code == .notAModel, "\(error)")
      #expect(error.found.contains(test.words), "\(error)")
      #expect(error.remedy.contains(test.remedy), "\(error)")
      #expect(!error.description.contains("group that never began"))
    }
    // Whatever ends early is named or refused, too.
    for count in 0..<test.bytes.count {
      #expect(throws: ModelFormatError.self) {
        try ModelDescription(
          anyFormat: Array(test.bytes.prefix(count)), fileName: "model", folder: EmptyFolder())
      }
    }
  }

  @Test func allFormatsAreExpected() throws {
    let error = try formatError {
      _ = try ModelDescription(anyFormat: [1], fileName: "model", folder: EmptyFolder())
    }
    for format in ["Core ML", "ONNX", "TensorFlow Lite", "Darknet"] {
      #expect(error.expected.contains(format))
    }
  }

  /// Where only Core ML is of use, other formats are named.
  @Test func formatsAreNamed() throws {
    let onnx = ProtobufWriter {
      $0.integer(1, 8)
      $0.message(7) { _ in }
    }.bytes
    for (bytes, name) in [
      (onnx, "an ONNX file"), ([32, 0, 0, 0] + Array("TFL3".utf8), "a TensorFlow Lite file"),
      (Array("# YOLO\n[net]\nwidth=3\n".utf8), "Darknet"),
    ] {
      let error = try formatError { _ = try ModelDescription(bytes: bytes) }
      #expect(error.found.contains(name))
      #expect(error.remedy.contains("fovea convert"))
    }
  }

  @Test(.enabled(if: SharedData.isPresent))
  func insidesOfFoldersAreNamed() throws {
    let folders = [
      ("mlprogram/bad/compiled/espresso.mlmodelc", "model.espresso.net", "espresso folder"),
      ("mlprogram/bad/compiled/offset.mlmodelc", "coremldata.bin", "coremldata.bin"),
      ("mlprogram/bad/compiled/offset.mlmodelc", "model.mil", "model.mil"),
      ("models/yolo-fastest-1.1-xl.mlpackage", "Manifest.json", "manifest"),
      (
        "models/yolo-fastest-1.1-xl.mlpackage",
        "Data/com.apple.CoreML/weights/weight.bin", "weight.bin"
      ),
    ]
    for (folder, file, words) in folders {
      let bytes = try SharedData.bytes("\(folder)/\(file)")
      let error = try formatError { _ = try ModelDescription(bytes: bytes) }
      #expect(error.found.contains(words), "\(file): \(error)")
    }
  }

  /// No model of any format is taken for something else.
  @Test(.enabled(if: SharedData.isPresent))
  func modelsAreNoForeignFiles() throws {
    for folder in ["models", "models/fixtures", "odd"] {
      for file in try SharedData.files(in: folder, suffix: ".mlmodel") {
        _ = try ModelDescription(
          bytes: SharedData.bytes("\(folder)/\(file)"), describesUnsupportedModels: true)
      }
    }
  }
}
