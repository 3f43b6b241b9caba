// Fovea - the files of a Darknet network.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// The files of a Darknet network, which lie side by side: NAME.cfg, NAME.weights, and maybe the
/// names of its classes.
struct DarknetFiles {
  let folder: any ModelFolder
  private let stem: String
  /// The name of the file of layers.
  let layersName: String
  /// The name of the file of weights.
  let weightsName: String

  /// The files beside one of them.
  init(folder: any ModelFolder, given name: String) {
    self.folder = folder
    let dot = name.lastIndex(of: ".")
    stem = dot.map { String(name[..<$0]) } ?? name
    let isWeights = dot.map { name[$0...].lowercased() == ".weights" } ?? false
    layersName = isWeights || name.isEmpty ? stem + ".cfg" : name
    weightsName = isWeights ? name : stem + ".weights"
  }

  /// The file of layers.
  func layers() throws(ModelFormatError) -> StoredBytes {
    try file(layersName, "the layers of the network, in a .cfg of the same name")
  }

  /// The file of weights.
  func weights() throws(ModelFormatError) -> StoredBytes {
    try file(weightsName, "the weights of the network, in a .weights of the same name")
  }

  private func file(_ name: String, _ words: String) throws(ModelFormatError) -> StoredBytes {
    if !stem.isEmpty, let bytes = try folder.bytes(at: ModelPath(name)) { return bytes }
    throw ModelFormatError(
      .missingField, found: stem.isEmpty ? "one file alone" : "no \(name)", expected: words,
      remedy: "A Darknet network is two files; put both into one folder and open either by its"
        + " path.")
  }

  /// The names of the classes: the lines of NAME.names, or of a list that Darknet's own networks
  /// use, whichever has as many. Without one, classes are numbers.
  func classLabels(count: Int) -> ClassLabels {
    for name in [stem, "obj", "coco", "voc"] where !stem.isEmpty {
      guard let path = try? ModelPath(name + ".names"), let bytes = try? folder.bytes(at: path),
        bytes.count <= Self.greatestList
      else { continue }
      let labels = Self.lines(bytes.array)
      if labels.count == count { return .strings(labels) }
    }
    return .int64s((0..<Int64(count)).map { $0 })
  }

  /// A file of more bytes is no list of names.
  private static let greatestList = 1 << 24

  /// Lines without blanks around them, up to the last that is not empty.
  private static func lines(_ bytes: [UInt8]) -> [String] {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      let text = String(decoding: line, as: UTF8.self).drop(while: \.isWhitespace)
      return String(text.reversed().drop(while: \.isWhitespace).reversed())
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }
}
