// Fovea - one value of a feature.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple

public enum MLFeatureType: Int, Sendable {
  case invalid, int64, double, string, image, multiArray, dictionary, sequence, state
}

/// One value of a feature.
public final class MLFeatureValue: NSObject, NSCopying {
  private enum Content {
    case undefined(MLFeatureType)
    case int64(Int64)
    case double(Double)
    case string(String)
    case image(CVPixelBuffer)
    case multiArray(MLMultiArray)
    case dictionary([AnyHashable: NSNumber])
    case sequence(MLSequence)
  }

  private let content: Content

  private init(_ content: Content) {
    self.content = content
    super.init()
  }

  public convenience init(int64 value: Int64) { self.init(.int64(value)) }
  public convenience init(double value: Double) { self.init(.double(value)) }
  public convenience init(string value: String) { self.init(.string(value)) }
  public convenience init(multiArray value: MLMultiArray) { self.init(.multiArray(value)) }
  public convenience init(pixelBuffer value: CVPixelBuffer) { self.init(.image(value)) }
  public convenience init(sequence value: MLSequence) { self.init(.sequence(value)) }
  public convenience init(undefined type: MLFeatureType) { self.init(.undefined(type)) }

  public convenience init<Scalar>(shapedArray value: MLShapedArray<Scalar>) {
    self.init(.multiArray(MLMultiArray(value)))
  }

  /// Numbers by keys that are all strings or all integers.
  ///
  /// - Throws: `MLModelError` with the code `featureType` for other keys.
  public convenience init(dictionary value: [AnyHashable: NSNumber]) throws {
    guard value.keys.allSatisfy({ $0.base is String }) || value.keys.allSatisfy({ $0.isInteger })
    else {
      throw MLModelError(
        .featureType, "the keys of a dictionary are neither all strings nor all integers")
    }
    self.init(.dictionary(value))
  }

  /// A value of any type that features have; `nil` for others.
  convenience init?(anything value: Any) throws {
    switch value {
    case let value as MLFeatureValue: self.init(value.content)
    case let value as MLMultiArray: self.init(.multiArray(value))
    case let value as CVPixelBuffer: self.init(.image(value))
    case let value as MLSequence: self.init(.sequence(value))
    case let value as String: self.init(.string(value))
    case let value as NSString: self.init(.string(String(describing: value)))
    case let value as Double: self.init(.double(value))
    case let value as Float: self.init(.double(Double(value)))
    case let value as Bool: self.init(.int64(value ? 1 : 0))
    case let value as Int: self.init(.int64(Int64(value)))
    case let value as any BinaryInteger: self.init(.int64(Int64(value)))
    case let value as NSNumber:
      let isFloat = floatCodes.contains(String(cString: value.objCType))
      self.init(isFloat ? .double(value.doubleValue) : .int64(value.int64Value))
    case let value as [AnyHashable: NSNumber]: try self.init(dictionary: value)
    case let value as [AnyHashable: Double]:
      try self.init(dictionary: value.mapValues { NSNumber(value: $0) })
    case let value as [AnyHashable: Int]:
      try self.init(dictionary: value.mapValues { NSNumber(value: $0) })
    case let value as [Double]: self.init(.multiArray(try MLMultiArray(value)))
    case let value as [Float]: self.init(.multiArray(try MLMultiArray(value)))
    case let value as [Int]: self.init(.multiArray(try MLMultiArray(value)))
    default: return nil
    }
  }

  public var type: MLFeatureType {
    switch content {
    case .undefined(let type): type
    case .int64: .int64
    case .double: .double
    case .string: .string
    case .image: .image
    case .multiArray: .multiArray
    case .dictionary: .dictionary
    case .sequence: .sequence
    }
  }

  public var isUndefined: Bool {
    if case .undefined = content { true } else { false }
  }

  public var int64Value: Int64 {
    if case .int64(let value) = content { value } else { 0 }
  }

  public var doubleValue: Double {
    if case .double(let value) = content { value } else { 0 }
  }

  public var stringValue: String {
    if case .string(let value) = content { value } else { "" }
  }

  public var imageBufferValue: CVPixelBuffer? {
    if case .image(let value) = content { value } else { nil }
  }

