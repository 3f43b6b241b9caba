// Fovea - YOLO's description of a data set: names of classes and folders of pictures.
// SPDX-License-Identifier: Apache-2.0

/// YOLO's description of a data set, `data.yaml`.
package struct YOLODescription {
  /// The names of the classes by their numbers; empty where there are none.
  package var names: [String] = []
  /// The folder that paths begin at, as it is written.
  var path: String?
  /// Folders or lists of pictures: for training, validation and tests.
  var pictures: [String] = []
  /// How many numbers a key point has, where lines hold key points behind the box.
  var keyPointNumbers: Int?
  /// What errors call it.
  var file: String

  /// Reads the bytes of a file.
  ///
  /// - Throws: `.malformed`, `.libraryUnavailable`.
  package init(_ bytes: UnsafeRawBufferPointer, file: String) throws(AnnotationError) {
    self.file = file
    let document = try YAMLValue.read(bytes, file: file)
    switch document["names"] {
    case .list(let elements): names = elements.enumerated().map { $1.text ?? "\($0)" }
    case .map(let members): names = try Self.names(members, file)
    case .scalar, nil: break
    }
    if let text = document["nc"]?.text {
      guard let count = Int(text), (0...1_000_000).contains(count) else {
        throw Self.error(file, "nc is '\(text)'; expected the number of classes")
      }
      guard names.isEmpty || names.count == count else {
        throw Self.error(file, "nc is \(count), and names has \(names.count)")
      }
      if names.isEmpty { names = (0..<min(count, 10_000)).map { "\($0)" } }
    }
    path = document["path"]?.text
    keyPointNumbers = try Self.keyPointNumbers(document["kpt_shape"], file)
    for key in ["train", "val", "valid", "test"] {
      switch document[key] {
      case .scalar(let text): pictures.append(text)
      case .list(let elements): pictures += elements.compactMap(\.text)
      case .map, nil: break
      }
    }
  }

  /// The classes of a list, one a line: `classes.txt`.
  package init(lines text: String, file: String) {
    self.file = file
    names = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(\.withoutOuterSpaces)
    while names.last?.isEmpty == true { names.removeLast() }
  }

  /// The second number of `kpt_shape: [points, numbers]`.
  private static func keyPointNumbers(
    _ value: YAMLValue?, _ file: String
  ) throws(AnnotationError) -> Int? {
    guard let value else { return nil }
    guard case .list(let elements) = value, elements.count == 2,
      let numbers = elements[1].text.flatMap({ Int($0) }), (2...3).contains(numbers)
    else {
      throw AnnotationError(
        .malformed, file, "kpt_shape is no list of two numbers",
        "write the number of key points and 2 or 3: [17, 3]")
    }
    return numbers
  }

  private static func error(_ file: String, _ cause: String) -> AnnotationError {
    AnnotationError(.malformed, file, cause, "write names as a list, or as a map from 0")
  }

  private static func names(
    _ members: [YAMLValue.Member], _ file: String
  ) throws(AnnotationError) -> [String] {
    var names: [Int: String] = [:]
    for member in members {
      guard let number = Int(member.key), (0..<10_000).contains(number) else {
        throw error(file, "names has the key '\(member.key)'; expected the number of a class")
      }
      names[number] = member.value.text ?? member.key
    }
    return (0..<(names.keys.max().map { $0 + 1 } ?? 0)).map { names[$0] ?? "\($0)" }
  }
}
