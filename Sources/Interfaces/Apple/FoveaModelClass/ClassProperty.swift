// Fovea - a feature of a model as a property of a class.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

/// A feature of a model as a property of a class: its name and types in Swift.
struct ClassProperty {
  /// The name in the model.
  let feature: String
  /// The name in Swift, without backticks.
  let identifier: String
  let type: FeatureType
  let isOptional: Bool
  /// What the author says about the feature, on one line.
  let comment: String
  /// The type of a dictionary's keys: those of labels.
  let keyType: String

  init(_ feature: FeatureDescription, identifier: String, keyType: String) {
    self.feature = feature.name
    self.identifier = identifier
    type = feature.type
    isOptional = feature.isOptional
    self.keyType = keyType
    let words = feature.shortDescription.split(whereSeparator: \.isNewline).joined(separator: " ")
    comment = words.isEmpty ? feature.name : words
  }

  /// The name as it stands in declarations and expressions.
  var name: String { SwiftName.escaped(identifier) }
  /// The name in the model as a literal.
  var literal: String { SwiftName.literal(feature) }

  var swiftType: String {
    switch type {
    case .image: "CVPixelBuffer"
    case .multiArray: "MLMultiArray"
    case .double: "Double"
    case .int64: "Int64"
    case .string: "String"
    case .dictionary: "[\(keyType): Double]"
    case .sequence: "MLSequence"
    case .state, .unspecified: "MLFeatureValue"
    }
  }

  /// The type of a property that may be absent.
  var declaredType: String { isOptional ? swiftType + "?" : swiftType }

  var isImage: Bool { type.isImage }
  var isArray: Bool { if case .multiArray = type { true } else { false } }

  /// The type of a shaped array's scalars; `nil` for what is no array.
  var scalar: String? {
    guard case .multiArray(let array) = type else { return nil }
    switch array.dataType {
    case .double: return "Double"
    case .float16: return "Float16"
    case .int32: return "Int32"
    case .int8: return "Int8"
    case .float32, .unspecified: return "Float"
    }
  }

  /// An expression for a picture of the size that the model wants, made of another one.
  ///
  /// - Parameter source: The first argument with its label, such as `cgImage: image`.
  func picture(_ source: String) -> String {
    guard case .image(let image) = type else { return "" }
    let format =
      switch image.colorSpace {
      case .rgb, .bgr: "kCVPixelFormatType_32ARGB"
      case .grayscale: "kCVPixelFormatType_OneComponent8"
      case .grayscaleFloat16: "kCVPixelFormatType_OneComponent16Half"
      }
    return "try MLFeatureValue(\(source), pixelsWide: \(image.width), pixelsHigh: \(image.height), "
      + "pixelFormatType: \(format), options: nil).imageBufferValue!"
  }

  /// An expression for the feature value of an expression of the property's type.
  func featureValue(_ value: String) -> String {
    switch type {
    case .image: "MLFeatureValue(pixelBuffer: \(value))"
    case .multiArray: "MLFeatureValue(multiArray: \(value))"
    case .double: "MLFeatureValue(double: \(value))"
    case .int64: "MLFeatureValue(int64: \(value))"
    case .string: "MLFeatureValue(string: \(value))"
    case .dictionary:
      "try! MLFeatureValue(dictionary: Dictionary(uniqueKeysWithValues: \(value).map "
        + "{ (AnyHashable($0.key), NSNumber(value: $0.value)) }))"
    case .sequence: "MLFeatureValue(sequence: \(value))"
    case .state, .unspecified: value
    }
  }

  /// An expression for the property's value, of an expression of a feature value.
  func value(of feature: String) -> String {
    switch type {
    case .image: "\(feature).imageBufferValue!"
    case .multiArray: "\(feature).multiArrayValue!"
    case .double: "\(feature).doubleValue"
    case .int64: "\(feature).int64Value"
    case .string: "\(feature).stringValue"
    case .dictionary:
      "Dictionary(uniqueKeysWithValues: \(feature).dictionaryValue.map "
        + "{ ($0.key.base as! \(keyType), $0.value.doubleValue) })"
    case .sequence: "\(feature).sequenceValue!"
    case .state, .unspecified: feature
    }
  }
}

/// Names of models and features as names of Swift.
enum SwiftName {
  /// A name of letters, digits and underscores that begins with no digit.
  static func identifier(_ text: String) -> String {
    let name = String(text.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    guard let first = name.first else { return "_" }
    return first.isNumber ? "_" + name : name
  }

  /// Names that differ from each other.
  static func identifiers(_ texts: [String]) -> [String] {
    var taken: Set<String> = []
    return texts.map { text in
      var name = identifier(text)
      while !taken.insert(name).inserted { name += "_" }
      return name
    }
  }

  static func escaped(_ identifier: String) -> String {
    keywords.contains(identifier) ? "`\(identifier)`" : identifier
  }

  /// A literal of Swift that means a text.
  static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": literal += "\\" + String(scalar)
      case _ where scalar.value < 32: literal += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  private static let keywords: Set<String> = [
    "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]
}
