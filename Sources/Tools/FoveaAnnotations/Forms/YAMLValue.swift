// Fovea - small YAML documents as values.
// SPDX-License-Identifier: Apache-2.0
#if YAML
  internal import CYAML
#endif

/// A value of a YAML document. Scalars stay texts: who asks for one knows what it should be.
indirect enum YAMLValue: Equatable {
  case scalar(String)
  case list([YAMLValue])
  case map([Member])

  /// A member of a map.
  struct Member: Equatable {
    var key: String
    var value: YAMLValue
  }

  /// Values inside each other; descriptions of data sets need three.
  static let greatestDepth = 16
  static let greatestSize = 1 << 20
  static let greatestCount = 100_000

  /// Reads the first document of a file. Names of values (anchors) and what they stand for are refused.
  ///
  /// - Throws: `.malformed`, `.libraryUnavailable`.
  static func read(
    _ bytes: UnsafeRawBufferPointer, file: String
  ) throws(AnnotationError) -> YAMLValue {
    guard bytes.count <= greatestSize else {
      throw AnnotationError(
        .malformed, file, "has more than \(greatestSize) bytes", "keep only names and paths in it")
    }
    #if YAML
      switch YAMLLibrary.shared {
      case .success(let library):
        return try YAMLRun(library.functions, bytes, file: file).document()
      case .failure(let missing): throw missing.error(of: file)
      }
    #else
      throw MissingLibrary.disabled(trait: "YAML").error(of: file)
    #endif
  }

  /// The value of a member of a map; `nil` for another value.
  subscript(key: String) -> YAMLValue? {
    guard case .map(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }

  /// The text of a scalar; `nil` for another value.
  var text: String? {
    if case .scalar(let text) = self { text } else { nil }
  }
}

#if YAML
  /// One run of libyaml over one document.
  private final class YAMLRun {
    private let yaml: fov_yaml_functions
    private let bytes: UnsafeRawBufferPointer
    private let file: String
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let event = UnsafeMutablePointer<yaml_event_t>.allocate(capacity: 1)
    private var count = 0

    init(_ yaml: fov_yaml_functions, _ bytes: UnsafeRawBufferPointer, file: String) {
      (self.yaml, self.bytes, self.file) = (yaml, bytes, file)
    }

    deinit {
      parser.deallocate()
      event.deallocate()
    }

    func document() throws(AnnotationError) -> YAMLValue {
      guard yaml.parser_initialize(parser) == 1 else {
        throw AnnotationError(.file, file, "there is no memory for a parser", "free some memory")
      }
      defer { yaml.parser_delete(parser) }
      let start = bytes.bindMemory(to: UInt8.self).baseAddress
      // An empty buffer has no address, and the library wants one.
      let nothing: [UInt8] = [0]
      return try withExtendedLifetime(nothing) { () throws(AnnotationError) in
        try nothing.withUnsafeBufferPointer { nothing throws(AnnotationError) in
          yaml.parser_set_input_string(parser, start ?? nothing.baseAddress, bytes.count)
          while true {
            let part = try next()
            switch part {
            case .end: return .map([])
            case .other: continue
            default: return try value(part, depth: 0)
            }
          }
        }
      }
    }

    private enum Part {
      case scalar(String)
      case beginList, endList, beginMap, endMap, end, other
    }

    private func error(_ cause: String) -> AnnotationError {
      AnnotationError(
        .malformed, file, at: .line(parser.pointee.mark.line + 1), cause, "repair the file")
    }

    private func next() throws(AnnotationError) -> Part {
      count += 1
      guard count <= YAMLValue.greatestCount else { throw error("has too many values") }
      guard yaml.parser_parse(parser, event) == 1 else {
        let words = parser.pointee.problem.map { String(cString: $0) } ?? "cannot be parsed"
        throw AnnotationError(
          .malformed, file, at: .line(parser.pointee.problem_mark.line + 1), "is no YAML: \(words)",
          "repair the file")
      }
      defer { yaml.event_delete(event) }
      guard !fov_yaml_has_anchor(event), event.pointee.type != YAML_ALIAS_EVENT else {
        throw error("gives values names ('&', '*'), which is refused")
      }
      switch event.pointee.type {
      case YAML_SCALAR_EVENT:
        var length = 0
        let text = fov_yaml_scalar(event, &length)
        return .scalar(
          String(decoding: UnsafeBufferPointer(start: text, count: length), as: UTF8.self))
      case YAML_SEQUENCE_START_EVENT: return .beginList
      case YAML_SEQUENCE_END_EVENT: return .endList
      case YAML_MAPPING_START_EVENT: return .beginMap
      case YAML_MAPPING_END_EVENT: return .endMap
      case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return .end
      default: return .other
      }
    }

    private func value(_ part: Part, depth: Int) throws(AnnotationError) -> YAMLValue {
      guard depth <= YAMLValue.greatestDepth else {
        throw error("has values inside \(depth) others")
      }
      switch part {
      case .scalar(let text): return .scalar(text)
      case .beginList:
        var elements: [YAMLValue] = []
        while true {
          let part = try next()
          if case .endList = part { return .list(elements) }
          elements.append(try value(part, depth: depth + 1))
        }
      case .beginMap:
        var members: [YAMLValue.Member] = []
        while true {
          let part = try next()
          if case .endMap = part { return .map(members) }
          guard case .scalar(let key) = part else { throw error("has a key that is no text") }
          members.append(.init(key: key, value: try value(try next(), depth: depth + 1)))
        }
      default: throw error("is no YAML")
      }
    }
  }
#endif
