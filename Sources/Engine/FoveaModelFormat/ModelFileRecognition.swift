// Fovea - which format a model file has, and reading it.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// The first bytes of a file tell formats apart; names do not count.
extension ModelFileFormat {
  /// The format of a file.
  package init(of bytes: [UInt8]) {
    if bytes.count >= 8, bytes[4..<8].elementsEqual("TFL3".utf8) {
      self = .tensorFlowLite
    } else if Self.isDarknetLayers(bytes) {
      self = .darknetLayers
    } else if Self.isDarknetWeights(bytes) {
      self = .darknetWeights
    } else {
      self = Self.isONNX(bytes) ? .onnx : .coreML
    }
  }

  /// Core ML's models have a description (field 2) and a kind (200 and above); those of ONNX have a
  /// graph (7) and operation sets (8), which Core ML's lack. A file that is cut off may end in either.
  private static func isONNX(_ bytes: [UInt8]) -> Bool {
    var fields = ProtobufCursor(ProtobufMessage(file: bytes))
    do throws(ModelFormatError) {
      while let field = try fields.next() {
        if field.number >= CoreMLModelType.pipelineClassifier.rawValue { return false }
        if (7...8).contains(field.number), field.wire == .bytes { return true }
      }
    } catch {
      // The tag of a graph whose end is missing.
      guard error.code == .truncated, let place = error.byteOffset else { return false }
      return bytes.dropFirst(place).first == 7 << 3 | 2
    }
    return false
  }

  /// The first line that is neither empty nor a comment names a section.
  private static func isDarknetLayers(_ bytes: [UInt8]) -> Bool {
    let lines = bytes.prefix(4096).split { $0 == 0x0A || $0 == 0x0D }
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0B, 0x0C]
    for line in lines {
      let text = line.filter { !blanks.contains($0) }
      if text.isEmpty || text.first == UInt8(ascii: "#") || text.first == UInt8(ascii: ";") {
        continue
      }
      guard text.count > 2, text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") else {
        return false
      }
      let name = String(decoding: text[1..<text.count - 1], as: UTF8.self)
      // A file that lacks the first section is still recognized by a layer.
      return DarknetReader.netNames.contains(name) || DarknetLayerKind(name) != nil
    }
    return false
  }

  /// Version 0.1 or 0.2, and a revision; no model of Core ML begins with a byte of 0.
  private static func isDarknetWeights(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 16, bytes[0..<4].allSatisfy({ $0 == 0 }) else { return false }
    return (1...2).contains(bytes[4]) && bytes[5..<8].allSatisfy { $0 == 0 } && bytes[8] < 16
      && bytes[9..<12].allSatisfy { $0 == 0 }
  }

  /// The name of a second file that a model consists of; `nil` for models of one file.
  package func partner(of fileName: String) -> String? {
    switch self {
    case .darknetLayers: DarknetFiles(folder: EmptyFolder(), given: fileName).weightsName
    case .darknetWeights: DarknetFiles(folder: EmptyFolder(), given: fileName).layersName
    case .coreML, .onnx, .tensorFlowLite: nil
    }
  }
}

extension ModelDescription {
  /// Reads a model file of any format. Other formats than Core ML's are described by the same terms:
  /// their programs are written in operation sets of their own.
  ///
  /// - Parameters:
  ///   - fileName: The name of the file in its folder; empty if it has none.
  ///   - folder: The folder that the file is in.
  ///   - imageSize: The size of pictures, for formats whose shapes follow from it while a file is
  ///     read; `nil` for the file's own.
  package init(
    anyFormat bytes: [UInt8], fileName: String, folder: any ModelFolder,
    imageSize: ImageFeature.Size? = nil, limits: ReadingLimits = ReadingLimits()
  ) throws(ModelFormatError) {
    let format = ModelFileFormat(of: bytes)
    if format == .coreML || format == .onnx { try FileKind.refuseForeignFiles(bytes) }
    switch format {
    case .coreML: try self.init(bytes: bytes, folder: folder, limits: limits)
    case .onnx: try self.init(onnx: bytes, folder: folder, limits: limits)
    case .darknetLayers, .darknetWeights:
      let isLayers = format == .darknetLayers
      try self.init(
        darknetLayers: isLayers ? bytes : nil, weights: isLayers ? nil : bytes,
        fileName: fileName, folder: folder, size: imageSize, limits: limits)
    case .tensorFlowLite: try self.init(tensorFlowLite: bytes, limits: limits)
    }
    // Darknet's two files are one model, whichever is named.
    fileFormat = format == .darknetWeights ? .darknetLayers : format
  }
}