  public var multiArrayValue: MLMultiArray? {
    if case .multiArray(let value) = content { value } else { nil }
  }

  public var dictionaryValue: [AnyHashable: NSNumber] {
    if case .dictionary(let value) = content { value } else { [:] }
  }

  public var sequenceValue: MLSequence? {
    if case .sequence(let value) = content { value } else { nil }
  }

  /// The array, if it has this type of scalars.
  public func shapedArrayValue<Scalar: MLShapedArrayScalar>(
    of type: Scalar.Type
  ) -> MLShapedArray<Scalar>? {
    guard let array = multiArrayValue, array.dataType == Scalar.multiArrayDataType else {
      return nil
    }
    return MLShapedArray<Scalar>(array)
  }

  public func isEqual(to value: MLFeatureValue) -> Bool { isEqual(value as Any?) }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? MLFeatureValue else { return false }
    switch (content, other.content) {
    case (.undefined(let a), .undefined(let b)): return a == b
    case (.int64(let a), .int64(let b)): return a == b
    case (.double(let a), .double(let b)): return a == b
    case (.string(let a), .string(let b)): return a == b
    case (.image(let a), .image(let b)): return a == b
    case (.multiArray(let a), .multiArray(let b)): return a.isEqual(b as Any?)
    case (.dictionary(let a), .dictionary(let b)): return a == b
    case (.sequence(let a), .sequence(let b)): return a === b
    default: return false
    }
  }

  public override var hash: Int { type.rawValue }

  public override var description: String {
    switch content {
    case .undefined(let type): "undefined \(type)"
    case .int64(let value): "Int64 : \(value)"
    case .double(let value): "Double : \(value)"
    case .string(let value): "String : \(value)"
    case .image(let value):
      "Image : \(CVPixelBufferGetWidth(value)) x \(CVPixelBufferGetHeight(value))"
    case .multiArray(let value): "MultiArray : \(value)"
    case .dictionary(let value): "Dictionary : \(value)"
    case .sequence: "Sequence"
    }
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }
}

private let floatCodes = ["d", "f"]

extension AnyHashable {
  fileprivate var isInteger: Bool { base is any BinaryInteger || base is NSNumber }
}

/// A list of strings or of integers.
public final class MLSequence: NSObject {
  public let type: MLFeatureType
  public let stringValues: [String]
  public let int64Values: [NSNumber]

  public init(strings: [String]) {
    (type, stringValues, int64Values) = (.string, strings, [])
    super.init()
  }

  public init(int64s: [NSNumber]) {
    (type, stringValues, int64Values) = (.int64, [], int64s)
    super.init()
  }

  public init(empty type: MLFeatureType) {
    (self.type, stringValues, int64Values) = (type, [], [])
    super.init()
  }
}

/// A value of a feature that may be sent to other tasks.
public struct MLSendableFeatureValue: @unchecked Sendable {  // because nobody changes the value
  package let value: MLFeatureValue

  package init(value: MLFeatureValue) { self.value = value }

  public init(_ value: Int) { self.value = MLFeatureValue(int64: Int64(value)) }
  public init(_ value: Double) { self.value = MLFeatureValue(double: value) }
  public init(_ value: Float) { self.value = MLFeatureValue(double: Double(value)) }
  public init(_ value: String) { self.value = MLFeatureValue(string: value) }

  public init<Scalar: MLShapedArrayScalar>(_ value: MLShapedArray<Scalar>) {
    self.value = MLFeatureValue(shapedArray: value)
  }

  public var type: MLFeatureType { value.type }
  public var isUndefined: Bool { value.isUndefined }
  public var integerValue: Int? { value.type == .int64 ? Int(value.int64Value) : nil }
  public var doubleValue: Double? { value.type == .double ? value.doubleValue : nil }
  public var floatValue: Float? { doubleValue.map { Float($0) } }
  public var stringValue: String? { value.type == .string ? value.stringValue : nil }

  public func shapedArrayValue<Scalar: MLShapedArrayScalar>(
    of type: Scalar.Type
  ) -> MLShapedArray<Scalar>? { value.shapedArrayValue(of: type) }
}

extension MLFeatureValue {
  public convenience init(_ value: MLSendableFeatureValue) { self.init(value.value.content) }
}
