// Fovea - a value of a JSON document, and how encodable values become one.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaJSON

/// A value of a JSON document, which an encodable value fills in.
///
/// Foundation's encoder does the same, but every process that links it starts a millisecond later
/// and needs 2 MiB more, documents or not.
final class JSONNode {
  private enum Content {
    /// A number, a string or a word, as it stands in the document.
    case literal(String)
    case array([JSONNode])
    case object([String: JSONNode])
  }

  private var content = Content.literal("null")

  /// The value as a node.
  ///
  /// - Throws: `EncodingError.invalidValue` for a number that is not finite.
  init(_ value: some Encodable) throws { try set(value) }

  private init() {}

  /// The document, keys sorted, a value a line. `margin` stands before every line but the first.
  func text(margin: String = "") -> String {
    let inner = margin + "  "
    switch content {
    case .literal(let text): return text
    case .array(let elements):
      return Self.list(elements.map { inner + $0.text(margin: inner) }, in: "[", "]", margin)
    case .object(let members):
      let lines = members.sorted { $0.key < $1.key }.map { key, value in
        inner + JSONText.quoted(key) + " : " + value.text(margin: inner)
      }
      return Self.list(lines, in: "{", "}", margin)
    }
  }

  /// The document on one line, keys sorted.
  var line: String {
    switch content {
    case .literal(let text): return text
    case .array(let elements): return "[\(elements.map(\.line).joined(separator: ","))]"
    case .object(let members):
      let pairs = members.sorted { $0.key < $1.key }.map { key, value in
        JSONText.quoted(key) + ":" + value.line
      }
      return "{\(pairs.joined(separator: ","))}"
    }
  }

  private static func list(
    _ lines: [String], in open: String, _ close: String, _ margin: String
  ) -> String {
    lines.isEmpty ? open + close : "\(open)\n\(lines.joined(separator: ",\n"))\n\(margin)\(close)"
  }
}

// MARK: Filling in

extension JSONNode {
  fileprivate func set(_ value: some Encodable) throws {
    switch value {
    case let text as String: content = .literal(JSONText.quoted(text))
    case let truth as Bool: content = .literal("\(truth)")
    case let number as any BinaryInteger: content = .literal("\(number)")
    case let number as Double: try set(number, isFinite: number.isFinite)
    case let number as Float: try set(number, isFinite: number.isFinite)
    default: try value.encode(to: JSONNodeEncoder(node: self))
    }
  }

  /// A fraction; whole ones without ".0".
  private func set(_ number: some BinaryFloatingPoint, isFinite: Bool) throws {
    guard isFinite else {
      throw EncodingError.invalidValue(
        number, .init(codingPath: [], debugDescription: "\(number) is no number of JSON"))
    }
    content = .literal(JSONText.number(number))
  }

  fileprivate func setNull() { content = .literal("null") }

  /// Becomes an object, unless it is one.
  fileprivate func becomeObject() {
    if case .object = content { return }
    content = .object([:])
  }

  /// Becomes an array, unless it is one.
  fileprivate func becomeArray() {
    if case .array = content { return }
    content = .array([])
  }

  fileprivate var count: Int {
    if case .array(let elements) = content { elements.count } else { 0 }
  }

  fileprivate func member(_ key: any CodingKey) -> JSONNode {
    guard case .object(var members) = content else { return JSONNode() }
    let node = JSONNode()
    content = .literal("null")  // so that the members are not copied
    members[key.stringValue] = node
    content = .object(members)
    return node
  }

  fileprivate func appendElement() -> JSONNode {
    guard case .array(var elements) = content else { return JSONNode() }
    let node = JSONNode()
    content = .literal("null")  // so that the elements are not copied
    elements.append(node)
    content = .array(elements)
    return node
  }
}

/// What an encodable value encodes itself to: one node.
private struct JSONNodeEncoder: Encoder, SingleValueEncodingContainer {
  let node: JSONNode
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeObject()
    return KeyedEncodingContainer(ObjectContainer(node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeArray()
    return ArrayContainer(node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { node.setNull() }
  func encode(_ value: some Encodable) throws { try node.set(value) }
}

private struct ObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONNode
  let codingPath: [any CodingKey] = []

  func encodeNil(forKey key: Key) { node.member(key).setNull() }
  func encode(_ value: some Encodable, forKey key: Key) throws { try node.member(key).set(value) }

  func nestedContainer<Nested>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    JSONNodeEncoder(node: node.member(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    JSONNodeEncoder(node: node.member(key)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { JSONNodeEncoder(node: node.member(SuperKey())) }
  func superEncoder(forKey key: Key) -> any Encoder { JSONNodeEncoder(node: node.member(key)) }
}

private struct ArrayContainer: UnkeyedEncodingContainer {
  let node: JSONNode
  let codingPath: [any CodingKey] = []
  var count: Int { node.count }

  func encodeNil() { node.appendElement().setNull() }
  func encode(_ value: some Encodable) throws { try node.appendElement().set(value) }

  func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    JSONNodeEncoder(node: node.appendElement()).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    JSONNodeEncoder(node: node.appendElement()).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { JSONNodeEncoder(node: node.appendElement()) }
}

/// Where a class keeps what its parent encodes.
private struct SuperKey: CodingKey {
  var stringValue: String { "super" }
  var intValue: Int? { nil }

  init() {}
  init?(stringValue: String) { nil }
  init?(intValue: Int) { nil }
}
